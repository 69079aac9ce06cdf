"""Kiro CLI and Amazon Q CLI."""

from signoff.frontends.hosts.kiro.install import HOST as HOST
