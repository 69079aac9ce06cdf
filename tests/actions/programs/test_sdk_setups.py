"""Set-up files of development kits pass in their usual places, read or not."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action
from signoff.actions.facts import Facts, FileFact
from signoff.actions.operation import Reach
from signoff.actions.understand import understand

HOME, PROJECT = "/home/dev", "/home/dev/app"
PATH_LINE = '#!/bin/sh\nexport PATH="$HOME/.tool/bin:$PATH"\n'


def reaches(command: str, *, written: str = "", **files: str) -> set[Reach]:
    """Return where the operations of a line reach, with these files of the home on disk."""
    looks = {
        f"{HOME}/{name}": FileFact(real_path=f"{HOME}/{name}", text=text)
        for name, text in files.items()
    }
    facts = Facts(
        home=HOME,
        project=PROJECT,
        files=looks,
        written=frozenset({f"{HOME}/{written}"} if written else ()),
    )
    action = Action(tool="Bash", arguments={"command": command}, cwd=PROJECT)
    return {one.reach for one in understand(action, facts).operations}


@pytest.mark.parametrize("is_there", [True, False])
@pytest.mark.parametrize("name", [".cargo/env", "esp/esp-idf/export.sh", ".nvm/nvm.sh"])
def test_a_setup_file_in_its_place_is_near(name: str, *, is_there: bool) -> None:
    """Also where its text is known."""
    files = {name: PATH_LINE} if is_there else {}

    assert Reach.HOME not in reaches(f". ~/{name}", **files)


@pytest.mark.parametrize(
    ("name", "written"),
    [(".cargo/other", ""), ("x/.cargo/env.sh", ""), (".cargo/env", ".cargo/env")],
)
def test_another_file_or_one_just_written_is_none(name: str, written: str) -> None:
    """Its name is not enough."""
    assert Reach.HOME in reaches(f". ~/{name}", written=written, **{name: PATH_LINE})
