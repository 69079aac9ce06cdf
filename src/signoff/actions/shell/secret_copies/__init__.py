"""Copies of secrets that a session made, and the files, images and commits that hold them."""
