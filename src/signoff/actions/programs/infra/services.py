"""Command lines of services, read by their words: groups, a verb, what it is done to.

`aws ec2 terminate-instances`, `gcloud sql backups delete 7`, `heroku apps:destroy`, `linode-cli
lke cluster-create`: the words before the first option are the path. In it stands the verb; the
noun that the verb is done to is the rest of the verb's own word (`delete-db-instance`), the word
before it (`backups delete`), or the word after it (`delete cluster x`). Only that noun tells
whether a whole store or a backup would go; values of options do not.

A description says `service:` with what differs from that (`program.ServiceLine`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Act, Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.handlers import handler_of
from signoff.actions.programs.lexicon import (
    WordMeaning,
    is_production,
    opens_to_all,
    read_words,
    split_name,
)
from signoff.actions.programs.program import HandlerRef, ServiceLine
from signoff.actions.vocabulary import words

MAX_PATH = 6
MAX_WORDS = 400
# `gcloud beta compute ...` means what it means without the channel.
CHANNELS = words("alpha beta preview")
DRY = words("--dry-run --dryrun --no-execute-changeset --generate-cli-skeleton --what-if")
WET = words("--no-dry-run --no-dryrun")
LISTING = words(
    "me marketplace overview dashboard console zone region sizes open logs status whoami id info "
    "about env  regions pricing catalog"
)
ACCOUNTS = words(
    "policy policies role roles user users member members membership permission permissions "
    "binding bindings iam grant grants collaborator collaborators acl access rbac "
    "identity principal serviceaccount invitation admin admins saml scim"
)
# What others have seen, paid or lost cannot be called back.
LASTING = frozenset({Verb.DELETE, Verb.NETWORK_OUT, Verb.SPEND, Verb.PUBLISH})


def path_of(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the words before the first option; topics such as `apps:destroy` are split."""
    path: list[str] = []
    for text in texts[:MAX_PATH]:
        if text.startswith("-"):
            break
        # `apps:destroy` is a topic; addresses, images and ARNs with their slashes and dots are
        # not.
        is_topic = 0 < text.count(":") <= MAX_PATH and not any(mark in text for mark in "/=@.")
        path.extend(part for part in text.split(":") if part) if is_topic else path.append(text)
    while path and path[0] in CHANNELS:
        path.pop(0)
    return tuple(path)


def _thing(said: WordMeaning, thing: ResourceType, verb: Verb) -> ResourceType:
    if verb is Verb.READ:
        return thing
    if verb is Verb.DELETE and said.is_backup:
        return ResourceType.BACKUP
    if not ACCOUNTS.isdisjoint(said.noun):
        return ResourceType.ACCOUNT
    return ResourceType.CREDENTIAL if said.is_secret else thing


def names_production(call: ProgramCall) -> bool:
    """Return whether an argument or a variable of the call names production."""
    words = (*call.command.words[1:MAX_WORDS], *(w for _, w in call.command.assignments[:20]))
    return any(
        is_production(word.raw) or is_production(word.text)
        for word in words
        if len(word.text) < 200
    )


def opens_access(call: ProgramCall) -> bool:
    """Return whether the call opens something to everybody."""
    return opens_to_all(w.text for w in call.command.words[2:MAX_WORDS])


def is_dry(texts: Sequence[str]) -> bool:
    """Return whether an option requests a dry run."""
    return WET.isdisjoint(texts) and any(
        text.partition("=")[0] in DRY and text.partition("=")[2] not in {"none", "false", "False"}
        for text in texts
    )


def _is_help(texts: Sequence[str], path: Sequence[str], *, runs_more: bool) -> bool:
    """Whether only help is printed; behind a line that runs a program, `--help` may be its own."""
    if path[:1] == ("help",) or texts[:1] in {("--version",), ("-h",)}:
        return True
    # A resource may be called `help`: `instances delete help` still deletes.
    if path[-1:] == ("help",) and read_words(path).rank < 4:
        return True
    if runs_more:
        # Only right behind the path: further on it is read by the program that is run.
        return texts[len(path) : len(path) + 1] == ("--help",)
    own = texts[: texts.index("--")] if "--" in texts else texts
    if own[-1:] == ("-h",):
        return True
    # `--name --help` gives `--help` as a name, and the call is carried out.
    return "--help" in own and not _takes_value(own[own.index("--help") - 1])


def service_effects(line: ServiceLine, call: ProgramCall) -> Iterator[Effect]:
    """Yield a call's effects: none for help and dry runs, else by its described path."""
    texts = call.texts[:MAX_WORDS]
    # `wp @prod user list`, `drush @site.live cr`: an alias of another machine stands first.
    if line.reach is Reach.PROJECT and texts and texts[0][:1] == "@":
        texts = texts[1:]
    path = path_of(texts)
    found = _special(path, line)
    runs_more = isinstance(found, HandlerRef) or (found is not None and found.verb is Verb.EXECUTE)
    is_help = line.help_at > 0 and texts[line.help_at : line.help_at + 1] == ("help",)
    if is_help or _is_help(texts, path, runs_more=runs_more):
        yield call.operation(Verb.INERT, ResourceType.NOTHING)
    elif is_dry(_all_texts(call)) and not runs_more:
        # A dry run of the program inside is no dry run of what runs it.
        yield call.operation(Verb.INERT, line.thing, traits=(Trait.DRY_RUN,))
    elif found is None:
        yield _worded(line, call, path, texts)
    elif isinstance(found, Act):
        yield perform(call, found, " ".join(path[:4]))
    else:
        yield from handler_of(found)(call)


