"""Whose output reaches a command: the same whether it is asked alone or after others."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from signoff.actions.shell.command import Command, Word
from signoff.actions.shell.data_flow.feeding import Reaching, direct_sources, upstream_of

GRAPHS = st.integers(1, 7).flatmap(
    lambda count: st.lists(
        st.lists(st.integers(-1, count), max_size=3).map(tuple), min_size=count, max_size=count
    )
)


@settings(max_examples=400)
@given(GRAPHS, st.randoms(use_true_random=False))
def test_commands_that_feed_each_other_are_found_once(
    graph: list[tuple[int, ...]],
    order: Random,
) -> None:
    """In whichever order the commands are asked, and with sources that are not known."""
    commands = [
        Command(words=(Word(text="a", sources=sources),), index=at)
        for at, sources in enumerate(graph)
    ]
    asked = list(range(len(commands)))
    order.shuffle(asked)
    reaching = Reaching(commands)

    for at in asked:
        found = reaching.of(at, direct_sources(commands[at]))
        assert {at, *upstream_of(at, commands)} == found
