"""Tells whether a `gh` command only takes part in a repository's discussion.

That is: opens pull requests and issues, comments, reviews without approving, answers and
resolves review threads. What merges, approves, releases, invites, reads a file or names another
host is no discussion. The texts may differ from call to call; they are masked and looked through
like any other argument.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

THIS_REPOSITORY = "this repository"
THREADS = "review threads"
REPOSITORY_OPTIONS = frozenset({"-R", "--repo"})
BODY = frozenset({"-b", "--body"})
TITLED = BODY | {"-t", "--title", "-l", "--label"}
NUMBER = re.compile(r"#?[0-9]{1,10}")
REPOSITORY = re.compile(r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+")
PLACE = re.compile(
    r"/?repos/((?:[A-Za-z0-9_.-]+|\{owner\}|:owner)/(?:[A-Za-z0-9_.-]+|\{repo\}|:repo))"
    r"/(?:pulls|issues)/[0-9]{1,10}/(?:comments|reviews)(?:/[0-9]{1,20}/replies)?"
)
# What `gh api` fills in with the repository of the folder (its manual; `:owner` is the old form).
OWN_PLACES = frozenset({"{owner}/{repo}", ":owner/:repo"})
FIELD_OPTIONS = frozenset({"-f", "-F", "--field", "--raw-field"})
FIELD_NAMES = frozenset(
    {"body", "in_reply_to", "commit_id", "path", "line", "side", "start_line", "start_side"}
)
METHOD_OPTIONS = frozenset({"-X", "--method"})
OUTPUT_OPTIONS = frozenset({"-q", "--jq"})
# Nothing before it: a fragment or another operation in front would not be looked at.
MUTATION = re.compile(r"\s*mutation(?:\s+\w+)?\s*(?:\([^()]*\))?\s*\{")
# Texts and comments: a name in them calls nothing, and a quote in a comment opens no text.
BETWEEN = re.compile(
    r'"""(?:\\"""|\\(?!""")|[^"\\]|"(?!""))*"""' r'|"(?!"")(?:\\.|[^"\\\n\r])*"' r"|#[^\n\r]*"
)
# GraphQL passes over commas and the byte order mark like blanks, before the arguments as well.
CALLED = re.compile(r"(\w+)[\s,\ufeff]*\(")
TALKING = frozenset(
    {"resolveReviewThread", "unresolveReviewThread", "addPullRequestReviewThreadReply"}
)


class _Form(Struct, frozen=True, kw_only=True):
    """What a sub-command may be given.

    Args:
        texts: options with a value that may be any text.
        flags: options without a value.
        takes_number: it names a pull request or an issue.
        needs: one of these must be given, () for nothing.
    """

    texts: frozenset[str]
    flags: frozenset[str] = frozenset()
    takes_number: bool = False
    needs: frozenset[str] = frozenset()


FORMS: Mapping[tuple[str, str], _Form] = {
    ("pr", "create"): _Form(
        texts=TITLED | {"-B", "--base", "-H", "--head"},
        flags=frozenset({"-d", "--draft", "-f", "--fill", "--fill-first", "--fill-verbose"}),
    ),
    ("pr", "comment"): _Form(texts=BODY, takes_number=True, needs=BODY),
    # Not `--approve`: an approval of a pull request can let it be merged.
    ("pr", "review"): _Form(
        texts=BODY,
        flags=frozenset({"-c", "--comment", "-r", "--request-changes"}),
        takes_number=True,
        needs=frozenset({"-c", "--comment", "-r", "--request-changes"}),
    ),
    # Not `--body-file`, nor `--web`, here and above: a file is no text of the call.
    ("issue", "create"): _Form(texts=TITLED),
    ("issue", "comment"): _Form(texts=BODY, takes_number=True, needs=BODY),
}


def discussion_of(words: Sequence[str]) -> str:
    """Return the repository in which a `gh` command writes a comment, "" for other commands.

    Args:
        words: program name and arguments.
    """
    if len(words) < 3 or words[0] != "gh":
        return ""
    if words[1] == "api":
        return _by_api(words[2:])
    form = FORMS.get((words[1], words[2]))
    return "" if form is None else _by_form(words[3:], form)


def _by_form(words: Sequence[str], form: _Form) -> str:
    """Read the words after a sub-command."""
    where, numbers, given = THIS_REPOSITORY, 0, set[str]()
    for option, value in _options(words, form.texts | REPOSITORY_OPTIONS):
        if not option:
            numbers += 1
            # Only by number: an address as an operand can name another host or repository.
            if not form.takes_number or numbers > 1 or not NUMBER.fullmatch(value or ""):
                return ""
        elif option in REPOSITORY_OPTIONS:
            where = value if value and REPOSITORY.fullmatch(value) else ""
        elif option not in (form.texts if value is not None else form.flags):
            return ""
        given.add(option)
    return where if not form.needs or given & form.needs else ""


def _by_api(words: Sequence[str]) -> str:
    """Read the words after `gh api`."""
    where, query = "", ""
    for option, value in _options(words, FIELD_OPTIONS | METHOD_OPTIONS | OUTPUT_OPTIONS):
        if value is None:
            return ""
        if not option:
            found = PLACE.fullmatch(value)
            # A second place, or any other one, full addresses with a host among them.
            if where or not (found or value == "graphql"):
                return ""
            where = (THREADS if found is None else _place(found[1])) or ""
        elif option in FIELD_OPTIONS:
            name, _, text = value.partition("=")
            # `-F body=@file` sends a file of this machine.
            if text.startswith("@") or name not in FIELD_NAMES | {"query", "threadId"}:
                return ""
            query = text if name == "query" else query
        # Comments are made by POST; DELETE and PATCH at the same place remove and change them.
        elif option in METHOD_OPTIONS and value != "POST":
            return ""
    is_thread = where == THREADS
    return where if is_thread == bool(query) and (not query or _only_talks(query)) else ""


def _place(said: str) -> str:
    return THIS_REPOSITORY if said in OWN_PLACES else said


def _only_talks(query: str) -> bool:
    """Tell whether a GraphQL mutation only answers and resolves review threads."""
    code = BETWEEN.sub(" ", query)
    start = MUTATION.match(code)
    # A quote that is left opens a text without an end.
    if start is None or '"' in code or "mutation" in code[start.end() :]:
        return False
    calls = set(CALLED.findall(code, start.end()))
    return bool(calls) and calls <= TALKING


def _options(words: Sequence[str], valued: frozenset[str]) -> Iterator[tuple[str, str | None]]:
    """Yield options with their values, ("", word) for what is no option."""
    at = iter(words)
    for word in at:
        name, equals, value = word.partition("=")
        if not word.startswith("-"):
            yield "", word
        elif equals and name.startswith("--"):
            yield name, value
        elif word in valued:
            yield word, next(at, None)
        else:
            yield word, None
