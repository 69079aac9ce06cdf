"""Measurements: speed, durability, quality. Nothing here is part of the package."""
