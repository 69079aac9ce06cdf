"""OpenClaw."""

from signoff.frontends.hosts.openclaw.install import HOST as HOST
