"""The setting `programs`: a folder of the user, and one inside a project."""

from __future__ import annotations

from pathlib import Path

import pytest

from signoff.build.judge import guard_paths
from signoff.errors import BadSettings
from signoff.settings import Settings, load_settings


def load(tmp_path: Path, *, user: str = "", project: str = "") -> Settings:
    """Load settings from these texts."""
    config, root = tmp_path / "config", tmp_path / "project"
    config.mkdir()
    root.mkdir()
    if user:
        (config / "signoff.yaml").write_text(user)
    if project:
        (root / ".signoff.yaml").write_text(project)
    variables = {"SIGNOFF_CONFIG_DIR": str(config), "SIGNOFF_STATE_DIR": str(tmp_path / "state")}
    return load_settings(str(root) if project else "", environment=variables)


def test_by_default_it_is_a_folder_beside_the_settings(tmp_path: Path) -> None:
    """And a project has none."""
    settings = load(tmp_path, project="version: 1\n")

    assert settings.programs_dir == str(tmp_path / "config" / "programs")
    assert settings.project_programs == ""


@pytest.mark.parametrize(
    ("named", "expected"), [("/opt/frob", "/opt/frob"), ("own", "{config}/own"), ("~/own", "~/own")]
)
def test_the_user_names_any_folder(tmp_path: Path, named: str, expected: str) -> None:
    """Absolute, in the home folder, or beside the settings."""
    settings = load(tmp_path, user=f"programs: {named}\n")
    wanted = expected.format(config=tmp_path / "config").replace("~", str(Path.home()))

    assert settings.programs_dir == wanted


def test_a_project_names_a_folder_inside_it(tmp_path: Path) -> None:
    """Read against its root."""
    settings = load(tmp_path, project="programs: ./tools/programs/\n")

    assert settings.project_programs == str(tmp_path / "project" / "tools" / "programs")


@pytest.mark.parametrize("named", ["/opt/x", "~/x", "../x", "a/../../x", ".", "''", "[a]"])
def test_a_project_names_no_folder_outside(tmp_path: Path, named: str) -> None:
    """The error says file, line and column."""
    with pytest.raises(BadSettings, match=r"\.signoff\.yaml:1:\d+: .*programs"):
        load(tmp_path, project=f"programs: {named}\n")


def test_both_folders_are_signoffs_own(tmp_path: Path) -> None:
    """An agent must not change what it is judged by."""
    settings = load(tmp_path, user="programs: /opt/frob\n", project="programs: tools\n")

    assert {"/opt/frob", str(tmp_path / "project" / "tools")} <= {*guard_paths(settings)}
