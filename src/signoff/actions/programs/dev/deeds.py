"""Acts that development tools share, named once: looking, logging in, caches, releases.

A family file says what a sub-command does with these words:

    "outdated": LOOK, "login": LOGS_IN, "cache": CACHE_GONE, "publish": RELEASE
"""

from __future__ import annotations

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import (
    Act,
    On,
    builds,
    configures,
    inert,
    installs,
    local,
    remote,
)
from signoff.actions.programs.program import Program

Subs = dict[str, Program | Act | tuple[Act, ...]]

LOOK = Act(Verb.READ, Thing.NOTHING, On.NOTHING, always=True)
LOOK_UP = Act(Verb.NETWORK_IN, Thing.URL, On.NOTHING, reach=Reach.REMOTE, always=True)
FETCH = Act(Verb.NETWORK_IN, Thing.PACKAGE, On.OPERANDS, reach=Reach.REMOTE, always=True)
CLONE = Act(Verb.NETWORK_IN, Thing.REPOSITORY, On.NOTHING, reach=Reach.REMOTE, always=True)
BUILD = builds()
INERT = inert()
CHANGES_PROJECT = local(Verb.WRITE, Thing.SETTING, reversible=True)
SETS_PROJECT = local(Verb.CONFIGURE, Thing.SETTING, reversible=True)
SETS_GLOBAL = configures(Thing.SETTING, Trait.GLOBAL, reach=Reach.HOME, reversible=True)
LOGS_IN = Act(
    Verb.CONFIGURE, Thing.CREDENTIAL, On.NOTHING, reach=Reach.HOME, reversible=True, always=True
)
SHOWS_SECRET = Act(
    Verb.READ, Thing.CREDENTIAL, On.OPERANDS, frozenset({Trait.READS_SECRET}), always=True
)
CACHE_GONE = local(Verb.DELETE, Thing.PACKAGE, Trait.REBUILDABLE, reversible=True)
BUILT_GONE = local(Verb.DELETE, Thing.NOTHING, Trait.REBUILDABLE, reversible=True)
TAKEN_OUT = local(Verb.DELETE, Thing.PACKAGE, reversible=True)
TAKEN_FROM_USER = Act(
    Verb.DELETE,
    Thing.PACKAGE,
    On.OPERANDS,
    frozenset({Trait.GLOBAL}),
    Reach.SYSTEM,
    reversible=True,
    always=True,
)
LOST = local(Verb.DELETE, Thing.NOTHING, reversible=False)
ADDED = installs()
ADDED_FOR_USER = installs(Trait.GLOBAL, reach=Reach.HOME)
ADDED_UNREAD = installs(Trait.UNTRUSTED_SOURCE)
RELEASE = Act(
    Verb.PUBLISH,
    Thing.PACKAGE,
    On.OPERANDS,
    reach=Reach.REMOTE,
    reversible=False,
    always=True,
)
SENDS_UP = Act(
    Verb.NETWORK_OUT,
    Thing.FILE,
    On.NOTHING,
    frozenset({Trait.SENDS_FILES}),
    Reach.REMOTE,
    reversible=False,
    always=True,
)
FAR_CHANGE = remote(Verb.WRITE, Thing.URL)
FAR_CONTROL = remote(Verb.CONTROL, Thing.SERVICE)
FAR_GONE = remote(Verb.DELETE, Thing.URL)
FAR_STORE_GONE = remote(Verb.DELETE, Thing.URL, Trait.WHOLE_STORE)
FAR_READ = remote(Verb.READ, Thing.URL)
FAR_ACCESS = remote(Verb.CONFIGURE, Thing.ACCOUNT)
SERVES = local(Verb.CONTROL, Thing.PROCESS, reversible=True)
SERVES_ALL = Act(
    Verb.CONTROL, Thing.PROCESS, On.NOTHING, frozenset({Trait.LISTENS}), Reach.SYSTEM, always=True
)
