"""What is in the place of a secret and is none: a variable, a file, an expression.

is_reference("${DB_PASSWORD}", "password: ")   -> True
is_value_name("TOKEN_FILE=")                   -> False
"""

from __future__ import annotations

import re
from functools import lru_cache

from signoff.actions.file_endings import words

_VARIABLE = re.compile(
    r"\$(?:\{[^}]*\}?|\([^)]*\)?|[A-Z_][A-Z0-9_]*|env:[A-Za-z_]+)[@/:;,.)}\]]*"
    r"|%[A-Z_][A-Z0-9_]*%|\{\{.*|<[A-Za-z _-]+>|@[./~A-Za-z][^\s]*"
)
# How an expression of a program begins that reads a secret from somewhere.
_READS = re.compile(
    r"(?:os|process|getpass|self|this|config|settings|args|env|req|request|params|ENV|System|"
    r"Environment|secrets|var|local|module|each|data|input|read|get|load|fetch)[.\[(].*"
    r"|(?:getpass|input|getenv|env|prompt)\b.*|[A-Za-z_][0-9A-Za-z_.]*\(.*"
    r"|(?:null|None|nil|undefined|string|str|String|true|false|True|False)\b[;,]?"
)
_NAME = re.compile(r"([0-9A-Za-z_.-]{1,100})['\"]?\]?\s{0,20}[:?=>\s]{1,8}\\?['\"]?$")
_LAST_WORD = re.compile(r"[A-Z]?[a-z]+$|[A-Z]+$")
_OTHER_ENDS = words(
    "file files path dir type types url uri name names id ids env count length len limit "
    "max min expiry expires ttl hash hashed policy reset field fields ref command prompt "
    "store manager stdin source arn index mode format header py js ts go rb java md txt "
    "json yml yaml sh sql html css toml"
)


@lru_cache(maxsize=1_024)
def is_reference(text: str, before: str) -> bool:
    """Tell whether a value only says where the secret comes from.

    Args:
        before: the text before it; an expression is one only outside of quotes.
    """
    if _VARIABLE.fullmatch(text[:200]):
        return text[0] != "@" or before[-1:] == "="
    return before[-1:] not in {"'", '"'} and _READS.fullmatch(text[:200]) is not None


@lru_cache(maxsize=1_024)
def is_value_name(before: str) -> bool:
    """Tell whether a name before a value can be that of a secret: `token_type` cannot."""
    name = _NAME.search(before[-140:])
    last = _LAST_WORD.search(name[1].rstrip("0123456789_.-")) if name else None
    return last is None or last[0].lower() not in _OTHER_ENDS
