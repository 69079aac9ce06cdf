"""Shell text that whole files are, or hold: scripts, recipes, steps, jobs, in any format."""
