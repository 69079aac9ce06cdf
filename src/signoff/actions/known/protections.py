"""Names of what protects a machine: firewalls, audit, logging, antivirus, endpoint agents."""

from __future__ import annotations

import re

# A service whose name begins so.
PROTECTIVE = (
    "ufw",
    "firewalld",
    "auditd",
    "apparmor",
    "clamav",
    "fail2ban",
    "nftables",
    "iptables",
    "rsyslog",
    "systemd-journald",
    "crowdsec",
    "falcon-sensor",
    "osqueryd",
    "wazuh",
    "ossec",
    "clamd",
    "falco",
    "syslog",
    "selinux",
)
# Products by the names of their services, packages, programs and folders.
PRODUCTS = re.compile(
    r"(?i)\b(?:auditd|clamav|clamd|freshclam|crowdstrike|falcon-sensor|falcond?\.plist|falcond"
    r"|falconctl|com\.carbonblack|carbonblack|cbagentd|cbdaemon|cbdefense|sentinelone|sentineld"
    r"|sentinelctl|osqueryd?|wazuh(?:-agent)?|ossec|mdatp|wdavdaemon|windefend|xagt|cylancesvc"
    r"|sophos(?:-spl)?|savd|taniumclient|elastic-endpoint|elastic-agent|rapid7|qualys-cloud-agent"
    r"|fail2ban|rkhunter|apparmor|usbguard|aide|tripwire|santad|littlesnitch|lulu|com\.apple\.(?:alf|auditd|syslogd|xprotect\w*|mrt\w*)"
    r"|socketfilterfw|XProtect|sysmon(?:64)?|mpssvc|wscsvc|wdnissvc|eventlog)\b"
)
