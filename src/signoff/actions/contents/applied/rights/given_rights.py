"""Rights that files of rights give: of sudo, and of the policies of Vault and OpenBao.

ALL ALL=(ALL) NOPASSWD: ALL                                  grave: everybody is root
www-data ALL=(root) NOPASSWD: /usr/bin/tee -a /etc/passwd    grave: whoever has it makes itself root
ada ALL=(ALL) ALL                                            somebody may want it
path "sys/audit/*" { capabilities = ["delete", "sudo"] }     grave: no record of what is done
path "sys/audit/*" { capabilities = ["deny"] }               nothing is given
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from signoff.actions.vocabulary import lazy_re2, words

_READ = 60_000  # characters
_MOST = 60
_OF_SUDO = lazy_re2(r"NOPASSWD|=[ \t]*\((?:ALL|root)|(?m:^[ \t]*Defaults\b)")
_GRANT = lazy_re2(
    # systemd-tmpfiles writes such a line with one of its own.
    r"(?m)^[ \t]*(?:f\+?[ \t]+/etc/sudoers\S*[^\n]*?[ \t]-[ \t]+)?"
    r"(?P<who>%?[\w+.\\-]+)[ \t]+[\w.,-]+[ \t]*=[ \t]*"
    r"(?:\([^()\n]*\)[ \t]*(?P<said>[^\n]+)|(?P<plain>NOPASSWD:[^\n]+))$"
)
_ANYBODY = words(
    "ALL %ALL %users %everyone nobody www-data daemon nginx apache http httpd guest anonymous ftp"
)
_BECOMES_ROOT = lazy_re2(
    r"(?i)(?:^|[\s,:])(?:ALL\b|/\S*/(?:(?:ba|z|da|k)?sh|python[\d.]*|perl|ruby|node|vim?|nano|emacs|less|env|find|awk|su|visudo)\b)"
)
_HARMS = lazy_re2(
    r"(?i)/tee\s+(?:-a\s+)?/(?:etc/(?:passwd|shadow|sudoers|ssh|cron)|root/)|authorized_keys"
    r"|/rm\s+(?:-\w+\s+)*(?:\*|/\*|/(?:mnt|srv|home|etc|var/lib|var/backups?)/?\S*\*)"
    r"|/auditctl\s+-(?:e\s*0|D)\b|/setenforce\b|/systemctl\s+(?:stop|disable|mask)\s+(?:audit|falco|wazuh|osquery|ufw|firewalld|nftables|apparmor|fail2ban)"
)
_UNRECORDED = lazy_re2(
    r"(?m)^[ \t]*Defaults\b[^\n#]*![ \t]*(?:syslog|logfile|log_input|log_output)\b"
)
_LOOKS = lazy_re2(
    r"^/\S*/(?:journalctl|tail|ls|df|du|lsblk|lsof|ss|netstat|dmidecode|smartctl|sensors|who|last)\b"
    r"|^/\S*/(?:systemctl|zpool|zfs|virsh|ufw|nft|ip|docker|lvs|pvs|vgs)\s+(?:status|show|list|is-active|ps|a)\b"
)
_UNASKED = lazy_re2(r"(?m)^[ \t]*Defaults\b[^\n#]*![ \t]*authenticate\b")
_PATH = lazy_re2(
    r"(?m)^[ \t]*path[ \t]+\"(?P<path>[^\"\n]+)\"[ \t]*\{[^{}]{0,400}?"
    r"\bcapabilities[ \t]*=[ \t]*\[(?P<given>[^\]\n]*)\]"
)
_CHANGES = lazy_re2(r"\"(?:create|update|delete|patch|sudo)\"")
_READS = lazy_re2(r"\"(?:read|sudo|update|create)\"")
_RULES_ALL = lazy_re2(
    r"^(?:\*|\+/\*|sys/?\*|sys/(?:audit|config/auditing|policies|policy|raw|seal|step-down|generate-root|rekey|rotate"
    r"|storage/raft/snapshot|mounts(?:/[\w-]+)?$|auth(?:/[\w-]+)?$)|auth/token/create-orphan|identity/entity(?:/|$))"
)
_GIVES_ALL = lazy_re2(r"^(?:sys/(?:raw|storage/raft/snapshot|generate-root)|transit/export)")


class GivenRights(Struct, frozen=True, kw_only=True):
    """The lines that give rights which nobody gives away, and those that somebody may want."""

    grave: tuple[str, ...] = ()
    other: tuple[str, ...] = ()


def given_rights(text: str) -> GivenRights:
    """Return what a text gives by lines of sudo, or paths of a policy."""
    head = text[:_READ]
    found = [*_of_sudo(head), *_of_policies(head)]
    return GivenRights(
        grave=tuple([line for line, is_grave in found if is_grave]),
        other=tuple([line for line, is_grave in found if not is_grave]),
    )


def _of_sudo(text: str) -> Iterator[tuple[str, bool]]:
    if _OF_SUDO.search(text) is None:
        return
    for match in islice(_GRANT.finditer(text), _MOST):
        said = str(match.group("said") or match.group("plain"))
        commands = said.removeprefix("NOPASSWD:").strip()
        is_unasked = "NOPASSWD" in said
        becomes = match.group("who") in _ANYBODY and _BECOMES_ROOT.search(said) is not None
        is_grave = is_unasked and (becomes or _HARMS.search(said) is not None)
        # With a password, and for commands by name, it is what such files are for.
        is_wide = is_unasked or commands == "ALL"
        if is_grave or (is_wide and any(map(_acts, commands.split(",")))):
            yield str(match.group()).strip(), is_grave
    for find, is_grave in ((_UNRECORDED, True), (_UNASKED, False)):
        line = find.search(text)
        if line is not None:
            yield str(line.group()).strip(), is_grave


def _acts(command: str) -> bool:
    """Whether a command that is allowed does more than look; an alias says nothing by itself."""
    command = command.strip()
    is_given = command == "ALL" or command.startswith("/")
    return is_given and _LOOKS.search(command) is None


def _of_policies(text: str) -> Iterator[tuple[str, bool]]:
    if "capabilities" not in text:
        return
    for match in islice(_PATH.finditer(text), _MOST):
        path, given = str(match.group("path")), str(match.group("given"))
        if '"deny"' in given:
            continue
        rules = _RULES_ALL.search(path) is not None and _CHANGES.search(given) is not None
        gives = _GIVES_ALL.search(path) is not None and _READS.search(given) is not None
        if rules or gives:
            yield str(match.group()).strip(), True
