"""Lines of job files of the session, with the values that a call starts the job with.

A job says `rm -rf {{ params.path }}` and the call that starts it says what `path` is. Read together
they are one line. The job may be one of Airflow, Argo, GitHub Actions, Jenkins, Nomad, Rundeck,
Ansible or any other tool that fills in names between signs. Only files of the session count.

    bash_command='rm -rf "{{ params.path }}"/*' ; airflow dags trigger x -c '{"path": "/srv"}'
    run: rsync -a --delete ${{ inputs.src }} x  ; gh workflow run x.yml -f src=/home

    filled_lines(action, facts)     the lines with values put in
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TypeGuard

from signoff.actions.action import Action
from signoff.actions.contents.settings.formats import parse_json
from signoff.actions.contents.settings.started_jobs import GIVES_VALUES, starts_job
from signoff.actions.facts import Facts
from signoff.actions.vocabulary import lazy_re

VALUES_LIMIT, LINES_LIMIT, TEXT_LIMIT, DEPTH = 12, 40, 65_536, 4
VALUE_LIMIT = 400
_PLACE = lazy_re(r"\{\{|\$\{|@option\.|<%=|\$[A-Za-z_(]")
_PAIR = lazy_re(r"(?:^|[\s'\"])(?:-{1,2}[\w-]+=)?(?P<name>[A-Za-z_][\w-]*)=(?P<value>[^\s'\"]+)")
_OBJECT = lazy_re(r"\{[^{}']*\}")
_LITERAL = lazy_re(r"'([^'\n]{0,2000})'|\"((?:[^\"\\\n]|\\.){0,2000})\"|`([^`]{3,2000})`")
# `key: value`, `- value`, `sh value`: what stands before a line in settings.
_BEFORE = lazy_re(r"^\s*(?:-\s+)?(?:[\w.-]+\s*:\s+)?(?P<line>\S.*)$")
_FORMS = (
    r"\$?\{\{-?\s*(?:[\w.]+\.)?(?:\w+[\[(]\s*['\"])?%s(?:['\"]\s*[\])])?(?:\s*\|[^{}]*)?\s*-?\}\}"
    r"|\$\{(?:params\.|env\.|inputs\.|NOMAD_META_)?%s\}|@option\.%s@|\$\(?%s\b\)?"
    r"|<%=\s*(?:\w+[\[.][:'\"]?)?%s['\"]?\]?\s*%>"
)


def filled_lines(action: Action, facts: Facts) -> Iterator[str]:
    """Yield lines of job files that the session wrote, with the values of a call put in."""
    if not facts.written or not starts_job(action):
        return
    values = dict(islice(_values(action), VALUES_LIMIT))
    forms = {name: _form(name) for name in values}
    for path in sorted(facts.written) if values else ():
        fact = facts.files.get(path)
        if fact is not None and fact.text and _PLACE.search(fact.text) is not None:
            yield from islice(_lines(fact.text[:TEXT_LIMIT], values, forms), LINES_LIMIT)


def _form(name: str) -> re.Pattern[str]:
    """Return how tools name a value: `{{ params.x }}`, `${{ inputs.x }}`, `@option.x@`."""
    return re.compile(_FORMS.replace("%s", re.escape(name)), re.IGNORECASE)


def _lines(
    text: str, values: Mapping[str, str], forms: Mapping[str, re.Pattern[str]]
) -> Iterator[str]:
    for row in text.split("\n"):
        if _PLACE.search(row) is None:
            continue
        found = _BEFORE.match(row)
        whole = [found["line"]] if found is not None else []
        inner = [one or two or three for one, two, three in _LITERAL.findall(row)]
        for line in (*inner, *whole):
            filled = _filled(line, values, forms)
            if filled != line:
                yield filled


def _filled(line: str, values: Mapping[str, str], forms: Mapping[str, re.Pattern[str]]) -> str:
    for name, form in forms.items():
        # A value is a text: a backslash in it stands for itself.
        line = form.sub(values[name].replace("\\", "\\\\"), line)
    return line


def _values(action: Action) -> Iterator[tuple[str, str]]:
    """Yield the names and values that a call gives to what it starts."""
    line = action.text("command")
    if not line:
        yield from _leaves(action.arguments, DEPTH)
        return
    found = GIVES_VALUES.search(line)
    rest = line[found.start() :] if found is not None else ""
    for text in _OBJECT.findall(rest):
        parsed = parse_json(text) or parse_json(text.replace('\\"', '"'))
        yield from _leaves(parsed if isinstance(parsed, dict) else {}, DEPTH)
    yield from [(one["name"], one["value"]) for one in _PAIR.finditer(rest)]


def _leaves(value: object, depth: int) -> Iterator[tuple[str, str]]:
    """Yield the names and texts in a value, `NAME=text` and `{name: NAME, value: text}` as well."""
    inner: list[object] = []
    if isinstance(value, Mapping):
        named = value.get("name", value.get("key")), value.get("value")
        if isinstance(named[0], str) and isinstance(named[1], str):
            yield named[0], named[1]
        yield from [(str(name), one) for name, one in value.items() if _is_value(one)]
        inner += [one for one in value.values() if not isinstance(one, str)]
    elif isinstance(value, list):
        pairs = [one.partition("=") for one in value if isinstance(one, str)]
        yield from [(name, text) for name, _, text in pairs if _is_value(text)]
        inner += value
    for one in inner if depth else ():
        yield from _leaves(one, depth - 1)


def _is_value(text: object) -> TypeGuard[str]:
    return isinstance(text, str) and 0 < len(text) < VALUE_LIMIT and "\n" not in text
