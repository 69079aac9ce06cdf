"""Evidence that a command of any program takes all of a store: from its root, or by its own list.

consul kv delete -recurse /                            in production: the root
earthengine rm --recursive projects/x-prod/assets/     in production: the root
wp @production post delete $(wp post list --format=ids) --force    all it lists
gam delete users ou_and_children /Pupils               a branch of a directory
wp post delete 17 --force                              one
"""

from __future__ import annotations

from signoff.actions.operation import Operation, Reach, ResourceType, Trait
from signoff.actions.programs.lexicon import is_production
from signoff.actions.vocabulary import keyed, lazy_re, lazy_re2
from signoff.assess.combined.call import TEXT_LIMIT, TRIAL_IN_LINE, Call, cached_per_call
from signoff.assess.combined.evidence.whole_command import whole_command
from signoff.assess.combined.facts import DELETE_WORDS

_RECURSES = lazy_re2(r"(?:^|\s)--?(?:r|R|rf|fr|recurs\w*)(?:\s|=|$)")
_ROOT = lazy_re(
    r"(?:^|\s)(?:['\"]?(?:/|\*|/\*)['\"]?|''|\"\"|[\w:./-]*(?:^|/|\s)(?:assets|root|data)/)(?=\s|$)"
)
_LISTS = lazy_re(
    r"(?:\$\(|`)\s*(?P<listing>(?P<program>[\w.-]+)\s[^)`]{0,300}\b(?:list|ls)\b[^)`]{0,300})"
)
# What leaves something of a listing out.
_NARROWS = lazy_re2(
    r"\b(?:[ef]?grep|rg|head|tail|awk|select)\b|--(?:filter|query|search|selector|before|after|author"
    r"|older|since|limit|name|user|id)\b|\bwhere\b|(?i:test|draft|trash|spam|pending|expired|auto)"
)
_FORCED = lazy_re2(r"(?:^|\s)(?:--force|--yes|-y|-f|--permanent|--purge|--skip[_-]trash)(?:\s|$)")
# GAM, for the directory of an organisation: whom a command is for, and what ends or empties them.
_OF_BRANCH = keyed(
    lazy_re2(
        r"(?i)\bgam\b.*\b(?:all (?:users|cros|mobile)|(?:cros_)?ous?(?:_and_children)?(?:_ns)?\s"
        r"|cros_ou|csv\s+\S+\s+gam\b|group_users)"
    ),
    "gam",
)
_ENDS_BRANCH = lazy_re2(
    r"(?i)\bdelete\s+users?\b|\bdelete\s+(?:messages|emptydrivefolders|drivefile)\b"
    r"|\bsuspended\s+on\b|\bsuspend\s+users?\b|\bremote_powerwash\b|\bwipe_?users\b|\bdeprovision"
    r"|\baction\s+(?:admin_(?:remote|account)_wipe)\b"
)
_CSV_NARROWS = lazy_re2(r"(?i)\b(?:matchfield|skipfield|suspended[ =:]+true|[ef]?grep|awk|head)\b")
# Whole databases, made anew: what they held is gone.
_ANEW = keyed(
    lazy_re2(
        r"(?i)\b(?:migrate:(?:fresh|reset|refresh)"
        r"|db[: ](?:drop|reset|clean|wipe|destroy|purge)|dropdb"
        r"|database[: ](?:drop|reset|wipe)|schema[: ]drop|fixtures:load|db:schema:load"
        r"|reset_db|flush)\b"
    ),
    "migrate: db database schema fixtures: flush",
)
_MEANT = lazy_re2(
    r"(?i)(?:^|\s)(?:--force|--yes|-y|-f|--noinput|--no-interaction)(?:\s|$)|env(?:ironment)?=prod"
)


def takes_root(op: Operation, call: Call) -> bool:
    """True if everything below the root of a store goes, in production."""
    if op.thing is ResourceType.FILE or not _is_live(op, call):
        return False
    said = _text(op, call)
    return _RECURSES.search(said) is not None and _ROOT.search(said) is not None


def takes_own_list(op: Operation, call: Call) -> bool:
    """True if a program deletes for good, in production, all that it lists itself."""
    said = _text(op, call)
    found = _LISTS.search(said) if "$(" in said or "`" in said else None
    if found is None or DELETE_WORDS.search(said[: found.start()]) is None:
        return False
    is_own = found["program"] == op.program.split(" ", 1)[0]
    is_narrow = _NARROWS.search(found["listing"]) is not None
    return is_own and not is_narrow and _FORCED.search(said) is not None and _is_live(op, call)


def takes_all_by_condition(op: Operation, call: Call) -> bool:
    """True if a delete far away has a condition on an id that holds of all but a few."""
    said = _text(op, call)
    is_far = Trait.ON_REMOTE_HOST in op.traits or _is_live(op, call)
    if not is_far or DELETE_WORDS.search(said) is None:
        return False
    return _OF_NEARLY_ALL.search(said) is not None and TRIAL_IN_LINE.search(said) is None


_OF_NEARLY_ALL = lazy_re2(
    r"(?i)\b(?:where|filter|query|criteria)\b[\"'\\]*\s*[:=]\s*[\[({\"'\\]*(?:\w+[._])?id\b"
    r"[\"'\\]*\s*,?\s*[\"'\\]*(?:>=?|!=|<>|is not null|\$gt|\$ne|\$exists)"
)


def ends_branch(op: Operation, call: Call) -> bool:
    """True if all people or devices of a branch of a directory end, or lose what they hold."""
    said = _text(op, call)
    if _OF_BRANCH.search(said) is None or _ENDS_BRANCH.search(said) is None:
        return False
    line = _line(call)
    return _CSV_NARROWS.search(line) is None and TRIAL_IN_LINE.search(line) is None


def recreates_database(op: Operation, call: Call) -> bool:
    """True if a whole database of a server is dropped and made anew, and nobody is asked."""
    said = _text(op, call)
    if _ANEW.search(said) is None or _MEANT.search(said) is None:
        return False
    if Trait.ON_REMOTE_HOST not in op.traits and not _is_live(op, call):
        return False
    return TRIAL_IN_LINE.search(_ANEW.sub(" ", _OPTIONS.sub(" ", _line(call)))) is None


# `--no-dev` names no place.
_OPTIONS = lazy_re(r"(?:^|\s)--?[\w-]+")


def _is_live(op: Operation, call: Call) -> bool:
    is_said = op.reach is Reach.PRODUCTION or is_production(_line(call))
    return is_said and TRIAL_IN_LINE.search(_text(op, call)) is None


def _text(op: Operation, call: Call) -> str:
    return whole_command(op.source, _line(call))


@cached_per_call
def _line(call: Call) -> str:
    return call.action.text("command")[:TEXT_LIMIT]
