"""Clouds and services: aws, gcloud, az, platforms that host applications, services for firms.

The words of a line say most; what they do not say is in the tables: secrets that are shown, logins
that only touch the user's own configuration, shells on remote machines, resource groups.

- `aws`: the operation's first word is the verb, the rest its noun. Secrets are read by
  `get-secret-value` and `get-parameter --with-decryption`, not by listings.
- Platforms: deploying and configuring changes what others use; showing an application's
  configuration shows its secrets; local servers and builds are ordinary work.
- Services: what they send is seen by others, what they buy is paid; reading passes. A prompt sent
  to a model is a request with the project's text; a wallet pays.
- Secrets managers: showing a value is reading a credential; listing names and policies is not.
  `run -- program` hands secrets to a program, which is judged by itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall, rejoin
from signoff.actions.programs.effect_presets import INSPECT_CLOUD, REVEAL_CREDENTIALS
from signoff.actions.programs.infra.services import names_production, perform
from signoff.actions.shell.command import Word
from signoff.actions.vocabulary import words


def rest(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `az rest` and `fly api`, by their HTTP method."""
    method = _option(call.texts, words("-m --method -X --request")).lower()
    if method in {"", "get", "head"}:
        yield call.operation(Verb.READ, ResourceType.CLOUD)
    else:
        verb = Verb.DELETE if method == "delete" else Verb.WRITE
        yield call.operation(
            verb, ResourceType.CLOUD, reach=Reach.REMOTE, reversible=verb is not Verb.DELETE
        )


def _option(texts: tuple[str, ...], names: frozenset[str]) -> str:
    for place, text in enumerate(texts):
        name, equals, value = text.partition("=")
        if name in names:
            return value if equals else " ".join(texts[place + 1 : place + 2])
    return ""


