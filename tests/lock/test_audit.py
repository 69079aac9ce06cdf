"""The audit fails on a known vulnerability, and on nothing that the network does."""

from __future__ import annotations

import importlib.util
import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

import pytest
from lock_file import ROOT


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """Return the script as a module."""
    path = ROOT / "scripts" / "audit_dependencies.py"
    spec = importlib.util.spec_from_file_location("audit_dependencies", path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules.setdefault(spec.name, importlib.util.module_from_spec(spec))
    spec.loader.exec_module(module)
    return module


def fake(folder: Path, code: str) -> list[str]:
    """Return a program in the place of pip-audit."""
    path = folder / "fake_pip_audit.py"
    path.write_text(f"import sys, time\n{code}\n", encoding="utf-8")
    return [sys.executable, str(path)]


def answering(folder: Path, *packages: Mapping[str, object]) -> list[str]:
    """Return a pip-audit that knows this."""
    return fake(folder, f"print({json.dumps({'dependencies': packages})!r})")


GOOD = {"name": "click", "version": "8.5.1", "vulns": []}
BAD = {
    "name": "h11",
    "version": "0.15.0",
    "vulns": [{"id": "CVE-0000-1", "fix_versions": ["0.16.0"], "aliases": [], "description": ""}],
}
UNKNOWN = {"name": "idna", "skip_reason": "not found"}


def test_a_known_vulnerability_fails(script: ModuleType, tmp_path: Path) -> None:
    """With its number and the version that fixes it."""
    report = script.audit(answering(tmp_path, GOOD, BAD))

    assert 1 == report.status
    assert "h11 0.15.0: CVE-0000-1, fixed in 0.16.0" in report.lines()


def test_no_finding_is_said_with_what_was_not_known(script: ModuleType, tmp_path: Path) -> None:
    """What the database does not know is no clean bill."""
    report = script.audit(answering(tmp_path, GOOD, UNKNOWN))

    assert 0 == report.status
    assert ["pip-audit: 1 packages, no findings, 1 unknown to the database"] == report.lines()


NO_DATABASE = {
    "no network": (
        "sys.exit('requests.exceptions.ConnectionError: HTTPSConnectionPool(...)')",
        "skipped, no vulnerability database can be reached",
    ),
    "no answer": ("time.sleep(60)", "skipped, no answer from the database within 0.5 s"),
}


@pytest.mark.parametrize("name", NO_DATABASE)
def test_without_a_database_it_is_skipped_with_a_word(
    script: ModuleType, tmp_path: Path, name: str
) -> None:
    """Neither fails nor hangs."""
    code, words = NO_DATABASE[name]
    started = time.monotonic()
    report = script.audit(fake(tmp_path, code), timeout_s=0.5 if name == "no answer" else 30)

    assert (0, [f"pip-audit: {words}"]) == (report.status, report.lines())
    assert time.monotonic() - started < 20


def test_a_database_that_knows_nothing_is_no_audit(script: ModuleType, tmp_path: Path) -> None:
    """As with a mirror without the data."""
    report = script.audit(answering(tmp_path, UNKNOWN))

    assert 0 == report.status
    assert ["pip-audit: skipped, the database knows none of these packages"] == report.lines()


def test_an_audit_that_breaks_fails(script: ModuleType, tmp_path: Path) -> None:
    """A lock pip-audit cannot read was not audited: that is no network's fault."""
    report = script.audit(fake(tmp_path, "sys.exit('ValueError: bad requirement')"))

    assert 1 == report.status
    assert "bad requirement" in report.lines()[0]


def test_every_locked_group_is_audited(script: ModuleType, tmp_path: Path) -> None:
    """Tools run on the same machines as signoff."""
    log = tmp_path / "log"
    script.audit(fake(tmp_path, f"open({str(log)!r}, 'w').write(' '.join(sys.argv))"))
    said = log.read_text(encoding="utf-8")

    assert all(str(path) in said for path in (ROOT / "requirements").glob("*.txt"))
    assert "--require-hashes" in said
