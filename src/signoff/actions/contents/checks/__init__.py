"""Checks that a file or an edit weakens: of peers, tokens, callers, outputs, scripts and tests."""
