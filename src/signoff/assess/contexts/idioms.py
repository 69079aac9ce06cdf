"""Ways of writing that fit a pattern and do nothing where they stand.

They are taken out of a value and the rest is searched again, so that nothing beside one is missed.
Each entry names the patterns it is about; some count only in a sentence.

    without_idioms("sql.select-sub", "map(select(.price < 10))")  ->  "map(_(.price < 10))"
"""

from __future__ import annotations

import re

from signoff.actions.vocabulary import lazy_re
from signoff.assess.contexts.idiom import Idiom
from signoff.assess.contexts.languages.notations import NOTATIONS
from signoff.assess.contexts.languages.template_tags import without_harmless
from signoff.assess.contexts.syntax import is_prose

# English words that are programs, too, and do nothing without an argument.
_IDLE = (
    "more|less|copy|move|find|kill|make|start|service|import|mail|at|head|sort|finger|command|type"
    "|which|exec|eval|system|halt|init"
)
# Programs of Unix, where the case of a letter counts: `Apt` is none.
_LOWER_CASE = (
    "GCC|Gcc|Vim|Awk|Grep|Bash|Yum|Chmod|Apt|Cat|Ip|Ed|Vi|Dash|Node|Ruby|Lua|Java|Touch|Fetch|Tail|Zip|Tar|Nano|Su|Od|Nl|Ls|Id|Ps"
    "|Dig|Route|Python|Perl|Cp|Mv|Rm|Sed|Df|Du|Dd|Ping|Sleep"
)
# The same in capitals, as lists of skills and formats have them.
_CAPITALS = "PHP|SSH|FTP|TFTP|SCP|GCC|AWK|SED|GREP|BASH|PERL|RUBY|NODE|JAVA|LUA|ZIP|GZIP|TAR|SU|IP"
# Programs that ask for arguments, and do not read their input.
_UNMOVED = "net|reg|sc|ip|ssh|scp|touch|ping|gcc|java"
_HEADER = r"(?:(?:content|cache|if|x)-[a-z\d-]{1,60}|accept|user-agent)"
# A box that shows a word: what people show that a page is open with, and harms nobody.
_BOX = r"(?:alert|confirm|prompt)\((?:\d{0,4}|'\w{0,12}'|document\.(?:domain|cookie)|origin)\)"
_SHOWN = (
    rf"(?:<script>{_BOX};?</script>"
    r"|<(?:img|svg|body|video)(?: src=[\w.]{1,8})?[ /]on(?:error|load)="
    rf"(?:{_BOX}|\"{_BOX}\")\s?/?>)"
)
_OF_SHOWN = frozenset(
    (
        *("xss.script-tag", "xss.break-out", "xss.policy", "xss.alert", "xss.tag-event"),
        *("xss.any-event", "xss.event", "xss.broken-tag", "xss.active-tag", "xss.call"),
        *("xss.tag-attribute", "xss.constructor", "xss.style"),
    )
)


