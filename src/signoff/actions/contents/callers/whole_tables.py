"""Statements in the code of an application that delete or change every row of a table.

A clean-up says in its name that it empties something, and a table that is filled anew is emptied
first. Code with another task that deletes a table as a whole is a surprise to everybody.

    def on_order(o): db.execute("DELETE FROM customers")            the statement
    Repo.update_all(Member, set: [iban: iban])                      the statement
    def clear_history(self): self.db.execute("DELETE FROM visits")  none: it is called so
    DELETE FROM carts WHERE session = ?                             none: bounded
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import re2

from signoff.actions.contents.callers.parts import outside_application
from signoff.actions.contents.checks.comments import running
from signoff.actions.contents.leaks.functions import functions_of
from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters
_MOST = 40
_LONGEST = 600  # characters of one statement in a text
_BEFORE = 320
_HEAD = 140
_HINTS = (
    *("delete", "update", "truncate", "drop", "removerange", "destroy_all", "obliterate"),
    *("migrate:", "db:wipe"),
)
# Statements of SQL at the start of a text of the source, or behind another one.
_SQL = lazy_re2(
    r"(?i)(?P<opener>[\"'`;])\s*(?P<act>delete\s+from|update|truncate(?:\s+table)?"
    r"|drop\s+(?:table|schema)(?:\s+if\s+exists)?)\s+[`\[\"]?(?P<table>[a-z_][\w.]{1,60})"
)
_BOUNDED = lazy_re2(r"(?i)\b(?:where|limit|using|join|returning)\b|%s|\{|\$\(|#\{")
_ENDS = {
    '"': lazy_re2(r"[\";]"),
    "'": lazy_re2(r"[';]"),
    "`": lazy_re2(r"[`;]"),
    ";": lazy_re2(r"[\"`;]"),
}
_JOINED = lazy_re2(r"^\s*(?:\+|\.\s|<>|\.\.|%|&|\|\||\\|[\"'`]|\n\s*[\"'`+.])")
_SETS = lazy_re2(r"(?i)^[`\]\"]?(?:\s+(?:as\s+)?\w+)?\s+set\s")
# The same by the calls of libraries: the table stands alone, with no filter between.
_NAME = r"(?P<table>[A-Za-z_]\w{1,50})"
_CALLS = (
    lazy_re2(rf"\bRepo\.(?:delete_all|update_all)!?\(\s*{_NAME}\s*[,)]"),
    lazy_re2(rf"\b{_NAME}\.objects(?:\.all\(\))?\.(?:delete|update)\("),
    lazy_re2(rf"\b{_NAME}\.deleteAllInBatch\(\)"),
    # A model by its own name; `customer.addresses.destroy_all` is bounded.
    lazy_re2(
        r"(?:^|[^.\w>:])(?P<table>[A-Z]\w{1,50})\.(?:delete_all\b|destroy_all\b|update_all\b)"
    ),
    lazy_re2(
        rf"\b{_NAME}\.(?:deleteMany\(\s*(?:\{{\s*\}})?\s*\)|updateMany\(\s*\{{\s*(?:\}}\s*,|data\s*:))"
    ),
    lazy_re2(rf"\.RemoveRange\(\s*\w+\.{_NAME}\s*\)"),
    lazy_re2(rf"\b\w+\.{_NAME}\.Execute(?:Delete|Update)(?:Async)?\("),
    lazy_re2(rf"\bDB\[:{_NAME}\]\.(?:delete|update|truncate)\b"),
    lazy_re2(rf"\bDB::table\(\s*[\"']{_NAME}[\"']\s*\)->(?:delete|update|truncate)\("),
    lazy_re2(rf"\b{_NAME}::(?:truncate\(\)|query\(\)->(?:delete|update)\()"),
    lazy_re2(rf"\.query\(\s*{_NAME}\s*\)\.(?:delete|update)\("),
    lazy_re2(
        rf"\bexecute\(\s*(?:\w+\.)?(?:delete|update)\(\s*{_NAME}\s*\)(?:\.values\([^()\n]*\))?\s*\)"
    ),
    lazy_re2(rf"\bSchemaUtils\.drop\(\s*{_NAME}"),
    lazy_re2(r"\b(?P<table>\w+Table)\.(?:deleteAll\(\)|update\s*\{)"),
    lazy_re2(rf"\b{_NAME}\.map\(_\.\w+\)\.update\("),
    lazy_re2(
        rf"\bcollections?(?:\.|\([\"'])(?:truncate\(\s*[\"']?)?{_NAME}[\"']?\)?\.?(?:deleteMany\(\s*\{{\s*\}}\s*\))"
    ),
    lazy_re2(rf"\bcollections\.truncate\(\s*[\"']?{_NAME}"),
    lazy_re2(rf"\b{_NAME}\.obliterate\("),
    lazy_re2(rf"\bdelete_{_NAME}\(\s*where:\s*\{{\s*\}}\s*\)"),
)
_WHOLE_DATABASE = lazy_re2(
    r"\bArtisan::call\(\s*[\"'](?:migrate:(?:fresh|reset)|db:wipe)|\.EnsureDeleted(?:Async)?\(\)"
    r"|\bmetadata\.drop_all\("
)
# What may be emptied: it is made again, or holds one row.
_PASSING = lazy_re2(
    r"(?i)cache|tmp|temp|stag(?:e|ing)|sessions?$|fts|index|_idx|import|buffer|locks?$|scratch"
    r"|snapshot|materiali|_mv$|stats|summar|preview|settings?$|config|counters?$|meta|versions?$"
    r"|sequence|state$|status$|test|demo|fixture|sample|seed|ranking|leaderboard|^set$|^view$"
    r"|^table$|^repo$|^multi$|^index$|^if$|suggest|recent|expired|orphan|search|feature|embedding|chunk"
)
# A function that is called so does what its name says.
_SAYS_SO = lazy_re2(
    r"(?i)clear|reset|delete|remove|purge|wipe|trunc|empty|drop|flush|prune|clean|destroy|rebuild"
    r"|refresh|reindex|reload|replace|restore|tear_?down|uninstall|log_?out|sign_?out|import|seed"
    r"|set_?up|init|populate|sync|migrat|recreate|forget|update_?all|mark_?all|set_?all|bulk|all$"
    r"|recompute|recalc|backfill|upgrade|downgrade|factory|before_?each|after_?each|overwrite"
)
_DEVELOPING = lazy_re2(
    r"(?i)is_?dev\w*|isdevelopment|[\"'](?:dev|development|test|testing|local|e2e|demo|staging)"
    r"|\bdebug\b|:mem(?:ory)?:|sandbox|testing|\bTEST_|localhost|in-?memory|temp_?file|tmp_?dir|mkdtemp|temp_?dir"
)
_TRIES = lazy_re2(
    r"\bAssert\.|\bXCT\w+\(|@Test\b|\[Fact\]|\bexpect\(|\bassert\w*[ (]|throws_ok|t\.Fatal"
)
_UNDONE = lazy_re2(r"(?i)\broll_?back\b|dry_?run")
_CHAINED = lazy_re2(
    r"(?i)[\"'`]\s*(?:delete|update|drop|truncate|insert|begin|alter|set)\b[^\"`]{0,300}$"
)
_NOT_THE_APPLICATION = outside_application(
    r"prueba\w*|cypress|factor(?:y|ies)|migrat\w*|alembic|schema\w*|setup|teardown|reset\w*|scripts?"
    r"|conftest|clean\w*|purge\w*|wipe\w*|clear\w*|import\w*|dao|daos|repositor(?:y|ies)|cli|dev"
    r"|playground|support|database_?cleaner|upgrade\w*|backfill\w*|rebuild\w*"
)


def whole_table(text: str, within: str) -> str:
    """Return the statement that deletes or changes every row of a table, "" if none does.

    Args:
        within: the path of the file in its project.
    """
    low = text[:_READ].lower()
    is_elsewhere = within.lower().endswith(".sql") or _NOT_THE_APPLICATION.search(within)
    if is_elsewhere or not any([hint in low for hint in _HINTS]):
        return ""
    head = running(text[:_READ], within)
    for one in functions_of(head):
        if one.name and _SAYS_SO.search(one.name) is not None:
            continue
        for table, match in _found(one.text):
            if _PASSING.search(table) is None and not _is_usual(one.text, head, table, match):
                return " ".join(str(match.group()).split())
    return ""


def _found(text: str) -> Iterator[tuple[str, re2._Match[str]]]:
    for match in islice(_SQL.finditer(text), _MOST):
        if _is_whole(text, match):
            yield str(match.group("table")), match
    for find in _CALLS:
        for match in islice(find.finditer(text), _MOST):
            yield str(match.group("table")), match
    if (whole := _WHOLE_DATABASE.search(text)) is not None:
        yield "", whole


def _is_whole(text: str, match: re2._Match[str]) -> bool:
    """Whether a statement ends within its own text, and has no condition."""
    rest = text[match.end() : match.end() + _LONGEST]
    end = _ENDS[str(match.group("opener"))].search(rest)
    if end is None:
        return False
    statement, behind = rest[: end.start()], rest[end.end() :]
    if match.group("opener") == ";" and _CHAINED.search(text[: match.start()][-_BEFORE:]) is None:
        return False
    is_update = str(match.group("act")).lower() == "update"
    if is_update and _SETS.search(statement) is None:
        return False
    is_joined = end.group() != ";" and _JOINED.search(behind) is not None
    return not is_joined and _BOUNDED.search(statement) is None


def _is_usual(text: str, head: str, table: str, match: re2._Match[str]) -> bool:
    """Whether the table is filled again, or it is done where somebody develops or tests."""
    before = text[max(match.start() - _BEFORE, 0) : match.start()]
    annotated = text[match.end() : match.end() + _HEAD]
    if _DEVELOPING.search(before) or _UNDONE.search(annotated) or _TRIES.search(head):
        return True
    # The head of a function may stand behind the statement, as annotations do.
    if before.rstrip().endswith(("@Query(", "@Query", "@Update(", "@Delete(", "@Sql(")):
        return _SAYS_SO.search(annotated) is not None
    if not table:
        return False
    filled = (
        rf"(?i)\b(?:insert\s+(?:or\s+\w+\s+)?(?:into\s+)?|copy\s+|create\s+(?:temp(?:orary)?\s+)?table\s+(?:if\s+not\s+exists\s+)?)[`\[\"]?{table}\b"
        rf"|\b{table}(?:\.objects)?(?:\.|::|->)(?:bulk_create|create_?many|insert|insert_?all|add_?range|import|create|upsert)"
        rf"|insert_all!?\(\s*{table}|\bSchemaUtils\.create\([^)\n]*\b{table}\b"
    )
    return re2.search(filled, head) is not None
