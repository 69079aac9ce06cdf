"""What the code of an application does for whoever calls it, beside its own task."""
