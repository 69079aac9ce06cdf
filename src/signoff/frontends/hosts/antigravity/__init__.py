"""Antigravity."""

from signoff.frontends.hosts.antigravity.install import HOST as HOST
