"""System files on their way out.

Finds:
    The contents of password files, private keys, Windows start-up files, program source and
    configuration with credentials in a response or result.

Why it matters:
    If they leave, a path, an include or a command went where it should not.

Example:
    root:x:0:0:root:/root:/bin/bash

Does not find:
    Files without a shape of their own.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.detectors.leaking import in_result, result
from signoff.assess.finding import Finding, Severity

ID = "file-content-leak"
LINES = {
    "leak.passwd-file": "lines of a password file",
    "leak.shadow-file": "hashed passwords",
    "leak.windows-file": "a start-up file of Windows",
    "leak.private-key": "a private key",
    "leak.source": "source or configuration with credentials",
    "leak.host-file": "files of the system",
}


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield a finding if an output contains the content of a system or secret file."""
    return in_result(evidence, ID, LINES, Severity.HIGH)


DETECTOR = Detector(
    id=ID,
    run=run,
    title="System files on their way out",
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
    ),
)
