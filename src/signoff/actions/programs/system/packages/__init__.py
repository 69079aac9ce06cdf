"""Package managers of operating systems."""
