"""Acts that service command lines share, named once: looking, changing, losing, logging in.

A table says what a command does with these words; the words themselves say the rest
(`services.py`):

    "secretsmanager get-secret-value": SHOWS_SECRET, "cloudformation validate-template": LOOK
"""

from __future__ import annotations

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Act, On, builds, inert


def far(verb: Verb, thing: Thing, *traits: Trait, reversible: bool = False) -> Act:
    """One act a call on something that lives on a service."""
    return Act(
        verb, thing, On.NOTHING, frozenset(traits), Reach.REMOTE, reversible=reversible, always=True
    )


def near(verb: Verb, thing: Thing, *traits: Trait, reversible: bool = True) -> Act:
    """One act a call on something of the project that is no file."""
    return Act(
        verb,
        thing,
        On.NOTHING,
        frozenset(traits),
        Reach.PROJECT,
        reversible=reversible,
        always=True,
    )


def home(verb: Verb, thing: Thing, *traits: Trait) -> Act:
    """One act a call on the user's own configuration."""
    return Act(verb, thing, On.NOTHING, frozenset(traits), Reach.HOME, reversible=True, always=True)


def machine(verb: Verb, thing: Thing, *traits: Trait, reversible: bool = True) -> Act:
    """One act a call on something of the whole machine."""
    return Act(
        verb, thing, On.NOTHING, frozenset(traits), Reach.SYSTEM, reversible=reversible, always=True
    )


INERT = inert()
BUILD = builds()
LOOK = Act(Verb.READ, Thing.CLOUD, On.NOTHING, always=True)
FETCH = Act(Verb.NETWORK_IN, Thing.URL, On.NOTHING, reach=Reach.REMOTE, always=True)
SHOWS_SECRET = Act(
    Verb.READ, Thing.CREDENTIAL, On.NOTHING, frozenset({Trait.READS_SECRET}), always=True
)
CHANGE = far(Verb.WRITE, Thing.CLOUD, reversible=True)
CONTROL = far(Verb.CONTROL, Thing.CLOUD, reversible=True)
COSTS = far(Verb.WRITE, Thing.CLOUD, Trait.COSTS, reversible=True)
GONE = far(Verb.DELETE, Thing.CLOUD)
STORE_GONE = far(Verb.DELETE, Thing.CLOUD, Trait.WHOLE_STORE)
BACKUP_GONE = far(Verb.DELETE, Thing.BACKUP)
SECRET_SET = far(Verb.CONFIGURE, Thing.CREDENTIAL)
ACCESS = far(Verb.CONFIGURE, Thing.ACCOUNT)
OPENS = far(Verb.CONFIGURE, Thing.CLOUD, Trait.OPENS_ACCESS)
SENDS = far(Verb.NETWORK_OUT, Thing.MESSAGE)
SENDS_UP = far(Verb.NETWORK_OUT, Thing.CLOUD, Trait.SENDS_FILES)
RUNS_THERE = far(Verb.EXECUTE, Thing.CLOUD)
RELEASES = far(Verb.PUBLISH, Thing.PACKAGE)
PAYS = far(Verb.SPEND, Thing.MONEY)
LOGS_IN = home(Verb.CONFIGURE, Thing.CREDENTIAL)
SETS = home(Verb.CONFIGURE, Thing.SETTING)
SETS_PROJECT = near(Verb.CONFIGURE, Thing.SETTING)
SERVES = near(Verb.CONTROL, Thing.PROCESS)
TAKEN_OUT = near(Verb.DELETE, Thing.PACKAGE)
LOST = near(Verb.DELETE, Thing.CONTAINER, reversible=False)
LOCAL_BACKUP_GONE = near(Verb.DELETE, Thing.BACKUP, reversible=False)
