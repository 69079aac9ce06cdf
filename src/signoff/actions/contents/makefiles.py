"""Makefiles: the shell lines of their recipes, with make's variables put in.

`$(HOME)` is a variable for make and a command for the shell, `$$HOME` the other way round: a
recipe is shell text only after make has read it.

    recipe_lines("D = ~/x\\nclean:\\n\\t@rm -rf $(D) $(HOME)\\n", ("clean",))
        == ("rm -rf ~/x ${HOME}",)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from signoff.actions.known.shell_lines import UNREAD_LINES
from signoff.actions.vocabulary import lazy_re

# Beyond these a file is not read on, and what is left of it is asked about: padding hides nothing.
MAX_CHARS = 65_536
MAX_LINES = 400
MAX_LINE = 4_000
_ROUNDS = 4  # a variable may be made of others
# `(?!=)` and `[^:=\n]`: `x := y` and `x ::= y` define a variable and are no rules.
_RULE = lazy_re(r"([^\s:=#][^:=\n]*?)\s*::?(?!=)([^;=\n]*)(?:;(.*))?")
_DEFINITION = lazy_re(
    r"(?m)^(?:export[ \t]+|override[ \t]+)*([\w.-]+)[ \t]*(?::{0,3}|\?|\+)=[ \t]*([^\n]*)$"
)
_REFERENCE = lazy_re(
    r"\$(?:(\$)|\((\w[\w.-]*)\)|\{(\w[\w.-]*)\}|\(shell\s([^()]*)\)|\(wildcard\s([^()]*)\)"
    r"|\([^()]*\)|\{[^{}]*\}|[@<^?*+%|])"
)
_INCLUDE = lazy_re(r"(?m)^(?:-include|sinclude|include)[ \t]+([\w./~ \t-]+)$")
_IF_UNSET = lazy_re(r"(?m)^(?:export[ \t]+)?([\w.-]+)[ \t]*\?=[ \t]*([^\n]*)$")
_INCLUDED = 8  # files one Makefile includes
# What make sets by itself (GNU make manual, Implicit Variables).
_OF_MAKE = {"MAKE": "make", "RM": "rm -f", "CURDIR": ".", "CC": "cc", "CXX": "c++", "SHELL": "sh"}
_OF_SHELL = frozenset({"HOME", "PWD", "USER", "TMPDIR", "PATH"})
# make takes these off a recipe's line: do not print, ignore errors, run even with `-n`.
_MARKS = "@-+ \t"


def variables_of(text: str) -> dict[str, str]:
    """Return the variables of a Makefile, with values as written."""
    joined = text[:MAX_CHARS].replace("\\\n", " ")
    return {name: value.partition(" #")[0].strip() for name, value in _DEFINITION.findall(joined)}


def shell_line(line: str, variables: Mapping[str, str], *, unknown: str | None = None) -> str:
    """Return the shell line that make runs for one recipe line.

    Args:
        unknown: replaces undefined variables; None = they count as build output.
    """

    def put_in(match: re.Match[str]) -> str:
        dollar, bracket, brace, run, files = match.groups()
        name = bracket or brace or ""
        if dollar or run is not None:
            return _LATER if dollar else f"{_LATER}({run})"
        if files is not None:
            return str(files)
        if name in variables:
            return variables[name]
        if name in _OF_SHELL:
            return f"{_LATER}{{{name}}}"
        return _OF_MAKE.get(name) or (f"build/{name}" if unknown is None else unknown)

    # Bounded, as `A = $(A) $(A)` would grow without end.
    for _ in range(_ROUNDS):
        before, line = line, _REFERENCE.sub(put_in, line)[:MAX_LINE]
        if line == before:
            break
    return line.replace(_LATER, "$").lstrip(_MARKS)


_LATER = "\x00"  # a `$` that is the shell's


def included_files(text: str) -> tuple[str, ...]:
    """Return the files that a Makefile includes, as written, those with plain names."""
    names = " ".join(_INCLUDE.findall(text[:MAX_CHARS])).split()
    return tuple([name for name in names if not name.startswith("#")])[:_INCLUDED]


def lines_by_variables(
    text: str, targets: Iterable[str], *, given: Mapping[str, str], around: Mapping[str, str]
) -> tuple[str, ...]:
    """Return the lines of recipes in which a variable stands, with the values it has in one run.

    Args:
        targets: names as given to make; none = the first of the file.
        given: variables on the command line; they win over those of the file.
        around: variables of the environment; they stand only where the file sets none, or `?=`.
    """
    joined = text[:MAX_CHARS].replace("\\\n", " ")
    rules, first = _rules(joined)
    kept = {name for name, _ in _IF_UNSET.findall(joined)}
    variables = variables_of(text)
    own = {name: value for name, value in around.items() if name in kept or name not in variables}
    variables = {**variables, **own, **given}
    lines = _made([*targets] or [first], rules)[:MAX_LINES]
    return tuple([shell_line(line, variables) for line in lines if "$(" in line or "${" in line])


def recipe_lines(text: str, targets: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the shell lines that making these targets runs, at most `MAX_LINES`.

    Args:
        targets: names as given to make; none = the first of the file.
    """
    rules, first = _rules(text[:MAX_CHARS].replace("\\\n", " "))
    variables = variables_of(text)
    lines = _made([*targets] or [first], rules)
    found = [shell_line(line, variables) for line in lines[:MAX_LINES]]
    if len(lines) > MAX_LINES or len(text) > MAX_CHARS:
        found.append(UNREAD_LINES)
    return tuple([line for line in found if line])


def _rules(text: str) -> tuple[dict[str, tuple[list[str], list[str]]], str]:
    """Return each target with its prerequisites and recipe, and the first target."""
    rules: dict[str, tuple[list[str], list[str]]] = {}
    names: list[str] = []
    first = ""
    for line in text.split("\n"):
        if line.startswith("\t"):
            for name in names:
                rules[name][1].append(line)
        elif (match := _RULE.match(line)) is not None:
            names = match[1].split()
            for name in names:
                needs, recipe = rules.setdefault(name, ([], []))
                needs += match[2].split()
                recipe += [match[3]] if match[3] else []
                # A name with a dot, as `.PHONY`, is not what plain `make` makes (GNU make manual,
                # Goals).
                first = first or ("" if name.startswith(".") else name)
        elif line.strip() and not line.startswith("#"):
            names = []
    return rules, first


def _made(targets: list[str], rules: Mapping[str, tuple[list[str], list[str]]]) -> list[str]:
    """The recipes of the targets and of what they need; of all, where one is not named."""
    todo, seen, lines = [*targets], dict[str, None](), list[str]()
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen[name] = None
        if name in rules:
            todo = [*todo, *rules[name][0]]
        elif name in targets:
            # A target without a rule may come from a pattern rule or another file: any recipe may
            # run.
            seen.update(dict.fromkeys(rules))
            break
    for name in seen:
        lines += rules[name][1] if name in rules else []
    return lines
