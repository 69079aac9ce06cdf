"""Faults and attacks on the audit log: one command each, each with a positive control."""
