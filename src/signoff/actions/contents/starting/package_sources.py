"""Packages that an install takes from a place which a file of the session named.

The line says `pip install -r extra.txt`; where the packages come from is said in the file. Usual
registries and the files of others count as nothing; so do comments, and addresses about a project.

    extra.txt `--find-links https://wheels.a.example/` ; pip install -r extra.txt    from elsewhere
    Gemfile   `source "https://gems.a.example"`        ; bundle install              from elsewhere
    extra.txt `--index-url https://pypi.org/simple`    ; pip install -r extra.txt    the usual one
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from signoff.actions.facts import Facts
from signoff.actions.known.hosts import is_usual_host
from signoff.actions.operation import Operation, Operations, Trait, Verb
from signoff.actions.vocabulary import lazy_re, words
from signoff.values import replace

TEXT_LIMIT, FILES_LIMIT = 65_536, 8
_ADDRESS = r"(?P<to>(?:[a-z]+\+)?(?:https?|git|ssh)://[^\s\"'<>,;]+)"
_LIST = lazy_re(r"(?m)^[ \t]*(?:-[^\n#]*?[ =][\"']?|[\w.\[\],-]+[ \t]*@[ \t]*)?" + _ADDRESS)
_FOLDER = lazy_re(r"(?m)^[ \t]*(?:-f|--find-links)[ =]+(?P<folder>[\w./~-]+)")
_INCLUDED = lazy_re(r"(?m)^[ \t]*(?:-r|-c|--requirement|--constraint)[ =]*(?P<name>\S+)")
_SETTING = lazy_re(
    r"(?im)^[ \t]*[\"']?(?:@[\w-]+:)?(?:registry\w*|npmRegistryServer|(?:extra[-_])?index[-_]url"
    r"|find[-_]links|url|source|default)[\"']?\s*(?:[:=(]\s*|\s)[\"']?" + _ADDRESS
)
_GEMS = lazy_re(r"(?m)^[^#\n]*?(?:\bsource|\bgit:|:git[ \t]*=>)[ \t(]*[\"']" + _ADDRESS)
_CHANNEL = lazy_re(r"(?m)^[ \t]*-[ \t]*[\"']?" + _ADDRESS)
_COMPOSER = lazy_re(
    r"\"type\"\s*:\s*\"(?:composer|vcs|git|package|artifact)\"\s*,\s*\"url\"\s*:\s*\"" + _ADDRESS
)
_HOST = lazy_re(r"^(?:[a-z]+\+)?\w+://(?:[^@/]*@)?(?P<host>[^/:?#]+)")
# Which settings a program reads without being told, and how they name a source.
_SETTINGS = {
    **dict.fromkeys(("uv.toml", "bunfig.toml", ".npmrc", ".yarnrc", ".yarnrc.yml"), _SETTING),
    **dict.fromkeys(("pip.conf", "pip.ini"), _SETTING),
    "Gemfile": _GEMS,
    "composer.json": _COMPOSER,
}
_READ_BY = {
    **dict.fromkeys(("pip", "pip3", "uv"), words("uv.toml pip.conf pip.ini")),
    **dict.fromkeys(("npm", "npx", "pnpm"), words(".npmrc")),
    **dict.fromkeys(("yarn",), words(".npmrc .yarnrc .yarnrc.yml")),
    **dict.fromkeys(("bun", "bunx"), words("bunfig.toml .npmrc")),
    **dict.fromkeys(("bundle", "bundler"), words("Gemfile")),
    "composer": words("composer.json"),
}
_PYTHON = words("pip pip3 uv python python3 pipx")
_CHANNELS = words("conda mamba micromamba")


def from_named_sources(operations: Operations, line: str, facts: Facts) -> Operations:
    """Return the operations; installs from a place that a file of the session names are marked."""
    if not facts.written or not any([op.verb is Verb.INSTALL for op in operations]):
        return operations
    return tuple(
        replace(op, traits=op.traits | {Trait.UNTRUSTED_SOURCE})
        if op.verb is Verb.INSTALL and _is_foreign(op, line, facts)
        else op
        for op in operations
    )


def _is_foreign(op: Operation, line: str, facts: Facts) -> bool:
    program = op.program.split(" ", 1)[0]
    for path, text in _files(program, line, facts):
        pattern = _SETTINGS.get(path.rpartition("/")[2])
        pattern = pattern or (_CHANNEL if program in _CHANNELS else _LIST)
        if any([_is_elsewhere(found["to"]) for found in pattern.finditer(text)]):
            return True
        if pattern is _LIST and _offers_unread(path, text, facts):
            return True
    return False


def _files(program: str, line: str, facts: Facts) -> Iterator[tuple[str, str]]:
    """Yield the session's files that an install reads, with their texts."""
    texts = {
        path: fact.text[:TEXT_LIMIT]
        for path, fact in facts.files.items()
        if fact.text and path in facts.written
    }
    read, given = _READ_BY.get(program, frozenset()), line.replace("=", " ").split()
    todo = [path for path in texts if path.rpartition("/")[2] in read or _is_given(path, given)]
    found: list[str] = []
    while todo and len(found) < FILES_LIMIT:
        path = todo.pop()
        if path in found:
            continue
        found.append(path)
        yield path, texts[path]
        folder = posixpath.dirname(path)
        names = _INCLUDED.findall(texts[path]) if program in _PYTHON else []
        inner = [posixpath.normpath(posixpath.join(folder, name)) for name in names]
        todo += [one for one in inner if one in texts]


def _is_given(path: str, given: list[str]) -> bool:
    """Tell whether a word of the line ends in the path, or the path in the word."""
    return any([path.endswith(f"/{word.lstrip('./')}") or path == word for word in given if word])


def _is_elsewhere(address: str) -> bool:
    found = _HOST.match(address)
    is_usual = found is not None and is_usual_host(found["host"])
    return not is_usual or address.startswith("git+")


def _offers_unread(path: str, text: str, facts: Facts) -> bool:
    """Tell whether a list takes packages from a folder into which one was downloaded by itself."""
    starts = (facts.project, posixpath.dirname(path))
    named = [posixpath.join(start, name) for name in _FOLDER.findall(text) for start in starts]
    below = tuple([f"{posixpath.normpath(one)}/" for one in named])
    return bool(below) and any([one.startswith(below) for one in facts.downloaded])
