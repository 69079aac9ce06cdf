"""Cline."""

from signoff.frontends.hosts.cline.install import HOST as HOST
