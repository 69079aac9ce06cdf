"""The pieces of a call that have a language of their own."""

from __future__ import annotations

import time

import pytest

from signoff.actions.action import Action, Json
from signoff.actions.tools.mcp import understand_mcp
from signoff.actions.tools.naming.contents import embedded, is_cut


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("mcp__shell__run", {"command": "ls -l"}, ("shell", "ls -l")),
        ("mcp__shell__run", {"options": {"cmd": {"line": "rm -rf /"}}}, ("shell", "rm -rf /")),
        ("mcp__shell__run", {"command": ["rm", "-rf", "a b"]}, ("shell", "rm -rf 'a b'")),
        ("mcp__shell__exec", {"command": "rm", "args": ["-rf", "/"]}, ("shell", "rm -rf /")),
        ("mcp__shell__run", {"text": "rm -rf /"}, ("shell", "rm -rf /")),
        ("mcp__desktop-commander__start_process", {"command": "ls -l"}, ("shell", "ls -l")),
        ("mcp__shell__run", {"script": "bHMgLWw=", "encoding": "base64"}, ("shell", "ls -l")),
        ("mcp__shell__run", {"script": "?", "encoding": "base64"}, ("shell", "?")),
        ("mcp__win__run_powershell", {"command": "ls ."}, ("powershell", "ls .")),
        ("mcp__postgres__query", {"sql": "SELECT 1"}, ("sql", "SELECT 1")),
        ("mcp__postgres__query", {"query": "delete from a"}, ("sql", "delete from a")),
        ("mcp__postgres__query", {"query": "-- a\nselect 1"}, ("sql", "-- a\nselect 1")),
        ("mcp__python__run_code", {"code": "print(1)"}, ("python", "print(1)")),
        ("mcp__sandbox__run", {"code": "1", "language": "python3"}, ("python", "1")),
        ("mcp__sandbox__run", {"code": "1", "language": "ruby"}, ("ruby", "1")),
        ("mcp__sandbox__run", {"code": "x"}, ("unknown", "x")),
        ("mcp__playwright__browser_evaluate", {"code": "1"}, ("javascript", "1")),
        ("mcp__fs__delete", {"paths": ["/tmp/a", "/home/dev"]}, ("path", "/home/dev")),
        ("mcp__fs__move", {"source": "a", "destination": "b"}, ("path", "b")),
        ("mcp__web__get", {"url": "https://e.org"}, ("url", "https://e.org")),
    ],
)
def test_a_piece_is_found(tool: str, arguments: dict[str, Json], expected: tuple[str, str]) -> None:
    """Commands, statements, code, paths and URLs are handed out with their language."""
    assert expected in embedded(Action(tool=tool, arguments=arguments))


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("mcp__github__list_issues", {"query": "delete from users"}),
        ("mcp__brave__web_search", {"query": "select a good laptop"}),
        ("mcp__slack__post_message", {"text": "run rm -rf build", "to": "ann"}),
        ("mcp__editor__text_edit", {"command": "view"}),
        ("mcp__docs__translate", {"source": "en", "target": "de"}),
        ("mcp__memory__search_nodes", {"query": "drop table"}),
    ],
)
def test_words_are_no_piece(tool: str, arguments: dict[str, Json]) -> None:
    """A search, a message and a sub-command hold no language to judge."""
    assert embedded(Action(tool=tool, arguments=arguments)) == ()


@pytest.mark.parametrize("key", ["a", "command", "code", "path"])
def test_deep_arguments_are_read_in_time(key: str) -> None:
    """Depth costs neither stack nor time, and is told."""
    deep: Json = "x"
    for _ in range(100_000):
        deep = {key: deep}
    action = Action(tool="mcp__shell__run", arguments={"x": deep})
    started = time.perf_counter()
    embedded(action)
    has_cut = is_cut(action)
    spent = time.perf_counter() - started
    while isinstance(deep, dict):
        deep = deep[key]  # taken apart by hand: the interpreter would do it by recursion
    assert has_cut
    assert spent < 10  # ends; `bench/hostile.py` measures


def test_many_arguments_are_read_in_time() -> None:
    """A crowd of names costs no more than the limit."""
    action = Action(tool="mcp__fs__delete", arguments={f"a{n}": "v" for n in range(200_000)})
    started = time.perf_counter()
    operations = understand_mcp(action)
    assert time.perf_counter() - started < 10  # ends; `bench/hostile.py` measures
    assert operations[-1].understood is False
