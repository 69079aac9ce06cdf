"""Languages of commands (awk, sed, editors, database shells) -> deeds, one file a language."""
