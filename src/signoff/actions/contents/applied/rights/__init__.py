"""What a file gives to people and takes from guards: superusers, open statements, rules."""
