"""Code that will come from another host, and notes that tell an agent to be careless.

foreign_sources("go.mod", NewText(new="replace a.example/x => b.example/y v1.0.0"))
loosened(FileKind.AGENT_NOTES, NewText(new="allowed-tools: Bash(*)"))
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.contents.text import NewText
from signoff.actions.operation import FileKind, Trait
from signoff.actions.vocabulary import lazy_re2

Meaning = tuple[frozenset[Trait], str, str]

_LONGEST = 200_000
_NAMES = frozenset({"go.mod", ".gitmodules"})
_LOOSENED = frozenset({FileKind.CONTAINER, FileKind.AGENT_NOTES})
_REPLACE = lazy_re2(
    r"(?m)^\s*(?:replace\s+)?([a-z0-9.-]+\.[a-z]{2,}/\S+)(?:\s+v\S+)?\s+=>\s+([a-z0-9.-]+\.[a-z]{2,}/\S+)"
)
_USER = lazy_re2(r"(?im)^\s*user\s+(\w+)")
_SUBMODULE = lazy_re2(r"(?m)^\s*url\s*=\s*(\S+)")
_HOST = lazy_re2(r"^(?:[a-z+]+://)?(?:[^@/]+@)?([a-z0-9.-]+)")
_LOOSENS = lazy_re2(
    r"(?im)^[^\n]*(?:dangerously-skip-permissions|dangerously-bypass|bypasspermissions"
    r"|^\s*allowed-tools\s*:[^\n]*(?:\bbash\(\*\)|\bbash\s*(?:,|$)|[\"']\*[\"'])|--yolo\b"
    r"|!`[^`\n]*\b(?:curl|wget)\b[^`\n]*\|\s*(?:ba|z)?sh\b)[^\n]*$"
)
# The whole disk or home only: `rm -rf build` stands in many notes for agents.
_DESTROYS = lazy_re2(
    r"(?im)^[^\n]*\brm\s+-[a-z]*r[a-z]*\s+(?:-\S+\s+)*(?:/|~|\$home)(?:[\s`\"'/*]|$)[^\n]*$"
)
# "Never run `rm -rf /`" is advice against it.
_WARNS = lazy_re2(
    r"(?i)\bnever\b|\bnot\b|n't\b|\bavoid\b|\bno\b|\bwithout\b|\bforbid|\bblock|\brefuse|\bdeny\b|\bdanger"
    r"ous\b|\bwarn|\bexample\b|\be\.g\."
)


def foreign_sources(name: str, text: NewText) -> Iterator[Meaning]:
    """Yield new package sources on hosts that the old text does not name."""
    traits = frozenset({Trait.UNTRUSTED_SOURCE})
    if name in _NAMES and len(text.new) > _LONGEST:
        yield traits, "names more sources than are read", name
        return
    if name == "go.mod":
        for match in _REPLACE.finditer(text.new):
            module, other = match.group(1), match.group(2)
            is_new = str(match.group()).strip() not in (text.old or "")
            # A fork below the same owner is the project's own business.
            if is_new and _owner(module) != _owner(other):
                yield traits, "takes a module from elsewhere", str(match.group())
    if name == ".gitmodules" and text.old:
        before = {_host(match.group(1)) for match in _SUBMODULE.finditer(text.old)}
        for match in _SUBMODULE.finditer(text.new):
            # Only where others were there before: a first submodule is an ordinary beginning.
            if before and _host(match.group(1)) not in before:
                yield traits, "takes a submodule from another host", str(match.group())


def loosened(kind: FileKind, text: NewText) -> Iterator[Meaning]:
    """Yield what lets a container run as root, or an agent act unasked."""
    if kind in _LOOSENED and len(text.new) > _LONGEST:
        yield frozenset({Trait.WEAKENS}), "is too long to be read", ""
        return
    if kind is FileKind.CONTAINER and text.old and _runs_as_root(text.new, text.old):
        yield frozenset({Trait.WEAKENS}), "runs the container as root again", "USER root"
    if kind is not FileKind.AGENT_NOTES:
        return
    traits = frozenset({Trait.WEAKENS, Trait.RUNS_LATER})
    readers = ((_LOOSENS, "lets the agent act unasked"), (_DESTROYS, "has the agent destroy files"))
    for pattern, says in readers:
        for match in pattern.finditer(text.new):
            line = str(match.group()).strip()
            if line not in (text.old or "") and not _WARNS.search(_spaced(line)):
                yield traits, says, line
                break


def _runs_as_root(new: str, old: str) -> bool:
    """Whether the user that a container's program runs as was somebody, and is root."""
    before, after = (_USER.findall(text)[-1:] for text in (old, new))
    # Without a USER line, a container runs as root (Dockerfile reference).
    is_root = after in (["root"], ["0"]) or (not after and bool(before))
    return is_root and before not in ([], ["root"], ["0"])


def _spaced(line: str) -> str:
    """The line with its flags apart from its words: `--no-x` does not warn."""
    return " ".join(word for word in line.split() if not word.strip("`\"'").startswith("-"))


def _host(url: str) -> str:
    match = _HOST.search(url.lower())
    return str(match.group(1)) if match else ""


def _owner(module: str) -> str:
    """The host of a module, with the owner where a host has many: `github.com/acme`."""
    parts = module.lower().split("/")
    is_shared = parts[0] in ("github.com", "gitlab.com", "bitbucket.org")
    return "/".join(parts[:2]) if is_shared else parts[0]
