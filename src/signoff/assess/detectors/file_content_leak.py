"""System files on their way out.

Finds:
    The contents of password files, private keys, Windows start-up files, program source and
    configuration with credentials in a response or result.

Why it matters:
    If they leave, a path, an include or a command went where it should not.

Example:
    root:x:0:0:root:/root:/bin/bash

Does not find:
    Files without a shape of their own, keys without their middle, stand-ins for keys.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.vocabulary import lazy_re2
from signoff.assess.detectors.detector import Detector, Evidence, TextSource
from signoff.assess.detectors.leaking import in_result, result
from signoff.assess.finding import Finding, Severity
from signoff.assess.patterns.catalogue import catalogue
from signoff.assess.patterns.samples import is_sample_key, is_stand_in_key

ID = "file-content-leak"
LINES = {
    "leak.passwd-file": "lines of a password file",
    "leak.shadow-file": "hashed passwords",
    "leak.windows-file": "a start-up file of Windows",
    "leak.private-key": "a private key",
    "leak.source": "source or configuration with credentials",
    "leak.host-file": "files of the system",
}
_PAGE = lazy_re2(r"(?i)<(?:!doctype|html|head|body|div|form|table)\b")
# The line before a program in a document ends with a colon.
_PROSE = lazy_re2(r"[A-Za-z]{2,}[ \w,.'\x60=-]{10,}:{1,2}\s*\n\s*>?\s*$")


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield a finding if an output contains the content of a system or secret file."""
    return in_result(evidence, ID, LINES, Severity.HIGH, _is_shown)


def _is_shown(hit: str, text: str) -> bool:
    """Whether a text shows only stand-ins: an elided key, `aws_secret_access_key=foo`."""
    if hit not in SHOWN:
        return False
    patterns = catalogue().of(TextSource.RESULT)
    spans = patterns.spans(hit, text)
    return (
        bool(spans) and patterns.reads_all(hit, text) and all(SHOWN[hit](text, *s) for s in spans)
    )


def _is_elided(text: str, start: int, _: int) -> bool:
    return is_sample_key(text, start)


def _is_stand_in(text: str, start: int, end: int) -> bool:
    """Tell a value that is too short for a key of AWS, or says that it is an example."""
    found = text[start:end].lower()
    if "aws_secret_access_key" in found and found.endswith("="):
        return is_stand_in_key(text[end : end + 80])
    return found.startswith("<?php") and _is_in_block(text, start)


def _is_in_block(text: str, start: int) -> bool:
    """Tell a program that a document shows: in a fence, or indented below a line of prose."""
    if _PAGE.search(text) is not None:
        return False
    line = text.rfind("\n", 0, start) + 1
    if text.count("```", 0, start) % 2:
        return True
    return line < start and not text[line:start].strip() and _PROSE.search(text[:line]) is not None


SHOWN = {"leak.private-key": _is_elided, "leak.source": _is_stand_in}


DETECTOR = Detector(
    id=ID,
    run=run,
    title="System files on their way out",
    families=("leak",),
    cwe=("CWE-538",),
    asi=("ASI02",),
    fires=(
        result("root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin"),
        result("[boot loader]\ntimeout=30"),
        result("-----BEGIN OPENSSH PRIVATE KEY-----"),
    ),
    passes=(
        result("the root of the tree: x:0:0"),
        result("boot loaders and their timeouts"),
        result("-----BEGIN PUBLIC KEY-----"),
        result("-----BEGIN PRIVATE KEY-----\nMIIEow...\n-----END PRIVATE KEY-----"),
    ),
)
