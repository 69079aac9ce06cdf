"""Cmdlets of PowerShell that nobody described, told by their verb and the family of their noun.

PowerShell's verbs are a closed list, and modules mark their nouns: `Remove-AzVM`, `New-ADUser`,
`Write-S3Object`. A noun of no known family may be a function of the project (`Invoke-MyBuild`):
it is ordinary, as a program of the project is, unless its verb takes something away or stops it.

    Remove-AzResourceGroup    ->  deletes a whole store of a cloud
    New-ADUser                ->  changes an account, elsewhere
    Get-AzKeyVaultSecret      ->  reads a credential
    Disable-NetFirewallRule   ->  weakens protection
    Remove-PIPoint            ->  deletes something of a module nobody described
    Get-AzVM, Invoke-MyBuild  ->  None
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from signoff.actions.code.spelling import unquoted
from signoff.actions.known.protections import PROTECTIVE_VALUES
from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.vocabulary import words

_CMDLET = re.compile(r"([a-z]+)-([a-z][a-z0-9]*)")
_LOOKING = words(
    "get find search test measure select resolve out format where sort compare show trace watch "
    "wait convertto convertfrom convert read group join split use assert debug enter exit skip "
    "pop step undo open close"
)
_DELETING = words("remove clear uninstall unregister revoke deny block dismount")
# Verbs by which a module only signs in, or prepares something in this process.
_PREPARING = words("connect disconnect import select use save export receive")
_SENDING = words("send write publish push")

# Nouns that act on this machine.
_MACHINE = tuple(
    words(
        "net bitlocker volume date service scheduledtask scheduledjob local mp eventlog computer "
        "disk partition windows execution vm firewall psremoting appx timezone printer dns vhd "
        "virtualdisk storagepool physicaldisk smb website webapp webbinding iis gpo gplink "
        "cluster psrepository wsman tpm"
    )
)
_PARTS_OF_TASKS = ("scheduledtaskaction", "scheduledtasktrigger", "scheduledtaskprincipal",
                   "scheduledtasksettings")  # fmt: skip
_GUARDING = ("netfirewall", "bitlocker", "mppreference", "mpthreat")
_SWITCHING_OFF = frozenset({"disable", "suspend", "remove"})
# Marks that modules of clouds, directories, mail and virtual machines put before their nouns; what
# follows a mark is a new word. Typed in small letters, a noun is told by the longer list below.
_MARKED = re.compile(
    r"(?:Azure(?:AD|RM|Rm)|Az|Mg|Msol|SPO|PnP|GC[A-Z]?|OCI|Cs|AD|EC2|S3C?|IAM|RDS|LM|CFN|ECS|EKS"
    r"|ECR|"
    r"DDB|R53|SQS|SNS|SSM|KMS|SEC|CT|CWL?|ELB2?|AS|EFS|FSX|CF|CGIP|STS|ORG|ES|GLUE|ATH|RS|EC|WKS|"
    r"GD|SHUB|AG|EB|KIN|MQ|MSK|BAK|DMS|ACM|WAF2?|SFN|EVB|EMR|LDB)(?=[A-Z][a-z])"
)
_ELSEWHERE = re.compile(
    r"az[a-z]{2}(?!m?uth)|msol|spo(?=site|tenant|user)|ec2|s3(?=bucket|object)|"
    r"iam(?=user|role|policy|access|group)|rds(?=db)|cfnstack|lmfunction|"
    r"ad(?:user|group|computer|account|object|organizationalunit|domain|forest|service)|"
    r"mg(?=user|group|application|serviceprincipal|device|directory|identity)|"
    r"mail(?:box|user|contact|publicfolder)|distributiongroup|unifiedgroup|transportrule|"
    r"inboxrule|accepteddomain|(?:out|in)boundconnector|managementrole|vapp|datastore$|vdswitch|"
    r"dnsserver|dhcpserver|"
    # Backup, virtual desktops, chat and compliance, fleets of Windows, historians, policies.
    r"vbr(?=[a-z])|prov(?=vm|scheme|task)|broker(?=[a-z])|team(?=$|channel|user|member)|"
    r"(?:retention)?compliance|cm(?=device|collection|application|package|tasksequence|user|site)|"
    r"scvm|pi(?=point|dataarchive|archive)|gp(?=registryvalue|link|permission|prefregistry|o$)|"
    r"rubrik|cohesity|zerto|nutanix|ntnx|nsx|hvmachine|xa(?=[a-z])|cswsus|intune"
)
_IDENTITIES = tuple(
    words(
        "user group member role policy permission principal account accesskey membership "
        "assignment credential login consent grant license"
    )
)
_STORES = tuple(
    words(
        "resourcegroup storageaccount storagecontainer database sqlserver sqlinstance bucket "
        "keyvault cluster subscription databaseaccount dbinstance dbcluster managementgroup "
        "datastore tenant mailboxdatabase organizationalunit virtualdisk storagepool table "
        "s3bucket filesystem userpool managedhsm registry domain forest site"
    )
)
_BACKUPS = tuple(
    words("snapshot backup backuprepository recoverypoint restorepoint recoveryservicesvault")
)
_SECRETS = tuple(
    words("secret secretvalue accesskey accountkey storageaccountkey password accesstoken apikey")
)
_FOR_ALL = words("public-read public-read-write anonymous allusers blob container everyone")
_OPENS = ("-allowblobpublicaccess", "-publicaccess", "-cannedaclname", "-permission", "-accesstype")


# Cmdlets of this machine: verb, thing, traits.
_SYSTEM: Mapping[str, tuple[Verb, ResourceType, tuple[Trait, ...]]] = {
    "set-executionpolicy": (Verb.CONFIGURE, ResourceType.PROTECTION, (Trait.WEAKENS, Trait.GLOBAL)),
    **dict.fromkeys(
        ("set-mppreference", "add-mppreference", "set-netfirewallprofile"),
        (Verb.CONFIGURE, ResourceType.PROTECTION, (Trait.WEAKENS, Trait.GLOBAL)),
    ),
    "clear-eventlog": (Verb.DELETE, ResourceType.PROTECTION, (Trait.BLINDS,)),
    "clear-history": (Verb.DELETE, ResourceType.PROTECTION, (Trait.BLINDS,)),
    "stop-service": (Verb.CONTROL, ResourceType.SERVICE, ()),
    "set-service": (Verb.CONFIGURE, ResourceType.SERVICE, ()),
    "new-service": (Verb.PERSIST, ResourceType.SERVICE, (Trait.RUNS_LATER,)),
    "restart-service": (Verb.CONTROL, ResourceType.SERVICE, ()),
    "register-scheduledtask": (Verb.PERSIST, ResourceType.SERVICE, (Trait.RUNS_LATER,)),
    "new-scheduledtask": (Verb.PERSIST, ResourceType.SERVICE, (Trait.RUNS_LATER,)),
    "stop-computer": (Verb.CONTROL, ResourceType.MACHINE, ()),
    "restart-computer": (Verb.CONTROL, ResourceType.MACHINE, ()),
    "format-volume": (Verb.DELETE, ResourceType.DEVICE, (Trait.WHOLE_STORE,)),
    "clear-disk": (Verb.DELETE, ResourceType.DEVICE, (Trait.WHOLE_STORE,)),
    "initialize-disk": (Verb.DELETE, ResourceType.DEVICE, (Trait.WHOLE_STORE,)),
    "remove-partition": (Verb.DELETE, ResourceType.DEVICE, (Trait.WHOLE_STORE,)),
    "new-localuser": (Verb.CONFIGURE, ResourceType.ACCOUNT, (Trait.BACKDOOR,)),
    "add-localgroupmember": (Verb.PRIVILEGE, ResourceType.ACCOUNT, (Trait.OPENS_ACCESS,)),
    "set-itemproperty": (Verb.CONFIGURE, ResourceType.SETTING, ()),
    "new-itemproperty": (Verb.CONFIGURE, ResourceType.SETTING, ()),
    "remove-itemproperty": (Verb.CONFIGURE, ResourceType.SETTING, ()),
    "set-acl": (Verb.CONFIGURE, ResourceType.ACCOUNT, ()),
    "install-module": (Verb.INSTALL, ResourceType.PACKAGE, ()),
    "install-package": (Verb.INSTALL, ResourceType.PACKAGE, ()),
    "enter-pssession": (Verb.EXECUTE, ResourceType.MACHINE, (Trait.ON_REMOTE_HOST,)),
    "invoke-command": (Verb.EXECUTE, ResourceType.MACHINE, (Trait.ON_REMOTE_HOST,)),
}


class CmdletAct(Struct, frozen=True, kw_only=True):
    """What a cmdlet does, as the fields of an Operation."""

    verb: Verb
    thing: ResourceType
    reach: Reach
    traits: frozenset[Trait] = frozenset()
    reversible: bool = True


def act_of_cmdlet(name: str, given: Sequence[str]) -> CmdletAct | None:
    """Return what a cmdlet does; None if it is ordinary or no cmdlet.

    Args:
        name: as written.
        given: every word after it.
    """
    if (listed := _SYSTEM.get(name.lower())) is not None:
        verb, thing, traits = listed
        return CmdletAct(
            verb=verb,
            thing=thing,
            reach=Reach.SYSTEM,
            traits=frozenset(traits),
            reversible=verb is not Verb.DELETE,
        )
    match = _CMDLET.fullmatch(name.lower())
    # Parts of a schedule are only made; what registers them is judged. So are contexts.
    # `Set-AzContext` chooses for this process whom later calls speak to.
    if match is None or match[2].startswith(_PARTS_OF_TASKS) or _is_made_only(*match.groups()[:2]):
        return None
    act, noun = match[1], match[2]
    # `DisableAntiSpyware` of 0 switches the guard on again.
    is_unguarding = act not in _LOOKING and "0" not in given
    if is_unguarding and PROTECTIVE_VALUES.search(" ".join(given)) is not None:
        return _UNGUARDED
    written = name.partition("-")[2]
    is_elsewhere = bool(_MARKED.match(written) or _ELSEWHERE.match(noun))
    return _act_of(act, noun, [word.lower() for word in given], is_elsewhere=is_elsewhere)


def _act_of(act: str, noun: str, lowered: Sequence[str], *, is_elsewhere: bool) -> CmdletAct | None:
    """Return what a verb does to a noun, by the family the noun is of."""
    if any([word.startswith(_ALSO_DELETES) for word in lowered]):
        return _elsewhere("remove", noun, lowered)  # `Search-Mailbox -DeleteContent`
    if act in _LOOKING or act in _PREPARING:
        # `Get-Secret` opens a vault of this machine or of another.
        is_secret = noun.endswith(_SECRETS) and (is_elsewhere or noun == "secret")
        return _SECRET_READ if is_secret and act not in {"convertto", "test"} else None
    if is_elsewhere:
        return _elsewhere(act, noun, lowered)
    if noun.startswith(_MACHINE):
        return _on_this_machine(act, noun, lowered)
    return _of_unknown_module(act, noun)


def _of_unknown_module(act: str, noun: str) -> CmdletAct | None:
    """What a cmdlet of a module nobody described takes away or stops, None if nothing."""
    if noun.startswith(_OF_SESSION) or noun.endswith(_BUILT):
        return None
    if act in _DELETING:
        return _elsewhere("remove", noun, ())
    if act not in _STOPPING:
        return None
    return CmdletAct(verb=Verb.CONTROL, thing=ResourceType.SERVICE, reach=Reach.REMOTE)


# What the session, the machine or a build holds: cmdlets of PowerShell itself and of projects.
_OF_SESSION = tuple(
    words(
        "item variable content host module job pssession typedata event psdrive alias psbreakpoint "
        "history transcript line screen recyclebin temp build cache log output artifact process "
        "object member property file folder directory error psreadline trace progress test mock "
        "cim wmi ci package formatdata runspace psedit"
    )
)
_BUILT = tuple(words("artifact artifacts folder file files directory output cache temp logs build"))
_STOPPING = words("stop disable suspend reset")
_UNGUARDED = CmdletAct(
    verb=Verb.CONFIGURE,
    thing=ResourceType.PROTECTION,
    reach=Reach.SYSTEM,
    traits=frozenset({Trait.WEAKENS, Trait.GLOBAL}),
)


def _is_made_only(act: str, noun: str) -> bool:
    return (act == "new" and noun.endswith(_MADE_ONLY)) or (
        act == "set" and noun.endswith("context")
    )


def is_cmdlet(name: str) -> bool:
    """Return whether a name has the form `verb-noun`."""
    return _CMDLET.fullmatch(name.lower()) is not None


def as_program(name: str, words: Sequence[str]) -> list[str] | None:
    """Return the program line a cmdlet is an alias for, as words; None for others.

    Args:
        words: the cmdlet and its arguments, with quotes.
    """
    given = list(pairwise(words))
    if name == "invoke-sqlcmd":
        line = ["sqlcmd"]
        for before, word in given:
            option = next((to for full, to in _SQL_OPTIONS if means(before.lower(), full)), "")
            line += [option, word] if option else []
        return line
    if name == "new-scheduledtaskaction":
        parts = {
            full: word for before, word in given for full in _TASK_PARTS if before.lower() == full
        }
        if "-execute" in parts:
            return [parts["-execute"], *unquoted(parts.get("-argument", "")).split()]
    return None


def means(word: str, parameter: str) -> bool:
    """Return whether a word is this parameter, abbreviated (`-r` for `-Recurse`) or not."""
    return len(word) > 1 and parameter.startswith(word)


_SQL_OPTIONS = (
    ("-query", "-Q"),
    ("-inputfile", "-i"),
    ("-serverinstance", "-S"),
    ("-database", "-d"),
)
_TASK_PARTS = ("-execute", "-argument")
# A switch by which any act deletes.
_ALSO_DELETES = ("-delete", "-purge", "-wipe", "-erase")
# Values that later calls are given; nothing is made by them.
_MADE_ONLY = ("context", "sessionoption", "sessionoptions", "condition")
_SECRET_READ = CmdletAct(
    verb=Verb.READ,
    thing=ResourceType.CREDENTIAL,
    reach=Reach.NONE,
    traits=frozenset({Trait.READS_SECRET}),
)


def _elsewhere(verb: str, noun: str, lowered: Sequence[str]) -> CmdletAct:
    is_store = noun.endswith(_STORES)
    is_identity = not is_store and noun.endswith(_IDENTITIES)
    thing = ResourceType.ACCOUNT if is_identity else ResourceType.CLOUD
    if noun.endswith(_BACKUPS):
        thing = ResourceType.BACKUP
    if verb in _DELETING:
        traits = frozenset({Trait.WHOLE_STORE} if is_store else ())
        return CmdletAct(
            verb=Verb.DELETE, thing=thing, reach=Reach.REMOTE, traits=traits, reversible=False
        )
    if verb in _SENDING and not is_identity:
        traits = frozenset({Trait.SENDS_FILES})
        return CmdletAct(
            verb=Verb.NETWORK_OUT, thing=ResourceType.URL, reach=Reach.REMOTE, traits=traits
        )
    opens = any(
        before.startswith(_OPENS) and (after in _FOR_ALL or after == "$true")
        for before, after in pairwise(lowered)
    )
    return CmdletAct(
        verb=Verb.CONFIGURE if is_identity or opens else Verb.WRITE,
        thing=thing,
        reach=Reach.REMOTE,
        traits=frozenset({Trait.OPENS_ACCESS} if opens else ()),
        reversible=not is_identity,
    )


def _on_this_machine(verb: str, noun: str, lowered: Sequence[str]) -> CmdletAct:
    is_off = verb in _SWITCHING_OFF or (verb == "set" and any("-disable" in w for w in lowered))
    if is_off and noun.startswith(_GUARDING):
        return CmdletAct(
            verb=Verb.CONFIGURE,
            thing=ResourceType.PROTECTION,
            reach=Reach.SYSTEM,
            traits=frozenset({Trait.WEAKENS}),
        )
    if verb == "remove" and noun.endswith(_BACKUPS):
        return CmdletAct(
            verb=Verb.DELETE, thing=ResourceType.BACKUP, reach=Reach.SYSTEM, reversible=False
        )
    return CmdletAct(verb=Verb.CONFIGURE, thing=ResourceType.SETTING, reach=Reach.SYSTEM)
