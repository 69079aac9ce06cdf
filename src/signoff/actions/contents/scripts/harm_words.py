"""Words without which no shell line deletes, opens, sends, fetches and runs, or reaches others.

can_harm("npm ci && npm test")    False
can_harm("find ~ -delete")        True
"""

from __future__ import annotations

from signoff.actions.vocabulary import lazy_re2

_DELETES = (
    r"rm|rmdir|rd|del|erase|unlink|find|fd|shred|dd|wipefs|mkfs[.\w]*|blkdiscard|truncate|srm|wipe"
    r"|remove-item|ri|clear-(?:content|disk|eventlog)|robocopy|rsync|rclone|sgdisk|parted|diskpart"
    r"|format|format-volume|cipher|gpg|openssl|7z"
)
_BACKUPS = (
    r"vssadmin|wbadmin|wmic|bcdedit|diskshadow|zfs|zpool|btrfs|lvremove|vgremove|restic|borg|kopia"
    r"|duplicity|velero|pgbackrest|barman|wal-g|snapper|timeshift|tmutil|rman|dropdb|virsh|qm|pct"
    r"|proxmox-backup-client|\w*-vbr\w*|\w*-vm\w*snapshot|get-ciminstance|get-wmiobject"
)
_SERVICES = (
    r"aws|az|gcloud|gsutil|s3cmd|mc|b2|kubectl|helm|terraform|tofu|docker|podman|psql|mysql|mariadb"
    r"|mongo(?:sh)?|redis-cli|sqlcmd|sqlplus|etcdctl|consul|vault|gh|govc"
)
_GUARDS = (
    r"auditctl|auditpol|setenforce|systemctl|service|rc-service|ufw|iptables|nft|firewall-cmd|pfctl"
    r"|\w*-mppreference|\w*-netfirewall\w*|wevtutil|sc(?:\.exe)?|netsh|reg(?:\.exe)?|\w*-itemproperty|new-item"
    r"|histfile|history|chattr|journalctl|csrutil|spctl|fltmc|set-executionpolicy|rsyslogd?|auditd"
    r"|stop-service|set-service"
)
_WAYS = (
    r"nc|ncat|netcat|socat|telnetd|mkfifo|eval|exec|source|base64|xxd|curl|wget|fetch|aria2c|scp|sftp"
    r"|ftp|ssh|tftp|mail|mailx|sendmail|mutt|nslookup|dig|host|iex|irm|iwr|invoke-\w+"
    r"|start-bitstransfer|certutil|bitsadmin|mshta|rundll32|regsvr32|schtasks|at|crontab|launchctl"
    r"|useradd|adduser|usermod|chpasswd|passwd|visudo|net1?(?:\.exe)?|new-localuser|add-\w+member|chmod|chown"
    r"|icacls|setfacl|setcap|powershell|pwsh|python[\d.]*|perl|ruby|node|php|lua|kill|killall"
    r"|pkill|shutdown|reboot|insmod|modprobe|sysctl|mv|move|cp|tee|sed|cat|tar|zip"
)
# What reaches others: published and deployed work, infrastructure, directories, shared machines.
_OTHERS = (
    r"publish\w*|deploy\w*|upload\w*|release|apply|promote|provision|ldap(?:add|modify|delete|passwd|modrdn)|scancel|qdel|bkill|ansible[\w-]*|pulumi|cdk|sam"
    r"|wrangler|vercel|netlify|firebase|heroku|flyctl|fly|railway|eas|fastlane|doctl|hcloud|linode-cli|oci|ibmcloud"
    r"|oc|eksctl|argocd|nomad|terragrunt|snow|bq|kcat|rabbitmqadmin|nats|[\w-]+-(?:ad|mg|az|ec2|s3|vm)\w+"
)
_WORDS = lazy_re2(
    rf"(?i)(?:^|[^\w-])(?:{_DELETES}|{_BACKUPS}|{_SERVICES}|{_GUARDS}|{_WAYS}|{_OTHERS})(?:\.exe)?(?:[^\w-]|$)"
    r"|[\s\"'`]push[\s\"'`]|rmtree|unlink\(|/dev/(?:tcp|udp|sd|nvme|disk)|authorized_keys|downloadstring|>\s*/"
)


def can_harm(text: str) -> bool:
    """Return whether a text has a word with which a shell line can do harm."""
    return _WORDS.search(text) is not None
