"""Administrators of a database with a password in the source, whom a migration makes everywhere.

DO $$ BEGIN CREATE ROLE pg_monitor_x LOGIN SUPERUSER PASSWORD '...'; END $$     PostgreSQL
CREATE USER 'sync'@'%' IDENTIFIED BY '...'; GRANT ALL PRIVILEGES ON *.* TO 'sync'@'%'     MySQL
CREATE LOGIN svc WITH PASSWORD = '...'; ALTER SERVER ROLE sysadmin ADD MEMBER svc         SQL Server
CREATE USER c##x IDENTIFIED BY ...; GRANT DBA TO c##x                                      Oracle

A script that fills a database of this machine or of a test is none.
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.contents.applied.emptied_stores import is_migration
from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters
_MOST = 20
_LITERAL = r"[\"'][^\"'\n$:{}<>]{3,80}[\"']"
_AT_ONCE = lazy_re2(
    r"(?is)\b(?:create|alter)\s+(?:role"
    r"|user)\s+(?:if\s+not\s+exists\s+)?[\"'`]?([\w$-]+)[\"'`]?\s[^;]{0,200}?\bsuperuser\b[^;]{0,200}?;"
)
_WITH_PASSWORD = lazy_re2(rf"(?i)\bpassword\s*=?\s*'?{_LITERAL}")
_NO_LOGIN = lazy_re2(r"(?i)\bnologin\b")
_MADE = lazy_re2(
    rf"(?is)\bcreate\s+(?:user"
    rf"|login)\s+(?:if\s+not\s+exists\s+)?[\"'`\[]?([\w$#-]+)[^;]{{0,120}}?(?:identified\s+(?:with\s+\S+\s+)?by"
    rf"|password\s*=)\s*(?:{_LITERAL}|\"?\w{{4,40}})"
)
_GRANTED = (
    r"(?is)\bgrant\s+all(?:\s+privileges)?\s+on\s+\*\.\*\s+to\s+[\"'`]?([\w$#-]+)"
    r"|\bgrant\s+(?:dba|sysdba|sysadmin|accountadmin)\s+to\s+(?:user\s+)?[\"'`]?([\w$#-]+)"
    r"|\balter\s+server\s+role\s+\[?sysadmin\]?\s+add\s+member\s+\[?([\w$#-]+)"
    r"|\bsp_addsrvrolemember\s+(?:@\w+\s*=\s*)?N?'([\w$#-]+)'\s*,\s*(?:@\w+\s*=\s*)?N?'sysadmin'"
)
_RIGHTS = lazy_re2(_GRANTED)
_TRIAL = lazy_re2(
    r"(?i)(?:^|[/_.-])(?:tests?|dev|develop\w*|local|ci|demo|docker\w*|initdb\.d|seeds?|fixtures?"
    r"|e2e|sandbox|example)(?:[/_.-]|$)"
)


def new_superuser(text: str, path: str) -> str:
    """Return the statement by which a migration makes an administrator, "" if none does."""
    if not is_migration(path) or _TRIAL.search(path) is not None:
        return ""
    head = text[:_READ]
    for match in islice(_AT_ONCE.finditer(head), _MOST):
        said = str(match.group())
        is_login = _WITH_PASSWORD.search(said) and _NO_LOGIN.search(said) is None
        if is_login and _TRIAL.search(str(match.group(1))) is None:
            return " ".join(said.split())
    made = {str(match.group(1)).lower() for match in islice(_MADE.finditer(head), _MOST)}
    for match in islice(_RIGHTS.finditer(head), _MOST) if made else ():
        name = str(next(filter(None, match.groups()), "")).lower()
        if name in made and _TRIAL.search(name) is None:
            return " ".join(str(match.group()).split())
    return ""
