"""The names of all policy lines: what `lines:` in a settings file may move.

A line is `detector.line`, or a detector's name for all of its lines. The lines of operations stand
in a table that a test holds against the detectors; those of texts are named after the patterns they
rest on. What protects signoff itself has no line that can be moved.

    line_problem("destructive.history")  ->  "unknown policy line ...; did you mean ...?"
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from functools import cache

from signoff.assess.pack import FIXED_DETECTORS
from signoff.assess.patterns.catalogue import CONTENT, REQUEST

OPERATION_LINES: Mapping[str, str] = {
    "call-classifier": "asked denied",
    "combined-facts": (
        "account-hidden account-with-every-right all-accounts all-accounts-but all-backups "
        "all-of-production all-people approval-off backups-for-good branch-rules "
        "controllers-in-a-loop destroying-plan encrypted-originals erased-in-a-loop "
        "essential-package everything-for-good fetched-start-up kept-data-sent "
        "listing-emptied login-code-out mail-led-away "
        "open-to-everybody opened-in-a-loop other-guard paid-in-a-loop paid-to-all "
        "people-handed-over placed-and-run planted-by-server private-data-opened "
        "private-data-out production-in-a-loop protection-stopped rights-of-all safeguard-off "
        "safety-net-gone safety-off secret-copy-out secret-in-text settings-loosened temporary-job "
        "told-to-run told-to-thousands unchecked-code whole-set windows-core"
    ),
    "credential-access": "changed env-file file private-key-file store",
    "defence-tampering": "blinded protection record switched-off weakened",
    "destructive": (
        "backup backup-retention container container-files database disk exhaustion "
        "foreign-files history home-files outside-project outside-rebuildable production "
        "project-broad project-tree remote-history remote-ref repository repository-state "
        "resource rows rows-hidden-or-production system-files system-package target-unknown "
        "temporary-broad uncommitted-work whole-store"
    ),
    "environment-poisoning": "variable",
    "exfiltration": (
        "after-secret cloud-metadata covert-channel local-files message raw-connection request "
        "secret"
    ),
    "opaque": "hidden not-understood too-large",
    "path-escape": "elsewhere home home-credentials system system-critical unknown",
    "persistence": (
        "ci editor git-hook git-internal git-internal-replaced login-keys runs-later "
        "runs-unreviewed schedule shell-startup shell-startup-replaced way-back-in"
    ),
    "privilege": "account as-root opened opened-to-all raised",
    "production-impact": "change loss people-read read",
    "remote-change": "changed costs forced-push money published pushed remote-host",
    "remote-code": "decode-and-run download-and-run reverse-shell written-and-run",
    "supply-chain": "system-packages untrusted-source user-packages",
    "system-change": (
        "all-processes backup cloud cluster container credential database device "
        "global-configuration image listens machine message money network nothing package "
        "process processes-by-pattern repository service setting url volume"
    ),
    "workaround": "again other-tool other-tool-after-a-no",
}
# The families of patterns a detector of texts rests on, then its lines that rest on none.
TEXT_LINES: Mapping[str, tuple[tuple[str, ...], str]] = {
    "command-injection": (("command",), ""),
    "csrf": ((), "foreign-origin"),
    "file-content-leak": (("leak",), ""),
    "graphql-abuse": ((), "circle guesses"),
    "header-injection": (("header",), ""),
    "jwt-attack": ((), "a-key-of-its-own a-well-known-secret an-odd-key-id no-signature"),
    "ldap-injection": (("ldap",), ""),
    "mcp-tool-poisoning": (("mcp", "prompt"), "hidden-characters"),
    "nosql-injection": (("nosql",), ""),
    "object-injection": (("object",), ""),
    "open-redirect": (("redirect",), "foreign"),
    "path-traversal": (("path",), ""),
    "personal-data": (("personal",), "contacts"),
    "prompt-injection": (("prompt",), "foreign-line hidden-characters worded-order"),
    "reflected-xss": ((), "unescaped"),
    "request-smuggling": (
        (),
        "both-lengths line-end odd-coding odd-length odd-name second-request",
    ),
    "rfi": (("rfi",), ""),
    "scanner-probe": (("scanner",), ""),
    "secrets": (("secret",), ""),
    "sql-error-leak": (("leak",), ""),
    "sql-injection": (("sql",), ""),
    "ssrf": (("ssrf",), ""),
    "template-injection": (("template",), ""),
    "unread-text": ((), "cut"),
    "xss": (("xss",), ""),
    "xxe": (("xml",), ""),
}
NAME_LIMIT = 60  # characters of a wrong name that are shown
SHOWN = 8  # lines of a detector that are listed
PAGE = "all lines: docs/reference/defaults.md"


@cache
def policy_lines() -> frozenset[str]:
    """Return the names of all policy lines, and of all detectors that have lines."""
    names = {
        f"{detector}.{line}" for detector, said in OPERATION_LINES.items() for line in said.split()
    }
    patterns = [one.id.partition(".") for one in (*CONTENT, *REQUEST)]
    for detector, (families, said) in TEXT_LINES.items():
        rest = [name for family, _, name in patterns if family in families]
        names.update(f"{detector}.{line}" for line in (*rest, *said.split()))
    return frozenset({*names, *OPERATION_LINES, *TEXT_LINES})


def line_problem(name: str) -> str:
    """Return why a policy line cannot be changed, with the nearest valid name; "" if it can."""
    if name in policy_lines():
        return ""
    detector = name.partition(".")[0]
    if detector in FIXED_DETECTORS:
        return f"`{name[:NAME_LIMIT]}` cannot be moved: it protects signoff itself"
    return f"unknown policy line `{name[:NAME_LIMIT]}` ({PAGE}){_meant(name, detector)}"


def _meant(name: str, detector: str) -> str:
    """Return the nearest name, else some lines of the detector, as the end of a sentence."""
    known = sorted(policy_lines())
    # The usual first guess, as globs work everywhere else.
    if name == f"{detector}.*" and detector in known:
        return f"; write `{detector}` for all its lines"
    own = [one for one in known if one.startswith(f"{detector}.")]
    line = name.partition(".")[2]
    within = difflib.get_close_matches(line, [one.partition(".")[2] for one in own], n=1)
    if within:
        return f"; did you mean `{detector}.{within[0]}`?"
    if own:
        return f"; `{detector}` has {', '.join(own[:SHOWN])}{', ...' if len(own) > SHOWN else ''}"
    near = difflib.get_close_matches(name[:NAME_LIMIT], known, n=1)
    return f"; did you mean `{near[0]}`?" if near else ""
