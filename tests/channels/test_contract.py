"""What every messenger keeps, run over each of them through what the daemon asks people with."""

from __future__ import annotations

import asyncio
import contextlib
import re
from pathlib import Path

import pytest

pytest.importorskip("websockets")

from asking import REVIEW_S, People, asking, play, written
from sides import SIDES, until

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.assess.level import Challenge, Level
from signoff.assess.verdict import Verdict
from signoff.build.judge import build_judge, guard_paths
from signoff.challenge.pending import RequestState
from signoff.challenge.terms import plan as plan_file
from signoff.challenge.terms.step import ProofKind
from signoff.channels.registry import CHANNELS
from signoff.frontends.doctor.asking import asking_of
from signoff.settings import Settings
from signoff.testing import good_proof

DOCS = Path(__file__).parents[2] / "docs"
NAMES = [one.name for one in CHANNELS]
CONFIG = "/home/dev/.config/signoff"
NOWHERE = "http://127.0.0.1:9"
every_channel = pytest.mark.parametrize("channel", NAMES)


def preliminary(line: str) -> Verdict:
    """Judge a shell line of an agent's."""
    settings = Settings(config_dir=CONFIG, state_dir="/home/dev/.local/state/signoff")
    paths = guard_paths(settings)
    facts = Facts(home="/home/dev", project="/home/dev/project", guard_paths=paths)
    call = Action(tool="Bash", arguments={"command": line}, cwd="/home/dev/project")
    return build_judge(settings)(call, facts).preliminary


