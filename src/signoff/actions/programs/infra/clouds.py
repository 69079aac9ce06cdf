"""Command lines of clouds: aws, gcloud, az and the many that follow the same verbs.

The words of a sub-command say what is done (`describe-instances`, `delete`); storage commands
copy and mirror, so they are described by hand.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Operation, Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Act, Effect, On, inert, remote
from signoff.actions.programs.call import Call
from signoff.actions.programs.lexicon import is_production, words
from signoff.actions.programs.net.transfer import mirrored
from signoff.actions.programs.program import Program, program, sub
from signoff.actions.shell.command import Word

CHANGE = remote(Verb.WRITE, Thing.CLOUD)
LOOK = Act(Verb.READ, Thing.CLOUD, On.NOTHING, always=True)
STORES = ("s3://", "gs://", "gcs://", "az://", "https://", "abfs://", "oss://", "cos://", "b2://")
BACKUP_WORDS = words("backup backups snapshot snapshots archive dump dumps")


def is_stored(text: str) -> bool:
    """Whether a word names something in object storage."""
    return text.startswith(STORES)


def _reach(text: str) -> Reach:
    return Reach.PRODUCTION if is_production(text) else Reach.REMOTE


def stored(call: Call, verb: Verb, word: Word, *traits: Trait) -> Operation:
    """One operation on something in object storage; backups are told by their names."""
    parts = set(word.text.lower().replace("-", "/").replace("_", "/").split("/"))
    is_backup = verb is Verb.DELETE and not BACKUP_WORDS.isdisjoint(parts)
    return call.operation(
        verb,
        Thing.BACKUP if is_backup else Thing.CLOUD,
        word.text,
        traits=traits,
        reach=_reach(word.text),
        reversible=verb is not Verb.DELETE,
    )


def _is_whole(text: str) -> bool:
    """Whether an address is a whole bucket: nothing stands behind its name."""
    return "/" not in text.split("://", 1)[-1].rstrip("/*")


def storage_copy(call: Call) -> Iterator[Effect]:
    """`cp`, `mv`, `sync`, `rsync` between files and object storage."""
    if call.has("--dryrun", "--dry-run", "-n"):
        yield call.operation(Verb.INERT, Thing.CLOUD, traits=(Trait.DRY_RUN,))
        return
    if len(call.operands) < 2:
        yield call.operation(Verb.READ, Thing.CLOUD)
        return
    source, target = call.operands[0], call.operands[-1]
    if is_stored(source.text):
        yield call.operation(Verb.NETWORK_IN, Thing.CLOUD, source.text, reach=Reach.REMOTE)
    elif source.text != "-":
        yield call.on_file(Verb.READ, source)
    if is_stored(target.text):
        yield call.operation(
            Verb.NETWORK_OUT,
            Thing.CLOUD,
            target.text,
            traits=(Trait.SENDS_FILES,) if not is_stored(source.text) else (),
            reach=_reach(target.text),
            reversible=False,
        )
    elif target.text != "-":
        yield call.on_file(Verb.WRITE, target)
    if call.has("--delete", "-d", "--delete-unmatched-destination-objects"):
        yield mirrored(call, target, (source,))
    if call.name.endswith((" mv", " move")) and is_stored(source.text):
        yield stored(call, Verb.DELETE, source)


def storage_remove(call: Call) -> Iterator[Effect]:
    """`rm`: recursively on a whole bucket it is the bucket that goes."""
    if call.has("--dryrun", "--dry-run"):
        yield call.operation(Verb.INERT, Thing.CLOUD, traits=(Trait.DRY_RUN,))
        return
    wide = call.has("--recursive", "-r", "-R", "--all-versions")
    for word in call.operands or (Word(text=""),):
        whole = wide and _is_whole(word.text)
        yield stored(call, Verb.DELETE, word, *((Trait.WHOLE_STORE,) if whole else ()))


def bucket_remove(call: Call) -> Iterator[Effect]:
    """`rb`: a bucket is deleted."""
    for word in call.operands or (Word(text=""),):
        yield stored(call, Verb.DELETE, word, Trait.WHOLE_STORE)


STORAGE = sub(
    LOOK,
    subs={
        "ls list presign du stat cat hash website-get": LOOK,
        "cp mv sync rsync copy move": sub(
            handler=storage_copy,
            values="--acl --exclude --include --storage-class --sse --content-type --region -x -J",
        ),
        "rm remove del": sub(handler=storage_remove, values="--exclude --include --region"),
        "rb": sub(handler=bucket_remove, values="--region"),
        "mb": CHANGE,
    },
    by_words=CHANGE,
)
AWS_VALUES = (
    "--profile --region --output --query --endpoint-url --cli-input-json --color --ca-bundle "
    "--cli-read-timeout --cli-connect-timeout"
)

PROGRAMS: tuple[Program, ...] = (
    program(
        "aws awslocal",
        inert(),
        values=AWS_VALUES,
        subs={
            "s3": STORAGE,
            "help": inert(),
            "configure": sub(
                Act(
                    Verb.CONFIGURE,
                    Thing.CREDENTIAL,
                    On.NOTHING,
                    reach=Reach.HOME,
                    always=True,
                ),
                subs={"list get list-profiles": LOOK},
            ),
            "sso": sub(LOOK, subs={"login logout": LOOK}),
        },
        by_words=CHANGE,
    ),
    program(
        "gsutil",
        inert(),
        values="-h -o -u",
        subs={
            "ls du stat cat hash version help": LOOK,
            "cp mv rsync": sub(handler=storage_copy, values="-x -J -z -a"),
            "rm": sub(handler=storage_remove),
            "rb": sub(handler=bucket_remove),
        },
        by_words=CHANGE,
    ),
    program(
        "gcloud",
        inert(),
        values="--project --account --configuration --format --verbosity --region --zone --filter",
        subs={
            "storage": STORAGE,
            "info version help topic cheat-sheet feedback init": LOOK,
        },
        by_words=CHANGE,
    ),
    program(
        "az gcloud-beta doctl hcloud linode-cli scw civo vultr-cli exo oci ibmcloud aliyun tccli "
        "openstack nova glance cinder heroku fly flyctl render railway vercel netlify now surge "
        "wrangler firebase supabase cf cloudflare amplify eb copilot sam serverless sls cdk "
        "chalice zappa ovhai upctl yc koyeb deployctl dokku caprover porter pscale neonctl "
        "turso atlas mongocli confluent ccloud databricks snow stripe twilio sendgrid "
        "shopify salesforce sf sfdx hubspot zendesk datadog newrelic sentry-cli pagerduty rollbar "
        "auth0 okta ory clerk algolia contentful sanity prismic ghost wp shop mcc s5cmd "
        "azcopy-of lightsail kaggle huggingface-cli hf modal runpodctl "
        "wandb replicate vastai lambda-cloud jira linear notion slack discord-cli "
        "telegram-cli zoom gam gyb clasp gdrive dropbox-cli onedrive jfrog jf nexus "
        "conjur cloudsmith packagecloud buildkite-agent circleci travis drone "
        "codecov coveralls launchdarkly ldcli split harness "
        "spacelift env0 scalr",
        inert(),
        by_words=CHANGE,
        subs={"help version completion": LOOK},
    ),
    program(
        "s3cmd mc b2 ossutil coscli s5cmd azcopy",
        inert(),
        subs={
            "ls la du info stat cat tree find diff version help list": LOOK,
            "cp mv put get sync mirror copy upload download": sub(handler=storage_copy),
            "rm del remove delete": sub(handler=storage_remove),
            "rb": sub(handler=bucket_remove),
        },
        by_words=CHANGE,
    ),
)
