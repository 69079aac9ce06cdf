"""Windsurf."""

from signoff.frontends.hosts.windsurf.install import HOST as HOST
