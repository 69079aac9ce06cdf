"""Files into which a tool of a service writes data of many people: customers, patients, members.

The call tells whose data it is by its name and arguments, not by columns. One record, a count, or
people without names are no such thing.

    exported_files(call, f)     ("/p/out/all.csv",) for crm.export_contacts(path="out/all.csv")
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator

from signoff.actions.lexicon.languages.glossary import in_english
from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.tools.naming.contents import strings_of
from signoff.actions.vocabulary import lazy_re
from signoff.assess.combined.call import TRIAL, Call

_WRITES_OUT = vocabulary("export dump download extract backup save")
_PEOPLE = vocabulary(
    "customer customers patient patients employee employees member members student students pupil"
    " pupils contact contacts donor donors guest guests tenant tenants voter voters subscriber"
    " subscribers citizen citizens resident residents applicant applicants candidate candidates"
    " passenger passengers client clients people persons payroll salaries personnel staff"
)
_FILE = lazy_re(
    r"(?i)^(?!\w+://)[^\n*?]{1,400}\.(?:csv|tsv|json|jsonl|ndjson|xlsx?|ods|txt|parquet|sql|xml|vcf|zip|gz)$"
)
# Without names, or one of them only: an argument that names one record.
_NARROW = lazy_re(
    r"(?i)anonym|pseudonym|aggregat|(?:^|[\W_])(?:count|summary|statistics|template|header|schema)s?(?:[\W_]|$)"
    r"|(?:^|[\W_])(?:id|number|email|name)(?:[\W_]|$)"
)


def exported_files(call: Call, is_private: Callable[[str], bool]) -> Iterator[str]:
    """Yield the files to which a tool exports data of many people.

    Args:
        is_private: whether a text names fields that are private together.
    """
    action = call.action
    if not action.tool.startswith("mcp__"):
        return
    given = list(strings_of(action.arguments))
    files = [one for one in given if _FILE.match(one) is not None]
    keys = " ".join(action.arguments)
    names = split_words(f"{action.tool} {keys}")
    said = frozenset([*names, *in_english(names)])
    if not files:
        return
    # Folders have names of their own: `/home/dev/`.
    rest = " ".join([action.tool, keys, *(one for one in given if one not in files)])
    is_export = not (_WRITES_OUT.isdisjoint(said) or _PEOPLE.isdisjoint(said))
    if not is_export and not is_private(rest):
        return
    if is_export and _NARROW.search(rest) is not None:
        return
    if TRIAL.search(rest) is not None:
        return
    yield from [posixpath.normpath(posixpath.join(action.cwd or "/", one)) for one in files]
