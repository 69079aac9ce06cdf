"""Shell, interpreter and runtime commands where a plain value was expected."""

from __future__ import annotations

from signoff.assess.patterns.pattern import END, START, Pattern

# What attackers run to see whether they can run anything, and what they run next.
PROBE = (
    r"id|whoami|uname|cat|tac|nl|ls|dir|pwd|ping6?|sleep|wget|curl|lwp-download|fetch|nc"
    r"|ncat|netcat|netstat|ifconfig|ipconfig|nslookup|dig|tasklist|systeminfo|ver|whereis"
    r"|printenv|ps|uptime|route|arp|traceroute|tracert|chmod|chown|rm|cp|mv|touch|tftp"
    r"|ftp|telnet|ssh|scp|reg|regsvr32|rundll32|certutil|bitsadmin|mshta|wmic|cscript"
    r"|wscript|net1?|sc|schtasks|taskkill|bash|sh|zsh|ksh|csh|dash|cmd|powershell|pwsh"
    r"|python[23]?|perl|ruby|php|node|lua|java|gcc|awk|gawk|sed|grep|egrep|tail|printf"
    r"|base64|xxd|od|hexdump|tar|zip|gzip|dd|mkfifo|mknod|crontab|passwd|useradd|adduser"
    r"|usermod|su|sudo|sendmail|df|du|lsof|lsmod|dmesg|hostname|phpinfo|del|get-\w+"
    r"|invoke-\w+|iex|start-\w+|new-object|nmap|socat|tcpdump|xterm|yum|apt|apt-get|dpkg"
    r"|rpm|systemctl|ip|iptables|vi|vim|nano|ed|busybox"
)
# English words too: they count only with what follows a command, not a word.
WORDS = (
    r"more|less|copy|move|last|w|at|head|host|date|mail|find|set|type|kill|make|init|halt"
    r"|vol|strings|mount|service|command|import|who|which|start|finger|reboot|shutdown"
    r"|eval|exec|system|env|echo|sort"
)
# A value that is only the name of a tool no visitor would look for.
TOOLS = (
    r"autoreconf|badblocks|chage|chflags|colrm|dircolors|disown|dnssec-signzone|e2label|fingerd"
    r"|getopts|hdparm|isoinfo|killall|lpinfo|mbadblocks|mdfind|mke2fs|mimencode|objcopy"
    r"|openfiles|pathping|praliases|rarpd|rusersd|ruptime|rwhod|setterm|slabtop|system_profiler"
    r"|unalias|unexpand|unicode_start|unicode_stop|whois|ypinit|ypwhich|eventtriggers"
    r"|aconnect|addr2line|adduser|arecordmidi|arp|attrib|awk|base64|bcdedit|bitsadmin"
    r"|bunzip2|bzcat|bzgrep|bzip2|bzip2recover|bzless|cacls|certutil|chattr|chgrp"
    r"|chkconfig|chmod|chown|chpasswd|chroot|cmd|cpio|crontab|cscript|cupsctl|curl|dd"
    r"|defaults|deluser|depmod|diskpart|dmesg|dscl|edquota|fdisk|fsck|gawk|gdb|getcap"
    r"|getent|getfacl|gpresult|gpupdate|groupadd|gunzip|gzip|hexdump|hwclock|icacls"
    r"|ifconfig|insmod|ip6tables|ipconfig|ipcrm|ipcs|ipseccmd|iptables|isosize|journalctl"
    r"|kadmin|kinit|klist|lastlog|launchctl|ldapsearch|ldconfig|ldd|lpadmin|lsattr|lsblk"
    r"|lsmod|lsof|lspci|lsusb|ltrace|makedbm|mkdir|mkfifo|mkfs|mklost\+found|mknod|mkswap"
    r"|mktemp|modprobe|mshta|msiexec|nbtstat|ncat|netcat|netsh|netstat|nmap|node|nohup"
    r"|nslookup|ntpdate|objdump|osacompile|osascript|passwd|perl|php|pkexec|plutil"
    r"|powershell|prncnfg|pwsh|python|qprocess|quotaon|qwinsta|readelf|reg|regsvr32"
    r"|repquota|rmdir|rmmod|rpcgen|rpcinfo|rsync|ruby|rundll32|runlevel|rusers|sc"
    r"|schtasks|scp|setcap|setfacl|setsid|sftp|showmount|sips|smbclient|socat|ssh-agent"
    r"|ssh-keygen|sshd|strace|sudoedit|sw_vers|swapon|sysctl|systemctl|systeminfo|takeown"
    r"|taskkill|tasklist|tcpdump|telinit|telnet|tftp|traceroute|tracert|ulimit|umount"
    r"|uname|update-rc\.d|useradd|userdel|usermod|utmpdump|uudecode|uuencode|visudo"
    r"|vssadmin|wevtutil|wget|whoami|wmic|wscript|xargs|xcrun|xxd|ypcat|zcat|zdump|zgrep"
    r"|znew"
)
# What cmdlets of PowerShell are about: `test-label` is a label, `test-path` a cmdlet.
NOUNS = (
    r"acl|alias|authenticodesignature|childitem|clixml|command|computer\w*|content"
    r"|controlpanelitem|counter|credential|csv|culture|date|debug|error|event\w*|executionpolicy"
    r"|expression|file\w*|formatdata|guid|help|history|host|hotfix|item|itemproperty\w*|job|json"
    r"|list|local\w+|location|mailmessage|member|module\w*|net\w+|null|object|output"
    r"|package\w*|parameter|path|pfxcertificate|process|progress|ps\w+|random|recyclebin"
    r"|restmethod|runspace\w*|scheduled\w+|securestring|service|sleep|smb\w+|string|table|tag"
    r"|temporaryfile|timezone|trace\w*|transaction|transcript|typedata|type|uiculture|unique|user"
    r"|variable|verbose|warning|web\w+|wide|win\w+|wmi\w+|wsman\w*|xml|cim\w+|ad\w+|vm\w*"
    r"|timespan|console|disk|volume|partition|printer|dns\w+|firewall\w*|mp\w+|bitstransfer|clipboard|hash\w*"
)
PLACE = r"(?:[\\/\w.*?$\{\}-]*/)?"  # the folder a program may be named with
STOP = rf"(?:['\"]|\b)(?:[\s;|&<>)\x60'\"+,%$\{{}}/]|{END}|\x00)"

