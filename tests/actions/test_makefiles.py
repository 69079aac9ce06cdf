"""Recipes of a Makefile become the shell lines that make would run."""

from __future__ import annotations

import pytest

from signoff.actions.contents.makefiles import recipe_lines, shell_line, variables_of

TEXT = """\
D := $(HOME)/x
BOTH = $(D) $(OUT)

all: build
\t@echo done

build: main.c
\t$(CC) -o app main.c

clean: ; rm -rf $(BOTH)
"""


def test_the_first_target_runs_with_what_it_needs() -> None:
    """No target is named: the first one and what it needs."""
    assert ("echo done", "cc -o app main.c") == recipe_lines(TEXT)


def test_only_the_recipe_of_a_named_target_runs() -> None:
    """Variables made of others are put in; what is not defined is build output."""
    assert ("rm -rf ${HOME}/x build/OUT",) == recipe_lines(TEXT, ["clean"])


def test_a_target_without_a_rule_may_run_every_recipe() -> None:
    """A pattern rule may make it."""
    lines = recipe_lines(TEXT, ["main.o"])

    assert {"echo done", "cc -o app main.c", "rm -rf ${HOME}/x build/OUT"} == set(lines)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("\t-@rm $$HOME", "rm $HOME"),
        ("\trm $(shell ls)", "rm $(ls)"),
        ("\tcp $< $@", "cp ? ?"),
        ("\trm ${X}", "rm ?"),
        ("\t$(MAKE) -C $(CURDIR)/a", "make -C ./a"),
    ],
)
def test_references_of_make_become_those_of_the_shell(line: str, expected: str) -> None:
    """`$$` is a dollar, automatic variables are unknown."""
    assert expected == shell_line(line, {}, unknown="?")


def test_a_variable_that_names_itself_ends() -> None:
    """A text that make would refuse is no endless loop."""
    assert len(shell_line("\trm $(A)", variables_of("A = $(A)$(A)$(A)$(A)"))) <= 4_000
