"""PowerShell: its forms in plainer words, what its cmdlets do, and the reader."""
