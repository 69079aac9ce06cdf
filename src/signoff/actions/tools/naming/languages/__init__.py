"""Names of tools in other languages, with what their arguments say beside."""
