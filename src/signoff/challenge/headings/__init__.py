"""What comes first wherever a request is shown: its title, and the call in one line."""
