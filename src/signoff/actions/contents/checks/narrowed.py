"""Conditions that refuse less, or accept more, and lists of demands that are emptied.

if (!totp.verify(code)) throw ..   -> if (!user.isDriver() && !totp.verify(code)) throw ..
if valid?(otp), do: conn           -> if shop?(conn), do: conn, else: check(conn)
apply_requirements: [approved]     -> apply_requirements: []
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.vocabulary import lazy_re2

_READ = 20_000  # characters of each text
_MOST = 60
_CONDITION = lazy_re2(r"\b(?:if|unless|elsif|elif|guard|when)\b\s*(.{4,200})")
_CHECKS = lazy_re2(
    r"(?i)auth|verif|valid|permi|\brole|signature|\botp|totp|mfa|2fa|passw|token|csrf|captcha|\bhmac|owner|admin|allowed|trusted|\bcheck|compare|secret"
)
_REFUSES = lazy_re2(
    r"(?i)\braise\b|\bthrow\b|\babort\b|\bhalt\b|\b40[0139]\b|forbidden|unauthori[sz]ed|\bdeny\b|\breject|\breturn\s+(?:false|err|nil|null|none)\b|\bpanic\b|\bdie\b|\bexit\b|denied|refuse|permission"
)
_TELLING = 12  # letters of a line that is found again
_ENDS = " \t:{)(;"
_LIST = lazy_re2(
    r"(?im)[\"']?\b([\w.-]*(?:require(?:d|ments?)|verif\w*|validat\w*|approv\w*|review\w*|guards?|polic(?:y|ies)|permission\w*|auth(?:enticat|oriz)\w*|middlewares?|checks?))[\"']?"
    r"\s*(?:=>|:=|[:=])\s*(?:\[([^\]\n]{0,400})\]|\{\s*\}|null\b|nil\b|NULL\b|None\b)"
)
# What hands the request on, in the words of the frameworks.
_PASSES = (
    r"(?:do:\s*conn\b|\breturn\s+(?:next|\$next|call_next|handler|await\s+next|await\s+call_next"
    r"|proceed|chain|true|True|conn)\b|\bnext\s*\(\s*\)|->\s*conn\b|chain\.doFilter|\.proceed\s*\()"
)
_LET_THROUGH = lazy_re2(
    rf"(?m)^[^\n]*\b(?:if|unless|when|case)\b[^\n]*(?:\n[^\n]*){{0,1}}?{_PASSES}"
)


def narrowed_check(old: str, new: str) -> str:
    """Return the condition by which an edit has a check cover less, "" if none."""
    before, after = old[:_READ], new[:_READ]
    if _CHECKS.search(before) is None:
        return _emptied(before, after)
    if len(_REFUSES.findall(after)) > len(_REFUSES.findall(before)):
        return _emptied(before, after)  # another way to check
    return _loosened(before, after) or _let_through(before, after) or _emptied(before, after)


def _loosened(old: str, new: str) -> str:
    """A refusing condition with one more `and`, or an accepting one with one more `or`."""
    now = list(_conditions(new))
    for was, refuses in _conditions(old):
        if _CHECKS.search(was) is None or len(was) < 6:
            continue
        for said, refuses_still in now:
            if was == said or was not in said or refuses != refuses_still:
                continue
            rest = said.replace(was, "", 1).strip()
            if _is_joined(rest, refuses=refuses):
                return said
    return ""


def _is_joined(rest: str, *, refuses: bool) -> bool:
    words = (
        ("&&", " and ", "andalso", "-and ", ".and.")
        if refuses
        else ("||", " or ", "orelse", "-or ", ".or.")
    )
    return any([word in f" {rest} " for word in words]) and not any(
        [word in f" {rest} " for word in (("||", " or ") if refuses else ("&&", " and "))]
    )


def _conditions(text: str) -> list[tuple[str, bool]]:
    """The conditions of a text, each with whether what follows refuses."""
    lines = text.split("\n")
    found = []
    for at, line in enumerate(islice(lines, 400)):
        match = _CONDITION.search(line)
        if match is not None:
            condition, _, rest = match.group(1).partition(" then")
            condition = condition.strip(_ENDS)
            behind = "\n".join([rest, *lines[at + 1 : at + 3]])
            found.append((condition, _REFUSES.search(f"{behind}\n{line}") is not None))
    return found


def _let_through(old: str, new: str) -> str:
    """A new condition that hands a request on before the check of the old text is made."""
    known = [str(match.group()) for match in islice(_LET_THROUGH.finditer(old), _MOST)]
    passing = [str(match.group()).strip() for match in islice(_LET_THROUGH.finditer(new), _MOST)]
    if len(passing) <= len(known) and not _moved(old, new):
        return ""
    kept = _kept(old, new)
    for line in passing:
        if _CHECKS.search(line.partition("\n")[0]) is None and line not in old and kept:
            return line
    return ""


def _moved(old: str, new: str) -> bool:
    """Whether a line of the old text that checks stands on its own behind something new."""
    return any([new.index(line) > old.index(line) for line in _kept(old, new)])


def _kept(old: str, new: str) -> list[str]:
    """The lines of the old text that check and stand in the new one."""
    return [
        line.strip()
        for line in old.split("\n")
        if len(line.strip()) > _TELLING and line.strip() in new and _CHECKS.search(line) is not None
    ]


def _emptied(old: str, new: str) -> str:
    """A list of demands that had entries and has none."""
    full = {
        str(match.group(1)).lower()
        for match in islice(_LIST.finditer(old), _MOST)
        if (match.group(2) or "").strip()
    }
    for match in islice(_LIST.finditer(new), _MOST):
        if not (match.group(2) or "").strip() and str(match.group(1)).lower() in full:
            return str(match.group()).strip()
    return ""
