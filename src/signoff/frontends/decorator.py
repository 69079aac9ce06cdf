"""The Python frontend: a function that is put to the gate each time before it runs.

    @gate
    def delete_user(user_id: str) -> None:
        \"\"\"Permanently remove a user account.\"\"\"

    @gate(name="refund", hints={"amount": 120}, agent="billing")
    async def pay_back(order: str) -> None: ...

A call that is not allowed raises `Denied`, which carries the `Decision`; the function does not
run. It runs with the arguments a person has changed, where one has, and what came of it is noted.
Lists, dicts, tuples and sets are copied before the call is judged, and the copy runs. Of other
objects the arguments are read again right before the run: what changed meanwhile is denied.
Without a gate of its own a function asks the daemon if one runs, else a gate in this process, as
the setting `python.decides` says.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ParamSpec, TypedDict, TypeVar, Unpack, cast, overload

from signoff.actions.action import Action, ActionKind, Json
from signoff.actions.canonical import canonical
from signoff.assess.risk.score import RiskScorer
from signoff.decide.decision import Decision
from signoff.errors import BadPayload, Denied, StoreError
from signoff.frontends.arguments import bound_arguments, changed_call, kept_values
from signoff.frontends.python.checker import Checker
from signoff.frontends.python.process import own_session, working_folder
from signoff.frontends.python.statements import ProofMap, Statements, stated
from signoff.values import replace

Params = ParamSpec("Params")
Result = TypeVar("Result")

Given = tuple[tuple[object, ...], Mapping[str, object]]

SOURCE = "python"
NO_HINTS: Mapping[str, bool | int | float] = {}
NO_PROOFS: ProofMap = {}


class GateOptions(TypedDict, total=False):
    """The keywords of `@gate`; all can be left out.

    Args:
        name: what the function is called in rules and records instead of its own name.
        hints: what its author knows of its risk: booleans and numbers (spec 1).
        agent: who makes the calls, for the record.
        session: calls of one session are counted together; "" = this process.
        gate: a `Gate` or `Client`; None = as configured for this user.
        risk: the risk it has at least: 0..1, or `low`, `medium`, `high`, `critical`.
        risk_scorer: scores each call in this process; the higher risk counts.
        domain: one or more domain profiles, shipped ones or the user's own: the risk is at least
            what they make of a first call. It adds to the profiles of the settings.
        challenge: the proof every approval takes at least; each call is then asked about.
        challenge_map: the same by level, e.g. `{"high": "teach-back"}`.
        on_denied: is given the decision about a denied call, and its result is returned in
            place of raising `Denied`; for a coroutine function it may be one.
    """

    name: str
    hints: Mapping[str, bool | int | float]
    agent: str
    session: str
    gate: Checker | None
    risk: float | str
    risk_scorer: RiskScorer | None
    domain: str | Sequence[str]
    challenge: str
    challenge_map: ProofMap
    on_denied: Callable[[Decision], object] | None


@overload
def gate(function: Callable[Params, Result], /) -> Callable[Params, Result]: ...


@overload
def gate(
    **options: Unpack[GateOptions],
) -> Callable[[Callable[Params, Result]], Callable[Params, Result]]: ...


def gate(
    function: Callable[Params, Result] | None = None, /, **options: Unpack[GateOptions]
) -> Callable[Params, Result] | Callable[[Callable[Params, Result]], Callable[Params, Result]]:
    """Put every call of a function to the gate before it runs; `GateOptions` are its keywords.

    Raises:
        TypeError: it is above `@classmethod` or `@property`, or on no function; or a keyword
            is unknown.
        ValueError: a risk, level or proof is unknown.
        BadSettings: a domain profile is unknown or refused.
    """
    if "mode" in options:
        raise TypeError("`mode` is not set by the code that is guarded: use `signoff shadow`")
    if unknown := options.keys() - GateOptions.__annotations__.keys():
        raise TypeError(f"unknown keyword `{min(unknown)}`")
    statements = stated(
        options.get("risk", 0.0),
        _scorers(options),
        options.get("challenge", ""),
        options.get("challenge_map", NO_PROOFS),
    )

    def wrap(wrapped: Callable[Params, Result]) -> Callable[Params, Result]:
        door = _GatedFunction(
            call=_blank_call(wrapped, options),
            signature=inspect.signature(wrapped),
            has_self=_is_method(wrapped),
            gate=options.get("gate"),
            statements=statements,
            on_denied=options.get("on_denied"),
        )
        if inspect.iscoroutinefunction(wrapped):
            return cast("Callable[Params, Result]", _guard_async(door, wrapped))
        return _guard(door, wrapped)

    if function is None:
        return wrap
    return wrap(function)


@dataclass(frozen=True, slots=True, kw_only=True)
class _GatedFunction:
    """What the wrapper of one gated function needs."""

    call: Action
    signature: inspect.Signature
    has_self: bool
    gate: Checker | None = field(repr=False)
    statements: Statements
    on_denied: Callable[[Decision], object] | None

    def action(self, args: tuple[object, ...], kwargs: Mapping[str, object]) -> Action:
        """Return this call as an action."""
        arguments: dict[str, Json] = bound_arguments(self.signature, args, kwargs)
        if self.has_self:
            # The object itself is no argument: its `repr` would make each call another one.
            del arguments[next(iter(self.signature.parameters))]
        action = replace(
            self.call,
            arguments=arguments,
            cwd=working_folder(),
            session=self.call.session or own_session(),
        )
        return self.statements.about(action)

    def approved(self, call: Given, action: Action, decision: Decision) -> Given:
        """Return the arguments that were approved, as a person has changed them if one has.

        Raises:
            Denied: they have changed since they were judged, or the function cannot be given them.
        """
        if not self._is_still(action, *call):
            raise Denied("the arguments have changed since they were judged", decision=decision)
        if not decision.edited_from:
            return call
        bound = self.signature.bind(*call[0], **call[1])
        bound.apply_defaults()
        try:
            changed = changed_call(bound, action.arguments, decision.action.arguments)
        except BadPayload as error:
            raise Denied(f"the changed arguments do not fit: {error}", decision=decision) from error
        return changed.args, changed.kwargs

    def _is_still(
        self, action: Action, args: tuple[object, ...], kwargs: Mapping[str, object]
    ) -> bool:
        """Tell whether these arguments are still those of the action."""
        try:
            now = self.action(args, kwargs)
        except BadPayload:
            return False
        return canonical(now.arguments) == canonical(action.arguments)

    def chosen_gate(self) -> Checker:
        """Return the gate of this function, built on first use."""
        return self.gate or _default_gate()

    def denied(self, decision: Decision) -> object:
        """Return the result of `on_denied` for a denied call.

        Raises:
            Denied: there is no `on_denied`.
        """
        if self.on_denied is None:
            raise Denied(decision.reason, decision=decision)
        return self.on_denied(decision)


def _guard(door: _GatedFunction, wrapped: Callable[Params, Result]) -> Callable[Params, Result]:
    """Return the gated version of a function that is not async."""
    run = cast("Callable[..., Result]", wrapped)

    @functools.wraps(wrapped)
    def guarded(*args: Params.args, **kwargs: Params.kwargs) -> Result:
        chosen = door.chosen_gate()
        try:
            call = kept_values(args, kwargs)
            action = door.action(*call)
        except BadPayload as error:
            return cast("Result", door.denied(chosen.refuse_now(door.call, str(error))))
        decision = chosen.check_now(action)
        if not decision.allowed:  # what a host would be asked about is not allowed either
            return cast("Result", door.denied(decision))
        try:
            given = door.approved(call, action, decision)
            result = run(*given[0], **given[1])
        except BaseException:
            with contextlib.suppress(StoreError):
                chosen.finish_now(decision, has_failed=True)
            raise
        with contextlib.suppress(StoreError):
            chosen.finish_now(decision)
        return result

    return guarded


def _guard_async(
    door: _GatedFunction, wrapped: Callable[Params, Awaitable[Result]]
) -> Callable[Params, Awaitable[Result]]:
    """Return the gated version of a coroutine function."""
    run = cast("Callable[..., Awaitable[Result]]", wrapped)

    @functools.wraps(wrapped)
    async def guarded(*args: Params.args, **kwargs: Params.kwargs) -> Result:
        chosen = door.chosen_gate()
        try:
            call = kept_values(args, kwargs)
            action = door.action(*call)
        except BadPayload as error:
            return await _denied(door, await chosen.refuse(door.call, str(error)))
        decision = await chosen.check(action)
        if not decision.allowed:
            return await _denied(door, decision)
        try:
            given = door.approved(call, action, decision)
            result = await run(*given[0], **given[1])
        except BaseException:
            with contextlib.suppress(StoreError):
                await chosen.finish(decision, has_failed=True)
            raise
        with contextlib.suppress(StoreError):
            await chosen.finish(decision)
        return result

    return guarded


async def _denied(door: _GatedFunction, decision: Decision) -> Result:
    """Return what is given for a denied call, awaited where it has to be."""
    given = door.denied(decision)
    return cast("Result", await given if inspect.isawaitable(given) else given)


def _blank_call(wrapped: object, options: GateOptions) -> Action:
    """Return what is the same in all calls of a function."""
    if isinstance(wrapped, classmethod | property) or not callable(wrapped):
        raise TypeError(f"`@gate` stands directly on a function, not on {type(wrapped).__name__}")
    return Action(
        tool=options.get("name") or str(getattr(wrapped, "__name__", type(wrapped).__name__)),
        arguments={},
        kind=ActionKind.FUNCTION,
        description=inspect.getdoc(wrapped) or "",
        hints=dict(options.get("hints", NO_HINTS)),
        agent=options.get("agent") or SOURCE,
        session=options.get("session", ""),
        source=SOURCE,
    )


def _scorers(options: GateOptions) -> tuple[RiskScorer, ...]:
    """Return what scores each call besides the gate."""
    own, domain = options.get("risk_scorer"), options.get("domain", "")
    scorers = () if own is None else (own,)
    if not domain:
        return scorers
    from signoff.build.judge import load_settings_here  # noqa: PLC0415 - `import signoff` stays light
    from signoff.build.scoring import profile_scorer  # noqa: PLC0415 - the same

    names = (domain,) if isinstance(domain, str) else tuple(domain)
    return (*scorers, profile_scorer(names, load_settings_here()))


def _is_method(wrapped: object) -> bool:
    """Tell whether the first parameter is the object or class the function belongs to."""
    owner = getattr(wrapped, "__qualname__", "").rpartition(".")[0]
    names = list(inspect.signature(cast("Callable[..., object]", wrapped)).parameters)
    in_class = bool(owner) and not owner.endswith("<locals>")
    return in_class and names[:1] in (["self"], ["cls"])


def _default_gate() -> Checker:
    """Return what decides for this user."""
    from signoff.frontends.python.chosen import chosen_checker  # noqa: PLC0415 - `import signoff` stays light

    return chosen_checker()
