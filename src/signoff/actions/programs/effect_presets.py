"""Acts that several handlers share, under the names of `data/presets.yaml`.

yield from call.perform(INSPECT)
"""

from __future__ import annotations

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
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
    ResourceType.PROTECTION,
    On.NOTHING,
    frozenset({Trait.BLINDS}),
    Reach.SYSTEM,
    reversible=False,
    always=True,
)
BUILD = builds()
CHANGE_PROJECT = local(Verb.WRITE, ResourceType.SETTING, reversible=True)
CHANGE_REMOTE = remote(Verb.WRITE, ResourceType.URL)
CLEAR_CACHE = local(Verb.DELETE, ResourceType.PACKAGE, Trait.REBUILDABLE, reversible=True)
CLEAR_OUTPUT = local(Verb.DELETE, ResourceType.NOTHING, Trait.REBUILDABLE, reversible=True)
CLEAR_TEMP = Act(
    Verb.DELETE,
    ResourceType.NOTHING,
    On.NOTHING,
    frozenset({Trait.REBUILDABLE}),
    Reach.TEMP,
    reversible=True,
    always=True,
)
CONFIGURE_ACCOUNT = configures(ResourceType.ACCOUNT, reversible=False)
CONFIGURE_DEVICE = configures(ResourceType.DEVICE)
CONFIGURE_NETWORK = configures(ResourceType.NETWORK)
CONFIGURE_PROJECT = local(Verb.CONFIGURE, ResourceType.SETTING, reversible=True)
CONFIGURE_PROTECTION = configures(ResourceType.PROTECTION)
CONFIGURE_REMOTE_ACCESS = remote(Verb.CONFIGURE, ResourceType.ACCOUNT)
CONFIGURE_SERVICE = configures(ResourceType.SERVICE)
CONFIGURE_SYSTEM = configures(ResourceType.SETTING)
CONFIGURE_USER = configures(ResourceType.SETTING, Trait.GLOBAL, reach=Reach.HOME, reversible=True)
CONTROL_PROCESS = local(Verb.CONTROL, ResourceType.PROCESS, reversible=True)
CONTROL_SERVICE = controls(ResourceType.SERVICE)
DELETE_ACCOUNT = system(Verb.DELETE, ResourceType.ACCOUNT)
DELETE_BACKUP = system(Verb.DELETE, ResourceType.BACKUP)
DELETE_CREDENTIAL = Act(
    Verb.DELETE,
    ResourceType.CREDENTIAL,
    On.OPERANDS,
    reach=Reach.HOME,
    reversible=False,
    always=True,
)
DELETE_PROJECT_DATA = local(Verb.DELETE, ResourceType.NOTHING, reversible=False)
DELETE_REMOTE = remote(Verb.DELETE, ResourceType.URL)
DESTROY_DEVICE = system(Verb.DELETE, ResourceType.DEVICE)
FETCH_URL = Act(Verb.NETWORK_IN, ResourceType.URL, On.NOTHING, reach=Reach.REMOTE, always=True)
INERT = inert()
INSPECT = Act(Verb.READ, ResourceType.NOTHING, On.NOTHING, always=True)
INSPECT_CLOUD = Act(Verb.READ, ResourceType.CLOUD, On.NOTHING, always=True)
INSTALL = installs()
INSTALL_FOR_USER = installs(Trait.GLOBAL, reach=Reach.HOME)
INSTALL_ON_SYSTEM = installs(reach=Reach.SYSTEM)
LOG_IN = Act(
    Verb.CONFIGURE,
    ResourceType.CREDENTIAL,
    On.NOTHING,
    reach=Reach.HOME,
    reversible=True,
    always=True,
)
MACHINE = controls(ResourceType.MACHINE)
PERSIST_SERVICE = Act(
    Verb.PERSIST,
    ResourceType.SERVICE,
    On.OPERANDS,
    reach=Reach.SYSTEM,
    reversible=False,
    always=True,
)
PREVIEW = Act(
    Verb.INERT,
    ResourceType.NOTHING,
    On.NOTHING,
    frozenset({Trait.DRY_RUN}),
    reversible=True,
    always=True,
)
PRUNE_BACKUPS = system(Verb.DELETE, ResourceType.BACKUP, Trait.BY_PATTERN)
PUBLISH_PACKAGE = Act(
    Verb.PUBLISH,
    ResourceType.PACKAGE,
    On.OPERANDS,
    reach=Reach.REMOTE,
    reversible=False,
    always=True,
)
REVEAL_CREDENTIAL = Act(
    Verb.READ, ResourceType.CREDENTIAL, On.OPERANDS, frozenset({Trait.READS_SECRET}), always=True
)
REVEAL_CREDENTIALS = Act(
    Verb.READ, ResourceType.CREDENTIAL, On.NOTHING, frozenset({Trait.READS_SECRET}), always=True
)
SERVES_ALL = Act(
    Verb.CONTROL,
    ResourceType.PROCESS,
    On.NOTHING,
    frozenset({Trait.LISTENS}),
    Reach.SYSTEM,
    always=True,
)
STORE_CREDENTIAL = configures(ResourceType.CREDENTIAL, reach=Reach.HOME)
UNINSTALL = local(Verb.DELETE, ResourceType.PACKAGE, reversible=True)
UNINSTALL_FOR_USER = Act(
    Verb.DELETE,
    ResourceType.PACKAGE,
    On.OPERANDS,
    frozenset({Trait.GLOBAL}),
    Reach.SYSTEM,
    reversible=True,
    always=True,
)
UNINSTALL_FROM_SYSTEM = system(Verb.DELETE, ResourceType.PACKAGE)
WEAKEN_PROTECTION = configures(ResourceType.PROTECTION, Trait.WEAKENS, reversible=False)
