"""What the session made itself, and may therefore use and take away."""
