"""What is lost because a setting says so: stores that keep nothing, folders emptied at boot.

keep_within: 1H                           archives older than an hour go
frozenTimePeriodInSecs = 60               what was a year is a minute
R! /home                                  systemd-tmpfiles empties a folder at each boot
syncPolicy: {automated: {prune: true, allowEmpty: true}}   an empty folder empties a cluster
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.vocabulary import lazy_re, lazy_re2

_READ = 60_000  # characters
_MOST = 60
_DAY = 86_400.0
_KEY = (
    r"[\w. -]{0,24}?(?:retention|retain|keep[_-]?(?:within|last|daily|for)|expunge"
    r"|frozentimeperiod|max[_-]?(?:life ?time|age)"
    r"|min[_-]?age|\bttl|expir(?:y|ation|es?)|drop_after|keep_?days|delete_?after\w*"
    r"|daysafter\w+)[\w -]{0,30}"
)
_KEPT = lazy_re2(
    rf"(?im)^[\s\-\"'{{]*({_KEY})[\"']?\s*(?:=>"
    rf"|[:=])\s*(?:interval\s*)?[\"']?(\d{{1,9}}(?:\.\d+)?)\s*([a-z]{{0,8}})"
)
_UNITS = {"ms": 0.001, "s": 1.0, "sec": 1.0, "second": 1.0, "m": 60.0, "min": 60.0, "minute": 60.0}
_UNITS |= {"h": 3600.0, "hour": 3600.0, "d": _DAY, "day": _DAY, "w": 7 * _DAY, "week": 7 * _DAY}
_UNITS |= {"month": 30 * _DAY, "y": 365 * _DAY, "year": 365 * _DAY}
_IN_KEY = lazy_re(r"(?i)(in_?secs?|seconds?|minutes?|hours?|days?|ms)(?:_|\b|$)")
_OF_STORES = lazy_re2(
    r"(?i)backup|borg|restic|velero|bacula|archiv|repositor|snapshot|mailbox|\binbox|index|matrix"
    r"|messages?\b|lake|lifecycle"
    r"|manage?mentpolic|splunk|cold|blob|bucket|pool|audit"
)
_PASSING = lazy_re2(
    r"(?i)cache|session|token|tmp|temp|cookie|jwt|cors|dns|lock|health|lease"
    r"|certificate|otp|preview"
)
_BOOT = lazy_re2(
    r"(?m)^[DR][!+-]{0,3}\s+(/(?:home|root|etc|usr|opt|srv|boot|var/(?:lib|mail"
    r"|backups?|log))\b[^\s]*)"
)
_EMPTY = lazy_re2(
    r"(?s)\bprune:\s*true\b.{0,200}\ballowEmpty:\s*true\b"
    r"|\ballowEmpty:\s*true\b.{0,200}\bprune:\s*true\b"
)
_APPLICATION = lazy_re2(r"(?m)^kind:\s*Application(?:Set)?\b")
_ROOT = lazy_re2(
    r"(?im)^\s*name:\s*[\w-]*(?:root|bootstrap|app-of-apps|all-apps)\b"
    r"|^\s*path:\s*\S*\b(?:empty|leer|tom|vacio|vide|vuoto|pusto|void|none|placeholder)\b"
)
_SMALL = 100.0


def kept_for_nothing(path: str, old: str, new: str) -> str:
    """Return the rule of keeping that keeps a day at most of what is a store of others, else ""."""
    head = new[:_READ]
    if _OF_STORES.search(f"{path} {head}") is None or _PASSING.search(path) is not None:
        return ""
    before = _times(old[:_READ])
    for key, (seconds, line) in _times(head).items():
        if _PASSING.search(key) is not None or seconds > _DAY:
            continue
        was = before.get(key)
        if was is None or (seconds * _SMALL <= was[0]):
            return line
    return ""


def emptied_at_boot(text: str, path: str) -> str:
    """Return the folder that a machine empties by itself at each boot, else ""."""
    is_rule = "tmpfiles" in path.lower()
    match = _BOOT.search(text[:_READ]) if is_rule else None
    return str(match.group()) if match is not None else ""


def prunes_to_nothing(text: str) -> str:
    """Return the setting by which an empty folder of a repository empties a cluster, else ""."""
    return "prune, allowEmpty" if _EMPTY.search(text[:_READ]) is not None else ""


def is_of_whole_cluster(text: str) -> bool:
    """Return whether an application stands for all others, or points at an empty folder."""
    head = text[:_READ]
    return _APPLICATION.search(head) is not None and _ROOT.search(head) is not None


def _times(text: str) -> dict[str, tuple[float, str]]:
    found: dict[str, tuple[float, str]] = {}
    for match in islice(_KEPT.finditer(text), _MOST):
        key, number, unit = str(match.group(1)).strip(), float(match.group(2)), str(match.group(3))
        named = _IN_KEY.search(key)
        told = unit.lower().removesuffix("s") or (
            named.group(1).lower().removesuffix("s") if named else ""
        )
        told = told.removeprefix("in_").removeprefix("in")
        size = _UNITS.get(told, _UNITS.get(told[:3], _DAY if "day" in key.lower() else 0.0))
        if size and number:
            found.setdefault(key.lower(), (number * size, str(match.group()).strip()))
    return found
