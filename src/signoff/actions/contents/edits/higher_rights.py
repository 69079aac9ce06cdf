"""Accounts that an edit exchanges for the one with the highest rights.

User=loom                                  ->  User=root
Account="NT AUTHORITY\\LocalService"        ->  Account="LocalSystem"
runAsUser: 10001                           ->  runAsUser: 0
requestedExecutionLevel level="asInvoker"  ->  level="requireAdministrator"
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.vocabulary import lazy_re2, words

_READ = 20_000  # characters
_MOST = 60
_SETTING = lazy_re2(
    r"(?im)(?:^|[\s<,{\"'-])(user(?:_?name)?|run_?as(?:_?(?:user|account|group))?|account"
    r"|identity_?type|run_?level"
    r"|service_?account|service_?(?:start_?)?name|obj|(?:requestedexecutionlevel\s+)?level"
    r"|process_?user|daemon_?user"
    r"|owner_?user|become_?user)[\"']?[ \t]*[:=][ \t]*[\"']?([^\"'\n;,}>]{1,60})"
)
_OF_IMAGE = lazy_re2(r"(?im)^[ \t]*(USER)[ \t]+(\S+)")
_HIGHEST = words(
    "root 0 0:0 root:root localsystem system nt_authority\\system .\\localsystem highestavailable"
    " requireadministrator highest administrator"
)
_LEVELS = words("level run_level runlevel")
_OF_LEVELS = words("highestavailable requireadministrator highest")


def higher_rights(old: str, new: str) -> str:
    """Return the account that took the place of one with fewer rights, else ""."""
    before, after = (_accounts(text[:_READ]) for text in (old, new))
    for key, account in after.items():
        was = before.get(key, "")
        if was and _is_highest(key, account) and not _is_highest(key, was):
            return f"{key}: {was} -> {account}"
    return ""


def _accounts(text: str) -> dict[str, str]:
    """Each key with its last account: an image runs as whom its last line names."""
    found: dict[str, str] = {}
    for find in (_SETTING, _OF_IMAGE):
        for match in islice(find.finditer(text), _MOST):
            key = "USER" if find is _OF_IMAGE else str(match.group(1)).lower().split()[-1]
            found[key] = str(match.group(2)).strip().rstrip("\\/").strip()
    return found


def _is_highest(key: str, account: str) -> bool:
    name = account.lower().replace(" ", "_")
    return name in (_OF_LEVELS if key in _LEVELS else _HIGHEST)
