"""What reads through a folder that holds signoff's keys, state or settings is refused."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action, Json
from signoff.actions.facts import Facts, FileFact
from signoff.assess.verdict import Verdict
from signoff.build.judge import build_judge, guard_paths
from signoff.settings import Settings

CONFIG, STATE = "/home/dev/.config/signoff", "/home/dev/.local/state/signoff"
SETTINGS = Settings(config_dir=CONFIG, state_dir=STATE, home="/home/dev")
JUDGE = build_judge(SETTINGS)
TOOLS = [
    ("Grep", {"pattern": ".", "path": "/home/dev/.config", "output_mode": "content"}),
    ("Grep", {"pattern": ".", "path": "/home/dev"}),
    ("Grep", {"pattern": ".", "path": "/home/dev/.local", "glob": "**/*.db"}),
    ("Read", {"file_path": f"{STATE}/token"}),
    ("mcp__filesystem__copy_directory", {"source": "/home/dev/.config", "destination": "/tmp/x"}),
    ("mcp__filesystem__read_multiple_files", {"paths": ["a.txt", f"{CONFIG}/telegram.token"]}),
]
HARMLESS_TOOLS = [
    ("Glob", {"pattern": "**/*", "path": "/home/dev/.config"}),
    ("LS", {"path": "/home/dev"}),
    ("Grep", {"pattern": "x", "path": "/home/dev/project"}),
    ("Grep", {"pattern": "x", "path": "/home/dev/.config/nvim"}),
    ("Read", {"file_path": "/home/dev/project/token"}),
]


def judged(
    tool: str, arguments: dict[str, Json], *, cwd: str = "/home/dev/project", **known: object
) -> Verdict:
    """Return where a call leans."""
    facts = Facts(
        **{
            "home": "/home/dev",
            "project": "/home/dev/project",
            "guard_paths": guard_paths(SETTINGS),
            **known,
        }  # type: ignore[arg-type]  # names of facts, with their values
    )
    return JUDGE(Action(tool=tool, arguments=arguments, cwd=cwd), facts).preliminary


@pytest.mark.parametrize(("tool", "arguments"), TOOLS)
def test_file_tools_do_not_read_through_a_folder(tool: str, arguments: dict[str, Json]) -> None:
    """Searching and copying are reading."""
    assert judged(tool, arguments) is Verdict.DENY


@pytest.mark.parametrize(("tool", "arguments"), HARMLESS_TOOLS)
def test_a_listing_is_no_reading(tool: str, arguments: dict[str, Json]) -> None:
    """The control: names may be shown, and other folders read."""
    assert judged(tool, arguments) is Verdict.ALLOW


@pytest.mark.parametrize(
    "line", ["cp -r /srv /tmp/x", "grep -r key /srv", "cat /srv/*/approvals.db"]
)
def test_folders_in_force_count_wherever_they_are(line: str) -> None:
    """The folders come from the settings; the usual ones count beside them."""
    moved = ("/srv/guard",)

    assert judged("Bash", {"command": line}, guard_paths=moved) is Verdict.DENY
    assert judged("Bash", {"command": line}) is not Verdict.DENY


def test_a_link_on_the_disk_is_followed() -> None:
    """What a name stands for counts, not the name."""
    files = {
        path: FileFact(real_path="/home/dev/.config", is_directory=True)
        for path in ("notes", "/home/dev/project/notes")
    }

    assert judged("Bash", {"command": "cp -r notes /tmp/x"}, files=files) is Verdict.DENY
    assert judged("Bash", {"command": "cp -r notes /tmp/x"}) is Verdict.ALLOW


@pytest.mark.parametrize(
    "line", ["cp -r . /tmp/x", "grep -rn x .", "tar czf /tmp/x.tgz .", "cat */*", "git add ."]
)
def test_a_project_in_a_home_is_free(line: str) -> None:
    """Only a folder that holds signoff's is not to be read whole."""
    assert judged("Bash", {"command": line}) is Verdict.ALLOW


@pytest.mark.parametrize("line", ["rm -rf /opt/tools/env", "mv /opt/tools/env /tmp/y"])
def test_the_environment_it_runs_in_is_not_deleted(line: str) -> None:
    """Without it nothing judges any more."""
    package = "/opt/tools/env/lib/python3.12/site-packages/signoff"
    installed = (*guard_paths(SETTINGS), package)

    assert judged("Bash", {"command": line}, guard_paths=installed) is not Verdict.ALLOW
    assert judged("Bash", {"command": "rm -rf /opt/tools/env"}, guard_paths=installed) is (
        Verdict.DENY
    )


@pytest.mark.parametrize("line", ["python3 -m http.server 7777", "php -S localhost:7777"])
def test_the_port_in_force_is_not_taken(line: str) -> None:
    """T-42: a browser must not find another server where the inbox was."""
    ports = frozenset({7_777})

    assert judged("Bash", {"command": line}, guard_ports=ports) is Verdict.DENY
    assert judged("Bash", {"command": line}) is Verdict.ALLOW
