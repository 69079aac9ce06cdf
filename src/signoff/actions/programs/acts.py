"""What a program does, as small data: acts, and the short words that write them.

An `Act` is a verb class, the thing it is done to, and which words of the call it is done to.

    local(Verb.WRITE, ResourceType.SETTING)      something of the project is changed
    remote(Verb.DELETE, ResourceType.CLOUD)      something on a service is deleted
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.vocabulary import Vocabulary


class On(Vocabulary):
    """Which words of a call an act applies to."""

    OPERANDS = "operands"  # every operand
    FIRST = "first"
    LAST = "last"
    BUT_FIRST = "but-first"
    BUT_LAST = "but-last"
    VALUE = "value"  # the value of the option that carries the act
    NOTHING = "nothing"  # no word: once for the call
    CWD = "cwd"  # the folder in force


class Act(msgspec.Struct, frozen=True, omit_defaults=True):
    """One effect of a program, applied to words of the call.

    Args:
        reach: fixed reach; None = computed from the target (paths, URLs), else `Reach.NONE`.
        reversible: None = computed from the target and the traits.
        default: target if the call gives none, e.g. `.`; "" = then there is no effect.
        always: True if the effect happens even without a target.
    """

    verb: Verb
    thing: ResourceType = ResourceType.FILE
    on: On = On.OPERANDS
    traits: frozenset[Trait] = frozenset()
    reach: Reach | None = None
    reversible: bool | None = None
    default: str = ""
    always: bool = False
    understood: bool = True
    why: str = ""


class Nested(Struct, frozen=True, kw_only=True, gc=False):
    """Text inside a call that would run as code in its own language.

    `language` is `shell`, `sql`, `python`, `javascript`, `perl`, `ruby`, `php`, `awk`, `sed`,
    `powershell`, `psql`, `sqlite` ...; `carrier` names what runs it, e.g. `python -c`.
    `script` is the path by which a file is run, which its text knows as `$0`.
    """

    text: str
    language: str
    carrier: str = ""
    is_known: bool = True
    environment: str = ""
    script: str = ""


Effect = Operation | Nested


def always(
    verb: Verb,
    thing: ResourceType,
    *traits: Trait,
    on: On = On.OPERANDS,
    reach: Reach | None = None,
    reversible: bool | None = None,
) -> Act:
    """Describe an act that happens even without operands."""
    return Act(verb, thing, on, frozenset(traits), reach, reversible, always=True)


def installs(*traits: Trait, reach: Reach = Reach.PROJECT) -> Act:
    """Describe an act that installs packages, with this reach."""
    return always(Verb.INSTALL, ResourceType.PACKAGE, *traits, reach=reach)


def publishes(thing: ResourceType) -> Act:
    """Describe an act that makes work visible to others."""
    return always(Verb.PUBLISH, thing, reach=Reach.REMOTE, reversible=False)


def controls(thing: ResourceType) -> Act:
    """Describe an act that starts, stops or kills something of the machine."""
    return always(Verb.CONTROL, thing, reach=Reach.SYSTEM)


def configures(
    thing: ResourceType, *traits: Trait, reach: Reach = Reach.SYSTEM, reversible: bool | None = None
) -> Act:
    """Describe an act that changes how tools, the system or access behave."""
    return always(Verb.CONFIGURE, thing, *traits, reach=reach, reversible=reversible)


def remote(verb: Verb, thing: ResourceType, *traits: Trait) -> Act:
    """Describe an act on a resource of a remote service."""
    # On a service of others nobody can put these back.
    lasting = verb in {Verb.DELETE, Verb.PUBLISH, Verb.NETWORK_OUT, Verb.SPEND}
    return always(verb, thing, *traits, reach=Reach.REMOTE, reversible=not lasting)


def local(verb: Verb, thing: ResourceType, *traits: Trait, reversible: bool | None = None) -> Act:
    """Describe an act on a project resource that is not a file: refs, containers, a database."""
    return always(verb, thing, *traits, reach=Reach.PROJECT, reversible=reversible)


def system(verb: Verb, thing: ResourceType, *traits: Trait) -> Act:
    """Describe an act on a resource of the whole machine."""
    return always(verb, thing, *traits, reach=Reach.SYSTEM, reversible=False)
