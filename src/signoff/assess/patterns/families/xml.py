"""XML that defines entities, includes files or carries server-side includes."""

from __future__ import annotations

from signoff.assess.patterns.pattern import Pattern

PATTERNS = (
    Pattern("xml.entity", r"<!\s*entity\b"),
    Pattern(
        "xml.doctype",
        r"<!\s*doctype\s+[\w:-]+\s*(?:\[|system\b|public\s+['\"][^'\"]*['\"]\s+['\"](?:file"
        # A DTD at `http://www...` is how honest pages name the W3C's: other hosts count.
        r"|php|ftp|gopher|netdoc|jar|expect|http://(?:\d|local|[^w])))",
    ),
    Pattern(
        "xml.include",
        r"<\s*xi:include\b|xmlns:xi\s*=|<\s*xs?d?:(?:include|import"
        r"|redefine)\b[^>]*schemalocation|xsi:(?:nonamespace)?schemalocation\s*=",
    ),
    Pattern(
        "xml.stylesheet",
        r"<\s*xsl:(?:stylesheet|include|import|value-of|copy-of|template|variable)\b"
        r"|\bdocument\s*\(\s*['\"](?:file|http|/)|system-property\s*\(|php:function"
        r"|<\?xml-stylesheet",
    ),
    Pattern(
        "xml.cdata-script",
        r"<!\[cdata\[[^\]]*(?:<|script|alert)|<!\[ignore\[|<!element\b|<!attlist\b"
        r"|<!notation\b",
    ),
    Pattern(
        "xml.declaration",
        r"<\?xml\s+version\s*=[^>]*\?>[^\x1e]*(?:system|<!|xinclude|file://"
        r"|xmlns:\w+\s*=\s*['\"]http://(?:java|xml\.apache|exslt))"
        # In these encodings `<!ENTITY` has other bytes, which filters do not look for.
        r"|<\?xml[^>]*encoding\s*=\s*['\"]?utf-(?:7|16)",
        certainty=0.8,
    ),
    Pattern(
        "xml.soap-object",
        r"<(?:void|object)\s+(?:class|method|property)\s*=|<java\b[^>]*class\s*=|<(?:soap"
        # Names of entities as exploits call them: their definition may stand in another file.
        r"|env):(?:envelope|body)[^>]*>[^\x1e]*<!|&(?:xxe|file|evil|ext|payload|remote"
        r"|external|lol\d?|a\d|send|exfil\w*);",
    ),
    Pattern(
        "xml.ssi",
        r"<!--\s*#\s*(?:exec|include|echo|config|printenv|fsize|flastmod|set|if|elif|else"
        r"|endif|goto|label|break|odbc|email)\b",
    ),
    Pattern(
        "xml.esi",
        r"<esi:(?:include|debug|vars|inline|remove|comment|try|choose|when|assign|eval|text"
        r"|function)\b|<!--esi\b|\$\(http_(?:cookie|host|user|header)",
    ),
)
