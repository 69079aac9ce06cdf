"""What a named tool says of itself: words of its name, its server, its arguments.

Shared by MCP tools and plain functions. Owns the servers and pairs of words, the reading
of arguments (circumstances, contents) and the step from there to Operations (effects).
"""
