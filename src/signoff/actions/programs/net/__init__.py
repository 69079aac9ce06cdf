"""Programs that talk to other machines."""
