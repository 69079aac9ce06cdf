"""What earlier calls of a session chose, and what later commands of it mean therefore."""
