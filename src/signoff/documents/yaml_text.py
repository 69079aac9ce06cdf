"""YAML text to PyYAML's nodes, refused where it costs or hides something.

Loaded with the first YAML that is read: to import PyYAML takes longer than to read a file.
"""

from __future__ import annotations

from typing import cast

import yaml
from yaml._yaml import Mark as CMark
from yaml.error import Mark

from signoff.documents.node import Document
from signoff.documents.raw import DEPTH_LIMIT, RawNode


def compose(text: str, document: Document) -> RawNode:
    """Parse a YAML text and return its root node.

    Raises:
        BadFile: it is not valid YAML, empty, nested too deep, or has what is not allowed.
    """
    try:
        _check_events(text, document)
        # Nodes and not values: they know their places, and no tag can make an object (CWE-502).
        root = yaml.compose(text, Loader=yaml.CSafeLoader)
    except yaml.MarkedYAMLError as error:
        line, column = _figures(error.problem_mark or error.context_mark)
        what = f"not YAML: {error.problem or error.context}"
        raise document.refuse(what, line, column) from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise document.refuse(f"not YAML: {error}") from error
    if root is None:
        expected = document.form.expected
        raise document.refuse(f"the file is empty; write {expected}, or remove it")
    return cast("RawNode", root)


def _figures(mark: Mark | CMark | None) -> tuple[int, int]:
    return (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)


def _check_events(text: str, document: Document) -> None:
    """Refuse what costs or hides something before it is built."""
    # By events, before nodes are built: depth and aliases are then still cheap to refuse
    # (CWE-776).
    depth = documents = 0
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        is_repeated = isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None)
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        documents += isinstance(event, yaml.DocumentStartEvent)
        problem = ""
        if is_repeated and not document.form.has_aliases:
            problem = "anchors and aliases are not allowed; write it out"
        # `!!python/object` and the like; `!!str 5` would only hide what a value is.
        elif isinstance(event, yaml.NodeEvent) and getattr(event, "tag", None):
            problem = "tags are not allowed; put the text in quotes"
        elif depth > DEPTH_LIMIT:
            problem = f"nested deeper than {DEPTH_LIMIT}"
        elif documents > 1:
            problem = "a second document; a file has one"
        if problem:
            raise document.refuse(problem, *_figures(event.start_mark))
