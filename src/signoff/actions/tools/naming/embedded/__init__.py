"""Lines and code that stand in the arguments of a tool: jobs, terminals, pipelines."""
