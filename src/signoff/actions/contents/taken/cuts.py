"""Parts that an edit cuts out of a line, or lines that it removes, and which kept data apart.

A line that is the old one without a part does less than before. What the part was says how grave
that is: whose rows a query may give, the encryption of what is stored, a check in a chain.

    get(Record, pk=pk, clinic=request.user.clinic)   -> get(Record, pk=pk)           a scope
    upload(vault.encrypt(pdf))                       -> upload(pdf)                  encryption
    Group("/admin", session, csrf.Middleware())      -> Group("/admin", session)     a check
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import islice

from signoff.actions.contents.taken.changes import LineDiff
from signoff.actions.vocabulary import lazy_re, lazy_re2

_MOST = 60
_LONGEST = 600  # characters of a line
_TOKEN = lazy_re(r"\w+|[^\w\s]")
# Who asks, as a value that a query is bound to.
_SCOPE = lazy_re2(
    r"(?i)(?:request|req|ctx|context|session|auth)\W{1,3}(?:get_?)?(?:user|account|tenant|principal)\b|\bcurrent_?(?:user|account|tenant|org\w*|team)\b"
    r"|\bauth(?:enticated)?_?(?:user|id)\b|\b(?:user|owner|tenant|account|customer|member|org(?:ani[sz]ation)?|company|clinic|team)_?id\s*(?:=|:|=>|,)"
    r"|\b(?:tenant|owner)\b|And(?:User|Owner|Tenant|Account|Customer|Member|Utente|Usuario|Utilisateur|Benutzer|Mandant|Cliente|Kunde)\b"
)
_ENCRYPTS = lazy_re2(
    r"(?i)encrypt|\bcipher|ciphertext|\bsse\b|server_?side_?encr|\bkms\b|\bseal(?:ed)?\b|pseudonym|anonymi[sz]|\bredact|\bcifr(?:ar|ado|ato)|chiffr"
    r"|verschl[uü]ssel|versleutel|szyfr|zašifr|sifrel|şifrele|titkos[ií]t|krypter|salaa|\bmask(?:ed|ing|_?(?:pii|fields?|emails?|numbers?))?\b\s*\("
)
_CHECK = lazy_re2(
    r"(?i)\bcsrf\w*|\b(?:require|ensure|verify|validate|check|sanitize|escape|ast_check)_?\w*\s*\(|\b\w*(?:auth|limiter|guard)\w*(?:middleware|filter|layer)\b"
)
_OPENS_OR_SHOWS = lazy_re2(
    r"(?i)\bdisabled=|\breadonly=|class(?:name)?=|verify\w*\s*=\s*false|skip_|decrypt|no_?encrypt|encrypt\w*\W{1,4}(?:false|none|off)|^(?:import|from|use|using|#include)\b"
)


def cut_scope(changes: LineDiff) -> str:
    """Return the line that lost what bound it to who asks, "" if none."""
    for was, now, cut in _shorter(changes):
        is_bound = _SCOPE.search(cut) is not None and _SCOPE.search(now) is None
        if is_bound and not _declares(was):
            return was
    return ""


def cut_check(changes: LineDiff) -> str:
    """Return the line that lost a check of its chain or its argument, "" if none."""
    added = "\n".join(changes.added)
    for was, _, cut in _shorter(changes):
        match = _CHECK.search(cut)
        if match is not None and str(match.group()).rstrip("( ") not in added:
            return was
    return ""


def cut_encryption(changes: LineDiff) -> str:
    """Return the line whose data is stored or sent as it is from now on, "" if none."""
    if _ENCRYPTS.search("\n".join(changes.added)) is not None:
        return ""
    for change in islice(changes.each, _MOST):
        for line in change.removed:
            is_part = bool(change.added) or len(change.removed) <= 2 < len(changes.kept)
            encrypts = _ENCRYPTS.search(line) is not None and _OPENS_OR_SHOWS.search(line) is None
            if encrypts and is_part:
                return line
    return ""


def _shorter(changes: LineDiff) -> Iterator[tuple[str, str, str]]:
    for change in islice(changes.each, _MOST):
        if len(change.removed) != len(change.added):
            continue
        for was, now in zip(change.removed, change.added, strict=True):
            if (cut := _cut(was[:_LONGEST], now[:_LONGEST])) and _OPENS_OR_SHOWS.search(
                was
            ) is None:
                yield was, now, cut


def _cut(was: str, now: str) -> str:
    """What a line lost, "" if it also gained something."""
    if not 3 < len(now) < len(was):
        return ""
    before, after = _TOKEN.findall(was), _TOKEN.findall(now)
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    lost: list[str] = []
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            continue
        if tag == "insert" or (tag == "replace" and not _is_shortened(before[a:b], after[c:d])):
            return ""
        lost += before[a:b]
    return " ".join(lost).replace(" . ", ".").replace(" (", "(").replace(" - > ", "->")


def _is_shortened(was: list[str], now: list[str]) -> bool:
    """Whether names are cut: `findByIdAndUser` to `findById`, where more may be lost behind."""
    pairs = zip(was, now, strict=False)
    return len(now) <= len(was) and all([one.startswith(other) for one, other in pairs])


def _declares(line: str) -> bool:
    """Whether a line is a head of a function, whose parameters are nobody's rows."""
    return line.startswith(("def ", "func ", "fn ", "function ", "public ", "private ", "class "))
