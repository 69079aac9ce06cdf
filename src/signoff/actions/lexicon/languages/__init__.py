"""Words of other languages than English, and what they mean in it."""
