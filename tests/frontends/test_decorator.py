"""The decorator: nothing runs that was not allowed, and what runs is what it was."""

from __future__ import annotations

import asyncio
import inspect
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from signoff import Action, Denied, Gate, Verdict, gate
from signoff.actions.action import ActionKind
from signoff.actions.facts import Facts
from signoff.assess.assessed import Assessed
from signoff.challenge.ladder import Ladder
from signoff.decide.decision import Decision
from signoff.effects.dispatch import Effects
from signoff.redaction.redact import Redactor
from signoff.storage.memory import MemoryStore
from signoff.testing import TEST_KEY, FakeAssessment, StoreMemory


class Watched:
    """A gate that leans one way and keeps what it was asked."""

    def __init__(self, preliminary: Verdict = Verdict.ALLOW) -> None:
        store = MemoryStore()
        self.preliminary = preliminary
        self.actions: list[Action] = []
        effects = Effects(store, Redactor(TEST_KEY))
        self.gate = Gate(StoreMemory(store), self.judge, ladder=Ladder(), effects=effects)

    def judge(self, action: Action, facts: Facts) -> Assessed:
        """Keep the action and lean."""
        self.actions.append(action)
        return FakeAssessment(action=action, facts=facts, preliminary=self.preliminary)


@pytest.fixture
def watched() -> Watched:
    """Give a gate that allows everything."""
    return Watched()


def test_an_allowed_call_runs(watched: Watched) -> None:
    """With its arguments, and its result comes back."""

    @gate(gate=watched.gate)
    def add(a: int, b: int = 2) -> int:
        return a + b

    assert (add(1), add(1, b=5)) == (3, 6)


@pytest.mark.parametrize("preliminary", [Verdict.DENY, Verdict.ASK])
def test_a_call_that_is_not_allowed_does_not_run(preliminary: Verdict) -> None:
    """Refused, or asked about with nobody there: `Denied`, with the decision."""
    ran: list[int] = []

    @gate(gate=Watched(preliminary).gate)
    def delete(n: int) -> None:
        ran.append(n)

    with pytest.raises(Denied) as denied:
        delete(1)

    assert ran == []
    assert isinstance(denied.value.decision, Decision)
    assert denied.value.decision.verdict is Verdict.DENY


def test_a_coroutine_function_stays_one(watched: Watched) -> None:
    """It is checked when it is awaited."""

    @gate(gate=watched.gate)
    async def double(n: int) -> int:
        return n * 2

    assert inspect.iscoroutinefunction(double)
    assert asyncio.run(double(4)) == 8


def test_a_refused_coroutine_does_not_run() -> None:
    """Not even its first step."""
    ran: list[int] = []

    @gate(gate=Watched(Verdict.DENY).gate)
    async def delete() -> None:
        ran.append(1)

    with pytest.raises(Denied):
        asyncio.run(delete())

    assert ran == []


def test_the_action_says_what_would_happen(watched: Watched) -> None:
    """Name, bound arguments with defaults, docstring, hints, who and where."""

    @gate(name="refund", hints={"amount": 120}, agent="billing", session="s1", gate=watched.gate)
    def pay_back(order: str, *rest: int, fast: bool = False, **more: object) -> None:
        """Pay an order back."""

    pay_back("o1", 1, 2, note=None)

    (action,) = watched.actions
    assert action == Action(
        tool="refund",
        arguments={"order": "o1", "rest": [1, 2], "fast": False, "more": {"note": None}},
        kind=ActionKind.FUNCTION,
        description="Pay an order back.",
        hints={"amount": 120},
        agent="billing",
        session="s1",
        cwd=str(Path.cwd()),
        source="python",
    )


def test_the_function_keeps_its_name_and_signature(watched: Watched) -> None:
    """Frameworks that read them see the function itself."""

    def fetch(url: str) -> str:
        """Fetch a page."""
        return url

    wrapped = gate(gate=watched.gate)(fetch)

    assert (wrapped.__name__, wrapped.__doc__) == ("fetch", "Fetch a page.")
    assert inspect.signature(wrapped) == inspect.signature(fetch)


def test_methods_of_all_kinds_are_guarded_without_their_object(watched: Watched) -> None:
    """`self` and `cls` are no arguments; they would make every call another one."""

    class Account:
        @gate(gate=watched.gate)
        def close(self, reason: str) -> str:
            return reason

        @classmethod
        @gate(gate=watched.gate)
        def purge(cls, days: int) -> int:
            return days

        @staticmethod
        @gate(gate=watched.gate)
        def ping(host: str) -> str:
            return host

    assert (Account().close("old"), Account.purge(30), Account.ping("h")) == ("old", 30, "h")
    assert [dict(action.arguments) for action in watched.actions] == [
        {"reason": "old"},
        {"days": 30},
        {"host": "h"},
    ]


def test_wrong_arguments_are_the_callers_error(watched: Watched) -> None:
    """A call that could not run is not asked about."""

    @gate(gate=watched.gate)
    def add(a: int) -> int:
        return a

    with pytest.raises(TypeError):
        add(1, 2)  # type: ignore[call-arg] # that is the point
    assert watched.actions == []


