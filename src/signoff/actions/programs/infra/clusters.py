"""Kubernetes and its like: kubectl, helm, and tools around clusters.

Reading passes; every change of a cluster is remote; what names production is production.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Operation, Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import Call
from signoff.actions.programs.infra.services import names_production
from signoff.actions.programs.lexicon import words
from signoff.actions.programs.program import Handler

SECRET_KINDS = words("secret secrets sealedsecret sealedsecrets externalsecret")
WHOLE_KINDS = words("namespace namespaces ns node nodes crd crds persistentvolume pv pvc pvs")


def cluster_change(verb: str) -> Handler:
    """Make the handler of a changing sub-command: dry runs are none, production is told."""

    def run(call: Call) -> Iterator[Effect]:
        if _is_dry(call):
            yield call.operation(Verb.INERT, Thing.CLUSTER, traits=(Trait.DRY_RUN,))
            return
        yield from _files(call)
        yield _changed(call, Verb(verb), ())

    return run


def _is_dry(call: Call) -> bool:
    return any(
        o.name.startswith("--dry-run") and (o.value is None or o.value.text != "none")
        for o in call.options
    )


def _files(call: Call) -> Iterator[Operation]:
    for word in call.values("-f", "--filename", "-k", "--kustomize"):
        if word.text.startswith(("http://", "https://")):
            yield call.operation(
                Verb.INSTALL, Thing.CLUSTER, word.text, traits=(Trait.UNTRUSTED_SOURCE,)
            )


def _changed(call: Call, verb: Verb, traits: tuple[Trait, ...]) -> Operation:
    more = set(traits)
    kinds = {word.text.split("/", 1)[0] for word in call.operands[:1]}
    if verb is Verb.DELETE and (kinds & WHOLE_KINDS) and call.has("--all"):
        more.add(Trait.WHOLE_STORE)
    thing = Thing.CREDENTIAL if kinds & SECRET_KINDS else Thing.CLUSTER
    return call.operation(
        verb,
        thing,
        " ".join(call.texts[:3]),
        traits=more,
        reach=Reach.PRODUCTION if names_production(call) else Reach.REMOTE,
        reversible=verb is not Verb.DELETE,
    )


def look(call: Call) -> Iterator[Effect]:
    """`get`, `describe`: secrets with their values are credentials."""
    kinds = {kind for word in call.operands[:1] for kind in word.text.split("/", 1)[0].split(",")}
    shown = call.value("-o", "--output")
    if kinds & SECRET_KINDS and shown is not None and shown.text not in {"name", "wide"}:
        yield call.operation(
            Verb.READ, Thing.CREDENTIAL, "cluster secrets", traits=(Trait.READS_SECRET,)
        )
    else:
        yield call.operation(Verb.READ, Thing.CLUSTER, " ".join(call.texts[:2]))


def enter(call: Call) -> Iterator[Effect]:
    """`exec`: the inner command is unfolded by the reader; production is told here."""
    reach = Reach.PRODUCTION if names_production(call) else Reach.NONE
    verb = Verb.EXECUTE if reach is Reach.PRODUCTION else Verb.INERT
    yield call.operation(verb, Thing.CLUSTER, " ".join(call.texts[:1]), reach=reach)


def copy(call: Call) -> Iterator[Effect]:
    """`kubectl cp`: one side is a pod."""
    for place, word in enumerate(call.operands[:2]):
        if ":" in word.text:
            verb = Verb.WRITE if place else Verb.NETWORK_IN
            yield call.operation(verb, Thing.CLUSTER, word.text, reach=Reach.REMOTE)
        else:
            yield call.on_file(Verb.WRITE if place else Verb.READ, word)


def proxy(call: Call) -> Iterator[Effect]:
    yield call.operation(Verb.CONTROL, Thing.PROCESS, call.name, reach=Reach.LOOPBACK)


def view_config(call: Call) -> Iterator[Effect]:
    """`config view`: with `--raw` the keys are shown."""
    if call.has("--raw"):
        yield call.operation(
            Verb.READ, Thing.CREDENTIAL, "cluster keys", traits=(Trait.READS_SECRET,)
        )
    else:
        yield call.operation(Verb.READ, Thing.CLUSTER)


def marks(call: Call) -> Iterator[Effect]:
    """`annotate`, `label`: `--list` only shows."""
    if call.has("--list"):
        yield call.operation(Verb.READ, Thing.CLUSTER)
    else:
        yield from cluster_change("write")(call)
