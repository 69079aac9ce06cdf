"""Guards that configuration switches off: firewalls, audit, intrusion detection, logs, history.

Tools that configure machines write the same fact in many ways: the name of a guard, and behind it
a word for off. Two guards at once are an attack or a disaster; one may be meant.

    auditd::service_enable: false          security.auditd.enable = lib.mkForce false;
    SecRuleEngine Off                      resource "aws_cloudtrail" "x" { enable_logging = false }
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from signoff.actions.contents.applied.records.audit_objects import audit_off
from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters
_MOST = 60
_NAMES = (
    r"auditd?|fail2ban|firewalld?|nftables|ufw|iptables|selinux|apparmor|falco\w*|wazuh|ossec"
    r"|crowdsec|clamav|clamd"
    r"|defender\w*|guardduty|cloudtrail|securityhub|sec(?:rule|audit)engine|modsecurity|rsyslogd?"
    r"|journald|aide|osqueryd?"
    r"|suricata|snort|zeek|sysmon|sentinelone|falcon[-_]sensor|tetragon|usbguard|auditbeat"
    r"|filebeat|tripwire"
)
_OFF = r"(?:false|off|no|0|disabled?|stopped|none|absent|masked|permissive|/dev/null)"
_LINE = lazy_re2(
    rf"(?im)^[^#;/\n]{{0,120}}?\b({_NAMES})(?:[^a-z\n][\w.:\"'\]\[-]{{0,50}})?\s*(?:[:=]|=>|\s)\s*"
    rf"(?:lib\.mk\w+\s+)?[\"']?{_OFF}\b"
)
_RESOURCE = lazy_re2(
    r"(?is)\bresource\s+\"(aws_cloudtrail|aws_guardduty_detector|aws_securityhub\w*"
    r"|aws_config_configuration_recorder_status"
    r"|aws_macie2\w*|aws_inspector2\w*|azurerm_security_center\w*"
    r"|google_scc\w*)\"\s*\"[^\"]*\"\s*\{[^{}]*?"
    r"\b(?:enable\w*|is_enabled|status)\s*=\s*\"?(?:false|disabled|suspended)\b"
)
_HISTORY = lazy_re2(
    r"(?i)\bunset\s+(histfile)\b|\b(histfile)\"?\s*=\s*[\"']?/dev/null"
    r"|\bset\s+\+o\s+(history)\b"
)
_KERNEL = lazy_re2(r"(?i)\b(audit|selinux|apparmor)=0\b")
_IN_DATABASE = lazy_re2(
    r"(?i)\buninstall\s+(?:plugin|component)\s+\W?(\w*audit\w*)"
    r"|\bdisable\s+trigger\s+\W?(\w*audit\w*)"
    r"|\bdrop\s+(?:event\s+)?trigger\s+(?:if\s+exists\s+)?\W?(\w*audit\w*)|\bnoaudit\s+(policy)\b"
    r"|\btruncate\s+(?:table\s+)?[^;]{0,80}?\b(\w*audit\w*)|\b(pgaudit\.log)\s*=\s*'?none"
    r"|\b(log_connections|general_log|log_statement)\s*=\s*'?(?:off|0|none)\b"
    r"|\b(purge\s+binary\s+logs)\s+before\s+now"
    r"|\b(dbms_fga\.drop_policy|noaudit\s+all|drop\s+audit\s+policy)\b"
    r"|\bdelete\s+from\s+(sys\.(?:aud|fga_log)\$)"
)
# SQL Server takes an audit off to change it, and on again.
_SERVER_AUDIT = lazy_re2(
    r"(?i)\b(alter\s+(?:server|database)\s+audit)\b[^;]{0,160}?\bstate\s*=\s*off\b"
    r"|\b(drop\s+(?:server|database)\s+audit)\b"
)
_ON_AGAIN = lazy_re2(r"(?i)\bcreate\s+(?:server|database)\s+audit\b|\bstate\s*=\s*on\b")


def guards_off(text: str) -> tuple[str, ...]:
    """Return the names of the guards that a text switches off, each once."""
    return tuple(dict.fromkeys(_names(text[:_READ])))


def _names(text: str) -> Iterator[str]:
    patterns = [_LINE, _RESOURCE, _HISTORY, _KERNEL, _IN_DATABASE]
    patterns += [_SERVER_AUDIT] if _ON_AGAIN.search(text) is None else []
    for find in patterns:
        for match in islice(find.finditer(text), _MOST):
            yield str(next(filter(None, match.groups()), "")).lower()
    yield from audit_off(text)
