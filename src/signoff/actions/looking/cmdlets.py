"""Scripts of PowerShell of which every command is a look, by its name.

`Get` reads, a closed list of further commands chooses, counts, shows and writes a report. What is
called another way (`&`, a program, a method that is not known) is not understood as a look.

    only_looking_cmdlets("Get-MgUser -All | Where-Object { $_.AccountEnabled } | Measure-Object")
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from signoff.actions.vocabulary import lazy_re, words

_DEEP = 3  # texts in what a text computes
# Each is searched for its end.
_LONG_TEXTS = ("@'", '@"', "<#")
_MOST_TEXTS = 40
_READS = "get-"
_LOOKS = words(
    "select-object select-string select-xml where-object sort-object group-object measure-object"
    " measure-command foreach-object compare-object format-table format-list format-wide"
    " format-hex convertto-json convertto-csv convertto-html convertfrom-json convertfrom-csv"
    " find-module find-package search-adaccount search-unifiedauditlog search-azgraph resolve-path"
    " test-path test-connection test-netconnection join-path join-string split-path write-host"
    " write-output write-warning write-verbose write-error write-information write-debug"
    " write-progress out-null out-string out-host out-default out-gridview export-csv export-clixml"
    " import-csv import-clixml import-module new-object new-timespan set-strictmode start-sleep"
    " wait-job clear-host connect-mggraph connect-azaccount connect-exchangeonline connect-azuread"
    " connect-msolservice connect-viserver connect-pnponline connect-microsoftteams"
    " connect-ippssession disconnect-mggraph disconnect-azaccount disconnect-exchangeonline"
    " disconnect-viserver disconnect-pnponline disconnect-microsoftteams"
    " ? % where select sort group measure ft fl fw gci gc gm ls dir cat echo sls ogv"
)
_KEYWORDS = words(
    "if elseif else foreach for while do until switch function param return exit break continue"
    " try catch finally begin process end throw in default filter"
)
_METHODS = words(
    "adddays addhours addminutes addmonths addyears tostring split trim trimstart trimend replace"
    " contains startswith endswith tolower toupper substring padleft padright indexof add count"
    " gettype equals format join parse now round floor ceiling max min isnullorempty containskey"
    " isnullorwhitespace touniversaltime tolocaltime toshortdatestring match matches"
    " getenumerator addrange subtract escape"
)
_NO_LOOK = lazy_re(
    # What is read is a secret.
    r"(?i)-\w*(?:secret|password|credential|token|privatekey|bitlocker|accountkey|laps|keystroke"
    r"|connectionstring|passhash|replaccount|clipboard|screenshot|dpapi)"
    # What runs a text, a block or another file; objects that act; functions under a known name.
    r"|\binvoke\b|\biex\b|\bscriptblock\b|\[(?:adsi|wmi\w*|ref|reflection|(?:system\.)?io\.)"
    r"|\$(?:function|alias):|\bnew-object\b(?!\s+(?:-typename\s+)?(?:psobject|pscustomobject"
    r"|timespan|datetime|(?:system\.)?collections\.|system\.text\.stringbuilder))"
    # The name of a method stands for a call.
    r"|(?:\bforeach-object|%|\bforeach)\s+(?:-m\w*\s+)?[a-z\"']|-membername\b"
    r"|(?:^|[\s;|{(=])[&.](?:[ \t]+[\w$\"'{(]|[$\"'{(])|(?<![\d*])>(?!\s*\$null)"
)
_ELSEWHERE = lazy_re(
    r"(?i)[\"']\\\\[\w.$]|\bhttps?://|\b(?:winnt|ldap)://"
    r"|\bexport-\w+[^\n|]*(?:windows|system32|startup|programdata|\.(?:ps1|bat|cmd|lnk)\b)"
)
_TEXT = lazy_re(
    r"(?s)(?P<plain><#.*?#>|#[^\n]*|@'\r?\n.*?\n'@|'(?:[^'\n]|'')*')"
    r"|@\"\r?\n(?P<long>.*?)\n\"@|\"(?P<live>(?:[^\"`]|`.|\"\")*)\"|(?P<goes_on>`\r?\n)"
)
_LIST_GOES_ON = lazy_re(r",[ \t\r]*\n\s*")
_BEGIN = lazy_re(
    r"(?:^|[\n;|{}(=]|&&|\b(?:return|else|try|finally|begin|process|end|in|do)\b)[ \t\r\n]*"
    r"([^\s;|{}()=,]+)"
)
_CALL = lazy_re(r"(?:\.|::)([A-Za-z_]\w*)\s*\(")
_FUNCTION = lazy_re(r"(?i)\bfunction\s+([\w-]+)")
_DATA = lazy_re(r"[$@\[\"'\d+!-]")
_ASSIGNED = lazy_re(r"[ \t]*=(?!=)")


def only_looking_cmdlets(text: str) -> bool:
    """Return whether every command of a script of PowerShell is one that looks."""
    if sum(map(text.count, _LONG_TEXTS)) > _MOST_TEXTS:
        return False
    pieces = list(_pieces(text, 0))
    if "" in pieces or _ELSEWHERE.search(text) is not None:
        return False
    plain = _LIST_GOES_ON.sub(", ", "\n".join(pieces))
    if _NO_LOOK.search(plain) is not None:
        return False
    own = {name.lower() for name in _FUNCTION.findall(plain)}
    is_renamed = any([name.startswith(_READS) or name in _LOOKS for name in own])
    if is_renamed or any([name.lower() not in _METHODS for name in _CALL.findall(plain)]):
        return False
    begins = list(_BEGIN.finditer(plain))
    reads = any([one[1].lower().startswith(_READS) for one in begins])
    return reads and all([_is_look(match, plain, own) for match in begins])


def _is_look(match: re.Match[str], plain: str, own: set[str]) -> bool:
    word = match[1].lower()
    if word in _LOOKS or word in _KEYWORDS or word in own or word.startswith(_READS):
        return True
    # A property of a table is assigned: `n = 'Name'`.
    return _DATA.match(word) is not None or _ASSIGNED.match(plain, match.end()) is not None


def _pieces(text: str, depth: int) -> Iterator[str]:
    """Yield a script without its texts, then what these compute; "" for what cannot be read."""
    inner: list[str] = []

    def blank(match: re.Match[str]) -> str:
        if match["goes_on"]:
            return " "
        inner.extend(_computed(match["long"] or match["live"] or ""))
        return "" if match["plain"] and match["plain"][0] in "#<" else "''"

    yield _TEXT.sub(blank, text) + " "
    for one in inner:
        if depth >= _DEEP or not one:
            yield ""
        else:
            yield from _pieces(one, depth + 1)


def _computed(text: str) -> Iterator[str]:
    """Yield what stands in `$( )` in a text, "" where it does not end there."""
    at = text.find("$(")
    while at >= 0:
        end, depth = at + 2, 1
        while end < len(text) and depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        yield text[at + 2 : end - 1] if not depth else ""
        at = text.find("$(", end)
