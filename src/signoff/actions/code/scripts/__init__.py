"""Script languages -> deeds, one file a language."""
