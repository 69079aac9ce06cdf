"""Secrets that a session carries from call to call: copies, images, what leaves the machine."""
