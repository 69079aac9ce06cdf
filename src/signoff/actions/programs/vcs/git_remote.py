"""git's commands that speak to others: push, fetch, clone, remotes, transports and mail.

A plain push of a branch passes. Forced pushes and deleted refs are asked about; transports that
name a program run that program.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.vcs.git_config import key_effects
from signoff.actions.programs.vcs.git_work import changed
from signoff.actions.shell.command import Word

# Names by custom: which branches the server protects is not known here.
PROTECTED = frozenset({"main", "master", "trunk", "production", "prod", "release", "stable"})


def push(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `git push`: where to, which refs, by force or not."""
    for word in call.operands[:1]:
        yield from transport_effects(call, word)
    refs = call.operands[1:]
    # After the transport: a dry run still connects, and `ext::` runs its program for it.
    if call.is_dry("-n", "--dry-run"):
        yield call.operation(Verb.INERT, ResourceType.NOTHING, traits=(Trait.DRY_RUN,))
        return
    yield _pushed(call, refs, _push_traits(call, refs))


def _push_traits(call: ProgramCall, refs: tuple[Word, ...]) -> set[Trait]:
    traits: set[Trait] = set()
    deletes = call.has("-d", "--delete")
    plus = any(word.text.startswith("+") for word in refs)
    # The lease is often written with a ref: `--force-with-lease=main:abc123`.
    leased = any(o.name.startswith("--force-with-lease") for o in call.options)
    if plus or leased or call.has("-f", "--force", "--force-if-includes"):
        traits.add(Trait.FORCED)
        if plus or call.has("-f", "--force"):  # either makes git push past a broken lease
            traits.add(Trait.LOSES_HISTORY)
    # Both delete refs of the remote that are missing here, main among them.
    if call.has("--mirror", "--prune"):
        traits |= {Trait.FORCED, Trait.LOSES_HISTORY, Trait.PROTECTED_BRANCH, Trait.BROAD}
    lossy = deletes or Trait.LOSES_HISTORY in traits
    if any(_is_protected(word.text, lossy=lossy) for word in refs):
        traits.add(Trait.PROTECTED_BRANCH)
    if call.has("--all", "--branches"):
        traits.add(Trait.BROAD)
    return traits


def _is_protected(ref: str, *, lossy: bool) -> bool:
    """Whether a shared branch loses something or gets another branch; a plain push does neither."""
    # `HEAD:main` sends another branch's commits to main; `main` and `main:main` are its own.
    source, colon, target = ref.lstrip("+").rpartition(":")
    name = target.removeprefix("refs/heads/")
    return name in PROTECTED and (lossy or (bool(colon) and source != target))


def _pushed(call: ProgramCall, refs: tuple[Word, ...], traits: set[Trait]) -> Operation:
    # git-push(1): a refspec with an empty source deletes the target.
    deleted = [w for w in refs if w.text.startswith(":")]
    if call.has("-d", "--delete") or deleted:
        return call.operation(
            Verb.DELETE,
            ResourceType.REPOSITORY,
            " ".join(w.text for w in (deleted or refs)),
            traits=traits - {Trait.FORCED},
            reach=Reach.REMOTE,
            reversible=False,
        )
    plain = traits.isdisjoint({Trait.FORCED, Trait.LOSES_HISTORY, Trait.BROAD})
    # A remote written as an address is none that this repository was set up with.
    named = not any("://" in text or "@" in text for text in call.texts[:1])
    # Tags start releases, and who has fetched one keeps it.
    tags = call.has("--tags", "--follow-tags") or any("refs/tags/" in w.text for w in refs)
    return call.operation(
        Verb.PUBLISH,
        ResourceType.REPOSITORY,
        " ".join(call.texts),
        traits=traits,
        reach=Reach.REMOTE,
        reversible=plain and named and not tags,
    )


def transport_effects(call: ProgramCall, word: Word) -> Iterator[Effect]:
    """Yield the effects of a remote's address: transports that run programs, bare IPs."""
    text = word.text
    # gitremote-helpers(7): `x::address` runs the program `git-remote-x`.
    if text.startswith(("ext::", "fd::")) or "::" in text.split("/", 1)[0]:
        yield call.opaque("the transport runs a program", Trait.REMOTE_CODE)
        if text.startswith("ext::"):
            # git-remote-ext(1): `% ` is a blank inside an argument.
            yield Nested(text=text[5:].replace("% ", " "), language="shell", carrier="git ext::")


def remote(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `git remote`: names and addresses of other repositories."""
    what = call.texts[0] if call.operands else ""
    if what in {"add", "set-url"} and len(call.operands) > 2:
        yield from transport_effects(call, call.operands[2])
        yield changed(call)
    elif what in {"remove", "rm", "prune"}:
        yield changed(call)
    else:
        yield call.operation(Verb.READ, ResourceType.REPOSITORY)


def clone(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `git clone`: fetches into a folder; settings and templates may run programs."""
    for word in call.values("-c", "--config"):
        key, _, value = word.text.partition("=")
        yield from key_effects(call, key, value, is_known=word.is_known)
    for word in call.values("--template"):
        # Hooks in the template are copied into the new repository and run from then on.
        if locate(word.text, call.place).reach is not Reach.PROJECT:
            yield call.opaque("hooks are taken from a template outside the project")
    for word in call.operands[:1]:
        yield from transport_effects(call, word)
        yield call.operation(
            Verb.NETWORK_IN, ResourceType.REPOSITORY, word.text, reach=Reach.REMOTE
        )
    for word in call.operands[1:2]:
        yield call.on_file(Verb.WRITE, word)


def fetch(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `git fetch`, `git pull`, `git ls-remote`: reads from another repository."""
    for word in call.operands[:1]:
        yield from transport_effects(call, word)
    yield call.operation(Verb.NETWORK_IN, ResourceType.REPOSITORY, reach=Reach.REMOTE)


def credential(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `git credential`: passwords kept for remotes."""
    what = call.texts[0] if call.operands else ""
    # `fill` prints the password that git would send.
    if what in {"fill", "get", ""}:
        yield call.operation(
            Verb.READ, ResourceType.CREDENTIAL, "stored passwords", traits=(Trait.READS_SECRET,)
        )
    else:
        yield call.operation(
            Verb.CONFIGURE, ResourceType.CREDENTIAL, "stored passwords", reach=Reach.HOME
        )
