"""Orders to the model in texts: where they stand, whom they speak to, what they want."""
