"""Command lines of services for people and firms: payments, messages, issues, sites, pipelines.

What they send is seen by others, what they buy is paid; reading passes.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.infra.services import names_production


def site_statement(call: ProgramCall) -> Iterator[Effect]:
    """`wp db query SQL`, `drush sql-query SQL`: the statement is taken apart."""
    environment = "production" if names_production(call) else ""
    words = [w for w in call.operands[1:] if w.text != "query" and not w.text.startswith("-")]
    for word in words[:1]:
        yield Nested(
            text=word.text,
            language="mysql",
            carrier=call.name,
            is_known=word.is_known,
            environment=environment,
        )
    if not words:
        yield call.operation(Verb.EXECUTE, ResourceType.DATABASE, reach=Reach.PROJECT)


def site_code(call: ProgramCall) -> Iterator[Effect]:
    """`wp eval CODE`, `drush php:eval CODE`: PHP runs in the site."""
    for word in call.operands[1:2]:
        yield Nested(text=word.text, language="php", carrier=call.name, is_known=word.is_known)
    if len(call.operands) < 2:
        yield call.opaque("runs code that is unknown")
