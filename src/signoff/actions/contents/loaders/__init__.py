"""Code that fetches code and runs it, or sends secrets, in a file of any kind and language."""
