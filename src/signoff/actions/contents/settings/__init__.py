"""Values of settings files that the session wrote, and single ones of them by their path."""
