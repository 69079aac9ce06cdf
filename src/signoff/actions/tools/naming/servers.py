"""What kind of server a tool belongs to, by the server's name.

split_tool("mcp__plugin_ops_github__merge_pull_request")
    -> Tool(server=("ops", "github"), words=("merge", "pull", "request"), kind=TRACKER)
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from signoff.actions.code.computing.names import APPLICATION_WORDS, OWN_SERVERS, RUN_BESIDE
from signoff.actions.lexicon.languages.translations import in_english
from signoff.actions.lexicon.names import LONGEST_NAME, split_words, vocabulary
from signoff.actions.lexicon.verbs import Lead
from signoff.actions.operation import ResourceType, Verb
from signoff.actions.vocabulary import Vocabulary


class ServerKind(Vocabulary):
    """What an MCP server gives access to, as its name tells."""

    FILES = "files"
    SHELL = "shell"
    DATABASE = "database"
    GIT = "git"
    TRACKER = "tracker"  # issues, tickets, hosted repositories, shared documents
    CHAT = "chat"
    MAIL = "mail"
    CALENDAR = "calendar"
    CLOUD = "cloud"
    CLUSTER = "cluster"
    CONTAINER = "container"
    BROWSER = "browser"
    WEB = "web"  # fetching and searching
    MONEY = "money"
    SECRETS = "secrets"
    NOTES = "notes"  # memory, thinking, to-do lists, time: the agent's own
    EDITOR = "editor"
    OTHER = "other"


_WORDS = (
    (
        ServerKind.FILES,
        "filesystem fs files file commander obsidian word excel powerpoint docx xlsx pptx",
    ),
    (ServerKind.SHELL, "shell terminal bash exec ssh cli command powershell zsh iterm tmux"),
    (
        ServerKind.DATABASE,
        "postgres postgresql mysql mariadb sqlite mssql oracle mongo mongodb redis supabase"
        " bigquery snowflake clickhouse duckdb cockroach cassandra dynamodb neo elasticsearch"
        " opensearch qdrant pinecone chroma weaviate milvus airtable database db sql neon"
        " planetscale dbhub databricks motherduck singlestore",
    ),
    (ServerKind.GIT, "git"),
    (
        ServerKind.TRACKER,
        "github gitlab jira linear bitbucket sentry asana trello clickup notion confluence"
        " atlassian todoist shortcut zendesk intercom hubspot salesforce freshdesk servicenow"
        " pagerduty monday basecamp youtrack redmine gitea figma miro devops coda crm drive gdrive"
        " docs sheets dropbox sharepoint onedrive box wordpress ghost medium opsgenie statuspage",
    ),
    (
        ServerKind.CHAT,
        "slack discord teams telegram whatsapp signal mattermost zulip twitter x linkedin reddit"
        " mastodon bluesky facebook instagram youtube tiktok social imessage matrix",
    ),
    (ServerKind.MAIL, "gmail email mail outlook sendgrid mailgun resend twilio postmark mailchimp"),
    (ServerKind.CALENDAR, "calendar gcal calendly cal"),
    (
        ServerKind.CLOUD,
        "aws azure gcp cloudflare vercel netlify heroku terraform digitalocean render railway fly"
        " s ec lambda cloud gcloud pulumi firebase hetzner linode datadog grafana newrelic circleci"
        " jenkins buildkite ansible launchdarkly route cloudwatch iam okta",
    ),
    (ServerKind.CLUSTER, "kubernetes kubectl helm argocd openshift rancher ks istio flux"),
    (ServerKind.CONTAINER, "docker podman containerd"),
    (ServerKind.BROWSER, "playwright puppeteer browser chrome selenium browserbase stagehand"),
    (
        ServerKind.WEB,
        "fetch web http brave tavily exa firecrawl perplexity duckduckgo serper wikipedia arxiv"
        " deepwiki context news weather maps overpass osm openstreetmap nominatim geocoding"
        " wikidata",
    ),
    (
        ServerKind.MONEY,
        "stripe paypal square bank banking plaid braintree adyen wise coinbase binance alpaca"
        " quickbooks xero payments payment broker trading kraken revolut brex ramp",
    ),
    (
        ServerKind.SECRETS,
        "vault onepassword password bitwarden doppler infisical secrets keychain lastpass dashlane"
        " keeper keepass",
    ),
    (
        ServerKind.NOTES,
        "memory thinking sequential sequentialthinking time calculator todo everything notes"
        " knowledge math scratchpad mem",
    ),
    (
        ServerKind.EDITOR,
        "ide vscode jetbrains serena lsp language editor intellij xcode neovim nvim vim emacs"
        " jupyter",
    ),
)
KINDS: dict[str, ServerKind] = {
    word: kind for kind, words in _WORDS for word in sorted(vocabulary(words))
}

# Servers that work on this machine or only on the agent's own notes.
LOCAL = frozenset(
    {
        ServerKind.FILES,
        ServerKind.SHELL,
        ServerKind.GIT,
        ServerKind.NOTES,
        ServerKind.EDITOR,
        ServerKind.CONTAINER,
        ServerKind.DATABASE,  # what the policy calls a development database, unless it says so
    }
)

# What a server's tools are about where the tool's name does not say.
THINGS = {
    ServerKind.FILES: ResourceType.FILE,
    ServerKind.SHELL: ResourceType.CODE,
    ServerKind.DATABASE: ResourceType.DATABASE,
    ServerKind.GIT: ResourceType.REPOSITORY,
    ServerKind.TRACKER: ResourceType.MESSAGE,
    ServerKind.CHAT: ResourceType.MESSAGE,
    ServerKind.MAIL: ResourceType.MESSAGE,
    ServerKind.CALENDAR: ResourceType.MESSAGE,
    ServerKind.CLOUD: ResourceType.CLOUD,
    ServerKind.CLUSTER: ResourceType.CLUSTER,
    ServerKind.CONTAINER: ResourceType.CONTAINER,
    ServerKind.BROWSER: ResourceType.URL,
    ServerKind.WEB: ResourceType.URL,
    ServerKind.MONEY: ResourceType.MONEY,
    ServerKind.SECRETS: ResourceType.CREDENTIAL,
    ServerKind.NOTES: ResourceType.NOTHING,
    ServerKind.EDITOR: ResourceType.FILE,
    ServerKind.OTHER: ResourceType.NOTHING,
}


# What a tool without a verb shows: `browser_console_messages`.
READ_NOUNS = vocabulary(
    "logs log messages requests events console tabs snapshot screenshot status health info details"
    " history metrics stats schema tables columns resources pods nodes services issues comments"
    " branches commits reviews diagnostics symbols references definition docs documentation version"
    " versions usage roles users files diff output state title text content cookies"
    " buffer buffers registers cursor selection"
)
# Names of tools that say no more than that something is run.
RUNNER_WORDS = vocabulary(
    "run runs exec execute command commands cmd shell bash sh zsh terminal console script scripts"
    " code python node javascript js sql query statement eval evaluate start process program in on"
    " and the a with background async sync remote local sandbox container pod interactive capture"
    " output line lines invoke launch spawn do call system subprocess ssh host server job task"
    " test tests build lint format repl kernel notebook cell jupyter powershell pwsh git npm make"
    " docker kubectl cargo gh cli aws az gcloud terraform helm psql interpreter"
    " cql n1ql n ql sqlpp soql gql kql promql logql cypher sparql ksql mdx dax aql"
)

# Clients of stores: what they are handed is read as a line of theirs.
CLIENT_WORDS = vocabulary("redis valkey keydb dragonfly dragonflydb etcd mongosh mongo")
# Systems of routers and switches, and libraries that type at them.
NETWORK_WORDS = vocabulary(
    "netmiko napalm scrapli junos cisco iosxe iosxr nxos arista eos vyos huawei vrp comware aruba"
    " procurve frr vtysh"
)
# What a tool without a verb is asked for: `freebusy`, `room_availability`, `quote`.
ASKED_NOUNS = vocabulary(
    "freebusy availability quote quotes rates fares tariffs prices timetable timetables forecast"
    " estimate balance balances concordance concordances thesaurus glossary synonyms"
)


class Tool(Struct, frozen=True):
    """A tool's name, split into server and words."""

    server: tuple[str, ...]
    words: tuple[str, ...]
    kind: ServerKind


