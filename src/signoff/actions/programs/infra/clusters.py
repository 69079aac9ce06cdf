"""Kubernetes and its like: kubectl, helm, delivery, meshes, backups, schedulers around clusters.

Reading passes; every change of a cluster is remote; what names production is production. A local
test cluster is the project's own: made freely, and asked about before it goes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from signoff.actions.known.hosts import is_local_cluster
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall, rejoin
from signoff.actions.programs.infra.services import names_production
from signoff.actions.programs.named_place import named_place
from signoff.actions.programs.net.arrivals import arriving
from signoff.actions.programs.program import Handler
from signoff.actions.shell.command import CHOSEN_CONTEXT, Word
from signoff.actions.vocabulary import words

SECRET_KINDS = words("secret secrets sealedsecret sealedsecrets externalsecret")
# A cluster named by its address or file may be any, whatever the context is called.
OTHER_CLUSTER = words("--server --kubeconfig --cluster -s --kube-apiserver")
# Fields of a pod with which it reaches its node; an empty `hostPath` names nothing.
_NODE_RIGHTS = words("privileged hostPID hostNetwork hostIPC allowPrivilegeEscalation hostPath")
SHELL_NAMES = words("sh bash zsh ash dash ksh fish")
# Kinds that hold everything else, or its data: all of them gone is the cluster gone.
WHOLE_KINDS = words("namespace namespaces ns node nodes crd crds persistentvolume pv pvc pvs")


def cluster_change(verb: str) -> Handler:
    """Return the handler of a changing sub-command of a cluster's client."""

    def run(call: ProgramCall) -> Iterator[Effect]:
        if call.is_dry("--dry-run"):
            yield call.operation(Verb.INERT, ResourceType.CLUSTER, traits=(Trait.DRY_RUN,))
            return
        yield from _files(call)
        yield _changed(call, Verb(verb), ())
        for word in call.values("--overrides"):
            yield from _overridden(call, word.text)

    return run


def _overridden(call: ProgramCall, text: str) -> Iterator[Effect]:
    """Read what `--overrides` puts into a pod: its commands, and rights on the node."""
    try:
        waiting = [json.loads(text)]
    except (ValueError, RecursionError):
        yield call.opaque("what `--overrides` holds cannot be read")
        return
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting.extend(one)
        if not isinstance(one, dict):
            continue
        waiting.extend(one.values())
        if any([one[name] for name in _NODE_RIGHTS & one.keys()]):
            yield call.operation(
                Verb.PRIVILEGE, ResourceType.CONTAINER, "a privileged container", reach=Reach.SYSTEM
            )
        # In the order of the container: its command, then what that is given.
        for line in [one[name] for name in ("command", "args") if isinstance(one.get(name), list)]:
            given = tuple([Word(text=str(part)) for part in line])
            yield Nested(text=rejoin(given), language="shell", carrier=f"{call.name} --overrides")


def _files(call: ProgramCall) -> Iterator[Operation]:
    for word in call.values("-f", "--filename", "-k", "--kustomize"):
        # `kubectl apply -f URL`: what is applied was not read and may change until then.
        if word.text.startswith(("http://", "https://")):
            yield call.operation(
                Verb.INSTALL, ResourceType.CLUSTER, word.text, traits=(Trait.UNTRUSTED_SOURCE,)
            )


def _changed(call: ProgramCall, verb: Verb, traits: tuple[Trait, ...]) -> Operation:
    more = set(traits)
    kinds = {word.text.split("/", 1)[0] for word in call.operands[:1]}
    if verb is Verb.DELETE and call.has("--all"):
        everywhere = call.has("-A", "--all-namespaces")
        kinds_named = {kind for text in kinds for kind in text.split(",")}
        if everywhere or kinds_named & WHOLE_KINDS:
            more.add(Trait.WHOLE_STORE)
    thing = ResourceType.CREDENTIAL if kinds & SECRET_KINDS else ResourceType.CLUSTER
    return call.operation(
        verb,
        thing,
        " ".join(call.texts[:3]),
        traits=more,
        reach=_reach_of(call),
        reversible=verb is not Verb.DELETE,
        place=named_place(call.command),  # of a cluster on this machine as well
    )


