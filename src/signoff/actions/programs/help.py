"""Calls that do nothing: they only print help or the version, or are told to do nothing.

Which options ask for that is data of the program (`helps`, `harmless`); nothing is inert by its
looks. `--help` counts in option position only. Behind an operand a BSD program takes it for
another operand, behind inline code it belongs to the code, behind an option that nobody described
it may be that option's value.

    rm --help            -> prints help          rm -rf ~ --help              -> deletes ~
    kubectl ... --dry-run=client -> nothing      kubectl ... --dry-run=none   -> is carried out
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from signoff.actions.programs.options import OFF, Parsed, ProgramOption, is_switched_on
from signoff.actions.programs.program import DASHED_HELPS, Program
from signoff.actions.shell.command import Command, Word


def does_nothing(
    described: Program, args: Sequence[Word], parsed: Parsed, command: Command
) -> bool:
    """Return whether a call only prints help, or is a dry run.

    Args:
        args: all its words.
        parsed: the same, as options and operands.
    """
    given = [option.name for option in parsed.options]
    if not described.harmless.isdisjoint(given) and is_switched_on(
        parsed.options, described.harmless
    ):
        return not _is_told_off(described, args)
    # xargs and others put words in: what stands there is not known to be the last word.
    if command.input_words:
        return False
    if not described.helps.isdisjoint(given):
        return _prints_help(described, args, parsed)
    # Alone on the line `-help` can mean nothing else, whatever the program.
    return len(args) == 1 and args[0].text in DASHED_HELPS and command.stdin is None


def _is_told_off(described: Program, args: Sequence[Word]) -> bool:
    """Tell `--dry-run false`, which programs with boolean options carry out."""
    return any(
        [
            before.text in described.harmless and before.text[:2] == "--" and after.text in OFF
            for before, after in pairwise(args)
        ]
    )


def _prints_help(described: Program, args: Sequence[Word], parsed: Parsed) -> bool:
    """Whether help is asked for before every operand, beside plain flags alone."""
    if any([option.value is not None or _acts(option, described) for option in parsed.options]):
        return False
    for word in args:
        text = word.text
        if text in described.helps:
            # Behind operands `--version` often is an option with a value: `npm install x
            # --version 1`.
            return not parsed.operands or "version" not in text
        if not _is_plain_flag(text, described):
            return False
    return False


def _acts(option: ProgramOption, described: Program) -> bool:
    return option.name in described.acting or option.name in described.takes


def _is_plain_flag(text: str, described: Program) -> bool:
    """Whether a word is nothing but flags that are described and take no value."""
    if text[:1] != "-" or text in ("-", "--"):
        return False
    if text in described.known:
        return True
    # A letter nobody described may take the rest of the word, or the next one, for its value.
    return text[1] != "-" and all([f"-{letter}" in described.known for letter in text[1:]])
