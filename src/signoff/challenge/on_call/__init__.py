"""Who of a group is on call, and how settings say it."""
