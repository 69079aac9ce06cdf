"""Remote files handed to where a local one is included."""

from __future__ import annotations

from signoff.assess.patterns.pattern import END, START, Pattern

PATTERNS = (
    Pattern(
        "rfi.wrapper",
        r"\b(?:php://(?:input|filter|memory|temp|fd|stdin|output)"
        r"|data:(?://)?[\w/;,+-]*(?:base64,|<\?)|expect://|phar://|zip://|zlib:|bzip2://"
        r"|compress\.\w+://|glob://|ogg://|rar://|ssh2\.)|convert\.base64-(?:en|de)code"
        r"|string\.rot13",
    ),
    Pattern(
        "rfi.script-parameter",
        r"\.(?:php\d?|phtml|asp|aspx|jsp|cgi|cfm|inc|tpl|htm"
        r"|html)\d?/?\??[^\s=]*=\s*(?:(?:https?|ftps?|smb)?:?[/\\]{2}|https?%3a|ftp%3a|data:"
        r"|php:)",
        certainty=0.8,
    ),
    Pattern(
        "rfi.remote-script",
        rf"{START}\s*(?:https?|ftps?)://\S+/[\w.-]+\.(?:txt|php\d?|phtml|inc|gif|jpg|dat"
        rf"|log)\?+{END}|(?:https?|ftp)://\S+/(?:c99|r57|shell|cmd|webshell|b374k|wso|c100"
        r"|backdoor|rfi\w*|evil|id|echo|inject\w*|test)\.(?:txt|php|gif|jpg|png|asp)",
        certainty=0.8,
    ),
    Pattern(
        "rfi.path-marker",
        r"\bXX\w{2,}XX\b|\[(?:path|shell|evil\w*|script|url|inj\w*|target)\](?:[^(\[]|$)|\{\{?(?:rfi|evil)\w*\}",
        "",
        0.8,
    ),
    Pattern(
        "rfi.global",
        r"(?:^|[?&;])(?:GLOBALS\[|_(?:SERVER|SESSION|REQUEST|ENV|FILES|GET|POST|COOKIE)(?:\["
        r"|%5b)|mosConfig_\w+=|DOCUMENT_ROOT=|allow_url_include|auto_prepend_file|-d\+)",
        certainty=0.8,
    ),
)
