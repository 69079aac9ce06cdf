"""Scanners that are told to look away: their own lists of what is ignored, grown by an edit.

A scanner for holes or secrets reads a file of its own beside the program. A folder of sources in it
hides all that will ever be in it; a folder of tests, libraries or what is built hides nothing.

    .semgrepignore   node_modules/            -> node_modules/, src/payments/
    .gitleaksignore  one fingerprint more     a single finding, which is everyday work
"""

from __future__ import annotations

from signoff.actions.contents.text import NewText
from signoff.actions.vocabulary import lazy_re, lazy_re2

_IGNORES = lazy_re2(
    r"(?i)^\.?(?:semgrep|snyk|gitleaks|trivy|bandit|codeql|grype|checkov|tfsec|osv|sonar|bearer|secret-?scan\w*"
    r"|trufflehog|ggshield|brakeman|gosec|horusec|safety|ossf|kics|terrascan|dockle|hadolint)[-_.]?ignore$"
)
_FOLDER = lazy_re(r"^[/*.]*[\w@][\w@./*-]*/\*{0,2}$|^\*{1,2}$")
_HARMLESS = lazy_re2(
    r"(?i)test|spec|fixture|mock|example|sample|demo|docs?\b|vendor|third|node_modules|dist|build|out|target|generated"
    r"|coverage|cache|\.git|\.?venv|assets|static|public|locale|i18n|migrations|snapshots|tmp|logs?|bower|packages/cache"
)
_MANY = 5


def ignored_by_scanner(name: str, text: NewText) -> str:
    """Return the folder, or the number of findings, that a scanner no longer looks at, else ""."""
    if _IGNORES.match(name) is None or text.old is None:
        return ""
    before = {line.strip() for line in text.old.splitlines()}
    lines = [line.strip() for line in text.new.splitlines()]
    added = [line for line in lines if line and line[0] not in "#!" and line not in before]
    folders = [one for one in added if _FOLDER.match(one) and _HARMLESS.search(one) is None]
    if folders:
        return folders[0]
    return f"{len(added)} findings" if len(added) >= _MANY else ""
