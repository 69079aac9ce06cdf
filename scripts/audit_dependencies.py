"""Ask a vulnerability database about everything that is locked, with pip-audit.

Exit status 1 if one of the locked versions has a known vulnerability. Where no database can be
reached in time, or it knows none of the packages, that is said and nothing fails: it depends on the
network, not on the change that is checked.

    .venv/bin/python scripts/audit_dependencies.py
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
REQUIREMENTS = ROOT / "requirements"
CACHE = ROOT / ".cache" / "pip-audit"
REQUEST_S = 10
WHOLE_S = 180.0
SAID_LIMIT = 200  # characters of an error
PIP_AUDIT = (sys.executable, "-m", "pip_audit")


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What the database said.

    Args:
        problem: why nothing could be asked, "" if it could.
        findings: one line for each vulnerability.
    """

    problem: str = ""
    audited: int = 0
    unknown: int = 0
    findings: tuple[str, ...] = ()

    @property
    def status(self) -> int:
        """The exit status."""
        return 1 if self.findings else 0

    def lines(self) -> list[str]:
        """Return the report in words."""
        if self.problem:
            return [f"pip-audit: skipped, {self.problem}"]
        if not self.audited and not self.findings:
            return ["pip-audit: skipped, the database knows none of these packages"]
        unknown = f", {self.unknown} unknown to the database" if self.unknown else ""
        found = len(self.findings) or "no"
        return [*self.findings, f"pip-audit: {self.audited} packages, {found} findings{unknown}"]


def read_report(output: str) -> Report | None:
    """Read pip-audit's JSON; None if it is none, which is how it ends without a database."""
    try:
        packages: Sequence[Mapping[str, Any]] = json.loads(output)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return None
    unknown = sum("skip_reason" in one for one in packages)
    findings = tuple(
        f"{one['name']} {one['version']}: {found['id']}, fixed in {_versions(found)}"
        for one in packages
        for found in one.get("vulns", ())
    )
    return Report(audited=len(packages) - unknown, unknown=unknown, findings=findings)


def _versions(found: Mapping[str, Any]) -> str:
    return ", ".join(found.get("fix_versions", ())) or "no version yet"


def audit(command: Sequence[str] = PIP_AUDIT, *, timeout_s: float = WHOLE_S) -> Report:
    """Audit every locked package; return what came of it."""
    files = [f"--requirement={path}" for path in sorted(REQUIREMENTS.glob("*.txt"))]
    options = ("--require-hashes", "--disable-pip", "--format=json", "--progress-spinner=off")
    limits = (f"--timeout={REQUEST_S}", f"--cache-dir={CACHE}")
    try:
        done = subprocess.run(  # noqa: S603 - our own list
            [*command, *options, *limits, *files],
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
            timeout=timeout_s,
        )
    except subprocess.TimeoutExpired:
        return Report(problem=f"no answer from the database within {timeout_s:g} s")
    said = read_report(done.stdout)
    if said is not None:
        return said
    if "Error" in done.stderr and _is_network(done.stderr):
        return Report(problem="no vulnerability database can be reached")
    last = (done.stderr.strip() or "no output").splitlines()[-1][:SAID_LIMIT]
    return Report(findings=(f"pip-audit cannot read what is locked: {last}",))


def _is_network(text: str) -> bool:
    """Tell whether an error is one of the network."""
    signs = ("ConnectionError", "ConnectTimeout", "ReadTimeout", "ProxyError", "SSLError")
    return any(sign in text for sign in (*signs, "HTTPError", "ConnectionResetError"))


def main() -> int:
    """Audit; return the exit status."""
    report = audit()
    sys.stdout.write("\n".join(report.lines()) + "\n")
    return report.status


if __name__ == "__main__":
    sys.exit(main())
