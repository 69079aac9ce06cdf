"""Values that an edit turns to the side of everybody: private to public, this machine to all.

'visibility' => 'private'              -> 'public'                a disk of records
BACKUP_VISIBILITY=private              -> public-read             copies
visibility = "private"                 -> "public"                a repository: asked about
listen = "127.0.0.1:53001"             -> "0.0.0.0:53001"         all networks of the machine
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.contents.taken.changes import Change, LineDiff
from signoff.actions.vocabulary import lazy_re2, words

_MOST = 60
_PAIR = lazy_re2(
    r"(?i)[\"']?\b([\w.-]*(?:visibility|acl|access(?:_?(?:level|policy|type|mode|control))?|privacy|exposure|sharing|audience))\b[\"']?"
    r"\s*(?:=>|:=|[:=])\s*[\"']?([A-Za-z][\w-]{2,40})"
)
_NARROW = words(
    "private restricted internal authenticated none owner members bucket-owner-full-control"
    " bucketownerfullcontrol projectprivate confidential disabled off secured"
)
_WIDE = words(
    "public public-read public-read-write publicread publicreadwrite everyone anyone anonymous all"
    " allusers world blob container public_read link-shared open"
)
_HOLDS = lazy_re2(
    r"(?i)bucket|\bs3\b|\bdisk\b|filesystem|storage|backup|dump|\bblobs?\b|container|document|upload|records?\b|patient|customer|album|archive|attachment|object|export|scans?\b"
)
_NO_DATA = lazy_re2(
    r"(?i)\b(?:assets?|static|www|website|web|cdn|public|images?|icons?|logos?|fonts?|docs|downloads|media|avatars?|repositor(?:y|ies)|github|gitlab|npm|package)\b"
)
_ITSELF = lazy_re2(r"127\.0\.0\.1|\blocalhost\b|::1\b|\b_local_\b|loopback")
_ALL = lazy_re2(r"0\.0\.0\.0(?:[^/\d.]|$)|\[::\]|[\"']::[\"']|[\"']\*[\"']|(?:^|\s)\*:\d")
_PUBLISHED = lazy_re2(r"127\.0\.0\.1:(\d{2,5}:\d{2,5})\b")
_DEVELOPING = lazy_re2(
    r"(?i)(?:^|[/._-])(?:dev|devcontainer|vite|webpack|local|test|example)(?:[/._-]|$)"
)


def made_reachable(changes: LineDiff, path: str) -> str:
    """Return the line by which what listened on this machine alone listens on all networks."""
    if _DEVELOPING.search(path.rpartition("/")[2]) is not None:
        return ""
    for change in islice(changes.each, _MOST):
        if not any([_ITSELF.search(line) is not None for line in change.removed]):
            continue
        for line in change.added:
            is_all = _ALL.search(line) is not None or _is_published(line, change)
            if is_all and _ITSELF.search(line) is None:
                return line
    return ""


def _is_published(line: str, change: Change) -> bool:
    """Whether a port of a container was one of this machine and is one of all addresses."""
    ports = [str(one) for one in _PUBLISHED.findall("\n".join(change.removed))]
    return any([f'"{one}' in line or f"'{one}" in line or f" {one}" in line for one in ports])


def made_public(changes: LineDiff, path: str) -> tuple[str, bool]:
    """Return the setting that an edit opens to everybody, and whether it holds records."""
    for change in islice(changes.each, _MOST):
        before = dict(_pairs(change.removed))
        for key, value in _pairs(change.added):
            if before.get(key, "") in _NARROW and value in _WIDE:
                return f"{key}: {value}", _is_of_records(change, key, path)
    return "", False


def _pairs(lines: tuple[str, ...]) -> list[tuple[str, str]]:
    found = islice(_PAIR.finditer("\n".join(lines)), _MOST)
    return [(str(one.group(1)), str(one.group(2)).lower()) for one in found]


def _is_of_records(change: Change, key: str, path: str) -> bool:
    near = " ".join((key, path.rpartition("/")[2], *change.ahead, *change.removed, *change.behind))
    near = near.replace("_", " ").replace("-", " ")
    return _HOLDS.search(near) is not None and _NO_DATA.search(near) is None