@pytest.fixture
def quickly_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let proofs be given as soon as a card can be read."""
    monkeypatch.setattr(plan_file, "PROOF_REVIEW_S", dict.fromkeys(ProofKind, 0.0))


def test_every_messenger_has_a_side() -> None:
    """A messenger of the tuple that this contract does not run over is a hole in it."""
    assert NAMES == list(SIDES)


@every_channel
def test_the_card_is_shown(channel: str, tmp_path: Path) -> None:
    """It says what is asked."""

    async def scene(people: People) -> None:
        asked = people.ask()
        card = await people.side.card()
        assert "delete_user" in people.side.text_of(card)
        asked.cancel()

    play(channel, tmp_path, scene)


@every_channel
@pytest.mark.parametrize("verdict", [Verdict.ALLOW, Verdict.DENY])
def test_an_approver_settles_it(channel: str, verdict: Verdict, tmp_path: Path) -> None:
    """The record says who and where, and the card says it, too."""

    async def scene(people: People) -> None:
        asked = people.ask()
        card = await people.readable()
        if verdict is Verdict.ALLOW:
            await people.side.approve("ada", card)
        else:
            await people.side.deny("ada", card)
        answer = await asked

        assert answer is not None
        assert (verdict, channel, "ada") == (answer.verdict, answer.decided_by, answer.who)
        word = "approved" if verdict is Verdict.ALLOW else "denied"
        await until(lambda: word in people.side.text_of(card).casefold())

    play(channel, tmp_path, scene)


@every_channel
def test_a_stranger_settles_nothing(channel: str, tmp_path: Path) -> None:
    """Whatever they press; an approver still can."""

    async def scene(people: People) -> None:
        asked = people.ask()
        card = await people.readable()
        await people.side.approve("eve", card)
        await people.side.deny("eve", card)
        await asyncio.sleep(0.5)
        assert not asked.done()
        await people.side.deny("bob", card)
        answer = await asked

        assert answer is not None
        assert "bob" == answer.who

    play(channel, tmp_path, scene)


@every_channel
def test_an_approval_faster_than_reading_is_refused(channel: str, tmp_path: Path) -> None:
    """The request still waits, and can be approved once the card could be read."""

    async def scene(people: People) -> None:
        asked = people.ask()
        card = await people.side.card()
        await people.side.approve("ada", card)
        await asyncio.sleep(0.5)
        assert not asked.done()
        await asyncio.sleep(REVIEW_S)
        await people.side.approve("ada", card)
        answer = await asked

        assert answer is not None
        assert Verdict.ALLOW is answer.verdict

    play(channel, tmp_path, scene)


@every_channel
@pytest.mark.usefixtures("quickly_read")
def test_what_is_critical_takes_proofs_of_two_people(channel: str, tmp_path: Path) -> None:
    """One person's two proofs are one person's."""

    async def scene(people: People) -> None:
        asked = people.ask(Level.CRITICAL, Challenge.MULTI_PARTY)
        card = await people.readable()
        first, second = (await people.pending()).steps
        await people.side.prove("ada", card, first.kind, good_proof(first))
        await until(lambda: "ada" in people.side.text_of(card))
        await people.side.approve("ada", card)
        await asyncio.sleep(0.5)
        assert not asked.done()
        await people.side.prove("bob", card, second.kind, good_proof(second))
        answer = await asked

        assert answer is not None
        assert Verdict.ALLOW is answer.verdict
        await until(lambda: "bob" in people.side.text_of(card))

    play(channel, tmp_path, scene)


@every_channel
def test_silence_is_no_and_the_card_says_so(channel: str, tmp_path: Path) -> None:
    """Nobody answers in time: refused, and nothing is left to press."""

    async def scene(people: People) -> None:
        answer = await people.ask()
        card = await people.side.card()

        assert answer is None or Verdict.ALLOW is not answer.verdict
        await until(lambda: "expired" in people.side.text_of(card).casefold())

    play(channel, tmp_path, scene, answer_timeout_s=2)


@every_channel
def test_the_next_daemon_takes_up_what_waits(channel: str, tmp_path: Path) -> None:
    """The card of before is the card, and an answer to it counts once."""

    async def whole() -> None:
        async with SIDES[channel]() as side:
            settings = written(side, channel, tmp_path)
            async with asking(side, settings) as first:
                await until(lambda: first.manager.states().get(channel) == "connected")
                asked = first.ask()
                card = await first.readable()
            asked.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await asked
            async with asking(side, settings) as second:
                waiting = await second.pending()
                await until(lambda: second.manager.states().get(channel) == "connected")
                await side.approve("ada", card)

                async def settled() -> bool:
                    now = await second.manager.approvals.requests.get(waiting.id)
                    return now is not None and now.state is RequestState.APPROVED

                async with asyncio.timeout(60):
                    while not await settled():
                        await asyncio.sleep(0.05)
                await until(lambda: "approved" in side.text_of(card).casefold())
                assert 1 == len(side.cards())

    asyncio.run(whole())


@every_channel
def test_a_bad_settings_file_is_told_with_its_place(channel: str, tmp_path: Path) -> None:
    """File, line and column; people are asked in vain rather than passed over."""

    async def whole() -> None:
        async with SIDES[channel]() as side:
            settings = written(side, channel, tmp_path, answer_timeout_s=2)
            text, said = side.bad
            file = next(one.file for one in CHANNELS if one.name == channel)
            (tmp_path / "config" / file).write_text(text, encoding="utf-8")
            async with asking(side, settings) as people:
                problem = people.manager.problems[0]
                answer = await people.ask()

                assert said in problem
                assert {channel: "refused"} == people.manager.status()
                assert answer is None or Verdict.ALLOW is not answer.verdict

    asyncio.run(whole())


@every_channel
def test_a_service_that_is_down_lets_nothing_through(channel: str, tmp_path: Path) -> None:
    """It is a problem that is told, and the call is refused."""

    async def whole() -> None:
        async with SIDES[channel]() as side:
            settings = written(side, channel, tmp_path, answer_timeout_s=2)
            file = tmp_path / "config" / next(one.file for one in CHANNELS if one.name == channel)
            address = re.compile(r"http://127\.0\.0\.1:\d+")
            file.write_text(address.sub(NOWHERE, file.read_text("utf-8")), "utf-8")
            async with asking(side, settings) as people:
                answer = await people.ask()

                assert answer is None or Verdict.ALLOW is not answer.verdict
                assert [] == side.cards()
                assert people.manager.problems[0].startswith(f"{channel}: ")

    asyncio.run(whole())


@every_channel
def test_it_is_documented(channel: str) -> None:
    """By a page of its own, which the reference of settings links."""
    page = DOCS / "how-to" / f"{channel}.md"

    assert f"{channel}.yaml" in page.read_text("utf-8")
    assert f"how-to/{channel}.md" in (DOCS / "reference" / "settings.md").read_text("utf-8")


@every_channel
def test_status_and_doctor_name_it(channel: str) -> None:
    """By the name people use."""
    title = next(one.title for one in CHANNELS if one.name == channel)

    assert asking_of("claude-code", (channel,)).said.startswith(f"{title}; ")


@every_channel
def test_the_agent_reads_none_of_its_files(channel: str) -> None:
    """Settings and secrets of a messenger are kept like signoff's own keys."""

    async def whole() -> list[str]:
        async with SIDES[channel]() as side:
            return list(side.files())

    verdicts = {name: preliminary(f"cat {CONFIG}/{name}") for name in asyncio.run(whole())}

    assert {Verdict.DENY} == set(verdicts.values()), verdicts


@every_channel
def test_no_secret_of_a_channel_is_shown(channel: str, tmp_path: Path) -> None:
    """Tokens stand in no status, no problem and no representation."""

    async def scene(people: People) -> None:
        said = f"{people.manager.status()} {people.manager.problems} {people.manager.states()}"
        secrets = [text for name, text in people.side.files().items() if "token" in name]

        assert secrets
        assert [] == [secret for secret in secrets if secret in said]

    play(channel, tmp_path, scene)


LINK = "https://signoff.example.com/web/link#c0de"


@every_channel
@pytest.mark.parametrize("level", [Level.HIGH, Level.CRITICAL])
def test_a_critical_card_leads_to_the_page_of_a_passkey(
    channel: str, level: Level, tmp_path: Path
) -> None:
    """One that is less offers no link; who may not answer gets none; the request still waits."""

    async def scene(people: People) -> None:
        asked = people.ask(level)
        card = await people.side.card()
        assert (level is Level.CRITICAL) == ("passkey" in people.side.offers(card))
        if level is Level.CRITICAL:
            await people.side.ask_for_page("eve", card)
            await people.side.ask_for_page("ada", card)
            await until(lambda: LINK in people.side.said())
            assert 1 == people.side.said().count(LINK)
            assert (await people.pending()).state.is_open
        asked.cancel()

    # For everybody: that Eve gets none is the messenger's own doing.
    play(channel, tmp_path, scene, page_link=lambda pending, identity: LINK)
