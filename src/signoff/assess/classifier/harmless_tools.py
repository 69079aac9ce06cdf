"""Tools whose names say little, understood by the words of their arguments.

A name such as `tinh_thu` or `divine_seeing` stands in no list, so such a call would be asked about;
`label_bags` would be taken for a change of a service. What the arguments say often tells that such
a call only looks, drafts, computes or tries: a table of weights (`harmless.json`), trained on the
project's own labelled calls of tools, knows such words in some forty languages. It settles what
was guessed of the name and nothing else: what a detector finds in the arguments is found as
before, and the classifiers that make a verdict stricter have their say afterwards (docs/adr/0038).

    understood_by_words(action, understand(action, facts))
"""

from __future__ import annotations

from signoff.actions.action import Action, ActionKind, Json
from signoff.actions.lexicon.names import split_words
from signoff.actions.lexicon.verbs import lead_verb
from signoff.actions.operation import Operation, Reach, ResourceType, Verb
from signoff.actions.tools.naming.circumstances import circumstances_of
from signoff.actions.tools.naming.effects import LOOKING
from signoff.actions.tools.naming.trials.environments import (
    entries,
    is_unread,
    names_production,
)
from signoff.actions.tools.naming.waivers import WAIVED, waivers_in
from signoff.actions.understand import HOST_TOOLS, Understanding
from signoff.assess.classifier.call_words import tool_words
from signoff.assess.classifier.model import load_model
from signoff.values import replace

MODEL = "harmless"
_LONGEST = 80
LEAST = 12  # features: `probe(x="y")` has 4, and too few of them to tell it by
# What is guessed of a name: an act somewhere else, of no kind that is grave by itself.
GUESSED = frozenset({Verb.WRITE, Verb.CONFIGURE, Verb.CONTROL, Verb.EXECUTE})


def understood_by_words(action: Action, understood: Understanding) -> Understanding:
    """Return what a call does, with a tool of a name that says little read as its arguments say.

    Raises:
        OSError, msgspec.DecodeError: the table is not there or is damaged; the call is denied.
    """
    if action.kind is not ActionKind.TOOL or action.tool in HOST_TOOLS:
        return understood
    if not any([is_unread(one) or _is_guessed(one) for one in understood.operations]):
        return understood
    # What is done to production is asked about unless a rule knows that it only looks.
    if circumstances_of(action).is_production or names_production(action.arguments):
        return understood
    if _is_grave(action):
        return understood
    words = tool_words(action)
    model = load_model(MODEL)
    score = model.score(words) if len(words) >= LEAST else model.limit - 1
    if score < model.limit:
        return understood
    is_sure = score >= model.sure
    operations = [
        _read(one) if is_unread(one) or (is_sure and _is_guessed(one)) else one
        for one in understood.operations
    ]
    return replace(understood, operations=tuple(operations))


def _is_grave(action: Action) -> bool:
    """Tell what no word makes harmless: a guard that is off, a state that all get."""
    told = split_words(action.tool.rpartition("__")[2])
    waived = waivers_in(action.arguments, told)
    if waived["guards"] or len([kind for kind in WAIVED if waived[kind]]) > 1:
        return True
    lead = lead_verb(told)
    is_act = lead is not None and lead.verb not in LOOKING
    return is_act and any([_is_all(value) for _, value in entries(action.arguments)])


def _is_all(value: Json) -> bool:
    """Tell `*` and `pending:*`; `src/*.py` picks files."""
    return isinstance(value, str) and (value in ("*", "%") or value[:_LONGEST].endswith(":*"))


def _is_guessed(op: Operation) -> bool:
    is_plain = op.understood and op.reversible and not op.traits and not op.path
    return is_plain and op.verb in GUESSED and op.reach is Reach.REMOTE


def _read(op: Operation) -> Operation:
    return replace(op, verb=Verb.READ, thing=ResourceType.NOTHING, understood=True, why="")
