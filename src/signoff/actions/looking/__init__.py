"""Scripts that only look, whatever they look for: read by the same readers as lines are."""