def only_runs(tool: Tool, *, is_production: bool) -> bool:
    """Return whether a tool's name says no more than that it runs what it is given.

    A language named beside it counts where no service stands behind: `run_php`, `octave: evaluate`.
    """
    if (RUNNER_WORDS | CLIENT_WORDS).issuperset(tool.words):
        return tool.words != ("launch",)
    if types_at_devices(tool):
        return True
    is_own = is_own_server(tool) and not is_production
    return is_own and (RUNNER_WORDS | RUN_BESIDE).issuperset(tool.words)


def types_at_devices(tool: Tool) -> bool:
    """Return whether a tool only types lines at routers and switches: `netmiko_send_command`."""
    is_theirs = not NETWORK_WORDS.isdisjoint((*tool.server, *tool.words))
    return is_theirs and (RUNNER_WORDS | NETWORK_WORDS | {"send", "router"}).issuperset(tool.words)


def asked_lead(tool: Tool) -> Lead | None:
    """Return the verb of a tool that is named after what it is asked for: `room_availability`."""
    # To quote a message publishes it again.
    if tool.kind is ServerKind.CHAT or not ASKED_NOUNS.intersection(tool.words[-1:]):
        return None
    return Lead(Verb.READ, tool.words[-1], len(tool.words) - 1)


def is_own_server(tool: Tool) -> bool:
    """Return whether no service stands behind a tool that runs code, by its server's name."""
    return OWN_SERVERS.issuperset(tool.server)


