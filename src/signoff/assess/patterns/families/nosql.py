"""Operators and script of document stores where a plain value was expected."""

from __future__ import annotations

from signoff.assess.patterns.pattern import END, START, Pattern

OPERATOR = (
    "ne|eq|gte?|lte?|n?in|not|n?or|and|where|regex|exists|type|mod|all|size|elemMatch|expr|text"
    "|function|lookup|set|unset|inc|push|pull|rename|out|merge|func"
)

PATTERNS = (
    Pattern("nosql.operator-name", rf"\[\s*['\"]?\$(?:{OPERATOR})['\"]?\s*\]"),
    Pattern("nosql.operator-key", rf"['\"{{,\s]\$(?:{OPERATOR})['\"]?\s*:"),
    Pattern("nosql.operator-field", rf"{START}\$(?:{OPERATOR})="),
    Pattern(
        "nosql.where",
        r"\$where\b|\bmapReduce\s*\(|\bdb\.(?:\w+|\w+\.\w+)\.?(?:find|insert|drop|remove"
        r"|update|aggregate|stores|injection|getCollectionNames|runCommand|eval)\w*\s*\(",
    ),
    Pattern(
        "nosql.script",
        r"\bthis\.\w+\s*(?:\.\s*(?:match|length|indexOf|charAt|substring|toString)|[=!<>]="
        r"|\[)|\bthis\[|\bthis\.\w+\s*[=<>]",
    ),
    Pattern(
        "nosql.break-out",
        r"['\"]\s*(?:\|\||&&)\s*(?:['\"]?\w*['\"]?\s*[=!<>]=|this\b|\()"
        r"|['\"]\s*\}\s*[,)]\s*(?:\$|\{|['\"])|['\"]\s*;\s*(?:return\b|while\s*\(|sleep\s*\("
        r"|var\s|it=|throw\b)|[;'\"{]\s*return\s*\(?\s*(?:true|1|!)|^\s*(?:true|1)\s*,\s*\$"
        r"|\|\|\s*1\s*==\s*1",
    ),
    # Stages that read or write another collection, and operators that run script: no filter of a
    # caller has them.
    Pattern(
        "nosql.stage",
        rf"{START}(?:[\w.\[\]$-]{{0,80}}\[)?"
        r"\$(?:lookup|graphLookup|unionWith|out|merge|function|accumulator)\]?=",
    ),
    # Everything is greater than an empty text.
    Pattern("nosql.always", rf"{START}[\w.-]{{0,80}}\[\$gte?\]=\"\"{END}"),
    Pattern(
        "nosql.graph",
        # Cypher: files are loaded and procedures called from within a query.
        r"\bload\s+csv\s+(?:with\s+headers\s+)?from\s+['\"]|\bcall\s+(?:db|dbms|apoc)\.\w"
        r"|['\"]\s*(?:or|and|xor)\b[^\n]{1,200}\breturn\s+\w+\s*//"
        r"|['\"]\s*\}?\s*\)\s*(?:detach\s+delete|match\s*\(|with\s+\w+\s+match)\b",
    ),
    Pattern(
        "nosql.busy",
        r"\bwhile\s*\(\s*(?:1|true|\(?new\s+Date|\(?\w+\s*-\s*\w)|new\s+Date\s*\(\s*\)\s*;\s*do\b"
        r"|\bdo\s*\{\s*\w+\s*=\s*new\s+Date",
    ),
)
