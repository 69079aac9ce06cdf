"""Which secrets and private values application code hands to another machine."""
