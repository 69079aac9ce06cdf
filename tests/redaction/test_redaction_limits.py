"""Redaction at its limits: what is cut, how deep it looks, which calls hold more than a line."""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType

import pytest

from signoff.actions.action import Action, Json
from signoff.actions.facts import Facts
from signoff.actions.programs.own import own_programs
from signoff.actions.programs.source import read_programs
from signoff.actions.shell.reader import read_shell
from signoff.redaction.calls import redactor_of, secrets_of_call
from signoff.redaction.redact import DEPTH_LIMIT, ITEMS_LIMIT, Redactor, plain_number
from signoff.redaction.redacted_calls import redacted_assessment
from signoff.testing import FakeAssessment

REDACTOR = Redactor(b"k" * 32)
TOKEN = "ghp_Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zABCD"  # made up
SECRET = "tulip-93-harbour"
PGPASS = f"db:5432:shop:ada:{SECRET}"
MANIFEST = """apiVersion: v1
kind: Secret
stringData:
  first: tulip-93-harbour
  second: ${FROM_ELSEWHERE}
  third: violet-27-meadow
"""


class OwnWord(StrEnum):
    """A word of our own."""

    PASSWORD = "password"


class PlainText(str):
    """A text that is no plain `str`."""

    __slots__ = ()


def mask(text: str) -> str:
    """Return what stands for a secret."""
    return REDACTOR.mask(text)


def nested(levels: int, inner: Json, *, is_list: bool) -> Json:
    """Return a value so many levels deep."""
    for _ in range(levels):
        inner = [inner] if is_list else {"a": inner}
    return inner


def innermost(value: Json) -> Json:
    """Return what stands in the middle."""
    while isinstance(value, list | dict):
        value = value[0] if isinstance(value, list) else value["a"]
    return value


def shell(command: str, **more: Json) -> tuple[str, ...]:
    """Return the secrets of a call of a shell."""
    return secrets_of_call(Action(tool="Bash", arguments={"command": command, **more}))


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, ("tulip",)),
        ({"description": "signs in"}, ("tulip",)),
        ({"timeout": 5, "quiet": True, "note": None}, ("tulip",)),
        ({"env": {"key": "DB_PASSWORD", "value": SECRET}}, ("tulip", SECRET)),
    ],
)
def test_a_shell_call_is_searched_beyond_its_line(
    more: dict[str, Json], expected: tuple[str, ...]
) -> None:
    """Where it has more than plain words; a line alone is read once."""
    found = shell("docker login -u me -p tulip", **more)

    assert set(expected) == set(found)
    assert "env" in more or expected == found


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (f"tee ~/.pgpass <<'EOF'\n{PGPASS}\nEOF", (SECRET,)),
        (f"tee -a ~/.pgpass <<'EOF'\n{PGPASS}\nEOF", (SECRET,)),
        (f"cat > ~/.pgpass <<'EOF'\n{PGPASS}\nEOF", (SECRET,)),
        (f"grep -c x ~/.pgpass <<'EOF'\n{PGPASS}\nEOF", ()),
        ("ls | tee ~/.pgpass", ()),
        ("tee ~/.pgpass < notes.txt", ()),
    ],
)
def test_what_a_line_writes_into_a_file_is_searched(line: str, expected: tuple[str, ...]) -> None:
    """By `tee` as well; what is only read there writes nothing."""
    assert expected == shell(line)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (["docker", "login", "-u", "me", "-p", "tulip"], {"tulip"}),
        (["login", "docker"], set[str]()),
        (["docker", "login", "-u", "me", "-p", "tulip", 5], set[str]()),
        (["docker login -u me -p tulip"], set[str]()),
    ],
)
def test_a_list_of_words_is_read_as_a_command(value: list[Json], expected: set[str]) -> None:
    """Where it holds words alone, and more than one."""
    assert expected == set(secrets_of_call(Action(tool="run", arguments={"words": value})))


