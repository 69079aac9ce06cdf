"""What an edit turns, takes away or plants in ordinary source and settings."""
