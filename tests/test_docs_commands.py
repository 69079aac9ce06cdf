"""Every command in the documents is one that signoff takes, with options it has."""

from __future__ import annotations

import io
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from signoff.frontends.cli.app import app

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
# In a block a command begins its line; what follows two blanks says what it does.
BLOCK = re.compile(r"^(?: {4,}|\$ |)(?:sudo )?(?:\S*/)?signoff (\S.*)$")
INLINE = re.compile(r"`(?:sudo )?signoff ([a-z][^`\n]*)`")
ENDS = frozenset({"|", "||", "&&", ";", "&", ">", ">>", "<", "#"})
SUBSTITUTED = re.compile(r"\$\([^)]*\)")
PARTIAL = re.compile(r"\.\.\.|[\[\]{}<>|]")  # a form, not a command


def blocks(text: str) -> Iterator[str]:
    """Yield the lines of code blocks, fenced or set in."""
    is_fenced = False
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            is_fenced = not is_fenced
        elif is_fenced or line.startswith("    "):
            yield line


def words_of(line: str) -> list[str]:
    """Return the words of the first command of a line."""
    written = SUBSTITUTED.sub("1", re.split(r"\s{2,}", line.strip())[0])
    lexer = shlex.shlex(written, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words: list[str] = []
    for word in lexer:
        if word in ENDS:
            break
        words.append(word)
    return words


def commands() -> Iterator[tuple[str, str, bool]]:
    """Yield page, command line, and whether it is whole: in a block, and not in a sentence."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        name = page.relative_to(ROOT).as_posix()
        for line in blocks(text):
            if (found := BLOCK.match(line)) and not PARTIAL.search(found[1]):
                yield name, found[1], True
        for match in INLINE.finditer(text):
            if not PARTIAL.search(match[1]):
                yield name, match[1], False


def leaf_of(command: click.Command, words: list[str]) -> tuple[click.Command, list[str]]:
    """Return the sub-command that words lead to, and the words that are left for it."""
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        found = command.get_command(click.Context(command), words[0])
        if found is None:
            raise click.UsageError(f"no such command `{words[0]}`")
        command, words = found, words[1:]
    return command, words


def problem(line: str, *, is_whole: bool) -> str:
    """Return what the command line says against it, "" for nothing."""
    try:
        command, words = leaf_of(app, words_of(line))
        # In resilient parsing nothing is missing, and a type is not looked at.
        command.make_context("signoff", words, resilient_parsing=not is_whole)
    except (click.exceptions.Exit, click.Abort):  # --help, --version; a question to the reader
        return ""
    except click.NoSuchOption as error:
        return error.format_message()
    except click.MissingParameter as error:
        return error.format_message() if is_whole else ""
    except click.BadParameter:
        return ""  # a file or a name of the reader's
    except click.UsageError as error:
        return error.format_message()
    return ""


@pytest.mark.parametrize("page", sorted({page for page, _, _ in commands()}))
def test_every_command_of_a_page_is_taken(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parsed as the command line parses it, without being run."""
    monkeypatch.setattr("sys.stdin", io.StringIO())
    wrong = [
        f"signoff {line}: {said}"
        for name, line, is_whole in commands()
        if name == page and (said := problem(line, is_whole=is_whole))
    ]

    assert wrong == []


def test_wrong_commands_are_found() -> None:
    """An option, a command and a word too much."""
    for line in ("check --explian -- ls", "instal claude-code", "install claude-kode", "down now"):
        assert problem(line, is_whole=True)
    assert len(list(commands())) > 250


def groups(command: click.Command, name: str = "signoff") -> Iterator[tuple[str, click.Group]]:
    """Yield every command that has sub-commands."""
    if isinstance(command, click.Group):
        yield name, command
        context = click.Context(command)
        for one in command.list_commands(context):
            if found := command.get_command(context, one):
                yield from groups(found, f"{name} {one}")


@pytest.mark.parametrize(("name", "group"), list(groups(app)), ids=lambda one: str(one)[:20])
def test_no_sentence_in_a_list_of_commands_is_cut(name: str, group: click.Group) -> None:
    """What a command does fits into its line at 80 columns."""
    context = click.Context(group, info_name=name, terminal_width=80, max_content_width=80)
    _, _, listed = group.get_help(context).partition("Commands:")

    assert [] == [line for line in listed.splitlines() if line.endswith("...")]
