"""The index of programs says what the families say."""

from __future__ import annotations

import subprocess
import sys

from signoff.actions.programs.families import FAMILIES
from signoff.actions.programs.registry import INDEX, find, load_all

DESCRIBED = {name: one for family in FAMILIES for one in family for name in one.names}
ADVICE = "run `python scripts/index_programs.py`"


def test_the_index_has_every_name_and_no_other() -> None:
    """A program that is described is found, and nothing else is."""
    assert set(DESCRIBED) == set(INDEX), ADVICE


def test_the_index_leads_to_the_family_that_wins() -> None:
    """Where two families describe a name, the later one counts."""
    wrong = [name for name, one in DESCRIBED.items() if find(name) is not one]

    assert wrong == [], ADVICE


def test_nothing_is_said_of_a_program_nobody_described() -> None:
    """A name that is in no family has no description."""
    assert find("nobody-ever-wrote-this") is None


def test_all_families_can_be_loaded_beforehand() -> None:
    """A process that stays loads every family at its start."""
    assert len(DESCRIBED) == load_all()


def test_one_call_loads_one_family() -> None:
    """Looking a program up loads its own family only."""
    code = (
        "import sys\n"
        "from signoff.actions.programs.registry import find\n"
        "find('kubectl')\n"
        "names = {name for name in sys.modules if name.startswith('signoff.actions.programs.')}\n"
        "print('signoff.actions.programs.infra.clusters' in names)\n"
        "print('signoff.actions.programs.vcs.git' in names)\n"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ["True", "False"] == out.stdout.split()
