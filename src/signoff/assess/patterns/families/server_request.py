"""Addresses that make a server call itself, its neighbours or its cloud's metadata service."""

from __future__ import annotations

from signoff.assess.patterns.pattern import START, Pattern

# `\\host` and `//host` are read as addresses too, and `user@` in front hides the host (CWE-918).
TO = r"(?:[a-z][a-z0-9+.-]+:)?[/\\]{2,}(?:[^/\s@\\]*@{1,2})?\[?"
STOP = r"(?:[:/?#\s\\@\]'\"&,;)]|\x1e|\n|\x1e)"

PATTERNS = (
    Pattern(
        "ssrf.metadata",
        # One address in its spellings: 2852039166 and 0xa9fea9fe are 169.254.169.254 as one
        # number.
        r"\b169\.254\.\d{1,3}\.\d{1,3}\b|\b169\.254-|\b2852039166\b|\b0xa9fea9fe\b"
        r"|\b0xa9\.0x?fe|\b0251\.0?376|\bmetadata\.(?:google|azure|packet|tencent\w*|internal"
        # The same service elsewhere: Alibaba's 100.100.100.200, AWS over IPv6, Oracle's
        # 192.0.0.192.
        r"|nicira|oracle\w*)|\b100\.100\.100\.200\b|\bfd00:ec2::254\b|/latest/(?:meta-data"
        r"|user-data|dynamic|api/token)|/computemetadata/v1|/metadata/(?:instance|v1"
        r"|identity)|/openstack/(?:latest|20)|\brancher-metadata\b|/opc/v[12]/"
        # 168.63.129.16 is the host of every virtual machine of Azure.
        r"|\b192\.0\.0\.192\b|\b168\.63\.129\.16\b|\[::ffff:a9fe:a9fe\]",
    ),
    Pattern(
        "ssrf.loopback",
        rf"{TO}(?:localhost|localtest\.me|lvh\.me|vcap\.me|loopback"
        # Parsers of C fill short forms up: `127.1` and `0` are loopback as well.
        r"|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|127\.\d{1,6}|127\.0\.\d|0\.0\.0\.0|0|::1?"
        r"|::ffff:[\w.:]+|0{1,4}:[0:]+:?1?|2130706433|017700000001"
        r"|0177\.0?0?0?\.?\S{0,10}|0x7f\S*|\w+\.localhost|localhost\.\w+|localdomain"
        rf"|ip6-localhost|\xe2\x93){STOP}",
    ),
    Pattern(
        "ssrf.private",
        rf"{TO}(?:10\.\d{{1,3}}\.\d{{1,3}}\.\d{{1,3}}|192\.168\.\d{{1,3}}\.\d{{1,3}}"
        # RFC 1918, and 100.64.0.0/10 of RFC 6598, where some clouds keep their own services.
        r"|172\.(?:1[6-9]|2\d|3[01])\.\d{1,3}\.\d{1,3}|100\.(?:6[4-9]|[7-9]\d|1[01]\d"
        r"|12[0-7])\.\d{1,3}\.\d{1,3}|f[cd][0-9a-f]{2}:|fe80:|0x0?a\.|0xc0\.|0300\.0250"
        rf"|3232\d{{6}}|167772\d{{3}}){STOP}?",
    ),
    Pattern(
        "ssrf.private-name",
        rf"{TO}[\w.-]+\.(?:internal|local|intranet|corp|lan|svc|cluster\.local"
        # Public names that resolve to whatever address is written in them: `10.0.0.1.nip.io`.
        r"|svc\.cluster\.local|home|private|nip\.io|sslip\.io|xip\.io|1u\.ms|localdomain"
        rf"|consul){STOP}|{TO}(?:127|10|169[.-]254|192[.-]168)(?:[.-]\d{{1,3}}){{2,3}}[.-][a-z][\w.-]*"
        rf"|\b\d{{1,3}}[.-]\d{{1,3}}[.-]\d{{1,3}}[.-]\d{{1,3}}[\w.-]*\.(?:nip\.i"
        r"o|xip\.io|sslip\.io|1u\.ms|rbndr\.us)\b|\brebind\b\S*\.\w|\bkubernetes\.default\b",
    ),
    Pattern(
        "ssrf.scheme",
        r"(?:\b|%)(?:gopher|dict|tftp|ldaps?|sftp|netdoc|jar|php|expect|zip|phar|glob|rar|ogg"
        r"|ssh2|imap|pop3|smb|rmi|jdbc|compress\.\w+|file|local_file|view-source|unix|mongodb"
        r"|redis|memcached|smtp|telnet|ftps?)\s*:\s*(?:[/\\]{1,3}|http|//)\S",
        certainty=0.8,
    ),
    Pattern(
        "ssrf.odd-address",
        rf"{TO}(?:\d{{8,10}}|0x[0-9a-f]{{8}}|0[0-7]{{10,}}"
        r"|(?:0x[0-9a-f]{1,2}\.){2,3}0x[0-9a-f]{1,2}"
        r"|(?:0[0-7]{2,4}\.){2,3}0?[0-7]{1,4}|\xe2[\x91-\x93]|\d{1,3}\.\d{5,}"
        rf"|\[?::){STOP}?",
    ),
    Pattern(
        "ssrf.internal-port",
        r"(?:https?|ftp)://[^/\s]+:(?:22|23|25|53|110|111|135|139|445|1433|1521|2049|2375"
        r"|2376|2379|3306|3389|5432|5900|5984|6379|6443|8500|9200|9300|10250|11211|27017"
        r"|50070)(?:[/?#\s]|\x1e|\n)",
        certainty=0.75,
    ),
    Pattern(
        "ssrf.bare-metadata",
        rf"{START}\s*(?:169\.254\.169\.254|metadata\.google\.internal|127\.0\.0\.1:\d+"
        r"|localhost:\d+/)",
        certainty=0.75,
    ),
)
