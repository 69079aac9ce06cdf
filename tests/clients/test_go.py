"""The Go example of docs/http-api.md lets nothing run but what the daemon has allowed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "frontends" / "server"))
sys.path.append(str(Path(__file__).parent))
from live_daemon import LiveDaemon, served
from test_typescript import ALLOWED, LIST, PENDING, answering

GO = shutil.which("go")
PAGE = Path(__file__).parents[2] / "docs" / "http-api.md"
Allowed = Callable[[str, str, object], tuple[bool, str]]
MAIN = """
func main() {
	var call map[string]any
	if err := json.Unmarshal([]byte(os.Args[3]), &call); err != nil {
		panic(err)
	}
	ok, reason := Allowed(os.Args[1], os.Args[2], call)
	said, _ := json.Marshal([]any{ok, reason})
	fmt.Println(string(said))
}
"""
HEAD = """package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"time"
)

"""

pytestmark = pytest.mark.skipif(GO is None, reason="go is not installed: apt-get install golang-go")


@pytest.fixture(scope="module")
def allowed(tmp_path_factory: pytest.TempPathFactory) -> Allowed:
    """Build the example as it stands on the page; return what asks it."""
    code = (
        PAGE.read_text(encoding="utf-8")
        .partition("## Go\n")[2]
        .partition("```go\n")[2]
        .partition("```")[0]
    )
    assert "func Allowed(" in code
    folder = tmp_path_factory.mktemp("go")
    (folder / "main.go").write_text(HEAD + code + MAIN, encoding="utf-8")
    variables = {**os.environ, "GOCACHE": str(folder / "cache"), "GO111MODULE": "off"}
    built = subprocess.run(
        [str(GO), "build", "-o", "example", "main.go"],
        cwd=folder,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert built.returncode == 0, built.stderr

    def ask(url: str, token: str, call: object) -> tuple[bool, str]:
        words = [str(folder / "example"), url, token, json.dumps(call)]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, done.stderr
        is_allowed, reason = json.loads(done.stdout)
        return is_allowed, reason

    return ask


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDaemon]:
    """Return a running daemon."""
    with served(tmp_path_factory.mktemp("home")) as running:
        yield running


def test_the_daemon_decides(allowed: Allowed, daemon: LiveDaemon) -> None:
    """One call may run, one may not, and the program reads why."""
    url = f"http://127.0.0.1:{daemon.port}"
    assert allowed(url, daemon.token, LIST)[0]
    is_allowed, reason = allowed(
        url, daemon.token, {"tool_name": "Bash", "tool_input": {"command": "rm -rf ~"}}
    )
    assert not is_allowed and "home" in reason
    assert not allowed(url, "another", LIST)[0]


@pytest.mark.parametrize(
    "answers",
    [
        [(200, b"allowed")],
        [(200, b"{")],
        [(200, b"{}")],
        [(500, json.dumps(ALLOWED).encode())],
        [(201, json.dumps(ALLOWED).encode())],
        [(202, json.dumps(ALLOWED).encode())],
        [(200, json.dumps({**ALLOWED, "status": "pending"}).encode())],
        [(200, json.dumps({**ALLOWED, "verdict": "Allow "}).encode())],
        [(307, json.dumps(ALLOWED).encode())],
    ],
    ids=["text", "half", "nothing", "500", "201", "202", "pending", "another word", "elsewhere"],
)
def test_everything_else_is_a_refusal(allowed: Allowed, answers: list[tuple[int, bytes]]) -> None:
    """Another status, an answer that cannot be read, an address elsewhere."""
    with answering(*answers, (200, b'{"status": "decided", "verdict": "deny"}')) as url:
        assert not allowed(url, "token", LIST)[0]


def test_people_are_waited_for(allowed: Allowed) -> None:
    """By the id that came with the 202."""
    pending, decided = json.dumps(PENDING).encode(), json.dumps(ALLOWED).encode()
    with answering((202, pending), (202, pending), (200, decided)) as url:
        assert allowed(url, "token", LIST)[0]


def test_nobody_there_is_a_refusal(allowed: Allowed) -> None:
    """No daemon lets nothing run."""
    assert not allowed("http://127.0.0.1:9", "token", LIST)[0]
