"""Command lines of services for people and firms: payments, messages, issues, sites, pipelines.

What they send is seen by others, what they buy is paid; reading passes.
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
    CONTROL,
    FETCH,
    GONE,
    LOGS_IN,
    LOOK,
    PAYS,
    RELEASES,
    SECRET_SET,
    SENDS,
    SENDS_UP,
    SERVES,
    SETS,
    SETS_PROJECT,
    SHOWS_SECRET,
    STORE_GONE,
    far,
    near,
)
from signoff.actions.programs.infra.platforms import LOGIN
from signoff.actions.programs.infra.services import names_production, service_program
from signoff.actions.programs.program import Handler, Program

EMPTIED = near(Verb.DELETE, Thing.DATABASE, Trait.WHOLE_STORE, reversible=False)
LOSES_ROWS = near(Verb.DELETE, Thing.DATABASE, Trait.SCHEMA_LOSS, reversible=False)
FILLS = near(Verb.WRITE, Thing.DATABASE)
LOCAL_ACCOUNT = near(Verb.CONFIGURE, Thing.ACCOUNT, reversible=False)
PLUGIN = near(Verb.INSTALL, Thing.PACKAGE)


def _site_statement(call: Call) -> Iterator[Effect]:
    """`wp db query SQL`, `drush sql-query SQL`: the statement is taken apart."""
    environment = "production" if names_production(call) else ""
    words = [w for w in call.operands[1:] if w.text != "query" and not w.text.startswith("-")]
    for word in words[:1]:
        yield Nested(
            text=word.text,
            language="mysql",
            carrier=call.name,
            is_known=word.is_known,
            environment=environment,
        )
    if not words:
        yield call.operation(Verb.EXECUTE, Thing.DATABASE, reach=Reach.PROJECT)


def _site_code(call: Call) -> Iterator[Effect]:
    """`wp eval CODE`, `drush php:eval CODE`: PHP runs in the site."""
    for word in call.operands[1:2]:
        yield Nested(text=word.text, language="php", carrier=call.name, is_known=word.is_known)
    if len(call.operands) < 2:
        yield call.opaque("runs code that cannot be told")


SITE: Mapping[str, Act | Handler] = {
    "db query | sql-query | sqlq | sql query | db cli": _site_statement,
    "eval | php-eval | php eval | ev": _site_code,
    "db drop | db reset | db clean | site empty | sql-drop | sql drop | sql create | "
    "sql-create | setup uninstall | site delete": EMPTIED,
    "site-install | site install | si": LOSES_ROWS,
    "db export | db dump | sql-dump | sql dump | db size | db tables | db search | db check | "
    "core version | core check-update | core verify-checksums | cron event list | "
    "user check-password": LOOK,
    "config get | config list": SHOWS_SECRET,
    "db import | sql-sync | sql sync | rsync": LOSES_ROWS,
    "cache flush | cache clean | cache clear | transient delete | cr | cache delete | "
    "rewrite flush | queue purge": FILLS,
    "db create | db optimize | db repair | search-replace | option | post | term | menu | media | "
    "rewrite | cache | transient | theme | core | config | scaffold | maintenance-mode | comment | "
    "cron | i18n | language | widget | package list | cr | cache rebuild | updb | updatedb | cim | "
    "cex | config export | config import | pm | en | pmu | module | setup upgrade | setup di | "
    "indexer | deploy mode | queue | state | watchdog": FILLS,
    "post delete | option delete | comment delete | term delete | theme delete": FILLS,
    "plugin install | theme install | package install": PLUGIN,
    "plugin | core update": FILLS,
    "user create | user update | user set-role | user add-cap | user delete | user-create | "
    "super-admin | admin user create | user-password | user add-role | user reset-password": (
        LOCAL_ACCOUNT
    ),
    "user-login | uli | user login": SHOWS_SECRET,
    "server | serve | rs | runserver": SERVES,
}

PROGRAMS: tuple[Program, ...] = (
    service_program(
        "wp drush magento magerun n98-magerun2 n98-magerun joomla", SITE, reach=Reach.PROJECT
    ),
    service_program(
        "stripe",
        {
            **LOGIN,
            "listen | logs | samples | fixtures | trigger | serve | resources | terminal": BUILD,
            "charges create | payouts create | transfers create | payment_intents create | "
            "payment_intents confirm | payment_intents capture | refunds create | topups create | "
            "invoices pay | subscriptions create": PAYS,
            "get | events resend": LOOK,
            "post": CHANGE,
            "config": SETS,
        },
        values="--api-key --project-name -p",
    ),
    service_program(
        "twilio sendgrid mailgun postmark mailchimp resend vonage nexmo plivo messagebird "
        "telnyx brevo klaviyo customerio courier-cli novu",
        {
            **LOGIN,
            "profiles list | phone-numbers list | debugger logs": LOOK,
            "profiles create | profiles use | profiles": LOGS_IN,
            "phone-numbers buy": PAYS,
            "api core messages create | email send | sms | messages create | send": SENDS,
            "serverless start | serverless init": BUILD,
        },
    ),
    service_program(
        "jira linear notion asana trello clickup monday zendesk freshdesk intercom hubspot "
        "servicenow pagerduty pd opsgenie todoist td gcalcli zapier n8n ifttt airtable confluence "
        "shortcut youtrack redmine basecamp miro figma contentful sanity prismic storyblok "
        "strapi directus algolia typesense meilisearch coveo ldcli launchdarkly split-cli "
        "unleash flagsmith statsig posthog segment mixpanel amplitude rudder braze",
        {
            **LOGIN,
            "login": LOGS_IN,
            "me | open | browse | agenda | calw | calm | sprint list | issue list | issue view | "
            "epic list | board list | project list | boards": LOOK,
            "init | test | build | validate | scaffold | describe | invoke | convert | dev | "
            "cache": BUILD,
            "push | promote | migrate | register | deploy": CHANGE,
            "config get | config list": LOOK,
            "dataset delete | space delete": STORE_GONE,
            "dataset export | space export | export": LOOK,
            "sprint close | sprint add | epic add": CHANGE,
            "team add | user add | users add": ACCESS,
            "start | serve": SERVES,
            "env get | env list": SHOWS_SECRET,
        },
    ),
    service_program(
        "salesforce sf sfdx",
        {
            **LOGIN,
            "org login | org:login | org create | auth web login": LOGS_IN,
            "org display | org list | org open | data query | sobject | schema | limits": LOOK,
            "org display --verbose | org list auth | org auth show-access-token": SHOWS_SECRET,
            "project generate | project retrieve | apex generate | lightning generate | "
            "project convert | project deploy preview | project deploy validate | code-analyzer | "
            "scanner run | lightning dev | apex test | apex get": BUILD,
            "org delete": GONE,
            "apex run": CHANGE,
            "data delete bulk": STORE_GONE,
            "config": SETS_PROJECT,
        },
    ),
    service_program(
        "auth0 okta ory keto clerk workos stytch fusionauth kcadm.sh kcadm authentik "
        "descope supertokens casdoor",
        {
            **LOGIN,
            "config credentials": LOGS_IN,
            "apps show --reveal-secrets | test token": SHOWS_SECRET,
            "tenants list | apps list | logs": LOOK,
            "serve": SERVES,
            "users import": ACCESS,
        },
    ),
    service_program(
        "circleci travis drone concourse harness spacelift buildkite-agent "
        "teamcity tw semaphore sem buddy bitrise earthly-cloud depot cirrus hydroxide",
        {
            **LOGIN,
            "setup": LOGS_IN,
            "local | config validate | config process | config pack | orb validate | orb process | "
            "orb pack | orb init | config | lint | exec | fmt | compile | convert | diagnostic | "
            "orb list | orb source | orb info | policy test | policy diff": BUILD,
            "policy status | policy decide | policy logs | context list | pipeline list | follow | "
            "version | check | env list | env dump": LOOK,
            "env | secret | context store-secret | encrypt": SECRET_SET,
            "context remove-secret | secret rm": far(Verb.DELETE, Thing.CREDENTIAL),
            "orb publish": RELEASES,
            "token": SHOWS_SECRET,
            "restart | cancel | build restart | build stop | start | trigger": CONTROL,
            "artifact download | artifact search": FETCH,
            "artifact upload | annotate | meta-data set | pipeline upload": CHANGE,
        },
        values="-s --server -t --token --host --org -i -r --repo",
    ),
    service_program(
        "sentry-cli datadog datadog-ci ddog newrelic nr1 rollbar bugsnag honeycomb "
        "logdna lightstep grafana-cli grafana grafanactl grr promlens logz statuspage "
        "checkly betterstack uptime-kuma cronitor hyperping dynatrace dtctl monaco splunk "
        "sumologic elastic-package coralogix chronosphere axiom instana",
        {
            **LOGIN,
            "login": LOGS_IN,
            "info | bash-hook | monitors list | releases list | "
            "releases propose-version | projects list | organizations list | "
            "plugins list-remote | plugins ls | validate | test | lint": LOOK,
            "plugins install | plugins update | plugins update-all": PLUGIN,
            "plugins uninstall | plugins remove": near(Verb.DELETE, Thing.PACKAGE),
            "send-event | send-envelope | upload-dif | upload-dsym | upload-proguard | "
            "sourcemaps upload | debug-files upload | junit upload | coverage upload | "
            "sarif upload | dsyms upload": SENDS_UP,
            "sourcemaps inject | sourcemaps resolve | debug-files check | monitors run": BUILD,
            "cli plugins ls | cli plugins list-remote | cli plugins list-versions": LOOK,
            "cli plugins install | cli plugins update | cli plugins update-all": PLUGIN,
            "cli plugins uninstall | cli plugins remove": near(Verb.DELETE, Thing.PACKAGE),
            "admin reset-admin-password | cli admin reset-admin-password | cli": LOCAL_ACCOUNT,
            "server | search | help | list | show": LOOK,
            "stop | restart | clean": CONTROL,
            "clean eventdata": STORE_GONE,
        },
    ),
    service_program(
        "jfrog jf nexus-cli cloudsmith packagecloud gemfury fury chainctl anchore-cli tanzu",
        {
            **LOGIN,
            "config add | c add | config | auth configure-docker": LOGS_IN,
            "rt ping | rt search | rt s | rt curl | audit | scan | rt build-scan": LOOK,
            "rt delete | rt del": GONE,
            "rt repo-delete": STORE_GONE,
            "rt upload | rt u | rt dp | rt publish": RELEASES,
            "rt download | rt dl | npm install | mvn | gradle | pip install | go": BUILD,
            "iam": LOOK,
            "push": RELEASES,
        },
    ),
)
