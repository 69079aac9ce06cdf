"""Takes tags out of a template that do no more than fill in names, choose and repeat.

A list of harmless forms decides: dotted names, filters with plain arguments, comparisons, blocks.
What computes, calls, reaches into an object or names one of the engine's own stays where it is.

    without_harmless("Hi {{ user.name | escape }}", "_")  ->  "Hi _"
    without_harmless("{{ config.items() }}", "_")  ->  "{{ config.items() }}"
"""

from __future__ import annotations

import re
from functools import cache
from typing import cast

import re2

from signoff.actions.vocabulary import lazy_re

# What an engine offers besides the names an author knows, and what objects are reached by.
_OWN = frozenset(
    (
        *("config", "self", "request", "settings", "debug", "app", "env", "environment", "flag"),
        *("secret", "secrets", "session", "g", "_self", "lipsum", "cycler", "joiner", "namespace"),
        *("constructor", "prototype", "process", "global", "globals", "system", "exec", "eval"),
        *("class", "getclass", "runtime", "smarty", "root", "require", "import", "lookup", "with"),
        *("application", "get_flashed_messages", "url_for", "push", "pop", "dump", "php", "source"),
        *("include", "extends", "attr", "map", "filter", "reduce", "sort", "find", "group_by"),
        *("selectattr", "rejectattr", "select", "reject", "groupby", "min", "max", "apply"),
    )
)
_NAME = r"[@A-Za-z][\w-]*(?:\.[A-Za-z\d][\w-]*|\[\d{1,4}\]|/[A-Za-z][\w-]*)*"
_TEXT = r"\"[^\"'{}<>\\]*\"|'[^\"'{}<>\\]*'"
# What Home Assistant offers to ask its own things; no other engine has these.
_ASKED = (
    r"(?:(?:states|is_state|state_attr|is_state_attr|has_value|is_number|expand|area_name)"
    rf"\(\s*(?:{_TEXT})(?:\s*,\s*(?:{_TEXT}|-?\d+))*\s*\)"
    r"|(?:now|utcnow)\(\)(?:\.(?:strftime\(\s*'[%\w :./-]*'\s*\)|isoformat\(\)|\w+))?)"
)
# What dbt offers to name its own tables, and to say how one is built.
_GIVEN = rf"(?:\w{{1,40}}\s*=\s*)?(?:{_TEXT}|-?\d+|[Tt]rue|[Ff]alse)"
_OF_DBT = lazy_re(
    r"(\{\{[-~]?\s*|\{%[-~]?\s*if\s+(?:not\s+)?)(?:(?:ref|source|config|var)"
    rf"\(\s*{_GIVEN}(?:\s*,\s*{_GIVEN}){{0,20}}\s*,?\s*\)|is_incremental\(\s*\))"
    r"(?=\s*[-~]?(?:\}\}|%\}))"
)
# What n8n offers to name what came from a node before; no other engine has these.
_OF_N8N = lazy_re(
    r"\{\{\s*(?:\$json"
    r"|\$\(\s*(?:'[\w .-]{1,60}'|\"[\w .-]{1,60}\")\s*\)\.(?:item|first\(\)|last\(\))\.json"
    r"|\$node\[(?:'[\w .-]{1,60}'|\"[\w .-]{1,60}\")\]\.json)"
    r"(?:\.[A-Za-z]\w*|\[(?:'[A-Za-z][\w .-]{0,60}'|\"[A-Za-z][\w .-]{0,60}\"|\d{1,4})\])*\s*\}\}"
    r"|\{\{\s*\$(?:now|today)(?:\.(?:minus|plus)\(\{\s*\w{1,10}:\s*\d{1,4}\s*\}\))?"
    r"(?:\.to(?:ISO|ISODate|Millis|Seconds)\(\))?\s*\}\}"
)
_KNOWN_CALL = lazy_re(rf"{_ASKED}")
_PLAIN = rf"(?:{_ASKED}|{_NAME}|{_TEXT}|-?\d+(?:\.\d+)?)"
_ARGUMENTS = (
    rf"(?:\s*:\s*{_PLAIN}(?:\s*,\s*{_PLAIN})*|\(\s*(?:{_PLAIN}(?:\s*,\s*{_PLAIN})*)?\s*\))?"
)
_FILTERS = rf"(?:\s*\|\s*[A-Za-z]\w*{_ARGUMENTS})*"
# A format of one number, which gives digits whatever it is filled with.
_DIGITS = r"(?:'%[+\d.]{0,6}[dfi]'|\"%[+\d.]{0,6}[dfi]\")"
_FORMATTED = rf"{_DIGITS}\s*\|\s*format\(\s*{_NAME}\s*\)"
_VALUE = rf"(?:(?:{_ASKED}|{_NAME}){_FILTERS}|{_FORMATTED})"
_TEST = (
    rf"(?:not\s+)?{_PLAIN}{_FILTERS}"
    rf"(?:\s*(?:[=!]=|[<>]=?|\bcontains\b|\bin\b|\bis\b(?:\s+not)?)\s*{_PLAIN})?"
)
_CONDITION = rf"{_TEST}(?:\s+(?:and|or)\s+{_TEST})*"
_STATE = rf"(?:not\s+)?{_ASKED}{_FILTERS}(?:\s*(?:[=!]=|[<>]=?)\s*{_PLAIN})?"
_CONDITION_OF_STATES = rf"{_STATE}(?:\s+(?:and|or)\s+{_STATE})*"
_BLOCK = (
    rf"(?:(?:el(?:s(?:e\s*)?)?if|if|unless|when|case)\s+{_CONDITION}|else|for\s+\w+(?:\s*,\s*\w+)?"
    rf"\s+in\s+{_VALUE}|end\w*|empty|comment|endcomment)"
)
_COMPARED = rf"\((?:gte?|lte?|eq|neq?)(?:\s+{_PLAIN}){{2}}\)"
_TAG = (
    rf"\{{\{{[-~]?\s*{_VALUE}\s*[-~]?\}}\}}"
    rf"|\{{\{{[-~]?\s*{_CONDITION_OF_STATES}\s*[-~]?\}}\}}"
    rf"|\{{%[-~+]?\s*{_BLOCK}\s*[-~+]?%\}}"
    rf"|\{{\{{~?(?:#(?:each|if|unless)\s+(?:{_NAME}|{_COMPARED})|/(?:each|if|unless)|else)\s*~?\}}\}}"
    # Sections of Mustache, and what a template of Go reads of its own data.
    rf"|\{{\{{[#^/]{_NAME}\}}\}}"
    r"|\{\{-?\s*(?:(?:len|if|range|with)\s+)?\.[A-Z]\w*(?:\.[A-Za-z]\w*)*(?:\s*\|\s*[a-z]\w*)*\s*-?\}\}"
    # MediaWiki: a parameter with its default, a choice.
    rf"|\{{\{{\{{\w+\|[^{{}}]*\}}\}}\}}|\{{\{{#(?:if|ifeq|ifexist|switch)\s*:"
    # In pages of Handlebars and Mustache: the value as it is.
    rf"|\{{\{{\{{\s*{_NAME}\s*\}}\}}\}}"
)
# Beside a state that was asked for: it is named, computed with, and one of two texts is chosen.
_NUMBER = r"\d{1,6}(?:\.\d{1,6})?"
_OF_STATES = lazy_re(
    rf"\{{%-?\s*set\s+[a-z]\w*\s*=\s*{_ASKED}{_FILTERS}\s*-?%\}}"
    rf"|\{{\{{-?\s*\(?\s*[a-z]\w*(?:\s*[*+/-]\s*{_NUMBER}){{1,4}}\s*\)?{_FILTERS}\s*-?\}}\}}"
    rf"|\{{\{{-?\s*(?:{_TEXT})\s+if\s+{_CONDITION}\s+else\s+(?:{_TEXT})\s*-?\}}\}}"
)
_WORD = lazy_re(r"[A-Za-z_]\w*")


@cache
def _tag() -> re.Pattern[str]:
    return cast("re.Pattern[str]", re2.compile(_TAG))


def without_harmless(text: str, rest: str) -> str:
    """Return the text with harmless template tags replaced by `rest`."""
    if "{{" not in text and "{%" not in text:
        return text
    plain = _OF_N8N.sub(lambda tag: tag[0] if _is_odd(tag[0]) else rest, text)
    plain = _OF_DBT.sub(r"\1table", plain)
    if _KNOWN_CALL.search(text) is not None:
        plain = _OF_STATES.sub(lambda tag: tag[0] if _is_odd(tag[0]) else rest, plain)
    left = _tag().sub(lambda tag: tag[0] if _is_odd(tag[0]) else rest, plain)
    # A value of nothing but a tag is no template: it asks whether there is an engine.
    is_known = any(one.search(text) is not None for one in (_KNOWN_CALL, _OF_N8N))
    return left if is_known or any(map(str.isalnum, left)) else text


def _is_odd(tag: str) -> bool:
    """Return whether a tag names something of the engine or of the language below it."""
    words = _WORD.findall(tag)
    return "__" in tag or any(one.lower() in _OWN or one.startswith("_") for one in words)
