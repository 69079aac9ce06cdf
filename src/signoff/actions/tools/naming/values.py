"""Functions that only give a value: told by the head of their name and by their docstring.

English compounds have their head last: a `drop_histogram` is a histogram and drops nothing. What
the author wrote decides where the name could be both: "Histogram of dropped calls." names a value,
"Drop the histogram." does something.

    gives_value(("charge", "density"), "Electron charge density at points.")   True
    gives_value(("delete", "color"), "Delete a colour of the palette.")        False
"""

from __future__ import annotations

from signoff.actions.lexicon.names import vocabulary
from signoff.actions.lexicon.verbs import COUNTED, NOUN_LIKE, VERBS, verb_of_sentence
from signoff.actions.operation import Verb
from signoff.actions.vocabulary import lazy_re

# What is computed, measured, drawn or named: heads of compounds.
_HEADS = vocabulary(
    "histogram cost costs density score scores curve curves rate rates ratio color colour "
    "colors colours transition schedule plan table price estimate probability probabilities "
    "label labels style styles icon title caption width height length size count counts "
    "total average median variance deviation entropy distribution spectrum gradient matrix "
    "vector tensor kernel function formula equation polynomial series interval range window "
    "threshold limit margin tolerance energy force pressure volume temperature velocity "
    "speed angle distance area coefficient index indices chart plot graph diagram legend "
    "axis tooltip template format pattern regex string text message summary preview excerpt "
    "signature effect effects animation shape outline mask layer sprite tile texture "
    "palette theme name names key keys code codes type types kind flag level state status "
    "date time duration period deadline forecast projection simulation model scenario risk "
    "likelihood odds report statement overview breakdown ranking list tree path route map "
    "dictionary marker percentage fraction share weight weights norm loss accuracy recall "
    "precision rule rules condition quantity terms spread diff difference delta gap"
)
_LOSSES = vocabulary("drop loss losses rise gain fall change shift")
_MAKES = vocabulary("build make construct compose draw create assemble derive form produce")
# What is put together in memory; a key or a rule that is made is one from then on.
_MADE = vocabulary(
    "transition animation chart plot graph diagram table matrix vector curve histogram label title"
    " tooltip template string text message mask layer shape palette gradient pattern regex effect"
    " effects formula tree list path"
)
_GIVES = frozenset({Verb.INERT, Verb.READ})
_NOTHING_DONE = lazy_re(
    r"(?i)\b(?:pays?|sends?|deletes?|removes?|changes?|writes?|runs?|moves?|charges?|does|do"
    r"|touch(?:es)?|stores?"
    r"|executes?|books?|orders?|transfers?) (?:nothing|no (?:one|money|mail|data)|nobody)\b"
    r"|\bwithout (?:running|executing|sending|paying|changing|deleting|writing|applying|doing"
    r"|saving|storing) "
    r"(?:it|them|anything|any\b)|\b(?:only|just) (?:counts?|shows?|prints?|reports?|computes?"
    r"|estimates?|lists?"
    r"|simulates?|previews?)\b|\bno side effects?\b|\bpure function\b|\bread[- ]only\b"
)
_REHEARSAL = lazy_re(r"(?i)\bdry[-_ ]?run|\bpreview|\bsimulat|\brehears|\bwhat[-_ ]?if\b|\bvalidat")
_IN_PROCESS = lazy_re(
    r"(?i)\b(?:board|video|card|computer|chess|puzzle|turn-based|local|test|current)(?: \w+)?"
    r" game\b"
    r"|\b(?:running|local|current|this)(?: \w+)? simulation\b|\bmutation[- ]test"
    r"|\b(?:data ?)?frame'?s? in memory\b|\b(?:from|of|in) (?:a|the) (?:data ?)?frame\b"
    r"|\btest fixture|\bin[- ]memory\b|\bof (?:this"
    r"|the running|the current) process\b|\bin (?:this"
    r"|the running) process\b"
)
_NOUNS = vocabulary(
    "table timetable variable cable executable deliverable receivable payable wearable vegetable"
)
_IS = vocabulary("true whether false")
_PARTICLES = vocabulary("off on out up down in over away back through along")
_ARTICLES = vocabulary("a an the this these all every each given its their")


def gives_value(words: tuple[str, ...], description: str) -> bool:
    """Return whether a function only computes or names a value."""
    first = description[:200].split()[:1]
    said = first[0].strip(".,:`").lower() if first else ""
    is_adjective = words[-1:] != () and words[-1].endswith(("able", "ible"))
    if is_adjective and words[-1] not in _NOUNS and words[0] not in VERBS and said in _IS | {""}:
        return True
    if words[-1:] == ("of",):  # `release_date_of`
        words = words[:-1]
    if len(words) < 2 or words[-1] not in _HEADS:
        # `pressure_drop`
        return len(words) > 1 and words[-1] in _LOSSES and words[-2] in _HEADS
    if not said:
        # A plain verb in front acts on what stands behind it.
        return words[0] not in VERBS or words[0] in COUNTED
    told = verb_of_sentence(description)
    if told is None:
        return _is_noun_phrase(description, words[-1])
    if told.verb in _GIVES or (said in _MAKES and words[-1] in _MADE):
        return True
    # `Charge density at points`, but not `Charge the density`.
    follows = description[:200].split()[1:2]
    return told.word in NOUN_LIKE and not _ARTICLES.issuperset([one.lower() for one in follows])


def _is_noun_phrase(description: str, head: str) -> bool:
    """Tell `Electron charge density at points` from `Turn off the alarm`, whose verb is unknown."""
    first, second, third = [
        one.strip(".,:;`").lower() for one in (*description[:200].split()[:3], "", "", "")
    ][:3]
    if first in _ARTICLES | _HEADS or second == "of":
        return True
    return head in (second, third) and second not in _ARTICLES | _PARTICLES


def does_nothing(description: str) -> bool:
    """Return whether the description says that nothing is done, as "Pays nothing" does."""
    return _NOTHING_DONE.search(description[:400]) is not None


def stays_in_process(description: str) -> bool:
    """Return whether the description says a change stays in the running program."""
    return _IN_PROCESS.search(description[:200].partition(".")[0]) is not None


def tells_rehearsal(description: str) -> bool:
    """Return whether the description mentions a dry run."""
    return _REHEARSAL.search(description[:400]) is not None
