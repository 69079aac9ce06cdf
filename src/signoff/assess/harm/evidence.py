"""Harm that is bounded by what is known of the call: nothing of it runs, or whose code it is."""

from __future__ import annotations

from signoff.actions.operation import Operation, Trait, Verb
from signoff.actions.vocabulary import lazy_re
from signoff.assess.harm.row import BoundedHarm

SOURCE_LIMIT = 200  # where the text of an Operation is cut
REFUSED = frozenset({"unclosed quote", "a word is missing"})
# Where shells differ in what a quote is, or a terminal that waits for its end runs other commands.
DIFFERS = lazy_re(r"[\n\\`$#!();|&]|<<|<\d*-\d*>")
QUOTED = lazy_re(r"'[^']*'|\"[^\"]*\"")
# Programs that fetch a package by its name and run it at once.
RUNNERS = frozenset(
    {"npx", "npm exec", "pnpm dlx", "yarn dlx", "bunx", "uvx", "uv tool run", "pipx run"}
    | {"deno run"}
)
REGISTERED = lazy_re(r"(?:npm:|jsr:)?(?:@[\w.-]+/)?\w[\w.-]*(?:@[\w.^~<>=-]+)?")
ELSEWHERE = lazy_re(r"\s--?(?:registry|index|from|with|extra-index|find-links|git|spec)\b")


def _never_runs(op: Operation) -> bool:
    """One line that every usual shell refuses as a whole: an open quote, `>` at the end."""
    text = op.source.strip()
    if op.why not in REFUSED or len(op.source) >= SOURCE_LIMIT or DIFFERS.search(text):
        return False
    bare = QUOTED.sub("", text)
    return "'" in bare or '"' in bare or bare.endswith((">", "<"))


def _registered_program(op: Operation) -> bool:
    is_run = op.verb is Verb.INSTALL and op.program in RUNNERS
    is_named = REGISTERED.fullmatch(op.target) is not None and not ELSEWHERE.search(op.source)
    return is_run and is_named and Trait.AS_ROOT not in op.traits


BY_EVIDENCE = (
    BoundedHarm(
        "a line that every shell refuses",
        undone="nothing of it runs",
        reaches="nothing",
        loses="nothing",
        holds=_never_runs,
        bounded=('echo "find . -delete', "git status 'x", "<q>"),
        spared=("echo $'a\\'", 'make\necho "x', "ls <(cat", 'eval "$CMD"'),
        is_unread=True,
    ),
    BoundedHarm(
        "a program of a public registry, called by its name",
        undone="removing it: it stays in a cache",
        reaches="what an install of the same name may run without a question",
        loses="nothing by itself",
        holds=_registered_program,
        bounded=("npx cowsay", "uv tool run ruffian"),
        spared=(
            "npx github:somebody/tool",
            "uv tool run --from git+https://code.example/a.git a",
            "deno run https://code.example/a.ts",
        ),
        despite=frozenset({Trait.UNTRUSTED_SOURCE}),
    ),
)
