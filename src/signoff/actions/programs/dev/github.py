"""GitHub's `gh` and `hub`: reading passes, what others see is asked about, whole stores are denied.

`gh api` is judged by its method and path: `-X DELETE /repos/owner/name` deletes the repository.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Act, Effect, Nested, On, act, remote, sends
from signoff.actions.programs.call import Call
from signoff.actions.programs.dev.deeds import (
    ADDED_UNREAD,
    CHANGES_PROJECT,
    CLONE,
    FAR_ACCESS,
    FAR_CHANGE,
    FAR_CONTROL,
    FAR_GONE,
    FAR_READ,
    LOGS_IN,
    LOOK,
    SETS_GLOBAL,
    SHOWS_SECRET,
    TAKEN_FROM_USER,
)
from signoff.actions.programs.program import Program, program, sub

REPOSITORY_GONE = remote(Verb.DELETE, Thing.REPOSITORY, Trait.WHOLE_STORE)
REPOSITORY_CHANGE = remote(Verb.CONFIGURE, Thing.URL)
SAYS = sends(On.NOTHING, thing=Thing.MESSAGE)
MERGES = Act(
    Verb.PUBLISH,
    Thing.REPOSITORY,
    On.OPERANDS,
    frozenset({Trait.PROTECTED_BRANCH}),
    Reach.REMOTE,
    reversible=False,
    always=True,
)
SECRET_CHANGE = remote(Verb.CONFIGURE, Thing.CREDENTIAL)
SECRET_GONE = remote(Verb.DELETE, Thing.CREDENTIAL)
RELEASES = Act(
    Verb.PUBLISH, Thing.PACKAGE, On.OPERANDS, reach=Reach.REMOTE, reversible=False, always=True
)
OPENS = act(Verb.CONFIGURE, Thing.ACCOUNT, Trait.OPENS_ACCESS, reach=Reach.REMOTE, always=True)
LOCAL_CHANGE = CHANGES_PROJECT
DOWNLOAD = sub(FAR_READ, writes="-D --dir -O --output", values="-R --repo -p --pattern -n --name")
VALUES = (
    "-R --repo -H --head -B --base -t --title -b --body -F --body-file -l --label -a --assignee "
    "-m --milestone -p --project -r --reviewer -q --jq -T --template --json -L --limit -s --state "
    "-S --search -A --author --hostname -o --org -u --user -e --env -f --raw-field --field -w "
    "--workflow -n --name --ref -X --method --input --cache -c --notes --notes-file --target "
    "--description -d -h --homepage --visibility --subject --match-head-commit --color --branch"
)
READ = sub(FAR_READ, values=VALUES)


def api_effects(call: Call, method: str, path: str) -> Iterator[Effect]:
    """Judge one request to a forge by its method and the path it goes to."""
    route = path.split("?", 1)[0].strip("/").split("/")
    if route[0].startswith("http"):
        route = route[3:]
    if method in {"GET", "HEAD", ""}:
        secret = "secrets" in route or route[-1:] == ["token"]
        yield call.operation(Verb.READ, Thing.URL, path, reach=Reach.REMOTE)
        if secret and route[-1:] == ["token"]:
            yield call.operation(
                Verb.READ, Thing.CREDENTIAL, path, traits=(Trait.READS_SECRET,), reach=Reach.REMOTE
            )
    elif method == "DELETE":
        whole = (route[0] == "repos" and len(route) == 3) or (
            route[0] in {"orgs", "projects", "groups", "organizations"} and len(route) == 2
        )
        yield call.operation(
            Verb.DELETE,
            Thing.REPOSITORY if whole else Thing.URL,
            path,
            traits=(Trait.WHOLE_STORE,) if whole else (),
            reach=Reach.REMOTE,
            reversible=False,
        )
    else:
        verb = Verb.NETWORK_OUT if method in {"POST", "PUT", "PATCH"} else Verb.WRITE
        yield call.operation(verb, Thing.URL, path, reach=Reach.REMOTE, reversible=False)


def _api(call: Call) -> Iterator[Effect]:
    """`gh api path`: GET unless a method or a field is given; GraphQL by its query's kind."""
    path = call.texts[0] if call.operands else ""
    method = call.value("-X", "--method")
    fields = call.values("-f", "--raw-field", "-F", "--field", "--input")
    if path == "graphql":
        query = " ".join(w.text for w in fields)
        changes = "mutation" in query or not all(w.is_known for w in fields)
        verb = Verb.WRITE if changes or call.has("--input") else Verb.READ
        yield call.operation(verb, Thing.URL, path, reach=Reach.REMOTE)
        return
    said = method.text.upper() if method is not None else ("POST" if fields else "GET")
    yield from api_effects(call, said, path)


