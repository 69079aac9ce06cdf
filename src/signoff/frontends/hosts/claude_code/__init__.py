"""Claude Code."""

from signoff.frontends.hosts.claude_code.install import HOST as HOST
