"""Evidence for combined facts, one file a topic."""
