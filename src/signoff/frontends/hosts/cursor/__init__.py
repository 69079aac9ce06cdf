"""Cursor."""

from signoff.frontends.hosts.cursor.install import HOST as HOST
