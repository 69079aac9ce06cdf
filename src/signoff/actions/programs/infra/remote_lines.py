"""Lines of a shell that are run on other machines: pdsh, fab, `ssm send-command`, `run-command`.

The line is judged as if it stood alone; that it runs elsewhere is an operation of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from signoff.actions.operation import Reach, ResourceType, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall, rejoin
from signoff.actions.programs.infra.services import names_production
from signoff.actions.vocabulary import words

CARRYING = words("--parameters --scripts --command --commands --exec-command --script")
QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
LINES_LIMIT = 20


def on_many(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `pdsh -w HOSTS LINE`, `parallel-ssh -h FILE LINE`, `fab -H HOST -- LINE`."""
    yield _elsewhere(call)
    texts = list(call.texts)
    behind_dashes = any([word.text == "--" for word in call.command.words])
    # Operands of `fab` are names of tasks; only behind `--` they are a line.
    if texts and (behind_dashes or not call.name.startswith("fab")):
        known = all([word.is_known for word in call.operands])
        # One word is a whole line with its own operators; several were split by our shell.
        line = call.operands[0].text if len(texts) == 1 else rejoin(call.operands)
        yield Nested(text=line, language="shell", carrier=call.name, is_known=known)


def behind_name(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `kamal accessory exec NAME LINE`: the line after the name runs remotely."""
    yield _elsewhere(call)
    line = call.operands[1:]
    if line:
        known = all([word.is_known for word in line])
        text = line[0].text if len(line) == 1 else rejoin(line)
        yield Nested(text=text, language="shell", carrier=call.name, is_known=known)


def on_machines(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `aws ssm send-command`, `az vm run-command`: the option that carries the line."""
    yield _elsewhere(call)
    for count, line in enumerate(_lines(call.texts)):
        if count == LINES_LIMIT:  # what is not read is asked about, never skipped
            yield Nested(text="", language="shell", carrier=call.name, is_known=False)
            return
        yield Nested(text=line, language="shell", carrier=call.name)


def _elsewhere(call: ProgramCall) -> Effect:
    return call.operation(
        Verb.EXECUTE,
        ResourceType.CLOUD,
        " ".join(call.texts[:2]),
        reach=Reach.PRODUCTION if names_production(call) else Reach.REMOTE,
        reversible=False,
    )


def _lines(texts: tuple[str, ...]) -> Iterator[str]:
    takes = False
    for text in texts:
        name, given, value = text.partition("=")
        if name in CARRYING:
            takes = not given
            yield from _lines_in(value) if given else ()
        elif text.startswith("--"):
            takes = False
        elif takes:
            yield from _lines_in(text)


def _lines_in(text: str) -> Iterator[str]:
    """Lines in `commands=["a","b"]`, in JSON, or in plain text."""
    before, mark, value = text.partition("commands")
    # `commands` further inside belongs to the line itself.
    if not mark or len(before) > 2:
        yield text
        return
    quoted = QUOTED.findall(value)
    yield from quoted or [value.lstrip("\"': =[").rstrip("]")]


def by_option(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `fly ssh console -C LINE`: the line stands in an option."""
    yield _elsewhere(call)
    for word, value in pairwise(call.command.words):
        name, given, joined = word.text.partition("=")
        if name in {"-C", "--command"}:
            text = joined if given else value.text
            yield Nested(text=text, language="shell", carrier=call.name, is_known=value.is_known)
