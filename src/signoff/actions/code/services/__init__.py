"""Calls of services through their client libraries: who is a client, and what a call does."""
