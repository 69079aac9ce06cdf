"""Line ends that start a new header, a new request or a new mail command."""

from __future__ import annotations

from signoff.assess.patterns.pattern import END, START, Pattern

# `%0d%0a` too: a proxy may decode once more than we did. `%u000a` is a form that IIS reads.
CR = r"(?:\r\n?|\n|%0d|%0a|%u000[ad])"

PATTERNS = (
    Pattern(
        "header.split",
        rf"{CR}[\s\x00]*(?:set-cookie2?|content-(?:type|length|disposition|encoding"
        r"|security-policy|location)|transfer-encoding|x-[\w-]{2,}|http/\d"
        r"|access-control-[\w-]+|cache-control|last-modified|www-authenticate|referer"
        r"|user-agent|authorization)\s*(?::|%3a|\d|=)"
        rf"|{CR}[\s\x00]*(?:location|refresh|host|link|cookie)\s*(?::|%3a)\s*(?:\d+\s*;|https?:|/|<"
        r"|[\w-]+\.\w|\w+=)",
    ),
    Pattern(
        "header.new-request",
        rf"{CR}(?:get|post|put|delete|head|options|patch|trace|connect"
        r"|propfind)\s+[/*h]\S*\s+http/\d",
    ),
    Pattern(
        "header.chunk-end",
        # A chunk of size 0 ends the body. One letter is enough to spoil the next request: `GPOST
        # /`.
        r"(?:\x1e|\n)0\r?\n\r?\n\s*(?:get|post|put|delete|head|options|patch|g|p|x)\b",
        "i",
        0.9,
    ),
    Pattern(
        "header.mail",
        rf"{CR}\s*(?:(?:rcpt|mail)\s+(?:to|from)\s*:|(?:b?cc|reply-to"
        rf"|mime-version)\s*:\s*\S|quit{CR}|data{CR}|helo\s|ehlo\s|vrfy\s|rset\b|noop{CR}"
        # IMAP wants a tag before each command: `a001 LOGIN`.
        r"|[a-z]\d{2,5}\s+(?:capability|fetch|login|list|select|logout|search|store|delete"
        r"|copy)\b|(?:retr|dele|list|top|uidl)\s+\d"
        # Lines of a sentence begin with these words, too: a command has one name behind it.
        rf"|(?:user|pass)\s+\S+[ \t]*(?:{CR}|{END}))",
    ),
    Pattern(
        # An address, then a header of a mail: whatever follows, it was to be one address. A line
        # for others who get the mail is none of a text, unless the mail begins with its headers.
        "header.mail-lines",
        rf"{START}\s*[^\s@:<>]{{1,64}}@[^\s@:<>]{{1,253}}{CR}\s*(?:b?cc|to|from|reply-to|subject"
        r"|content-type|mime-version)\s*(?::|%3a)"
        rf"|{START}[^:\r\n\x1e]{{1,120}}{CR}\s*bcc\s*(?::|%3a)\s*[^\s@]{{1,64}}@",
    ),
    Pattern(
        "header.cache-order",
        rf"{CR}\s*(?:slaveof|replicaof|flushall|flush_all"
        # A module of Redis is a file; on a cluster one is loaded by its name.
        r"|module\s+load\s+(?:[/.~]|\S+\.so\b)|script\s+load"
        r"|config\s+(?:get|set|rewrite)\s)",
        certainty=0.8,
    ),
    Pattern(
        "header.cache-command",
        rf"{CR}\s*(?:stats|flush_all|set\s+\w+\s+\d|get\s+\w+|config\s+set|slaveof|eval\s"
        rf"|save{CR}|flushall|incr\s+\w|delete\s+\w+|version{CR}|quit)\b",
        certainty=0.8,
    ),
    Pattern(
        "header.encoded-break",
        r"%(?:25)*0[ad]%?(?:25)*0?[ad]?\S*(?:set-cookie|location|content-|crlf|header)"
        # U+560A and U+560D become a line feed and a carriage return where only the low byte is
        # kept.
        r"|%e5%98%8[ad]|%u000[ad]|crlf\s*[=:-]\s*inject",
        certainty=0.8,
    ),
)
