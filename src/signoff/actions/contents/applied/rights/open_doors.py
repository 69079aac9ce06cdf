"""Settings by which services let anybody in: log-ins, keys, consoles, what a message brings.

auth sufficient pam_exec.so quiet /bin/true             PAM: a program that always succeeds
AuthorizedKeysFile .ssh/authorized_keys /tmp/.k/%u      SSH: whoever writes there logs in
update control { Auth-Type := Accept }                  RADIUS: no password is asked for
user default on nopass ~* +@all  with  bind 10.2.0.4    Redis: all commands, for everybody
pipe "sh" ["-c", "${1}"]                                Sieve: runs what a mail brings

What a manual writes the same way passes: a list of devices before `Accept`, a group of PAM.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from signoff.actions.known.hosts import HostClass, class_of_host
from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters
_MOST = 40
_BEFORE = 300  # characters in which a list of devices is asked
_NEAR = frozenset({HostClass.LOOPBACK, HostClass.PRIVATE})
_ANYBODYS = r"/(?:tmp|var/tmp|dev/shm)/"
_PAM = lazy_re2(
    r"(?im)^[ \t]*-?auth[ \t]+(?:sufficient|\[success=(?:done"
    r"|\d)[^\]\n]*\])[ \t]+(?:pam_rhosts\.so\b"
    r"|pam_exec\.so\b[^\n]*[ \t]/(?:usr/)?bin/(?:true|echo|:)\b"
    r"|pam_listfile\.so\b[^\n]*\bonerr=succeed\b"
    rf"|pam_\w+\.so\b[^\n]*[= \t]{_ANYBODYS}"
    r"|pam_succeed_if\.so\b[^\n]*\b(?:user|uid)[ \t]*(?:=|in\b|eq\b)[^\n]*)"
)
_SSH = lazy_re2(
    rf"(?im)^[ \t]*(?:authorized(?:keys|principals)file|trustedusercakeys)[ \t][^\n]*?{_ANYBODYS}"
    r"|^[ \t]*authorized(?:keys|principals)command[ \t]+[^\n]*(?:\b(?:curl|wget|nc|ncat|fetch"
    r"|socat)\b"
    rf"|{_ANYBODYS})"
)
_ACCEPTS = lazy_re2(r"(?i)\bAuth-Type[ \t]*:?=[ \t]*\"?Accept\b")
_OF_DEVICES = lazy_re2(r"(?i)authorized_macs|calling-station-id|\bmac[_-]?auth|\btest\b")
_STORE = lazy_re2(r"(?im)^[ \t]*user[ \t]+\S+[ \t]+on\b[^\n]*\bnopass\b[^\n]*[+]@(?:all|admin)\b")
_LISTENS = lazy_re2(r"(?im)^[ \t]*bind[ \t][^\n]*?\d\.\d|^[ \t]*protected-mode[ \t]+no\b")
_LOOPBACK_ONLY = lazy_re2(r"(?im)^[ \t]*bind(?:[ \t]+(?:-?127\.\S+|-?::1|localhost))+[ \t]*$")
_JOBS = lazy_re2(
    r"(?im)^[ \t]*dir[ \t]+[\"']?/(?:etc/(?:cron\S*|init\.d|profile\.d|sudoers\.d)"
    r"|var/spool/cron\S*|root(?:/\.ssh)?|home/\w+/\.ssh)[\"']?/?[ \t]*$"
)
_MODULE = lazy_re2(rf"(?im)^[ \t]*loadmodule[ \t]+{_ANYBODYS}\S+")
_WHOLE = lazy_re2(r"(?im)^[ \t]*root[ \t]+(?:\*[ \t]+)?/[ \t]*$[^}]{0,400}?\bfile_server\b")
_ENGINE = lazy_re2(
    r"(?i)\breverse_proxy\s+unix//?\S*docker\.sock|\bproxy_pass\s+http://unix:\S*docker\.sock"
    r"|\breverse_proxy\s+(?:localhost|127\.0\.0\.1):2019\b"
)
_HERE = lazy_re2(
    r"(?im)^[ \t]*(?:bind|listen)[ \t]+(?:127\.|localhost|\[?::1|unix)"
    r"|^[ \t]*(?:https?://)?(?:localhost|127\.0\.0\.1)(?::\d+)?[ \t]*\{"
)
# What a mail, a caller or a log-in brings, in the words of servers, in a line for a shell.
_BROUGHT = lazy_re2(
    r"(?i)\bpipe\b[^\n;]*\"(?:/\w+)*/?(?:ba|da|z)?sh\"[^\n;]*\$\{\w"
    r"|%\{exec:[^\n]*\bsh\b[^\n]*%\{"
    r"|\b(?:system|trysystem)\(\s*(?:/\S+/)?(?:ba|da)?sh\b[^\n]*\$\{(?:callerid|exten|arg|cdr"
    r"|shell)"
)
_TRUSTED = lazy_re2(
    r"(?im)^[ \t]*host\w*[ \t]+\S+[ \t]+\S+[ \t]+(\S+)"
    r"(?:[ \t]+255\S+"
    r"|[ \t]+0\.0\.0\.0)?[ \t]+trust\b"
)
_JUDGED_BY = lazy_re2(
    r"(?im)^[ \t]*host\w*[ \t]+[^\n#]*\b(?:radiusservers|ldapserver"
    r"|ldapurl)=\"?(?:ldaps?://)?([\w.-]+)"
)
_ANY = ("all", "0.0.0.0/0", "::/0")


def open_door(text: str) -> str:
    """Return the setting by which a service lets anybody in, "" if none does."""
    return next(_doors(text[:_READ]), "")


def _doors(text: str) -> Iterator[str]:
    for find in (_PAM, _SSH, _JOBS, _MODULE, _WHOLE, _BROUGHT):
        match = find.search(text)
        if match is not None:
            yield str(match.group()).strip()
    match = _ENGINE.search(text)
    if (
        match is not None
        and _HERE.search(text[max(0, match.start() - _BEFORE) : match.end() + 80]) is None
    ):
        yield str(match.group())
    for match in islice(_ACCEPTS.finditer(text), _MOST):
        if _OF_DEVICES.search(text[max(0, match.start() - _BEFORE) : match.start()]) is None:
            yield str(match.group())
    match = _STORE.search(text)
    if match is not None and _LISTENS.search(text) and _LOOPBACK_ONLY.search(text) is None:
        yield str(match.group()).strip()
    yield from _databases(text)


def _databases(text: str) -> Iterator[str]:
    """Lines of a database's list of hosts: strangers without a password, a foreign judge."""
    for match in islice(_TRUSTED.finditer(text), _MOST):
        if str(match.group(1)).lower() in _ANY or is_outside(str(match.group(1))):
            yield str(match.group()).strip()
    for match in islice(_JUDGED_BY.finditer(text), _MOST):
        host = str(match.group(1))
        if host.replace(".", "").isdigit() and is_outside(host):
            yield str(match.group()).strip()


def is_outside(address: str) -> bool:
    """Return whether an address or network such as `203.0.113.0/24` is public, not private."""
    host = address.partition("/")[0]
    is_address = ":" in host or host.replace(".", "").isdigit()
    return is_address and class_of_host(host) is HostClass.PUBLIC
