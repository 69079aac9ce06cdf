"""Which targets are names of what is acted on, and which are only words of a command.

BY_COMMAND[ResourceType.CLOUD]  ->  "cloud resources", behind which the command itself is named
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.actions.lexicon.names import vocabulary
from signoff.actions.operation import ResourceType

# Things whose target is often a word of the command and no name (`aws rds delete-db-instance`):
# there the command itself says more, behind these words.
BY_COMMAND: Mapping[ResourceType, str] = {
    ResourceType.NOTHING: "something",
    ResourceType.CLOUD: "cloud resources",
    ResourceType.CLUSTER: "resources of a cluster",
    ResourceType.CONTAINER: "containers",
    ResourceType.SETTING: "a setting",
    ResourceType.CREDENTIAL: "stored credentials",
    ResourceType.BACKUP: "backups",
    ResourceType.ACCOUNT: "accounts or permissions",
    ResourceType.PROTECTION: "the protection of this machine",
    ResourceType.NETWORK: "network settings",
    ResourceType.MACHINE: "this machine",
    ResourceType.MONEY: "money",
    ResourceType.DEVICE: "a disk or device",
    ResourceType.DATABASE: "data in a database",
    ResourceType.MESSAGE: "messages",
    ResourceType.SERVICE: "a service",
    ResourceType.PROCESS: "processes",
}
# Their operand is often several words: only of a single one nobody can tell whether it is a name.
NAMED_BY_ONE_WORD = frozenset({ResourceType.MESSAGE, ResourceType.SERVICE, ResourceType.PROCESS})
# They mount and unmount; other programs control a device in other ways.
MOUNTING = vocabulary(
    "mount umount unmount swapon swapoff losetup udisksctl diskutil fusermount fusermount3"
    " cryptsetup eject hdiutil mountvol zfs"
)
# Their operand is `remote:folder`.
NAMES_REMOTES = frozenset({"rclone"})
# Of these `/set` is an option and no path.
WITH_SLASH_OPTIONS = frozenset({"bcdedit", "schtasks", "net", "sc", "reg", "wevtutil", "vssadmin"})
# Their target is the name of a service, whatever is done to it.
SERVICE_MANAGERS = frozenset({"systemctl", "service", "launchctl", "sc", "rc-service", "initctl"})
# They run tasks by name, and the name is all that is known of what a task does.
RUNNERS = (
    *("just", "task", "go-task", "mage", "invoke", "inv", "poe", "gulp", "grunt", "rake", "ant"),
    *("turbo", "turbo run", "moon run", "nx run", "lerna run", "mise run", "deno task", "nox"),
    *("composer run", "hatch run", "pdm run", "pixi run", "rye run", "devbox run", "pipenv run"),
    *("cargo make", "cargo xtask", "tox", "bazel run"),
)
SCRIPTS = ("npm run", "yarn run", "pnpm run", "bun run", "yarn", "pnpm", "bun")  # of package.json