def _worded(
    line: ServiceLine, call: ProgramCall, path: Sequence[str], texts: Sequence[str]
) -> Operation:
    """Judge a path that is not described by its words."""
    if not texts:
        return call.operation(line.bare, line.thing)
    said = _said(path, texts)
    verb = line.change if said.verb in {None, Verb.WRITE} else said.verb or line.change
    # Local machines and containers (`reach: project`) are the project's own.
    store = verb is Verb.DELETE and line.reach is Reach.REMOTE and said.is_store
    act = Act(
        verb,
        _thing(said, line.thing, verb),
        traits=frozenset(_traits(call, verb, store=store)),
        reach=line.reach if verb is not Verb.READ else Reach.NONE,
        reversible=verb not in LASTING,
    )
    return perform(call, act, " ".join(path[:4]))


def _special(path: Sequence[str], line: ServiceLine) -> Act | HandlerRef | None:
    """The longest described beginning of the path, unless the next word says something worse."""
    for size in range(min(len(path), MAX_PATH), 0, -1):
        name = " ".join(path[:size])
        act = line.acts.get(name)
        if act is not None:
            return None if _next_rank(path, size) >= _limit(act) else act
        if name in line.handlers:
            return line.handlers[name]
    return None


def _takes_value(text: str) -> bool:
    """Whether the word may take the next one for its value."""
    return text[:1] == "-" and "=" not in text


def _next_rank(path: Sequence[str], size: int) -> int:
    # Only the next word: further ones are names, which may say anything, and so is a path.
    is_word = size < len(path) and "/" not in path[size]
    following = split_name(path[size]) if is_word else ()
    return read_words(following[:1]).rank


def _limit(act: Act) -> int:
    """From which rank on a following verb is worse than the act described."""
    # `backups list` is described; `backups delete` must not pass as its beginning `backups`.
    if act.verb in {Verb.READ, Verb.INERT}:
        return 1
    return 2 if act.reach is Reach.PROJECT else 4


def perform(call: ProgramCall, act: Act, target: str) -> Operation:
    """Build the operation of an act; production is recognised by the call's words."""
    reach = act.reach or Reach.NONE
    if reach is Reach.PROJECT and (alias := _alias_of(call)):
        reach = Reach.PRODUCTION if is_production(alias) else Reach.REMOTE
    if reach is Reach.REMOTE and names_production(call) and not _is_single_secret(act):
        reach = Reach.PRODUCTION
    return call.operation(
        act.verb,
        act.thing,
        target,
        traits=act.traits,
        reach=reach,
        reversible=act.reversible if act.reversible is not None else act.verb is not Verb.DELETE,
    )


def _alias_of(call: ProgramCall) -> str:
    """Return the name of the machine that a call is for, "" if it is for this one."""
    first = call.command.words[1].text if len(call.command.words) > 1 else ""
    if first[:1] == "@" and first != "@self":
        return first
    ssh = call.value("--ssh", "--alias", "--remote-host")
    return ssh.text or "unknown" if ssh is not None else ""


def _is_single_secret(act: Act) -> bool:
    """One secret is no estate, wherever it belongs; its loss is asked about all the same."""
    return act.thing is ResourceType.CREDENTIAL and Trait.WHOLE_STORE not in act.traits


def _all_texts(call: ProgramCall) -> tuple[str, ...]:
    return tuple(word.text for word in call.command.words[1:MAX_WORDS])


def _traits(call: ProgramCall, verb: Verb, *, store: bool) -> Iterator[Trait]:
    if store:
        yield Trait.WHOLE_STORE
    if verb is not Verb.READ and opens_access(call):
        yield Trait.OPENS_ACCESS


def _said(path: Sequence[str], texts: Sequence[str]) -> WordMeaning:
    """What the path says; options may stand before the verb, then every word is looked at."""
    said = read_words(path)
    if said.verb is None and path and _is_listing(path):
        return WordMeaning(verb=Verb.READ)
    if said.verb is None or said.is_grouping:
        later = read_words([t for t in texts[len(path) : 24] if not t.startswith("-")])
        if later.rank > said.rank:
            return later
    return said


def _is_listing(path: Sequence[str]) -> bool:
    """A noun alone lists: `ibmcloud regions`, `jira me`."""
    last = path[-1]
    return last in LISTING or any(word.endswith("s") and len(word) > 3 for word in path[-2:])
