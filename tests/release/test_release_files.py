"""Files that only a release uses are held to the rules that keep one safe."""

from __future__ import annotations

import hashlib
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
PINNED = re.compile(r"\A[\w.-]+/[\w.-]+@[0-9a-f]{40}\Z")


def jobs(path: Path) -> dict[str, Any]:
    """Return the jobs of a workflow."""
    found: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]
    return found


def steps(path: Path) -> Iterator[dict[str, Any]]:
    """Yield every step of a workflow."""
    for job in jobs(path).values():
        yield from job["steps"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned_by_hash(path: Path) -> None:
    """A tag can be moved; a commit cannot."""
    used = [step["uses"] for step in steps(path) if "uses" in step]

    assert used
    assert [] == [action for action in used if not PINNED.match(action)]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_rights_are_given_job_by_job(path: Path) -> None:
    """None to the whole workflow; each job names its own, and has an end."""
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))

    assert {} == workflow["permissions"]
    for name, job in workflow["jobs"].items():
        assert "permissions" in job, name
        assert job["timeout-minutes"] <= 30, name


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_no_step_puts_an_expression_into_a_shell_line(path: Path) -> None:
    """What a tag is called could be a command."""
    assert [] == [step["run"] for step in steps(path) if "${{" in step.get("run", "")]


def test_a_release_is_checked_attested_and_published_without_a_token() -> None:
    """In this order, of the same bytes."""
    found = jobs(ROOT / ".github" / "workflows" / "release.yml")
    runs = [step.get("run", "") for step in found["build"]["steps"]]

    assert ["build", "try", "attest", "publish", "release"] == list(found)
    assert ["build", "try", "attest", "publish"] == [
        job["needs"] for job in found.values() if "needs" in job
    ]
    assert any(".ci/run" in line for line in runs)
    assert any("scripts/sbom" in line for line in runs)
    assert {"id-token": "write"} == found["publish"]["permissions"]
    assert "password" not in str(found["publish"])


def test_the_container_runs_as_nobody_special() -> None:
    """Two stages, locked by hash, no root, and nothing that is downloaded unread."""
    stages = re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)
    users = re.findall(r"^USER (\S+)", DOCKERFILE, re.MULTILINE)
    installs = [line for line in DOCKERFILE.replace("\\\n", " ").splitlines() if "-r " in line]

    assert 2 == len(stages)
    assert ["10001:10001"] == users
    assert DOCKERFILE.index("USER") > DOCKERFILE.rindex("COPY")
    assert installs
    assert all("--require-hashes" in line for line in installs)
    assert not re.search(r"^ADD|curl|wget|:latest|chmod 777", DOCKERFILE, re.MULTILINE)


def test_the_container_is_given_what_it_copies() -> None:
    """The list of what docker sees names each file that is copied, and starts with nothing."""
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    let_in = {line[1:] for line in lines if line.startswith("!")}
    copied = {
        name
        for line in re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE)
        for name in line.split()
    }

    assert "*" == lines[0]
    assert copied == let_in
    assert all((ROOT / name).exists() for name in copied)


def test_the_formula_names_what_was_built(tmp_path: Path) -> None:
    """Version and digest of the source distribution; nothing is left to be filled in."""
    source = tmp_path / "signoff-9.8.7.tar.gz"
    source.write_bytes(b"an archive")
    address = "https://example.org/signoff/releases/download/v9.8.7"
    subprocess.run([ROOT / "scripts" / "formula", tmp_path, address], check=True, timeout=60)
    text = (tmp_path / "signoff.rb").read_text(encoding="utf-8")

    assert hashlib.sha256(b"an archive").hexdigest() in text
    assert f'url "{address}/signoff-9.8.7.tar.gz"' in text
    assert 'homepage "https://example.org/signoff"' in text
    assert "@" not in text.replace("python@3.13", "")


def test_no_formula_without_a_source(tmp_path: Path) -> None:
    """It says what to run first."""
    done = subprocess.run(
        [ROOT / "scripts" / "formula", tmp_path], check=False, capture_output=True, timeout=60
    )

    assert 1 == done.returncode
    assert b"scripts/build" in done.stderr