PATTERNS = (
    Pattern(
        "command.chained",
        rf"(?:;|\||&|\n|\r|\$\(|%0a|\x1a)[\s'\"({{+]*{PLACE}(?:{PROBE}){STOP}",
        certainty=0.8,
    ),
    Pattern(
        "command.chained-word",
        rf"(?:;|\||&|\n|\r|\$\(|%0a|\x1a)[\s'\"({{+]*{PLACE}(?:{WORDS})(?:\s*[/\\%;"
        r"|&\x60'\")]|\s+-|\s+\w:"
        rf"|\s*{END})",
        certainty=0.8,
    ),
    Pattern(
        # A cell that a spreadsheet hands to another program: `=cmd|' /c calc'!a0` (CWE-1236).
        "command.sheet-program",
        r"[=+@-][^\n'\"|]{0,80}\b[\w.]{2,20}\|\s*['\"][^\n'\"]{1,300}['\"]\s*!"
        r"|[=+@-]\s*dde(?:auto)?\s*\(",
    ),
    Pattern(
        "command.tool-name",
        rf"{START}(?:{TOOLS})(?:\.exe)?{END}",
        certainty=0.5,
    ),
    Pattern(
        "command.cmdlet",
        rf"{START}(?:get|set|new|remove|add|clear|import|export|invoke|start|stop|out|select"
        r"|write|read|format|convertto|convertfrom|copy|move|rename|resume|restart|suspend"
        r"|test|update|enable|disable|join|split|measure|compare|group|sort|push|pop|where"
        r"|foreach|tee|trace|unregister|register|limit|show|wait|use|undo|complete|connect"
        r"|disconnect|enter|exit|receive|send|checkpoint|restore|reset|resolve"
        rf"|debug)-(?:{NOUNS}){END}",
        certainty=0.5,
    ),
    Pattern(
        "command.split-word",
        # Quotes, backslashes and empty variables inside a word vanish in a shell: `w''ho$@ami`.
        r"(?:[;|&\x60(]|^)\s*(?:[a-z]{1,4}(?:''|\"\"|\\|\$@|\$\*|\$\{[^}]{0,8}\}|\x60\x60"
        # The caret of cmd.exe stands inside a word; `x^2` is a power.
        r"|\^[a-z])){1,8}[a-z]{0,8}\b|\bw['\"\\]h['\"\\]?o|c\^?a\^t\b|/b?\?{1,8}[in]*/|/\?\?\?/"
        r"|/b[\[*]|\$\{(?:path|home|pwd|shell|ps2|#)[:%#\[]",
    ),
    Pattern(
        "command.ifs",
        # Blanks avoided: `cat${IFS}/etc/passwd`, `{cat,/etc/passwd}`, `cat</etc/passwd`.
        r"\$\{?ifs\b|\$ifs\$|\{(?:cat|ls|ping|curl|wget|nc|echo|sleep|bash|sh"
        r"|python\d?),[^}\s]+\}|<\s*/etc/passwd|\bcat\s*<",
    ),
    Pattern(
        "command.shell-path",
        r"(?:^|[\s;|&'\"\x60(=,<>!])/?(?:usr/)?(?:local/)?s?bin/(?:ba|z|k|c|da|tc)?sh\b"
        r"|/(?:usr/)?s?bin/(?:id|cat|ls|nc|perl|python|whoami|uname|ping|curl|wget|ps|echo"
        r"|sleep|netcat|telnet|env|kill|more|tail|head)\b|\bcmd(?:\.exe)?\s*(?:/[a-z]\b|%20)"
        r"|\bcmd\.exe|\bpowershell(?:\.exe)?\s+-|\\(?:windows|winnt)\\system32\\\w"
        r"|/dev/(?:tcp|udp)/",
    ),
    Pattern(
        "command.substitution",
        rf"\$\(\s*{PLACE}(?:id|whoami|uname|cat|ls|pwd|ping|sleep|wget|curl|nc|ncat|nslookup"
        r"|dig|echo|bash|sh|python\d?|perl|php|printenv|env|ifconfig|hostname|\x60)[\s)+;|&/]"
        r"|\$\(\s*\x60\s*\w"
        rf"|[\x1e;|&$\w=>\x60\"\')]\x60\s*{PLACE}(?:id|whoami|uname|cat|ls|pwd|ping|sleep|wget"
        r"|curl|nc|nslookup|dig|ifconfig|netstat|hostname|ps|env|dir|which|bash|sh|echo"
        r"|type)(?:\s[^\x60\n{]*)?\x60",
        certainty=0.8,
    ),
    Pattern(
        "command.reverse-shell",
        r"\bnc(?:at)?\s+(?:-\w+\s+)*-\w*[el]\w*\b|\bbash\s+-i\b|>&\s*/dev/tcp|0>&1"
        r"|\bsocket\.socket\b|fsockopen\s*\(|\bmkfifo\s+/tmp|exec\s+\d+<>|-e\s+/bin/(?:ba)?sh"
        r"|\bpty\.spawn\b|\bfilterfrom\b|tcpclient\(",
    ),
    Pattern(
        "command.call",
        r"\b(?:system|exec|shell_exec|passthru|popen|proc_open|pcntl_exec|backticks|assert"
        r"|call_user_func(?:_array)?|create_function|phpinfo|file_get_contents"
        r"|file_put_contents|readfile|include|require|spawn|execsync|child_process|os\.system"
        r"|subprocess\.\w+|__import__|eval|base64_decode|var_dump|print_r|posix_\w+|ini_set"
        r"|getenv|win32_\w+|wscript\.shell|runtime\.getruntime|processbuilder|execfile"
        r"|compile|open|unlink|chmod|highlight_file|show_source)\s*(?:\("
        r"|%28)\s*['\"$@\\/\w)(]",
        certainty=0.75,
    ),
    Pattern(
        "command.php-tag",
        r"<\?(?:php|=|\s)|\$_(?:get|post|request|server|cookie|files"
        r"|session)\b|\{php\}|<script\s+language\s*=\s*['\"]?php|\bphp\s+-r\b",
    ),
    Pattern("command.php-open", r"<\?php\b|<\?=\s*(?:[$\x60\w]\w|\x60\s*[$\{])|\beval\s*\(\s*\$_"),
    Pattern("command.split-string", r"(?:['\"][^'\"\n]{0,8}['\"]\s*[&+.]\s*){2}['\"]"),
    # A page of Java or ASP that runs what it is sent, in a file of any kind.
    Pattern(
        "command.page-code",
        r"<%@\s*page\s+(?:import|language)\s*=|<%[^%\x1e]{0,300}(?:getruntime\s*\(|processbuilder"
        r"|request\.(?:getparameter|item|form|querystring)|request\s*[(\[]|createobject\s*\()",
    ),
    Pattern("command.asp-tag", r"<%\s*(?:=|eval|@|\w)"),
    Pattern(
        "command.option",
        # A value that becomes an option of its own: of ssh, tar, git, rsync, curl, find, sed.
        rf"{START}\s*(?:-o\s*(?:proxy|local|remote|knownhosts)command\b"
        r"|--(?:checkpoint-action|to-command|use-compress-program|upload-pack|receive-pack|exec"
        r"|rsh|rsync-path|open-files-in-pager|ssh-cmd|remote-cmd|init-file|use-askpass|pager"
        r"|unzip-command|compress-program|post-file|output-document)=\S"
        r"|-(?:exec|execdir|ok|okdir|fprintf)\s+\S)",
    ),
    # CVE-2017-1000117: the host of an address becomes an option of ssh.
    Pattern("command.host-option", r"\b(?:ssh|git\+ssh|svn\+ssh|hg)://-o?\w"),
    # A name put together of variables, and run: `a=i;b=d;$a$b`.
    Pattern(
        "command.assembled",
        r"(?:^|[;&|\s])\w{1,9}=[^;\s]{1,20};(?:\w{1,9}=[^;\s]{1,20};){0,8}\s*\$\w{1,9}\$\w"
        # Given a name, then run: `&CMD=$'id';$CMD`.
        r"|(?:^|[;&|\s]|%0[ad])[a-z_]\w{0,20}=\$?\\?['\"][^;\n]{1,80};\s*\$[a-z_]",
    ),
    # CVE-2016-3714: ImageMagick hands such an address to a shell.
    Pattern(
        "command.delegate", r"\b(?:url|image)\s*\(?\s*['\"]?https?:[^)\n]{0,200}['\"\x60]\s*[|;&]"
    ),
    Pattern("command.transport", r"\bext::\S"),  # what git runs as the other side
    # CVE-2014-6271: bash ran what followed a function in a variable.
    Pattern("command.shellshock", r"\(\s*\)\s*\{\s*[:_;\w]*\s*;?\s*\}?\s*[;>]|\(\)\s*\{\s*_;"),
    Pattern(
        "command.jndi",
        # CVE-2021-44228: nested lookups spell the word past filters, as `${lower:j}ndi`.
        r"\$\{\s*(?:jndi|\$\{|lower:|upper:|env:|sys:|java:|date:|::-|ctx:|main:|k8s:|script:"
        r"|dns:|url:|base64decoder:)|%24%7bjndi|\bjndi:(?:ldap|rmi|dns|iiop|nis|corba)",
    ),
    Pattern(
        "command.runtime",
        r"java\.lang\.(?:runtime|process\w*|system|class|thread\w*)|getruntime\s*\(\s*\)"
        r"|#_memberaccess|@ognl|\(#\w+\s*=|%\{\s*\(?#|%\{\d|class\.module\.classloader"
        r"|org\.apache\.(?:commons|struts|catalina|logging)|freemarker\.template"
        r"|javax\.script|\brequire\s*\(\s*['\"](?:child_process|fs|os|net|http|util|vm)"
        r"|process\.(?:mainmodule|binding|dlopen)|global\.process|(?:^|[^.\w])kernel\.\w|\bio\.popen"
        r"|\bos\.(?:execute|popen|getenv)|ruby\s+-r?e|perl\s+-e|python[23]?\s+-c|__builtins__"
        r"|__globals__|\binvokemethod\b|\bdeserialize\b",
    ),
    Pattern(
        "command.whole",
        rf"{START}[\s'\"+&;|]*{PLACE}(?:cat\s+(?:/+\w+/|~|\.\./|/etc|\\|[\w.]+\.\w+\s*{END})"
        r"|ls\s+-\w|ls\s+/|ping\s+-?\w?\s*-?[\dn]"
        r"|uname\s+-|net\s+(?:user|view|localgroup|share|use|start|stop|group|accounts"
        r"|session|stat\w*|config)|netstat\s+-|ipconfig\s*/|ifconfig\s+-|id\s*[;|&]|(?:wget"
        r"|curl)\s+(?:-\w+\s+)?(?:http|ftp)|nslookup\s+\S|dir\s+(?:[a-z]:|\\|/)"
        rf"|type\s+(?:[a-z]:|%|\\)|sleep\s+\d+\s*{END}|rm\s+-\w+\s+/|chmod\s+\d|echo\s+\S+\s*\|"
        r"|tasklist\s*/|reg\s+(?:query|add|save)|wmic\s+\w|systeminfo\b|whoami\b"
        r"|sc\s+(?:query|config)|at\s+\d+:|del\s+(?:/|[a-z]:)|type\s+\S+\.\w+|nc\s+-"
        rf"|telnet\s+\d|tftp\s+-|netsh\s+\w|route\s+print|arp\s+-a|ps\s+-?(?:aux|ef|a)|id{END}"
        rf"|perl\s+-|python\d?\s+-|php\s+-|ruby\s+-|which\s+\S+{END}|find\s+/"
        r"|grep\s+-?\w*\s*\S+\s+/|tail\s+(?:-\w+\s+\S+|/)|head\s+(?:-\w+\s+\S+|/)|ssh\s+\S+@"
        r"|dig\s+\S+\.|whois\s)",
        certainty=0.8,
    ),
    Pattern(
        "command.leading",
        rf"{START}[\s'\"+)]*(?:\|\|?|;|&&?|\$\(|<!|\^|\n)\s*['\"]?\s*{PLACE}[a-z][\w.-]+(?:\s+"
        rf"[-/\w.\\:%]|\s*['\"\x60);|&]|\s*{END})",
        certainty=0.75,
    ),
    Pattern(
        "command.redirect-file",
        r"(?:>|>>|\|\s*tee)\s*(?:/(?:tmp|var|etc|home|root|dev/shm)/|\.\./|[a-z]:\\)|<\("
        r"|\becho\s+[^\n]+>\s*\S+\.(?:php|jsp|aspx?|sh|bat)",
    ),
    Pattern(
        "command.variable",
        r"(?:^|[;&|\s])%(?:systemroot|comspec|appdata|username|path|os|programfiles|windir"
        r"|temp)\b[^\n]{0,10}%?|\^?cmd=\$?\"?\{?cmd|\$env:\w+|%commonprogramfiles"
        r"|\$\{?(?:path|home|shell|user|hostname|pwd|ps1|bash_version)\b\}?\s*(?:$|[;|&])",
        certainty=0.75,
    ),
)
