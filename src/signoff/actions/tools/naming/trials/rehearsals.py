"""Calls of tools that are told to try only: `dry_run: true`, `mode: "dry-run"`.

The switch is believed where it is literally on, stands where a tool takes its arguments, and no
other argument orders the act all the same. What the call hands over is judged as ever: code,
statements and lines, secrets, the guard's own things.

    is_rehearsal({"meters": ["S1"], "dry_run": True})                     True
    is_rehearsal({"ekipa": "B2", "simuler": True})                        True
    is_rehearsal({"run": "F110", "mode": "proposal", "execute": False})   True
    is_rehearsal({"dry_run": "true"})                                     False, a text
    is_rehearsal({"dry_run": True, "confirm": True})                      False, ordered as well
    is_rehearsal({"settings": {"dry_run": True}})                         False, a value that is set
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from signoff.actions.action import Json
from signoff.actions.lexicon.languages.translations import (
    act_of,
    in_english,
    is_look,
    words_of_trials,
)
from signoff.actions.lexicon.names import NAME_SAYS_NOTHING, split_words, vocabulary
from signoff.actions.lexicon.unicode_forms import folded
from signoff.actions.lexicon.verbs import VERBS
from signoff.actions.operation import FileKind, Operation, Operations, ResourceType, Trait, Verb
from signoff.actions.tools.naming.contents import strings_of
from signoff.actions.tools.naming.trials.arguments import MOST, folded_words, plain, switches
from signoff.actions.vocabulary import words
from signoff.values import replace

_SWITCHES = words(
    "dryrun isdryrun asdryrun dryrunonly dryrunmode simulate simulateonly simulationonly"
    " previewonly validateonly validationonly whatif whatifonly checkonly planonly reportonly"
    " estimateonly evaluateonly evaluationonly verifyonly quoteonly noop"
    " preview proposalonly listonly countonly trialrun rehearsal"
)
# Only of what the first is a program of: `playbook: "site.yml", check: true`.
_SWITCHES_OF = (("playbook", "check"), ("playbook", "checkmode"), ("playbookpath", "check"))
# Words of a mode that also name real work; believed where the act is refused beside it.
_MODE_VALUES_BESIDE = words(
    "quote estimate preview simulate simulation simulated calculate proposal trial test draft plan"
    " explain"
)
MODES = words(
    "mode runmode executionmode execution strategy runtype modo modus modalita tryb rezim nacin"
    " tila mod lage moshi hoshiki 方式 模式 方法 モード 모드"
)
LISTED = _SWITCHES | MODES | frozenset([switch for _, switch in _SWITCHES_OF])
_MODE_VALUES = words(
    "dryrun previewonly validateonly whatif planonly noop proposalonly simulationonly simulateonly"
    " dryrunonly trialrun testrun"
)
# What is requested by its method goes to an API that may know no such switch.
_METHODS = ("DELETE", "PUT", "PATCH", "POST")
# What orders an act: beside it a switch to try only is not sure to win.
_ORDERS = words(
    "confirm confirmed execute apply commit live force forced forceapply doit approve approved"
    " forreal realrun wet wetrun proceed skipdryrun nodryrun"
)
# Without it nothing is done, whatever else is said.
_REFUSALS = words("execute doit forreal realrun wetrun")
# Whom it reaches, and where it goes: nobody and nowhere.
_ENDS = words("send submit publish dispatch issue audience recipients paymentfile deliver")
_NOBODY = ("none", "null", "nobody", "off", "no", "")
# How the API of Kubernetes and its clients write it, beside a manifest or a context.
_OF_CLUSTERS = ("server", "client", "all")
_CLUSTERS = words("context namespace kubeconfig kubecontext")
_OWN = "signoff"
# From so many words on a value is a text, and in a message it may leave in any case.
_TEXT = 3
_LABELS = words("name displayname label campaignname adgroupname")
NEVER = frozenset(
    {
        *(Trait.SENDS_SECRET, Trait.SENDS_FILES, Trait.READS_SECRET, Trait.HIDDEN),
        *(Trait.REMOTE_CODE, Trait.SELF_APPROVAL, Trait.COVERT),
    }
)
KEPT_THINGS = frozenset({ResourceType.GUARD, ResourceType.FILE, ResourceType.URL})
KEPT_FILES = frozenset({FileKind.GUARD, FileKind.AGENT_CONFIG, FileKind.CREDENTIALS})
_MAKES = vocabulary(
    "create add new make update set write register schedule import insert save upload edit change"
)
_SET_MODE = vocabulary("mode set switch change")
_Given = tuple[str, str, Json]  # the name, the same in one word, the value


def rehearsed(operations: Operations, arguments: Mapping[str, Json], tool: str = "") -> Operations:
    """Return the operations that a tool's name tells, as a rehearsal if the call is one.

    Args:
        tool: its name; nothing that names signoff is only tried.
    """
    if _OWN in tool.lower():
        return operations
    if _is_checked_mail(arguments):
        return tuple([_checked(op) for op in operations])
    if not is_rehearsal(arguments, tool):
        return operations
    is_told = any([len(text.split()) >= _TEXT for text in _texts(arguments)])
    return tuple(
        [op if is_told and op.thing is ResourceType.MESSAGE else _tried(op) for op in operations]
    )


def _is_checked_mail(arguments: Mapping[str, Json]) -> bool:
    """Tell SendGrid's sandbox mode: the mail is checked and goes to nobody (its API v3)."""
    for holder in (arguments, *[arguments.get(name) for name in ("body", "json", "data")]):
        settings = holder.get("mail_settings") if isinstance(holder, Mapping) else None
        mode = settings.get("sandbox_mode") if isinstance(settings, Mapping) else None
        if isinstance(mode, Mapping) and mode.get("enable") is True:
            path = str(arguments.get("path") or arguments.get("endpoint") or "mail/send")
            return path.endswith("mail/send")
    return False


