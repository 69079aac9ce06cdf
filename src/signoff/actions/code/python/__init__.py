"""Python snippets -> operations."""
