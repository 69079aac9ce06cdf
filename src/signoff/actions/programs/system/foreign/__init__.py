"""Tools of macOS and Windows."""
