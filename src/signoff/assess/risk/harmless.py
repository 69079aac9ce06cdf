"""Functions that only look or compute, whatever words their names and arguments hold.

The five factors read words (spec 1): `kill_ring()` scores like a kill, a search for `DROP TABLE`
like the statement. Where the function was understood to only look, compute or rehearse, and no
detector found anything, a MEDIUM score alone is no reason to ask. The score stays what it is.

    only_looks(search_tickets("DROP TABLE fails"), operations) is True
"""

from __future__ import annotations

from signoff.actions.action import Action, ActionKind
from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.operation import Operation, Operations, Reach, ResourceType, Trait, Verb
from signoff.assess.risk.sensitive import sensitivity, wording

_LOOKING = frozenset({Verb.INERT, Verb.READ})
_INSIDE = frozenset({Reach.NONE, Reach.TEMP, Reach.PROJECT})
# The first word of functions to which a text is data, never something to run.
_TAKES_TEXT = vocabulary(
    "search find lookup explain grep match highlight tokenize escape sanitize quote classify detect"
    " count hash encode analyze analyse lint summarize colorize normalize split preview estimate"
    " simulate compute calculate suggest draft log print echo"
)
# Written by the author of a function; a server's hints about itself are not believed.
_TRUSTED_HINTS = vocabulary("pure readonly readonlyhint nosideeffects")
_GRAVE_WORDING = 0.85


def only_looks(action: Action, operations: Operations) -> bool:
    """Return whether a function call does nothing that would be asked about."""
    if action.kind is not ActionKind.FUNCTION or wording(action.description)[0] >= _GRAVE_WORDING:
        return False
    hints = {"".join(split_words(name)) for name, hint in action.hints.items() if hint is True}
    is_trusted = not _TRUSTED_HINTS.isdisjoint(hints)
    if not all(_is_harmless(op, is_reversible="reversible" in hints) for op in operations):
        return False
    is_rehearsal = all(Trait.DRY_RUN in op.traits for op in operations)
    if is_trusted or is_rehearsal or sensitivity(action.arguments.values())[0] <= 0:
        return True
    words = split_words(action.tool.rpartition(".")[2])
    # The first word only: `run_search` may run what it is given.
    return not _TAKES_TEXT.isdisjoint(words[:1])


def _is_harmless(op: Operation, *, is_reversible: bool) -> bool:
    if not op.understood or op.reach is Reach.PRODUCTION or Trait.READS_SECRET in op.traits:
        return False
    if Trait.DRY_RUN in op.traits or op.verb in _LOOKING:
        return True
    is_view = op.verb is Verb.WRITE and op.reach in _INSIDE and op.thing is not ResourceType.MONEY
    return is_reversible and is_view
