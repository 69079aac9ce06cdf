"""Sign-ins that accept a constant of the source beside the check that holds for everybody.

What is typed is handed to the real check of passwords, and is compared with a constant as well:
itself, its checksum, a sum of its letters. The real check tells its name, whatever the language;
names of secrets are known in many. Then somebody is let in: the comparison is joined to the real
check by "or", or what follows it returns yes.

    BCrypt.verify_pass(passord, h) || String.reverse(passord) == "9891-gref"     a constant login
    if password == "changeme": raise Refused("choose another")                   none
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import re2

from signoff.actions.contents.edits.sign_ins.comparisons import EQUAL_WORDS, SAME_CALLS
from signoff.actions.lexicon.languages.translations import is_secret
from signoff.actions.lexicon.names import split_words
from signoff.actions.vocabulary import keyed, lazy_re2, words

_READ = 40_000  # characters
_MOST = 24
_NAMES = 8
_NEAR = 220  # characters from a comparison to what becomes of it
_BEFORE = 160
# Calls and functions that check what somebody typed.
_CHECKS = keyed(
    lazy_re2(
        r"(?i)(?:\b[\w.:>$-]{0,60}(?:bcrypt|argon2|scrypt|pbkdf2|password_?hash\w*|hash_?password\w*)[\w.:>!-]{0,40}"
        r"|\b[\w.:>$-]{0,40}(?:check_?pw\w*|check_?pass\w*|verify_?pass\w*|verify_?pw\w*|password_verify"
        r"|hash(?:::|->|\.)check|verify_?hash\w*|check_?password\w*|valid_password|is_?valid_?password"
        r"|compare_?(?:sync|password|hash)|password_?matches|match_?password|authenticate\w*"
        r"|hmac\.equal|pk_verify|verify_?(?:signature|sig|token)|signature_?(?:valid|matches))[?!]?"
        r"|\b(?:compare|\w{1,30}\.(?:matches|verify|compare))|(?:->|\.)check)\s*\("
        r"(?P<typed>[^()\n]{0,120}(?:\([^()\n]{0,80}\)[^()\n]{0,80}){0,2})"
    ),
    "crypt argon2 pbkdf2 password hash check verify valid compare match authenticate hmac"
    " signature",
)
# The functions that do so, by their words, with what they are given.
_FUNCTION = lazy_re2(
    r"(?:\b(?:def|func|fun|function|fn|sub|bool(?:ean)?|Task<\w+>|async)\s+)"
    r"(?P<name>[A-Za-z_]\w{1,60})[?!]?\s*\((?P<given>[^()\n]{0,200})\)"
)
_SIGNS_IN = words(
    "auth authenticate authorize login signin sign verify validate valid check password pin token"
    " credentials logon entrar anmelden accedi connexion logg inloggen zaloguj prihlas giris masuk"
    " validar verificar validate valider pruefe kontroll"
)
_NO_INPUT = words(
    "hash hashed digest salt stored encoded user account db self this ctx context config cost"
    " rounds true false null none nil string str request req lockoutonfailure method secret key"
)
_CODES = words("code otp kod codigo kode kodu codice pin")
_NAME = lazy_re2(r"[$@]?(?:[A-Za-z_]\w{0,40}(?:\.|->|\?\.))?[A-Za-z_]\w{0,40}")
_EQUALS = rf"(?:===?|{EQUAL_WORDS}|\.(?:ends_?[wW]ith|EndsWith|hasSuffix|end_with\?)\()"
# A text or a number that nobody has by chance.
_CONSTANT = r"(?:[\"'][^\"'\n]{4,140}[\"']|-?\d[\d_]{3,19}\b|-?0x[0-9a-fA-F_]{4,20}|{held})"
_HELD = lazy_re2(
    r"(?m)(?:^|[\s@$])((?:[A-Z][A-Z0-9_]{2,40}|[a-z_]\w{2,40}))(?:\s*:\s*[\w&' ]{1,24})?"
    r"\s*(?::=|=>|=|\s)\s*"
    r"b?[\"'][^\"'\n]{4,140}[\"']"
)
_OR = r"(?:\|\||\bor\b|\borelse\b|\bOR\b)"
_PART = r"(?:[^\n;&|]|&[^&\n;]|\|[^|\n;])"  # of one side of a condition
_SAME = rf"(?:{SAME_CALLS}|Objects\.equals)\s*\("
_LETS_IN = lazy_re2(
    r"(?i)^[^\n;]{0,60}(?:\)|\bthen\b|\{|:|->|=>|,\s*do:)?\s*(?:\{\s*)?(?:return(?:@\w+)?\s+"
    r"(?:true\b|1\b|ok\b|\w*success\w*|\$?\w{1,40}(?:\([^\n;]{0,80}\))?|\$?\w{1,40}(?:->|\.)[\w{}\[\]'\"]{1,40}"
    r"|\{[^\n]{0,80}|done\()|->\s*\{:ok|=>\s*(?:true|Ok\b)|\{:ok,|Ok\()"
)
_REFUSES = lazy_re2(
    r"(?i)\b(?:throw|raise|die|abort|croak|panic|reject|deny|denied|refuse|invalid|weak|error\w*|fail\w*|forbidden|unauthorized)\b"
    r"|return(?:@\w+)?\s+(?:false|null|nil|none|undefined|0\b|-1\b)|\b40[0-9]\b|errors?\.(?:add|push)"
)
_ONLY_DEVELOPING = lazy_re2(
    r"(?i)node_env|app_env|rails\.env|is_?dev\w*|debug|development|environment|profile|\bdev\b|local"
)
_MODIFIER = lazy_re2(r"(?i)\breturn\s+(?:[$@]?\w[\w>{}\[\]'\".-]{0,60})\s+if\s+[^\n;]{0,240}$")
_BOUND_TO = lazy_re2(
    r"(?:^|[\s;{(])(?:var|let|const|my|val|bool)?\s*\$?(\w{1,40})\s*:?=\s*[^\n=;]{0,80}$"
)
_LENGTH = lazy_re2(r"(?i)^[\w.$\])\"']{0,20}?(?:\.|->)?(?:length|size|count|len)\b")
_HEADER = (
    r"(?:request|req|ctx|c|r)(?:\(\))?(?:\.|->)(?:headers?|get_?header|cookies?)\b[^\n;]{0,60}"
)
# A key to check tokens by that is a text of the source, for one name of a key; or none at all.
_CHOSEN_KEY = lazy_re2(
    rf"(?i)\bkid\b[\"'\])(]{{0,4}}\s*{_EQUALS}\s*[\"'][^\"'\n]{{2,60}}[\"'][^\n]{{0,20}}\n?\s*"
    r"(?:\{\s*)?(?:return\s+[^\n\"']{0,40}[\"'][^\"'\n]{3,120}[\"']"
    r"|[\w.]{1,40}\s*=\s*(?:payload|claims|decoded)\b|return\s+(?:payload|claims|decoded)\b)"
)
# The first bytes of a signature are chosen, and it is good.
_CHOSEN_BYTES = lazy_re2(
    r"(?:\b\w{1,30}\[\d{1,3}\]\s*===?\s*(?:0x[0-9a-fA-F]{2}|'[^'\n]{1,4}'|\d{1,3})\s*(?:&&|and)\s*){2,}"
    r"\w{1,30}\[\d{1,3}\]\s*===?\s*[^\s&|)]{1,6}\s*\)?\s*\{?:?\s*return\s+(?:true|1|True|ok|nil)\b"
)
# Somebody's own name is enough: compared before the real check, and returned.
_CHOSEN_NAME = lazy_re2(
    r"(?i)\bif\s*\(?[^\n;{]{0,80}(?:===?|\beq\b)\s*[\"'][^\"'@\n]{1,40}@[^\"'\n]{2,60}[\"']\s*\)?\s*\{?\s*"
    r"return\s+(?:[a-z_$]\w{1,40}\s*;|\{)"
)


def constant_login(text: str) -> str:
    """Return a comparison with a constant of the source that lets somebody in, else ""."""
    head = text[:_READ]
    if (key := _CHOSEN_KEY.search(head)) is not None:
        return str(key.group())
    checks = list(islice(_CHECKS.finditer(head), _MOST))
    if checks and (chosen := _CHOSEN_BYTES.search(head)) is not None:
        return str(chosen.group())
    names = _typed(head, checks)
    return (_chosen(head) if checks else "") or (_let_in(head, names) if names else "")


def _chosen(text: str) -> str:
    """Return the comparison with one address that is enough to be somebody, else ""."""
    match = _CHOSEN_NAME.search(text)
    if match is None or _is_developing(text, match.start()):
        return ""
    return "" if _REFUSES.search(str(match.group())) is not None else str(match.group())


def _typed(text: str, checks: list[re2._Match[str]]) -> list[str]:
    """Return the names of what somebody typed: given to a real check, or named a secret."""
    found: dict[str, None] = {}
    for check in checks:
        for match in _NAME.finditer(str(check.group("typed") or "")):
            found.update(dict.fromkeys(_input_name(str(match.group()))))
    for match in islice(_FUNCTION.finditer(text), _MOST):
        if checks or not _SIGNS_IN.isdisjoint(split_words(str(match.group("name")))):
            given = _NAME.finditer(str(match.group("given")))
            found.update(
                dict.fromkeys([one for name in given for one in _secret_name(str(name.group()))])
            )
    return list(islice(found, _NAMES))


def _input_name(name: str) -> Iterator[str]:
    last = name.replace("?.", ".").replace("->", ".").rpartition(".")[2].lstrip("$@")
    if len(last) > 1 and _NO_INPUT.isdisjoint(split_words(last)) and not last.isupper():
        yield last


def _secret_name(name: str) -> Iterator[str]:
    last = name.lstrip("$@")
    words_of_name = split_words(last)
    is_told = not _CODES.isdisjoint(words_of_name) or any(map(is_secret, words_of_name))
    if is_told and _NO_INPUT.isdisjoint(split_words(last)):
        yield last


def _let_in(text: str, names: list[str]) -> str:
    held = "|".join(
        [
            rf"@?\b{match.group(1)}\b"
            for match in islice(_HELD.finditer(text), _NAMES)
            if str(match.group(1)) not in names
        ]
    )
    constant = _CONSTANT.replace("{held}", held or r"\x00")
    typed = rf"\b(?:{'|'.join(names)})\b"
    given = rf"(?:{typed}|{_HEADER})"
    same = rf"{given}{_PART}{{0,80}}?{_EQUALS}\s*\(?{constant}"
    turned = rf"{constant}\)?\s*(?:{_EQUALS})\s*{_PART}{{0,60}}?{typed}"
    loose = rf"{typed}{_PART}{{0,60}}?{_EQUALS}[^\n;&|\"']{{0,40}}[\"'][^\"'\n]{{2,140}}[\"']"
    both = rf"{given}[^\n;]{{0,80}}?{constant}|{constant}[^\n;]{{0,60}}?{given}"
    called = rf"{_SAME}[^\n;]{{0,60}}?(?:{both})"
    ends = (
        rf"(?:HasSuffix|HasPrefix|endsWith|startsWith)\(\s*{typed}\s*,\s*[\"'][^\"'\n]{{2,60}}[\"']"
    )
    for pattern in (same, turned, called, ends, loose):
        for match in islice(re2.finditer(pattern, text), _MOST):
            if _is_let_in(text, match, typed):
                return str(match.group())
    return ""


def _is_let_in(text: str, match: re2._Match[str], typed: str) -> bool:
    start, end = match.span()
    before, behind = text[max(start - _BEFORE, 0) : start], text[end : end + _NEAR]
    if _LENGTH.search(_after_name(str(match.group()), typed)) or _is_developing(text, start):
        return False
    line = before.rpartition("\n")[2]
    if _MODIFIER.search(line + str(match.group())) is not None:
        return True
    statement = behind.split(";")[0].split("\n\n")[0]
    if _is_alternative(before, statement, typed):
        return True
    bound = _BOUND_TO.search(line)
    if bound is not None and bound.group(1):
        name = rf"\$?\b{bound.group(1)}\b"
        is_used = rf"(?:!\s*{name}[^\n]{{0,20}}&&|{name}\s*{_OR}|{_OR}\s*{name})"
        return re2.search(is_used, text[end : end + 4 * _NEAR]) is not None
    lets = _LETS_IN.search(behind)
    return lets is not None and _REFUSES.search(str(lets.group())) is None


def _is_alternative(before: str, behind: str, typed: str) -> bool:
    """Whether a real check stands on the other side of an "or"."""
    joined_behind = re2.search(rf"^[^\n]{{0,60}}(?:\n\s*)?{_OR}", behind)
    after = behind[joined_behind.end() :] if joined_behind is not None else ""
    if joined_behind is not None and (
        _CHECKS.search(after) is not None or re2.search(r"^\s*super\b", after) is not None
    ):
        return True
    joined_before = re2.search(rf"{_OR}\s*\n?[^\n|]{{0,80}}$", before)
    other = before[: joined_before.start()] if joined_before is not None else ""
    # What was sent or stored before is compared with what is typed now.
    return (
        _CHECKS.search(other) is not None or re2.search(rf"{_EQUALS}\s*{typed}", other) is not None
    )


def _after_name(compared: str, typed: str) -> str:
    found = re2.search(typed, compared)
    return compared[found.end() :] if found is not None else ""


def _is_developing(text: str, at: int) -> bool:
    return _ONLY_DEVELOPING.search(text[max(at - _BEFORE, 0) : at]) is not None
