"""Every host keeps the contract of hosts: none lets a call through by accident."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from host_contract import CONTRACT, Term, canary_of, prepare

from signoff.frontends.hosts.host import HostManifest
from signoff.frontends.hosts.registry import ADAPTERS, HOSTS


@pytest.mark.parametrize("term", CONTRACT, ids=lambda term: term.__name__)
@pytest.mark.parametrize("host", HOSTS, ids=lambda host: host.name)
def test_a_host_keeps_its_contract(
    host: HostManifest, term: Term, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One term each, by the host's own forms and rules."""
    prepare(tmp_path, monkeypatch)
    term(host, tmp_path)


def test_no_name_stands_for_two() -> None:
    """Each host and adapter has a name of its own."""
    names = [adapter.name for host in HOSTS for adapter in host.adapters]

    assert len({*names}) == len(names) == len(ADAPTERS)
    assert {host.name for host in HOSTS} <= {*names}


DOOR = """
import os, sys, time
from signoff.frontends.hosts.local_hook import run

def connect(adapter):
    {body}

sys.exit(run(sys.argv[1:], connect))
"""


def knock(body: str, *arguments: str, event: bytes) -> subprocess.CompletedProcess[bytes]:
    """Send one event to the door's own process."""
    return subprocess.run(
        [sys.executable, "-I", "-c", DOOR.format(body=body), *arguments],
        input=event,
        capture_output=True,
        check=False,
        timeout=30,
    )


def test_nothing_else_reaches_stdout() -> None:
    """Prints of libraries, also below Python, end up on stderr."""
    body = 'print("debug"); os.write(1, b"raw"); os.system("echo child"); raise RuntimeError("x")'
    done = knock(body, "gemini", event=canary_of(ADAPTERS["gemini"]))

    assert "deny" == json.loads(done.stdout)["decision"]
    assert b"child" in done.stderr


def test_a_stuck_judge_ends_at_the_deadline() -> None:
    """The process is gone before the host's limit, with no answer given."""
    done = knock("time.sleep(60)", "codex", "--deadline", "0.5", event=canary_of(ADAPTERS["codex"]))

    assert done.returncode != 0
    assert b"" == done.stdout


@pytest.mark.parametrize(
    "arguments", [[], ["elsewhere"], ["codex", "--allow"], ["codex", "--deadline", "soon"]]
)
def test_a_mistyped_hook_is_a_refusal(arguments: list[str]) -> None:
    """A broken installation blocks and says so."""
    done = knock("pass", *arguments, event=canary_of(ADAPTERS["codex"]))

    assert (2, b"") == (done.returncode, done.stdout)
    assert done.stderr
