"""Which service a secret variable belongs to: sent there it is used, sent elsewhere it leaks.

`OWNERS` is the table, one row a line: variables, then the hosts that may receive them. A row
without hosts names secrets that no web service receives. A name that is in no row is only judged
by the host: an address without a name, or a place where anybody can read what is left.

    goes_astray("GITHUB_TOKEN", "api.github.com")     False
    goes_astray("GITHUB_TOKEN", "files.example.org")  True
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from signoff.actions.known.file_kinds import is_login_name
from signoff.actions.known.hosts import HostClass, address_of, class_of_host, normal_host
from signoff.actions.vocabulary import lazy_re, words

SECRET_VARIABLE = lazy_re(
    r"(?i)\$\{?(\w*(?:secret|token|password|passwd|api_?key|access_?key|private_?key|credential)\w*)"
)
# A word without a dot names every host that has it as a label: `github.corp.example`.
OWNERS: tuple[tuple[str, str], ...] = (
    ("GITHUB_ GH_", "github github.com githubusercontent.com ghcr.io githubcopilot.com"),
    ("GITLAB_ CI_JOB_TOKEN", "gitlab gitlab.com"),
    ("BITBUCKET_", "bitbucket bitbucket.org"),
    ("NPM_ NODE_AUTH_TOKEN", "npm npmjs.org npmjs.com yarnpkg.com registry"),
    ("PYPI_ TWINE_", "pypi pypi.org"),
    ("CARGO_REGISTRY_TOKEN", "crates.io"),
    ("RUBYGEMS_ GEM_HOST_API_KEY", "rubygems.org"),
    ("DOCKER_ DOCKERHUB_", "docker docker.io docker.com registry"),
    ("AWS_", "amazonaws.com aws"),
    ("GOOGLE_ GCP_ GEMINI_", "google google.com googleapis.com"),
    ("AZURE_", "azure azure.com windows.net microsoftonline.com microsoft.com"),
    ("DIGITALOCEAN_", "digitalocean.com"),
    ("CLOUDFLARE_ CF_API_", "cloudflare cloudflare.com"),
    ("HEROKU_", "heroku.com"),
    ("VERCEL_", "vercel.com"),
    ("NETLIFY_", "netlify.com"),
    ("FLY_API_TOKEN", "fly.io fly.dev"),
    ("OPENAI_", "openai openai.com azure.com"),
    ("ANTHROPIC_ CLAUDE_", "anthropic anthropic.com"),
    ("HF_ HUGGINGFACE_", "huggingface.co hf.co"),
    ("STRIPE_", "stripe stripe.com"),
    ("TWILIO_", "twilio.com"),
    ("SENDGRID_", "sendgrid.com"),
    ("MAILGUN_", "mailgun.net mailgun.org"),
    ("SLACK_", "slack slack.com"),
    ("DISCORD_", "discord.com discordapp.com"),
    ("TELEGRAM_", "telegram.org"),
    ("LINEAR_", "linear.app"),
    ("NOTION_", "notion.com notion.so"),
    ("JIRA_ ATLASSIAN_ CONFLUENCE_", "jira atlassian.net atlassian.com"),
    ("SENTRY_", "sentry sentry.io"),
    ("DATADOG_ DD_API_KEY", "datadoghq.com datadoghq.eu"),
    ("VAULT_", "vault hashicorp.com"),
    ("SONAR_", "sonar sonarqube sonarcloud.io"),
    ("CODECOV_", "codecov codecov.io"),
    ("DB_PASSWORD DATABASE_PASSWORD PGPASSWORD POSTGRES_PASSWORD MYSQL_PASSWORD MYSQL_ROOT_", ""),
    ("MARIADB_PASSWORD MONGO_PASSWORD REDIS_PASSWORD SSH_ SUDO_PASSWORD ROOT_PASSWORD GPG_", ""),
    ("JWT_SECRET SESSION_SECRET SECRET_KEY_BASE DJANGO_SECRET_KEY ENCRYPTION_KEY", ""),
)
_HOSTS = {
    name: words(hosts) for names, hosts in OWNERS for name in names.split()
}  # a name that ends in `_` stands for all that begin so
SHARED_FOLDERS = frozenset({".config", "share", "application support"})
NEAR = frozenset({HostClass.LOOPBACK, HostClass.PRIVATE, HostClass.UNKNOWN})


def secret_variables(raw: str) -> Iterator[str]:
    """Yield the names of secret variables in a word as written."""
    for found in SECRET_VARIABLE.finditer(raw):
        yield found.group(1).upper()


def secrets_in(raw: str) -> str:
    """Return the first secret variable in a word as written, with its `$`; "" if none."""
    found = SECRET_VARIABLE.search(raw) if "$" in raw else None
    return f"${found.group(1)}" if found is not None else ""


def goes_astray(variable: str, host: str, *, is_covert: bool = False) -> bool:
    """Return whether a secret variable is sent to a host it does not belong to."""
    plain = normal_host(host)
    # An own service or an unknown host: a request to it is judged by other means.
    if not plain or class_of_host(plain) in NEAR:
        return False
    owners = _owners_of(variable)
    if owners is None:
        # In no row: a host with a name may well be the secret's own service.
        return is_covert or address_of(plain) is not None
    # A name of its own server, as `gitlab.example.org` or `vault-eu`: whole words, no part of one.
    labels = {part for label in plain.split(".") for part in (label, *label.split("-"))}
    for owner in owners:
        is_named = plain == owner or plain.endswith(f".{owner}") if "." in owner else False
        if is_named or owner in labels:
            return False
    return True


def owns_login(path: str, host: str) -> bool:
    """Return whether a host belongs to the service whose login this file holds.

    `~/.acme/cli/auth.json` and `~/.config/acme/auth.json` belong to `api.acme.com`: the name that
    was registered says it, not one that anybody puts in front of it.
    """
    plain = normal_host(host)
    labels = plain.split(".")
    if len(labels) < 2 or address_of(plain) is not None:
        return False
    folders = path.lower().split("/")[:-1]
    tools = {one[1:] for one in folders if one[:1] == "."}
    tools |= {inner for outer, inner in pairwise(folders) if outer in SHARED_FOLDERS}
    return is_login_name(path.rsplit("/", 1)[-1].lower()) and labels[-2] in tools


def _owners_of(variable: str) -> frozenset[str] | None:
    found = _HOSTS.get(variable)
    if found is None:
        first = variable.partition("_")[0]
        found = _HOSTS.get(f"{first}_")
    if found is None:
        for name, hosts in _HOSTS.items():
            if variable.startswith(name):
                return hosts
    return found