def application_language(tool: Tool) -> str:
    """Return the language of an application's console, "" if a tool belongs to no such one."""
    words = (*tool.server, *tool.words)
    return next((APPLICATION_WORDS[word] for word in words if word in APPLICATION_WORDS), "")


# Words that name a server, but as the first word of a tool's own name mean nothing of the kind.
_COMMON = vocabulary(
    "file files fetch web http mail email time command x s route fly square signal linear cal docs"
    " box render monday exec shell db database sql payment payments context language everything"
    " teams cloud memory render git word excel browser signal notes todo broker matrix"
)


def split_tool(name: str) -> Tool:
    """Split a tool's name `mcp__server__tool`, with or without a plugin's name."""
    return _kept_tool(name) if len(name) <= LONGEST_NAME else _tool(name)


def _tool(name: str) -> Tool:
    prefix, _, rest = name.partition("__")
    if prefix.lower() != "mcp" or "__" not in rest:
        words = in_english(split_words(name))
        return Tool((), words, _kind_of((), words))
    server, _, tool = rest.partition("__")
    words = in_english(split_words(tool))
    names = split_words(server)
    # Servers that a plugin brings are called `plugin_NAME_SERVER`.
    names = names[1:] if names[:1] == ("plugin",) else names
    return Tool(names, words, _kind_of(names, words))


_kept_tool = lru_cache(maxsize=1_024)(_tool)


def _kind_of(server: tuple[str, ...], words: tuple[str, ...]) -> ServerKind:
    """The kind of a server: the last word of its name that tells, else the tool's first."""
    # The last word first: in `github_files` the head is `files`.
    for word in (*reversed(server), *words[:1]):
        if word in KINDS and (word in server or word not in _COMMON):
            return KINDS[word]
    return ServerKind.OTHER
