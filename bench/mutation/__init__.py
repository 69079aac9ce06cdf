"""Mutation testing: each small change of what decides must make a test fail."""
