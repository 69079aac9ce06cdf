"""The Python door: a function that is put to the gate each time before it runs.

    @gate
    def delete_user(user_id: str) -> None:
        \"\"\"Permanently remove a user account.\"\"\"

    @gate(name="refund", hints={"amount": 120}, agent="billing")
    async def pay_back(order: str) -> None: ...

A call that is not allowed raises `Denied`, which carries the `Decision`; the function does not
run. It runs with the arguments a person has changed, where one has, and what came of it is noted.
Lists, dicts, tuples and sets are copied before the call is judged, and the copy runs. Of other
objects the arguments are read again right before the run: what changed meanwhile is denied.
Without a gate of its own a function uses the one configured for this user, built once.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import os
import uuid
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import ParamSpec, TypeVar, cast, overload

from signoff.actions.action import Action, ActionKind, Json
from signoff.actions.canonical import canonical
from signoff.decide.decision import Decision
from signoff.errors import BadPayload, Denied, StoreError
from signoff.frontends.arguments import bound_arguments, changed_call, kept_values
from signoff.gate import Gate
from signoff.values import replace

Params = ParamSpec("Params")
Result = TypeVar("Result")
Function = Callable[Params, Result]

Given = tuple[tuple[object, ...], Mapping[str, object]]

SOURCE = "python"
NO_HINTS: Mapping[str, bool | int | float] = {}


@overload
def gate(function: Callable[Params, Result], /) -> Callable[Params, Result]: ...


@overload
def gate(
    *,
    name: str = "",
    hints: Mapping[str, bool | int | float] = NO_HINTS,
    agent: str = "",
    session: str = "",
    gate: Gate | None = None,
) -> Callable[[Callable[Params, Result]], Callable[Params, Result]]: ...


def gate(
    function: Callable[Params, Result] | None = None,
    /,
    *,
    name: str = "",
    hints: Mapping[str, bool | int | float] = NO_HINTS,
    agent: str = "",
    session: str = "",
    gate: Gate | None = None,
) -> Callable[Params, Result] | Callable[[Callable[Params, Result]], Callable[Params, Result]]:
    """Put every call of a function to the gate before it runs.

    Args:
        name: what the function is called in rules and records instead of its own name.
        hints: what its author knows of its risk: booleans and numbers (spec 1).
        session: calls of one session are counted together; "" = this process.
        gate: None = the gate configured for this user.

    Raises:
        TypeError: it stands above `@classmethod` or `@property`, or on no function.
    """

    def wrap(wrapped: Callable[Params, Result]) -> Callable[Params, Result]:
        door = _GatedFunction(
            call=_blank_call(wrapped, name=name, hints=hints, agent=agent, session=session),
            signature=inspect.signature(wrapped),
            has_self=_is_method(wrapped),
            gate=gate,
        )
        if inspect.iscoroutinefunction(wrapped):
            return cast("Callable[Params, Result]", _guard_async(door, wrapped))
        return _guard(door, wrapped)

    if function is None:
        return wrap
    return wrap(function)


@dataclass(frozen=True, slots=True, kw_only=True)
class _GatedFunction:
    """One function's way to the gate."""

    call: Action
    signature: inspect.Signature
    has_self: bool
    gate: Gate | None = field(repr=False)

    def action(self, args: tuple[object, ...], kwargs: Mapping[str, object]) -> Action:
        """Return this call as an action."""
        arguments: dict[str, Json] = bound_arguments(self.signature, args, kwargs)
        if self.has_self:
            del arguments[next(iter(self.signature.parameters))]
        return replace(
            self.call,
            arguments=arguments,
            cwd=_folder(),
            session=self.call.session or _own_session(),
        )

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

    def chosen_gate(self) -> Gate:
        """Return the gate of this function."""
        return self.gate or _default_gate()


def _guard(door: _GatedFunction, wrapped: Callable[Params, Result]) -> Callable[Params, Result]:
    """Wrap a function that is not async."""
    run = cast("Callable[..., Result]", wrapped)

    @functools.wraps(wrapped)
    def guarded(*args: Params.args, **kwargs: Params.kwargs) -> Result:
        chosen = door.chosen_gate()
        try:
            call = kept_values(args, kwargs)
            action = door.action(*call)
        except BadPayload as error:
            _raise_unless_allowed(chosen.refuse_now(door.call, str(error)))
            raise
        decision = chosen.check_now(action)
        _raise_unless_allowed(decision)
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
    """Wrap a coroutine function."""
    run = cast("Callable[..., Awaitable[Result]]", wrapped)

    @functools.wraps(wrapped)
    async def guarded(*args: Params.args, **kwargs: Params.kwargs) -> Result:
        chosen = door.chosen_gate()
        try:
            call = kept_values(args, kwargs)
            action = door.action(*call)
        except BadPayload as error:
            _raise_unless_allowed(await chosen.refuse(door.call, str(error)))
            raise
        decision = await chosen.check(action)
        _raise_unless_allowed(decision)
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


def _raise_unless_allowed(decision: Decision) -> None:
    """Raise unless the call may go on now; what a host would be asked about may not."""
    if not decision.allowed:
        raise Denied(decision.reason, decision=decision)


def _blank_call(
    wrapped: object, *, name: str, hints: Mapping[str, bool | int | float], agent: str, session: str
) -> Action:
    """Return what is the same in all calls of a function."""
    if isinstance(wrapped, classmethod | property) or not callable(wrapped):
        raise TypeError(f"`@gate` stands directly on a function, not on {type(wrapped).__name__}")
    return Action(
        tool=name or getattr(wrapped, "__name__", type(wrapped).__name__),
        arguments={},
        kind=ActionKind.FUNCTION,
        description=inspect.getdoc(wrapped) or "",
        hints=dict(hints),
        agent=agent or SOURCE,
        session=session,
        source=SOURCE,
    )


def _is_method(wrapped: object) -> bool:
    """Tell whether the first parameter is the object or class the function belongs to."""
    owner = getattr(wrapped, "__qualname__", "").rpartition(".")[0]
    names = list(inspect.signature(cast("Callable[..., object]", wrapped)).parameters)
    in_class = bool(owner) and not owner.endswith("<locals>")
    return in_class and names[:1] in (["self"], ["cls"])


def _folder() -> str:
    """Return the working folder, "" if it is gone."""
    try:
        return os.getcwd()
    except OSError:
        return ""


@functools.cache
def _own_session() -> str:
    """Return the session of this process."""
    return f"python-{uuid.uuid4().hex[:12]}"


@functools.cache
def _default_gate() -> Gate:
    """Build the gate configured for this user."""
    from signoff.build.gate import build_gate  # noqa: PLC0415 - `import signoff` stays light

    return build_gate()
