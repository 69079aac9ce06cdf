"""Code of any language that lists all tables, databases or collections and drops or empties each.

    for (t,) in hook.get_records("select tablename from pg_tables"): hook.run(f'drop table "{t}"')
    ActiveRecord::Base.connection.tables.each { |t| execute("TRUNCATE #{t} CASCADE") }
    getDBNames().filter(n => n !== 'admin').forEach(n => conn.getSiblingDB(n).dropDatabase())

What only leaves some out still empties the rest. Those chosen by a part of their name or by age,
code of tests and resets, and what refuses production are ordinary.
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.vocabulary import lazy_re2

_MOST = 12
_AROUND = 500  # characters between the list and what is done to each
_WORD = lazy_re2(r"(?i)drop|truncate|delete|remove_?table")
_LISTS = lazy_re2(
    r"(?i)\b(?:pg_(?:catalog\.)?(?:tables|database|namespace)|information_schema\W{1,3}(?:tables|schemata)"
    r"|sys\.(?:tables|databases|schemas)|(?:user|all|dba)_tables|sqlite_master|show\s+(?:tables|databases|schemas))\b"
    r"|\b(?:list_?databases|list_?database_?names|get_?db_?names|databases\(\)\.names|list_?collection(?:_?name)?s|get_?collection_?names"
    r"|get_?table_?names|list_?tables|get_?all_?tables|get_?table_?listing|dblisttables|list_?schemas|get_?schema_?names|sorted_tables"
    r"|connection\.(?:tables|data_sources)|table_names|get_?tables)\b"
)
_END = r"(?:if\s+exists\s+)?[\"'`\\\[]{0,3}\s*(?:\{|#\{|\$|%|\?|<<|\|\||[+.~&]\s*\w|\\\()"
_EMPTIES = lazy_re2(
    rf"(?i)\b(?:drop\s+(?:table|schema|database|collection|keyspace)\s+|truncate\s+(?:table\s+)?|delete\s+from\s+){_END}"
    r"|[.:>]\s?(?:drop_?(?:database|collection|table|schema)?|truncate|force_drop)!?\(|\b(?:drop_table|dbRemoveTable)\b"
    r"|\b(?:delete_?many|remove)\(\s*(?:\{\s*\}|bson\.M\{\}|doc!\s*\{\s*\}|new Document\(\))"
)
# It is only said, or written for others to run.
_SAYS = lazy_re2(
    r"(?i)(?:^|[^\w])(?:log\w*|print\w*|echo|puts|console|say|writeln|emit|yield|append|push|write\w*|info|debug|warn\w*|return)"
    r"\b[^\n]{0,200}$|--\s*$|^\s*(?://|#|--|\*|;|%)"
)
_NEGATED = r"(?:!|\bnot\b|\bunless\b|!=|<>|reject|exclude|except|!~|\bNOT\b)"
_CHOSEN = lazy_re2(
    r"(?i)\b(?:starts?_?with\?|starts?_?with|ends?_?with\??|has_?prefix|has_?suffix|hasprefix|str_starts_with|fnmatch|match(?:es|\?)?|like|ilike"
    r"|similar|regexp?|in\s*\(|grep|contains)\b|=~|~\s*'|\bHasPrefix\b"
    r"|\b(?:older|age|days?|expired?|retention|created_?at|mtime|stale|orphan\w*|temp(?:orary)?|tmp|scratch|staging|partition\w*)\b"
)
_IS_NEGATED = lazy_re2(rf"(?i){_NEGATED}[^\n]{{0,40}}$")
_OF_TRIALS = lazy_re2(
    r"(?i)(?:^|[^a-z])(?:tests?|testing|specs?|fixtures?|dev|development|reset\w*|seeds?|seeders?|local|localhost|sandbox|ci|demo|teardown|conftest"
    r"|e2e|cypress|playwright|clean(?:er|up)_?db|factories|127\.0\.0\.1|:memory:)(?:[^a-z]|$)"
)
_REFUSES = lazy_re2(
    r"(?i)\b(?:raise|throw|exit|abort|die|panic!?|return|halt)\b[^\n]{0,120}\b(?:prod|production|live)\b"
    r"|\b(?:prod|production)\b[^\n]{0,120}(?:\n[^\n]{0,80}){0,2}\b(?:raise|throw|exit|abort|die|panic!?|halt|refus\w+)\b"
)


def emptied_catalogue(text: str, path: str) -> str:
    """Return the part of a text that drops or empties each of a listed kind, "" if none does."""
    if _WORD.search(text) is None or _OF_TRIALS.search(path) is not None:
        return ""
    for listed in islice(_LISTS.finditer(text), _MOST):
        begin, end = listed.start(), listed.end()
        after = text[end : end + _AROUND]
        empties = _EMPTIES.search(after)
        if empties is None:
            continue
        line_start = text.rfind("\n", 0, begin) + 1
        about = text[line_start : end + empties.end()]
        is_of_trials = _OF_TRIALS.search(text) is not None or _REFUSES.search(text) is not None
        line = about[about.rfind("\n", 0, len(about) - (empties.end() - empties.start())) + 1 :]
        is_said = _SAYS.search(line[: len(line) - len(empties.group())]) is not None
        if not is_of_trials and not is_said and not _chooses(about):
            return str(empties.group()).strip()
    return ""


def _chooses(about: str) -> bool:
    """Whether some are chosen, and not only left out."""
    for match in islice(_CHOSEN.finditer(about), _MOST):
        if _IS_NEGATED.search(about[max(0, match.start() - 60) : match.start()]) is None:
            return True
    return False
