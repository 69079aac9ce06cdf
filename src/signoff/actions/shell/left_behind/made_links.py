"""Symbolic links that a session made, and where they lead.

`rm data` removes the link and not what it leads to. A path whose real path lies elsewhere may be
a link, or a folder above it may be one; of a link of the session it is known.

    link:/p/data=/var/lib/data      the session made a link there, to this place

    link_marks(commands)            the marks of one line
    facts.is_made_link(...)         whether a path is such a link, and leads there still
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from signoff.actions.facts import LINK
from signoff.actions.shell.command import Command

_MOST = 8


def link_marks(commands: Sequence[Command]) -> Iterator[str]:
    """Yield a mark for each symbolic link that a line makes by plain words: `ln -s TARGET PATH`."""
    for command in [one for one in commands if one.program == "ln" and one.cwd][:_MOST]:
        is_plain = all([word.is_known and not word.has_glob for word in command.words])
        texts = [word.text for word in command.words[1:]]
        options = "".join([text for text in texts if text[:1] == "-"])
        named = [text for text in texts if text[:1] != "-"]
        if is_plain and "s" in options and len(named) == 2 and named[1][-1:] != "/":
            path = posixpath.normpath(posixpath.join(command.cwd, named[1]))
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), named[0]))
            yield f"{LINK}{path}={target}"
