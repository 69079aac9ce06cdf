"""Trains the classifier of calls that signoff ships, and tries one of values of web requests."""
