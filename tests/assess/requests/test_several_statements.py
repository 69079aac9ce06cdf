"""Statements behind one another, and tags of YAML that make objects."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from signoff.actions.action import Action, ActionKind, Json
from signoff.assess.detectors.content import WEB_DETECTORS
from signoff.effects.pipeline import Pipeline


def _is_let_through(body: str, content_type: str) -> bool:
    request: dict[str, Json] = {
        "method": "POST",
        "path": "/rules",
        "headers": {"Host": "shop.example", "Content-Type": content_type},
        "body": body,
    }
    action = Action(tool="http", kind=ActionKind.HTTP_REQUEST, arguments=request)
    return Pipeline(*WEB_DETECTORS).decide(action).is_allowed


@pytest.mark.parametrize(
    ("value", "is_ordinary"),
    [
        ("x'; EXEC a 'show all options', 1; RECONFIGURE; EXEC b 'c'--", False),
        ("x'; RESTORE DATABASE shop; DBCC shrinkdatabase(shop); PRINT 'done'--", False),
        ("Use the handler; restore the old lock, commit to it and rename nothing", True),
        ("It's late; load the van, lock the shed and flush the pipes", True),
    ],
)
def test_a_run_of_statements(value: str, is_ordinary: bool) -> None:  # noqa: FBT001 - a table
    """A break-out counts however many statements follow; sentences with such words pass."""
    body = f"name={quote(value)}&kept=yes"
    assert _is_let_through(body, "application/x-www-form-urlencoded") == is_ordinary


@pytest.mark.parametrize(
    ("document", "is_ordinary"),
    [
        ("title: a\nsource: !!python/object/apply:os.system [id]\nlevel: low\n", False),
        ("a: 1\nb: !ruby/object:Gem::Installer\n  i: x\n", False),
        ("Resources:\n  Bucket:\n    Name: !Sub '${Stage}-a'\n    Arn: !GetAtt A.Arn\n", True),
        ("title: a\ndata: !!binary aGVsbG8=\nkeys: !!set {a, b}\nwow: so good!\n", True),
    ],
)
def test_tags_of_yaml(document: str, is_ordinary: bool) -> None:  # noqa: FBT001 - a table
    """A tag that names a class is found in a document of several lines."""
    assert _is_let_through(document, "application/yaml") == is_ordinary
