"""Rows about people that a database hands to whoever asks without a login.

alter table payslips disable row level security; grant select on payslips to anon;
create policy p on patients for select to anon using (true);
select_permissions: [{role: anonymous, permission: {columns: "*", filter: {}}}]        Hasura
match /patients/{id} { allow read: if true; }                                          Firestore
db-anon-role = "postgres"                                                              PostgREST

A table of prices or posts may be open to all, and a table whose policy names the row's owner is
not open at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from signoff.actions.lexicon.private_names import concerns_people, is_about_people
from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters
_MOST = 60
_NOBODY = r"[\"'`\[]?(?:anon(?:ymous)?|web_anon|public|guest|unauthenticated|unauthorized)\b"
_GRANT = lazy_re2(
    r"(?is)\bgrant\s+(?:select|all(?:\s+privileges)?|insert|update|delete)\b([^;()]{0,200}?)\s+on\s+"
    rf"(?:table\s+)?([^;]{{1,400}}?)\s+to\s+[^;]{{0,80}}?{_NOBODY}"
)
_UNGUARDED = lazy_re2(
    r"(?is)\balter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?([\w.\"]+)\s+disable\s+row\s+level\s+security"
)
_GUARDED = lazy_re2(
    r"(?is)\balter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?([\w.\"]+)\s+(?:enable|force)\s+row"
    r"\s+level\s+security"
)
_POLICY = lazy_re2(
    r"(?is)\bcreate\s+policy\s+(?:\"[^\"]*\"|\w+)\s+on\s+([\w.\"]+)([^;]{0,200}?)\busing\s*\(\s*true\s*\)"
)
_FOR_LOGINS = lazy_re2(
    r"(?i)\bto\s+(?:authenticated|service_role|\w*admin\w*)\b|\bfor\s+(?:insert|delete)\b"
)
_ALL_TABLES = lazy_re2(r"(?i)\ball\s+tables\s+in\s+schema\b")
_HASURA = lazy_re2(
    r"(?is)\brole[\"']?:\s*[\"']?(?:anonymous|anon|public|guest|unauthorized)\b[^#]{0,40}?"
    r"permission[\"']?:(?:[^#-]|-\s*\w+\s*\n){0,300}?\bfilter[\"']?:\s*\{\s*\}"
)
_EVERY_COLUMN = lazy_re2(r"(?i)\bcolumns[\"']?:\s*[\"']?\[?\s*[\"']?\*")
_TABLE_NAME = lazy_re2(
    r"(?is)\btable[\"']?:\s*(?:\{[^}]*?)?(?:[\"']?schema[\"']?:\s*\w+\s+)?[\"']?name[\"']?:\s*[\"']?(\w+)"
)
_FIRESTORE = lazy_re2(
    r"(?is)\bmatch\s+/([\w-]+)/\{\w+(?:=\*\*)?\}\s*\{\s*(?:allow[^;]{0,80};\s*){0,3}?"
    r"allow\s+[\w, ]*\b(?:read|get|list)\b[\w, ]*(?::\s*if\s+true)?\s*;"
)
_REALTIME = lazy_re2(r"(?is)\"([\w-]+)\"\s*:\s*\{\s*\"\.read\"\s*:\s*(?:true|\"true\")")
_ANON_ROLE = lazy_re2(
    r"(?im)^\s*(?:db-anon-role|pgrst_db_anon_role)[\"']?\s*[:=]\s*[\"']?(postgres|root|admin|superuser"
    r"|service_role|supabase_admin)\b"
)


def opened_rows(text: str) -> str:
    """Return the part of a text that shows rows about people to everybody, "" if none does."""
    return next(_opened(text[:_READ]), "")


def _opened(text: str) -> Iterator[str]:
    role = _ANON_ROLE.search(text)
    if role is not None:
        yield str(role.group()).strip()
    guarded = {_plain(str(m.group(1))) for m in islice(_GUARDED.finditer(text), _MOST)}
    for match in islice(_UNGUARDED.finditer(text), _MOST):
        if _is_private(str(match.group(1)), text) and _GRANT.search(text) is not None:
            yield str(match.group())
    for match in islice(_GRANT.finditer(text), _MOST):
        tables = str(match.group(2))
        if _ALL_TABLES.search(tables) is None:
            names = [name for name in tables.split(",") if _plain(name) not in guarded]
            yield from [str(match.group()) for name in names if _is_private(name, text)]
    for match in islice(_POLICY.finditer(text), _MOST):
        is_open = _FOR_LOGINS.search(str(match.group(2))) is None
        if is_open and concerns_people(str(match.group(1))):
            yield str(match.group())
    yield from _by_rules(text)


def _by_rules(text: str) -> Iterator[str]:
    """What the rules of a service open that stands before a database."""
    table = _TABLE_NAME.search(text)
    for match in islice(_HASURA.finditer(text) if table is not None else (), _MOST):
        name, rule = str(table.group(1)) if table is not None else "", str(match.group())
        is_all = _EVERY_COLUMN.search(rule) is not None and is_about_people(name)
        if is_all or (concerns_people(rule) and is_about_people(name)):
            yield rule
    for pattern in (_FIRESTORE, _REALTIME):
        for match in islice(pattern.finditer(text), _MOST):
            if concerns_people(str(match.group(1))):
                yield str(match.group())


def _plain(name: str) -> str:
    return name.strip().strip('"[]`').lower().rpartition(".")[2].strip('"[]`')


def _is_private(name: str, text: str) -> bool:
    """Whether a table holds what only a person and an office know, by its name and columns."""
    plain = _plain(name)
    return concerns_people(plain) or (is_about_people(plain) and concerns_people(text))
