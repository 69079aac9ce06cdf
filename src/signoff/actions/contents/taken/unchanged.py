"""What the lines do that an edit leaves as they were: nothing that this edit does.

The shell lines of a file are read with the text around them, and what they did before says
nothing about an edit elsewhere in it. It still counts where the edit may change what they mean:
where it touches a condition, an opener of a block right above them, or a variable they use.

    "build": "rm -rf dist && tsc -b" with another version of a dependency      nothing is new
    DIR = build -> DIR = /      above `rm -rf $(DIR)`                          all of it is new
    wipe: -> all:               above `rm -rf /srv/data`                       all of it is new
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from signoff.actions.contents.taken.changes import Change, changes_of
from signoff.actions.contents.text import NewText
from signoff.actions.operation import Operation
from signoff.actions.vocabulary import lazy_re2

# What decides whether the lines behind it run.
_DECIDES = lazy_re2(
    r"(?i)\b(?:if|unless|case|when|while|until|exit|return|test|else|elif|fi|esac|goto|shell|env|var"
    r"|export|set|source|include|cd|pushd|chdir|workdir|user|trap)\b"
    r"|<<|/\*|\*/|\"\"\"|'''|&&|\|\||\[\[?\s|^\s*#"
)
_OPENS = (":", "{", "[", "(", "|", ">", "|-", ">-", "=", " do", " then", "\\")
# Marks of long comments and texts: more or fewer of them may make code of a text.
_FRAMES = ("/*", "*/", "<!--", "-->", '"""', "'''", "<<", "=begin", "<#", "#>")
_VARIABLE = lazy_re2(r"[$%]\W{0,3}([A-Za-z_]\w{0,60})")


def new_operations(
    text: NewText, path: str, read: Callable[[str], Iterable[Operation]]
) -> Iterator[Operation]:
    """Yield what a new text does that its old text did not, or no longer does as before."""
    found = list(read(text.new))
    known = list(read(text.old)) if found and text.old else []
    old = text.old or ""
    is_framed = all([old.count(mark) == text.new.count(mark) for mark in _FRAMES])
    changes = changes_of(old, text.new, path) if known and is_framed else None
    if changes is None or changes.moved or any([_reaches_on(one) for one in changes.each]):
        yield from found
        return
    touched = "\n".join([line for one in changes.each for line in (*one.removed, *one.added)])
    for op in found:
        if op in known and _is_settled(op, touched):
            known.remove(op)
        else:
            yield op


def _reaches_on(change: Change) -> bool:
    """Whether a change may alter what the lines behind it mean."""
    if any([_DECIDES.search(line) is not None for line in change.removed]):
        return True
    last = (*change.removed[-1:], *change.added[-1:])
    return any([line.endswith(_OPENS) for line in last])


def _is_settled(op: Operation, touched: str) -> bool:
    """Whether nothing that the edit touches is the operation's line, or a value it uses."""
    if op.source and op.source in touched:
        return False
    names = {str(one) for one in _VARIABLE.findall(f"{op.source} {op.target}")}
    return op.understood and not any([name in touched for name in names])
