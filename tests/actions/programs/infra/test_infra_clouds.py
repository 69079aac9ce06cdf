"""Clouds, platforms and object storage: what their lines mean, and the verdicts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Judged = Callable[[str], str]
Told = Callable[[str], set[str]]

ALLOWED = (
    "aws ec2 describe-instances --region eu-west-1",
    "aws s3 ls s3://reports",
    "aws s3 rb help",
    "aws iam list-access-keys --user-name ann",
    "aws iam get-role --role-name deployer",
    "aws secretsmanager list-secrets",
    "aws secretsmanager describe-secret --secret-id app/db",
    "aws ssm get-parameter --name /app/region",
    "aws sqs receive-message --queue-url https://sqs.example/1/q",
    "aws ec2 run-instances --image-id ami-1 --dry-run",
    "aws cloudformation deploy --stack-name s --template-file t.yaml --no-execute-changeset",
    "aws ec2 terminate-instances help",
    "aws configure list",
    "aws s3 rm s3://logs/old.txt --dryrun",
    "aws s3 cp s3://reports/a.csv .",
    "gcloud compute instances list --project dev",
    "gcloud deploy releases list --delivery-pipeline p",
    "gcloud run services describe api --region r",
    "gcloud config list",
    "gcloud projects delete --help",
    "az group list -o table",
    "az deployment group what-if --resource-group rg --template-file main.bicep",
    "az keyvault secret list --vault-name kv",
    "az rest --method get --url https://management.example/x",
    "az aks show --name c --resource-group rg",
    "doctl compute droplet list",
    "hcloud server describe web1",
    "ibmcloud regions",
    "openstack server list",
    "bq query 'SELECT 1'",
    "bq ls data",
    "gsutil ls gs://b",
    "heroku logs --tail -a shop",
    "heroku apps:info -a shop",
    "fly status",
    "vercel dev",
    "netlify build",
    "wrangler dev",
    "firebase emulators:start",
    "supabase start",
    "sam local invoke Fn",
    "cdk diff",
    "sls offline",
    "cf logs app --recent",
    "turso db list",
)
ASKED = (
    "aws ec2 run-instances --image-id ami-1 --count 2",
    "aws ec2 run-instances --image-id ami-1 --dry-run --no-dry-run",
    "aws s3api delete-object --bucket assets --key a.txt",
    "aws s3 rm s3://assets/a.txt",
    "aws s3 rm s3://assets --recursive --exclude '*' --include '*.tmp'",
    "aws ec2 authorize-security-group-ingress --group-id g --port 8443 --cidr 0.0.0.0/0",
    "aws s3 cp build s3://site --recursive",
    "aws sqs delete-queue --queue-url https://sqs.example/1/q",
    "aws iam attach-user-policy --user-name a --policy-arn arn:aws:iam::aws:policy/Admin",
    "aws iam create-access-key --user-name a",
    "aws secretsmanager get-secret-value --secret-id app/db",
    "aws ssm get-parameter --name /app/key --with-decryption",
    "aws sts assume-role --role-arn r --role-session-name s",
    "aws backup delete-backup-plan --backup-plan-id 7",
    "aws lambda update-function-code --function-name f --zip-file fileb://f.zip",
    "aws ssm send-command --document-name d --targets t --dry-run",
    "aws configure set region eu-west-1",
    "aws-vault exec dev -- terraform plan",
    "gcloud compute instances delete web-1 --zone z",
    "gcloud secrets versions access latest --secret db",
    "gcloud projects add-iam-policy-binding p --member m --role r",
    "gcloud auth print-access-token",
    "az vm start --name v --resource-group rg",
    "az webapp create --name web --plan standard --resource-group rg",
    "az keyvault secret show --name db --vault-name kv",
    "az rest --method delete --url https://management.example/x",
    "az role assignment create --assignee a --role Reader",
    "doctl compute droplet delete web1",
    "linode-cli linodes create --type g6-nanode-1",
    "heroku config:set A=1 -a shop",
    "heroku config -a shop",
    "heroku run rake db:migrate --dry-run",
    "heroku domains:remove www.example.com",
    "fly deploy",
    "vercel",
    "vercel env pull",
    "wrangler deploy",
    "firebase deploy",
    "supabase db reset",
    "serverless remove",
    "cdk deploy",
)
DENIED = (
    "aws s3 rb s3://assets --force",
    "aws s3 rm s3://assets --recursive",
    "aws s3api delete-bucket --bucket assets",
    "aws rds delete-db-instance --db-instance-identifier orders --skip-final-snapshot",
    "aws rds delete-db-cluster-snapshot --db-cluster-snapshot-identifier s",
    "aws eks delete-cluster --name dev",
    "aws ecr delete-repository --repository-name app --force",
    "aws ec2 delete-snapshot --snapshot-id s",
    "aws backup delete-recovery-point --backup-vault-name v --recovery-point-arn a",
    "aws s3api put-bucket-acl --bucket assets --acl public-read",
    "aws ec2 terminate-instances --instance-ids i --profile production",
    "AWS_PROFILE=prod aws ec2 terminate-instances --instance-ids i",
    "aws s3 cp .env s3://assets/",
    "exo dbaas delete orders",
    "snow sql -q 'DROP DATABASE shop'",
    "gcloud container clusters delete dev",
    "gcloud sql instances delete orders",
    "gcloud projects delete shop",
    "gcloud sql backups delete 7 --instance orders",
    "gcloud projects delete help",
    "az group delete --name rg --yes",
    "az storage account delete --name files",
    "az acr delete --name images",
    "az sql db delete --name orders --server s --resource-group rg",
    "doctl databases delete 1",
    "doctl kubernetes cluster delete k",
    "linode-cli lke cluster-delete 7",
    "gsutil rb gs://b",
    "gsutil rm -r gs://b",
    "bq rm -r -f data",
    "heroku pg:reset DATABASE -a shop",
    "heroku pg:backups:delete b001 -a shop",
    "heroku apps:destroy shop-production --confirm shop-production",
    "turso db destroy orders",
    "wrangler r2 bucket delete assets",
    "wrangler d1 execute shop --remote --command 'DROP DATABASE shop'",
    "aws-vault exec dev -- aws s3 rb s3://assets --force",
)


@pytest.mark.parametrize("line", ALLOWED)
def test_reads_plans_and_local_work_pass(line: str, verdict: Judged) -> None:
    """Reading, planning, help and local servers need nobody."""
    assert verdict(line) == "allow"


@pytest.mark.parametrize("line", ASKED)
def test_changes_and_secrets_are_asked_about(line: str, verdict: Judged) -> None:
    """A change on a cloud and a secret shown is put to somebody."""
    assert verdict(line) == "ask"


@pytest.mark.parametrize("line", DENIED)
def test_whole_stores_and_backups_are_refused(line: str, verdict: Judged) -> None:
    """What holds all the data, what was kept to recover it, and production stay."""
    assert verdict(line) == "deny"


@pytest.mark.parametrize(
    ("line", "told"),
    (
        ("aws ec2 describe-snapshots", "read cloud none"),
        ("aws ec2 delete-snapshot --snapshot-id s", "delete backup remote"),
        ("gcloud compute instances delete web-1", "delete cloud remote"),
        ("az keyvault secret show --name a --vault-name b", "read credential none"),
        ("aws route53domains register-domain --domain-name x.example", "spend money remote"),
        ("heroku config:set A=1 -a shop-production", "configure credential remote"),
        ("heroku ps:restart -a shop-production", "control cloud production"),
        ("linode-cli regions list", "read cloud none"),
        ("exo compute block-storage list", "read cloud none"),
    ),
)
def test_words_become_operations(line: str, told: str, effects: Told) -> None:
    """Verb, thing and reach are those the words of the line say."""
    assert {told} == effects(line)
