"""Tools around clusters: delivery, meshes, backups, local test clusters, schedulers.

A local test cluster is the project's own: made freely, and asked about before it goes. What runs
on a remote cluster is remote.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall, rejoin


def switch(call: ProgramCall) -> Iterator[Effect]:
    """`kubectx`, `kubens`: list, switch, rename or delete contexts of the user's configuration."""
    if call.has("-d", "--delete"):
        yield call.operation(
            Verb.DELETE, ResourceType.SETTING, "a context", reach=Reach.HOME, reversible=False
        )
    elif call.has("-u", "--unset") or any(text != "-" for text in call.texts):
        yield call.operation(Verb.CONFIGURE, ResourceType.SETTING, "the context", reach=Reach.HOME)
    else:
        yield call.operation(Verb.READ, ResourceType.SETTING)


def sealed(call: ProgramCall) -> Iterator[Effect]:
    """`kubeseal`: encrypts with the public key of the cluster; recovery decrypts."""
    if call.has("--recovery-unseal"):
        yield call.operation(
            Verb.READ, ResourceType.CREDENTIAL, "sealed secrets", traits=(Trait.READS_SECRET,)
        )
    else:
        yield call.operation(Verb.READ, ResourceType.CLUSTER)
    for word in (*call.values("-w", "--sealed-secret-file"),):
        yield call.on_file(Verb.WRITE, word)
    for word in call.values("-f", "--secret-file"):
        yield call.on_file(Verb.READ, word)


def within_context(call: ProgramCall) -> Iterator[Effect]:
    """`kubie exec CONTEXT NAMESPACE program`: the program is judged by itself."""
    yield Nested(text=rejoin(call.operands[3:]), language="shell", carrier=call.name)
