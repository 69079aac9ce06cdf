"""Filters of directory services and paths of XML queries where a plain value was expected."""

from __future__ import annotations

from signoff.assess.patterns.pattern import END, START, Pattern

ATTRIBUTE = (
    r"(?:uid|cn|sn|ou|dc|mail|objectclass|userpassword|samaccountname|member(?:of)?"
    r"|givenname|displayname|l|o|c|dn|department|telephonenumber|unicodepwd|homedirectory"
    r"|loginshell|uidnumber|password|user)"
)

PATTERNS = (
    Pattern(
        "ldap.filter",
        r"\(\s*[&|!]\s*\(|\)\s*\(\s*(?:[&|!]|\w+\s*[~<>:]?=)|[*)]\s*\)\s*\(|\*\)\s*\("
        rf"|\(\s*{ATTRIBUTE}\s*[~<>:]?=\s*[^)\s]*\)",
    ),
    Pattern(
        "ldap.break-out",
        rf"{START}[\w*@.\s]*\*?\)+(?:\(|\)|\x00|%00|\\x00|&|\|)|{START}[\w]*\*\s*[()|&%\x00]"
        rf"|{START}\*\(|\)\(\||\(\|\(|\)\)\(|{START}\*\)|\)\s*\(\s*cn\s*=",
    ),
    Pattern(
        "ldap.matching-rule",
        r"\b\d+(?:\.\d+){4,}\s*:=|:dn:|\bobjectclass\s*=\s*\*|\(\|\(?objectclass",
    ),
    Pattern("ldap.star", rf"{START}(?:\*{{1,3}}|[@\w]*\*){END}", certainty=0.5),
    Pattern(
        "ldap.xpath",
        r"\b(?:name|text|position|last|count|string-length|node|comment|starts-with|contains"
        r"|doc|local-name|namespace-uri|substring|translate|concat"
        r"|normalize-space)\s*\(\s*(?:\)|/|\.|@|\w+::|//)[^\n]*[=<>\]]?|['\"]\s*\]\s*\|\s*"
        r"|\b(?:ancestor|child|descendant|parent|following|preceding|self"
        r"|attribute)(?:-or-self)?::(?:node|\*|\w)|/\*\[\d"
        r"|\bor\s+['\"]?\w['\"]?\s*=\s*['\"]?\w['\"]?\s*or\b|//\*|//user\[|\]\[",
        certainty=0.75,
    ),
)
