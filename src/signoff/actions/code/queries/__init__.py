"""Query languages of services: what a query reads, changes and takes away."""
