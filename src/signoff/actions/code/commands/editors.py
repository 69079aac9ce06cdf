"""Editors given commands: vim and ex, emacs."""

from __future__ import annotations

import re

from signoff.actions.code.perform import CodeCall, perform
from signoff.actions.code.python.reader import read_python
from signoff.actions.code.recorder import Recorder
from signoff.actions.code.scripts.lexer import Grammar, ScriptToken, TokenKind, tokens
from signoff.actions.code.scripts.minor import READERS as MINOR
from signoff.actions.code.sinks import Sink, rules
from signoff.actions.code.value import UNKNOWN_PART, Value
from signoff.actions.operation import Verb
from signoff.actions.vocabulary import lazy_re, words

MAX_CHARS = 20_000
MAX_PIPED = 40  # commands on one line, words before a command

_VIM_OPTION = re.compile(r"^(?:\+\S*\s*)+")  # `++enc=utf8`, `+42` before the name of a file
_RANGE = re.compile(r"[\s:%.$\d,'<>]*")
_VIM_FUNCTION = re.compile(
    r"\b(system|systemlist|delete|writefile|rename|term_start|job_start|libcall)\s*\(\s*(?:'([^'\n]*)'|\"([^\"\n]*)\")?"
)
# What stands before the command that is run: modifiers, and when it is run.
_VIM_LEAD = re.compile(
    r"(?:(?:silent|sil|unsilent|uns|(?:\d+\s*)?verb(?:ose)?|keep(?:marks|jumps|patterns|ma|j|pp)|"
    r"lockm(?:arks)?|noswapfile|nos|sandbox|san|hide|hid|confirm|conf|browse|bro|botright|bo|topleft|"
    r"to|aboveleft|abo|belowright|bel|leftabove|lefta|rightbelow|rightb|tab|horizontal|hor|cdo|cfdo|"
    r"ldo|lfdo|folddo\w*)(?![A-Za-z])!?|"
    r"(?:g|v|global|vglobal)!?(?P<mark>[^\w\s\"|\\])(?:(?!(?P=mark))[^\n])*(?P=mark)|"
    r"argdo|bufdo|windo|tabdo|noautocmd|keepalt|vert(?:ical)?|"
    r"(?:au|autocmd)!?\s+(?:\w+\s+)??[A-Z]\w*(?:,\w+)*\s+\S+(?:\s+(?:\*\S*|\+\+\w+))*|"
    r"com(?:mand)?!?(?:\s+-\S+)*\s+[A-Z]\w*|"
    r"[nvxsoilc]?(?:nore)?map!?(?:\s+<(?:silent|buffer|expr|nowait|unique|script)>)*\s+\S+|"
    r"exe(?:cute)?\s+[\"'](?=:*!))\s*(?=\S)"
)
_VIM_SHELLS = frozenset({"terminal", "ter", "term", "sh", "shell"})
_VIM_LINES = frozenset({"r", "read", "w", "write", "terminal", "ter", "term"})
_VIM_WRITES = frozenset({"w", "write", "sav", "saveas", "wq", "up", "update", "redir"})
# They open a file, and what follows may change and write it.
_VIM_OPENS = words(
    "e edit tabe tabedit tabnew sp split vs vsplit vsp new vnew n next ar args arga argadd drop "
    "find fin"
)
_VIM_INERT = words(
    "set se syntax syn q quit qa wqa x xa wa noh echo e edit let colorscheme normal norm g s v d m "
    "t j y p pu sort retab filetype bd bn bp tabnew split vsplit help h map nmap imap noremap "
    "autocmd au ascii undo redo ju ver version scriptnames messages filter silent sil argdo bufdo "
    "windo call exe execute if endif for endfor setlocal runtime packadd"
)


def read_vim(text: str, recorder: Recorder) -> None:
    """Record what Vim commands do."""
    if len(text) > MAX_CHARS:
        recorder.opaque("text is too long to be read", "vim")
        return
    for line in recorder.at_most(400, text.split("\n"), "vim"):
        _vim_line(line, recorder)


