"""Names of what protects a machine: firewalls, audit, logging, antivirus, endpoint agents."""

from __future__ import annotations

from signoff.actions.vocabulary import keyed, lazy_re, lazy_words_re

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
PRODUCTS = lazy_words_re(
    r"(?i)\b(?:auditd|clamav|clamd|freshclam|crowdstrike|falcon-sensor|falcond?\.plist|falcond"
    r"|falconctl|com\.carbonblack|carbonblack|cbagentd|cbdaemon|cbdefense|sentinelone|sentineld"
    r"|sentinelctl|osqueryd?|wazuh(?:-agent)?|ossec|mdatp|wdavdaemon|windefend|xagt|cylancesvc"
    r"|sophos(?:-spl)?|savd|taniumclient|elastic-endpoint|elastic-agent|rapid7|qualys-cloud-agent"
    r"|fail2ban|rkhunter|apparmor|usbguard|aide|tripwire|santad|littlesnitch|lulu|com\.apple\.(?:alf|auditd|syslogd|xprotect\w*|mrt\w*)"
    r"|socketfilterfw|XProtect|sysmon(?:64)?|mpssvc|wscsvc|wdnissvc|eventlog|falco|msmpeng|nissrv"
    r"|windows[ _]defender|microsoft defender|securityhealthservice|auditpol|manage-bde|semanage"
    r"|crowdsec|suricata|snort|zeek|maldet|chkrootkit|tetragon|sysdig|cbagent|edr)\b"
)
# Settings of Windows that hold a protection up, by the names of their values.
PROTECTIVE_VALUES = lazy_re(
    r"(?i)\b(?:EnableLUA|ConsentPromptBehaviorAdmin|DisableAntiSpyware|DisableAntiVirus"
    r"|DisableRealtimeMonitoring|DisableBehaviorMonitoring|DisableTamperProtection|TamperProtection"
    r"|EnableFirewall|EnableSmartScreen|SmartScreenEnabled|RunAsPPL|EnableScriptBlockLogging"
    r"|EnableModuleLogging|ProcessCreationIncludeCmdLine_Enabled|DisableCMD)\b"
)
# What protects or records a cluster, a cloud account or a forge. The first group is protective
# under any name; of the second, one single rule by its name is an ordinary change.
REMOTE_SAFEGUARDS = lazy_words_re(
    r"(?i)\b(?:cloudtrail|guardduty|securityhub|macie2?|inspector2|configservice"
    r"|deactivate-mfa-device|delete-virtual-mfa-device|account-password-policy|disable-policy-type"
    r"|flow-logs|securitycenter|scc|gatekeeper(?:-[a-z-]+)?|kyverno|falco|kubewarden|neuvector"
    r"|constrainttemplates?|podsecuritypolic(?:y|ies)|podsecuritystandards?"
    r"|pod-security\.kubernetes\.io/enforce|diagnostic-settings|two_factor_requirement\w*"
    r"|secret_scanning\w*|vulnerability-alerts|advanced_security|require_two_factor\w*"
    r"|security pricing|security contact|mfa[-_ ](?:device|policy|enforce\w*)|audit[-_ ]?logs?"
    r"|audit (?:disable|device)|sinks)\b"
)
SAFEGUARD_KINDS = lazy_re(
    r"(?i)\b(?:(?:validating|mutating)(?:webhookconfigurations?|admissionpolic(?:y|ies))"
    r"|(?:cilium|calico|global)?networkpolic(?:y|ies)|netpol|authorizationpolic(?:y|ies)"
    r"|peerauthentications?|(?:cluster)?polic(?:y|ies)(?:\.kyverno\.io)|cpol|resourcequotas?)\b"
)
# What Windows rests on: its services and account keys in the registry, the memory that holds the
# passwords of everybody logged in, and the rights of whole system trees. A shell may have eaten
# the backslashes.
WINDOWS_CORE = keyed(
    lazy_re(
        r"(?i)\breg(?:\.exe)?\s+delete\s+\S*(?:HKLM|HKEY_LOCAL_MACHINE)\\*(?:SYSTEM|SAM|SECURITY)"
        r"(?:\\*CurrentControlSet(?:\\*(?:Services|Control))?)?[\\\"']*(?:\s|$)"
        r"|\breg(?:\.exe)?\s+(?:save|export)\s+\S*(?:HKLM|HKEY_LOCAL_MACHINE)\\*(?:SAM|SECURITY)\b"
        r"|\bdsacls(?:\.exe)?\s[^|;\n]{0,300}CN=AdminSDHolder[^|;\n]{0,300}/[gG]\b"
        r"|\bsekurlsa::|\blsadump::|\bMiniDump\b|\bprocdump\S*\s[^|;&]*lsass"
        r"|\bcipher(?:\.exe)?\s+/w:[A-Z]:"
        r"|\bicacls(?:\.exe)?\s+[\"']?[A-Z]:[\\/]*(?:Windows|Users|Program\sFiles)?[\\/\"']*\s[^|;&]*"
        r"\bEveryone:"
        r"|\btakeown(?:\.exe)?\s+/f\s+[\"']?[A-Z]:[\\/]*(?:Windows|Users)?[\\/\"']*\s[^|;&]*/r\b"
    ),
    "hklm hkey_local_machine dsacls sekurlsa lsadump minidump procdump cipher icacls takeown",
)
# Files whose settings keep others out, and the words by which they let them in.
SECURITY_FILES = lazy_re(
    r"^/(?:private/)?etc/(?:selinux/|ssh/sshd_config|sudoers|pam\.d/|audit/|apparmor|security/"
    r"|postgresql/.*pg_hba\.conf|login\.defs|fail2ban/|rsyslog|ufw/|firewalld/|pf\.conf|hosts\.(?:allow|deny)|sysctl)"
)
LOOSENING = lazy_re(
    r"(?im)SELINUX=(?:disabled|permissive)|PermitRootLogin[ =]+yes"
    r"|PermitEmptyPasswords[ =]+yes|NOPASSWD:\s*ALL|!authenticate|\bpam_permit\.so"
    r"|StrictModes[ =]+no|UsePAM[ =]+no|^\s*ALL\s*:\s*ALL\b|randomize_va_space\s*=\s*0"
    r"|\bhost\w*\s+all\s+all\s+(?:0\.0\.0\.0/0|::/0|all)\s+trust\b"
    r"|ENABLED=no\b|enabled\s*=\s*false|DEFAULT_INPUT_POLICY=.?ACCEPT"
)
