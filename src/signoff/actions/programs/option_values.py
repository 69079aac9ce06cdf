"""What one word hands a program in a notation of its own: an option of ssh.

ssh_option("ProxyCommand nc %h %p")      ->  ("proxycommand", "nc %h %p")
"""

from __future__ import annotations

import re

from signoff.actions.shell.command import Word
from signoff.actions.vocabulary import lazy_re, words
from signoff.values import replace

# ssh_config(5): a name, then blanks or one `=`, then the value, in quotes or not.
_SSH = lazy_re(r"\s*\"?([A-Za-z0-9]+)\"?\s*(?:=\s*|\s+)(.*)", re.DOTALL)
# Options of ssh_config(5) whose value a shell on this machine runs.
SSH_LINES = words("proxycommand localcommand knownhostscommand")
# Libraries and programs that ssh loads or starts by their path, and files of further settings.
SSH_LOADS = words("securitykeyprovider pkcs11provider xauthlocation include")
_MATCH_RUNS = lazy_re(r"""\bexec\s+(?:"([^"]*)"|(\S+))""")


def ssh_option(text: str) -> tuple[str, str]:
    """Parse the value of ssh's `-o`: (name in lower case, value)."""
    match = _SSH.fullmatch(text)
    if match is None:
        return "", ""
    value = match[2].strip()
    is_quoted = len(value) > 1 and value[0] == value[-1] == '"'
    return match[1].lower(), value[1:-1] if is_quoted else value


def ssh_line(word: Word) -> Word | None:
    """Return the command that an ssh option runs on this machine; None if it runs none."""
    name, value = ssh_option(word.text)
    if name in SSH_LINES and value.lower() != "none":
        return replace(word, text=value)
    # ssh_config(5): `Match exec LINE` runs the line to learn whether it holds.
    found = _MATCH_RUNS.search(value) if name == "match" else None
    return replace(word, text=found[1] or found[2]) if found else None
