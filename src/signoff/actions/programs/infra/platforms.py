"""Platforms that host applications: heroku, fly, vercel, netlify, firebase, supabase and more.

Deploying and configuring changes what others use; showing an application's configuration shows
its secrets; local servers and builds are ordinary work.
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
    CONTROL,
    GONE,
    INERT,
    LOGS_IN,
    LOOK,
    OPENS,
    PAYS,
    RUNS_THERE,
    SECRET_SET,
    SENDS,
    SETS,
    SETS_PROJECT,
    SHOWS_SECRET,
    STORE_GONE,
    near,
)
from signoff.actions.programs.infra.services import names_production, service_program
from signoff.actions.programs.program import Handler, Program

Table = Mapping[str, Act | Handler]
LOCAL_RESET = near(Verb.DELETE, Thing.DATABASE, Trait.SCHEMA_LOSS, reversible=False)
LOGIN: Table = {
    "login | auth login | auth:login | link | switch | auth switch | init | signup": LOGS_IN,
    "logout | auth logout | whoami | auth whoami | unlink | version | docs | help | status | "
    "open | auth status | browse | dashboard": INERT,
    "auth token | auth:token | token": SHOWS_SECRET,
}


def remote_statement(call: Call) -> Iterator[Effect]:
    """`heroku pg:psql -c SQL`, `wrangler d1 execute DB --command SQL`: the SQL is taken apart."""
    texts = call.texts
    environment = "production" if names_production(call) else ""
    done = False
    for place, text in enumerate(texts):
        name, equals, value = text.partition("=")
        if name in {"-c", "--command", "--sql", "-q", "--query"}:
            statement = value if equals else " ".join(texts[place + 1 : place + 2])
            yield Nested(text=statement, language="sql", carrier=call.name, environment=environment)
            done = True
    if not done:
        yield call.operation(Verb.EXECUTE, Thing.DATABASE, reach=Reach.REMOTE)


def within(call: Call) -> Iterator[Effect]:
    """`doppler run -- program`, `heroku local`: the program after `--` is judged by itself."""
    start = call.texts.index("--") + 1 if "--" in call.texts else 1
    words = call.operands[start:]
    if words:
        yield Nested(text=rejoin(words), language="shell", carrier=call.name)
    else:
        yield call.operation(Verb.EXECUTE, Thing.CODE, reach=Reach.PROJECT)


def _deploying(names: str, **more: Table) -> Program:
    """A platform whose bare call deploys the folder: `vercel`, `surge`, `now`."""
    return service_program(
        names, {**LOGIN, **more.get("table", {})}, values="--token -t --cwd", bare=Verb.PUBLISH
    )


PROGRAMS: tuple[Program, ...] = (
    service_program(
        "heroku",
        {
            **LOGIN,
            "config get | config": SHOWS_SECRET,
            "config set | config unset | config edit | config remove": SECRET_SET,
            "pg credentials url | pg credentials | redis credentials": SHOWS_SECRET,
            "pg psql": remote_statement,
            "pg reset | pg push | addons destroy | addons remove | apps destroy | destroy": (
                STORE_GONE
            ),
            "pg backups delete": BACKUP_GONE,
            "pg backups | pg info | pg diagnose | pg pull | pg ps | releases | logs | ps | apps | "
            "addons | domains | buildpacks | pipelines | regions | stack | labs | access | "
            "features | git clone | notifications | members | teams | certs | drains": LOOK,
            "pg backups capture | pg backups restore | pg backups schedule | pg kill | "
            "pg promote | pg upgrade | pg copy | ps stop | ps kill": CHANGE,
            "apps destroy": GONE,
            "run | ps exec | console": RUNS_THERE,
            "local | plugins | autocomplete | git remote": BUILD,
            "access add | access remove | access update | sharing": ACCESS,
            "ps scale | ps restart | ps resize | maintenance on | maintenance off | restart | "
            "scale": CONTROL,
        },
        values="-a --app -r --remote",
    ),
    service_program(
        "fly flyctl",
        {
            **LOGIN,
            "auth docker": LOGS_IN,
            "tokens create | tokens": SHOWS_SECRET,
            "ssh | console | machine exec | mpg connect | postgres connect": RUNS_THERE,
            "proxy | logs | doctor | dig | ping | checks | releases | services | platform": LOOK,
            "launch | deploy": CHANGE,
            "volumes destroy | volumes delete": STORE_GONE,
            "postgres create | volumes create | apps create | apps open-console": CHANGE,
            "apps destroy | destroy | machine destroy | machines destroy": GONE,
            "config": LOOK,
            "config save | config validate": SETS_PROJECT,
            "secrets set | secrets unset | secrets import | secrets deploy": SECRET_SET,
            "apps restart | apps move | volumes extend | volumes update | volumes fork": CHANGE,
        },
        values="-a --app -c --config -t --access-token",
    ),
    service_program(
        "railway render koyebctl northflank zeabur porter qovery dokku caprover coolify "
        "platform upsun clever scalingo tsuru cf cf7 cf8 epinio acorn encore nhost appwrite "
        "convex begin architect sherpa piku gigalixir",
        {
            **LOGIN,
            "api | target | dev | local": LOGS_IN,
            "run": within,
            "variables | config show | env | environment | config export | app env": SHOWS_SECRET,
            "connect | shell | ssh | enter | exec": RUNS_THERE,
            "app env set": CHANGE,
            "service | environment": SETS_PROJECT,
            "marketplace | buildpacks | stacks | orgs | spaces | apps | app | events | quotas": (
                LOOK
            ),
            "set-env | unset-env | config set | variables set": SECRET_SET,
            "delete-org | delete-space": STORE_GONE,
            "postgres destroy | mysql destroy | redis destroy | mongo destroy": STORE_GONE,
            "org-users | space-users | set-org-role | set-space-role | create-user": ACCESS,
            "org-users | space-users": LOOK,
        },
    ),
    _deploying(
        "vercel vc now surge",
        table={
            "dev | build | env ls | ls | list | inspect | logs | project ls | projects ls | "
            "domains ls | dns ls | certs ls | teams ls | integration ls | bisect": BUILD,
            "env pull": SHOWS_SECRET,
            "env add | env rm | env update | secrets": SECRET_SET,
            "deploy | promote | rollback | redeploy | alias | pull | blob put": CHANGE,
            "pull": SHOWS_SECRET,
            "domains buy": PAYS,
            "teardown": GONE,
        },
    ),
    service_program(
        "netlify ntl",
        {
            **LOGIN,
            "dev | build | serve | functions serve | functions invoke | functions create | "
            "functions build | recipes | dev:exec | completion | types": BUILD,
            "env get | env list | env clone": SHOWS_SECRET,
            "env set | env unset | env import": SECRET_SET,
            "link | unlink | switch | init": SETS_PROJECT,
            "deploy | sites create | api | blobs set | trigger": CHANGE,
            "sites list | sites search | watch | logs | open": LOOK,
            "sites delete": STORE_GONE,
        },
    ),
    service_program(
        "wrangler",
        {
            **LOGIN,
            "dev | types | init | generate | docs | build | check | pages dev | "
            "pages functions build": BUILD,
            "tail | pages deployment tail | versions list | deployments list": LOOK,
            "d1 execute": remote_statement,
            "secret put | secret bulk | secret delete | pages secret put": SECRET_SET,
            "kv key get | kv:key get | r2 object get": LOOK,
            "kv namespace delete | kv:namespace delete | r2 bucket delete | d1 delete": STORE_GONE,
            "vectorize delete | queues delete | delete": GONE,
            "secret list | pages secret list": LOOK,
        },
        values="-c --config -e --env --cwd",
    ),
    service_program(
        "firebase",
        {
            **LOGIN,
            "login ci | login:ci": SHOWS_SECRET,
            "serve | emulators | init | setup | experimental | experiments | target": BUILD,
            "use": SETS_PROJECT,
            "projects list | apps list | apps sdkconfig | functions log | functions list": LOOK,
            "functions secrets access": SHOWS_SECRET,
            "functions config get": SHOWS_SECRET,
            "auth export | database get | database profile": LOOK,
            "firestore delete | database remove | firestore databases delete": STORE_GONE,
            "deploy | hosting | functions shell | apphosting": CHANGE,
            "hosting disable": CONTROL,
        },
        values="-P --project --token",
    ),
    service_program(
        "supabase",
        {
            **LOGIN,
            "start | stop | init | gen | functions new | functions serve | migration new | "
            "migration list | db diff | db lint | db start | test | services | seed | db pull | "
            "db dump | inspect": BUILD,
            "status": LOOK,
            "db reset": LOCAL_RESET,
            "secrets list": LOOK,
            "projects api-keys": SHOWS_SECRET,
            "projects delete": STORE_GONE,
            "snippets | branches list | domains get": LOOK,
        },
    ),
    service_program(
        "turso neonctl neon pscale atlas mongocli cockroach-cloud ccloud xata upstash fauna "
        "astra redis-cloud tidbcloud timescale tiger aiven avn yugabyte edgedb-cloud planetscale "
        "planetscale-cli crunchybridge cb tembo",
        {
            **LOGIN,
            "db shell | branch shell | shell | sql": RUNS_THERE,
            "db tokens create | connection-string | auth api-tokens mint | password create | "
            "service user-creds-download | service user-list": SHOWS_SECRET,
            "deployments setup | setup": CHANGE,
            "set-context | context set | config | local | dev": SETS,
            "db show | db list | db inspect": LOOK,
            "service terminate": STORE_GONE,
            "accessLists create | ip-allow add": OPENS,
            "backups snapshots delete": BACKUP_GONE,
            "branch dump | dump": LOOK,
            "branch restore-dump": CHANGE,
        },
    ),
    service_program(
        "serverless sls zappa apex claudia architect-cli sst nitric wing "
        "seed faas-cli faas func kn-func openwhisk wsk nuctl fission gcf functions-framework",
        {
            **LOGIN,
            "offline | invoke local | package | print | info | create | plugin list | build | "
            "dev | sandbox | start | new | init | local | console | diff": BUILD,
            "remove | undeploy | destroy | delete": GONE,
            "invoke | deploy | publish | deploy function": CHANGE,
            "generate | template | store list": BUILD,
            "azure functionapp publish": CHANGE,
            "azure functionapp fetch-app-settings": SHOWS_SECRET,
        },
    ),
    service_program(
        "expo-cli clasp gam",
        {
            **LOGIN,
            "pull | list | versions | logs | apis list | deployments": LOOK,
            "push | deploy | run | create": CHANGE,
            "info | print | show | whatis | report": LOOK,
            "user | group": ACCESS,
            "sendemail": SENDS,
        },
    ),
    service_program(
        "shopify",
        {
            **LOGIN,
            "app dev | theme dev | theme check | app build | theme init | app init | app info | "
            "hydrogen dev | hydrogen build | theme list | theme pull | theme package | "
            "hydrogen check | hydrogen codegen | hydrogen init | app generate | theme open": BUILD,
            "app env show | app env pull | hydrogen env pull": SHOWS_SECRET,
            "theme delete": GONE,
            "theme push | theme publish | app deploy | app release": CHANGE,
        },
    ),
)
