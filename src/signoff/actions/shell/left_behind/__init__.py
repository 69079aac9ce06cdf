"""What a line leaves behind that a later call of the session is judged by."""
