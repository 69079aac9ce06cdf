"""Command lines of other forges and code reviews: glab, tea, bb, hut, gerrit, CI servers.

Reading passes; issues, merge requests, releases, settings are seen by others and asked about;
deleting a project is the loss of a whole store.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Thing, Trait, Verb
from signoff.actions.programs.acts import Effect, On, remote, sends
from signoff.actions.programs.call import Call
from signoff.actions.programs.dev.deeds import (
    BUILD,
    CHANGES_PROJECT,
    CLONE,
    FAR_ACCESS,
    FAR_CHANGE,
    FAR_CONTROL,
    FAR_GONE,
    FAR_READ,
    LOGS_IN,
    LOOK,
    SENDS_UP,
    SERVES,
    SETS_GLOBAL,
    SHOWS_SECRET,
    Subs,
)
from signoff.actions.programs.dev.github import (
    MERGES,
    RELEASES,
    REPOSITORY_GONE,
    SAYS,
    SECRET_CHANGE,
    SECRET_GONE,
    api_effects,
)
from signoff.actions.programs.program import Program, program, sub

VALUES = (
    "-R --repo -t --title -d --description -l --label -a --assignee -m --message -b "
    "--target-branch "
    "-s --source-branch -g --group -o --output -F -X --method -f --field --raw-field --form -H -c "
    "--comment --body --milestone --ref --branch --login --remote --page --per-page -P -p"
)


def _api(call: Call) -> Iterator[Effect]:
    path = call.texts[0] if call.operands else ""
    method = call.value("-X", "--method")
    fields = call.values("-f", "--raw-field", "-F", "--field", "--input", "--form")
    said = method.text.upper() if method is not None else ("POST" if fields else "GET")
    yield from api_effects(call, said, path)


def _talk(*, merges: bool = True) -> Program:
    """Issues and merge requests: looking, local checkout, everything others see."""
    return sub(
        subs={
            "list ls view show status diff issues approvers todo subscribe for": sub(
                FAR_READ, values=VALUES
            ),
            "checkout co": sub(CHANGES_PROJECT, values=VALUES),
            "merge accept": sub(MERGES if merges else FAR_CHANGE, values=VALUES),
            "delete": sub(FAR_GONE, values=VALUES),
            "clean": CHANGES_PROJECT,
        },
        by_words=SAYS,
        values="-R --repo",
    )


REPO = sub(
    subs={
        "clone": sub(CLONE),
        "list ls view search archive contributors show": sub(FAR_READ, values=VALUES),
        "delete rm": sub(REPOSITORY_GONE),
    },
    by_words=FAR_CHANGE,
)
PIPELINE = sub(
    subs={
        "list ls view status get trace lint artifact config compile": sub(FAR_READ, values=VALUES),
        "delete": FAR_GONE,
    },
    by_words=FAR_CONTROL,
)
RELEASE = sub(
    subs={
        "list ls view show download": sub(FAR_READ, values=VALUES),
        "delete": FAR_GONE,
    },
    by_words=RELEASES,
)
SECRETS = sub(
    subs={"list ls": FAR_READ, "delete rm": SECRET_GONE, "get export": SHOWS_SECRET},
    by_words=SECRET_CHANGE,
)
KEYS = sub(subs={"list ls get": FAR_READ, "delete": FAR_GONE}, by_words=FAR_ACCESS)
AUTH = sub(LOGS_IN, subs={"status": LOOK})
CONFIG = sub(SETS_GLOBAL, subs={"get list": LOOK})
FORGE_SUBS: Subs = {
    "mr pr pulls pull": _talk(),
    "issue issues ticket todo incident": _talk(merges=False),
    "repo repos repository project": REPO,
    "ci pipeline pipelines pipe job jobs builds actions schedule": PIPELINE,
    "release releases": RELEASE,
    "variable secret secrets": SECRETS,
    "ssh-key deploy-key token gpg-key cluster": KEYS,
    "auth login logins logout": AUTH,
    "config alias": CONFIG,
    "api graphql": sub(handler=_api, values=VALUES),
    "snippet gist paste": sub(
        sends(On.OPERANDS, Trait.SENDS_FILES), subs={"list view show": FAR_READ, "delete": FAR_GONE}
    ),
    "label labels milestone milestones org orgs organization team branch branches time "
    "notification notifications iteration securefile user": sub(
        FAR_READ, subs={"list ls view show get read": FAR_READ}, by_words=FAR_CHANGE
    ),
    "clone": CLONE,
    "browse open version completion help check-update whoami status changelog show": FAR_READ,
}
PROGRAMS: tuple[Program, ...] = (
    program(
        "glab lab tea berg fj gitea forgejo-cli codeberg",
        values="-R --repo --host -H",
        subs=FORGE_SUBS,
        harmless="-h",
    ),
    program(
        "hut",
        subs={
            **FORGE_SUBS,
            "git hg": REPO,
            "lists meta pages todo": sub(
                FAR_READ, subs={"list show": FAR_READ, "delete": FAR_GONE}, by_words=FAR_CHANGE
            ),
            "init": LOGS_IN,
        },
    ),
    program(
        "gitlab",
        values="-o --output -f --fields -g --gitlab",
        subs={"project": REPO, "project-issue project-merge-request": _talk()},
        by_words=FAR_CHANGE,
    ),
    program(
        "git-codereview rbt phab moz-phab reviewboard",
        subs={
            "post land commit publish update submit mail": SAYS,
            "close api-post": FAR_CHANGE,
            "patch diff pending list status info help which lint unit tools get-config "
            "liberate": LOOK,
            "login logout install-certificate": LOGS_IN,
        },
        handler=lambda call: call.perform(BUILD),
    ),
    program(
        "bk woodpecker-cli codefresh appveyor",
        subs={
            "config validate lint version diagnostic info help completion status whoami logs "
            "history "
            "show list branches whatsup": FAR_READ,
            "local exec build": BUILD,
            "setup login logout token": LOGS_IN,
            "open": LOOK,
            "init": CHANGES_PROJECT,
            "encrypt encrypt-file": CHANGES_PROJECT,
            "restart cancel trigger enable disable sync": FAR_CONTROL,
        },
        by_words=FAR_CHANGE,
    ),
    program("jenkins-cli jcli", by_words=FAR_CHANGE, subs={"help version who-am-i": LOOK}),
    program(
        "gitlab-runner",
        subs={
            "status list verify": LOOK,
            "exec": BUILD,
            "run run-single": SERVES,
        },
        by_words=remote(Verb.CONFIGURE, Thing.SERVICE),
    ),
    program("github-label-sync repo-sync", FAR_CHANGE, harmless="-d --dry-run"),
    program(
        "semantic-release release-it np auto goreleaser changeset",
        RELEASES,
        subs={
            "version add status init check build pre": CHANGES_PROJECT,
            "release publish": sub(RELEASES, harmless="--dry-run --snapshot --skip-publish"),
        },
        harmless="--dry-run -d --snapshot",
    ),
    program(
        "codecov-cli sonar-scanner snyk",
        SENDS_UP,
        subs={
            "test": BUILD,
            "monitor": SENDS_UP,
            "auth": LOGS_IN,
            "help": LOOK,
        },
        harmless="--dry-run -d",
    ),
)
