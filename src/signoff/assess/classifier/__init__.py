"""Linear classifiers of words: small tables of weights, made by `bench.classifier`."""
