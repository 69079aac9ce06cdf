"""Which channels the daemon asks in which order: what the list does not name, then the list's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from signoff.assess.level import Level
from signoff.assess.verdict import Verdict
from signoff.build.approvals import plan_of
from signoff.challenge.terms.approver import Approver, ApproverRole, Identity
from signoff.errors import BadSettings
from signoff.frontends.server.people.channel_manager import ChannelManager
from signoff.frontends.server.people.channel_order import order_of, set_up
from signoff.settings import load_settings, tightened
from signoff.storage.approvals.approver_file import ApproverFile
from signoff.storage.sqlite import SqliteStore
from signoff.sync import run_now
from signoff.testing import FakeAssessment, make_action

pytest.importorskip("websockets")
pytest.importorskip("apprise")

TELEGRAM = "chat: 1000\nusers: [7]\n"
SLACK = "conversation: C0123\nusers: [U0A]\n"
TOKENS = {
    "telegram.token": "4711:AAfake-token_fake-token_fake-token",
    "slack.bot-token": "xoxb-1",
    "slack.app-token": "xapp-1",
}
NOTICES = "notify: {urls: ['json://127.0.0.1:9/']}\n"
LIMITS = "approval: {channels: {web: {timeout_s: 60}, telegram: {timeout_s: 30}, slack: {%s}}}\n"


@contextmanager
def remote(folder: Path, said: str, *, files: tuple[str, ...] = ()) -> Iterator[ChannelManager]:
    """Build what a daemon with these settings asks people with."""
    config = folder / "config"
    config.mkdir()
    texts = {"telegram.yaml": TELEGRAM, "slack.yaml": SLACK, **TOKENS, "signoff.yaml": said}
    for name in (*files, *TOKENS, "signoff.yaml"):
        (config / name).write_text(texts[name], encoding="utf-8")
        (config / name).chmod(0o600)
    settings = load_settings(environment=folders(folder))
    record = SqliteStore(settings.record_file)
    built = ChannelManager(settings, record=record, status=tuple)
    try:
        yield built
    finally:
        built.close()
        record.close()


def confirm_all(built: ChannelManager) -> None:
    """Confirm what was changed in the files, as an admin does with the code of a channel."""
    built.in_force.look()
    for change in built.in_force.waiting():
        assert built.in_force.confirm(change.code) is not None


def folders(folder: Path) -> dict[str, str]:
    """Return what names the folders."""
    return {
        "SIGNOFF_CONFIG_DIR": str(folder / "config"),
        "SIGNOFF_STATE_DIR": str(folder / "state"),
    }


def asked(built: ChannelManager, level: Level) -> list[tuple[str, float]]:
    """Return who is asked about a level, and from which second; the host's prompt comes last."""
    *found, last = built.approvals.plan.asked(level)
    assert "host" == last[0].name
    return [(terms.name, at_s) for terms, at_s in found]


