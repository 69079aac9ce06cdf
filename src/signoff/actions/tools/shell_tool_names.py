"""The names of tools that run a line of a shell; apart, as many need them who read no line."""

from __future__ import annotations

SHELL_TOOLS = frozenset({"Bash", "Shell", "shell", "bash", "run_shell_command", "local_shell"})
POWERSHELL_TOOLS = frozenset({"PowerShell", "powershell", "pwsh"})
