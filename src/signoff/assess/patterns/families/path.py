"""Paths that climb out of where they should stay, or name what nobody asks for by accident.

Every way to write a slash or a dot has been undone before (`decoding.as_path`): here they are `/`
and `.`, and `//` stands for any run of slashes.
"""

from __future__ import annotations

from signoff.assess.patterns.pattern import END, START, Pattern

UNIX_FILE = (
    "passwd|shadow|group|gshadow|hosts|hostname|issue|fstab|motd|mtab|crontab|sudoers|resolv\\.conf|profile"
    "|bashrc|services|networks|exports|environment|master\\.passwd|security|redhat-release|os-release"
    "|debian_version|inetd|php|apache|httpd|nginx|mysql|ssh|init\\.d|pam\\.d|rc|samba|vsftpd|proftpd|pure-ftpd"
    "|ftp|logrotate|lighttpd|chroot|fw|cups|snmp|x11|vhcs2|wu-ftpd|apt|my\\.|ld\\.so|updatedb|at\\.|cron"
)
WINDOWS_FILE = (
    "boot\\.ini|win\\.ini|system\\.ini|php\\.ini|my\\.ini|my\\.cnf|ntuser\\.|desktop\\.ini|pagefile\\.sys|autoexec\\.bat"
    "|config\\.sys|unattend|sysprep|applicationhost\\.config|web\\.config|global\\.asa|httpd\\.conf|sam\\.bak|sam\\.log"
    "|setupapi\\.log|windowsupdate\\.log|metabase\\.xml|netsetup\\.log|wpsettings\\.dat|inetpub|winnt/"
    "|repair/sam|repair/system|config/sam|config/regback|config/appevent|config/secevent|config/default\\.|system32/"
    "|windows/system|windows/repair|windows/panther|windows/debug|windows/win|windows/php|windows/temp|windows/iis"
    "|drivers/etc|programdata/|documents and settings/"
)
HOME_FILE = (
    "ssh|aws|gnupg|kube|docker/|azure|gcloud|bash_|mysql_history|psql_history|zsh_history|sh_history|bashrc"
    "|cshrc|netrc|pgpass|my\\.cnf|htpasswd|htaccess|htdigest|svn/|hg/|env|npmrc|pypirc|rhosts|dockercfg|viminfo"
    "|lesshst|subversion|s3cfg|nano_history|atfp_history|php_history|xauthority|forward|wp-config|git/config|git/head"
)

