"""Messengers that people are asked on: one folder each, and what they share.

A folder holds everything of its messenger: client, cards, answers, kept messages, settings file,
setup commands. `manifest.py` says what a folder offers, `registry.py` lists the folders.
"""
