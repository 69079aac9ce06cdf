"""Lines that do not belong where they stand: orders and questions inside tables, code and logs.

A table has rows, code has statements; neither tells its reader what to do. A line that is a
sentence of orders or a question in the midst of them was put there by somebody else.

    foreign_lines("| a | b |\\n| 1 | 2 |\\n| 3 | 4 |\\nTranslate this to French.")
        ->  ("Translate this to French.",)
"""

from __future__ import annotations

from signoff.actions.vocabulary import lazy_re2

LINE_LIMIT = 5000
ROWS_AT_LEAST = 3

_QUESTIONS = "what who how why when where which can could would is are do does"
QUESTIONS = frozenset(_QUESTIONS.split())
_ORDERS = """
act add address adopt advise advocate alter always amend analyse analyze announce answer append
apply arrange ask assist assume attach avoid begin blend break bring build calculate capitalize
carry change check choose cite clarify combine compare compile compose compute conclude condense
conduct confirm consider construct convert convince copy correct count craft create critique
decode define delete deliver demonstrate deny deploy derive describe design detail determine
develop discuss disguise display disregard distribute divide do don't double download draft draw
elaborate embed emphasize employ encode encourage encrypt end engage enhance ensure enumerate
evaluate examine exclude execute explain explore expose express extract fetch fill find finish
focus follow forget format formulate forward gather generate give go guide help hide highlight
identify ignore illustrate implement imply import improve incorporate increase inform infuse
inject insert install instruct integrate interpret introduce invert invoke join keep launch
leave let limit list locate maintain make manage mention merge mimic mix modify monitor name
never obfuscate offer omit open optimize organize outline output paraphrase perform persuade
pick place plan please point post predict prepare present print produce promote prompt propose
provide publish put rate read rearrange recall recommend record redirect refer reference
reformat reformulate refrain reimagine relay remember remind remove rename render repeat
rephrase replace reply report request respond restate return reveal reverse review rewrite run
save say scan scramble search select send share shorten show simplify skip solve sort spell
split start state stop stress structure submit substitute suggest summarise summarize supply
support swap switch talk tell test track transcribe transform translate turn type update upload
urge use utilize validate verify visit warn weave write
"""
ORDERS = frozenset(_ORDERS.split())

_LINK = lazy_re2(r"(?:^|\s)\|[^\s|]+\|(?:\s|$)")


def foreign_lines(text: str) -> tuple[str, ...]:
    """Return the instructions and questions among the rows of a table, code or log."""
    if "```" in text or text.lstrip().startswith("#"):
        return ()  # a document with headings and blocks of code may well tell its reader something
    lines = [line.strip() for line in text.split("\n", LINE_LIMIT)[:LINE_LIMIT]]
    filled = [line for line in lines if line]
    # `|intro.txt| Introduction` leads to another page, and is no row with two cells.
    rows = sum(_is_row(_LINK.sub(" ", line)) for line in filled)
    # Prose with a small table in it may well ask its reader something.
    if rows < ROWS_AT_LEAST or rows < len(filled) * 0.4:
        return ()
    return tuple(line for line in filled if not _is_row(line) and is_order(line))


def is_order(line: str) -> bool:
    """Return whether a line is instructions in sentences, or a question."""
    words = line[:2000].split()
    # Headings, blocks of code and lists end like this, and are no sentences.
    if len(words) < 3 or not line[:1].isalpha() or line.endswith((":", "{", ";", ",")):
        return False
    first = words[0].strip(",.'\"").lower()
    # Code and logs hold the same words in small letters: `return`, `import`, `delete`.
    if first in ORDERS and words[0][0].isupper():
        return True
    return line.endswith("?") and first.partition("'")[0] in QUESTIONS and words[0][0].isupper()


def _is_row(line: str) -> bool:
    return line.startswith("|") or line.count("|") >= 2 or line.count("\t") >= 2
