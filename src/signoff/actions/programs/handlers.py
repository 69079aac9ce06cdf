"""Finds the Python function a description names.

    handler_of(HandlerRef(name="vcs.git_work.reset"))  ->  the function of `vcs/git_work.py`

The module is imported at the first call of a program that needs it.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from inspect import Parameter, signature

from signoff.actions.programs.program import Handler, HandlerOption, HandlerRef

PACKAGE = "signoff.actions.programs"


@cache
def handler_of(ref: HandlerRef) -> Handler:
    """Import and return the handler.

    Raises:
        LookupError: there is no such function, or it does not take the options.
    """
    module, _, name = ref.name.rpartition(".")
    try:
        found: Handler = getattr(import_module(f"{PACKAGE}.{module}"), name)
    except (ImportError, AttributeError) as error:
        raise LookupError(f"no handler `{ref.name}` in {PACKAGE}") from error
    return _made(found, dict(ref.options), ref.name) if ref.is_factory else found


def _made(factory: object, options: dict[str, HandlerOption], name: str) -> Handler:
    """Call a factory; a parameter `*names` takes the words of its option one by one."""
    # Descriptions can only say words, so `*names` is written as one text.
    given: list[str] = []
    for parameter in signature(factory).parameters.values():  # type: ignore[arg-type]  # checked by the call below
        if parameter.name not in options:
            continue
        if parameter.kind is Parameter.VAR_POSITIONAL:
            given.extend(str(options.pop(parameter.name)).split())
        elif parameter.kind is Parameter.POSITIONAL_OR_KEYWORD:
            given.append(options.pop(parameter.name))  # type: ignore[arg-type]  # any option
    try:
        made: Handler = factory(*given, **options)  # type: ignore[operator]  # see above
    except TypeError as error:
        raise LookupError(f"handler `{name}` does not take its options: {error}") from error
    return made
