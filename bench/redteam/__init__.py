"""Attacks on a running signoff, each one command with a positive control that must succeed."""
