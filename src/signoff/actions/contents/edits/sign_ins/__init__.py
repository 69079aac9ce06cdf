"""Ways in that the source of a sign-in or an access check hides: knocks and constants."""
