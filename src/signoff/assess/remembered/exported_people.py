"""Files into which a tool of a service writes data of many people: customers, patients, members.

The call tells whose data it is by its name and arguments, not by columns. One record, a count, or
people without names are no such thing.

    exported_files(call)     ("/p/out/all.csv",) for crm.export_contacts(path="out/all.csv")
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from signoff.actions.action import Action
from signoff.actions.lexicon.languages.glossary import in_english
from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.tools.naming.contents import strings_of
from signoff.actions.vocabulary import lazy_re
from signoff.assess.combined.call import TRIAL, Call
from signoff.assess.remembered.private_fields import is_private

_WRITES_OUT = vocabulary("export dump download extract backup save output")
_PEOPLE = vocabulary(
    "customer customers patient patients employee employees member members student students pupil"
    " pupils contact contacts donor donors guest guests tenant tenants voter voters subscriber"
    " subscribers citizen citizens resident residents applicant applicants candidate candidates"
    " passenger passengers client clients people persons payroll salaries personnel staff"
)
_FILE = lazy_re(
    r"(?i)^(?!\w+://)[^\n*?]{1,400}\.(?:csv|tsv|json|jsonl|ndjson|xlsx?|ods|txt|parquet|sql|xml|vcf|zip|gz)$"
)
_KIND = lazy_re(r"[A-Za-z][A-Za-z_]{2,30}$")
# Without names, or one of them only: an argument that names one record.
_NARROW = lazy_re(
    r"(?i)anonym|pseudonym|aggregat|(?:^|[\W_])(?:count|summary|statistics|template|header|schema)s?(?:[\W_]|$)"
    r"|(?:^|[\W_])(?:id|number|email|name)(?:[\W_]|$)"
)


def exported_files(call: Call) -> Iterator[str]:
    """Yield the files to which a tool exports data of many people."""
    action = call.action
    if not action.tool.startswith("mcp__"):
        return
    given = list(strings_of(action.arguments))
    files = [one for one in given if _FILE.match(one) is not None]
    # Folders have names of their own: `/home/dev/`.
    rest = " ".join([action.tool, *action.arguments, *(one for one in given if one not in files)])
    if files and _is_of_people(action, rest) and TRIAL.search(rest) is None:
        yield from [posixpath.normpath(posixpath.join(action.cwd or "/", one)) for one in files]


def _is_of_people(action: Action, rest: str) -> bool:
    """Tell it by the names of tool and arguments, or by the fields that are chosen."""
    names = split_words(" ".join([action.tool, *action.arguments]))
    said = frozenset([*names, *in_english(names)])
    # `search(resource="Patient", save_to="all.json")`: whose data it is may be a value.
    kinds = [one for one in strings_of(action.arguments) if _KIND.match(one) is not None]
    people = said.union(*[split_words(one) for one in kinds])
    if is_private(rest):
        return True
    is_of_many = not _WRITES_OUT.isdisjoint(said) and not _PEOPLE.isdisjoint(people)
    return is_of_many and _NARROW.search(rest) is None
