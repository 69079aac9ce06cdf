"""Secrets managers on a service: vault, 1Password, Bitwarden, doppler, infisical and their like.

Showing a value is reading a credential; listing names and policies is not. `run -- program` hands
secrets to a program, which is judged by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from signoff.actions.operation import Thing, Trait, Verb
from signoff.actions.programs.acts import Act, Effect
from signoff.actions.programs.call import Call
from signoff.actions.programs.infra.deeds import (
    ACCESS,
    BACKUP_GONE,
    CHANGE,
    FETCH,
    INERT,
    LOGS_IN,
    LOOK,
    RUNS_THERE,
    SECRET_SET,
    SERVES,
    SETS,
    SHOWS_SECRET,
    STORE_GONE,
    far,
)
from signoff.actions.programs.infra.platforms import within
from signoff.actions.programs.infra.services import perform, service_program
from signoff.actions.programs.program import Handler, Program

SECRET_GONE = far(Verb.DELETE, Thing.CREDENTIAL)
ENGINE_GONE = far(Verb.DELETE, Thing.CREDENTIAL, Trait.WHOLE_STORE)
HISTORY_GONE = far(Verb.DELETE, Thing.CLOUD)  # every version, nothing to undelete
OPEN_PATHS = ("sys/health", "sys/mounts", "sys/policies", "sys/policy", "auth/token/lookup-self")


def _read_path(call: Call) -> Iterator[Effect]:
    """`vault read PATH`: system paths hold no secrets."""
    paths = [text for text in call.texts[1:] if not text.startswith("-")]
    is_open = bool(paths) and paths[0].strip("/").startswith(OPEN_PATHS)
    yield perform(call, LOOK if is_open else SHOWS_SECRET, " ".join(paths[:1]))


def _secrets(call: Call) -> Iterator[Effect]:
    """`doppler secrets`: every value, or only the names."""
    act = LOOK if "--only-names" in call.texts else SHOWS_SECRET
    yield perform(call, act, "secrets")


VAULT: Mapping[str, Act | Handler] = {
    "read | unwrap": _read_path,
    "kv get | print token | token create | kv export": SHOWS_SECRET,
    "kv metadata get | kv metadata | kv list | list | status | path-help | secrets list | "
    "auth list | policy list | policy read | token lookup | token capabilities | audit list | "
    "version | version-history | lease lookup | operator raft list-peers | operator members | "
    "operator key-status | plugin list | plugin info | namespace list | auth help | "
    "plugin runtime list | policy fmt | pki health-check | debug | monitor": LOOK,
    "login": LOGS_IN,
    "server | agent | proxy": SERVES,
    "write | kv put | kv patch | kv undelete | kv rollback | kv enable-versioning | patch": (
        SECRET_SET
    ),
    "delete | kv delete | kv destroy": SECRET_GONE,
    "kv metadata delete": HISTORY_GONE,
    "secrets disable | namespace delete": ENGINE_GONE,
    "auth disable | policy delete | token revoke | lease revoke": far(Verb.DELETE, Thing.ACCOUNT),
    "secrets enable | secrets tune | secrets move | auth tune | lease renew": CHANGE,
    "auth enable | policy write": ACCESS,
    "audit disable": Act(
        Verb.CONFIGURE,
        Thing.PROTECTION,
        traits=frozenset({Trait.BLINDS}),
        reach=CHANGE.reach,
        reversible=False,
    ),
    "operator seal | operator step-down | operator rekey | operator init | "
    "operator generate-root | operator unseal | operator rotate": SECRET_SET,
    "operator raft snapshot save": LOOK,
    "ssh": RUNS_THERE,
}
MANAGERS: Mapping[str, Act | Handler] = {
    "login | signin | auth login | setup | configure | unlock | config | init | account add | "
    "configure set | profile": LOGS_IN,
    "logout | signout | lock | sync | status | whoami | version | help | update | upgrade | "
    "completion | generate | encode": INERT,
    "run | exec": within,
    "read | inject | item get | document get | get | secrets get | secrets download | "
    "secrets substitute | env | export | show | view | cat | reveal | access | find | "
    "item share | secret get | print | decrypt | list-raw | history | read-env | dump | "
    "configs tokens create | export-secrets | variable get | user token": SHOWS_SECRET,
    "item list | vault list | vault get | account list | account get | user list | group list | "
    "document list | events-api | template list | item template | list folders | "
    "list organizations | list collections | projects | environments | configs | activity | me | "
    "folders | list | list-services | ls | secrets names | project list | config env": LOOK,
    "list items | secrets list": SHOWS_SECRET,
    "projects delete | organization delete": STORE_GONE,
    "environments delete": ENGINE_GONE,
    "item create | item edit | item move | item delete | secrets set | secrets upload | set | "
    "write | create | edit | import | restore | put | move | confirm": SECRET_SET,
    "secrets delete | item delete | document delete | vault delete | delete | rm | "
    "remove": SECRET_GONE,
    "trash empty": BACKUP_GONE,
    "serve": SERVES,
    "update": INERT,
    "open": FETCH,
    "user provision | user suspend | group grant | vault user grant": ACCESS,
    "secrets": _secrets,
    "configs | configs get": LOOK,
    "profile set": SETS,
}

PROGRAMS: tuple[Program, ...] = (
    service_program("vault openbao bao", VAULT),
    service_program(
        "op bw bws doppler infisical chamber conjur conjurize dashlane-cli akeyless phase dotenvx "
        "dotenv-vault envkey envkey-source teller summon berglas gcp-secret credstash keybase "
        "1password psono-ci passbolt protonpass hcp-vault-secrets biscuit ejson envchain "
        "ks keeper-commander keeper securden delinea tss pam-cli torus confidant knox",
        MANAGERS,
        values="--account --session --token -t --project -p --config -c --profile --vault "
        "-b --backend --api-host --format",
    ),
)
