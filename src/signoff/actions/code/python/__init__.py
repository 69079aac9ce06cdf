"""Python snippets -> deeds."""
