"""Platforms that host applications: heroku, fly, vercel, netlify, firebase, supabase and more.

Deploying and configuring changes what others use; showing an application's configuration shows
its secrets; local servers and builds are ordinary work.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall, rejoin
from signoff.actions.programs.infra.services import names_production


def remote_statement(call: ProgramCall) -> Iterator[Effect]:
    """`heroku pg:psql -c SQL`, `wrangler d1 execute DB --command SQL`: the SQL is taken apart."""
    texts = call.texts
    environment = "production" if names_production(call) else ""
    done = False
    for place, text in enumerate(texts):
        name, equals, value = text.partition("=")
        if name in {"-c", "--command", "--sql", "-q", "--query"}:
            statement = value if equals else " ".join(texts[place + 1 : place + 2])
            yield Nested(text=statement, language="sql", carrier=call.name, environment=environment)
            done = True
    if not done:
        yield call.operation(Verb.EXECUTE, ResourceType.DATABASE, reach=Reach.REMOTE)


def within(call: ProgramCall) -> Iterator[Effect]:
    """`doppler run -- program`, `heroku local`: the program after `--` is judged by itself."""
    start = call.texts.index("--") + 1 if "--" in call.texts else 1
    words = call.operands[start:]
    if words:
        yield Nested(text=rejoin(words), language="shell", carrier=call.name)
    else:
        yield call.operation(Verb.EXECUTE, ResourceType.CODE, reach=Reach.PROJECT)
