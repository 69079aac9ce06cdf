"""What code of applications and scripts erases that is not its own: folders, disks, servers."""
