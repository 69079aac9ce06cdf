"""Tools that read, search, sort, cut and edit text."""
