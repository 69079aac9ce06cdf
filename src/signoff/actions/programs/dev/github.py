"""GitHub's `gh` and `hub`: reading passes, what others see is asked about, whole stores are denied.

`gh api` is judged by its method and path: `-X DELETE /repos/owner/name` deletes the repository.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested, always, remote
from signoff.actions.programs.call import ProgramCall, rejoin
from signoff.actions.programs.effect_presets import CONFIGURE_USER
from signoff.actions.programs.net.graphql import deletion
from signoff.actions.shell.command import Word

REPOSITORY_CHANGE = remote(Verb.CONFIGURE, ResourceType.URL)
OPENS = always(Verb.CONFIGURE, ResourceType.ACCOUNT, Trait.OPENS_ACCESS, reach=Reach.REMOTE)


_PULLS = frozenset({"pulls", "merge_requests"})


def api_effects(call: ProgramCall, method: str, path: str) -> Iterator[Effect]:
    """Yield the effects of a request to a forge's API, by method and path."""
    route = path.split("?", 1)[0].strip("/").split("/")
    # A full address: scheme, an empty part and the host stand before the path.
    if route[0].startswith("http"):
        route = route[3:]
    # GitHub Enterprise and GitLab: `/api/v3/repos/owner/name`.
    if route[:1] == ["api"] and len(route) > 2:
        route = route[2:]
    if method in {"GET", "HEAD", ""}:
        secret = "secrets" in route or route[-1:] == ["token"]
        yield call.operation(Verb.READ, ResourceType.URL, path, reach=Reach.REMOTE)
        if secret and route[-1:] == ["token"]:
            yield call.operation(
                Verb.READ,
                ResourceType.CREDENTIAL,
                path,
                traits=(Trait.READS_SECRET,),
                reach=Reach.REMOTE,
            )
    elif method == "DELETE":
        # `repos/OWNER/NAME` and no further: deeper paths are labels, hooks, branches of it.
        whole = (route[0] == "repos" and len(route) == 3) or (
            route[0] in {"orgs", "projects", "groups", "organizations"} and len(route) == 2
        )
        yield call.operation(
            Verb.DELETE,
            ResourceType.REPOSITORY if whole else ResourceType.URL,
            path,
            traits=(Trait.WHOLE_STORE,) if whole else (),
            reach=Reach.REMOTE,
            reversible=False,
        )
    elif route[-1:] == ["merge"] and not _PULLS.isdisjoint(route):
        yield call.operation(
            Verb.PUBLISH,
            ResourceType.REPOSITORY,
            path,
            traits=(Trait.PROTECTED_BRANCH,),
            reach=Reach.REMOTE,
            reversible=False,
        )
    else:
        verb = Verb.NETWORK_OUT if method in {"POST", "PUT", "PATCH"} else Verb.WRITE
        yield call.operation(verb, ResourceType.URL, path, reach=Reach.REMOTE, reversible=False)


def api(call: ProgramCall) -> Iterator[Effect]:
    """`gh api path`: GET unless a method or a field is given; GraphQL by its query's kind."""
    path = call.texts[0] if call.operands else ""
    method = call.value("-X", "--method")
    fields = call.values("-f", "--raw-field", "-F", "--field", "--input")
    if path.rstrip("/").rpartition("/")[2] == "graphql":
        gone = deletion(call, path, " ".join([word.text for word in fields]))
        if gone is not None:
            yield gone
            return
        # GraphQL is always a POST; only the kind of the query says whether it changes anything.
        changes = call.has("--input") or any([_changes(call, word) for word in fields])
        verb = Verb.WRITE if changes else Verb.READ
        yield call.operation(verb, ResourceType.URL, path, reach=Reach.REMOTE)
        return
    said = method.text.upper() if method is not None else ("POST" if fields else "GET")
    yield from api_effects(call, said, path)


def _changes(call: ProgramCall, word: Word) -> bool:
    """Whether a field of a GraphQL request may hold a mutation."""
    if not word.is_known or "mutation" in word.text:
        return True
    name, mark, path = word.text.partition("=@")
    # `-F query=@file` takes the query out of a file, `-f` takes the text as it stands.
    if not mark or word in call.values("-f", "--raw-field"):
        return False
    text = call.session_text(Word(text=path))
    return name == "query" and (not text or "mutation" in text)


def alias(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `gh alias set name '!line'` plants a line for later."""
    yield from call.perform(CONFIGURE_USER)
    for word in call.operands[1:2]:
        # gh: without `!` or `--shell` an alias stands for gh's own sub-commands.
        if word.text.startswith("!") or call.has("-s", "--shell"):
            yield Nested(
                text=word.text.lstrip("!"),
                language="shell",
                carrier="gh alias",
                is_known=word.is_known,
            )


def repo_edit(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `gh repo edit --visibility public` opens a repository to everybody."""
    visibility = call.value("--visibility")
    # Once public, the whole history may have been copied: closing it again takes nothing back.
    opens = visibility is not None and visibility.text == "public"
    yield from call.perform(OPENS if opens else REPOSITORY_CHANGE)


def as_git(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `hub` stands for `git` in every other sub-command."""
    line = rejoin((Word(text="git"), *call.command.words[1:]))
    yield Nested(text=line, language="shell", carrier="hub")