def test_arguments_too_large_to_show_are_refused(watched: Watched) -> None:
    """A sign-off covers every byte or there is none."""

    @gate(gate=watched.gate)
    def insert(rows: list[int]) -> None: ...

    with pytest.raises(Denied, match="too large") as denied:
        insert(list(range(100_000)))

    assert isinstance(denied.value.decision, Decision)


def test_async_arguments_too_large_to_show_are_refused(watched: Watched) -> None:
    """The same for coroutine functions."""

    @gate(gate=watched.gate)
    async def insert(rows: list[int]) -> None: ...

    with pytest.raises(Denied, match="too large"):
        asyncio.run(insert(list(range(100_000))))


def test_calls_of_one_process_are_one_session(watched: Watched) -> None:
    """Unless a session is named."""

    @gate(gate=watched.gate)
    def ping() -> None: ...

    ping()
    ping()

    first, second = (action.session for action in watched.actions)
    assert (first == second, first.startswith("python-")) == (True, True)


@pytest.mark.parametrize("target", [classmethod(print), property(len), 5])
def test_it_stands_on_functions_only(target: object) -> None:
    """Anything else is refused where it is written."""
    with pytest.raises(TypeError, match="stands directly on a function"):
        gate(target)  # type: ignore[call-overload] # that is the point


def test_bare_it_uses_the_gate_of_this_user(tmp_path: Path) -> None:
    """Built at the first call, with a record in the state folder; headless asks are refused."""
    code = (
        "from signoff import Denied, gate\n"
        "@gate\n"
        "def get_name(user_id: str) -> str:\n"
        "    return user_id\n"
        "@gate\n"
        "def delete_user(user_id: str, env: str = 'production') -> None:\n"
        "    '''Permanently remove a user account.'''\n"
        "print(get_name('ada'))\n"
        "try:\n"
        "    delete_user('usr_123')\n"
        "except Denied as denied:\n"
        "    print(denied.decision.verdict, denied.decision.decided_by)\n"
    )
    out = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        start_new_session=True,  # no terminal to ask on
        env={"SIGNOFF_CONFIG_DIR": str(tmp_path), "SIGNOFF_STATE_DIR": str(tmp_path / "state")},
    )

    assert out.stdout.split("\n")[0] == "ada"
    assert out.stdout.split("\n")[1].startswith("deny ")
    assert (tmp_path / "state" / "record.db").exists()


class _Changing(Watched):
    """A gate during whose judgement the caller's values change."""

    def __init__(self, change: Callable[[], object]) -> None:
        super().__init__()
        self.change = change

    def judge(self, action: Action, facts: Facts) -> Assessed:
        """Judge, and change what was given."""
        self.change()
        return super().judge(action, facts)


@pytest.mark.parametrize("is_async", [False, True])
def test_what_was_judged_runs_whatever_becomes_of_it_meanwhile(*, is_async: bool) -> None:
    """T-34: a list or dict that its owner changes after the judgement runs as it was judged."""
    given: dict[str, object] = {"to": ["ada"], "cc": {"bob"}}
    changing = _Changing(lambda: given.update(to=["mallory"], bcc="eve"))
    ran: list[object] = []
    if is_async:

        @gate(gate=changing.gate)
        async def send_soon(mail: dict[str, object]) -> None:
            ran.append(mail)

        asyncio.run(send_soon(given))
    else:

        @gate(gate=changing.gate)
        def send(mail: dict[str, object]) -> None:
            ran.append(mail)

        send(given)

    assert ran == [{"to": ["ada"], "cc": {"bob"}}]


def test_a_nested_value_is_copied_as_well() -> None:
    """Its innermost list is not the caller's."""
    inner = ["ada"]
    ran: list[object] = []
    changing = _Changing(lambda: inner.append("mallory"))

    @gate(gate=changing.gate)
    def send(mail: tuple[dict[str, list[str]], ...]) -> None:
        ran.extend(mail)

    send(({"to": inner},))

    assert ran == [{"to": ["ada"]}]


def test_an_object_that_changes_after_the_judgement_does_not_run() -> None:
    """T-34: it cannot be copied, so what it shows is compared right before the run."""

    class Mail:
        to = "ada"

        def __repr__(self) -> str:
            return f"Mail(to={self.to!r})"

    mail, ran = Mail(), []
    changing = _Changing(lambda: setattr(mail, "to", "mallory"))

    @gate(gate=changing.gate)
    def send(mail: Mail) -> None:
        ran.append(mail.to)

    with pytest.raises(Denied, match="changed since"):
        send(mail)
    assert ran == []


def test_an_object_that_stays_as_it_is_is_given_itself(watched: Watched) -> None:
    """No copy of it: a connection's copy is no connection."""
    thing, ran = object(), []

    @gate(gate=watched.gate)
    def use(thing: object) -> None:
        ran.append(thing)

    use(thing)

    assert ran[0] is thing
