"""Fuzzing of every parser that takes bytes from elsewhere."""
