"""Pipelines in front of web applications: ASGI and WSGI middleware, by route."""
