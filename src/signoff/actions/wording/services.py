"""What is done to a system service, in the words of its manager.

phrase_of_service(op)  ->  "Stops service {}" for `systemctl stop nginx`
"""

from __future__ import annotations

from signoff.actions.lexicon.names import vocabulary
from signoff.actions.operation import Operation, ResourceType, Verb
from signoff.actions.wording.phrases import Phrase

_NOW = "--now"
_STARTS = Phrase("Starts service {}", "Starts a system service")
_STOPS = Phrase("Stops service {}", "Stops a system service")
_RESTARTS = Phrase("Restarts service {}", "Restarts a system service")
_RELOADS = Phrase("Reloads the settings of service {}", "Reloads settings of a system service")
_ENABLES = Phrase(
    "Starts service {} whenever this machine starts",
    "Starts a system service whenever this machine starts",
)
_ENABLES_NOW = Phrase(
    "Starts service {} now and whenever this machine starts",
    "Starts a system service now and whenever this machine starts",
)
_DISABLES = Phrase(
    "No longer starts service {} with this machine",
    "No longer starts a system service with this machine",
)
_DISABLES_NOW = Phrase(
    "Stops service {}, also for the next start of this machine",
    "Stops a system service, also for the next start of this machine",
)
_BLOCKS = Phrase("Blocks service {} from starting", "Blocks a system service from starting")
_UNBLOCKS = Phrase("Lets service {} start again", "Lets a system service start again")
# Sub-commands of systemctl(1), service(8), rc-service(8), launchctl(1), initctl(8), sc and net of
# Windows, supervisorctl and pm2; cmdlets of PowerShell carry theirs in the name.
_ACTS = {
    **dict.fromkeys(vocabulary("start load bootstrap kickstart start-service"), _STARTS),
    **dict.fromkeys(
        vocabulary("stop kill unload bootout remove delete stop-service suspend-service"), _STOPS
    ),
    **dict.fromkeys(
        vocabulary(
            "restart try-restart reload-or-restart try-reload-or-restart condrestart force-restart"
            " restart-service"
        ),
        _RESTARTS,
    ),
    **dict.fromkeys(vocabulary("reload force-reload"), _RELOADS),
    "enable": _ENABLES,
    "disable": _DISABLES,
    "mask": _BLOCKS,
    "unmask": _UNBLOCKS,
}
_WITH_NOW = {_ENABLES: _ENABLES_NOW, _DISABLES: _DISABLES_NOW}
_MOST_WORDS = 12
_OF_MANAGERS = frozenset({Verb.CONTROL, Verb.CONFIGURE})


def phrase_of_service(op: Operation) -> Phrase | None:
    """Return the phrase for what a service manager does, None where its words do not say it."""
    if op.thing is not ResourceType.SERVICE or op.verb not in _OF_MANAGERS:
        return None
    words = (op.source or op.program).lower().split()[:_MOST_WORDS]
    acts = {known for word in words if (known := _ACTS.get(word))}
    if len(acts) != 1:  # a service may be named like an act
        return None
    [act] = acts
    return _WITH_NOW.get(act, act) if _NOW in words else act
