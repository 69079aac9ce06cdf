"""The safe form of each kind of finding: what an agent is told to do instead."""
