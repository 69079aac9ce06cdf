"""Language models, wallets, homes and probes: command lines that talk to a service or a device.

A prompt sent to a model is a request with the project's text; a wallet pays; a home's switches
and a broker's names are remote things.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall


def prompt(call: ProgramCall) -> Iterator[Effect]:
    """`llm PROMPT`: the text goes to a model; shell execution switched on runs what it says."""
    if call.has("--execute", "-e", "--shell", "-s") and "sgpt" in call.name:
        yield call.opaque("runs what a model answers")
    else:
        yield call.operation(Verb.NETWORK_IN, ResourceType.URL, "a model", reach=Reach.REMOTE)
