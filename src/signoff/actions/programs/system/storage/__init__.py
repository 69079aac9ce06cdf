"""Disks, partitions, file systems, volumes, mounts and their tools."""
