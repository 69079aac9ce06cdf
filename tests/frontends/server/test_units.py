"""Service files run the daemon on the folders the hooks use."""

from __future__ import annotations

import plistlib
from pathlib import Path

from signoff.frontends.server.units import (
    launchd_plist,
    systemd_file,
    systemd_unit,
)
from signoff.settings import folder_variables

COMMAND = ["/a venv/python", "-m", "signoff", "serve"]


def test_a_unit_runs_the_command() -> None:
    """Words keep their blanks, and variables of a unit are not ours."""
    unit = systemd_unit([*COMMAND, "$5%"], {})

    assert 'ExecStart="/a venv/python" "-m" "signoff" "serve" "$$5%%"\n' in unit
    assert "Environment" not in unit


def test_variables_that_choose_folders_go_along() -> None:
    """A daemon on other folders than the hooks' would answer nobody."""
    chosen = folder_variables({"XDG_STATE_HOME": "/s $1 %h", "PATH": "/bin", "XDG_CONFIG_HOME": ""})

    assert 'Environment="XDG_STATE_HOME=/s $1 %%h"\n' in systemd_unit(COMMAND, chosen)
    said = plistlib.loads(launchd_plist(COMMAND, chosen).encode())
    assert {"XDG_STATE_HOME": "/s $1 %h"} == said["EnvironmentVariables"]


def test_a_unit_lies_where_systemd_looks() -> None:
    """The user's configuration folder may be elsewhere."""
    home = Path("/home/dev")
    usual = systemd_file(home, {})
    moved = systemd_file(home, {"XDG_CONFIG_HOME": "/conf"})

    assert home / ".config/systemd/user/signoff.service" == usual
    assert Path("/conf/systemd/user/signoff.service") == moved
