"""Clouds other than AWS: gcloud, az, and the many providers whose lines are read by their words.

What the words do not say stands in the tables: secrets that are shown, logins that only touch
the user's own configuration, shells on remote machines, resource groups.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Act, Effect, Nested
from signoff.actions.programs.call import Call
from signoff.actions.programs.infra.deeds import (
    ACCESS,
    BUILD,
    CHANGE,
    GONE,
    INERT,
    LOGS_IN,
    LOOK,
    PAYS,
    RUNS_THERE,
    SENDS,
    SETS,
    SETS_PROJECT,
    SHOWS_SECRET,
    STORE_GONE,
    TAKEN_OUT,
    home,
)
from signoff.actions.programs.infra.services import service, service_program
from signoff.actions.programs.infra.stores import STORAGE
from signoff.actions.programs.lexicon import words
from signoff.actions.programs.program import Handler, Program, program

COMPONENTS = home(Verb.INSTALL, Thing.PACKAGE, Trait.GLOBAL)

GCLOUD: Mapping[str, Act | Handler] = {
    "info | version | topic | cheat-sheet | feedback | survey": LOOK,
    "init | auth login | auth application-default login | auth activate-service-account | "
    "auth application-default set-quota-project | auth configure-docker": LOGS_IN,
    "auth revoke | auth application-default revoke": INERT,
    "auth print-access-token | auth print-identity-token | "
    "auth application-default print-access-token": SHOWS_SECRET,
    "auth list": LOOK,
    "config list | config get | config get-value | config configurations list | "
    "config configurations describe": LOOK,
    "config set | config unset | config configurations": SETS,
    "components list | components repositories list": LOOK,
    "components install | components update | components reinstall": COMPONENTS,
    "components remove": TAKEN_OUT,
    "container clusters get-credentials | container fleet memberships get-credentials | "
    "container hub memberships get-credentials": SETS,
    "secrets versions access | kms decrypt | sql generate-login-token | "
    "iam service-accounts keys create | compute reset-windows-password": SHOWS_SECRET,
    "kms encrypt | kms asymmetric-sign | kms mac-verify": LOOK,
    "kms keys versions destroy": STORE_GONE,
    "compute ssh | compute start-iap-tunnel | app instances ssh | cloud-shell ssh": RUNS_THERE,
    "compute scp": CHANGE,
    "compute images delete": GONE,
    "app browse | app logs | app open-console | run services proxy | sql connect": LOOK,
    "dns record-sets transaction start | dns record-sets export": LOOK,
    "emulators | beta emulators | meta | builds log": LOOK,
    "iam service-accounts disable | iam service-accounts add-iam-policy-binding": ACCESS,
    "logging read | logging tail | logging logs list": LOOK,
    "logging sinks delete | logging logs delete": Act(
        Verb.DELETE, Thing.BACKUP, traits=frozenset({Trait.BLINDS}), reversible=False
    ),
    "pubsub topics publish": SENDS,
    "domains registrations register": PAYS,
    "projects undelete": CHANGE,
    "spanner instances delete | bigtable instances delete | redis instances delete | "
    "memcache instances delete | filestore instances delete": STORE_GONE,
}
AZ: Mapping[str, Act | Handler] = {
    "login": LOGS_IN,
    "logout | account clear": INERT,
    "account get-access-token | ad sp create-for-rbac | ad sp credential reset | "
    "ad app credential reset | acr credential show | acr credential renew | "
    "keyvault secret show | keyvault secret download | keyvault key download | "
    "keyvault secret backup | storage account keys list | storage account show-connection-string | "
    "storage account generate-sas | storage container generate-sas | storage blob generate-sas | "
    "cosmosdb keys list | redis list-keys | servicebus namespace authorization-rule keys list | "
    "eventhubs namespace authorization-rule keys list | functionapp keys list | "
    "webapp deployment list-publishing-credentials | "
    "webapp deployment list-publishing-profiles | cognitiveservices account keys list | "
    "search admin-key show | appconfig credential list | iot hub connection-string show | "
    "acr login --expose-token": SHOWS_SECRET,
    "acr login": LOGS_IN,
    "account set | cloud set | configure | init | config set | config unset | extension": SETS,
    "config get | config param-persist show | extension list | extension list-available | "
    "account show | account list | cloud list | tag list": LOOK,
    "config param-persist": SETS,
    "extension add | upgrade | aks install-cli | bicep install | bicep upgrade": (COMPONENTS),
    "extension remove | bicep uninstall": TAKEN_OUT,
    "bicep build | bicep decompile | bicep lint | bicep format | bicep generate-params": BUILD,
    "aks get-credentials": SETS,
    "group delete": STORE_GONE,
    "acr delete": STORE_GONE,
    "keyvault delete | keyvault purge | cosmosdb delete | redis delete | aks delete": STORE_GONE,
    "sql server delete | postgres flexible-server delete | postgres server delete | "
    "mysql flexible-server delete | mysql server delete": STORE_GONE,
    "group deployment validate | deployment group what-if | deployment sub what-if | "
    "deployment group validate | deployment sub validate": LOOK,
    "vm run-command | ssh vm | webapp ssh | container exec | containerapp exec | "
    "aks command invoke": RUNS_THERE,
    "interactive | feedback | survey | find | version | rest": LOOK,
    "webapp log | container logs | monitor activity-log": LOOK,
    "quantum job output | quantum workspace quotas": LOOK,
    "network nsg rule list": LOOK,
    "term show": LOOK,
    "term accept": CHANGE,
    "reservations reservation-order purchase": PAYS,
}


def _rest(call: Call) -> Iterator[Effect]:
    """`az rest`, `fly api`: the method tells what is done."""
    method = _option(call.texts, words("-m --method -X --request")).lower()
    if method in {"", "get", "head"}:
        yield call.operation(Verb.READ, Thing.CLOUD)
    else:
        verb = Verb.DELETE if method == "delete" else Verb.WRITE
        yield call.operation(
            verb, Thing.CLOUD, reach=Reach.REMOTE, reversible=verb is not Verb.DELETE
        )


def _option(texts: tuple[str, ...], names: frozenset[str]) -> str:
    for place, text in enumerate(texts):
        name, equals, value = text.partition("=")
        if name in names:
            return value if equals else " ".join(texts[place + 1 : place + 2])
    return ""


def _query(call: Call) -> Iterator[Effect]:
    """`bq query SQL`: the statement is taken apart."""
    for word in call.operands[1:]:
        if not word.text.startswith("-"):
            yield Nested(text=word.text, language="sql", carrier=call.name, is_known=word.is_known)
            return
    yield call.operation(Verb.READ, Thing.DATABASE)


def _dropped(call: Call) -> Iterator[Effect]:
    """`bq rm`: a data set (`-r`, `-d`) is a whole store, a table is none."""
    whole = bool({"-r", "-d", "--dataset", "--recursive"} & set(call.texts))
    yield call.operation(
        Verb.DELETE,
        Thing.CLOUD,
        " ".join(call.texts[1:4]),
        traits=(Trait.WHOLE_STORE,) if whole else (),
        reach=Reach.REMOTE,
        reversible=False,
    )


BQ: Mapping[str, Act | Handler] = {
    "query": _query,
    "rm": _dropped,
    "ls | show | head | wait | version | info": LOOK,
    "init": SETS,
    "extract": CHANGE,
    "mk | load | cp | insert | update | mkdef | cancel | partition": CHANGE,
}
LOGIN: Mapping[str, Act | Handler] = {
    "login | auth login | auth init | auth add | auth signup | configure | config set | setup | "
    "config create | init": LOGS_IN,
    "logout | auth logout | auth whoami | auth remove": INERT,
    "auth token | auth print-token | token | auth get-token": SHOWS_SECRET,
    "auth list | auth switch | config list | config show | config view | config get | whoami | "
    "config dump | config info | auth status": LOOK,
    "completion | completions | version | autocomplete | docs": INERT,
    "kubernetes cluster kubeconfig save | k8s cluster kubeconfig | ks cluster config": SETS,
}

PROGRAMS: tuple[Program, ...] = (
    program(
        "gcloud gcloud-beta",
        values="--project --account --configuration --format --verbosity --region --zone "
        "--filter --impersonate-service-account --billing-project --flags-file",
        clusters=False,
        subs={"storage": STORAGE},
        handler=service(special=GCLOUD),
    ),
    service_program(
        "az",
        {**AZ, "rest": _rest},
        values="--subscription --output -o --query",
    ),
    service_program("bq", BQ, values="--project_id --location --dataset_id --format --max_results"),
    service_program("gcpdiag", {"lint | runbook | search": LOOK}, bare=Verb.READ),
    service_program(
        "doctl hcloud linode-cli scw civo vultr-cli exo oci ibmcloud bx aliyun tccli huaweicloud "
        "ovhai upctl yc koyeb deployctl linode vultr latitude lsh equinix metal "
        "packet cloudscale kamatera gridscale ionosctl ionos stackit otc nifcloud katapult "
        "rackspace rack triton joyent brightbox cherryctl hostinger hetzner gscloud",
        {
            **LOGIN,
            "compute ssh": RUNS_THERE,
            "account get | account view | account settings": LOOK,
            "databases connection | databases user get | k8s kubeconfig": SHOWS_SECRET,
            "kubernetes cluster kubeconfig show": SHOWS_SECRET,
            "os object get": LOOK,
            "target | ks cluster config | plugin list | plugin repos": SETS,
            "plugin install | plugin update | install": COMPONENTS,
            "linodes backup-restore": CHANGE,
            "serverless connect | serverless init | serverless watch": SETS_PROJECT,
        },
        values="--access-token -t --context --config -c --output -o --profile --region",
    ),
    service_program(
        "openstack nova glance cinder neutron keystone heat ironic designate octavia",
        {
            "token issue | ec2 credentials create | ec2 credentials show | "
            "application credential create | keypair create": SHOWS_SECRET,
            "server ssh": RUNS_THERE,
            "console url show | console log show": LOOK,
            "object store account show | limits show | quota show": LOOK,
        },
        values="--os-cloud --os-project-name --os-username --os-password --os-auth-url "
        "--os-region-name",
    ),
)
