"""The whole text of a command of a line, where the source of its Operation is cut.

whole_command("curl -d '{..", "cd a && curl -d '{...long...}' https://x.example && ls")
    -> "curl -d '{...long...}' https://x.example "
"""

from __future__ import annotations

import re
from functools import lru_cache

from signoff.actions.vocabulary import lazy_re

_LEAST_CUT = 150  # characters; a shorter source is whole
_LONGEST = 4_000
# Quoted text, a continued line, or anything that ends no command.
_PART = lazy_re(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"|\\.|[^\n;&|'\"\\]", re.DOTALL)


# All Operations of a command have its source, and several facts ask.
@lru_cache(maxsize=32)
def whole_command(source: str, line: str) -> str:
    """Return a command's text to its end in the line, the source itself if it is not cut."""
    at = line.find(source) if len(source) >= _LEAST_CUT else -1
    if at < 0:
        return source
    end, limit = at, min(len(line), at + _LONGEST)
    while end < limit:
        part = _PART.match(line, end)
        if part is None:
            break
        end = part.end()
    return line[at:end]
