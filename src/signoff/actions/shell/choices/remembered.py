"""Marks of what a session chose: contexts, renamed contexts, saved plans, copied settings.

chose:1:kubectl config use-context:prod-eu      later calls of kubectl and helm are of prod-eu
chose:2:called dev:prod-eu                      the context `dev` is `prod-eu` renamed
chose:3:plan /p/week.tfplan:destroy             the saved plan destroys everything
chose:4:file /p/.env:config/production.env      the file is that of production, by copy or link

made_choices(commands)     what a line chooses
choices_of(created)        what is chosen now: of each the last
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator, Mapping, Sequence

from signoff.actions.facts import numbered_marks
from signoff.actions.programs.lexicon import is_production
from signoff.actions.shell.chosen import CHOICES, LONGEST
from signoff.actions.shell.command import Command
from signoff.actions.vocabulary import lazy_re2, words

PREFIX = "chose:"
CALLED, PLAN, FILE = "called ", "plan ", "file "
DESTROYS = "destroy"
_MAY_CHOOSE = lazy_re2(
    r"use-context|rename-context|kubectx|\bselect\b|\boc\s+project\b|\bset\b|activate|switch"
    r"|railway|supabase|firebase|\bplan\b|(?:^|[\s;&|/])(?:cp|ln|mv|install)\s"
)
_TERRAFORM = words("terraform tofu terragrunt")
_COPIERS = words("cp ln mv install")
# Where a plan for one environment of a few says which, it is not that of production.
_TRIAL = lazy_re2(
    r"(?i)(?:^|[^a-z])(?:dev|test|testing|staging|stage|sandbox|preview|scratch|demo|ci|qa)"
)


def made_choices(commands: Sequence[Command]) -> Iterator[tuple[str, str]]:
    """Yield what the commands of a line choose, as what and how."""
    for command in commands:
        texts = [word.text for word in command.words]
        if not all([word.is_known for word in command.words]) or len(texts) < 2:
            continue
        if command.program in _TERRAFORM and "plan" in texts:
            yield from _saved_plan(command, texts)
        elif command.program in _COPIERS:
            yield from _copied(command, texts)
        else:
            yield from _context(command.program, texts)


def may_choose(line: str) -> bool:
    """Return whether a line may choose anything; a cheap test before it is read."""
    return _MAY_CHOOSE.search(line) is not None


def choices_of(created: Collection[str]) -> Mapping[str, str]:
    """Return what is chosen now, by what is chosen."""
    return dict(numbered_marks(created, PREFIX))


def _context(program: str, texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    if texts[1:3] == ["config", "rename-context"] and len(texts) > 4:
        yield f"{CALLED}{texts[4]}", texts[3]
        return
    for name, lead, _ in CHOICES:
        size = len(lead.split()) + 1
        if program == name and " ".join(texts[1:size]) == lead:
            named = [text for text in texts[size:] if text[:1] != "-"]
            if named and len(named[0]) < LONGEST:
                yield f"{name} {lead}", named[0]


def _saved_plan(command: Command, texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    line = " ".join(texts)
    for at, text in enumerate(texts):
        option, is_joined, value = text.partition("=")
        if option in ("-out", "--out"):
            value = value if is_joined else "".join(texts[at + 1 : at + 2])
            is_whole = "-target" not in line and _TRIAL.search(line) is None
            destroys = is_whole and not {"-destroy", "--destroy"}.isdisjoint(texts)
            path = posixpath.normpath(posixpath.join(command.cwd or "/", value))
            yield f"{PLAN}{path}", DESTROYS if destroys else "change"


def _copied(command: Command, texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    """A file that is copied or linked over another; only what leads to production is told."""
    named = [text for text in texts[1:] if text[:1] != "-"]
    if len(named) != 2 or ":" in named[1]:
        return
    source, target = named
    if target.endswith("/") or posixpath.basename(target) in (".", ".."):
        target = posixpath.join(target, posixpath.basename(source))
    path = posixpath.normpath(posixpath.join(command.cwd or "/", target))
    is_live = is_production(posixpath.basename(source)) and not is_production(target)
    yield f"{FILE}{path}", source if is_live else ""
