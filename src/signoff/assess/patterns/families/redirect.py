"""Targets that lead away from the site, most of all those written so that nobody sees it."""

from __future__ import annotations

from signoff.assess.patterns.pattern import END, START, Pattern

SLASH = r"[/\\]"
# `%e3%80%82` is the ideographic full stop, which browsers read as a dot in a host name.
HOST = r"[\w\x80-\xff-]+(?:(?:\.|%e3%80%82|%2e)[\w\x80-\xff-]+)+"

PATTERNS = (
    Pattern(
        "redirect.no-scheme",
        rf"{START}\s*[/?&;\t\r\n\x00<>|~^]{{0,6}}{SLASH}[\s/\\.;<>\x00\t]*{SLASH}{{1,8}}[\s;@"
        rf"\\/]*(?:[\w-]+@)?(?:{HOST}|\{{target\}}|\d{{8,10}}|0x[0-9a-f]{{8}}|localhost)",
        certainty=0.8,
    ),
    Pattern(
        "redirect.odd-slashes",
        # Browsers take `https:host`, `https:\host` and `https:///host` all for `https://host`.
        rf"{START}\s*[/\\.]{{0,4}}(?:(?:https?|ftp):(?:{SLASH}{{3,}}|{SLASH}?\\|/[^/\s]"
        rf"|[^/\s\\{{:]+\.|{SLASH}{{2}}[/\\;@?#])|h\s+t|https?:{SLASH}{{0,1}}[\w@%(])",
        certainty=0.8,
    ),
    Pattern(
        "redirect.path-url",
        rf"{START}\s*(?:[/\\.]{{1,6}}|//[/\\]*)(?:(?:https?|ftp)\s*:|javascript:|data:|%5c"
        r"|%2f)",
    ),
    Pattern(
        "redirect.user-host",
        # What stands before `@` is a login, so `https://good.example@evil.example` leads to the
        # second.
        r"(?:https?|ftp):[/\\]{0,4}[^/\s?#'\"<>${]*(?:@|%40|&@|\\@|;@)[^\s]+"
        rf"|{SLASH}{{2}}[^/\s?#]+@{HOST}",
        certainty=0.75,
    ),
    Pattern(
        "redirect.hidden-host",
        r"(?:https?|ftp):[/\\]{1,4}[^/\s]*(?:\\|%5c|%00|\x00|%23|%2f%2e|%09|\t|%e3%80%82"
        r"|\xe2\x91|\xe2\x92|\xe2\x93|\xef\xbd|%68|%67%6f|%ff)",
        certainty=0.8,
    ),
    Pattern(
        "redirect.odd-address",
        r"(?:https?:)?[/\\]{2,}(?:[^/\s@]+@)?(?:0x[0-9a-f]{1,8}|0[0-7]{2,}"
        r"|\d{8,11})(?:\.(?:0x[0-9a-f]{1,8}|\d{1,11})){0,3}(?:[/:?#\s\\]|\x1e|\n)"
        r"|(?:https?:)?[/\\]{2}\d{1,3}\.\d{4,}(?:[/:\s]|\x1e|\n)",
    ),
    Pattern(
        "redirect.script",
        # Browsers drop control characters and blanks within a scheme: `java&#9;script:` still
        # runs.
        rf"{START}\s*[/\\.?&=%\w]*\s*[\x00-\x20'\"<>;)/\\]{{0,6}}j[\s\x00-\x1f]*a[\s\x00-\x1f]"
        r"*v[\s\x00-\x1f]*a[\s\x00-\x1f]*s[\s\x00-\x1f]*c[\s\x00-\x1f]*r[\s\x00-\x1f]*i[\s"
        r"\x00-\x1f]*p[\s\x00-\x1f]*t[\s\x00-\x1f]*:",
    ),
    Pattern(
        "redirect.nested",
        r"[?&;/](?:(?:\w+_)?redirect\w*|redir\w*|r?url\w*|u|next|dest\w*|return\w*|rurl|out|view|to"
        r"|image_url|go|continue|goto|target|checkout_url|success|forward|fallback"
        r"|callback\w*|cgi-bin/redirect\.cgi|login|logout|data|qurl|uri|path|link|location"
        r"|page|host|site|file_name|jump\w*|service|sp_url|ref\w*|feed|src|domain|window|show"
        r"|navigation|open|html|val|validate|dir|folder|file|folder_url|img_url|load_file"
        r"|load_url|login_url|action|action_url|from_url|desturl|retu?rnto|clickurl|ext"
        r"|page_url)\??[=/]\s*(?:https?:|[/\\]{2}|[/\\]+\\|%2f%2f|https?%3a|//|javascript:"
        r"|\{target\}|/\\|http)",
        certainty=0.75,
    ),
    Pattern(
        "redirect.nested-object",
        r"\b(?:return|redirect|next|continue)_?(?:url|to|uri)?['\"]?\s*:\s*['\"]\s*(?:https?:)?[/\\]{2}",
        certainty=0.75,
    ),
    Pattern(
        "redirect.odd-letter",
        rf"{START}/?(?:\xe3\x80[\xb1-\xb5\x82]|\xe3\x82\x9d|\xe3\x83\xbc|\xef\xbd\xb0"
        rf"|\.)[\w.-]+\.(?:com|net|org|io|me){END}"
        r"|https?:/*\[",
        certainty=0.75,
    ),
    Pattern("redirect.placeholder", r"(?:^|[^$])\{target\}|whitelisteddomain", certainty=0.8),
    Pattern(
        "redirect.encoded-lead",
        rf"{START}[/\\.]{{0,3}}(?:%2f|%5c|%09|%0a|%0d|%00|%20|%u\w{{4}}|%3f|%23|[\t\r\n\x00]|;"
        rf"|@|<>|\xc2\xa0|%c2%a0|%e2%80)[/\\%\w.\s]*(?:{HOST}|//)",
        certainty=0.75,
    ),
    # Many honest forms hand over a whole address: this one counts only with the detector's own
    # checks.
    Pattern("redirect.absolute", rf"{START}\s*(?:https?:)?//({HOST})[^\s]*{END}", certainty=0.3),
)
