"""The quality measure: how rarely signoff interrupts and how little it misses, in figures.

Run `python -m bench.quality` from the root of the project.
"""
