"""Texts that read as a shell line which does something that counts.

Not every word with a blank in it is a line: a message, a title and a pattern are none. What starts
with a program that deletes, overwrites, fetches or starts a shell, with words that fit, is one.

    starts_as_line("rm -rf build")           ->  True
    starts_as_line("how to remove a file")   ->  False
"""

from __future__ import annotations

import re

_STARTS = re.compile(
    r"\s*(?:(?:sudo|doas|exec|env|nohup|command|then)\s+)*(?:/[\w./-]*/)?"
    r"(?:rm\s+(?:--\s+)?-\w|rm\s+[/~]|shred\s+\S|wipefs\s|mkfs[.\w]*\s|dd\s+(?:if|of|bs)=|"
    r"(?:curl|wget)\s.*(?:\||https?:)|ncat?\s+-|(?:ba|z|da|k|a)?sh\s+-\w*c\s|"
    r"(?:chmod|chown)\s+-R\s|find\s.*\s-delete|kill(?:all)?\s+-|pkill\s|shutdown\b|reboot\b|"
    r"truncate\s+-s|crontab\s|base64\s+-d|:\s*>|>\s*[/~]|mv\s+[/~]|"
    r"python\d?\s+-c\s|git\s+(?:push|clean|reset)\s)"
)
MAX_CHARS = 4_000
# Stands for lines beyond a limit; the shell understanding cannot tell what it runs either.
UNREAD_LINES = 'eval "$LINES_THAT_WERE_NOT_READ"'


def starts_as_line(text: str) -> bool:
    """Tell whether a text begins like a shell line with an effect worth checking."""
    # `match`, not `search`: a sentence may well name a command further on.
    return _STARTS.match(text[:MAX_CHARS]) is not None
