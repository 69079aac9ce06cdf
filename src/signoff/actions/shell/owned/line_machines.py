"""Clusters, machines and simulators of this computer that a line makes by name and takes away.

kind create cluster --name t && make e2e; kind delete cluster --name t      what the line made
kind delete cluster --name t && kind create cluster --name t                made again
k3d cluster create t; kubectl --context k3d-t delete ns a                   in what the line made
kind delete cluster --name t                                                what was there
kubectl --context kind-a delete ns shop-test                                of tests, by its name

All these stand on this computer and are told by a literal name; making one fails, or takes what is
there of that name for the same work.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from signoff.actions.operation import Operation, Reach, ResourceType, Verb
from signoff.actions.programs.lexicon import is_production
from signoff.actions.shell.command import Command
from signoff.actions.shell.owned.made_again import says_trial
from signoff.actions.shell.owned.own_clients import values_of
from signoff.actions.vocabulary import words

MACHINES = words(
    "kind k3d ctlptl multipass minikube ccm xcrun avdmanager limactl colima lxc incus kwokctl"
    " talosctl crc toolbox distrobox kurtosis gmtool"
)
# What they hold is deployed from files; simulators and machines may hold work.
_CLUSTERS = words("kind k3d ctlptl minikube ccm colima kwokctl talosctl crc")
_MAKES = words("create launch start add init")
_TAKES = words("delete remove rm destroy erase purge")
_SURE = words(
    "-f --force -y --yes --purge -p -v --verbose -q --quiet --wait --name -n --profile --cluster"
)
_KUBERNETES = words("kubectl oc helm kustomize k9s flux istioctl cilium linkerd")
_CONTEXTS = words("--context --kube-context")
_NAMESPACES = words("-n --namespace")
# What those tools call the clusters that they make on this computer.
_LOCAL_CONTEXTS = ("kind-", "k3d-", "minikube", "docker-desktop", "rancher-desktop", "colima")
# They lie in no namespace, and may hold what all of them use.
_CLUSTER_WIDE = words(
    "node nodes pv persistentvolume persistentvolumes crd crds customresourcedefinition"
    " customresourcedefinitions storageclass sc clusterrole clusterrolebinding all"
)
_EVERYWHERE = words("-A --all-namespaces --kubeconfig --server -s --kube-apiserver")
_PREFIXES = {"kind": "kind-", "k3d": "k3d-"}
_NEAR = frozenset({Reach.PROJECT, Reach.LOOPBACK, Reach.TEMP, Reach.UNKNOWN})
_MOST_WORDS = 100


def may_be_machine(command: Command) -> bool:
    """Return whether a command may take away a machine, or something in a cluster."""
    return command.program in MACHINES | _KUBERNETES


def is_own_machine(op: Operation, commands: Sequence[Command]) -> bool:
    """Tell whether what is taken away was made by the line, is in it, or is made again."""
    if op.verb is not Verb.DELETE or op.reach not in _NEAR or not 0 <= op.group < len(commands):
        return False
    command = commands[op.group]
    if command.input_words or command.carriers or not _is_literal(command):
        return False
    if command.program in _KUBERNETES:
        is_made = _is_in_made(command, commands) or _is_of_tests(command)
        return op.thing is ResourceType.CLUSTER and is_made
    if command.program not in MACHINES:
        return False
    named = _named(command)
    before, later = commands[: op.group], commands[op.group + 1 :]
    if not named:
        return False
    is_remade = command.program in _CLUSTERS and any([_makes(one, command, named) for one in later])
    return is_remade or any([_makes(one, command, named) for one in before])


def _named(command: Command) -> frozenset[str]:
    """The group and the name that a command takes away; nothing if it takes away another thing."""
    said = _plain_words(command) - _SURE
    is_act = len(said - _TAKES) == len(said) - 1 and len(said) > 1
    return said - _TAKES if is_act and _names_one(said - _TAKES) else frozenset()


def _names_one(said: frozenset[str]) -> bool:
    groups = words("cluster simctl avd enclave instance machine")
    return bool(said - groups) and said.isdisjoint(words("all --all -a"))


def _makes(one: Command, command: Command, named: frozenset[str]) -> bool:
    said = _plain_words(one)
    is_maker = one.program == command.program and not one.carriers and not one.input_words
    return is_maker and not _MAKES.isdisjoint(said) and named <= said


def _is_in_made(command: Command, commands: Sequence[Command]) -> bool:
    """Tell a command in the context of a cluster that the line made."""
    contexts = _contexts(command)
    made = {
        f"{_PREFIXES.get(one.program, '')}{name}"
        for one in commands[: command.index]
        if one.program in _CLUSTERS
        and not one.carriers
        and not _MAKES.isdisjoint(_plain_words(one))
        for name in _plain_words(one)
    }
    return bool(contexts) and contexts <= made


def _is_of_tests(command: Command) -> bool:
    """Tell what is taken away in a namespace of tests, in a cluster of this computer."""
    contexts, texts = _contexts(command), [word.text for word in command.words[1:]]
    is_local = [one.startswith(_LOCAL_CONTEXTS) for one in contexts]
    if len(is_local) != 1 or not all(is_local) or any(map(is_production, texts)):
        return False
    said = {part for text in texts for part in text.partition("=")[0].split("/")[0].split(",")}
    if not (_EVERYWHERE | _CLUSTER_WIDE).isdisjoint(said):
        return False
    named = list(values_of(command.words[1:], _NAMESPACES))
    # `delete ns shop-test`: nothing but namespaces are named behind it.
    kinds = [at for at, text in enumerate(texts) if text in words("ns namespace namespaces")]
    named += [text for at in kinds[:1] for text in texts[at + 1 :] if text[:1] != "-"]
    return bool(named) and all(map(says_trial, named))


def _contexts(command: Command) -> set[str]:
    texts = [word.text for word in command.words[:_MOST_WORDS]]
    given = {b for a, b in pairwise(texts) if a in _CONTEXTS}
    pairs = [text.partition("=") for text in texts]
    return given | {value for name, mark, value in pairs if mark and name in _CONTEXTS}


def _is_literal(command: Command) -> bool:
    given = command.words
    return len(given) <= _MOST_WORDS and all(
        [word.is_known and not word.has_glob for word in given]
    )


def _plain_words(command: Command) -> frozenset[str]:
    """The words of a command, `--name=x` as two; none where one is not known."""
    parts = [part for word in command.words[1:] for part in word.text.split("=")]
    return frozenset(parts) if _is_literal(command) else frozenset()
