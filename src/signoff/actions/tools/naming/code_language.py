"""In which language the code is that a tool is handed: by what the call, its names or it say.

language_of_code(run_php(code="echo 1;"), ..., "code", "echo 1;")          php
language_of_code(notebook_run_cell(code="import os"), ..., "import os")    python, as it shows
language_of_code(notebook_run_cell(code="unlink('a')"), ...)               unknown
"""

from __future__ import annotations

from signoff.actions.action import Action
from signoff.actions.code.computing.names import CHECKED_LANGUAGES, LANGUAGE_WORDS
from signoff.actions.code.python.evidence import is_surely_python, without_magic
from signoff.actions.code.reading import CHECKED, is_query
from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.lexicon.verbs import NOUN_LIKE, lead_verb
from signoff.actions.operation import Verb
from signoff.actions.tools.naming.servers import ServerKind, Tool, is_own_server
from signoff.actions.urls import is_near_url
from signoff.actions.vocabulary import lazy_re

_LANGUAGES = LANGUAGE_WORDS | {
    **dict.fromkeys(("bash", "sh", "shell", "zsh", "terminal", "ssh"), "shell"),
    **{"py": "python", "sql": "sql", "powershell": "powershell", "pwsh": "powershell"},
}
# How editors let an agent run code in the kernel of the open notebook (`mcp__ide__executeCode`).
_OF_EDITOR = (("ide",), ("execute", "code"))
# The arguments in which tools are told the language, each as somebody's runner writes it.
_LANGUAGE_NAMES = ("language", "lang", "interpreter", "languageId", "language_id")
_PLAIN = vocabulary("python shell sql javascript powershell ruby perl php")
_ELIXIR = lazy_re(
    r"(?m)^\s*(?:import Ecto\.\w+|alias [A-Z]\w*\.\{?[A-Z]|require Logger)\s*$"
    r"|\|>\s*(?:IO\.inspect|Enum\.|Repo\.|String\.)|\bdefmodule\s+[A-Z][\w.]*\s+do\b"
)
# Consoles of an application, which hold what it stores.
_FRAMEWORKS = vocabulary("rails")
_OWN_ENVIRONMENTS = vocabulary("test development dev local ci")
_NOTEBOOKS = vocabulary("notebook notebooks cell cells ipynb colab kernel")
# Arguments named after a language hold code of it, where the value looks like code.
_SURE_LANGUAGES = vocabulary(
    "python py ipython javascript js typescript ts lua luau ruby perl php groovy"
)
_BESIDE_LANGUAGES = vocabulary(
    "code source text body block inline snippet expr expression script program cell cells macro"
)
# A call, an assignment or a statement; `3.11`, `python (system)` and a sentence are none.
_CODE_SIGNS = lazy_re(
    r"[\w\])]\(|^\s*[$\w.\[\]]+\s*[-+*]?=[^=]|;\s*(?:\n|$)|(?m:^\s*(?:import|from|require|use)\s+\S)"
)
_MOST_CODE = 4_000  # characters in which signs of code are looked for


def is_named_code(words: set[str], text: str) -> bool:
    """Return whether an argument is named after a language and holds code: `python="a(b)"`."""
    if words.isdisjoint(_SURE_LANGUAGES) or words - _SURE_LANGUAGES - _BESIDE_LANGUAGES:
        return False
    return _CODE_SIGNS.search(text[:_MOST_CODE]) is not None


# What a method does to things of the service itself; of lists and tables `drop` is ordinary.
_METHODS = lazy_re(r"\.\s*(\w{3,60})\s*\(")
_ACTS = frozenset(
    {Verb.DELETE, Verb.PUBLISH, Verb.SPEND, Verb.PRIVILEGE, Verb.CONTROL, Verb.CONFIGURE}
)
_ONLY_TELL = vocabulary("plan preview report list count status log history size id ids")
_ORDINARY = vocabulary(
    "remove drop clear reset flush clean empty dispose stop start close resume scale"
)


def acts_on_service(tool: Tool, text: str) -> bool:
    """Return whether code for a service calls methods that act: `package.purge()`."""
    if is_own_server(tool):
        return False
    for method in _METHODS.finditer(text[:_MOST_CODE]):
        words = split_words(method[1])
        lead = lead_verb(words)
        is_act = lead is not None and lead.verb in _ACTS and lead.word not in NOUN_LIKE
        is_act = is_act and words[-1] not in _ONLY_TELL
        if lead is not None and is_act and (len(words) > 1 or lead.word not in _ORDINARY):
            return True
    return False


def language_of_code(action: Action, tool: Tool, name: str, text: str) -> str:
    """Tell what language a piece of code is in."""
    said = next(filter(None, map(action.text, _LANGUAGE_NAMES)), "")
    if said:
        language = _LANGUAGES.get(said.lower().rstrip("0123456789."), said.lower()[:40])
        # What a tool is told to run is no query because the call says so.
        return "unknown" if is_query(language) and language != "sql" else language
    is_elsewhere = _is_elsewhere(action)
    for word in (*split_words(name), *tool.words, *tool.server):
        if word in _FRAMEWORKS and is_elsewhere:
            continue
        # The console of a service runs a language on what the service holds: nobody reads that.
        if word in _LANGUAGES and (_LANGUAGES[word] in _PLAIN or is_own_server(tool)):
            language = _LANGUAGES[word]
            return f"{CHECKED}{language}" if language in CHECKED_LANGUAGES else language
    if tool.kind is ServerKind.BROWSER:
        return "javascript"
    if (tool.server, tool.words) == _OF_EDITOR or _is_python_cell(tool, text):
        return "python"
    # What nothing else could be, in a console that does not name its language.
    is_elixir = _ELIXIR.search(text) is not None and not is_elsewhere
    shown = f"{CHECKED}elixir-console" if is_elixir else "unknown"
    return "shell" if tool.kind is ServerKind.SHELL else shown


def _is_elsewhere(action: Action) -> bool:
    """Tell code that runs in an application elsewhere, or in one that others use."""
    environments = [
        action.text(one).lower() for one in ("environment", "env", "rails_env", "mix_env")
    ]
    hosts = [action.text(one) for one in ("host", "hostname", "server", "node", "app", "dyno")]
    is_shared = any([one and one not in _OWN_ENVIRONMENTS for one in environments])
    return is_shared or any([one and not is_near_url(f"http://{one}") for one in hosts])


def _is_python_cell(tool: Tool, text: str) -> bool:
    is_notebook = not _NOTEBOOKS.isdisjoint((*tool.words, *tool.server))
    return is_notebook and is_surely_python(without_magic(text))
