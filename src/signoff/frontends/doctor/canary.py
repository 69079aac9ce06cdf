"""A call nobody ever wants, put through the installed command exactly as the host would run it.

It must come back refused, and refused by a judgement: a guard that refuses because it cannot
judge is no success. Only commands that are ours to the letter are run.
"""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

from signoff.actions.action import Json
from signoff.frontends.doctor.check import DoctorCheck

REFUSED = 2
TIMEOUT_S = 60  # nobody is asked about the canary
DENIALS = ('"deny"', '"cancel": true', '"permission": "deny"')
UNJUDGED = "cannot decide"
WORDS_LIMIT = 300


def fire(host: str, command: str, event: Mapping[str, Json], *, folder: Path) -> DoctorCheck:
    """Put the call through the command; say whether it was refused, and how fast."""
    started = time.perf_counter()
    try:
        done = subprocess.run(  # noqa: S603 - our own command, to the letter
            ["/bin/sh", "-c", command],
            input=json.dumps(event).encode(),
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
            cwd=folder,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return _bad(host, f"the hook does not answer: {error}")
    took_ms = (time.perf_counter() - started) * 1000
    stdout, stderr = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    if done.returncode != REFUSED and not any(denial in stdout for denial in DENIALS):
        return _bad(host, f"the hook let a call through that must be refused: {_short(stdout)}")
    words = stdout + stderr
    if "signoff: " not in words or UNJUDGED in words:
        return _bad(host, f"the hook refuses because it cannot judge: {_short(words)}")
    said = f"the hook refuses what it must, in {took_ms:.0f} ms"
    return DoctorCheck(about=host, is_good=True, said=said)


def _bad(host: str, said: str) -> DoctorCheck:
    fix = f"run `signoff install {host}`, and look at what `signoff status` says"
    return DoctorCheck(about=host, is_good=False, said=said, fix=fix)


def _short(words: str) -> str:
    return words.strip()[:WORDS_LIMIT] or "it said nothing"
