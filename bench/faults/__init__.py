"""The fault matrix: every component under every fault, and never a silent pass."""
