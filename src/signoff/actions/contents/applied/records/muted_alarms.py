"""Alarms that nobody gets: routes of Alertmanager to a receiver without an address, muted hours.

- matchers: [severity="critical"]
  receiver: hole                        and  - name: hole  without one `.._configs`
- matchers: [alertname="Watchdog"]      passes: it only says that alarms work
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from signoff.actions.contents.named_only.blocks import item_around
from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters
_MOST = 60
_RECEIVERS = lazy_re2(r"(?m)^receivers:[ \t]*$")
_NAME = lazy_re2(r"(?m)^[ \t]*-[ \t]+name:[ \t]*[\"']?([\w.-]+)[\"']?[ \t]*$")
_TOLD = lazy_re2(r"\b\w+_configs\b")
_TOP = lazy_re2(r"(?m)^[a-z_]+:")
_ROUTE = lazy_re2(r"\breceiver:[ \t]*[\"']?([\w./-]+)")
_MUTED = lazy_re2(
    r"\b(?:mute_time_intervals|muteTimeIntervals|mute_timings):[ \t]*\[?[ \t\n-]*[\"']?\w"
)
_NOWHERE = frozenset(
    {"null", "blackhole", "devnull", "dev-null", "/dev/null", "void", "black-hole"}
)
_EVERY = r"=~[\"']?\.[*+][\"']?"
_GRAVE = lazy_re2(
    rf"(?i){_EVERY}|severity[\"']?\s*(?:=~?|:)\s*[\"']?[\w|]*(?:critical|page|emergency"
    rf"|disaster|high)"
    r"|secur|segur|sicherh|audit|intrusion|\bgas|fire|safety|ventil|tamper"
)
_OF_CHECKS = lazy_re2(
    r"(?i)=~?[\"']?(?:[\w-]*[-_])?(?:test|staging|sandbox|trial|prueb|ensayo|dev\b)|"
    r"Watchdog|InfoInhibitor|DeadMansSwitch|severity[\"']?\s*(?:=~?|:)\s*[\"']?(?:info|none|debug)"
)
_MATCHES = lazy_re2(r"\bmatch(?:ers|_re)?:")
_ALL_MUTED = lazy_re2(
    rf"(?s)\bsource_matchers:[^\n]*{_EVERY}[^\n]*\n\s*target_matchers:[^\n]*{_EVERY}"
    rf"|\btarget_matchers:[^\n]*{_EVERY}[^\n]*\n\s*source_matchers:[^\n]*{_EVERY}"
)


def muted_alarms(text: str) -> tuple[str, str]:
    """Return the grave alarms, and the others, that nobody gets any more; empty texts if none."""
    head = text[:_READ]
    if "receiver" not in head and "inhibit" not in head:
        return "", ""
    found = list(_muted(head))
    grave = next((line for line, is_grave in found if is_grave), "")
    return grave, next((line for line, is_grave in found if not is_grave), "")


def _muted(text: str) -> Iterator[tuple[str, bool]]:
    match = _ALL_MUTED.search(text)
    if match is not None:
        yield " ".join(str(match.group()).split()), True
    silent = _silent(text)
    names = {str(match.group(1)) for match in islice(_ROUTE.finditer(text), _MOST)}
    for match in islice(_ROUTE.finditer(text), _MOST):
        if str(match.group(1)) not in silent:
            continue
        item = item_around(text, match.start())
        said = text[item[0] : item[1]] if item is not None else str(match.group())
        if _OF_CHECKS.search(said) is None:
            is_all = item is None or _MATCHES.search(said) is None
            # What no route names goes nowhere: usual where others name what matters.
            if is_all and len(names) > 1:
                continue
            yield " ".join(said.split()), is_all or _GRAVE.search(said) is not None
    for match in islice(_MUTED.finditer(text), _MOST):
        yield str(match.group()).strip(), False


def _silent(text: str) -> frozenset[str]:
    """Receivers that tell nobody, by their names or because nothing stands in them."""
    head = _RECEIVERS.search(text)
    if head is None:
        return _NOWHERE
    end = next((m.start() for m in _TOP.finditer(text) if m.start() > head.start()), len(text))
    block = text[head.end() : end]
    names = list(islice(_NAME.finditer(block), _MOST))
    ends = [*[match.start() for match in names[1:]], len(block)]
    empty = [
        str(match.group(1))
        for match, stop in zip(names, ends, strict=False)
        if _TOLD.search(block[match.end() : stop]) is None
    ]
    return _NOWHERE.union(empty)
