"""Gemini CLI."""

from signoff.frontends.hosts.gemini.install import HOST as HOST