def _alias(call: Call) -> Iterator[Effect]:
    """`gh alias set name '!line'` plants a line for later."""
    yield from call.perform(SETS_GLOBAL)
    for word in call.operands[1:2]:
        if word.text.startswith("!") or call.has("-s", "--shell"):
            yield Nested(
                text=word.text.lstrip("!"),
                language="shell",
                carrier="gh alias",
                is_known=word.is_known,
            )


def _repo_edit(call: Call) -> Iterator[Effect]:
    """`gh repo edit --visibility public` opens a repository to everybody."""
    visibility = call.value("--visibility")
    opens = visibility is not None and visibility.text == "public"
    yield from call.perform(OPENS if opens else REPOSITORY_CHANGE)


def _checks_web(acts: Act) -> Program:
    """A sub-command that only opens the browser with `--web`."""
    return sub(acts, values=VALUES, acting={"-w --web --dry-run": LOOK})


ISSUE = sub(
    subs={
        "create new": _checks_web(SAYS),
        "comment close reopen edit lock unlock pin unpin transfer develop": _checks_web(SAYS),
        "delete": sub(FAR_GONE, values=VALUES),
        "list ls view status": READ,
    },
    by_words=FAR_CHANGE,
    values="-R --repo",
)
PULL_REQUEST = sub(
    subs={
        "create new": _checks_web(SAYS),
        "comment close reopen edit ready review lock unlock revert": _checks_web(SAYS),
        "merge": sub(MERGES, values=VALUES),
        "update-branch": sub(FAR_CHANGE),
        "checkout co": sub(LOCAL_CHANGE, values="-b --branch -R --repo"),
        "list ls view status diff checks": READ,
    },
    by_words=FAR_CHANGE,
    values="-R --repo",
)
GH = program(
    "gh",
    values="-R --repo --hostname",
    subs={
        "issue": ISSUE,
        "pr": PULL_REQUEST,
        "api": sub(handler=_api, values=f"{VALUES} --header --preview -H -p"),
        "repo": sub(
            subs={
                "create new fork rename sync archive unarchive set-default": sub(
                    FAR_CHANGE, values=VALUES, subs={}, acting={"--view -v": LOOK}
                ),
                "edit": sub(handler=_repo_edit, values=VALUES),
                "delete": sub(REPOSITORY_GONE),
                "clone": CLONE,
                "list ls view read-file read-dir gitignore license credits garden": READ,
                "deploy-key autolink": sub(
                    FAR_ACCESS, subs={"list view": FAR_READ, "delete": FAR_GONE}
                ),
            },
            by_words=FAR_CHANGE,
        ),
        "release": sub(
            subs={
                "create edit upload new": sub(RELEASES, values=VALUES),
                "delete delete-asset": sub(FAR_GONE, values=VALUES),
                "download": DOWNLOAD,
                "list ls view verify verify-asset": READ,
            },
            by_words=FAR_CHANGE,
        ),
        "run": sub(
            subs={
                "cancel rerun": sub(FAR_CONTROL),
                "delete": sub(FAR_GONE),
                "download": DOWNLOAD,
                "list ls view watch": READ,
            },
            by_words=FAR_CHANGE,
        ),
        "workflow": sub(
            subs={"run enable disable": sub(FAR_CONTROL, values=VALUES), "list ls view": READ},
            by_words=FAR_CHANGE,
        ),
        "secret": sub(
            subs={
                "set": sub(SECRET_CHANGE, values=VALUES),
                "delete remove": sub(SECRET_GONE),
                "list ls": READ,
            },
            by_words=FAR_CHANGE,
        ),
        "variable": sub(
            subs={
                "set": sub(FAR_CHANGE, values=VALUES),
                "delete remove": FAR_GONE,
                "list ls get": READ,
            },
            by_words=FAR_CHANGE,
        ),
        "ssh-key gpg-key": sub(
            subs={"add": FAR_ACCESS, "delete": FAR_GONE, "list": READ}, by_words=FAR_ACCESS
        ),
        "gist": sub(
            subs={
                "create new edit rename": sends(On.OPERANDS, Trait.SENDS_FILES),
                "delete": FAR_GONE,
                "clone": CLONE,
                "list ls view": READ,
            },
            by_words=FAR_CHANGE,
        ),
        "label": sub(
            subs={"create clone edit new": FAR_CHANGE, "delete": FAR_GONE, "list ls": READ},
            by_words=FAR_CHANGE,
        ),
        "cache": sub(subs={"delete": FAR_GONE, "list ls": READ}),
        "codespace cs": sub(
            subs={
                "create rebuild stop edit": FAR_CONTROL,
                "delete": FAR_GONE,
                "ssh cp code jupyter": remote(Verb.EXECUTE, Thing.CODE),
                "ports": sub(
                    LOOK,
                    subs={
                        "visibility": act(
                            Verb.CONFIGURE,
                            Thing.NETWORK,
                            Trait.OPENS_ACCESS,
                            reach=Reach.REMOTE,
                            always=True,
                        ),
                        "forward": LOOK,
                    },
                ),
                "list ls view logs": READ,
            },
            by_words=FAR_CHANGE,
        ),
        "project": sub(subs={"list view field-list item-list": READ}, by_words=FAR_CHANGE),
        "ruleset rs": sub(subs={"list view check": READ}, by_words=FAR_CHANGE),
        "auth": sub(
            subs={
                "login logout refresh setup-git switch git-credential": LOGS_IN,
                "status": sub(LOOK, acting={"-t --show-token": SHOWS_SECRET}),
                "token": SHOWS_SECRET,
            }
        ),
        "config": sub(subs={"set clear-cache": SETS_GLOBAL, "get list ls": LOOK}),
        "alias": sub(
            subs={
                "set": sub(handler=_alias, options_first=False),
                "delete import": SETS_GLOBAL,
                "list ls": LOOK,
            }
        ),
        "extension extensions ext": sub(
            subs={
                "install upgrade exec": ADDED_UNREAD,
                "remove": TAKEN_FROM_USER,
                "create": CHANGES_PROJECT,
                "list ls search browse": LOOK,
            }
        ),
        "attestation at": sub(subs={"download": DOWNLOAD, "verify trusted-root inspect": READ}),
        "models": sub(subs={"run eval": sends(On.NOTHING), "list view": READ}),
        "agent-task": sub(sends(On.NOTHING), subs={"list view": READ}),
        "copilot": sub(sends(On.NOTHING), subs={"explain suggest config alias": FAR_READ}),
        "browse search status org help version completion preview licenses": READ,
    },
    harmless="-h",
)


