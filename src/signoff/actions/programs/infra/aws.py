"""`aws` and tools around it: the operation's first word is the verb, the rest its noun.

Secrets are read by `get-secret-value` and `get-parameter --with-decryption`, not by listings; the
client's own configuration is the user's, not the cloud's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Act, Effect, Nested
from signoff.actions.programs.call import Call, rejoin
from signoff.actions.programs.infra.deeds import (
    ACCESS,
    BACKUP_GONE,
    BUILD,
    CHANGE,
    COSTS,
    FETCH,
    GONE,
    INERT,
    LOGS_IN,
    LOOK,
    OPENS,
    PAYS,
    RUNS_THERE,
    SENDS,
    SETS,
    SETS_PROJECT,
    SHOWS_SECRET,
    STORE_GONE,
)
from signoff.actions.programs.infra.services import names_production, service, service_program
from signoff.actions.programs.infra.stores import STORAGE
from signoff.actions.programs.program import Handler, Program, program

VALUES = (
    "--profile --region --output --query --endpoint-url --color --ca-bundle --cli-read-timeout "
    "--cli-connect-timeout --cli-binary-format --page-size --max-items --starting-token"
)
PUBLIC_MARKS = ("allusers", '"principal":"*"', '"aws":"*"', "public-read", '"principal":{"aws":"*"')


def _parameter(call: Call) -> Iterator[Effect]:
    """`ssm get-parameter`: decrypted it is a secret, else a setting."""
    if "--with-decryption" in call.texts:
        yield call.operation(
            Verb.READ, Thing.CREDENTIAL, "parameters", traits=(Trait.READS_SECRET,)
        )
    else:
        yield call.operation(Verb.READ, Thing.CLOUD, "parameters")


def _policy(call: Call) -> Iterator[Effect]:
    """`put-bucket-policy`, `put-bucket-acl`: who may read; everybody is a disaster."""
    text = "".join(call.texts).lower().replace(" ", "")
    opened = any(mark in text for mark in PUBLIC_MARKS)
    yield call.operation(
        Verb.CONFIGURE,
        Thing.CLOUD if opened else Thing.ACCOUNT,
        " ".join(call.texts[:2]),
        traits=(Trait.OPENS_ACCESS,) if opened else (),
        reach=Reach.PRODUCTION if names_production(call) else Reach.REMOTE,
        reversible=False,
    )


def _unblocked(call: Call) -> Iterator[Effect]:
    """`put-public-access-block ...=false`: the door that keeps buckets private is opened."""
    opened = any("=false" in text.lower() for text in call.texts)
    yield call.operation(
        Verb.CONFIGURE,
        Thing.CLOUD,
        " ".join(call.texts[:2]),
        traits=(Trait.OPENS_ACCESS,) if opened else (),
        reach=Reach.REMOTE,
    )


def _modify_snapshot(call: Call) -> Iterator[Effect]:
    """`modify-snapshot-attribute`, `modify-image-attribute`: shared with all it is public."""
    text = " ".join(call.texts)
    public = any(mark in text for mark in ("group-names all", "Group=all", "values-to-add all"))
    yield call.operation(
        Verb.CONFIGURE,
        Thing.CLOUD,
        " ".join(call.texts[:2]),
        traits=(Trait.OPENS_ACCESS,) if public else (),
        reach=Reach.REMOTE,
        reversible=False,
    )


def _invoked(call: Call) -> Iterator[Effect]:
    """`lambda invoke OUT`: code runs there, its answer is a file here."""
    yield call.operation(Verb.EXECUTE, Thing.CLOUD, "a function", reach=Reach.REMOTE)


def _configured(call: Call) -> Iterator[Effect]:
    """`aws configure get`: keys are secrets, a region is none."""
    secret = any("secret" in text or "token" in text for text in call.texts)
    traits = (Trait.READS_SECRET,) if secret else ()
    yield call.operation(
        Verb.READ, Thing.CREDENTIAL if secret else Thing.SETTING, "the profile", traits=traits
    )


AWS: Mapping[str, Act | Handler] = {
    "configure": SETS,
    "configure get": _configured,
    "configure list | configure list-profiles": LOOK,
    "configure export-credentials": SHOWS_SECRET,
    "login | sso login": LOGS_IN,
    "logout | sso logout": INERT,
    "history": LOOK,
    "secretsmanager get-secret-value | secretsmanager batch-get-secret-value": SHOWS_SECRET,
    "secretsmanager get-random-password": LOOK,
    "secretsmanager put-resource-policy": _policy,
    "ssm get-parameter | ssm get-parameters | ssm get-parameters-by-path | "
    "ssm get-parameter-history": _parameter,
    "ssm send-command | ssm start-automation-execution": RUNS_THERE,
    "ssm start-session | ecs execute-command | ec2-instance-connect ssh": RUNS_THERE,
    "ec2-instance-connect send-ssh-public-key": ACCESS,
    "sts assume-role | sts get-session-token | sts get-federation-token | "
    "sts assume-role-with-saml | sts assume-role-with-web-identity": SHOWS_SECRET,
    "sts get-caller-identity | sts decode-authorization-message": LOOK,
    "ecr get-login-password | ecr-public get-login-password | ecr get-authorization-token | "
    "eks get-token | ecr get-login | rds generate-db-auth-token | codeartifact "
    "get-authorization-token | ec2 get-password-data | redshift get-cluster-credentials | "
    "cognito-identity get-credentials-for-identity | lightsail get-instance-access-details | "
    "lightsail get-relational-database-master-user-password | "
    "lightsail download-default-key-pair | apigateway get-api-keys | kms decrypt | "
    "acm export-certificate": SHOWS_SECRET,
    "kms encrypt | kms generate-random | kms verify | kms sign | kms get-public-key": LOOK,
    "kms schedule-key-deletion | kms disable-key": STORE_GONE,
    "kms delete-alias": GONE,
    "codeartifact login": LOGS_IN,
    "eks update-kubeconfig": SETS,
    "s3api put-bucket-policy | s3api put-bucket-acl | s3api put-object-acl | "
    "sns add-permission | sqs add-permission | lambda add-permission | "
    "ecr set-repository-policy | kms put-key-policy | glacier set-vault-access-policy | "
    "s3control put-access-point-policy | opensearch update-domain-config": _policy,
    "s3api put-public-access-block | s3control put-public-access-block": _unblocked,
    "s3api delete-public-access-block | s3control delete-public-access-block": OPENS,
    "s3api select-object-content | s3api get-object": FETCH,
    "s3api delete-bucket-policy | s3api delete-bucket-encryption | "
    "s3api put-bucket-versioning | s3api put-bucket-lifecycle-configuration": CHANGE,
    "ec2 modify-snapshot-attribute | ec2 modify-image-attribute | "
    "rds modify-db-snapshot-attribute | rds modify-db-cluster-snapshot-attribute": (
        _modify_snapshot
    ),
    "ec2 run-instances | ec2 request-spot-instances | ec2 create-fleet": COSTS,
    "ec2 deregister-image": GONE,
    "ec2 wait | rds wait | cloudformation wait | ecs wait | eks wait": LOOK,
    "ec2 purchase-reserved-instances-offering | rds purchase-reserved-db-instances-offering | "
    "route53domains register-domain | route53domains renew-domain | "
    "route53domains transfer-domain | savingsplans create-savings-plan": PAYS,
    "rds delete-db-instance-automated-backup": BACKUP_GONE,
    "dynamodb delete-backup | backup delete-recovery-point | backup delete-backup-vault": (
        BACKUP_GONE
    ),
    "backup start-backup-job | backup start-copy-job": CHANGE,
    "cloudformation validate-template | cloudformation estimate-template-cost | "
    "cloudformation detect-stack-drift | cloudformation create-change-set | "
    "iam simulate-principal-policy | iam simulate-custom-policy | "
    "iam generate-credential-report | iam get-credential-report | "
    "iam generate-service-last-accessed-details | accessanalyzer validate-policy | "
    "stepfunctions validate-state-machine-definition | stepfunctions test-state": LOOK,
    "cloudformation package": CHANGE,
    "cloudtrail stop-logging | cloudtrail delete-trail | guardduty delete-detector | "
    "config stop-configuration-recorder | config delete-configuration-recorder | "
    "ec2 delete-flow-logs | securityhub disable-security-hub | macie2 disable-macie | "
    "guardduty disassociate-from-master-account | logs delete-log-group": Act(
        Verb.CONFIGURE,
        Thing.PROTECTION,
        traits=frozenset({Trait.BLINDS, Trait.WEAKENS}),
        reach=Reach.REMOTE,
        reversible=False,
    ),
    "iam create-access-key | iam create-login-profile | iam update-login-profile | "
    "iam attach-user-policy | iam attach-role-policy | iam attach-group-policy | "
    "iam put-user-policy | iam put-role-policy | iam put-group-policy | iam create-user | "
    "iam create-role | iam add-user-to-group | iam add-role-to-instance-profile | "
    "iam update-assume-role-policy | iam create-policy | iam create-policy-version | "
    "iam set-default-policy-version | iam update-access-key": ACCESS,
    "logs filter-log-events | logs start-query | logs tail | logs get-query-results | "
    "athena start-query-execution | athena stop-query-execution | cloudwatch get-metric-data | "
    "ce get-cost-and-usage | pricing get-products | health describe-events": LOOK,
    "sqs receive-message | sqs get-queue-url | sqs get-queue-attributes": LOOK,
    "sqs change-message-visibility | ses verify-email-identity | ses verify-email-address": CHANGE,
    "sns publish | sns publish-batch | ses send-email | sesv2 send-email | ses send-raw-email | "
    "pinpoint send-messages | chime send-channel-message": SENDS,
    "sns subscribe | sns unsubscribe | sns confirm-subscription": CHANGE,
    "sns check-if-phone-number-is-opted-out": LOOK,
    "lambda invoke | lambda invoke-async | stepfunctions start-execution | batch submit-job | "
    "codebuild start-build | codepipeline start-pipeline-execution | events put-events": _invoked,
    "dynamodb scan | dynamodb query | cloudsearchdomain search": (LOOK),
    "organizations leave-organization | organizations close-account | account disable-region": (
        STORE_GONE
    ),
    "opsworks | elasticbeanstalk terminate-environment": CHANGE,
}


def _with_keys(call: Call) -> Iterator[Effect]:
    """`aws-vault exec PROFILE -- program`: keys are handed to a program, which is judged too."""
    yield call.operation(Verb.READ, Thing.CREDENTIAL, "keys", traits=(Trait.READS_SECRET,))
    if "--" in call.texts:
        words = call.operands[call.texts.index("--") + 1 :]
        yield Nested(text=rejoin(words), language="shell", carrier=call.name)


JUDGE = service(special=AWS)


def _aws(call: Call) -> Iterator[Effect]:
    """`aws SERVICE OPERATION help`: operations take options only, so a third word is help."""
    if call.texts[2:3] == ("help",):
        yield call.operation(Verb.INERT, Thing.NOTHING)
    else:
        yield from JUDGE(call)


PROGRAMS: tuple[Program, ...] = (
    program(
        "aws awslocal aws2",
        values=VALUES,
        clusters=False,
        subs={"s3": STORAGE},
        handler=_aws,
    ),
    service_program(
        "sam samlocal",
        {
            "build | validate | init | local | traces | logs | list | pipeline init": BUILD,
            "delete": GONE,
            "publish": CHANGE,
        },
    ),
    service_program(
        "cdk cdklocal",
        {
            "synth | synthesize | diff | ls | list | doctor | docs | doc | notices | context | "
            "metadata | acknowledge": BUILD,
            "init | migrate": SETS_PROJECT,
            "destroy": GONE,
            "gc": GONE,
            "deploy | bootstrap | import | watch | rollback | refactor": CHANGE,
        },
    ),
    service_program("chalice", {"local | generate-pipeline | gen-policy | new-project": BUILD}),
    service_program(
        "eb",
        {
            "status | health | events | logs | list | printenv | config list": LOOK,
            "terminate": GONE,
            "local": BUILD,
            "ssh": RUNS_THERE,
            "use | init": SETS_PROJECT,
            "open | console": LOOK,
        },
    ),
    service_program(
        "amplify",
        {"status | mock | codegen | init | configure | add": BUILD, "delete": GONE},
    ),
    service_program(
        "aws-vault aws-google-auth aws-azure-login aws-okta awsume granted assume saml2aws "
        "gimme-aws-creds aws-sso aws-sso-util yawsso leapp",
        {
            "list | ls": LOOK,
            "add | login | rotate | clear": LOGS_IN,
            "remove | delete": Act(Verb.DELETE, Thing.CREDENTIAL, reach=Reach.HOME),
            "exec | export": _with_keys,
        },
        bare=Verb.CONFIGURE,
    ),
    service_program(
        "cli53",
        {
            "list | export": LOOK,
            "create | import | rrcreate | instances | dscreate": CHANGE,
            "delete | rrdelete | rrpurge": GONE,
        },
    ),
)
