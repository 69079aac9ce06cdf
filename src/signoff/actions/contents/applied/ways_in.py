"""Ways in that configuration plants, in any format: rights for anybody, shells with rights.

install -m 4755 /bin/bash /usr/lib/.x              a shell that runs as root for everybody
user { 'sys': uid => 0, allowdupe => true }        a second root
Principal = { AWS = "*" }  with AdministratorAccess   whoever asks becomes an administrator
- name: system:unauthenticated  to cluster-admin   nobody has to log in
"""

from __future__ import annotations

from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters
_SHELL = r"/(?:ba|z|da|k|a)?sh\b"
_SETUID = lazy_re2(
    rf"(?i)\binstall\s[^\n]*(?:-m\s*|--mode[= ])(?:0?[4567]\d{{3}}|\S*u\+s)\b[^\n]*{_SHELL}"
    rf"|\bchmod\s+(?:\S*u\+s|0?[4567]\d{{3}})\s[^\n]*(?:{_SHELL}|/\.\w)"
)
# What the screen of logins starts for a key is another program: a shell of the system.
_LOGIN_SCREEN = lazy_re2(
    r"(?is)image file execution options(?:\\|/|\W)+(?:sethc|utilman|osk|magnify"
    r"|narrator|displayswitch|atbroker)\.exe.{0,300}?\bdebugger\b.{0,80}?\b(?:cmd|powershell|pwsh|taskmgr|explorer)(?:\.exe)?\b"
)
_SECOND_ROOT = lazy_re2(
    r"(?is)\buid[\"']?\s*(?:=>|[:=])\s*[\"']?0\b.{0,200}?\b(?:allowdupe|non_unique"
    r"|o)[\"']?\s*(?:=>|[:=])\s*(?:true|yes)"
    r"|\b(?:allowdupe|non_unique)[\"']?\s*(?:=>|[:=])\s*(?:true|yes).{0,200}?\buid[\"']?\s*(?:=>"
    r"|[:=])\s*[\"']?0\b"
)
_ANYBODY_BECOMES = lazy_re2(
    r"(?is)\bprincipal[\"']?\s*[:=]\s*(?:[\"']\*[\"']"
    r"|\{?\s*[\"']?AWS[\"']?\s*[:=]\s*\[?\s*[\"']?\*)"
)
_ASSUMES = lazy_re2(r"(?i)sts:AssumeRole\b")
_ALL_RIGHTS = lazy_re2(
    r"(?i)\b(?:AdministratorAccess|IAMFullAccess|PowerUserAccess)\b"
    r"|[\"']?action[\"']?\s*[:=]\s*\[?\s*[\"']\*[\"']"
)
_NARROWED = lazy_re2(r"(?i)\bcondition[\"']?\s*[:={]")
_NOBODY = lazy_re2(r"\bsystem:(?:unauthenticated|anonymous)\b")
_CLUSTER = lazy_re2(
    r"(?i)\bcluster-admin\b|\bname:\s*(?:admin|edit)\b"
    r"|verbs\s*:\s*\[?\s*-?\s*[\"']\*|\bsecrets\b"
)
_ACCEPTS = lazy_re2(r"(?im)^\s*DEFAULT\b[^\n]*\bAuth-Type\s*:?=\s*\"?Accept\b")
_KEY = lazy_re2(
    r"\b(?:ssh-(?:ed25519|rsa|dss)|ecdsa-sha2-\w+"
    r"|sk-ssh-ed25519\S*)\s+AAAA[\w+/=]{16,}"
)
_ROOT_KEYS = lazy_re2(
    r"(?i)>>\s*\S*authorized_keys\b|\broot/\.ssh/authorized_keys\b"
    r"|\.join\([\"'](?:root/)?\.ssh/authorized_keys"
)
_KEYS_FROM = lazy_re2(
    r"(?is)\bauthorized_key\b.{0,300}?\blookup\(\s*['\"]url['\"]\s*,\s*['\"](https?://[^'\"]+)"
)


# Whoever signs in is let in, before any password is asked for.
_PERMITS = lazy_re2(r"(?m)^[ \t]*-?auth[ \t]+sufficient[ \t]+pam_permit\.so\b")
# A shell of the system under another name, with the rights of its owner.
_FROM_SHELL = r"(?:source|src)[\"']?\s*(?:=>|[:=])\s*[\"']?(?:file://)?/\S*bin/(?:ba|z|da|k)?sh\b"
_SETUID_MODE = r"\bmode[\"']?\s*(?:=>|[:=])\s*[\"']?0?[4567]\d{3}\b"
_COPIED_SHELL = lazy_re2(
    rf"(?s)\b{_FROM_SHELL}[^{{}}]{{0,300}}?{_SETUID_MODE}|{_SETUID_MODE}[^{{}}]{{0,300}}?\b{_FROM_SHELL}"
)


def way_in(text: str) -> str:
    """Return what of a text lets strangers in once it is applied, "" if nothing does."""
    head = text[:_READ]
    for find in (
        _SETUID,
        _SECOND_ROOT,
        _LOGIN_SCREEN,
        _ACCEPTS,
        _KEYS_FROM,
        _PERMITS,
        _COPIED_SHELL,
    ):
        if (match := find.search(head)) is not None:
            return str(match.group())
    anybody = _ANYBODY_BECOMES.search(head)
    if anybody is not None and _ASSUMES.search(head) and _ALL_RIGHTS.search(head):
        return str(anybody.group()) if _NARROWED.search(head) is None else ""
    nobody = _NOBODY.search(head)
    if nobody is not None and _CLUSTER.search(head) is not None:
        return str(nobody.group())
    planted = _ROOT_KEYS.search(head)
    is_key = planted is not None and _KEY.search(head) is not None
    return str(planted.group()) if planted is not None and is_key else ""