@pytest.mark.parametrize(
    ("named", "there", "expected"),
    [
        (("web", "telegram"), ("telegram", "web"), ("web", "telegram")),
        (("telegram", "web"), ("telegram", "web"), ("telegram", "web")),
        (("web",), ("notify", "slack", "web"), ("notify", "slack", "web")),
        (("web", "slack"), ("notify", "slack", "web"), ("notify", "web", "slack")),
        (("terminal", "telegram"), ("slack",), ("slack",)),
        ((), ("telegram",), ("telegram",)),
    ],
)  # fmt: skip
def test_the_list_gives_the_order(
    named: tuple[str, ...], there: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    """What it does not name keeps its place before; what is not there is left out."""
    assert expected == order_of(named, there=there)


@pytest.mark.parametrize(
    ("said", "files", "expected"),
    [
        ("", ("telegram.yaml", "slack.yaml"), ["telegram", "slack"]),
        ("channels: [web]\n", ("telegram.yaml", "slack.yaml"), ["telegram", "slack", "web"]),
        ("channels: [terminal, web]\n", ("slack.yaml",), ["slack", "web"]),
        (f"channels: [web]\n{NOTICES}", ("telegram.yaml",), ["notify", "telegram", "web"]),
        (NOTICES, (), ["notify", "terminal"]),
        ("", (), ["terminal"]),
        ("channels: []\n", (), []),
        ("channels: [host]\n", (), []),
    ],
)
def test_what_stood_before_is_asked_as_before(
    tmp_path: Path, said: str, files: tuple[str, ...], expected: list[str]
) -> None:
    """A list without the new names changes nothing."""
    with remote(tmp_path, f"version: 1\n{said}", files=files) as built:
        assert expected == [name for name, _ in asked(built, Level.LOW)]
        assert not [problem for problem in built.problems if "`channels`" in problem]


def test_the_next_is_asked_after_the_one_before(tmp_path: Path) -> None:
    """By level, and each after the times of those before it."""
    said = f"channels: [web, telegram, slack, notify]\n{NOTICES}{LIMITS % 'from: high'}"
    with remote(tmp_path, said, files=("telegram.yaml", "slack.yaml")) as built:
        assert [("web", 0), ("telegram", 60), ("notify", 90)] == asked(built, Level.MEDIUM)
        assert [("web", 0), ("telegram", 60), ("slack", 90), ("notify", 90)] == asked(
            built, Level.HIGH
        )


def test_a_name_that_nothing_sets_up_is_a_problem(tmp_path: Path) -> None:
    """It is said, and holds nobody up: the next is asked at once."""
    said = f"channels: [telegram, slack, notify, web]\n{LIMITS % ''}"
    with remote(tmp_path, said) as built:
        problems = built.problems
        assert [("web", 0)] == asked(built, Level.LOW)
        missing = dict.fromkeys(("telegram", "slack", "notify"), "not set up")
        assert {"web": "open", **missing} == built.status()
        assert built.status() == built.states()

    assert ["telegram", "slack", "notify"] == [problem.split(":")[0] for problem in problems]
    assert "there is no telegram.yaml: run `signoff telegram setup`" in problems[0]


def test_a_group_nobody_is_in_is_a_problem(tmp_path: Path) -> None:
    """A misspelt group would ask nobody, without a word; a viewer's answers do not count."""
    said = "channels: [web]\napproval: {groups: {first: taem, second: leads, after_s: 60}}\n"
    with remote(tmp_path, said) as built:
        before = built.problems
        people = ApproverFile(built.approvals.directory.path)
        people.add(Approver(id="ada", groups=("team",), identities=(Identity("web", "ada"),)))
        people.add(
            Approver(
                id="bob",
                role=ApproverRole.VIEWER,
                groups=("leads",),
                identities=(Identity("web", "bob"),),
            )
        )
        confirm_all(built)
        problems = built.problems
        people.add(Approver(id="eve", groups=("taem", "leads"), identities=(Identity("web", "e"),)))
        confirm_all(built)
        after = built.problems

    assert (2, 2, ()) == (len(before), len(problems), after)
    assert "`taem`, and nobody who may answer is in it" in problems[0]
    assert "did you mean `team`?" in problems[0]
    assert "`leads`" in problems[1]


def test_a_person_of_a_rota_who_could_not_approve_is_a_problem(tmp_path: Path) -> None:
    """It is said before it is their turn."""
    said = (
        "channels: [web]\napproval:\n  groups: {first: ops}\n  rotas:\n"
        "    ops: {people: [ada, bob], first_day: 2026-11-23, at: '09:00', time_zone: UTC}\n"
    )
    with remote(tmp_path, said) as built:
        people = ApproverFile(built.approvals.directory.path)
        people.add(Approver(id="ada", groups=("ops",), identities=(Identity("web", "ada"),)))
        people.add(Approver(id="bob", identities=(Identity("web", "bob"),)))
        confirm_all(built)
        problems = built.problems

    assert 1 == len(problems)
    assert "`approval.rotas.ops` names `bob`, who is not in that group" in problems[0]


def test_a_file_sets_a_channel_up_well_or_not(tmp_path: Path) -> None:
    """What is wrong with it is said by who reads it."""
    config = tmp_path / "config"
    config.mkdir()
    (config / "signoff.yaml").write_text(NOTICES)
    (config / "slack.yaml").write_text("{")

    assert ("slack", "notify") == set_up(load_settings(environment=folders(tmp_path)))


def test_who_is_named_and_not_there_is_not_passed_over(tmp_path: Path) -> None:
    """What only they could approve is refused, and not left to the host's own prompt."""
    call = make_action("delete_user", user_id="u1")
    with remote(tmp_path, "channels: [telegram]\n") as built:
        settings = load_settings(environment=folders(tmp_path))
        ladder = built.ladder(settings, can_ask=True)
        answer = run_now(ladder.escalate(call, FakeAssessment(action=call, level=Level.LOW)))

    assert Verdict.DENY is answer.verdict


def test_without_a_daemon_its_channels_hold_nobody_up(tmp_path: Path) -> None:
    """They are not asked there, so the terminal is asked at once."""
    config = tmp_path / "config"
    config.mkdir()
    (config / "signoff.yaml").write_text(f"channels: [telegram, terminal]\n{LIMITS % ''}")
    plan = plan_of(load_settings(environment=folders(tmp_path)))

    assert ["terminal", "host"] == [terms.name for terms, _ in plan.asked(Level.LOW)]


def test_a_project_changes_nothing_of_it(tmp_path: Path) -> None:
    """Who is asked is the user's to say."""
    (tmp_path / ".signoff.yaml").write_text("channels: [web]\n")
    settings = load_settings(environment=folders(tmp_path))

    with pytest.raises(BadSettings, match="channels"):
        tightened(settings, str(tmp_path))


@pytest.mark.parametrize("name", ["telegramm", "email", "apprise"])
def test_an_unknown_name_is_refused(tmp_path: Path, name: str) -> None:
    """With the names there are."""
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "signoff.yaml").write_text(f"channels: [{name}]\n")

    with pytest.raises(BadSettings, match=f"unknown channel `{name}`"):
        load_settings(environment=folders(tmp_path))
