"""What a query does, written down as an Operation on the service's data."""

from __future__ import annotations

from signoff.actions.code.recorder import Recorder
from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.vocabulary import lazy_re2

# Indexes and tables that hold what watches over others.
_RECORDS = lazy_re2(
    r"(?i)(?:^|[^a-z])(?:audit(?:logs?|events?|trail)?|security(?:events?|logs?|alerts?)?|edr|xdr|siem"
    r"|firewall|wineventlog|linux_(?:secure|audit)|sign-?in(?:logs)?|auth(?:log)?|cloudtrail|sysmon"
    r"|syslog|ids|waf|office365|o365)(?:$|[^a-z])"
)


def reads(recorder: Recorder, program: str, target: str = "") -> None:
    """Record that data of a service is read."""
    recorder.operate(
        Verb.READ, program, thing=ResourceType.DATABASE, target=target, reach=Reach.REMOTE
    )


def changes(recorder: Recorder, program: str, target: str) -> None:
    """Record that data or settings of a service are changed."""
    recorder.operate(
        Verb.WRITE, program, thing=ResourceType.CLOUD, target=target, reach=Reach.REMOTE
    )


def takes_away(recorder: Recorder, program: str, target: str, *traits: Trait) -> None:
    """Record that data of a service is deleted; records of what people did are a protection."""
    is_record = _RECORDS.search(target) is not None
    told = {*(traits or (Trait.UNBOUNDED,)), *((Trait.BLINDS,) if is_record else ())}
    recorder.operate(
        Verb.DELETE,
        program,
        thing=ResourceType.PROTECTION if is_record else ResourceType.DATABASE,
        target=target,
        reach=Reach.REMOTE,
        traits=frozenset(told),
        reversible=False,
    )


def sends(recorder: Recorder, program: str, target: str) -> None:
    """Record that what a query finds leaves for somebody else."""
    recorder.operate(
        Verb.NETWORK_OUT,
        program,
        thing=ResourceType.MESSAGE,
        target=target,
        reach=Reach.REMOTE,
        reversible=False,
    )
