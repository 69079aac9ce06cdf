"""Access control: limits, lists and reputation that processes share and restarts keep."""
