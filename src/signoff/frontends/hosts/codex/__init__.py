"""Codex."""

from signoff.frontends.hosts.codex.install import HOST as HOST
