"""Tells code in a field that is made for it from code that is put into a value.

Two signs must hold. The name of the field says that code belongs there: the application chose the
name, and a caller who adds another field adds one that nobody reads. And the value is whole: it
begins like a piece of this language and closes each quote and bracket that it opens, and no other,
so it breaks out of nothing (`whole`).

    purposed_syntax("sql", "SELECT a FROM t UNION SELECT b FROM u")   ->  Syntax.STATEMENT
    purposed_syntax("sql", "1' UNION SELECT b FROM u--")              ->  None
    purposed_syntax("name", "SELECT a FROM t UNION SELECT b FROM u")  ->  None
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache

from signoff.actions.vocabulary import lazy_re
from signoff.assess.contexts.languages.rules import is_rule
from signoff.assess.contexts.languages.whole import (
    is_command_list,
    is_formula,
    is_program,
    is_query,
    is_reading_query,
    is_source,
    is_statement,
)
from signoff.assess.contexts.syntax import Syntax

NAME_LIMIT = 64
QUOTED_LIMIT = 64 << 10
_SIGNS = lazy_re(r"[^a-z0-9]+")
# A file of a program by its name, where an object holds files by their names.
_FILE_NAME = lazy_re(
    r"[\w/-]{1,50}\.(?:c|h|cpp|cc|py|js|mjs|ts|jsx|tsx|vue|rb|go|rs|java|kt|cs|sh|bash|lua|swift"
    r"|scala|pl|jl|tf|ya?ml)"
)
_Reading = tuple[Callable[[str], bool], Syntax]
_BY_NAME: Mapping[str, _Reading] = {
    name: reading
    for names, reading in (
        (
            "sql rawsql sqlquery querysql sqltext sqlstring sqlstatement sqlexpression sqlexpr"
            " sqlbody sqlscript querytext statement dbstatement dbquerytext nativequery customsql"
            " soql hql ddl dml ksql tsql plsql viewdefinition sourcequery validationquery testquery"
            " sqlcommand sqltemplate customquery basequery datasetquery",
            (is_statement, Syntax.STATEMENT),
        ),
        (
            "kql spl esql promql logql traceql flux influxql cypher sparql gremlin aql mql nrql eql"
            " wiql jsonpath jmespath jq cel xpath xpathquery"
            " xpathexpression",
            (is_query, Syntax.STATEMENT),
        ),
        ("query", (is_reading_query, Syntax.STATEMENT)),
        ("formula formulas filterbyformula", (is_formula, Syntax.STATEMENT)),
        (
            "script scripts mainscript userscript shellscript buildscript deployscript"
            " installscript startupscript bootscript beforescript afterscript testscript"
            " prerequestscript workerscript userdata cloudinit cloudconfig dockerfile jenkinsfile"
            " makefile sourcecode typedcode usercode functioncode customjs groovy lua python bash"
            " tests pipeline playbook extravars yaml yml manifest compose composefile hcl"
            " policy policyrules rego prescript postscript preinstall postinstall runscript"
            " initscript setupscript customscript scriptcontent scripttext scriptbody scriptcode"
            " functionbody functionsource handlersource lambdacode workercode pythoncode jscode"
            " javascriptcode customcode inlinecode inlinescript powershell nginxconf vcl caddyfile"
            " procfile func jsscript dockercompose helmvalues valuesyaml workflowyaml pipelineyaml",
            (is_program, Syntax.FILE),
        ),
        ("code source cell snippet", (is_source, Syntax.FILE)),
        ("command commands", (is_command_list, Syntax.FILE)),
        (
            "rule rules raw ruletext rulebody secrule secrules seclang wafrule wafrules idsrule"
            " idsrules suricata snort signature signatures customrules",
            (is_rule, Syntax.FILE),
        ),
    )
    for name in names.split()
}
_FILES: _Reading = (is_program, Syntax.FILE)
_SHEETS = frozenset(("css", "customcss", "stylesheet", "styles"))
# Of a value that stands beside its name: `{"key": "user_data", "value": "#!/bin/bash ..."}`
_PAIR_NAMES = ("key", "name", "variable")
_OF_PAIRS = frozenset(
    (
        *("key", "name", "variable", "value", "category", "hcl", "sensitive", "description"),
        *("variable_type", "protected", "masked", "environment_scope", "raw", "secret", "type"),
    )
)


def purposed_syntax(name: str, value: str) -> Syntax | None:
    """Return how the value of a field is written that is made for code, None for any other."""
    reading = _reading_of(name) if len(name) <= NAME_LIMIT else None
    return reading[1] if reading is not None and reading[0](_written_out(value)) else None


def has_purpose(name: str) -> bool:
    """Return whether the name of a field says that code belongs there."""
    return len(name) <= NAME_LIMIT and _reading_of(name) is not None


def takes_statements(name: str) -> bool:
    """Return whether a field takes queries or formulas, and nothing else, by its name."""
    reading = _reading_of(name) if len(name) <= NAME_LIMIT else None
    return reading is not None and reading[0] in (is_statement, is_formula, is_query)


def takes_sheets(name: str) -> bool:
    """Return whether a field takes a style sheet by its name."""
    return len(name) <= NAME_LIMIT and _plain(name) in _SHEETS


def _written_out(value: str) -> str:
    """Return what a text in quotes stands for, as Terraform takes one: `"#!/bin/sh\\nid\\n"`."""
    if value[:1] != '"' or "\\n" not in value or len(value) > QUOTED_LIMIT:
        return value
    try:
        text = json.loads(value)
    except ValueError:
        return value
    return text if isinstance(text, str) else value


def name_in_pair(node: Mapping[str, object]) -> str | None:
    """Return the name that an object gives its `value`, where code belongs under that name."""
    if not node.keys() <= _OF_PAIRS:
        return None
    names = [node[one] for one in _PAIR_NAMES if one in node]
    name = names[0] if len(names) == 1 else None
    is_named = isinstance(name, str) and len(name) <= NAME_LIMIT
    return str(name) if is_named and _reading_of(str(name)) is not None else None


@lru_cache(maxsize=1024)
def _reading_of(name: str) -> _Reading | None:
    if _FILE_NAME.fullmatch(name):
        return _FILES
    return _BY_NAME.get(_plain(name))


def _plain(name: str) -> str:
    """Return the last part of a name, without signs: `page[custom_css]` is `customcss`."""
    return _SIGNS.sub("", name.rstrip("]").rpartition("[")[2].lower())
