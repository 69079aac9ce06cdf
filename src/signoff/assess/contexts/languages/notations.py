"""Notations whose signs a pattern takes for those of another language: formulas, entities, links.

`y\\geq 1` is a formula of LaTeX, `&lt;` a sign of HTML, `javascript:void(0)` a link that leads
nowhere. What stands beside one is searched again.
"""

from __future__ import annotations

import re

from signoff.actions.vocabulary import lazy_re
from signoff.assess.contexts.idiom import Idiom

# Commands of LaTeX: no program is called like one of these, whatever letters stand before it.
_OF_TEX = (
    "geqslant|leqslant|geq|leq|neq|cdot|cdots|ldots|dots|times|div|pm|mp|frac|dfrac|tfrac|sqrt"
    "|alpha|beta|gamma|delta|epsilon|varepsilon|theta|lambda|omega|sigma|varphi|infty|approx|equiv"
    "|partial|nabla|int|sum|prod|lim|quad|qquad|text|mathrm|mathbf|mathbb|mathcal|left|right|begin"
    "|end|hline|Rightarrow|Leftrightarrow|rightarrow|leftarrow|mapsto|forall|subset|subseteq|cup"
    "|cap|emptyset|setminus|vec|hat|overline|underline|land|lor"
)
_OF_HTML = (
    "lt|gt|amp|quot|apos|nbsp|copy|reg|trade|hellip|mdash|ndash|euro|pound|deg|times|middot|bull"
    "|laquo|raquo|lsquo|rsquo|ldquo|rdquo|szlig|[aeiouAEIOU](?:uml|grave|acute|circ)|[cC]cedil"
    "|[nN]tilde|#\\d{2,5}|#x[0-9a-fA-F]{2,5}"
)

