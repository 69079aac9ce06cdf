"""OpenCode."""

from signoff.frontends.hosts.opencode.install import HOST as HOST