IDIOMS = (
    *NOTATIONS,
    # `jq`: a field of what is read, which SQL does not write with a dot.
    Idiom(frozenset({"sql.select-sub"}), lazy_re(r"\bselect(?=\s?\(\s?\.[A-Za-z_])")),
    # "red & more", "half price | more"
    Idiom(
        frozenset({"command.chained-word", "command.chained"}),
        lazy_re(
            rf"(?<=[\w)}}\"'.!?] )(?:[&|] ?(?:{_IDLE}|last)"
            r"|(?:&&|;) ?(?:make|more|less|find|sort))\s*\Z",
            re.IGNORECASE,
        ),
    ),
    # `SAVE-10%&MORE`: these do nothing without an argument, and stand at the end.
    Idiom(
        frozenset({"command.chained-word", "command.chained"}),
        lazy_re(r"(?<=[A-Z0-9%])&(?:MORE|LESS|LAST|SORT|HEAD|FIND)\Z"),
    ),
    # "221B Baker St.; Apt #4"
    Idiom(
        frozenset({"command.chained", "command.leading"}),
        lazy_re(rf"(?:(?<=[&;|] )|(?<=\n)|(?<=\n[ *|-]))(?:{_LOWER_CASE})(?=[\s#.,)]|\Z)(?! -)"),
    ),
    # "R&D", "AT&T": no program has a name of one capital.
    Idiom(
        frozenset({"command.chained-word", "command.chained", "command.leading"}),
        lazy_re(r"(?<![A-Za-z&])[A-Z]{1,3}&[A-Z](?![A-Za-z&])"),
    ),
    # "b&w", "time & date"
    Idiom(
        frozenset({"command.chained-word"}),
        lazy_re(
            r"(?<![\w$.-])[a-z] ?& ?w(?![\w./;|&$-]| -)|(?<![\w./-])time & date(?= [a-z]|\Z)",
            re.IGNORECASE,
        ),
    ),
    # `aws-cli/2.15.0 prompt/off command/s3.cp`: names of programs with their versions.
    Idiom(
        frozenset({"xss.alert"}),
        lazy_re(r"(?<= )(?:alert|confirm|prompt)/[\w.-]{1,40}(?= |\Z)"),
    ),
    # "HTML;PHP;CSS": where the case of a letter counts, the name of a language is no program.
    Idiom(
        frozenset({"command.chained"}),
        lazy_re(rf"(?<=[\w>)#+ ][;|])(?:{_LOWER_CASE}|{_CAPITALS})(?=[;|]|\Z)"),
    ),
    # `gps|net`: a list of words; these do nothing with what is piped into them.
    Idiom(
        frozenset({"command.chained"}),
        lazy_re(rf"\A(?:(?:{_UNMOVED})|\w+(?=\|(?:{_UNMOVED})\Z))(?:\|(?:{_UNMOVED}))+\Z"),
    ),
    # The headers that a signed address covers, in the order of the alphabet.
    Idiom(
        frozenset({"command.chained-word"}),
        lazy_re(rf"\A(?:{_HEADER};){{1,20}}(?:date;)?host(?:;(?:range|{_HEADER})){{0,20}}\Z"),
    ),
    # `it''s` in a message of ICU, where an apostrophe is doubled: no program is called `its`.
    Idiom(
        frozenset({"command.split-word"}),
        lazy_re(
            r"\b(?:(?:it|he|she|that|what|there|here|who|let|where|how)''s"
            r"|(?:do|ca|wo|is|are|was|does|did|has|have)n''t|(?:you|we|they)''(?:re|ve|ll|d))\b",
            re.IGNORECASE,
        ),
    ),
    # `$O(n\\log n)$`: formulas of LaTeX, in which nothing begins another command.
    Idiom(
        frozenset({"command.split-word"}),
        lazy_re(r"(?<!\\)\$(?!\()[^$`;|&\n]{0,200}\\[A-Za-z]{2,20}[^$`;|&\n]{0,200}\$"),
    ),
    # "Trade Union & Select Committee": no comment and no blank of SQL.
    Idiom(
        frozenset({"sql.union-broken"}),
        lazy_re(r"\bunion(?: [&/-] |, )select\b(?= [a-z]{3,}|\Z)", re.IGNORECASE),
    ),
    # `{__name__=~"job:.*"}`: a label of a time series, compared with a text.
    Idiom(
        frozenset({"template.dunder", "xss.punctuation"}),
        lazy_re(r"(?:(?<=[^{$#%]\{)|(?<=\A\{)|(?<=\",)|(?<=\", ))__name__(?= ?(?:=~?|![=~]) ?\")"),
        rest="name",
    ),
    # `from:ann "select committee"`: words in quotes, and no statement is of them.
    Idiom(
        frozenset({"sql.select-after"}),
        lazy_re(
            r"(?:(?<=\s)|\A)\"select(?: (?!(?:from|where|into|case|null|user|sleep)\b)[a-z]{2,20})"
            r"{1,6}\"(?=\s*\Z|\s+[\w\"-])",
            re.IGNORECASE,
        ),
    ),
    # `<List onSelect={pick}>`: a name in braces calls nothing, in JSX nor in HTML.
    Idiom(
        frozenset({"xss.tag-event", "xss.event", "xss.any-event"}),
        lazy_re(r"(?<=[\w}\"] )on[A-Z][A-Za-z]{1,30}=\{[\w.]{1,40}\}(?=[\s/>])"),
    ),
    # `<Button onClick={() => save()}/>`: HTML ends the handler at the blank: `{()`.
    Idiom(
        frozenset({"xss.tag-event", "xss.event", "xss.any-event"}),
        lazy_re(r"(?<=[\w}\"] )on[A-Z][A-Za-z]{1,30}=\{(?:\(\)|\(\w{1,20}\)|\w{1,20}) =>(?= )"),
    ),
    # `{$SNMP.TIMEOUT:"{#IFNAME}"}`: a macro of Zabbix, whose names are capitals.
    Idiom(
        frozenset({"template.smarty"}),
        lazy_re(r"\{\$[A-Z][A-Z0-9_.]{0,60}(?::\"?\{?#?[A-Z0-9_.-]{0,60}\}?\"?)?\}"),
    ),
    # "is `..\config` needed": one folder up is where a file may stand beside another.
    Idiom(
        frozenset({"path.climb-coded"}),
        lazy_re(r"`\.\.(?:\\[\w-]{1,40}(?:\.\w{1,8})?){1,6}`"),
        in_sentence=True,
    ),
    # A script element that is named: nothing behind it could run.
    Idiom(
        frozenset({"xss.script-tag"}),
        lazy_re(
            r"<script(?: (?:async|defer|nomodule)){0,3}>(?=[\w ,.?!:-]*(?:\Z|<script[ >]))"
            # No script calls or sets anything without one of these signs.
            r"|<script>(?=[^(=`\[\\{.<>&/]*(?:[<>&](?=[\s&<>])[^(=`\[\\{.<>&/]*)*\Z)",
            re.IGNORECASE,
        ),
        in_sentence=True,
    ),
    # A file of Windows by its whole path, as people report it.
    Idiom(
        frozenset({"path.climb-coded"}),
        lazy_re(r"(?<=[a-z] )[A-Za-z]:(?:\\[^\\\s/:*?\"<>|]{1,80}){1,20}"),
    ),
    # "don't eval(x)": a call that is spoken of has one letter or word in it.
    Idiom(
        frozenset({"command.call"}),
        lazy_re(r"\b(?:eval|open|compile|include|require|assert|spawn)\(\w{0,12}\)"),
        in_sentence=True,
    ),
    # Where a visitor of a shared link came from.
    Idiom(
        frozenset({"redirect.nested"}),
        lazy_re(r"(?<=[?&])(?:ref|referr?er|utm_[a-z]{1,20})=[^&\s]{0,500}", re.IGNORECASE),
    ),
    # A page of a site that leads on to the same site.
    Idiom(
        frozenset({"redirect.nested"}),
        lazy_re(
            r"\Ahttps?://([\w.-]{1,253}(?::\d{1,5})?)[/?][^\s]{0,2000}?[?&]\w{1,40}="
            r"https?://\1(?=[/?#&\s]|\Z)"
        ),
    ),
    # "JavaScript: basics of the language": words alone are no script that does anything.
    Idiom(
        frozenset({"redirect.script"}),
        lazy_re(r"\Ajavascript:(?=\s[a-z]+(?: \w+){1,40}[.!?]?\Z)", re.IGNORECASE),
    ),
    # A formula of a wiki: an element of MathML with nothing in it but text.
    Idiom(frozenset({"xss.active-tag"}), lazy_re(r"<math>[^<>]{0,2000}</math>")),
    # `<mailto:ann@a.example>`, `<https://a.example/b>`: how Markdown writes a link.
    Idiom(
        frozenset({"xss.active-tag", "xss.custom-tag"}),
        lazy_re(r"<(?:https?://|mailto:)[^\s<>\"'`()]{1,500}>"),
    ),
    # "`<img src=x onerror=alert(1)>` runs": an attack that is shown, quoted, and does nothing.
    Idiom(
        _OF_SHOWN,
        lazy_re(
            rf"`[^`<>\n]{{0,60}}(?:[\"']?>)?{_SHOWN}[^`<>\n]{{0,40}}`"
            rf"|\{{code\}}\s*{_SHOWN}\s*\{{code\}}",
            re.IGNORECASE,
        ),
        in_sentence=True,
    ),
    # "`{{7*7}}` prints 49": a sum that is quoted.
    Idiom(
        frozenset({"template.arithmetic", "template.probe"}),
        lazy_re(r"`[^`{}\n]{0,40}[$#]?\{{1,2} ?\d{1,4} ?[*+-] ?\d{1,4} ?\}{1,2}[^`{}\n]{0,40}`"),
        in_sentence=True,
    ),
    # "XXE: `<!ENTITY x SYSTEM ...>`": no document of XML begins with words.
    Idiom(
        frozenset({"xml.entity", "xml.doctype"}),
        lazy_re(r"(?<=[\w:,)] )`<!(?:ENTITY|DOCTYPE)[^`]{0,400}>`"),
        in_sentence=True,
    ),
    # `vfs.file.cksum[/etc/passwd]`: an item of Zabbix, and no file is called like it.
    Idiom(
        frozenset({"path.unix-file", "path.passwd-end", "path.coded-file", "path.web-secret"}),
        lazy_re(
            r"\Avfs\.(?:file|dir|fs)\.\w{1,20}\[/etc/[a-z]{2,20}"
            r"(?:,[^\[\]]{0,80}(?:\[[^\]]{0,40}\][^\[\]]{0,40})?)?\]\Z"
        ),
    ),
    # `agent:"sqlmap/1.8"`: whom a search in logs looks for.
    Idiom(
        frozenset({"scanner.name"}),
        lazy_re(
            r"\b(?:user[_.-]?)?agent(?:\.\w{1,20})? ?(?::|=~?|!=) ?"
            r"(?:\"[\w .*/+-]{1,60}\"|[\w.*/+-]{1,60})",
            re.IGNORECASE,
        ),
    ),
    # `<img onerror>`: a handler that is named.
    Idiom(
        frozenset({"xss.broken-tag"}),
        lazy_re(r"<(?:img|svg|video|audio|input|body) on[a-z]{3,20}>"),
        in_sentence=True,
    ),
    # A regular expression about script elements: the sign is part of the name of another element.
    Idiom(
        frozenset({"xss.script-tag", "xss.policy", "xss.break-out"}),
        lazy_re(
            # `<//` begins a comment; a backslash may be read as a slash.
            r"<(?:/|\\/|\\?/\?|\\/\?)?script(?=\||\[\^|\[[\\/]?[sW]|\)|\\[bsWS])|<//\??script",
            re.IGNORECASE,
        ),
    ),
    # Data about a page for search services: no script.
    Idiom(
        frozenset({"xss.script-tag", "xss.policy", "xss.break-out", "xss.tag-attribute"}),
        lazy_re(r"<script type=\"application/ld\+json\">\s*[{\[][^<]{0,8000}[}\]]\s*</script>"),
    ),
    # A script of the site itself in a block of code.
    Idiom(
        frozenset({"xss.script-tag", "xss.break-out", "xss.tag-attribute", "xss.policy"}),
        lazy_re(
            r"(?<=```\n)<script(?: (?:async|defer|nomodule|type=\"module\")){0,3}"
            r" src=\"/[\w-][\w./-]*\"></script>(?=\n```)"
        ),
    ),
    # `{{ $labels.instance }}`: what the alerts of Prometheus are filled with.
    Idiom(
        frozenset({"template.config", "template.velocity", "template.smarty"}),
        lazy_re(r"\{\{-? ?\$(?:labels\.\w+|values?(?:\.\w+)*|externalLabels\.\w+) ?-?\}\}"),
    ),
    # A quoted script element of the site itself: no other code could come from there.
    Idiom(
        frozenset({"xss.script-tag", "xss.break-out", "xss.tag-attribute", "xss.policy"}),
        lazy_re(
            r"`<script(?: (?:async|defer|nomodule|type=\"module\")){0,3} src=\"/?[\w-][\w./-]*\">"
            r"</script>`"
            r"|`</(?:script|body|head|style|title)>`",
            re.IGNORECASE,
        ),
        in_sentence=True,
    ),
    # `onclick="go()"` in a sentence about pages: no quote is closed before it.
    Idiom(
        frozenset({"xss.event", "xss.any-event"}),
        lazy_re(r"`on[a-z]{3,20}=\"[\w.]{1,40}\(\)\"`"),
        in_sentence=True,
    ),
    # `=QUERY(A1:D; "select A, sum(B) group by A")`: a sheet asks itself.
    Idiom(
        frozenset({"sql.select-from", "sql.select-sub", "sql.select-after", "sql.order-by"}),
        lazy_re(
            # A word in quotes stands between two strings of whoever puts the formula in quotes.
            r"\A=QUERY\([\w!$:']{1,80}[;,] ?\"select (?:[\w ,()<>=*.+-]|'\w{1,30}'){1,300}\""
            r"(?:[;,] ?\d)?\)\Z",
            re.IGNORECASE,
        ),
    ),
    # `{{ states('sensor.x') | float > 3 }}`: Home Assistant asks its own things.
    Idiom(
        frozenset({"template.call", "template.probe", "template.string"}),
        lazy_re(
            r"\{\{ ?(?:(?:and |or |not )?(?:states|is_state|state_attr|is_state_attr|now|is_number)"
            r"\((?:'[\w.]{0,80}'(?:, ?'[\w.]{0,80}')?)?\)"
            r"(?: ?\| ?(?:float|int|round)(?:\(\d?\))?){0,4}"
            r"(?: ?[<>=!]{1,2} ?[\w.']{1,20})? ?){1,6}\}\}"
        ),
    ),
    # What an editor of code fills in for a file beside this one.
    Idiom(frozenset({"command.leading"}), lazy_re(r"\A\$\(basename\)(?=\.\w+\Z)")),
    # "reading '__proto__'": a name that is spoken of, and nothing is reached by it.
    Idiom(
        frozenset({"template.dunder", "xss.constructor"}),
        lazy_re(r"(?<=\s|\()(['\"`])__[a-zA-Z]{2,30}__\1(?=\)?[.,;:!?]?(?:\s|\Z))"),
        in_sentence=True,
    ),
    # "unlink(2)", "what to include (or not)": a page of a manual, a remark.
    Idiom(
        frozenset({"command.call"}),
        lazy_re(r"\b[a-z_]{2,20}\([1-9]\)|\b[A-Za-z]{4,8} \((?=[\w\s,/.-]{2,120}\))"),
        in_sentence=True,
    ),
    # A message that is one block of code: in JavaScript and PHP it is no call, but a text.
    Idiom(frozenset({"command.call"}), lazy_re(r"\A\s*```[\w+-]*\n[^`]*(?:```\s*)?\Z")),
    # "clone & fetch, which ...": no shell takes the comma off the name of a program.
    Idiom(frozenset({"command.chained"}), lazy_re(r"(?<=[&;|] )[\w.-]{2,40},(?=\s)")),
    # `message:"SELECT * FROM"`: the phrase of a search, from which nothing is taken.
    Idiom(
        frozenset({"sql.select-from"}),
        lazy_re(r"(?<=\w:)\"select [\w*, ]{1,40} from\"(?=\Z|\s+[!-]?\w[\w.]*:)", re.IGNORECASE),
    ),
    # "on Windows 95, \"cmd.exe\" runs it": a program that is named.
    Idiom(
        frozenset({"command.shell-path"}),
        lazy_re(r"(?<=\s)([\"'])(?:cmd\.exe|command\.com|/bin/(?:ba|z|k|da)?sh)\1(?=[\s.,;:!?)])"),
        in_sentence=True,
    ),
    # A parameter of PHP that a sentence names.
    Idiom(
        frozenset({"command.php-tag"}),
        lazy_re(r"(?:\A|(?<=\s))\$_(?:GET|POST|REQUEST|SERVER|COOKIE)\['\w{1,40}'\](?=\s\w)"),
        in_sentence=True,
    ),
    # "takes an <object>": these do nothing without an attribute.
    Idiom(
        frozenset({"xss.active-tag", "xss.script-tag"}),
        lazy_re(
            r"</?(?:object|embed|applet|link|frame|iframe|meta|image|import|set|base|handler|form"
            r"|head|html|body)(?:\|[\w|]{0,80})?>|<(?:base|link|meta|iframe) [a-z]{3,12}>",
            re.IGNORECASE,
        ),
        in_sentence=True,
    ),
    # The line that says what runs a program. What the program does stands below it.
    Idiom(
        frozenset({"command.shell-path"}),
        lazy_re(r"#! ?/(?:usr/)?(?:local/)?bin/(?:env )?[\w.-]{1,20}"),
    ),
    # How a program of Python begins.
    Idiom(frozenset({"template.dunder"}), lazy_re(r"\bif __name__ == ([\"'])__main__\1")),
    # What a visitor said about their data (IAB, US Privacy String).
    Idiom(frozenset({"sql.number-comment"}), lazy_re(r"\A1---\Z")),
    # `onclick=buy`: a name alone calls nothing.
    Idiom(frozenset({"xss.event"}), lazy_re(r"\Aon[a-z]{2,20}=[A-Za-z]\w{0,30}\Z")),
    # `<p onclick="">`
    Idiom(
        frozenset({"xss.tag-event", "xss.event"}),
        lazy_re(r"\bon[a-z]{2,20}=(?:\"\"|'')(?=[\s/>])"),
    ),
)
# `this` and `self` inside a harmless tag are names of the template.
_OF_TEMPLATES = ("template.", "xss.dom", "xss.client-template")
_ABOUT = frozenset[str]().union(*(one.hits for one in IDIOMS))


def has_idioms(hit: str) -> bool:
    """Return whether any idiom applies to this pattern id."""
    return hit in _ABOUT or hit.startswith(_OF_TEMPLATES)


def without_idioms(hit: str, text: str) -> str:
    """Return the text with harmless matches of this pattern removed.

    Args:
        hit: the pattern's id.
    """
    for idiom in IDIOMS:
        if hit in idiom.hits and (not idiom.in_sentence or is_prose(text)):
            text = idiom.expression.sub(idiom.rest, text)
    return without_harmless(text, "_") if hit.startswith(_OF_TEMPLATES) else text