def _vim_line(line: str, recorder: Recorder, left: int = MAX_PIPED) -> None:
    match = _RANGE.match(line)
    rest = _without_lead(line[match.end() :] if match else line)
    if left == MAX_PIPED:  # found in the whole line, once
        for function in _VIM_FUNCTION.finditer(rest):
            _vim_function(function, recorder)
    name = re.match(r"[A-Za-z]*", rest)
    word = name[0] if name else ""
    tail = rest[len(word) :].lstrip("! ") if word else rest
    if rest.startswith("!"):
        recorder.run("vim !", Value(constant=rest[1:] or UNKNOWN_PART))
    elif word in _VIM_LINES and "!" in rest[: len(word) + 2]:
        recorder.run("vim !", Value(constant=rest.partition("!")[2] or UNKNOWN_PART))
    elif word in _VIM_SHELLS and not tail.split("++", 1)[0]:
        recorder.opaque("starts a shell that takes its orders from elsewhere", "vim")
    else:
        _vim_command(word, tail, recorder, left)


def _without_lead(rest: str) -> str:
    """A command without what precedes it: modifiers, events, keys."""
    for _ in range(MAX_PIPED):
        if (lead := _VIM_LEAD.match(rest)) is None:
            break
        rest = rest[lead.end() :].lstrip(" :")
        if lead[0].startswith("exe"):
            rest = rest.rstrip().rstrip("\"'")
    return rest


def _vim_command(word: str, tail: str, recorder: Recorder, left: int) -> None:
    if word in {"terminal", "ter", "term", "make", "grep"} and tail:
        recorder.run("vim", Value(constant=tail))
    elif word in _VIM_WRITES and tail:
        recorder.write("vim write", Value(constant=tail.lstrip("> ")))
    elif word in _VIM_OPENS and (file := _VIM_OPTION.sub("", tail).partition("|")[0].strip()):
        recorder.write("vim edit", Value(constant=file))
        _vim_behind(word, tail, recorder, left)
    elif word in {"r", "read"} and tail:
        recorder.read("vim read", Value(constant=tail))
    else:
        _vim_code(word, tail, recorder)
        _vim_behind(word, tail, recorder, left)


def _vim_behind(word: str, tail: str, recorder: Recorder, left: int) -> None:
    """Read the command behind a bar, as in `set nu | wq`."""
    behind = tail.partition("|")[2].strip() if word in _VIM_INERT | _VIM_OPENS else ""
    if behind and left:
        _vim_line(behind, recorder, left - 1)
    elif behind:
        recorder.opaque("more commands on one line than are read", "vim")


def _vim_code(word: str, tail: str, recorder: Recorder) -> None:
    if word in {"py", "py3", "python", "python3", "pyx"}:
        read_python(tail, recorder)
    elif word == "lua":
        MINOR["lua"](tail, recorder)
    elif word in {"so", "source", "luafile", "pyfile", "py3file", "ru", "runtime"}:
        recorder.opaque("runs a script that is not known", "vim")
    elif word in {"perl", "ruby", "tcl", "mzscheme"}:
        recorder.opaque(f"code in `{word}` inside an editor", "vim")
    elif word and word not in _VIM_INERT | _VIM_WRITES:
        recorder.is_ordinary = True


def _vim_function(match: re.Match[str], recorder: Recorder) -> None:
    text = match[2] if match[2] is not None else match[3]
    value = Value(constant=text if text is not None else UNKNOWN_PART)
    if match[1] in {"system", "systemlist", "term_start", "job_start", "libcall"}:
        recorder.run(f"vim {match[1]}", value)
    elif match[1] == "delete":
        recorder.on_file(Verb.DELETE, "vim delete", value)
    else:
        recorder.write(f"vim {match[1]}", UNKNOWN_VALUE if match[1] == "writefile" else value)


UNKNOWN_VALUE = Value(constant=UNKNOWN_PART)
_LISP = Grammar(comments=(";",), blocks=(), quotes={'"': TokenKind.TEXT}, escapes_raw=True)
_LISP_PATHS = ("expand-file-name", "file-truename", "file-name-as-directory")
_LISP_NAME = frozenset("-*/!?+<>=:")
LISP_CALLS = {
    **rules(Sink.SHELL, "shell-command shell-command-to-string async-shell-command compile"),
    **rules(Sink.PROGRAM, "process-lines process-lines-ignore-status"),
    **rules(Sink.PROGRAM, "call-process process-file"),
    **rules(Sink.PROGRAM, "start-process", at=2),
    **rules(Sink.DELETE, "delete-file"),
    **rules(Sink.DELETE_TREE, "delete-directory"),
    **rules(Sink.MOVE, "rename-file"),
    **rules(Sink.COPY, "copy-file"),
    **rules(Sink.LOAD_CODE, "load load-file"),
    **rules(Sink.EVALUATE, "eval eval-region eval-buffer"),
    **rules(Sink.READ, "insert-file-contents find-file find-file-noselect"),
    **rules(Sink.FETCH, "url-retrieve-synchronously url-retrieve package-install"),
    **rules(Sink.WRITE, "write-file set-visited-file-name append-to-file"),
    **rules(Sink.WRITE, "write-region", at=2),
    **rules(Sink.READ_VARIABLE, "getenv"),
}  # fmt: skip


