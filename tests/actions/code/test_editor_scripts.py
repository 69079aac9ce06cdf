"""Commands of vim: what stands before a command, and lines that are made to be long."""

from __future__ import annotations

import time

import pytest

from signoff.actions.code.commands.editors import read_vim
from signoff.actions.code.recorder import Recorder
from signoff.actions.place import Place

PLACE = Place(cwd="/home/dev/project", home="/home/dev", project="/home/dev/project")


def read(text: str) -> Recorder:
    """Return what is written down of a text."""
    recorder = Recorder(PLACE, source=text[:80])
    read_vim(text, recorder)
    return recorder


@pytest.mark.parametrize(
    "text",
    [
        "!ls -la",
        ":silent! !ls -la",
        "au BufWritePost *.py silent !ls -la",
        "autocmd MyGroup VimEnter * ++once !ls -la",
        "nnoremap <silent> <F5> :!ls -la",
        "command! -nargs=0 List !ls -la",
        "exe '!ls -la'",
        "echo 1 | !ls -la",
        "r !ls -la",
    ],
)
def test_a_line_for_the_shell_is_found_behind_all_that_may_precede_it(text: str) -> None:
    """Modifiers, events, keys, own commands, quotes and bars."""
    assert ["ls -la"] == [line.strip() for line in read(text).shell]


@pytest.mark.parametrize("text", ["set nu | syntax on", "let x = 1", "normal gg=G", "echo '!ls'"])
def test_other_commands_run_nothing(text: str) -> None:
    """An exclamation mark inside a text is no call."""
    assert [] == read(text).shell


@pytest.mark.parametrize("part", ["echo|", "silent ", "au A * ", "echo 1 |"])
def test_a_long_line_is_read_in_no_time(part: str) -> None:
    """What goes on for longer than is read is not understood, or ends."""
    began = time.perf_counter()
    read(part * (18_000 // len(part)))

    assert time.perf_counter() - began < 1
