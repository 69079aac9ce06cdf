"""Inline code -> Operations."""
