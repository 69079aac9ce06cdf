"""Lines of task files of the session, with the words that a call hands to the task put in.

`just clean ~` says nothing of what it does to `~`, and the recipe `rm -rf {{dir}}` says nothing of
the place. Read together they are one line. Only files are read that the session wrote itself.

    justfile `clean dir:` `rm -rf {{dir}}`; just clean ~             rm -rf ~
    Taskfile `rm -rf {{.DIR}}`; task clean DIR=/home/a               rm -rf /home/a
    package.json `"up": "aws s3 cp"`; npm run up -- .env s3://b/x    aws s3 cp .env s3://b/x
    tox.ini `commands = rm -rf {posargs}`; tox -- /home/a            rm -rf /home/a
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from shlex import join, quote

from signoff.actions.contents.makefiles import lines_by_variables
from signoff.actions.place import Place
from signoff.actions.shell.command import Command
from signoff.actions.shell.reader import read_shell
from signoff.actions.vocabulary import lazy_re, words

LINES_LIMIT = 40
LINE_LIMIT = 4_096
TEXT_LIMIT = 65_536
_RUNNERS = words("npx bunx uv poetry pdm pipx bundle rye run exec x tool -- python python3 -m")
_RUN = words("run run-script task")
_RECIPE = lazy_re(r"^@?([\w-]+)((?:\s+[^:=\n]*(?:=\s*(?:'[^']*'|\"[^\"]*\"|\S+))?)*)\s*:(?!=)")
_PARAMETER = lazy_re(r"[*+$]*([\w-]+)(?:\s*=\s*('[^']*'|\"[^\"]*\"|\S+))?")
_RUN_BY_PYTHON = lazy_re(
    r"\b(?:run|sudo|local|system|call|check_call|Popen)\(\s*f?(?:\"([^\"\n]+)\"|'([^'\n]+)')"
)
_NAMED_LINE = lazy_re(
    r"(?m)^[ \t]*[\"']?([\w:.-]+)[\"']?[ \t]*=[ \t]*(?:\{[^}\n]*?(?:cmd|shell)[ \t]*=[ \t]*)?"
    r"\[?[ \t]*(?:\"([^\"\n]*)\"|'([^'\n]*)')"
)
_HEADED_LINE = lazy_re(
    r"(?m)^\[(?:[\w.\"-]+\.)?[\"']?([\w:-]+)[\"']?\]\s*\n(?:[^\[\n]*\n){0,6}?"
    r"[ \t]*(?:run|cmd|shell)[ \t]*=[ \t]*\[?[ \t]*(?:\"([^\"\n]*)\"|'([^'\n]*)')"
)


def lines_with_words(line: str, place: Place) -> Iterator[str]:
    """Yield the lines that the task runners of a line start, with what they are given put in."""
    files = [
        (reads, fact.text[:TEXT_LIMIT])
        for path in sorted(place.facts.written)
        for reads in [_READERS.get(path.rpartition("/")[2].lower())]
        if reads is not None and (fact := place.files.get(path)) is not None and fact.text
    ]
    if not files:
        return
    around = {"HOME": place.home}
    for command in read_shell(line[:LINE_LIMIT], cwd=place.cwd, variables=around).commands:
        program, given = _runner(command)
        for (programs, read), text in files:
            if given and program in programs:
                yield from islice(read(text, given), LINES_LIMIT)


def _runner(command: Command) -> tuple[str, list[str]]:
    """Return the task runner that a command starts, and the words behind it."""
    texts = [word.text if word.is_known else "" for word in command.words]
    while len(texts) > 1 and texts[0] in _RUNNERS:
        del texts[0]
    if len(texts) > 2 and texts[0] in {"uv", "poetry", "pdm"} and texts[1] == "run":
        del texts[:2]
    return (texts[0].rpartition("/")[2], texts[1:]) if texts else ("", [])


def _just(text: str, given: Sequence[str]) -> Iterator[str]:
    """The recipe that is named; its words stand for its parameters, in order."""
    plain = [one for one in given if one[:1] != "-" and "=" not in one[:40]]
    if not plain:
        return
    values = dict(one.split("=", 1) for one in given if "=" in one and one[:1] != "-")
    is_recipe = False
    for line in text.replace("\\\n", " ").split("\n"):
        if line[:1] not in (" ", "\t", "", "#"):
            head = _RECIPE.match(line)
            is_recipe = head is not None and head[1] == plain[0]
            if head is not None and is_recipe:
                values |= _parameters(head[2], plain[1:])
        elif is_recipe and line.strip():
            yield from _changed(line.strip().lstrip("@-"), r"\{\{\s*%s\s*\}\}", values)


def _parameters(declared: str, given: Sequence[str]) -> dict[str, str]:
    values: dict[str, str] = {}
    for at, found in enumerate(_PARAMETER.finditer(declared)):
        is_rest = found[0][:1] in "*+"
        value = " ".join(given[at:]) if is_rest else "".join(given[at : at + 1])
        # `$dir` is handed over as a variable of the environment as well.
        values[found[1]] = value or (found[2] or "").strip("'\"")
    return values


def _task(text: str, given: Sequence[str]) -> Iterator[str]:
    """Lines of a Taskfile in which a given variable, or what stands behind `--`, is put in."""
    at = given.index("--") if "--" in given else len(given)
    values = dict(one.split("=", 1) for one in given[:at] if "=" in one and one[:1] != "-")
    values["CLI_ARGS"] = join(given[at + 1 :])
    for line in text.split("\n"):
        if "{{" in line:
            plain = line.strip().removeprefix("- ").removeprefix("cmd:").strip()
            if plain[:1] in "\"'" and plain[-1:] == plain[:1]:
                plain = plain[1:-1]
            yield from _changed(plain, r"\{\{-?\s*\.%s\b[^{}]*\}\}", values)


def _scripts(text: str, given: Sequence[str]) -> Iterator[str]:
    """The script of a manifest that is named, with the words behind it."""
    plain = [*given]
    if plain[0] in _RUN:
        del plain[0]
    while plain and plain[0][:1] == "-":
        del plain[0]
    try:
        manifest = json.loads(text)
    except ValueError:
        return
    if not plain or not isinstance(manifest, dict):
        return
    settings = {
        f"npm_config_{name}": value
        for one in given
        if one[:2] == "--" and "=" in one
        for name, value in [one[2:].split("=", 1)]
    }
    for key in ("scripts", "tasks"):
        tasks = manifest.get(key)
        said = tasks.get(plain[0]) if isinstance(tasks, dict) else None
        for one in said if isinstance(said, list) else [said]:
            if isinstance(one, str):
                yield from _with_behind(one, plain[1:])
                yield from _changed(one, r"\$\{?%s\b\}?", settings)


def _tox(text: str, given: Sequence[str]) -> Iterator[str]:
    """Lines with `{posargs}`: what stands behind `--`."""
    if "--" in given:
        values = {"posargs": join(given[given.index("--") + 1 :])}
        for line in text.split("\n"):
            plain = line.partition("=")[2] if line.lstrip().startswith("commands") else line
            yield from _changed(plain.strip(), r"\{%s(?::[^{}]*)?\}", values)


def _named(text: str, given: Sequence[str]) -> Iterator[str]:
    """Lines of a TOML file by the name of a task: `clean = "rm -rf {args}"`."""
    plain = [one for one in given if one != "--"]
    if plain[:1] and plain[0] in _RUN:
        del plain[0]
    if len(plain) < 2:
        return
    name = plain[0].rpartition(":")[2]
    for found in (*_NAMED_LINE.finditer(text), *_HEADED_LINE.finditer(text)):
        said = found[2] or found[3] or ""
        if found[1] == name and said:
            filled = [*_changed(said, r"\{%s(?::[^{}]*)?\}", {"args": join(plain[1:])})]
            yield from filled or _with_behind(said, plain[1:])


def _python(text: str, given: Sequence[str]) -> Iterator[str]:
    """Lines that a task in Python runs, with its options put in: `{d}`, with `-d` or `--d`."""
    values: dict[str, str] = {}
    behind = [*given[1:], ""]
    for option, after in zip(given, behind, strict=True):
        name, mark, value = option.lstrip("-").partition("=")
        if option[:1] == "-" and name:
            values[name.replace("-", "_")] = value if mark else after
    short = {name: value for name, value in values.items() if len(name) == 1}
    for found in _RUN_BY_PYTHON.finditer(text):
        said = found[1] or found[2]
        of_short = {
            name: value
            for letter, value in short.items()
            for name in re.findall(rf"\{{({letter}\w*)\}}", said)
        }
        yield from _changed(said, r"\{%s\}", {**values, **of_short})


def _make(text: str, given: Sequence[str]) -> Iterator[str]:
    values = dict(one.split("=", 1) for one in given if "=" in one and one[:1] != "-")
    named = {name.rstrip(":?+"): value for name, value in values.items()}
    targets = [one for one in given if one[:1] != "-" and "=" not in one]
    if named:
        yield from lines_by_variables(text, targets, given=named, around={})


def _with_behind(line: str, given: Sequence[str]) -> Iterator[str]:
    behind = [one for one in given if one != "--"]
    if behind:
        yield f"{line} {' '.join(map(_word, behind))}"


def _changed(line: str, form: str, values: Mapping[str, str]) -> Iterator[str]:
    """Yield a line if a value is put into it.

    Args:
        form: how a value is named there, as an expression with `%s` for the name.
    """
    before = line
    for name, value in values.items():
        if value:
            line = re.sub(form % re.escape(name), value.replace("\\", "\\\\"), line)
    if line != before:
        yield line


def _word(text: str) -> str:
    """Quote a word, unless the shell is to read its beginning: `~/x`."""
    return text if text[:1] == "~" and " " not in text else quote(text)


_Reader = Callable[[str, Sequence[str]], Iterator[str]]
_NODE = (words("npm pnpm yarn bun composer deno"), _scripts)
_JUST = (words("just"), _just)
_TASK = (words("task go-task"), _task)
_MAKE = (words("make gmake bmake"), _make)
_TOML = (words("hatch pdm poe taskipy task mise rye pixi cargo-make makers"), _named)
_READERS: Mapping[str, tuple[frozenset[str], _Reader]] = {
    **dict.fromkeys(("justfile", ".justfile"), _JUST),
    **dict.fromkeys(
        ("taskfile.yml", "taskfile.yaml", "taskfile.dist.yml", "taskfile.dist.yaml"), _TASK
    ),
    **dict.fromkeys(("package.json", "composer.json", "deno.json", "deno.jsonc"), _NODE),
    **dict.fromkeys(("makefile", "gnumakefile", "bsdmakefile"), _MAKE),
    **dict.fromkeys(
        ("pyproject.toml", "mise.toml", ".mise.toml", "pixi.toml", "makefile.toml"), _TOML
    ),
    "tox.ini": (words("tox"), _tox),
    **dict.fromkeys(("tasks.py", "fabfile.py"), (words("inv invoke fab"), _python)),
}
