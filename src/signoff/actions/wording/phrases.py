"""The phrases of sentences about Operations: one table by program, one by verb and type.

A phrase is a sentence with `{}` in the place of the object, and the same sentence without one.
Programs stand here only where the words of verb and type are poor (`publish`, `apply`, `merge`).

    PROGRAMS["terraform plan", Verb.EXECUTE].unnamed  ->  "Plans Terraform changes"
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from signoff.actions.operation import FileKind, ResourceType, Trait, Verb
from signoff.actions.wording.command_tables import RUNNERS, SCRIPTS

DELETE, WRITE, PUBLISH, CONTROL = Verb.DELETE, Verb.WRITE, Verb.PUBLISH, Verb.CONTROL
CONFIGURE, EXECUTE, PERSIST, READ = Verb.CONFIGURE, Verb.EXECUTE, Verb.PERSIST, Verb.READ


class Phrase(NamedTuple):
    """One sentence for people, with and without an object."""

    named: str
    unnamed: str


def _same(text: str) -> Phrase:
    """Return a phrase that never names an object: its target is a word of the command."""
    return Phrase(text, text)


UNREAD = "that nobody has read"
FETCHED = f"Runs code straight from the network {UNREAD}"
BLINDED = "Stops logging or monitoring"
DECODED = f"Runs code that was decoded on the spot and {UNREAD}"
VERBS: Mapping[Verb, str] = {
    Verb.INERT: "Changes nothing in",
    Verb.READ: "Reads",
    Verb.WRITE: "Changes",
    Verb.DELETE: "Deletes",
    Verb.EXECUTE: "Runs",
    Verb.NETWORK_IN: "Downloads from",
    Verb.NETWORK_OUT: "Sends data to",
    Verb.INSTALL: "Installs",
    Verb.PUBLISH: "Publishes",
    Verb.CONTROL: "Starts, stops or changes",
    Verb.CONFIGURE: "Changes",
    Verb.PRIVILEGE: "Gives more rights to",
    Verb.PERSIST: "Sets up, to run later,",
    Verb.SPEND: "Spends money:",
}
# What stands before a name, and what stands where there is no name.
TYPES: Mapping[ResourceType, Phrase] = {
    ResourceType.NOTHING: Phrase("{}", "something"),
    ResourceType.FILE: Phrase("{}", "files"),
    ResourceType.DEVICE: Phrase("disk {}", "a disk or device"),
    ResourceType.REPOSITORY: Phrase("{} of the repository", "the repository"),
    ResourceType.DATABASE: Phrase("database {}", "a database"),
    ResourceType.PROCESS: Phrase("process {}", "processes"),
    ResourceType.SERVICE: Phrase("service {}", "a system service"),
    ResourceType.MACHINE: Phrase("machine {}", "this machine"),
    ResourceType.NETWORK: Phrase("network settings {}", "network settings"),
    ResourceType.ACCOUNT: Phrase("account {}", "accounts or permissions"),
    ResourceType.PACKAGE: Phrase("package {}", "packages"),
    ResourceType.CONTAINER: Phrase("container {}", "containers"),
    ResourceType.IMAGE: Phrase("image {}", "an image"),
    ResourceType.VOLUME: Phrase("volume {}", "volumes"),
    ResourceType.CLUSTER: Phrase("{} in the cluster", "the cluster"),
    ResourceType.CLOUD: Phrase("cloud resources ({})", "cloud resources"),
    ResourceType.BACKUP: Phrase("backup {}", "backups"),
    ResourceType.CREDENTIAL: Phrase("credential {}", "stored credentials"),
    ResourceType.URL: Phrase("{}", "a web address"),
    ResourceType.MESSAGE: Phrase("message {}", "a message"),
    ResourceType.CODE: Phrase("{}", "code"),
    ResourceType.MONEY: Phrase("{}", "a payment"),
    ResourceType.SETTING: Phrase("setting {}", "a setting"),
    ResourceType.PROTECTION: Phrase(
        "protection of this machine ({})", "protection of this machine"
    ),
    ResourceType.GUARD: Phrase("signoff itself ({})", "signoff itself"),
}
# Where the verb and the type together say it badly.
PAIRS: Mapping[tuple[Verb, ResourceType], Phrase] = {
    (WRITE, ResourceType.FILE): Phrase("Writes {}", "Writes files"),
    (WRITE, ResourceType.CODE): Phrase("Writes {}", "Writes code"),
    (WRITE, ResourceType.DEVICE): Phrase("Overwrites disk {}", "Overwrites a disk"),
    (DELETE, ResourceType.DEVICE): Phrase("Erases disk {}", "Erases a disk"),
    (DELETE, ResourceType.REPOSITORY): Phrase(
        "Deletes {} of the repository", "Deletes work of the repository"
    ),
    (PUBLISH, ResourceType.REPOSITORY): Phrase(
        "Pushes {} to the remote repository", "Pushes commits to the remote repository"
    ),
    (Verb.NETWORK_IN, ResourceType.REPOSITORY): Phrase("Clones or fetches {}", "Fetches commits"),
    (WRITE, ResourceType.DATABASE): Phrase("Changes data in {}", "Changes data in a database"),
    (DELETE, ResourceType.DATABASE): Phrase("Deletes data in {}", "Deletes data in a database"),
    (READ, ResourceType.DATABASE): Phrase("Reads data in {}", "Reads data in a database"),
    (CONTROL, ResourceType.PROCESS): Phrase("Stops process {}", "Stops processes"),
    (CONTROL, ResourceType.SERVICE): Phrase(
        "Starts, stops or restarts service {}", "Starts or stops a system service"
    ),
    (CONTROL, ResourceType.MACHINE): _same("Shuts down or restarts this machine"),
    (EXECUTE, ResourceType.DATABASE): Phrase("Works on database {}", "Works on a database"),
    (CONTROL, ResourceType.CLOUD): Phrase(
        "Changes running cloud resources ({})", "Changes running cloud resources"
    ),
    (DELETE, ResourceType.PACKAGE): Phrase("Uninstalls {}", "Uninstalls packages"),
    (Verb.INSTALL, ResourceType.PACKAGE): Phrase("Installs {}", "Installs packages"),
    (PUBLISH, ResourceType.PACKAGE): Phrase("Publishes package {}", "Publishes this package"),
    (PUBLISH, ResourceType.IMAGE): Phrase("Pushes image {}", "Pushes a container image"),
    (CONTROL, ResourceType.DEVICE): Phrase(
        "Mounts, switches or moves {}", "Mounts, switches or moves a device"
    ),
    (CONTROL, ResourceType.NETWORK): Phrase(
        "Changes network settings {}", "Changes network settings"
    ),
    (Verb.SPEND, ResourceType.MONEY): Phrase("Spends money: {}", "Spends money"),
    (Verb.SPEND, ResourceType.NOTHING): Phrase("Spends money: {}", "Spends money"),
    (Verb.NETWORK_OUT, ResourceType.FILE): Phrase("Uploads {}", "Uploads files"),
    (PUBLISH, ResourceType.CLOUD): Phrase("Deploys {} to the cloud", "Deploys to the cloud"),
    (EXECUTE, ResourceType.CONTAINER): Phrase("Runs a command in {}", "Runs a container"),
    (EXECUTE, ResourceType.CLOUD): Phrase(
        "Runs {} on cloud machines", "Runs a command on cloud machines"
    ),
    (EXECUTE, ResourceType.CLUSTER): Phrase(
        "Runs {} in the cluster", "Runs a command in the cluster"
    ),
    (Verb.NETWORK_OUT, ResourceType.MESSAGE): Phrase("Sends a message to {}", "Sends a message"),
    (EXECUTE, ResourceType.MACHINE): Phrase(
        "Runs commands on machine {}", "Runs commands on a machine"
    ),
    (EXECUTE, ResourceType.PROCESS): Phrase("Runs {}", "Starts processes"),
    (Verb.NETWORK_OUT, ResourceType.NOTHING): Phrase(
        "Sends data to {}", "Sends data over the network"
    ),
    (Verb.NETWORK_OUT, ResourceType.URL): Phrase("Sends data to {}", "Sends data over the network"),
    (Verb.NETWORK_OUT, ResourceType.CLOUD): Phrase("Uploads to {}", "Uploads to the cloud"),
    (Verb.NETWORK_OUT, ResourceType.MACHINE): Phrase("Connects to {}", "Connects to a machine"),
    (Verb.NETWORK_IN, ResourceType.URL): Phrase("Downloads from {}", "Downloads from the network"),
    (CONFIGURE, ResourceType.CODE): Phrase("Puts code into {}", "Changes code"),
    (CONFIGURE, ResourceType.ACCOUNT): Phrase(
        "Changes users or permissions: {}", "Changes users or permissions"
    ),
    (CONFIGURE, ResourceType.FILE): Phrase("Changes permissions of {}", "Changes permissions"),
    (CONFIGURE, ResourceType.PROTECTION): Phrase(
        "Changes the protection of this machine ({})", "Changes the protection of this machine"
    ),
    (DELETE, ResourceType.PROTECTION): Phrase(
        "Erases logs or history {}", "Erases logs or history"
    ),
    (PERSIST, ResourceType.SERVICE): Phrase("Adds a job that runs later: {}", "Adds a later job"),
    (Verb.PRIVILEGE, ResourceType.CLOUD): Phrase(
        "Changes who may use cloud resources ({})", "Changes who may use cloud resources"
    ),
    (Verb.PRIVILEGE, ResourceType.CODE): _same("Runs a program with the rights of another user"),
    (Verb.PRIVILEGE, ResourceType.ACCOUNT): Phrase("Grants more rights ({})", "Grants more rights"),
    (Verb.NETWORK_OUT, ResourceType.NETWORK): Phrase("Sends traffic to {}", "Sends traffic"),
    (Verb.PRIVILEGE, ResourceType.CONTAINER): Phrase(
        "Gives {} rights on this machine", "Gives a container rights on this machine"
    ),
}
# Where a trait says more than verb and type; the first that holds is used.
TRAITS: Mapping[tuple[Verb, Trait], Phrase] = {
    (EXECUTE, Trait.REVERSE_SHELL): _same("Hands a shell to another machine"),
    (EXECUTE, Trait.REMOTE_CODE): Phrase(f"Runs {{}}, code from the network {UNREAD}", FETCHED),
    (EXECUTE, Trait.DECODED): Phrase(f"Runs {{}}, decoded code {UNREAD}", DECODED),
    (CONTROL, Trait.FORK_BOMB): _same("Starts processes without end until the machine stops"),
    (EXECUTE, Trait.FORK_BOMB): _same("Starts processes without end until the machine stops"),
    (EXECUTE, Trait.EXHAUSTS): _same("Fills the memory or the disk of this machine"),
    (WRITE, Trait.EXHAUSTS): Phrase("Writes {} until the disk is full", "Fills the disk"),
    (CONTROL, Trait.SELF_APPROVAL): _same("Answers signoff's own question in the user's place"),
    (CONTROL, Trait.BY_PATTERN): Phrase(
        "Stops every process that matches {}", "Stops every matching process"
    ),
    (Verb.PRIVILEGE, Trait.OPENS_ACCESS): Phrase("Opens {} to others", "Opens access to others"),
    (CONFIGURE, Trait.BLINDS): Phrase(f"{BLINDED} ({{}})", BLINDED),
    (CONTROL, Trait.BLINDS): Phrase(f"{BLINDED} ({{}})", BLINDED),
    (CONFIGURE, Trait.WEAKENS): Phrase(
        "Weakens or switches off a protection ({})", "Weakens or switches off a protection"
    ),
    (CONTROL, Trait.WEAKENS): Phrase(
        "Weakens or switches off a protection ({})", "Weakens or switches off a protection"
    ),
    (CONTROL, Trait.LISTENS): Phrase(
        "Opens a port to other machines ({})", "Opens a port to other machines"
    ),
    (WRITE, Trait.PARTIAL): Phrase("Changes {}", "Changes files"),
}
# A hosting service's repository as a whole; those of Git's own commands are branches and tags.
WHOLE_REPOSITORY: Mapping[Verb, Phrase] = {
    verb: Phrase(f"{VERBS[verb]} repository {{}}", f"{VERBS[verb]} a repository")
    for verb in (READ, WRITE, DELETE, CONFIGURE)
}
# What follows from changing a file of a kind.
FILE_KINDS: Mapping[FileKind, str] = {
    FileKind.SHELL_STARTUP: "it runs in every new shell",
    FileKind.CI: "it runs on the build server",
    FileKind.GIT_HOOK: "it runs at later Git commands",
    FileKind.SCHEDULE: "it runs later by itself",
    FileKind.AUTHORIZED_KEYS: "it decides who can sign in over SSH",
    FileKind.AGENT_CONFIG: "it changes what agents may do",
    FileKind.EDITOR_CONFIG: "an editor may run what it says",
    FileKind.CREDENTIALS: "it holds keys or passwords",
    FileKind.GUARD: "it is signoff's own file",
    FileKind.ACCOUNTS: "it decides who may sign in",
    FileKind.SYSTEM_CONFIG: "it affects the whole machine",
    FileKind.BOOT: "the machine may not start again",
}


def _for_all(
    programs: str, verb: Verb, phrase: Phrase
) -> Iterator[tuple[tuple[str, Verb], Phrase]]:
    """Yield one phrase for several programs; their names are separated by commas."""
    for program in programs.split(", "):
        yield (program, verb), phrase


def _published(where: str) -> Phrase:
    return Phrase(f"Publishes {{}} to {where}", f"Publishes this package to {where}")


_DISCARDS = Phrase("Discards changes in {}", "Discards changes in the working tree")
PROGRAMS: Mapping[tuple[str, Verb], Phrase] = {
    ("gh gist create", Verb.NETWORK_OUT): Phrase("Publishes {} as a gist", "Publishes a gist"),
    ("at", PERSIST): _same("Adds a job that runs once, later"),
    ("reg", DELETE): Phrase("Deletes registry key {}", "Deletes registry keys"),
    ("reg", WRITE): Phrase("Changes registry key {}", "Changes registry keys"),
    ("reg", CONFIGURE): Phrase("Changes registry key {}", "Changes registry keys"),
    ("git push", DELETE): Phrase("Deletes {} on the remote", "Deletes branches on the remote"),
    ("git reset", DELETE): Phrase("Drops all commits after {}", "Resets the working tree"),
    ("git clean", DELETE): _same("Deletes files that Git does not track"),
    **dict(_for_all("git checkout, git restore, git switch", DELETE, _DISCARDS)),
    ("git branch", DELETE): Phrase("Deletes branch {}", "Deletes a branch"),
    ("git tag", DELETE): Phrase("Deletes tag {}", "Deletes a tag"),
    ("git stash", DELETE): _same("Deletes stashed changes"),
    ("git worktree", DELETE): Phrase("Removes working tree {}", "Removes a working tree"),
    ("git gc", WRITE): _same("Deletes commits that no branch holds"),
    ("git reflog", DELETE): _same("Deletes the log that lost commits are found by"),
    ("git update-ref", DELETE): Phrase("Deletes or moves {}", "Deletes or moves a branch"),
    **dict(
        _for_all("git filter-branch, git filter-repo", DELETE, _same("Rewrites the commit history"))
    ),
    ("git config", CONFIGURE): Phrase("Changes Git option {}", "Changes the Git configuration"),
    ("git rebase", WRITE): Phrase("Rebases onto {}", "Rebases the current branch"),
    ("git merge", WRITE): Phrase("Merges {}", "Merges a branch"),
    ("git commit", WRITE): _same("Commits changes"),
    ("gh pr merge", PUBLISH): Phrase("Merges pull request {}", "Merges this pull request"),
    ("glab mr merge", PUBLISH): Phrase("Merges merge request {}", "Merges this merge request"),
    **dict(_for_all("gh api, glab api", PUBLISH, Phrase("Merges {}", "Merges a pull request"))),
    ("jj git", PUBLISH): _same("Pushes commits to the remote repository"),
    ("gh release create", PUBLISH): Phrase("Publishes release {}", "Publishes a release"),
    ("gh repo delete", DELETE): Phrase("Deletes repository {}", "Deletes a GitHub repository"),
    ("gh repo create", WRITE): Phrase("Creates repository {} on GitHub", "Creates a repository"),
    ("gh workflow run", CONTROL): Phrase("Starts workflow {} on GitHub", "Starts a workflow"),
    ("gh api", WRITE): Phrase("Changes {} through the GitHub API", "Changes data on GitHub"),
    ("gh pr create", Verb.NETWORK_OUT): _same("Opens a pull request"),
    ("gh issue create", Verb.NETWORK_OUT): _same("Opens an issue"),
    **dict(_for_all("gh issue comment, gh pr comment", Verb.NETWORK_OUT, _same("Posts a comment"))),
    **dict(
        _for_all(
            "npm publish, yarn publish, pnpm publish, bun publish",
            PUBLISH,
            _published("the npm registry"),
        )
    ),
    **dict(
        _for_all(
            "twine upload, poetry publish, uv publish, hatch publish, flit publish, pdm publish",
            PUBLISH,
            _published("the Python package index"),
        )
    ),
    ("cargo publish", PUBLISH): _published("crates.io"),
    ("gem push", PUBLISH): _published("RubyGems"),
    ("dotnet nuget push", PUBLISH): _published("NuGet"),
    **{
        (one, PUBLISH): Phrase("Runs package script {}, which publishes", "Publishes this package")
        for one in SCRIPTS
    },
    **{
        (one, DELETE): Phrase("Runs package script {}, which deletes", "Deletes") for one in SCRIPTS
    },
    **{(one, PUBLISH): Phrase("Runs task {}, which publishes", "Publishes") for one in RUNNERS},
    **{(one, DELETE): Phrase("Runs task {}, which deletes", "Deletes") for one in RUNNERS},
    ("make", DELETE): Phrase("Runs make target {}, which deletes", "Deletes with make"),
    **dict(
        _for_all(
            "npx, bunx, pnpx, uvx, pipx run, pnpm dlx, yarn dlx",
            Verb.INSTALL,
            Phrase("Downloads and runs package {}", "Downloads and runs a package"),
        )
    ),
    ("npm config", CONFIGURE): _same("Changes the npm configuration"),
    ("npm version", WRITE): _same("Changes the package version"),
    ("npm unpublish", DELETE): Phrase("Removes {} from the npm registry", "Unpublishes a package"),
    ("cargo yank", DELETE): Phrase("Withdraws {} from crates.io", "Withdraws a crate version"),
    ("npm logout", CONFIGURE): _same("Signs out of the npm registry"),
    ("mvn", PUBLISH): _same("Deploys the build to a Maven repository"),
    **dict(
        _for_all(
            "make, gmake, ninja, meson install, cmake",
            Verb.INSTALL,
            _same("Installs the build"),
        )
    ),
    ("make", PUBLISH): Phrase("Runs make target {}, which publishes", "Publishes with make"),
    **dict(
        _for_all(
            "terraform destroy, tofu destroy, terragrunt destroy",
            DELETE,
            Phrase("Destroys {} with Terraform", "Destroys resources with Terraform"),
        )
    ),
    ("terraform state rm", DELETE): Phrase(
        "Removes {} from the Terraform state", "Removes resources from the Terraform state"
    ),
    ("terraform import", WRITE): Phrase("Imports {} into the Terraform state", "Imports resources"),
    ("terraform force-unlock", CONTROL): _same("Lifts the lock on the Terraform state"),
    ("pulumi destroy", DELETE): Phrase("Destroys {} with Pulumi", "Destroys resources with Pulumi"),
    ("kubectl apply", WRITE): Phrase(
        "Applies {} to the cluster", "Applies manifests to the cluster"
    ),
    ("kubectl delete", DELETE): Phrase("Deletes {}", "Deletes cluster resources"),
    ("kubectl create", WRITE): Phrase("Creates {} in the cluster", "Creates cluster resources"),
    ("kubectl drain", CONTROL): Phrase("Moves all pods off node {}", "Moves all pods off nodes"),
    ("kubectl cordon", CONTROL): Phrase("Lets no new pod start on node {}", "Cordons nodes"),
    ("kubectl patch", WRITE): Phrase("Changes {} in the cluster", "Changes cluster resources"),
    ("kubectl scale", CONTROL): Phrase("Scales {}", "Scales cluster resources"),
    ("kubectl rollout restart", CONTROL): Phrase("Restarts {}", "Restarts cluster resources"),
    ("helm upgrade", WRITE): Phrase("Upgrades Helm release {}", "Upgrades a Helm release"),
    ("helm install", WRITE): Phrase("Installs Helm release {}", "Installs a Helm release"),
    ("helm uninstall", DELETE): Phrase("Removes Helm release {}", "Removes a Helm release"),
    ("ansible-playbook", EXECUTE): Phrase("Runs Ansible playbook {}", "Runs an Ansible playbook"),
    ("vercel", PUBLISH): _same("Deploys to Vercel"),
    ("docker compose down", DELETE): Phrase(
        "Deletes {} of the Compose project", "Deletes Compose resources"
    ),
    ("terraform plan", EXECUTE): _same("Plans Terraform changes"),
    ("npm run", EXECUTE): Phrase("Runs package script {}", "Runs a package script"),
    **dict(_for_all("rsync, aws s3 sync", DELETE, Phrase("Deletes files at {}", "Deletes files"))),
    ("gh repo edit", CONFIGURE): _same("Changes settings of the GitHub repository"),
    ("usermod", Verb.PRIVILEGE): Phrase("Gives user {} more rights", "Gives a user more rights"),
    ("tar", DELETE): Phrase("Unpacks an archive over {}", "Unpacks an archive over files"),
    ("mount", CONFIGURE): Phrase("Mounts {}", "Mounts a disk"),
    ("mv", WRITE): Phrase("Moves or replaces {}", "Moves files"),
    ("chmod", WRITE): Phrase("Changes permissions of {}", "Changes permissions"),
    ("chmod", CONFIGURE): Phrase("Changes permissions of {}", "Changes permissions"),
    ("chown", CONFIGURE): Phrase("Changes the owner of {}", "Changes owners"),
    ("useradd", CONFIGURE): Phrase("Adds user {}", "Adds a user"),
    ("usermod", CONFIGURE): Phrase("Changes user {}", "Changes a user"),
    ("crontab", DELETE): _same("Deletes all of the user's scheduled jobs"),
    ("crontab", PERSIST): _same("Replaces the user's scheduled jobs"),
    **dict(
        _for_all("su, sudo", Verb.PRIVILEGE, _same("Opens a shell with the rights of another user"))
    ),
    ("date", CONFIGURE): _same("Sets the clock of this machine"),
    **dict(
        _for_all(
            "reboot, systemctl reboot, systemctl soft-reboot",
            CONTROL,
            _same("Restarts this machine"),
        )
    ),
    **dict(
        _for_all(
            "systemctl suspend, systemctl hibernate, systemctl sleep, systemctl hybrid-sleep",
            CONTROL,
            _same("Suspends this machine"),
        )
    ),
    ("redis-cli", DELETE): Phrase("Deletes Redis data ({})", "Deletes Redis data"),
    ("mongosh", DELETE): Phrase("Deletes MongoDB data ({})", "Deletes MongoDB data"),
    ("dropdb", DELETE): Phrase("Drops database {}", "Drops a database"),
    ("pg_restore", WRITE): _same("Restores a dump over the data in a database"),
    ("sql alter system", CONFIGURE): _same("Changes a setting of the database server"),
    ("sql create index", WRITE): Phrase("Creates index {}", "Creates an index"),
    **dict(
        _for_all(
            "sql alter user, sql alter role, sql alter login",
            CONFIGURE,
            Phrase("Changes database user {}", "Changes a database user"),
        )
    ),
    ("sql grant", CONFIGURE): Phrase("Grants database rights to {}", "Grants database rights"),
    ("sql alter table", WRITE): Phrase("Changes the columns of table {}", "Changes a table"),
    ("sql drop table", DELETE): Phrase("Drops table {}", "Drops a table"),
    ("sql truncate", DELETE): Phrase("Empties table {}", "Empties a table"),
    ("sql drop database", DELETE): Phrase("Drops database {}", "Drops a database"),
    ("sql drop schema", DELETE): Phrase("Drops schema {}", "Drops a schema"),
    ("sql delete", DELETE): Phrase("Deletes rows of {}", "Deletes rows"),
    ("sql update", WRITE): Phrase("Updates rows of {}", "Updates rows"),
    ("sql insert", WRITE): Phrase("Inserts rows into {}", "Inserts rows"),
    ("environment", CONFIGURE): Phrase("Sets variable {}", "Sets an environment variable"),
}
