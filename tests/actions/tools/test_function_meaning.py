"""Docstrings, typed arguments and paths of plain functions."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action, ActionKind
from signoff.actions.operation import Verb
from signoff.actions.tools.flags import flagged_verb, named_verb
from signoff.actions.tools.functions import understand_function
from signoff.actions.tools.naming.argument_paths import paths_in
from signoff.actions.tools.naming.sentences import grave_act
from signoff.assess.risk.harmless import only_looks


def _call(name: str, *args: object, doc: str = "", hints: dict[str, bool] | None = None) -> Action:
    arguments = {str(at): value for at, value in enumerate(args)}
    return Action(
        tool=name,
        arguments=arguments,  # type: ignore[arg-type] # the tests give JSON values only
        kind=ActionKind.FUNCTION,
        description=doc,
        hints=hints or {},
    )


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("Permanently deletes old rows.", Verb.DELETE),
        ("Return rows. Rows that are returned are removed.", Verb.DELETE),
        ("Lists those without mail and permanently deletes them.", Verb.DELETE),
        ("Check an invoice and charge the stored card.", Verb.SPEND),
        ("Render it, then send it to everybody.", Verb.NETWORK_OUT),
        ("Verifies; without papers the account is locked.", Verb.PRIVILEGE),
        ("Adds numbers. Calling starts at once.", Verb.NETWORK_OUT),
        ("Return rows that were deleted.", None),
        ("Show what would be removed.", None),
        ("Return a text; the user sends it by hand.", None),
        ("True if the account is locked.", None),
        ("Removes duplicates from a list.", None),
        ("Compute a refund. Nothing is paid.", None),
        ("Show the plan without deleting anything.", None),
        ("", None),
    ],
)
def test_a_docstring_says_what_is_done(text: str, verb: Verb | None) -> None:
    """Acts count, what is only spoken of does not."""
    assert grave_act(text) is verb


def test_a_flag_adds_what_it_is_named_after() -> None:
    """`delete=True` deletes; `delete=False` and `soft_delete_old=True` say nothing."""
    assert flagged_verb({"delete": True}) is Verb.DELETE
    assert flagged_verb({"delete": False, "verbose": True}) is None
    assert flagged_verb({"include_deleted": True}) is None


def test_a_migration_is_judged_by_its_name() -> None:
    """What is run is named among the arguments."""
    assert named_verb(("run", "migration"), {"0": "0042_drop_orders"}) is Verb.DELETE
    assert named_verb(("run", "migration"), {"0": "0043_add_index"}) is None
    assert named_verb(("show", "migration"), {"0": "0042_drop_orders"}) is None


def test_a_path_is_told_by_its_shape() -> None:
    """A route of a web application is no path of a disk."""
    assert paths_in({"0": "~/.aws/credentials", "x": ["/etc/hosts"]}) == (
        "~/.aws/credentials",
        "/etc/hosts",
    )
    assert paths_in({"0": "/api/v1/users", "1": "a/b", "2": "text /etc/x"}) == ()


def test_the_callers_hint_is_trusted_unless_the_docstring_differs() -> None:
    """A hint lowers what a scary name says, but not what the docstring says is done."""
    calm = _call("drop_shadow", "layer", hints={"pure": True})
    grave = _call("get_old", doc="Rows are removed.", hints={"readOnlyHint": True})

    assert [op.verb for op in understand_function(calm)] == [Verb.INERT]
    assert Verb.DELETE in {op.verb for op in understand_function(grave)}


@pytest.mark.parametrize(
    ("action", "quiet"),
    [
        (_call("search_notes", "DROP TABLE x"), True),
        (_call("terminate_line", "a", hints={"pure": True}), True),
        (_call("set_theme", "dark", hints={"reversible": True}), True),
        (_call("query", "DROP TABLE x"), False),
        (_call("get_rows", "DROP TABLE x"), False),
        (_call("set_theme", "dark"), False),
        (_call("search_notes", "x", doc="Irreversible."), False),
        (_call("delete_rows", "x"), False),
    ],
)
def test_only_what_looks_passes_a_medium_score(action: Action, *, quiet: bool) -> None:
    """A text that is searched for is data; one that is run is not."""
    assert only_looks(action, understand_function(action)) is quiet
