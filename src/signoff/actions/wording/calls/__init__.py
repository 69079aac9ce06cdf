"""Sentences about calls of tools and functions: verb, object, receivers, amount and place."""
