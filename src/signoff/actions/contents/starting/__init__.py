"""What is started by the text of a file: by a tool that loads it, and by its own calls."""
