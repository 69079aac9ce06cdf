"""Paths and variables of Windows, as agents there write them; text only, on any system."""
