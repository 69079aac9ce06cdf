"""What files do that a call writes or runs: judged as the lines they hold."""
