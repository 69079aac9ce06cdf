"""Words of a weakened check in a text that keeps it, or in an edit that lets in fewer than before.

A callback may refuse, a database may be that of this machine, an open path may be a narrower one:

    ..badCertificateCallback = (_, __, ___) => false      refuses what the system refused
    postgres://dev@localhost/shop?sslmode=disable         does not leave the machine
    /actuator/** permitAll      ->  /actuator/health permitAll, /actuator/** hasRole ADMIN
    @csrf_exempt                ->  @csrf_exempt  # the signature is compared below
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.vocabulary import lazy_re2

_MOST = 60
_OPENER = lazy_re2(
    r"(?i)permit_?all\(\)|@permitall\b|@csrf_exempt\b|\[allowanonymous\]|@allow_anonymous\b"
)
_STRICT = lazy_re2(
    r"(?i)\bhas(?:any)?(?:role|authority|scope)s?\b|\.authenticated\s*\(|\bdenyall\b|compare_digest|secure_compare|verify_signature|\[authorize\b|\brequires?_?\w{0,12}auth\w*|login_required"
)
# What everybody may see: whether it lives, how one logs in, pictures.
_MEANT = lazy_re2(
    r"(?i)health|ready|alive|liveness|static|assets|favicon|css|images?|/login|/signin|/error\b|webjars|robots"
)
_COMMENT = lazy_re2(r"\s(?:#|//|--)\s.*$")

_WORDS = ("certificate", "sslmode")
_NAME = (
    r"\b(?:onbadcertificate|badcertificatecallback"
    r"|servercertificate(?:custom)?validationcallback)\b"
)
_PARAMETERS = r"\s*[:=]\s*(?:async\s*)?(?:\([^()\n]{0,120}\)|\w{1,20})\s*"
_KEPT = lazy_re2(
    rf"(?i){_NAME}{_PARAMETERS}(?:=>|->|\{{\s*return)\s*(?:false\b"
    r"|[^\n;,|!]{0,120}==\s*(?:sslpolicyerrors\.none|[\w.$]{0,40}(?:pin|fingerprint|thumbprint|sha256|expected|known)\w{0,20})"
    r"[ \t)]*(?:[;,\n}]|$))"
    r"|(?:@|//|host=)(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?[/ ]"
    r"[^\s\"'`|]{0,120}?\bsslmode=disable"
    rf"|{_NAME}\s*[:=]\s*(?:nothing|null|nil|none)\b"
    r"|(?:server=|//)(?:localhost|127\.0\.0\.1|\.|\(local(?:db)?\))[^\"'`\n]{0,160}?\btrustservercertificate=(?:true|yes)\b"
    r"|\bhost=(?:localhost|127\.0\.0\.1)\b[^\"'`\n|]{0,160}\bsslmode=disable"
)


def without_strict_forms(text: str) -> str:
    """Return a text without the settings that read as weakened and are not."""
    low = text.lower()
    if not any([word in low for word in _WORDS]):
        return text
    return str(_KEPT.sub("", text))


def is_tightened(line: str, old: str, new: str) -> bool:
    """Return whether a new line that lets in is part of an edit that lets in no more.

    Args:
        line: the line that was found.
        old: the text before the edit, "" for a new file.
        new: the text behind it.
    """
    if not old or _OPENER.search(line) is None:
        return False
    before = [_bare(one) for one in _lines(old)]
    after = [_bare(one) for one in _lines(new)]
    if len(after) > len(before):
        return False
    unknown = [one for one in after if one not in before]
    is_stricter = len(_STRICT.findall(new)) > len(_STRICT.findall(old))
    return not unknown or (is_stricter and all([_MEANT.search(one) is not None for one in unknown]))


def _lines(text: str) -> list[str]:
    return [one for one in islice(text.split("\n"), 4_000) if _OPENER.search(one) is not None][
        :_MOST
    ]


def _bare(line: str) -> str:
    return str(_COMMENT.sub("", line)).strip()
