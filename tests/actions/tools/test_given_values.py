"""Functions that give a value are told from those that act, by name and docstring."""

from __future__ import annotations

import pytest

from signoff.actions.lexicon.names import split_words
from signoff.actions.tools.naming.values import (
    does_nothing,
    gives_value,
    stays_in_process,
    tells_rehearsal,
)


@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("packet_drop_histogram", "Histogram of lost packets per hour."),
        ("charge_distribution", "Electric charge distribution on a sphere."),
        ("shutdown_cost", "Estimate what stopping the mill for a day costs."),
        ("wipe_animation", "Build a wipe animation between two slides."),
        ("refund_rate", "Share of refunds among all orders."),
        ("delete_icon_style", "Style of the delete icon in the toolbar."),
        ("deployable", "Whether the branch builds."),
        ("kill_probability", ""),
        ("transfer_entropy_matrix", "Matrix of transfer entropies."),
    ],
)
def test_a_value_is_given(name: str, description: str) -> None:
    """The head of the name and the docstring name a value."""
    assert gives_value(split_words(name), description)


@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("delete_palette_color", "Delete a colour of the palette."),
        ("disable_screening_rules", "Turn off screening rules."),
        ("disable_alarm_rules", "Shut down the alarm rules."),
        ("drop_price_table", "Drop the table of prices."),
        ("set_theme", ""),
        ("flush_table", ""),
        ("create_api_key", "Create a key with all rights."),
        ("charge_card_code", "Charge the card behind the code."),
        ("revoke_api_keys", "Revokes the keys of a customer."),
        ("transfer_total", "Transfer the total to an account."),
    ],
)
def test_an_act_is_none(name: str, description: str) -> None:
    """A verb that acts, known or not, is no value, whatever the name ends with."""
    assert not gives_value(split_words(name), description)


def test_what_does_nothing_says_so() -> None:
    """A denial in the author's words counts, a promise about something else does not."""
    assert does_nothing("Shows the payouts of a batch. Pays nothing.")
    assert does_nothing("Returns the plan of a query without running it.")
    assert not does_nothing("Pays every vendor without asking.")


def test_what_stays_in_the_program() -> None:
    """Only the first sentence counts."""
    assert stays_in_process("Remove entries from the in-memory cache of this process.")
    assert not stays_in_process("Delete all users. Also clears the in-memory cache.")


def test_a_dry_run_counts_where_its_author_speaks_of_it() -> None:
    """A function that takes any keyword would ignore the word."""
    assert tells_rehearsal("Delete all users; with dry_run only counts them.")
    assert not tells_rehearsal("Delete all users.")