def _reach_of(call: ProgramCall) -> Reach:
    """A cluster that a tool made on this machine is the project's, like a container."""
    if names_production(call):
        return Reach.PRODUCTION
    texts = [w.text for w in call.command.words]
    named = [w.text for name, w in call.command.assignments if name == CHOSEN_CONTEXT]
    for text, behind in zip(texts, [*texts[1:], ""], strict=True):
        option, is_joined, value = text.partition("=")
        if option in OTHER_CLUSTER:
            return Reach.REMOTE
        if option in {"--context", "--kube-context"}:
            named = [value if is_joined else behind]
    is_local = bool(named) and all([is_local_cluster(text) for text in named])
    return Reach.PROJECT if is_local else Reach.REMOTE


def _kinds(call: ProgramCall) -> set[str]:
    """The kinds of what is named: `secrets`, `pod/a secret/b`, `cm,secrets.v1.`, `Secret`."""
    named = [text for text in call.texts if "/" in text] or call.texts[:1]
    kinds = [kind for text in named for kind in text.split(",")]
    return {kind.partition("/")[0].partition(".")[0].lower() for kind in kinds}


def _shows_values(call: ProgramCall) -> bool:
    """Whether what a secret holds is printed, and not only its name or age."""
    shown = call.value("-o", "--output", "--template")
    if shown is None or shown.text in {"name", "wide"}:
        return False
    # Fields below `metadata` alone hold no values, but what was last applied stands there, too.
    fields = shown.text.replace(".metadata.", "").replace("annotations", "data")
    return "=" not in shown.text or ".metadata." not in shown.text or "data" in fields


def look(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `get` and `describe`: secrets with values are credentials."""
    raw = call.value("--raw")
    # `kubectl get secrets` lists names and sizes; values come with `-o yaml` and the like.
    if (raw is not None and "/secrets" in raw.text) or (
        _kinds(call) & SECRET_KINDS and _shows_values(call)
    ):
        yield call.operation(
            Verb.READ, ResourceType.CREDENTIAL, "cluster secrets", traits=(Trait.READS_SECRET,)
        )
    else:
        yield call.operation(Verb.READ, ResourceType.CLUSTER, " ".join(call.texts[:2]))


def enter(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `exec`, without the inner command, which is judged by itself."""
    reach = Reach.PRODUCTION if names_production(call) else Reach.NONE
    # Elsewhere the command inside decides, as in a container of one's own.
    verb = Verb.EXECUTE if reach is Reach.PRODUCTION else Verb.INERT
    # A shell that waits for its lines: nobody can read what will be done.
    line = [text for text in call.texts[1:] if text != "--"]
    is_open = len(line) == 1 and line[0].rpartition("/")[2] in SHELL_NAMES
    if verb is Verb.INERT and is_open and call.has("-i", "-t", "--stdin", "--tty"):
        reach = _reach_of(call)
        verb = Verb.EXECUTE if reach is Reach.REMOTE else Verb.INERT
    yield call.operation(verb, ResourceType.CLUSTER, " ".join(call.texts[:1]), reach=reach)


def copy(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `kubectl cp`: one side is a pod."""
    for place, word in enumerate(call.operands[:2]):
        if ":" in word.text:
            verb = Verb.WRITE if place else Verb.NETWORK_IN
            yield call.operation(verb, ResourceType.CLUSTER, word.text, reach=Reach.REMOTE)
        elif place and ":" in call.operands[0].text:
            yield from arriving(call, call.operands[:1], word)
        else:
            yield call.on_file(Verb.WRITE if place else Verb.READ, word)


def proxy(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `kubectl proxy`: a local server that reaches the cluster."""
    yield call.operation(Verb.CONTROL, ResourceType.PROCESS, call.name, reach=Reach.LOOPBACK)


def view_config(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `config view`: with `--raw` the keys are shown."""
    # kubectl replaces keys and tokens by `REDACTED` without it.
    if call.has("--raw"):
        yield call.operation(
            Verb.READ, ResourceType.CREDENTIAL, "cluster keys", traits=(Trait.READS_SECRET,)
        )
    else:
        yield call.operation(Verb.READ, ResourceType.CLUSTER)


def marks(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `annotate`, `label`: `--list` only shows."""
    if call.has("--list"):
        yield call.operation(Verb.READ, ResourceType.CLUSTER)
    else:
        yield from cluster_change("write")(call)


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
    """Effects of `kubeseal`: encrypts with the public key of the cluster; recovery decrypts."""
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
    """Yield effects of `kubie exec CONTEXT NAMESPACE program`: the program is judged by itself."""
    # Before it stand `exec`, the context and the namespace.
    yield Nested(text=rejoin(call.operands[3:]), language="shell", carrier=call.name)
