"""The oracle: the full answer to every line of all corpora, frozen as one digest a line.

Run `python -m bench.oracle freeze FILE` before a change and `compare FILE` after it.
"""