def _checked(op: Operation) -> Operation:
    is_sent = op.verb in (Verb.NETWORK_OUT, Verb.WRITE) and op.understood
    if not is_sent or not NEVER.isdisjoint(op.traits):
        return op
    return replace(op, verb=Verb.INERT, traits=op.traits | {Trait.DRY_RUN}, reversible=True)


def _texts(value: Json, name: str = "") -> Iterator[str]:
    """Yield the texts of a call; what is called a name or title names a thing."""
    if isinstance(value, Mapping):
        for key, one in islice(value.items(), MOST):
            yield from _texts(one, plain(key))
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for one in islice(value, MOST):
            yield from _texts(one, name)
    elif name not in _LABELS:
        yield from strings_of(value)


def is_rehearsal(arguments: Mapping[str, Json], tool: str = "") -> bool:
    """Return whether a call is told to change nothing, and nothing in it says otherwise.

    Args:
        tool: its name: what it is called after is refused by `false`, too.
    """
    if any([value in _METHODS for value in islice(arguments.values(), MOST)]):
        return False
    given = [(name, plain(name), value) for _, name, value in switches(arguments)]
    if any([is_order(name, short) and value is not False for name, short, value in given]):
        return False
    switched = _switched(given, arguments)
    if switched:
        return all(switched)
    own = set(split_words(tool[-MOST:]))
    refused = _refused(given)
    if _is_not_carried_out(refused, tool) or _is_uncommitted(given):
        return True
    return _is_act_refused(refused, own) or _has_trial_mode(given, own, is_refused=bool(refused))


def _switched(given: list[_Given], arguments: Mapping[str, Json]) -> list[bool]:
    """Return for each switch to try only whether it is on."""
    names = {short for _, short, _ in given}
    of_these = {switch for owner, switch in _SWITCHES_OF if owner in names}
    return [
        value is True or (short == "dryrun" and _is_of_cluster(value, names, arguments))
        for name, short, value in given
        if short in _SWITCHES | of_these or (value is True and _tells_trial(name))
    ]


def _refused(given: list[_Given]) -> list[str]:
    """Return the acts that are switched off, and the ends that nobody and nothing is at."""
    return [
        short
        for name, short, value in given
        if is_nobody(value)
        and (is_order(name, short) or short in _ENDS or act_of(short) or _is_carried(short))
    ]


def _is_carried(short: str) -> bool:
    return short in words_of_trials("carried_out")


def _is_not_carried_out(refused: list[str], tool: str) -> bool:
    """Tell `appliquer: false` and `tanfidh: false`, in any language.

    What is made without being carried out is made all the same.
    """
    own = split_words(tool[-MOST:])
    return any(map(_is_carried, refused)) and _MAKES.isdisjoint((*own, *in_english(own)))


