"""Trains the classifiers that signoff ships, and measures them on sets they were not trained on."""
