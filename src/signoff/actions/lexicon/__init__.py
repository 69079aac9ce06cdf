"""What the names of functions, tools and methods say: their words, verbs and nouns."""
