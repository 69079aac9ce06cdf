"""Settings: read strictly, tightened by projects, never switched off."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from signoff.assess.verdict import Verdict
from signoff.challenge.words.stopping import StopMode, StopSettings
from signoff.errors import BadSettings
from signoff.settings import (
    ChannelName,
    HostsAllow,
    Limits,
    PackName,
    Settings,
    load_settings,
)


def load(tmp_path: Path, user: str | None = None, project: str | None = None) -> Settings:
    """Load settings from these texts."""
    config, root = tmp_path / "config", tmp_path / "project"
    config.mkdir(exist_ok=True)
    root.mkdir(exist_ok=True)
    if user is not None:
        (config / "signoff.yaml").write_text(user)
    if project is not None:
        (root / ".signoff.yaml").write_text(project)
    environment = {
        "SIGNOFF_CONFIG_DIR": str(config),
        "SIGNOFF_STATE_DIR": str(tmp_path / "state"),
        "PATH": "/usr/bin",
    }
    return load_settings("" if project is None else str(root), environment=environment)


def test_without_files_the_defaults_hold(tmp_path: Path) -> None:
    """Balanced, hosts told by score, the terminal asked."""
    settings = load(tmp_path)

    assert settings == Settings(
        config_dir=str(tmp_path / "config"),
        state_dir=str(tmp_path / "state"),
        home=os.path.expanduser("~"),
    )
    assert (settings.pack, settings.hosts_allow) == (PackName.BALANCED, HostsAllow.SCORE)


def test_a_file_in_full(tmp_path: Path) -> None:
    """Every key is read."""
    settings = load(
        tmp_path,
        "version: 1\n"
        "pack: strict\n"
        "lines: {destructive.history: deny, remote-change: allow}\n"
        "hosts: {allow: never}\n"
        "channels: [host, terminal]\n"
        "limits: {answer_timeout_s: 60, min_review_s: 5.5, files: 10}\n",
    )

    assert (settings.pack, settings.hosts_allow) == (PackName.STRICT, HostsAllow.NEVER)
    assert settings.lines == {
        "destructive.history": Verdict.DENY,
        "remote-change": Verdict.ALLOW,
    }
    assert settings.channels == (ChannelName.HOST, ChannelName.TERMINAL)
    assert settings.limits == Limits(answer_timeout_s=60, min_review_s=5.5, files=10)


def test_nobody_may_be_asked_at_all(tmp_path: Path) -> None:
    """An empty list is a choice, not a mistake."""
    assert load(tmp_path, "channels: []\n").channels == ()


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("pack: strickt\n", "1:7", "did you mean `strict`"),
        ("version: 1\npacks: strict\n", "2:1", "did you mean `pack`"),
        ("pack: strict\npack: balanced\n", "2:1", "given twice"),
        ("hosts: {alow: rule}\n", "1:9", "did you mean `allow`"),
        ("hosts:\n  allow: maybe\n", "2:10", "unknown allow `maybe`"),
        ("lines: {opaque.hidden: permit}\n", "1:24", "unknown verdict `permit`"),
        ("lines: {'a b': deny}\n", "1:9", "unknown policy line `a b`"),
        ("lines: {destructive.histroy: deny}\n", "1:9", "mean `destructive.history`"),
        ("lines: {supply-chian: deny}\n", "1:9", "did you mean `supply-chain`"),
        ("lines: {destruction: deny}\n", "1:9", "did you mean `destructive`"),
        ("lines: {secrets.*: deny}\n", "1:9", "write `secrets` for all its lines"),
        ("lines: {xss.nothing-like-it: deny}\n", "1:9", "`xss` has xss.active-tag, "),
        ("lines: {self-protection: ask}\n", "1:9", "cannot be moved"),
        ("lines: {self-protection.guard: deny}\n", "1:9", "cannot be moved"),
        ("approval: {groups: {second: leads}}\n", "1:29", "no effect without `first`"),
        ("approval: {groups: {first: team, after_s: 9}}\n", "1:43", "without `second`"),
        ("approval: {channels: {telegrm: {timeout_s: 5}}}\n", "1:23", "mean `telegram`"),
        ("limits: {min_review_s: soon}\n", "1:24", "expected a number"),
        ("limits: {min_review_s: 0}\n", "1:24", "not between 1 and 600"),
        ("limits: {answer_timeout_s: nan}\n", "1:28", "expected a number, got `nan`"),
        ("channels: [pigeon]\n", "1:12", "unknown channel `pigeon`"),
        ("version: 2\n", "1:10", "expected 1"),
        ("pack: [strict\n", "2:1", "not YAML"),
        ("- pack\n", "1:1", "a list"),
        ("pack: &a strict\n", "1:7", "anchors"),
        ("", "1:", "empty"),
        ("# nothing\n", "1:1", "empty"),
    ],
)
def test_a_bad_file_is_refused_with_its_place(
    tmp_path: Path, text: str, where: str, what: str
) -> None:
    """File, line, column, and what was probably meant."""
    with pytest.raises(BadSettings) as refused:
        load(tmp_path, text)

    assert f"{tmp_path}/config/signoff.yaml:{where}" in str(refused.value)
    assert what in str(refused.value)


def test_a_file_that_is_no_file_is_refused(tmp_path: Path) -> None:
    """A folder or a pipe of that name is no setting, and nobody waits for it."""
    (tmp_path / "config").mkdir()
    os.mkfifo(tmp_path / "config" / "signoff.yaml")

    with pytest.raises(BadSettings, match="expected an ordinary file"):
        load(tmp_path)


@pytest.mark.parametrize("raw", [b"\xff\xfe", b"pack: strict #" + b"x" * 300_000])
def test_bytes_that_are_no_settings_are_refused(tmp_path: Path, raw: bytes) -> None:
    """No UTF-8, or far too much."""
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "signoff.yaml").write_bytes(raw)

    with pytest.raises(BadSettings, match=r"no UTF-8|larger than"):
        load(tmp_path)


@pytest.mark.parametrize(
    "name", ["SIGNOFF_DISABLE", "SIGNOFF_MODE", "SIGNOFF_CONFIGDIR", "SIGNOFF_", "SIGNOFF_TEST"]
)
def test_an_unknown_variable_stops_the_start(name: str) -> None:
    """No variable is an off switch, and nobody is to believe that one is."""
    with pytest.raises(BadSettings, match=f"unknown variable `{name}`"):
        load_settings(environment={name: "1"})


def test_a_relative_folder_is_refused() -> None:
    """It would be another one in every working folder."""
    with pytest.raises(BadSettings, match="expected an absolute folder"):
        load_settings(environment={"SIGNOFF_STATE_DIR": "state"})


@pytest.mark.parametrize(
    ("user", "project", "pack"),
    [
        ("balanced", "strict", PackName.STRICT),
        ("balanced", "permissive", PackName.BALANCED),
        ("strict", "permissive", PackName.STRICT),
        ("permissive", "balanced", PackName.BALANCED),
    ],
)
def test_of_two_packs_the_stricter_holds(
    tmp_path: Path, user: str, project: str, pack: PackName
) -> None:
    """A project may tighten, never loosen."""
    assert load(tmp_path, f"pack: {user}\n", f"pack: {project}\n").pack is pack


@pytest.mark.parametrize(
    ("user", "project", "allow"),
    [
        ("score", "rule", HostsAllow.RULE),
        ("rule", "never", HostsAllow.NEVER),
        ("never", "score", HostsAllow.NEVER),
    ],
)
def test_of_two_host_settings_the_stricter_holds(
    tmp_path: Path, user: str, project: str, allow: HostsAllow
) -> None:
    """What a host is told only becomes less."""
    settings = load(tmp_path, f"hosts: {{allow: {user}}}\n", f"hosts: {{allow: {project}}}\n")

    assert settings.hosts_allow is allow


@pytest.mark.parametrize("line", ["destructive.histroy", "self-protection.guard", "rate"])
def test_a_line_a_project_cannot_tighten_is_refused(tmp_path: Path, line: str) -> None:
    """A project that believes in a stricter line and has none is told."""
    with pytest.raises(BadSettings, match=rf"\.signoff\.yaml:1:\d+: lines: .*`{line}`"):
        load(tmp_path, project=f"lines: {{{line}: deny}}\n")


def test_a_projects_lines_are_kept_apart_as_a_lower_bound(tmp_path: Path) -> None:
    """They never replace what the user said."""
    settings = load(tmp_path, "lines: {opaque: deny}\n", "lines: {opaque: allow, xss.alert: ask}\n")

    assert settings.lines == {"opaque": Verdict.DENY}
    assert settings.at_least == {"opaque": Verdict.ALLOW, "xss.alert": Verdict.ASK}


@pytest.mark.parametrize("key", ["channels: []", "limits: {min_review_s: 1}"])
def test_a_project_may_not_set_what_only_loosens(tmp_path: Path, key: str) -> None:
    """These keys belong to the user."""
    with pytest.raises(BadSettings, match="unknown field"):
        load(tmp_path, project=f"{key}\n")


def test_everything_lies_in_the_two_folders(tmp_path: Path) -> None:
    """Rules with the configuration, record and key with the state."""
    settings = load(tmp_path, project="pack: strict\n")

    assert [
        settings.rules_file,
        settings.record_file,
        settings.key_file,
        settings.project_file,
    ] == [
        f"{tmp_path}/config/rules.yaml",
        f"{tmp_path}/state/record.db",
        f"{tmp_path}/state/redaction.key",
        f"{tmp_path}/project/.signoff.yaml",
    ]


def test_stops_are_off_unless_somebody_wants_them(tmp_path: Path) -> None:
    """And read in full where they do."""
    said = "stops: {mode: ask, tries: 3, wait_s: 60, rounds: 2}\n"

    assert StopMode.OFF is load(tmp_path).stops.mode
    assert (
        StopSettings(mode=StopMode.ASK, tries=3, wait_s=60, rounds=2) == load(tmp_path, said).stops
    )


@pytest.mark.parametrize(
    "said",
    ["stops: {mode: always}\n", "stops: {tries: 99}\n", "stops: {rounds: 8}\n", "stops: {n: 1}\n"],
)
def test_stops_without_an_end_are_refused(tmp_path: Path, said: str) -> None:
    """Every figure has its bounds."""
    with pytest.raises(BadSettings, match=r"signoff\.yaml:1:"):
        load(tmp_path, said)


def test_a_project_says_nothing_about_stops(tmp_path: Path) -> None:
    """What an agent can write does not keep it going."""
    with pytest.raises(BadSettings, match="stops"):
        load(tmp_path, None, "stops: {mode: ask}\n")


@pytest.mark.parametrize(
    "text",
    [
        'profiles: ["finance\\n"]\n',
        'decoys: {share: 0.1, hours: "09:00-18:00\\n"}\n',
        'bundle: {path: /x, keys: [k], group: "canary\\n"}\n',
    ],
)
def test_no_name_ends_with_a_line_end(tmp_path: Path, text: str) -> None:
    """`$` of a pattern would let one through."""
    (tmp_path / "signoff.yaml").write_text(text)

    with pytest.raises(BadSettings, match="such as"):
        load_settings(environment={"SIGNOFF_CONFIG_DIR": str(tmp_path), "HOME": str(tmp_path)})
