"""From a question in the daemon to a tap in Slack and back: model first, then people."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

pytest.importorskip("websockets")

from slack_server import Slack, tap, written

from signoff.assess.level import Level
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import Answer
from signoff.challenge.terms.approver import Approver, ApproverRole, Identity
from signoff.channels.slack.cards import APPROVE, DENY
from signoff.frontends.server.people.channel_manager import ChannelManager
from signoff.settings import Settings, load_settings
from signoff.storage.approvals.approver_file import ApproverFile
from signoff.storage.sqlite import SqliteStore
from signoff.testing import FakeAssessment, make_action

EVENTS = "events_api"


def configured(folder: Path, slack: Slack) -> Settings:
    """Return settings that ask Ada on this Slack, and a model that is down first."""
    config = folder / "config"
    config.mkdir(exist_ok=True)
    (config / "signoff.yaml").write_text(
        "evaluator: {base_url: 'http://127.0.0.1:9', timeout_s: 1}\nlimits: {min_review_s: 1}\n"
    )
    (config / "slack.yaml").write_text(f"conversation: C1\nusers: [U0ADA]\napi: {slack.api_url}\n")
    for name, token in (("slack.bot-token", "xoxb-1"), ("slack.app-token", "xapp-1")):
        (config / name).write_text(token)
        (config / name).chmod(0o600)
    ApproverFile(str(config / "approvers.json")).add(
        Approver(id="ada", identities=(Identity("slack", "U0ADA"),))
    )
    folders = {"SIGNOFF_CONFIG_DIR": str(config), "SIGNOFF_STATE_DIR": str(folder / "state")}
    return load_settings(environment={**folders, "ANTHROPIC_API_KEY": "k"})


def status() -> Sequence[str]:
    """Say nothing."""
    return ()


async def asked(folder: Path, action: str) -> tuple[Answer, Slack]:
    """Ask about a call, and tap this button on the card that comes."""
    async with Slack() as slack:
        settings = configured(folder, slack)
        record = SqliteStore(settings.record_file)
        remote = ChannelManager(settings, record=record, status=status)
        running = asyncio.create_task(remote.run())
        try:
            call = make_action("delete_user", user_id="u1")
            assessment = FakeAssessment(action=call, level=Level.LOW)
            ladder = remote.ladder(settings, can_ask=False)
            climbing = asyncio.create_task(ladder.escalate(call, assessment))
            async with asyncio.timeout(60):
                while not (slack.connections and slack.bodies("chat.postMessage")):
                    await asyncio.sleep(0.01)
                buttons = slack.bodies("chat.postMessage")[0]["blocks"][-1]["elements"]
                await asyncio.sleep(1.1)  # the least time to read a card here
                await slack.send(tap(buttons[0]["value"], action, user="U0ADA"))
                return await climbing, slack
        finally:
            running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await running
            remote.close()
            record.close()


@pytest.mark.parametrize(
    ("button", "verdict"), [(APPROVE, Verdict.ALLOW), (DENY, Verdict.DENY)], ids=["yes", "no"]
)
def test_a_tap_in_slack_decides_a_waiting_call(
    tmp_path: Path, button: str, verdict: Verdict
) -> None:
    """A model that is down is no answer; the person's is."""
    answer, slack = asyncio.run(asked(tmp_path, button))

    assert (verdict, "slack", "ada") == (answer.verdict, answer.decided_by, answer.who)
    assert "LLM evaluation error: " in answer.model
    assert slack.bodies("chat.update")


def test_an_admin_confirms_a_change_in_its_thread(tmp_path: Path) -> None:
    """T-63: with the code that was told; nobody else with it, and no other code."""
    assert (1, 0) == asyncio.run(confirmed_in_thread(tmp_path))


async def confirmed_in_thread(tmp_path: Path) -> tuple[int, int]:
    """Change the approvers and confirm it; return how many changes waited before and after."""
    async with Slack() as slack:
        settings = configured(tmp_path, slack)
        approvers = ApproverFile(str(tmp_path / "config" / "approvers.json"))
        approvers.add(
            Approver(id="ada", role=ApproverRole.ADMIN, identities=(Identity("slack", "U0ADA"),))
        )
        record = SqliteStore(settings.record_file)
        remote = ChannelManager(settings, record=record, status=status)
        running = asyncio.create_task(remote.run())
        try:
            async with asyncio.timeout(60):
                while not slack.connections:
                    await asyncio.sleep(0.01)
                approvers.add(Approver(id="bob", identities=(Identity("slack", "U0BOB"),)))
                while not (told := told_change(slack)):
                    await asyncio.sleep(0.01)
                for user, code in (("U0EVE", told), ("U0ADA", "AAAA-AAAA")):
                    await slack.send(written(f"confirm {code}", user=user), kind=EVENTS)
                before = remote.in_force.waiting()
                await slack.send(written(f"confirm {told}", user="U0ADA"), kind=EVENTS)
                while not any("in force now" in text for text in shown(slack)):
                    await asyncio.sleep(0.01)
            after = remote.in_force.waiting()
        finally:
            running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await running
            remote.close()
            record.close()

    return len(before), len(after)


def told_change(slack: Slack) -> str:
    """Return the code of the change that was told, "" while there is none."""
    for body in slack.bodies("chat.postMessage"):
        if found := re.search(r"Code: (\w{4}-\w{4})", str(body.get("text", ""))):
            return found[1]
    return ""


def shown(slack: Slack) -> list[str]:
    """Return what was shown to one person."""
    return [str(body.get("text", "")) for body in slack.bodies("chat.postEphemeral")]
