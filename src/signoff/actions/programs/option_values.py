"""What one word hands a program in a notation of its own: an option of ssh, a mount.

ssh_option("ProxyCommand nc %h %p")      ->  ("proxycommand", "nc %h %p")
mount_of("type=bind,source=/,target=/h")  ->  Mount("/", "/h", is_read_only=False)
"""

from __future__ import annotations

import re

# ssh_config(5): a name, then blanks or one `=`, then the value, in quotes or not.
_SSH = re.compile(r"\s*\"?([A-Za-z]+)\"?\s*(?:=\s*|\s+)(.*)", re.DOTALL)
# Options of ssh_config(5) whose value a shell on this machine runs.
SSH_LINES = frozenset({"proxycommand", "localcommand", "knownhostscommand"})


def ssh_option(text: str) -> tuple[str, str]:
    """The name, in lower case, and the value of what stands behind `-o` of ssh and its kin."""
    match = _SSH.fullmatch(text)
    if match is None:
        return "", ""
    value = match[2].strip()
    is_quoted = len(value) > 1 and value[0] == value[-1] == '"'
    return match[1].lower(), value[1:-1] if is_quoted else value