# A variable that holds a folder or file made just now, below the one for temporary files.
_LISP_TEMPORARY = re.compile(r"\(\s*([a-z]\w*)\s+\((?:make-temp-file|make-temp-name)\b")
_TEMPORARY = "/tmp/emacs-made"  # noqa: S108 - a name for what Emacs makes there


def _lisp_temporaries(text: str) -> frozenset[str]:
    """Return the variables that hold such a folder and are given nothing else anywhere."""
    return frozenset(
        name
        for name in _LISP_TEMPORARY.findall(text)
        if len(re.findall(rf"(?:\(|set[qf]\s[^()]*?)\s*{name}(?=\s)", text)) == 1
        and re.search(rf"\b(?:set|setq|setf|let\*?|push|cl-\w+)\s+[^()]*\b{name}\b", text) is None
    )


# `(funcall 'shell-command ...)`: what it is called with cannot be followed.
_LISP_HANDED_ON = lazy_re(
    r"(?:'|\(function\s+)((?:async-)?shell-command(?:-to-string)?|(?:call|start|make)-process"
    r"|process-(?:lines|file)|eval|load|load-file|delete-(?:file|directory))(?![\w-])"
)


def read_emacs(text: str, recorder: Recorder) -> None:
    """Record what Emacs Lisp does: calls by name with the texts after them."""
    if handed := _LISP_HANDED_ON.search(text):
        recorder.opaque(f"`{handed[1]}` is handed on to be called", "emacs")
    if len(text) > MAX_CHARS:
        recorder.opaque("text is too long to be read", "emacs")
        return
    found, is_closed = tokens(text, _LISP)
    if not is_closed:
        recorder.opaque("the text cannot be read", "emacs")
    made = _lisp_temporaries(text)
    found = [
        ScriptToken(TokenKind.TEXT, _TEMPORARY)
        if one.kind is TokenKind.NAME and one.text in made
        else one
        for one in found
    ]
    at = 0
    while at < len(found):
        if found[at].kind is TokenKind.SIGN and found[at].text == "(":
            at = _lisp_call(found, at + 1, recorder)
        at += 1


def _expanded(found: list[ScriptToken], at: int) -> str:
    """Return the text in `(expand-file-name "~")`, "" if something else begins there."""
    texts = "".join([token.text for token in found[at : at + 6] if token.kind is not TokenKind.END])
    name = next((one for one in _LISP_PATHS if texts.startswith(f"({one}")), "")
    text = next((t for t in found[at : at + 7] if t.kind is TokenKind.TEXT), None)
    return text.text if name and text is not None else ""


def _lisp_arguments(found: list[ScriptToken], at: int) -> list[Value]:
    arguments: list[Value] = []
    for place, token in enumerate(found[at : at + 12], start=at):
        folder = _expanded(found, place)
        if folder:
            arguments.append(Value(constant=folder))
            break
        if token.text in {"(", ")"}:
            if token.text == "(":
                arguments.append(UNKNOWN_VALUE)
            break
        arguments.append(
            Value(constant=token.text) if token.kind is TokenKind.TEXT else UNKNOWN_VALUE
        )
    return arguments


def _lisp_call(found: list[ScriptToken], at: int, recorder: Recorder) -> int:
    name = ""
    while at < len(found) and (
        found[at].kind is TokenKind.NAME
        or (found[at].text[:1] in _LISP_NAME and found[at].kind is TokenKind.SIGN)
    ):
        name += found[at].text
        at += 1
        if (
            at < len(found)
            and found[at].kind is not TokenKind.SIGN
            and found[at - 1].kind is TokenKind.NAME
        ):
            break
    rule = LISP_CALLS.get(name)
    if rule is None:
        return at - 1
    arguments = _lisp_arguments(found, at)
    # `call-process PROGRAM INFILE DESTINATION DISPLAY ARGS`; `process-lines PROGRAM ARGS`.
    if rule.sink is Sink.PROGRAM and rule.at == 0 and not name.startswith("process-lines"):
        arguments = arguments[:1] + arguments[4:]
    perform(CodeCall(name=name, rule=rule, arguments=arguments), recorder)
    return at - 1
