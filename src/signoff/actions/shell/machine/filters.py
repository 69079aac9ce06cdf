"""What filters print of a known text: single lines, columns, values of JSON and YAML.

    jq -r .cache.dir settings.json      the text of that one value
    grep -v '^#' list.txt               the lines that are no comments
    cut -d= -f2                         the second column of each line

Only plain filters are followed; of all others nothing is known.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from signoff.actions.contents.settings.formats import parse_settings
from signoff.actions.contents.settings.picking import values_at
from signoff.actions.vocabulary import lazy_re

# A pattern without any sign that could match more than itself, but for its ends.
_PATTERN = lazy_re(
    r"(?P<start>\^?)(?P<blanks>(?:\\s\*|\[\[:space:\]\]\*| \*)?)(?P<text>[\w #/=@:,-]*)(?P<end>\$?)"
)
_CUT = lazy_re(r"-d ?(?P<sign>.) -f ?(?P<number>[1-9])(?P<rest>-?)")
_AWK = lazy_re(r"(?:-F ?(?P<sign>[=:,;|\t]) )?\{ ?print \$(?P<number>[1-9]) ?\}")
_GREP_OPTIONS = frozenset({"-v", "-E", "-F", "-h", "-i", "-e", "--"})
_PRINTED_RAW = frozenset({"-r", "-j", "--raw-output", "-re", "-er", "-e", "e", "eval"})


def grep(texts: tuple[str, ...], text: str) -> str | None:
    """Return the lines that a plain pattern chooses."""
    *options, pattern = texts or ("",)
    found = _PATTERN.fullmatch(pattern)
    if found is None or not texts or not _GREP_OPTIONS.issuperset(options):
        return None
    start = r"\s*" if found["blanks"] else ""
    wanted = re.compile(
        ("^" if found["start"] else "") + start + re.escape(found["text"]) + found["end"],
        re.IGNORECASE if "-i" in options else 0,
    )
    lines = text.splitlines(keepends=True)
    is_left = "-v" in options
    return "".join([one for one in lines if (wanted.search(one.rstrip("\n")) is None) is is_left])


def cut(texts: tuple[str, ...], text: str) -> str | None:
    """Return one column of each line, or all from that one on."""
    found = _CUT.fullmatch(" ".join(texts).replace("-d", "-d ", 1).replace("-d  ", "-d ", 1))
    if found is None:
        return None
    at, sign = int(found["number"]) - 1, found["sign"]
    end = None if found["rest"] else at + 1
    rows = [line.split(sign) for line in text.splitlines()]
    return "".join([f"{sign.join(row[at:end]) if len(row) > 1 else row[0]}\n" for row in rows])


def awk(texts: tuple[str, ...], text: str) -> str | None:
    """Return one column of each line, where the program prints nothing else."""
    found = _AWK.fullmatch(" ".join(texts).replace("-F", "-F ", 1).replace("-F  ", "-F ", 1))
    if found is None:
        return None
    at = int(found["number"]) - 1
    rows = [line.split(found["sign"]) for line in text.splitlines()]
    return "".join([f"{row[at]}\n" for row in rows if len(row) > at])


def sort(texts: tuple[str, ...], text: str) -> str | None:
    """Return the same lines; their order tells nothing here."""
    return text if frozenset({"-u", "-r", "-n"}).issuperset(texts) else None


def pick(texts: tuple[str, ...], text: str) -> str | None:
    """Return the values that a plain path of jq or yq names."""
    *options, path = texts or ("",)
    if not path.startswith(".") or not _PRINTED_RAW.issuperset(options):
        return None
    values = values_at(parse_settings(text), path)
    if values is None:
        return None
    printed = [one if isinstance(one, str) else json.dumps(one, default=str) for one in values]
    return "".join([f"{one}\n" for one in printed])


FILTERS: dict[str, Callable[[tuple[str, ...], str], str | None]] = {
    **dict.fromkeys(("grep", "egrep", "fgrep"), grep),
    "cut": cut,
    **dict.fromkeys(("awk", "gawk", "mawk"), awk),
    **dict.fromkeys(("sort", "uniq"), sort),
    **dict.fromkeys(("jq", "yq", "gojq", "jaq"), pick),
}
