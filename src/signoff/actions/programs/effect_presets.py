"""Acts that several handlers share, under the names of `data/presets.yaml`.

yield from call.perform(INSPECT)
"""

from __future__ import annotations

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import (
    On,
    always,
    configures,
    controls,
    installs,
    local,
    publishes,
    remote,
    system,
)

BLIND_PROTECTION = always(
    Verb.DELETE,
    ResourceType.PROTECTION,
    Trait.BLINDS,
    on=On.NOTHING,
    reach=Reach.SYSTEM,
    reversible=False,
)
BUILD = always(Verb.EXECUTE, ResourceType.CODE, on=On.NOTHING, reach=Reach.PROJECT, reversible=True)
CHANGE_PROJECT = local(Verb.WRITE, ResourceType.SETTING, reversible=True)
CHANGE_REMOTE = remote(Verb.WRITE, ResourceType.URL)
# What is built or fetched again at need: no loss, so reversible.
CLEAR_CACHE = local(Verb.DELETE, ResourceType.PACKAGE, Trait.REBUILDABLE, reversible=True)
CLEAR_OUTPUT = local(Verb.DELETE, ResourceType.NOTHING, Trait.REBUILDABLE, reversible=True)
CLEAR_TEMP = always(
    Verb.DELETE,
    ResourceType.NOTHING,
    Trait.REBUILDABLE,
    on=On.NOTHING,
    reach=Reach.TEMP,
    reversible=True,
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
DELETE_CREDENTIAL = always(Verb.DELETE, ResourceType.CREDENTIAL, reach=Reach.HOME, reversible=False)
DELETE_PROJECT_DATA = local(Verb.DELETE, ResourceType.NOTHING, reversible=False)
DELETE_REMOTE = remote(Verb.DELETE, ResourceType.URL)
DESTROY_DEVICE = system(Verb.DELETE, ResourceType.DEVICE)
FETCH_URL = always(Verb.NETWORK_IN, ResourceType.URL, on=On.NOTHING, reach=Reach.REMOTE)
INERT = always(Verb.INERT, ResourceType.NOTHING, on=On.NOTHING)
INSPECT = always(Verb.READ, ResourceType.NOTHING, on=On.NOTHING)
INSPECT_CLOUD = always(Verb.READ, ResourceType.CLOUD, on=On.NOTHING)
INSTALL = installs()
INSTALL_FOR_USER = installs(Trait.GLOBAL, reach=Reach.HOME)
INSTALL_ON_SYSTEM = installs(reach=Reach.SYSTEM)
LOG_IN = always(
    Verb.CONFIGURE, ResourceType.CREDENTIAL, on=On.NOTHING, reach=Reach.HOME, reversible=True
)
MACHINE = controls(ResourceType.MACHINE)
PERSIST_SERVICE = system(Verb.PERSIST, ResourceType.SERVICE)
PREVIEW = always(Verb.INERT, ResourceType.NOTHING, Trait.DRY_RUN, on=On.NOTHING, reversible=True)
# By pattern: retention is asked about, while DELETE_BACKUP is refused.
PRUNE_BACKUPS = system(Verb.DELETE, ResourceType.BACKUP, Trait.BY_PATTERN)
PUBLISH_PACKAGE = publishes(ResourceType.PACKAGE)
PUBLISH_IMAGE = publishes(ResourceType.IMAGE)
REVEAL_CREDENTIAL = always(Verb.READ, ResourceType.CREDENTIAL, Trait.READS_SECRET)
REVEAL_CREDENTIALS = always(Verb.READ, ResourceType.CREDENTIAL, Trait.READS_SECRET, on=On.NOTHING)
# A server on every interface is reached by other machines, hence not the project's own process.
SERVES_ALL = always(
    Verb.CONTROL, ResourceType.PROCESS, Trait.LISTENS, on=On.NOTHING, reach=Reach.SYSTEM
)
STORE_CREDENTIAL = configures(ResourceType.CREDENTIAL, reach=Reach.HOME)
UNINSTALL = local(Verb.DELETE, ResourceType.PACKAGE, reversible=True)
UNINSTALL_FOR_USER = always(
    Verb.DELETE, ResourceType.PACKAGE, Trait.GLOBAL, reach=Reach.SYSTEM, reversible=True
)
UNINSTALL_FROM_SYSTEM = system(Verb.DELETE, ResourceType.PACKAGE)
WEAKEN_PROTECTION = configures(ResourceType.PROTECTION, Trait.WEAKENS, reversible=False)
