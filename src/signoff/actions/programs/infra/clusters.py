"""Kubernetes and its like: kubectl, helm, and tools around clusters.

Reading passes; every change of a cluster is remote; what names production is production.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Operation, Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Act, Effect, On
from signoff.actions.programs.call import Call
from signoff.actions.programs.infra.deeds import (
    ACCESS,
    FETCH,
    INERT,
    LOGS_IN,
    RELEASES,
    SETS,
    SETS_PROJECT,
    SHOWS_SECRET,
    TAKEN_OUT,
    far,
)
from signoff.actions.programs.infra.services import names_production, service
from signoff.actions.programs.lexicon import words
from signoff.actions.programs.program import Handler, Program, program, sub

LOOK = Act(Verb.READ, Thing.CLUSTER, On.NOTHING, always=True)
CHANGE = far(Verb.WRITE, Thing.CLUSTER, reversible=True)
SECRET_KINDS = words("secret secrets sealedsecret sealedsecrets externalsecret")
WHOLE_KINDS = words("namespace namespaces ns node nodes crd crds persistentvolume pv pvc pvs")
VALUES = (
    "-n --namespace --context --cluster --kubeconfig -o --output -l --selector --field-selector "
    "--user --as --as-group --server -s --token --certificate-authority --request-timeout -v "
    "--cache-dir -c --container --tail --since --since-time --sort-by --template --limit "
    "--timeout --grace-period --cascade --replicas --image --port --target-port --type --name "
    "--from-literal --env --labels --annotations --overrides --patch -p --resource-version "
    "--field-manager --cpu-percent --min --max --requests --limits --serviceaccount --verb "
    "--resource --role --clusterrole --group --duration --pod-running-timeout --chunk-size"
)


def cluster_change(verb: Verb, *traits: Trait) -> Handler:
    """Make the handler of a changing sub-command: dry runs are none, production is told."""

    def run(call: Call) -> Iterator[Effect]:
        if _is_dry(call):
            yield call.operation(Verb.INERT, Thing.CLUSTER, traits=(Trait.DRY_RUN,))
            return
        yield from _files(call)
        yield _changed(call, verb, traits)

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


def _proxy(call: Call) -> Iterator[Effect]:
    yield call.operation(Verb.CONTROL, Thing.PROCESS, call.name, reach=Reach.LOOPBACK)


FILE_VALUES = f"{VALUES} -f --filename -k --kustomize"
WRITE = sub(handler=cluster_change(Verb.WRITE), values=FILE_VALUES)
DELETE = sub(handler=cluster_change(Verb.DELETE), values=FILE_VALUES)
CONTROL = sub(handler=cluster_change(Verb.CONTROL), values=FILE_VALUES)
ROLLOUT = sub(
    LOOK,
    values=VALUES,
    subs={"status history": LOOK, "restart undo pause resume": CONTROL},
)


def _view_config(call: Call) -> Iterator[Effect]:
    """`config view`: with `--raw` the keys are shown."""
    if call.has("--raw"):
        yield call.operation(
            Verb.READ, Thing.CREDENTIAL, "cluster keys", traits=(Trait.READS_SECRET,)
        )
    else:
        yield call.operation(Verb.READ, Thing.CLUSTER)


def _marks(call: Call) -> Iterator[Effect]:
    """`annotate`, `label`: `--list` only shows."""
    if call.has("--list"):
        yield call.operation(Verb.READ, Thing.CLUSTER)
    else:
        yield from cluster_change(Verb.WRITE)(call)


CONTEXT_GONE = Act(Verb.DELETE, Thing.SETTING, On.NOTHING, reach=Reach.HOME, always=True)
KUBECTL: dict[str, Program | Act | tuple[Act, ...]] = {
    "get describe": sub(handler=look, values=VALUES),
    "logs top explain version cluster-info api-resources api-versions diff wait events options "
    "completion kustomize plugin auth-whoami": sub(LOOK, values=f"{VALUES} -f --filename"),
    "auth": sub(LOOK, subs={"can-i whoami": LOOK, "reconcile": WRITE}),
    "adm": sub(
        handler=cluster_change(Verb.CONTROL),
        values=FILE_VALUES,
        subs={"top inspect must-gather node-logs": LOOK, "policy": ACCESS, "prune": DELETE},
    ),
    "login": LOGS_IN,
    "logout": INERT,
    "whoami": sub(LOOK, acting={"-t --show-token": SHOWS_SECRET}),
    "project projects status": LOOK,
    "config": sub(
        SETS,
        subs={
            "view": sub(handler=_view_config, values=VALUES),
            "current-context get-contexts get-clusters get-users": LOOK,
            "delete-context delete-cluster delete-user unset": CONTEXT_GONE,
        },
    ),
    "apply": sub(
        handler=cluster_change(Verb.WRITE),
        values=FILE_VALUES,
        subs={"view-last-applied": LOOK, "edit-last-applied set-last-applied": WRITE},
    ),
    "annotate label": sub(handler=_marks, values=FILE_VALUES),
    "create": sub(
        handler=cluster_change(Verb.WRITE), values=FILE_VALUES, subs={"token": SHOWS_SECRET}
    ),
    "replace patch set edit expose run autoscale taint certificate debug attach": WRITE,
    "convert help": LOOK,
    "scale cordon uncordon drain": CONTROL,
    "rollout": ROLLOUT,
    "delete": DELETE,
    "exec": sub(handler=enter, values=VALUES, options_first=True),
    "cp": sub(handler=copy, values=VALUES),
    "port-forward proxy": sub(handler=_proxy, values=VALUES),
}
HELM: dict[str, Program | Act | tuple[Act, ...]] = {
    "list ls status history get show search template lint version env verify completion diff "
    "pull package dependency dep create fetch inspect help": sub(LOOK, values=VALUES),
    "repo": sub(
        LOOK,
        subs={
            "list index": LOOK,
            "add update": FETCH,
            "remove rm": SETS_PROJECT,
        },
    ),
    "install upgrade rollback test": sub(
        handler=cluster_change(Verb.WRITE), values=f"{VALUES} -f --values --set --version"
    ),
    "uninstall delete del un": sub(handler=cluster_change(Verb.DELETE), values=VALUES),
    "push": RELEASES,
    "plugin": sub(
        LOOK,
        subs={
            "list ls": LOOK,
            "install update": Act(
                Verb.INSTALL,
                Thing.PACKAGE,
                On.OPERANDS,
                frozenset({Trait.UNTRUSTED_SOURCE}),
                Reach.HOME,
                always=True,
            ),
            "uninstall": TAKEN_OUT,
        },
    ),
    "registry": sub(LOGS_IN, subs={"logout": INERT}),
}

PROGRAMS: tuple[Program, ...] = (
    program(
        "kubectl oc k kubecolor microk8s.kubectl k3s-kubectl minikube-kubectl kubectl.exe",
        values=VALUES,
        subs=KUBECTL,
        handler=service(Thing.CLUSTER),
    ),
    program("helm helm2 helm3", values=VALUES, subs=HELM, handler=service(Thing.CLUSTER)),
)
