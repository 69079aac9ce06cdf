"""Administrators with a password of the source whom the code of an application makes.

Who sets a system up, fills a database for trials or runs a command by hand makes such people. Code
with another task plants a way in.

    def year_end(self): User.objects.create_superuser("svc", "", "winter-owl-22")     planted
    User::create(['password' => bcrypt('Ana*23'), 'role' => 'super'])                 planted
    User.create(email: form.email, password: form.password, role: "member")           none
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.contents.callers.parts import outside_application
from signoff.actions.contents.checks.comments import running
from signoff.actions.contents.leaks.functions import arguments, functions_of
from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters
_MOST = 20
_RIGHTS = lazy_re2(r"(?i)admin|super|owner|root")
_SUPERUSER = lazy_re2(r"\bcreate_superuser\s*\(")
_MAKES = lazy_re2(
    r"(?i)\b(?:\w{0,30}(?:user|staff|account|admin|member|benutzer|usuari|utilisat|bruker|pengguna|operator)\w{0,12})(?:\.|::|->)(?:objects\.)?"
    r"(?:create\w*|updateOrCreate|firstOrCreate|upsert|insert\w*|find_or_create\w*|update_or_create|get_or_create|save|add)!?\s*\("
)
_PASSWORD = lazy_re2(
    r"(?i)pass(?:word|wd|wort|phrase)?_?\w{0,10}[\"']?\s*(?:=>|[:=])\s*(?:[\w.:>\\-]{1,40}\(\s*){0,3}(?:[\"'][^\"'\n$#{}<>]{4,60}[\"'])"
    r"|pass\w{0,12}[\"']?\s*(?:=>|[:=])[^\n]{1,60}\.update\(\s*[\"'][^\"'\n$#{}<>]{4,60}[\"']"
)
_ADMIN = lazy_re2(
    r"(?i)\b(?:rol\w{0,4}|is_?(?:admin|superuser|staff|owner)|admin|superuser|level|grade|group)[\"']?\s*(?:=>|[:=])\s*(?:true\b|[\"':]?(?:\w+(?:\.|::))?(?:super\w*|admin\w*|owner|root)\b)"
)
_TEXT = lazy_re2(r"(?:^|[,(\s])[\"'][^\"'\n$#{}<>]{6,60}[\"']\s*\)?\s*$")
_SAYS_SO = lazy_re2(
    r"(?i)seed|set_?up|install|init|boot|migrat|demo|test|fixture|create_?(?:super|admin|default|first)|ensure_?admin|add_?admin|handle|first_?run|populate"
)
_NOT_THE_APPLICATION = outside_application(
    r"cypress|factor(?:y|ies)|setup|install\w*|bootstrap|commands?|conftest|"
    r"cli|dev|playground|scripts?|init\w*|reproduc\w*|repro"
)
# A program that configures an application itself, or keeps its people in memory, is a trial.
_ALONE = lazy_re2(
    r"\bsettings\.configure\s*\(|[\"']:memory:[\"']|sqlite(?:3)?://[\"'/]?:memory:|\bsqlite://[\"']"
)
_DEVELOPING = lazy_re2(
    r"(?i)is_?dev\w*|isdevelopment|[\"'](?:dev|development|test|testing|local|e2e|demo|staging)[\"']|\bdebug\b|:memory:|sandbox|localhost|environ|getenv|process\.env"
)


def planted_user(text: str, within: str) -> str:
    """Return the call that makes an administrator with a password of the source, "" if none.

    Args:
        within: the path of the file in its project.
    """
    head = text[:_READ]
    if _RIGHTS.search(head) is None or _NOT_THE_APPLICATION.search(within) is not None:
        return ""
    code = running(head, within)
    if _ALONE.search(code) is not None:
        return ""
    bodies = (
        one.text
        for one in functions_of(code)
        if not (one.name and _SAYS_SO.search(one.name)) and _DEVELOPING.search(one.text) is None
    )
    return next(filter(None, map(_planted, bodies)), "")


def _planted(body: str) -> str:
    for match in islice(_SUPERUSER.finditer(body), _MOST):
        if _TEXT.search(arguments(body, match.end())) is not None:
            return str(match.group())
    for match in islice(_MAKES.finditer(body), _MOST):
        given = arguments(body, match.end())
        if _PASSWORD.search(given) is not None and _ADMIN.search(given) is not None:
            return str(match.group())
    return ""
