"""Values that an edit moves down a scale: of protocols, modes of a guard, roles and switches.

What a setting is called differs in every format; the words of its levels do not. Both texts are
taken apart into words, and a word that replaced another is compared with it: the pair must stand
on one scale, the new one lower, and what it belongs to must be about a guard unless the words
say so themselves.

    ssl verify required        -> ssl verify none               a level of a guard
    enforce: restricted        -> enforce: privileged           words of their own
    <key>AllowsInsecure</key> <false/>  -> <true/>              the key stands on the line above
    min_tls = "1.2"            -> "1.0"                         a version of TLS
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import islice

from signoff.actions.vocabulary import lazy_re, lazy_re2, words

_READ = 6_000  # characters of each text: an edit beyond that is a whole file
_MOST = 350  # words of each text; comparing them takes time by their square
_WORD = lazy_re(r"[A-Za-z_]\w*(?:[.-]\w+)*|\d+(?:\.\d+)*|\*+|[^\s\w]")
_ON = words("true yes on 1 enabled enable enforce enforced")
_OFF = words("false no off 0 disabled disable none")
# Words that only guards use: from the strictest on.
_OWN_SCALES: tuple[tuple[frozenset[str], ...], ...] = (
    (words("restricted"), words("baseline"), words("privileged")),
    (words("enforcing"), words("permissive"), words("disabled")),
    (words("enforce"), words("audit warn dryrun report-only permissive"), words("off disabled")),
    (
        words("verify-full verify_identity"),
        words("verify-ca verify_ca"),
        words("require required"),
        words("prefer preferred"),
        words("allow disable disabled"),
    ),
    (words("scram-sha-256 cert peer gss ldap"), words("md5"), words("password"), words("trust")),
    (words("samesitestrict"), words("samesitelax"), words("samesitenone")),
)
# Words that others use as well: what they belong to must be a guard.
_GUARD_SCALES: tuple[tuple[frozenset[str], ...], ...] = (
    (
        words(
            "required require demand mandatory always strict deny error block reject fail basic"
            " default"
        ),
        words("optional prefer preferred lax may warn warning moderate if_given log"),
        words("none never allow ignore disabled disable off any pass accept permissive"),
    ),
)
_TLS = lazy_re(r"(?i)(?:tls|ssl)_?v?(\d)(?:[._]?(\d)(?!\d))?|^(\d)\.(\d)$|^v?(\d)[._](\d)$")
_ABOUT_TLS = lazy_re2(r"(?i)tls|ssl")
_ABOUT_GUARD = lazy_re2(
    r"(?i)verif|validat|authenti|authori[sz]|auth[_-]?(?:type|mode|mechanism|enabled|required)?\b"
    r"|secur|csrf|xsrf|\btls|\bssl|encrypt|sandbox|signature|signed|checksum|\bmfa|\b2fa|firewall"
    r"|captcha|audit|integrity|advisor|vulnerab|admission|polic(?:y|ies)\b|peer_?cert"
)
_FLAG_GUARD = lazy_re2(
    r"(?i)verif|validat|authenti|auth_?(?:enabled|required)|secur|csrf|xsrf|encrypt|sandbox|signature"
    r"|checksum|firewall|captcha|\baudit|confirm|force_?ssl|ssl_?(?:admin|only|required)|disallow"
    r"|readonly_?root|run_?as_?non_?root|immutab"
    r"|(?:disable|disallow|deny|reject|block|forbid|prevent)\w{0,4}[_-]?(?:plain_?text|clear_?text|anonymous|insecure"
    r"|unsafe|weak|file_?edit|root)"
)
_FLAG_OPENER = lazy_re2(
    r"(?i)insecure|clear_?text|plain_?text_?auth|unsafe|bypass|anonymous|arbitrary|trust_?remote|remote_?code"
    r"|privilege_?escalation|ignore_?expir|(?:enable|allow|open)_?(?:self_?)?(?:registration|sign_?up)|unrestricted"
    r"|allow_?(?:http|root|all|any|guest|unsigned|pickle|override|privilege)|\bffi$|debug_?display|(?:^|[_-])prune$"
    r"|auto_?approve|force_?destroy|skip_?(?:final_?snapshot|verif|auth|tls|ssl|sign|valid)"
)
_NEGATED = lazy_re2(r"(?i)^(?:no|dis(?:able|allow)|deny|reject|block|forbid|prevent)")
_ROLE = lazy_re2(r"(?:ROLE_\w+|IS_AUTHENTICATED\w*|authenticated|hasRole|hasAuthority)$")
_NOBODY = lazy_re2(
    r"(?:PUBLIC_ACCESS|IS_AUTHENTICATED_ANONYMOUSLY|ROLE_ANONYMOUS|permitAll|anonymous)$"
)
_NAME = lazy_re(r"[A-Za-z_$][\w.$/-]{2,80}")
_TAG_KEY = lazy_re(r"<key>([^<]{2,80})</key>\s*$")


def lowered_level(old: str, new: str, *, is_source: bool = False) -> str:
    """Return what an edit moves down a scale, as `name: from to`, else "".

    Args:
        is_source: the text is a program, whose switches are often no settings.
    """
    for was, now, key, around in _replaced(old, new) if old else ():
        if _is_lower(was.lower(), now.lower(), key, around, is_source=is_source):
            return f"{key or around.strip()[:40]}: {was} -> {now}"
        if _ROLE.match(was) is not None and _NOBODY.match(now) is not None:
            return f"{was} -> {now}"
    return ""


def _is_lower(was: str, now: str, key: str, around: str, *, is_source: bool) -> bool:
    if any([_falls(scale, was, now) for scale in _OWN_SCALES]):
        return True
    if _tls(was, around) > _tls(now, around) > 0:
        return True
    # A constant of a program is a setting: `define('FORCE_SSL_ADMIN', true)`.
    if is_source and not key.isupper():
        return False
    is_guard = _ABOUT_GUARD.search(f"{around} {key}") is not None
    if is_guard and any([_falls(scale, was, now) for scale in _GUARD_SCALES]):
        return True
    return _is_switched(was, now, key)


def _is_switched(was: str, now: str, key: str) -> bool:
    """Whether a guard went off, or what lets in went on."""
    opens = _FLAG_OPENER.search(key) is not None and _NEGATED.match(key) is None
    if opens:
        return was in _OFF and now in _ON
    return was in _ON and now in _OFF and _FLAG_GUARD.search(key) is not None


def _falls(scale: tuple[frozenset[str], ...], was: str, now: str) -> bool:
    before = next((n for n, level in enumerate(scale) if was in level), None)
    after = next((n for n, level in enumerate(scale) if now in level), None)
    return before is not None and after is not None and after > before


def _tls(word: str, around: str) -> int:
    """The version of TLS that a word names, as a number; 0 if none."""
    match = _TLS.search(word)
    if match is None or _ABOUT_TLS.search(f"{around} {word}") is None:
        return 0
    major, minor, *_ = [*[part for part in match.groups() if part is not None], "0", "0"]
    return int(major) * 10 + int(minor)


def _replaced(old: str, new: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield each word of the new text that replaced one, with its key and the text around it."""
    before = list(islice(_WORD.finditer(old[:_READ]), _MOST))
    after = list(islice(_WORD.finditer(new[:_READ]), _MOST))
    matcher = SequenceMatcher(
        None, [m.group() for m in before], [m.group() for m in after], autojunk=False
    )
    for tag, start, end, other, other_end in matcher.get_opcodes():
        if tag != "replace" or end - start > 8 or other_end - other > 12:
            continue
        for was, now in zip(before[start:end], after[other:other_end], strict=False):
            key, around = _belongs_to(new, now.start())
            yield was.group(), now.group(), key, around


def _belongs_to(text: str, at: int) -> tuple[str, str]:
    """The name that a value belongs to, and the lines up to it."""
    begin = text.rfind("\n", 0, at) + 1
    line = text[begin:at]
    above = text[text.rfind("\n", 0, max(begin - 1, 0)) + 1 : begin] if begin else ""
    names = _NAME.findall(line)
    if names:
        return names[-1], f"{above}{line}"
    tag = _TAG_KEY.search(above.rstrip())
    return (tag.group(1) if tag else ""), f"{above}{line}"
