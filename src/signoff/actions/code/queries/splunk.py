"""Splunk's Search Processing Language: commands behind pipes, some of which act.

index=web status>=500 | stats count by host     reads
index=web | delete                               takes the events away
index=web | outputlookup users.csv               overwrites a table
index=web | map search="search $a$ | delete"     as the search inside

Splunk, "Search Reference": "Command quick reference".
"""

from __future__ import annotations

from signoff.actions.code.queries import acts
from signoff.actions.code.queries.parts import blanked, first_word, split_at
from signoff.actions.code.recorder import Recorder
from signoff.actions.vocabulary import lazy_re, words

_READS = words(
    "abstract accum addcoltotals addinfo addtotals analyzefields anomalies anomalousvalue"
    " anomalydetection append appendcols appendpipe arules associate audit autoregress bin bucket"
    " bucketdir chart cluster cofilter concurrency contingency convert correlate datamodel"
    " datamodelsimple dbinspect dedup delta diff erex eval eventcount eventstats expand extract"
    " fieldformat fields fieldsummary filldown fillnull findtypes flatten foreach format from"
    " fromjson gauge gentimes geom geomfilter geostats head highlight history iconify inputcsv"
    " inputlookup into iplocation join kmeans kv kvform loadjob localize localop lookup"
    " makecontinuous makemv makeresults mcatalog metadata metasearch meventcollect mpreview"
    " msearch mstats multikv multisearch mvcombine mvexpand nomv outlier outputtext overlap"
    " pivot predict rangemap rare redistribute regex relevancy reltime rename replace require"
    " rest return reverse rex rtorder savedsearch scrub search searchtxn selfjoin set setfields"
    " sichart sirare sistats sitimechart sitop sort spath stats strcat streamstats table tags tail"
    " timechart timewrap tojson top transaction transpose trendline tscollect tstats typeahead"
    " typelearner typer union uniq untable walklex where x11 xmlkv xmlunescape xpath xyseries"
)
_WRITES = words(
    "outputlookup outputcsv collect stash summaryindex mcollect meventcollect dbxoutput"
)
_SENDS = words("sendemail sendalert curl")
_INNER = lazy_re(r"(?i)\bsearch\s*=\s*\"((?:[^\"\\]|\\.){1,8000})\"")
MOST_DEPTH = 6


def read_spl(text: str, recorder: Recorder) -> None:
    """Record what a search of Splunk does."""
    _search(text, recorder, 0)


def _search(text: str, recorder: Recorder, depth: int) -> None:
    plain = blanked(text, quotes='"')
    if plain is None or depth > MOST_DEPTH:
        recorder.opaque("the text cannot be read", "spl")
        return
    parts, start = split_at(text, plain, "|"), 0
    for number, part in enumerate(parts):
        blank = plain[start : start + len(part)]
        start += len(part) + 1
        for inner in _subsearches(part, blank):
            _search(inner, recorder, depth + 1)
        if number == 0:
            acts.reads(recorder, "spl", part.strip()[:200])
        elif part.strip() and not part.strip().startswith("`"):
            _command(part.strip(), parts[0], recorder, depth)


def _subsearches(part: str, blank: str) -> list[str]:
    found, depth, start = [], 0, 0
    for at, char in enumerate(blank):
        if char == "[":
            depth, start = depth + 1, start if depth else at + 1
        elif char == "]" and depth:
            depth -= 1
            if depth == 0:
                found.append(part[start:at])
    return found


def _command(part: str, source: str, recorder: Recorder, depth: int) -> None:
    name = first_word(part)
    if name == "delete":
        acts.takes_away(recorder, "spl delete", source.strip()[:200])
    elif name == "map":
        found = _INNER.search(part)
        if found is None:
            recorder.opaque("runs searches that are not known", "spl")
        else:
            _search(found[1].replace('\\"', '"'), recorder, depth + 1)
    elif name in _SENDS:
        acts.sends(recorder, f"spl {name}", part[:200])
    elif name in _WRITES:
        acts.changes(recorder, f"spl {name}", part[:200])
    elif name not in _READS:
        recorder.opaque(f"the search command `{name[:40]}` is unknown", "spl")