NOTATIONS = (
    # `2x+3y \\& y\\geq 1`: the escape sign of a formula, and a command behind it.
    Idiom(
        frozenset({"command.split-word"}),
        lazy_re(rf"\\(?:{_OF_TEX})(?![A-Za-z])"),
        rest="_",
    ),
    # `&lt;`: the sign ends an entity; what stands behind it is searched.
    Idiom(
        frozenset({"command.leading", "command.chained", "command.chained-word"}),
        lazy_re(rf"&(?:{_OF_HTML})(?=;)"),
    ),
    # "Union Select Sports e.V.": nothing is joined to it, and nothing but names is selected.
    Idiom(
        frozenset({"sql.union-select", "sql.union-broken"}),
        lazy_re(
            r"\Aunion select(?= (?!(?:null|user|version|database|schema|true|false|default|sysdate"
            r"|uid|rownum|current\w*|session\w*|system\w*|local\w*|all|distinct|case|not|from"
            r"|into|password\w*|passwd|pwd|secret\w*|token\w*)\b)"
            r"[^\W\d_][^\W_]+(?: [^\W\d_][\w.]*){1,8}\Z)(?!.*\b(?:from|into|where|union)\b)",
            re.IGNORECASE,
        ),
    ),
    # "select * (choose)": no statement goes on with a bracket behind its star.
    Idiom(
        frozenset({"sql.select-from"}),
        lazy_re(
            r"\Aselect \*(?= \([^()]{1,80}\))(?!.*\b(?:from|into|union|limit|where)\b)",
            re.IGNORECASE | re.DOTALL,
        ),
    ),
    # `content:"${jndi:"` in a rule: the quote ends the text before anything is looked up.
    Idiom(
        frozenset({"command.jndi", "template.java"}),
        lazy_re(r"(?<=[\"'])\$\{jndi:(?=[\"'](?![^{}]*\}))", re.IGNORECASE),
    ),
    # `\.(php|asp)$`, `lang:php (eval|exec)`: behind a word no shell takes a bracket for commands.
    Idiom(
        frozenset(("command.chained", "command.chained-word", "command.leading")),
        lazy_re(
            r"(?<![$<>&;|!])(?:(?<=[\w.\\/?*+@)\]:])|(?<=[\w\\/]\())(?<!\bthen)(?<!\bdo)(?<!\belse)(?<!\bif)"
            r"(?<!\bwhile)(?<!\buntil)(?<!\btime) ?\((?:\?[:i]+:?)?(?:\\?[\w.-]+\|)+\\?[\w.-]+"
            r"(?:\\s[*+]?|\$)?\)"
        ),
    ),
    # `last(/host/vfs.fs.size[/,pused])>90`: a condition of Zabbix asks an item of a host.
    Idiom(
        frozenset(("ldap.xpath", "ldap.filter", "ldap.break-out", "xss.call")),
        lazy_re(
            r"\b(?:last|avg|min|max|sum|find|count|change|nodata|trend(?:avg|max|min|sum))"
            r"\(/[\w. -]{1,80}/[\w.-]{1,80}(?:\[[^\[\]()'<>=]{0,120}\])?"
            r"(?:,(?:[\w.#:/-]{0,40}|\"[^\"()'<>=]{0,120}\")){0,4}\)(?= ?[<>=+*/-]| (?:and|or)\b)"
        ),
    ),
    # `(memberOf=cn=admins,dc=a,dc=example)`: one comparison with an entry. Inside another filter it
    # is a syntax error, and finds nobody.
    Idiom(
        frozenset({"ldap.filter"}),
        lazy_re(r"\A\(\w{1,30}=\w{1,10}=[\w .@-]{1,80}(?:,\w{1,10}=[\w .@-]{1,80}){1,12}\)\Z"),
    ),
    # `contains "<script"`, `*<script*`: the sign belongs to the name of the element, which is none.
    Idiom(
        frozenset(("xss.script-tag", "xss.policy", "xss.break-out", "xss.active-tag")),
        lazy_re(
            r"(?<=[\w~=] \")<script(?=\"(?:[\s)][^<>=`]*)?\Z)"
            r"|(?<=\*)<script(?=\*(?:[\s)|\"]|\Z))",
            re.IGNORECASE,
        ),
    ),
    # "Escape </script> in JSON": an end of an element, with words and no other sign behind it.
    Idiom(
        frozenset(("xss.script-tag", "xss.break-out", "xss.policy", "xss.active-tag")),
        lazy_re(
            r"(?<=[\w\"'`] )</(?:script|style|title)>(?= [a-z]{2}[\w ,.:!?()-]*\Z)", re.IGNORECASE
        ),
    ),
    # "escape <script> in titles": two names side by side are no JavaScript, and none of it runs.
    Idiom(
        frozenset({"xss.script-tag"}),
        lazy_re(
            r"<script>(?= (?:in|and|or|as|is|to|tags?|elements?|blocks?|inside|within|from|into) "
            r"(?!in\b|instanceof\b|of\b)[a-z]{3,20}\b[^(=`\[\\{<>&/]*(?:\n|\Z))"
        ),
        in_sentence=True,
    ),
    # `name IN (sh,cmd.exe)`, `*cmd.exe*`: a list of names, and a pattern of them.
    Idiom(
        frozenset({"command.shell-path"}),
        lazy_re(
            r"(?<=\w )in ?\((?:[\w.-]{1,40}, ?){0,40}[\w.-]{1,40}\)"
            r"|(?<=[\s(:])\*(?:cmd|powershell|wscript)\.exe\*(?=[\s)]|\Z)",
            re.IGNORECASE,
        ),
    ),
    # "traversal & php wrappers": a file called by one word is none that anybody wrote.
    Idiom(
        frozenset({"command.chained"}),
        lazy_re(
            r"(?<=[a-z] )& (?:php|python|perl|ruby|node|java|lua) [a-z]{4,20}(?=[.,!?)]?(?:\s|\Z))"
        ),
        in_sentence=True,
    ),
    # `*${jndi\:*`: an escaped sign in a search; Log4j knows no look-up of this name.
    Idiom(
        frozenset({"command.jndi", "template.java", "template.object"}),
        lazy_re(r"(?<=\*)\$\{jndi(?=[\\/]{1,2}:\*|\*)", re.IGNORECASE),
    ),
    # `169.254.0.0/16`: a network, as routes and rules of firewalls have one.
    Idiom(
        frozenset({"ssrf.metadata"}),
        lazy_re(
            r"(?:\A|(?<=[\s,;\"']))169\.254\.\d{1,3}\.\d{1,3}/(?:[12]?\d|3[0-2])(?=[\s,;\"']|\Z)"
        ),
    ),
    # `href="javascript:void(0)"`, `starts-with(@href, 'javascript:')`: nothing is run.
    Idiom(
        frozenset(
            (
                *("xss.script-url", "xss.script-url-tabs", "redirect.script"),
                *("redirect.nested", "redirect.path-url"),
            )
        ),
        lazy_re(
            r"(?:\A|(?<=[\"'\s=(>]))javascript:(?:void\(0\);?|;)?(?=[\"'](?:[\s>)\],/]|\Z))"
            r"|\Ajavascript:(?:void\(0\);?|;)?\Z",
            re.IGNORECASE,
        ),
    ),
)
