"""Desktop, media and printing tools."""
