"""Interfaces, routes, name resolution, firewalls, tunnels, scanning and attacks."""
