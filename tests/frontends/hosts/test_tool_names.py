"""Every name in a host's table means something here, and no other spelling of it does."""

from __future__ import annotations

from importlib import import_module

import pytest

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.actions.tools.files import FILE_TOOLS
from signoff.actions.tools.shell_tool_names import POWERSHELL_TOOLS, SHELL_TOOLS
from signoff.actions.tools.web import WEB_TOOLS
from signoff.actions.understand import INERT_TOOLS, understand
from signoff.assess.verdict import Verdict
from signoff.build.judge import build_judge
from signoff.frontends.hosts.naming import Caller, HostTool, tool_call
from signoff.frontends.hosts.registry import HOSTS
from signoff.settings import Settings

UNDERSTOOD = SHELL_TOOLS | POWERSHELL_TOOLS | FILE_TOOLS | WEB_TOOLS | INERT_TOOLS
MODULES = {
    host.name: import_module(f"signoff.frontends.hosts.{host.name.replace('-', '_')}.adapter")
    for host in HOSTS
}
TABLES: dict[str, dict[str, HostTool]] = {
    host: dict(module.TOOLS) for host, module in MODULES.items() if hasattr(module, "TOOLS")
}
NAMES = [(host, name) for host, table in TABLES.items() for name in table]
SHELLS = [(h, n) for h, n in NAMES if TABLES[h][n].tool == "Bash"]


@pytest.mark.parametrize(("host", "name"), NAMES)
def test_every_name_leads_to_a_tool_that_is_understood(host: str, name: str) -> None:
    """A table that names a tool nobody knows would be a typing mistake."""
    assert TABLES[host][name].tool in UNDERSTOOD


def mutations(name: str) -> list[str]:
    """Return other spellings of a name."""
    cyrillic = name.replace("e", "\u0435").replace("a", "\u0430")  # letters that look alike
    spelled = (
        name.swapcase(), name.upper() + "x", f"{name} ", f" {name}", f"{name}2", f"x_{name}",
        f"{name}\u200b", cyrillic, name[::-1], f"{name}.{name}",
    )  # fmt: skip
    return [other for other in spelled if other != name]


@pytest.mark.parametrize(("host", "name"), SHELLS)
def test_another_spelling_is_not_believed(host: str, name: str) -> None:
    """Under no spelling does a shell line that destroys pass as something harmless."""
    judge = build_judge(Settings(config_dir="/nowhere", state_dir="/nowhere"))
    let_through = []
    for other in mutations(name):
        line = {"command": "rm -rf / --no-preserve-root"}
        call = (
            tool_call(
                other, line, TABLES[host], caller=Caller(source=host, cwd="/home/dev/project")
            ).call
            if other.isprintable()
            else None
        )
        if call is not None and judge(call.action, Facts()).preliminary is Verdict.ALLOW:
            let_through.append(other)

    assert [] == let_through


def test_an_unknown_tool_is_not_understood() -> None:
    """What no table knows is judged as a tool nobody knows."""
    action = Action(tool="frobnicate", arguments={"x": "y"}, cwd="/home/dev/project")

    assert not all(op.understood for op in understand(action, Facts()).operations)