PATTERNS = (
    # Links inside a page seldom climb three folders, and none climbs six.
    Pattern("path.climb-far", r"(?:\.\.//*){6}"),
    Pattern(
        "path.climb-odd",
        r"\.\.\.+/+[.\w]|\.\.//+\.|\.\.;/|\.\x00|\.\.%|%2e%2e|\?\?/+\?\?/|\./\./\./|\.\?/+\.",
        certainty=0.8,
    ),
    Pattern(
        "path.climb-coded",
        r"(?:%2e|%c0%ae|%u002e|%252e|0x2e){2}|\.\.(?:\\|%5c|%2f|%25|%c0|%c1|%u|0x)|\\\.\.\\",
    ),
    # An alias without its slash (`location /static`): the folder beside the one that is served.
    Pattern("path.climb-alias", r"/[\w-]{1,80}\.\./+[\w.]"),
    Pattern("path.unix-file", rf"[/\x00\x1e?](?:private/)?etc/+(?:\.*/+)*(?:{UNIX_FILE})"),
    Pattern(
        "path.process-file",
        r"/proc/+(?:self|\d+|version|cpuinfo|meminfo|net/|mounts|cmdline|sched_debug|modules"
        r"|devices|interrupts|ioports|stat\b|swaps|filesystems|partitions)|/dev/(?:tcp|udp|fd"
        r"|stdin)\b",
    ),
    Pattern(
        "path.log-file",
        r"(?:/var/|/logs?/|/apache\d?/|/httpd?/|/nginx/|/lighttpd/|/usr/"
        r"|/opt/)[^\s]*(?:access|error|auth|messages|secure|syslog|dmesg|lastlog|faillog"
        r"|maillog|vsftpd|proftpd|wtmp|utmp|btmp|cron|mysql)[\w.-]*log|/var/(?:log|adm|run"
        r"|spool|mail|lib|www|cpanel|webmin|htmp)/|/log/(?:wtmp|utmp|messages|secure|dmesg"
        r"|btmp|lastlog)\b",
        certainty=0.8,
    ),
    Pattern(
        "path.absolute",
        rf"{START}[\s.]*/*(?:usr|opt|var|root|home|private|library|applications|volumes"
        r"|program files|system|xampp|lampp|srv|mnt|boot|bin|apache\d?|php\d?|mysql|nsm|www"
        r"|web)/[^\n]*(?:\.(?:conf|cnf|ini|log|cfg|err|plist|pid|frm|myd|ht|sql|bak|pem|key"
        rf"|bash|inc)|log\s*{END}|passwd|history|authorized_keys|id_[rd]sa|known_hosts|shadow"
        r"|/conf/)",
        certainty=0.8,
    ),
    Pattern(
        "path.home-secret",
        rf"(?:/|{START})\.(?:{HOME_FILE})|\bid_[rd]sa\b|\bauthorized_keys\b|\bknown_hosts\b",
        certainty=0.75,
    ),
    Pattern("path.windows-file", rf"(?:^|[/\x1e=\x00?.])(?:{WINDOWS_FILE})", certainty=0.8),
    # `c:/` opens honest file links too, so alone it is weak.
    Pattern("path.drive", rf"(?:{START}|file:/*)[a-z]:/+[\w$]", certainty=0.5),
    Pattern(
        "path.unc", rf"{START}\\\\[\w.:*?-]+\\|{START}//(?:localhost|127\.)|\\\\[?.]\\|\\\\::1\\"
    ),
    Pattern(
        "path.web-secret",
        rf"(?:/|{START})(?:web-inf/|meta-inf/|wp-config\.php|config\.inc\.php|phpinfo\.php"
        r"|server-status|_vti_|msadc/|scripts/\.\.(?:[^/\s]|//*(?:\.\.|winnt|windows))|iisadm|admin\.mdb|etc/passwd|etc/shadow"
        r"|dump\.sql|credentials\.json|web\.xml)",
        certainty=0.8,
    ),
    Pattern(
        "path.nul-end",
        # CWE-158: C ends the name at the NUL, so the ending that was checked is not the file's.
        r"%00|%2500|\x00\.?(?:html?|jpe?g|png|gif|pdf|txt|php|css|js|inc|zip|asp|cfm)"
        r"|;index\.html?",
    ),
    Pattern(
        "path.passwd-end",
        r"(?:/|%\w\w|\\|[^\w\s.-])(?:passwd|shadow|boot\.ini|win\.ini)(?:\x00|%00|[?&;]"
        rf"|{END})|etc.?.?.?.?.?.?.?(?:/|%|0x|u22|\x00)(?:hosts|issue|passwd|shadow)",
        certainty=0.8,
    ),
    Pattern("path.dots-only", rf"{START}/?(?:\.\.+/+)+\.*{END}|{START}\.\.+{END}", certainty=0.75),
    Pattern(
        "path.overlong",
        # Overlong UTF-8 that the decoder could not undo, also where percent signs were doubled.
        r"%(?:25)*(?:c[01]|e0%80|f[08]%80|fc%80)%?(?:[0-9a-f][0-9a-f]|[.%p-z])|%u(?:ff0e|ff0f"
        r"|f025|efc8|221[56]|002[ef]|ff3c)|%%(?:3\d%%\d|c0|\d)",
        certainty=0.8,
    ),
    Pattern(
        "path.coded-file",
        r"windows\W?\S*system32\W?\S*drivers|etc[^a-z\s]\S*(?:issue|passwd|shadow)\b"
        r"|(?:\.\.2f){2}|(?:\.\./\./){2}|\./\.\./\./\.\.",
        certainty=0.8,
    ),
)
