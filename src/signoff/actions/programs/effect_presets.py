"""Acts that several handlers share, under the names of `data/presets.yaml`.

yield from call.perform(INSPECT)
"""

from __future__ import annotations

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import (
    Act,
    On,
    builds,
    configures,
    controls,
    inert,
    installs,
    local,
    remote,
    system,
)

BLIND_PROTECTION = Act(
    Verb.DELETE,
    Thing.PROTECTION,
    On.NOTHING,
    frozenset({Trait.BLINDS}),
    Reach.SYSTEM,
    reversible=False,
    always=True,
)
BUILD = builds()
CHANGE_PROJECT = local(Verb.WRITE, Thing.SETTING, reversible=True)
CHANGE_REMOTE = remote(Verb.WRITE, Thing.URL)
CLEAR_CACHE = local(Verb.DELETE, Thing.PACKAGE, Trait.REBUILDABLE, reversible=True)
CLEAR_OUTPUT = local(Verb.DELETE, Thing.NOTHING, Trait.REBUILDABLE, reversible=True)
CLEAR_TEMP = Act(
    Verb.DELETE,
    Thing.NOTHING,
    On.NOTHING,
    frozenset({Trait.REBUILDABLE}),
    Reach.TEMP,
    reversible=True,
    always=True,
)
CONFIGURE_ACCOUNT = configures(Thing.ACCOUNT, reversible=False)
CONFIGURE_DEVICE = configures(Thing.DEVICE)
CONFIGURE_NETWORK = configures(Thing.NETWORK)
CONFIGURE_PROJECT = local(Verb.CONFIGURE, Thing.SETTING, reversible=True)
CONFIGURE_PROTECTION = configures(Thing.PROTECTION)
CONFIGURE_REMOTE_ACCESS = remote(Verb.CONFIGURE, Thing.ACCOUNT)
CONFIGURE_SERVICE = configures(Thing.SERVICE)
CONFIGURE_SYSTEM = configures(Thing.SETTING)
CONFIGURE_USER = configures(Thing.SETTING, Trait.GLOBAL, reach=Reach.HOME, reversible=True)
CONTROL_PROCESS = local(Verb.CONTROL, Thing.PROCESS, reversible=True)
CONTROL_SERVICE = controls(Thing.SERVICE)
DELETE_ACCOUNT = system(Verb.DELETE, Thing.ACCOUNT)
DELETE_BACKUP = system(Verb.DELETE, Thing.BACKUP)
DELETE_CREDENTIAL = Act(
    Verb.DELETE, Thing.CREDENTIAL, On.OPERANDS, reach=Reach.HOME, reversible=False, always=True
)
DELETE_PROJECT_DATA = local(Verb.DELETE, Thing.NOTHING, reversible=False)
DELETE_REMOTE = remote(Verb.DELETE, Thing.URL)
DESTROY_DEVICE = system(Verb.DELETE, Thing.DEVICE)
FETCH_URL = Act(Verb.NETWORK_IN, Thing.URL, On.NOTHING, reach=Reach.REMOTE, always=True)
INERT = inert()
INSPECT = Act(Verb.READ, Thing.NOTHING, On.NOTHING, always=True)
INSPECT_CLOUD = Act(Verb.READ, Thing.CLOUD, On.NOTHING, always=True)
INSTALL = installs()
INSTALL_FOR_USER = installs(Trait.GLOBAL, reach=Reach.HOME)
INSTALL_ON_SYSTEM = installs(reach=Reach.SYSTEM)
LOG_IN = Act(
    Verb.CONFIGURE, Thing.CREDENTIAL, On.NOTHING, reach=Reach.HOME, reversible=True, always=True
)
MACHINE = controls(Thing.MACHINE)
PERSIST_SERVICE = Act(
    Verb.PERSIST, Thing.SERVICE, On.OPERANDS, reach=Reach.SYSTEM, reversible=False, always=True
)
PREVIEW = Act(
    Verb.INERT, Thing.NOTHING, On.NOTHING, frozenset({Trait.DRY_RUN}), reversible=True, always=True
)
PRUNE_BACKUPS = system(Verb.DELETE, Thing.BACKUP, Trait.BY_PATTERN)
PUBLISH_PACKAGE = Act(
    Verb.PUBLISH,
    Thing.PACKAGE,
    On.OPERANDS,
    reach=Reach.REMOTE,
    reversible=False,
    always=True,
)
REVEAL_CREDENTIAL = Act(
    Verb.READ, Thing.CREDENTIAL, On.OPERANDS, frozenset({Trait.READS_SECRET}), always=True
)
REVEAL_CREDENTIALS = Act(
    Verb.READ, Thing.CREDENTIAL, On.NOTHING, frozenset({Trait.READS_SECRET}), always=True
)
SERVES_ALL = Act(
    Verb.CONTROL, Thing.PROCESS, On.NOTHING, frozenset({Trait.LISTENS}), Reach.SYSTEM, always=True
)
STORE_CREDENTIAL = configures(Thing.CREDENTIAL, reach=Reach.HOME)
UNINSTALL = local(Verb.DELETE, Thing.PACKAGE, reversible=True)
UNINSTALL_FOR_USER = Act(
    Verb.DELETE,
    Thing.PACKAGE,
    On.OPERANDS,
    frozenset({Trait.GLOBAL}),
    Reach.SYSTEM,
    reversible=True,
    always=True,
)
UNINSTALL_FROM_SYSTEM = system(Verb.DELETE, Thing.PACKAGE)
WEAKEN_PROTECTION = configures(Thing.PROTECTION, Trait.WEAKENS, reversible=False)
