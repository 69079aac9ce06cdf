"""Ignore lists that lose or gain the line that keeps secrets out of commits, images and packages.

changed_lists(operations, call)     ("lost", "/p/.dockerignore"), ("kept", "/p/.npmignore")
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping

from signoff.actions.action import Json
from signoff.actions.operation import Operations, Verb
from signoff.actions.shell.reader import read_shell
from signoff.actions.vocabulary import lazy_re2
from signoff.assess.combined.call import Call

LISTS = frozenset(
    f".{name}ignore"
    for name in (
        *("git", "docker", "npm", "vscode", "gcloud", "vercel", "now", "eb", "slug", "helm"),
        *("cf", "func", "surge", "railway"),
    )
)
TEXT_LIMIT = 20_000
_SECRET = lazy_re2(
    r"(?i)(?:^|[/*._-])(?:env|pem|key|p12|pfx|jks|keystore|npmrc|pypirc|netrc|pgpass|htpasswd|tfvars"
    r"|tfstate|kubeconfig|id_rsa|id_ed25519|secrets?|credentials?|service[-_]?account|adminsdk)"
    r"(?:$|[/*.?_-])"
)
_OPEN = lazy_re2(r"(?i)example|sample|template|\.dist\b|\.pub\b|fixture")
_REMOVES = lazy_re2(r"(?s)\bsed\b.*(?:/d\b|s[/|#])|\bgrep\b[^|;&]*\s-\w*v|\bperl\b.*-\w*i")


def changed_lists(operations: Operations, call: Call) -> Iterator[tuple[str, str]]:
    """Yield ("lost" or "kept", path) for each ignore list that a call changes about secrets."""
    paths = [op.path for op in operations if op.verb is Verb.WRITE and op.path]
    lists = [path for path in paths if path.rpartition("/")[2] in LISTS]
    for path in dict.fromkeys(lists):
        before, after = _texts(path, call)
        gone, come = _lines(before) - _lines(after), _lines(after) - _lines(before)
        let_in = {line for line in come if line.startswith("!")}
        if let_in or {line for line in gone if not line.startswith("!")}:
            yield "lost", path
        elif come or gone:
            yield "kept", path


def _texts(path: str, call: Call) -> tuple[str, str]:
    """Return what a list said, and what it says now, as far as the call tells."""
    given = call.action.arguments
    line = call.action.text("command")
    if line:
        return _texts_of_line(line, path, call)
    edits = [given, *_edits(given)]
    old = [str(one[key]) for one in edits for key in ("old_string", "old_str") if key in one]
    new = [str(one[key]) for one in edits for key in ("new_string", "new_str") if key in one]
    if old:
        return "\n".join(old), "\n".join(new)
    content = "".join([call.action.text(key) for key in ("content", "file_text")])
    return _known(path, call), content


def _edits(given: Mapping[str, Json]) -> list[Mapping[str, Json]]:
    edits = given.get("edits")
    return [one for one in edits if isinstance(one, dict)] if isinstance(edits, list) else []


def _known(path: str, call: Call) -> str:
    fact = call.facts.files.get(path)
    return (fact.text or "") if fact is not None else ""


def _texts_of_line(line: str, path: str, call: Call) -> tuple[str, str]:
    known = _known(path, call)
    if _REMOVES.search(line) is not None:
        named = line.replace("\\", "").replace("^", " ").replace("$", " ")
        return "\n".join(_NAMED.findall(named)), ""
    added, mark, _ = line.partition(">>")
    if mark:  # the other lines stay
        return "", "\n".join(_NAMED.findall(added))
    written = [
        text
        for name, text in read_shell(f"{line}\n:", cwd=call.action.cwd).files
        if posixpath.normpath(posixpath.join(call.action.cwd or "/", name)) == path
    ]
    return (known, "\n".join(written)) if written else ("", "")


_NAMED = lazy_re2(r"!?[\w*./-]*(?:\.[\w*.-]+|secrets?|credentials?)")


def _lines(text: str) -> set[str]:
    lines = [line.strip() for line in text[:TEXT_LIMIT].splitlines()]
    return {
        line
        for line in lines
        if not line.startswith("#") and _SECRET.search(line) and not _OPEN.search(line)
    }
