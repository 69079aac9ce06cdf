"""Script languages -> operations, one file a language."""