def _is_uncommitted(given: list[_Given]) -> bool:
    """Tell `commit: false`: nothing that is made in a transaction stays without it."""
    is_told = any([short in MODES for _, short, _ in given])
    return not is_told and any([short == "commit" and one is False for _, short, one in given])


def _is_act_refused(refused: list[str], own: set[str]) -> bool:
    """Tell `execute: false`, and `publish: false` of a tool that publishes.

    What is made without being run is made all the same.
    """
    is_named = any([one in own and one in VERBS for one in refused])
    return _MAKES.isdisjoint(own) and (is_named or not _REFUSALS.isdisjoint(refused))


def _has_trial_mode(given: list[_Given], own: set[str], *, is_refused: bool) -> bool:
    told = [value for _, short, value in given if short in MODES and isinstance(value, str)]
    # A tool that sets a mode does so in earnest.
    if not told or not (is_refused or _SET_MODE.isdisjoint(own)):
        return False
    return all([_is_trial_mode(value, refused=is_refused) for value in told])


def _is_trial_mode(value: str, *, refused: bool) -> bool:
    if plain(value) in (_MODE_VALUES | _MODE_VALUES_BESIDE if refused else _MODE_VALUES):
        return True
    only = words_of_trials("only")
    is_only = any([part in only for word in folded_words(value) for part in _parted(word, only)])
    return (refused or is_only) and _tells_trial(value)


def is_order(name: str, short: str) -> bool:
    """Tell what orders an act, in any language: `confirm`, `odeslat`."""
    if short in _ORDERS or short in words_of_trials("confirms"):
        return True
    told = split_words(name[:MOST])
    return 0 < len(told) <= 2 and bool(act_of(told[0])) and not is_look(told[0])


def _tells_trial(name: str) -> bool:
    """Tell `simuler`, `jen_vypsat`, `nurVorschau`: words for a trial or for only looking."""
    trials, only = words_of_trials("trials"), words_of_trials("only")
    told = tuple([part for word in folded_words(name) for part in _parted(word, only)])
    is_trial = [_begins(word, trials) for word in told]
    if told and all([known or word in only for known, word in zip(is_trial, told, strict=True)]):
        return any(is_trial)
    is_only = len(told) > 1 and told[0] in only
    return is_only and all(
        [known or is_look(word) for known, word in zip(is_trial, told, strict=True)][1:]
    )


def _parted(word: str, only: frozenset[str]) -> tuple[str, ...]:
    """Part `仅列出`, which is written together, behind the word for only."""
    cut = next((cut for cut in (1, 2) if word[:cut] in only and len(word) > cut), 0)
    return (word[:cut], word[cut:]) if cut and not word.isascii() else (word,)


def _begins(word: str, stems: frozenset[str]) -> bool:
    return any([word[:cut] in stems for cut in range(5 if word.isascii() else 2, len(word) + 1)])


def is_trial_switch(name: str, short: str) -> bool:
    """Return whether an argument is a switch to try only: `dry_run`, `probelauf`."""
    return short in _SWITCHES or _tells_trial(name) or short in words_of_trials("trials")


def is_nobody(value: Json) -> bool:
    """Return whether a value refuses: `false`, "no" in any language, nobody."""
    if isinstance(value, str):
        return value.lower() in _NOBODY or folded(value[:MOST]) in words_of_trials("noes")
    return value is False or (isinstance(value, list | tuple) and not value)


def _is_of_cluster(value: Json, names: set[str], arguments: Mapping[str, Json]) -> bool:
    """Tell `dryRun: "Server"` of a manifest or beside the cluster's context."""
    if not isinstance(value, str) or value.lower() not in _OF_CLUSTERS:
        return False
    manifest = " ".join([text[:MOST] for text in strings_of(arguments) if "apiVersion" in text])
    return "kind:" in manifest or not _CLUSTERS.isdisjoint(names)


def _tried(op: Operation) -> Operation:
    """Return what is left of an act that is only tried."""
    if op.thing in KEPT_THINGS or op.file_kind in KEPT_FILES or not NEVER.isdisjoint(op.traits):
        return op
    if not op.understood and op.why != NAME_SAYS_NOTHING:
        return op
    # Nobody gets in, and nothing is switched off.
    traits = (op.traits - {Trait.OPENS_ACCESS, Trait.WEAKENS, Trait.BULK}) | {Trait.DRY_RUN}
    return replace(op, verb=Verb.INERT, traits=traits, understood=True, why="", reversible=True)