@pytest.mark.parametrize("is_list", [True, False])
def test_secrets_of_a_call_are_found_as_deep_as_records_go(*, is_list: bool) -> None:
    """And deeper nobody looks: it ends."""
    pair: Json = {"key": "DB_PASSWORD", "value": SECRET}
    found = [
        secrets_of_call(Action(tool="run", arguments={"a": nested(levels, pair, is_list=is_list)}))
        for levels in (DEPTH_LIMIT - 2, DEPTH_LIMIT - 1, 5_000)
    ]

    assert [(SECRET,), (), ()] == found


def test_what_is_found_by_shape_is_known_everywhere() -> None:
    """In the arguments and in the agent's words; what is too short is not looked for."""
    call = Action(
        tool="Write", arguments={"content": f"token {TOKEN}", "pin": "12345"}, description="x"
    )
    known = redactor_of(REDACTOR, call).known

    assert TOKEN in known
    assert "12345" not in known
    assert redactor_of(REDACTOR, Action(tool="ls", arguments={})) is REDACTOR


@pytest.mark.parametrize(("length", "is_known"), [(5, False), (6, True)])
def test_a_short_value_of_a_secret_name_is_masked_in_its_place_only(
    length: int, *, is_known: bool
) -> None:
    """From six characters on it is looked for everywhere."""
    value = "q7x2w9"[:length]
    call = Action(tool="run", arguments={"password": value})

    assert is_known == (value in redactor_of(REDACTOR, call).known)


def test_the_longest_secret_is_masked_first() -> None:
    """One that is a part of another leaves no rest of it."""
    redactor = REDACTOR.knowing(["tulip-93", SECRET]).knowing(["north", "tulip"])

    assert (SECRET, "tulip-93", "north", "tulip") == redactor.known
    assert f"is {mask(SECRET)} and {mask('tulip-93')}" == redactor.text(f"is {SECRET} and tulip-93")


@pytest.mark.parametrize("text", ["\ud800abc", "é", "", "x" * 8])
def test_every_text_has_a_mask(text: str) -> None:
    """Also what UTF-8 cannot hold."""
    assert 21 == len(mask(text))
    assert mask(text) == mask(text)


@pytest.mark.parametrize(
    ("text", "expected"), [("short", "short"), ("é", "é"), ("\ud800", "\\ud800")]
)
def test_a_short_text_stays(text: str, expected: str) -> None:
    """Well formed, as it is written down."""
    assert expected == REDACTOR.text(text)


def test_a_short_secret_that_is_known_is_masked() -> None:
    """Where it stands alone; in other words it is another word."""
    redactor = REDACTOR.knowing(["x7", "secret", "q7x2"])

    assert mask("x7") == redactor.text("x7")
    assert f"ax7b {mask('x7')}" == redactor.text("ax7b x7")
    assert f"secretary {mask('secret')}" == redactor.text("secretary secret")
    assert f"a{mask('q7x2')}b" == redactor.text("aq7x2b")


@pytest.mark.parametrize("over", [0, 1])
def test_a_text_is_cut_behind_its_limit(over: int) -> None:
    """Not at it; what was cut is said."""
    limit = 100
    text = "ab " * 33 + "c" * (1 + over)
    cut = f"{text[:limit]}...[101 characters in all]"

    assert (cut if over else text) == Redactor(b"k" * 32, text_limit=limit).text(text)


def test_a_manifest_keeps_what_only_refers_to_a_secret() -> None:
    """Every value is masked, references are not; masked once, nothing changes any more."""
    once = REDACTOR.text(MANIFEST)

    assert SECRET not in once and "violet-27-meadow" not in once
    assert "${FROM_ELSEWHERE}" in once
    assert once == REDACTOR.text(once)
    assert TOKEN not in REDACTOR.text(f"{MANIFEST}# {TOKEN}")


@pytest.mark.parametrize("is_list", [True, False])
def test_values_are_kept_to_a_depth(*, is_list: bool) -> None:
    """What is deeper is left out, and that is said."""
    found = [
        innermost(REDACTOR.value(nested(levels, "inner", is_list=is_list)))
        for levels in (DEPTH_LIMIT, DEPTH_LIMIT + 1)
    ]

    assert ["inner", "...[too deep]"] == found


