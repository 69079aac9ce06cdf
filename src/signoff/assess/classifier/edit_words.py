"""What the classifiers of calls see of an edit: what it puts in, and what it takes away.

Lines that stand in both texts were there before and say nothing about this call; a line that only
moves or is indented anew is none that changes. Of the lines that change the words of both texts
cancel each other out.

    edit_features(Action(tool="Edit", arguments={"file_path": "a.py",
                         "old_string": "if is_admin(user):\\n    wipe()", "new_string": "wipe()"}))
        -> Features(words={"py", "gone: if", "gone: is", "gone: admin", "gone: user", ...}, ...)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from signoff.actions.action import Action, Json
from signoff.actions.contents.text import NewText
from signoff.actions.programs.vcs.patches import read_patch
from signoff.actions.tools import file_tool_names as known
from signoff.actions.tools.files import OLD_NAMES, PATCH_NAMES, first_text, new_text, paths_of
from signoff.assess.classifier.text_words import Features, features_of

MOST_PIECES = 200  # of one call; more are refused as not understood
GONE = "gone: "


def edit_features(action: Action) -> Features | None:
    """Return the features of an edit whose old text is in the call, None for any other call."""
    pieces = tuple(_pieces(action))
    if not any(text.old for _, text in pieces):
        return None
    changed = [_changed_lines(text) for _, text in pieces]
    path = features_of(" \n ".join(dict.fromkeys(path for path, _ in pieces)))
    put, gone = (features_of("\n".join(filter(None, side))) for side in zip(*changed, strict=True))
    return Features(
        path.words | (put.words - gone.words) | {f"{GONE}{one}" for one in gone.words - put.words},
        path.pairs | (put.pairs - gone.pairs),
    )


def _pieces(action: Action) -> Iterator[tuple[str, NewText]]:
    """Yield the path, the new and the old text of each edit in a call of a file tool."""
    name = action.tool.rpartition("__")[2]
    if name in known.PATCH_TOOLS:
        for file in read_patch(first_text(action.arguments, PATCH_NAMES)) or ():
            yield file.moved_to or file.path, NewText(new=file.added, old=file.removed)
    elif name in known.EDIT_TOOLS or name in known.EDITOR_TOOLS:
        outer = next(paths_of(action.arguments), "")
        for piece in (action.arguments, *_inner(action.arguments.get("edits"))):
            old, new = first_text(piece, OLD_NAMES), new_text(piece)
            if old or new:
                yield next(paths_of(piece), outer), NewText(new=new, old=old)


def _inner(edits: Json) -> list[Mapping[str, Json]]:
    if not isinstance(edits, Sequence) or isinstance(edits, str):
        return []
    return [one for one in edits[:MOST_PIECES] if isinstance(one, Mapping)]


def _changed_lines(text: NewText) -> tuple[str, str]:
    """Return the lines that only the new text has, and those that only the old text has."""
    sides = [(text.new).splitlines(), (text.old or "").splitlines()]
    new, old = ({line.strip() for line in side} for side in sides)
    return (
        "\n".join([line for line in sides[0] if line.strip() not in old]),
        "\n".join([line for line in sides[1] if line.strip() not in new]),
    )
