"""Containers, clusters, clouds, databases and services behind a command line."""