@pytest.mark.parametrize("over", [0, 1])
def test_so_many_items_are_kept(over: int) -> None:
    """Of lists and of mappings, with a note of how many there were."""
    count = ITEMS_LIMIT + over
    items = REDACTOR.value(["x"] * count)
    entries = REDACTOR.value({f"n{at}": "x" for at in range(count)})
    assert isinstance(items, list) and isinstance(entries, dict)

    assert (["x"] * ITEMS_LIMIT + ["...[501 items in all]"] * over) == items
    assert ITEMS_LIMIT + over == len(entries)
    assert ("[501 entries in all]" if over else None) == entries.get("...")


def test_what_stands_under_a_secret_name_is_masked_whole() -> None:
    """Also in a list, and in a list of lists; nothing else beside it is."""
    value: Json = {"passwords": ["tulip", ["rose", 5, None]], "names": ["tulip", ["rose"]]}
    expected = {
        "passwords": [mask("tulip"), [mask("rose"), 5, None]],
        "names": ["tulip", ["rose"]],
    }

    assert expected == REDACTOR.value(value)
    assert expected == REDACTOR.value(MappingProxyType(value))  # type: ignore[arg-type]  # a view


def test_names_are_masked_as_texts_are() -> None:
    """A secret can stand as a name, by its shape or as a known one; names are cut as well."""
    known = REDACTOR.knowing([SECRET])
    short = Redactor(b"k" * 32, text_limit=20)

    assert {f"a {mask(TOKEN)}": 1} == REDACTOR.value({f"a {TOKEN}": 1})
    assert {f"a {mask(SECRET)}": 1} == known.value({f"a {SECRET}": 1})
    assert {f"{'n' * 20}...[21 characters in all]": 1} == short.value({"n" * 21: 1})


def test_our_own_words_are_nobodys_secret() -> None:
    """They leave as plain texts; texts of other kinds are texts."""
    kept = REDACTOR.value({"password": OwnWord.PASSWORD, "note": PlainText("plain words")})
    assert isinstance(kept, dict)

    assert {"password": "password", "note": "plain words"} == kept
    assert str is type(kept["password"])


@pytest.mark.parametrize("secret", ["q7x2w9m4X", "q7x2w9m4"])
def test_the_last_letter_of_a_secret_is_masked(secret: str) -> None:
    """Only what ends an address is none of it."""
    assert f"password={mask(secret)}" == REDACTOR.text(f"password={secret}")


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (1.0, 1),
        (1.5, 1.5),
        (7, 7),
        (2**53 - 1, 2**53 - 1),
        (1 - 2**53, 1 - 2**53),
        (2**53, "9007199254740992"),
        (float("inf"), "inf"),
        (float("nan"), "nan"),
    ],
)
def test_a_number_is_written_in_its_plainest_form(number: float, expected: Json) -> None:
    """What JSON readers would change is a text."""
    found = plain_number(number)

    assert (expected, type(expected)) == (found, type(found))


def test_own_descriptions_name_secrets_wherever_a_call_is_told() -> None:
    """A program that only the user's file describes."""
    own = "programs:\n  - names: frob\n    secrets: -w\n"
    described = read_programs(own, file="own.yaml", presets={}, allows_handlers=False)
    facts = Facts(programs=own_programs(described.programs, (), digest="d"))
    action = Action(tool="Bash", arguments={"command": "frob -w tulip9"})
    assessed = FakeAssessment(action=action, facts=facts)

    assert "tulip9" in redactor_of(REDACTOR, action, assessed).known
    assert "tulip9" not in redactor_of(REDACTOR, action).known


def test_nobody_is_told_the_parsed_commands() -> None:
    """They hold secrets in plain letters."""
    line = f"docker login -p {SECRET}"
    action = Action(tool="Bash", arguments={"command": line})
    commands = read_shell(line, cwd="/").commands
    assessed = FakeAssessment(action=action, commands=commands)
    told = redacted_assessment(assessed, redactor_of(REDACTOR, action, assessed))

    assert () == told.commands
    assert SECRET not in repr(told)


def test_the_shortest_text_that_can_hold_a_secret_is_searched() -> None:
    """Eight characters."""
    assert f"pin={mask('1234')}" == REDACTOR.text("pin=1234")
