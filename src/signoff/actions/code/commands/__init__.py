"""Languages of commands (awk, sed, editors, database shells) -> operations, one file a language."""