def query(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `bq query SQL`: the statement is taken apart."""
    if any(
        [
            text.startswith(("--dry_run", "--nodry_run=false"))
            for text in [word.text for word in call.command.words]
        ]
    ):
        yield call.operation(Verb.READ, ResourceType.DATABASE, traits=(Trait.DRY_RUN,))
        return
    for word in call.operands[1:]:
        if not word.text.startswith("-"):
            yield Nested(text=word.text, language="sql", carrier=call.name, is_known=word.is_known)
            return
    yield call.operation(Verb.READ, ResourceType.DATABASE)


def dropped(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `bq rm`: a data set (`-r`, `-d`) is a whole store, a table is none."""
    whole = bool({"-r", "-d", "--dataset", "--recursive"} & set(call.texts))
    yield call.operation(
        Verb.DELETE,
        ResourceType.CLOUD,
        " ".join(call.texts[1:4]),
        traits=(Trait.WHOLE_STORE,) if whole else (),
        reach=Reach.REMOTE,
        reversible=False,
    )


# Everybody, in the policies of Google, AWS and canned ACLs; blanks and case are taken out first.
PUBLIC_MARKS = ("allusers", '"principal":"*"', '"aws":"*"', "public-read", '"principal":{"aws":"*"')


def parameter(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `ssm get-parameter`: decrypted it is a secret, else a setting."""
    # Without it a SecureString comes out encrypted.
    if "--with-decryption" in call.texts:
        yield call.operation(
            Verb.READ, ResourceType.CREDENTIAL, "parameters", traits=(Trait.READS_SECRET,)
        )
    else:
        yield call.operation(Verb.READ, ResourceType.CLOUD, "parameters")


def policy(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `put-bucket-policy` and `put-bucket-acl`: who may read; everybody is critical."""
    text = "".join(call.texts).lower().replace(" ", "")
    opened = any(mark in text for mark in PUBLIC_MARKS)
    yield call.operation(
        Verb.CONFIGURE,
        ResourceType.CLOUD if opened else ResourceType.ACCOUNT,
        " ".join(call.texts[:2]),
        traits=(Trait.OPENS_ACCESS,) if opened else (),
        reach=Reach.PRODUCTION if names_production(call) else Reach.REMOTE,
        reversible=False,
    )


def unblocked(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `put-public-access-block ...=false`: buckets may become public."""
    opened = any("=false" in text.lower() for text in call.texts)
    yield call.operation(
        Verb.CONFIGURE,
        ResourceType.CLOUD,
        " ".join(call.texts[:2]),
        traits=(Trait.OPENS_ACCESS,) if opened else (),
        reach=Reach.REMOTE,
    )


def modify_snapshot(call: ProgramCall) -> Iterator[Effect]:
    """`modify-snapshot-attribute`, `modify-image-attribute`: shared with all it is public."""
    text = " ".join(call.texts)
    # A snapshot shared with `all` can be copied by any account of AWS.
    public = any(mark in text for mark in ("group-names all", "Group=all", "values-to-add all"))
    yield call.operation(
        Verb.CONFIGURE,
        ResourceType.CLOUD,
        " ".join(call.texts[:2]),
        traits=(Trait.OPENS_ACCESS,) if public else (),
        reach=Reach.REMOTE,
        reversible=False,
    )


def invoked(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `lambda invoke OUT`: code runs there, its answer is a file here."""
    yield call.operation(Verb.EXECUTE, ResourceType.CLOUD, "a function", reach=Reach.REMOTE)


def configured(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `aws configure get`: keys are secrets, a region is none."""
    # `aws configure get aws_secret_access_key` prints it.
    secret = any("secret" in text or "token" in text for text in call.texts)
    traits = (Trait.READS_SECRET,) if secret else ()
    yield call.operation(
        Verb.READ,
        ResourceType.CREDENTIAL if secret else ResourceType.SETTING,
        "the profile",
        traits=traits,
    )


def with_keys(call: ProgramCall) -> Iterator[Effect]:
    """`aws-vault exec PROFILE -- program`: keys are handed to a program, which is judged too."""
    yield call.operation(Verb.READ, ResourceType.CREDENTIAL, "keys", traits=(Trait.READS_SECRET,))
    if "--" in call.texts:
        words = call.operands[call.texts.index("--") + 1 :]
        yield Nested(text=rejoin(words), language="shell", carrier=call.name)


_STATEMENTS = frozenset({"--command", "--sql", "-q", "--query"})
# Theirs is `-c CONNECTION` and `-c CONFIG`.
_SHORT_IS_OTHER = words("snow snowflake wrangler")


def remote_statement(call: ProgramCall) -> Iterator[Effect]:
    """`heroku pg:psql -c SQL`, `wrangler d1 execute DB --command SQL`: the SQL is taken apart."""
    texts = call.texts
    # wrangler keeps a database of the project for `--local`, whatever it is called.
    is_near = call.name.startswith("wrangler") and "--local" in texts and not _is_far(call)
    environment = "production" if names_production(call) and not is_near else ""
    options = _STATEMENTS | (frozenset() if call.name in _SHORT_IS_OTHER else {"-c"})
    done = False
    for place, text in enumerate(texts):
        name, equals, value = text.partition("=")
        if name in options:
            statement = value if equals else " ".join(texts[place + 1 : place + 2])
            yield Nested(text=statement, language="sql", carrier=call.name, environment=environment)
            done = True
    if not done:
        reach = Reach.PROJECT if is_near else Reach.REMOTE
        yield call.operation(Verb.EXECUTE, ResourceType.DATABASE, reach=reach)


def stored_value(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `wrangler kv key put KEY VALUE`: with `--local` in a store of this machine."""
    is_near = "--local" in call.texts and not _is_far(call)
    is_gone = "delete" in call.texts[:3]
    what = " ".join(call.texts[:4])
    if is_near:
        yield call.operation(Verb.WRITE, ResourceType.DATABASE, what, reach=Reach.PROJECT)
        return
    yield call.operation(
        Verb.DELETE if is_gone else Verb.WRITE,
        ResourceType.CLOUD,
        what,
        reach=Reach.PRODUCTION if names_production(call) else Reach.REMOTE,
        reversible=not is_gone,
    )


def within(call: ProgramCall) -> Iterator[Effect]:
    """`doppler run -- program`, `heroku local`: the program after `--` is judged by itself."""
    start = call.texts.index("--") + 1 if "--" in call.texts else 1
    words = call.operands[start:]
    if words:
        yield Nested(text=rejoin(words), language="shell", carrier=call.name)
    else:
        yield call.operation(Verb.EXECUTE, ResourceType.CODE, reach=Reach.PROJECT)


def site_statement(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `wp db query SQL`, `drush sql-query SQL`: the statement is taken apart."""
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
        yield call.operation(Verb.EXECUTE, ResourceType.DATABASE, reach=Reach.PROJECT)


def site_package(call: ProgramCall) -> Iterator[Effect]:
    """`wp plugin install NAME`: from the site's own catalogue, or from an address or a file."""
    for word in call.operands[2:] or (Word(text=""),):
        is_foreign = "://" in word.text or word.text.endswith((".zip", ".tar.gz", ".phar"))
        yield call.operation(
            Verb.INSTALL,
            ResourceType.PACKAGE,
            word.text,
            traits=(Trait.UNTRUSTED_SOURCE,) if is_foreign else (),
            reach=Reach.PROJECT,
        )


def site_code(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `wp eval CODE`, `drush php:eval CODE`: PHP runs in the site."""
    for word in call.operands[1:2]:
        yield Nested(text=word.text, language="php", carrier=call.name, is_known=word.is_known)
    if len(call.operands) < 2:
        yield call.opaque("runs code that is unknown")


def prompt(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `llm PROMPT`: sends the text; a shell tool runs the model's commands."""
    # What a model answers cannot be judged before it has answered.
    if call.has("--execute", "-e", "--shell", "-s") and "sgpt" in call.name:
        yield call.opaque("runs what a model answers")
    else:
        yield call.operation(Verb.NETWORK_IN, ResourceType.URL, "a model", reach=Reach.REMOTE)


# Vault's own paths; everything else under `vault read` is a secret or a lease for one.
OPEN_PATHS = ("sys/health", "sys/mounts", "sys/policies", "sys/policy", "auth/token/lookup-self")


def read_path(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `vault read PATH`: system paths hold no secrets."""
    paths = [text for text in call.texts[1:] if not text.startswith("-")]
    is_open = bool(paths) and paths[0].strip("/").startswith(OPEN_PATHS)
    yield perform(call, INSPECT_CLOUD if is_open else REVEAL_CREDENTIALS, " ".join(paths[:1]))


def secrets(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `doppler secrets`: every value, or only the names."""
    act = INSPECT_CLOUD if "--only-names" in call.texts else REVEAL_CREDENTIALS
    yield perform(call, act, "secrets")


def shell_statement(call: ProgramCall) -> Iterator[Effect]:
    """`turso db shell NAME SQL`: the SQL is taken apart; without it a shell is opened."""
    environment = "production" if names_production(call) else ""
    # Behind `db shell` stand the name of the database and the statement.
    given = [w for w in call.operands if w.text not in {"db", "shell"} and w.text[:1] not in "-."]
    for word in given[1:2]:
        yield Nested(
            text=word.text,
            language="sql",
            carrier=call.name,
            environment=environment,
            is_known=word.is_known,
        )
    if not given[1:]:
        yield call.operation(Verb.EXECUTE, ResourceType.DATABASE, reach=Reach.REMOTE)


# Options by which a command of a service works on its own machines and not on this one.
_FAR = words("--linked --db-url --remote --prod --project-ref")


def _is_far(call: ProgramCall) -> bool:
    return any([word.text.partition("=")[0] in _FAR for word in call.command.words[1:]])


def reset_data(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `supabase db reset`: the local database; with `--linked` that of the users."""
    far = _is_far(call)
    yield call.operation(
        Verb.DELETE,
        ResourceType.DATABASE,
        call.name,
        traits=(Trait.SCHEMA_LOSS, *((Trait.WHOLE_STORE,) if far else ())),
        reach=Reach.PRODUCTION if far else Reach.PROJECT,
        reversible=False,
    )


def migrated(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `wrangler d1 migrations apply DB --remote`, `supabase migration up --linked`."""
    far = _is_far(call)
    # wrangler works on the database of its own machines unless it is told `--local`.
    far |= call.name.startswith("wrangler") and "--local" not in call.texts
    reach = Reach.REMOTE if far else Reach.PROJECT
    thing = ResourceType.CLOUD if far else ResourceType.DATABASE
    yield call.operation(Verb.WRITE, thing, call.name, reach=reach, reversible=not far)


def stopped_locally(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `supabase stop` keeps the local data, with `--no-backup` it is gone."""
    if "--no-backup" in call.texts:
        yield call.operation(
            Verb.DELETE, ResourceType.VOLUME, "local data", reach=Reach.PROJECT, reversible=False
        )
    else:
        yield call.operation(Verb.CONTROL, ResourceType.CONTAINER, reach=Reach.PROJECT)


def replaced_data(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `convex import`: rows are added; `--replace-all` empties every table first."""
    production = call.has("--prod") or names_production(call)
    replaces = call.has("--replace", "--replace-all")
    yield call.operation(
        Verb.DELETE if replaces else Verb.WRITE,
        ResourceType.DATABASE,
        call.name,
        traits=(Trait.WHOLE_STORE,) if production and call.has("--replace-all") else (),
        reach=Reach.PRODUCTION if production else Reach.REMOTE,
        reversible=False,
    )
