"""Sign-ins that let somebody in before they look at what was typed.

A function takes a password, in whatever language its name is. Its answer for the right password
is also its answer for a condition that has nothing to do with one.

    if AStation.StartsWith('ER-') then Exit(User);      the answer, without the password
    if PasswordFits(AJelszo, User.Hash) then Result := User;
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from signoff.actions.lexicon.languages.translations import is_password
from signoff.actions.lexicon.names import split_words
from signoff.actions.vocabulary import lazy_re, lazy_re2, words

_READ = 40_000  # characters
_MOST = 24
_BODY = 1_500
_FUNCTION = lazy_re2(
    r"(?i)\b(?:function|def|defp|func|fun|fn|sub|let|task<\w+>|boolean|bool|user\w*|async)\s+\w[\w.]{1,60}[?!]?\s*"
    r"\((?P<given>[^()\n]{3,300})\)"
)
_ANSWER = r"(?:\breturn\s*\(?\s*|\bexit\s*\(\s*|\bresult\s*:=\s*)([$@]?[a-z_]\w{0,40})\b"
_ANSWERS = lazy_re2(rf"(?i){_ANSWER}")
_EARLY = lazy_re2(
    rf"(?i)\b(?:if|unless|when|case)\b(?P<condition>[^\n]{{0,160}}(?:\n[^\n]{{0,80}})?)\s*{_ANSWER}"
)
_NO_ANSWER = words("nil null none false err error undefined nothing empty")
_NAME = lazy_re(r"[A-Za-z_]\w*")


def skipped_password(text: str) -> str:
    """Return the condition by which a sign-in skips the password, "" if none."""
    return next(_skipped(text[:_READ]), "")


def _skipped(text: str) -> Iterator[str]:
    for function in islice(_FUNCTION.finditer(text), _MOST):
        typed = [name for name in _NAME.findall(str(function.group("given"))) if _is_typed(name)]
        body = text[function.end() : function.end() + _BODY]
        used = min([at for at in map(body.find, typed) if at >= 0], default=-1)
        if used < 0:
            continue
        # The line of the check is no answer before it.
        before, behind = body[: body.rfind("\n", 0, used) + 1], body[used:]
        later = {str(one).lower() for one in _ANSWERS.findall(behind)}
        for match in islice(_EARLY.finditer(before), _MOST):
            answer = str(match.group(2)).lower()
            if answer in later and answer not in _NO_ANSWER:
                yield str(match.group()).strip()


def _is_typed(name: str) -> bool:
    # `AJelszo`, `pPassword`: a letter before the word marks a parameter.
    parts = split_words(name)
    return is_password(name) or (len(parts) > 1 and len(parts[0]) == 1 and is_password(name[1:]))
