"""What a program does, as small data: acts, and the short words that write them.

An `Act` is a verb class, the thing it is done to, and which words of the call it is done to.

    deletes()                      every operand is a file that is deleted
    reads(On.BUT_LAST), writes(On.LAST)      cp, mv, install
    remote(Verb.DELETE, Thing.CLOUD)         something on a service is deleted
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


def inert() -> Act:
    """Describe an act without effect: the program prints, computes or waits."""
    return always(Verb.INERT, ResourceType.NOTHING, on=On.NOTHING)


def reads(on: On = On.OPERANDS, *traits: Trait, default: str = "") -> Act:
    """Describe an act that reads the files named."""
    return Act(Verb.READ, ResourceType.FILE, on, frozenset(traits), default=default)


def writes(on: On = On.OPERANDS, *traits: Trait, default: str = "") -> Act:
    """Describe an act that creates or changes the files named."""
    return Act(Verb.WRITE, ResourceType.FILE, on, frozenset(traits), default=default)


def deletes(on: On = On.OPERANDS, *traits: Trait, default: str = "") -> Act:
    """Describe an act that deletes or empties the files named."""
    return Act(Verb.DELETE, ResourceType.FILE, on, frozenset(traits), default=default)


def builds(*traits: Trait) -> Act:
    """Describe an act that runs the project's own build, tests or checks."""
    return always(
        Verb.EXECUTE,
        ResourceType.CODE,
        *traits,
        on=On.NOTHING,
        reach=Reach.PROJECT,
        reversible=True,
    )


def executes(on: On = On.FIRST, *traits: Trait) -> Act:
    """Describe an act that runs the script or program file named."""
    return Act(Verb.EXECUTE, ResourceType.CODE, on, frozenset(traits))


def fetches(on: On = On.OPERANDS, *traits: Trait, always: bool = False) -> Act:
    """Describe an act that downloads without running what it downloads."""
    return Act(Verb.NETWORK_IN, ResourceType.URL, on, frozenset(traits), always=always)


def sends(on: On = On.OPERANDS, *traits: Trait, thing: ResourceType = ResourceType.URL) -> Act:
    """Describe an act that sends data to the network."""
    return always(Verb.NETWORK_OUT, thing, *traits, on=on, reach=Reach.REMOTE, reversible=False)


def installs(*traits: Trait, reach: Reach = Reach.PROJECT) -> Act:
    """Describe an act that installs packages, with this reach."""
    return always(Verb.INSTALL, ResourceType.PACKAGE, *traits, reach=reach)


def publishes(thing: ResourceType = ResourceType.PACKAGE, *traits: Trait) -> Act:
    """Describe an act that makes work visible to others."""
    return always(Verb.PUBLISH, thing, *traits, reach=Reach.REMOTE, reversible=False)


def controls(thing: ResourceType, *traits: Trait, reach: Reach = Reach.SYSTEM) -> Act:
    """Describe an act that starts, stops or kills something."""
    return always(Verb.CONTROL, thing, *traits, reach=reach)


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
