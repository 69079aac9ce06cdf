"""GitHub Copilot CLI, and agents in VS Code."""

from signoff.frontends.hosts.copilot.install import HOST as HOST