def _as_git(call: Call) -> Iterator[Effect]:
    """`hub` stands for `git` in every other sub-command."""
    line = " ".join(("git", *call.texts))
    yield Nested(text=line, language="shell", carrier="hub")


HUB = program(
    "hub",
    subs={
        "create fork": sub(FAR_CHANGE),
        "delete": sub(REPOSITORY_GONE),
        "pull-request pr": sub(
            SAYS, subs={"list show": FAR_READ, "checkout": LOCAL_CHANGE, "merge": MERGES}
        ),
        "issue": sub(FAR_READ, subs={"create update transfer": SAYS, "labels show": FAR_READ}),
        "release": sub(
            FAR_READ, subs={"create edit": RELEASES, "delete": FAR_GONE, "show download": FAR_READ}
        ),
        "gist": sub(
            FAR_READ, subs={"create": sends(On.OPERANDS, Trait.SENDS_FILES), "show": FAR_READ}
        ),
        "api": sub(handler=_api, values=f"{VALUES} -H --header"),
        "clone sync fetch": CLONE,
        "push": remote(Verb.PUBLISH, Thing.REPOSITORY),
        "browse ci-status compare": FAR_READ,
    },
    handler=_as_git,
)


PROGRAMS: tuple[Program, ...] = (
    GH,
    HUB,
    program("act", LOOK, values="-j -W -s -P -e", acting={"-j --job": CHANGES_PROJECT}),
)
