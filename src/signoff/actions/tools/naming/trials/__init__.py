"""Calls that are only tried: dry runs, and calls aimed at a stand-in of a service."""
