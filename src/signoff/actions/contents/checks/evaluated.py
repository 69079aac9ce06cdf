"""Text that a program evaluates as code, and that comes from people, files or tables.

A text that stands in the source is code of the source. What a row, a file, a form or a parameter
brings is written by somebody else, and an interpreter without walls gives it the whole machine.

    new GroovyShell(binding).evaluate(rule.expression)       of a table
    (eval (read-string (formula-of course)))                 of a table
    f = eval(Meta.parse(read(path, String)))                 of a file
    eval("1 + 1")                                            of the source
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import re2

from signoff.actions.vocabulary import lazy_re, lazy_re2, words

_READ = 100_000  # characters
_MOST = 40  # calls of a text
_ARGUMENT = 240  # characters
_HINTS = (
    *("eval", "load", "parse", "script", "function(", "execute", "compile", "compute", "system"),
    *("generate subroutine", "qcmdexc", "spel", "interpret"),
)
# Each call that evaluates a text, up to the first character of the text.
_ANY_CALL = lazy_re2(
    # JVM
    r"(?:\bGroovyShell\s*\((?:[^()\n]|\([^()\n]*\))*\)\s*\.\s*(?:evaluate|parse|run)\s*\("
    r"|\b(?:groovyShell|shell|gs)\.evaluate\s*\(|\bEval\.(?:me|x|xy|xyz)\s*\((?:[^(),\n]{1,40},\s*)*"
    r"|\bGroovyClassLoader\s*\([^()\n]{0,80}\)\s*\.\s*parseClass\s*\("
    r"|\b(?:script_?[eE]ngine|engine|nashorn|motor|interpreter|jython)\.(?:eval|exec)\s*\("
    r"|\bparseExpression\s*\(|\bMVEL\.(?:eval|executeExpression|compileExpression)\s*\("
    r"|\bOgnl\.(?:getValue|parseExpression)\s*\(|\b(?:jexl|JEXL|jexlEngine)\.create(?:Expression|Script)\s*\("
    # Lisps
    r"|\(\s*(?:clojure\.core/)?(?:eval|load-string)\s+\(\s*(?:clojure\.core/)?(?:read-string|read-from-string|read|cl-read\w*|read-syntax)\s+"
    r"|\bLexing\.from_string\s+"
    r"|\(\s*(?:clojure\.core/)?(?:load-string|read-string|read-from-string)\s+"
    # Julia, R, Lua, Elixir, Erlang
    r"|\b(?:Meta\.parse(?:all)?|include_string)\s*\((?:\s*\w+\s*,\s*)?"
    r"|\bparse\s*\(\s*text\s*=\s*|\bload(?:string)?\s*\(|\bCode\.eval_string\s*\(|\bEEx\.eval_string\s*\("
    r"|\berl_scan:string\s*\("
    # Perl, Ruby, PHP, Python, JavaScript, Tcl
    r"|(?:^|[^.\w])(?:eval|exec)\s*\(\s*|\b(?:instance|class|module)_eval\s*\(\s*|\bbinding\.eval\s*\(\s*|\beval\s+[$]|\beval\s+\"[^\"\n]{0,40}[$]"
    r"|\bnew\s+Function\s*\(|\bvm\.(?:runIn\w+|Script|compileFunction)\s*\(|\bcreate_function\s*\("
    # .NET, Swift, Kotlin, Scala, Haskell
    r"|\bCSharpScript\.(?:EvaluateAsync|RunAsync|Create)\s*(?:<[^<>\n]{1,40}>)?\s*\("
    r"|\[scriptblock\]::Create\s*\(|\bNSExpression\s*\(\s*format:\s*|\bevaluateScript\s*\("
    r"|\b(?:tool[bB]ox|tb)\.parse\s*\(|\bEval(?:Expression|Interaction)\s*\(|\bExecuteGlobal\s+|\binterpret\s+"
    # ABAP, COBOL, RPG, Fortran, MATLAB, databases
    r"|(?i:\bgenerate\s+subroutine\s+pool\s+|\bexecute_(?:update|query|ddl|procedure)\s*\(\s*"
    r"|\bcall\s+[\"']system[\"']\s+using\s+(?:by\s+\w+\s+)?|\bcall\s+[\"']?qcmdexc[\"']?\s*(?:using\s+|\(\s*(?:parm\s*\()?)"
    r"|\bqcmdexc\s*\(\s*"
    r"|\bcall\s+(?:execute_command_line|system)\s*\(\s*(?:trim\s*\(\s*)?))"
)
# Engines that give a script only what they are told to, and texts cleared before.
_WALLED = lazy_re2(
    r"(?i)SecureASTCustomizer|SandboxTransformer|SimpleEvaluationContext|JexlSandbox|JexlPermissions|HostAccess\.NONE"
    r"|SandboxPolicy|ClassFilter|\bsci[./]|isolated-vm|\bvm2\b|RestrictedPython|asteval|literal_eval|__builtins__[\"']\s*:\s*(?:\{\s*\}|None)"
    r"|\bedn/read-string|:safe\b|read-eval\*?\s+(?:false|nil)|ast\.walk|ast\.parse|NodeVisitor|\bsandbox\w*\s*\(|disable_globals"
)
_PATH_OF_TOOLS = lazy_re2(
    r"(?i)(?:^|/)(?:repl|compiler|interpreter|parser|lexer|macros?|codegen|transpil\w*|bench\w*|examples?|playground|vendor|third_party)(?:[/._-]|$)"
)
# What only reads code, with what has to stand beside it to run it.
_RUN_BESIDE = (
    ("Meta.parse", ("eval(", "@eval", "invokelatest", "include_string")),
    ("Lexing", ("Toploop",)),
    ("erl_scan", ("erl_eval",)),
    ("tb.parse", (".eval",)),
    ("oolbox.parse", (".eval",)),
    ("oolBox.parse", (".eval",)),
    ("read-string", ("(eval ", "load-string")),
    ("read-from-string", ("(eval ",)),
    ("parse(text", ("eval(", "evalq(")),
)
_NAME = lazy_re(r"[$@]?[^\W\d][\w-]*")
_MEMBER = lazy_re(r"^[\s(&*~]*[$@]?[^\W\d][\w-]*\s*(?:\.|->|::|\[|\?\.)\s*[^\W\d\"':]?")
# What brings a text from outside: files, tables, forms, people, settings.
_BRINGS = (
    r"(?:read|load|fetch|find|get|query|select|input|param|request|\breq\b|form|arg[sv]|\bopen|\bfile|slurp|\bdb\b"
    r"|\brepo|\brow|record|config|setting|environ|getenv|stdin|prompt|payload|message|\bbody|\bjson|download|receive|\bcell"
    r"|column|field|cursor|accept|textbox|value)"
)
# A file that lies beside the source: its name is a text, at least from its start on.
_OWN_FILE = lazy_re(
    r"(?i)(?:read\w*|slurp|open|load\w*|get\w*contents?)\s*\(?\s*[\"'`](?:\./)?[a-z]\w*[/.][^\"'`]*"
)
_READS = lazy_re2(rf"(?i){_BRINGS}")
_ALONE = lazy_re(r"[$@]?[\w-]+[!?]?$")
_PUT_IN = lazy_re2(r"[$#]\{?\s*([A-Za-z_]\w*)|\+\s*([A-Za-z_]\w*)|\.\.\s*([A-Za-z_]\w*)")
_OWN = words("this self cls class super module __module__ __FILE__ caller binding Math JSON String")
_OF_LISP = lazy_re(r"\(\s*(?:clojure\.core/)?(?:eval|load-string|read-)")
_SAYS_CODE = lazy_re(
    r"(?i)^\$?(?:\w*_)?(?:user_?\w*|formula|expression|expr|rule|condition|script|snippet|untrusted\w*|input)$"
)
_RECORDS = lazy_re2(r"(?i)\bfd\s+[\w-]+\.?\s*\n\s*01\s+([\w-]+)")


def evaluated_text(text: str, low: str, path: str) -> str:
    """Return the call that evaluates a text from outside, "" if none.

    Args:
        text: what runs, without comments.
        low: the same in lower case.
        path: of the file: interpreters and generators evaluate for a living.
    """
    if not any([hint in low for hint in _HINTS]) or _PATH_OF_TOOLS.search(path) is not None:
        return ""
    head = text[:_READ]
    if _WALLED.search(head) is not None:
        return ""
    return next(_found(head, path.rpartition(".")[2].lower()), "")


def _found(text: str, ending: str) -> Iterator[str]:
    for match in islice(_ANY_CALL.finditer(text), _MOST):
        call = str(match.group())
        start = match.end() - (1 if call.endswith("$") else 0)
        argument = text[start : start + _ARGUMENT].partition("\n\n")[0]
        argument = _first_argument(argument, is_last=call.rstrip().endswith("Function("))
        if _is_wrong_language(call, ending) or not argument or not _is_run(call, text):
            continue
        if _from_outside(argument, text, call):
            yield f"{call}{argument}"[:200].strip()


def _is_run(call: str, text: str) -> bool:
    bare = "".join(call.split())
    return all([any([run in text for run in runs]) for reads, runs in _RUN_BESIDE if reads in bare])


# How a call begins, without its blanks, and the endings of files in which it evaluates.
_BY_ENDING: tuple[tuple[str, frozenset[str]], ...] = (
    ("load", words("lua luau moon tl")),
    ("parse(", words("r rmd scala")),
    ("read", words("clj cljs cljc bb lisp lsp cl el scm rkt ss")),
    ("exec(", words("py pyw ipynb")),
    ("interpret", words("hs rexx rex")),
    ("eval$", words("pl pm t cgi php phtml tcl")),
    ("executeglobal", words("vbs asp")),
    ("execute_", words("abap")),
    ("parseexpression", words("java kt groovy scala")),
)


def _is_wrong_language(call: str, ending: str) -> bool:
    """A word that evaluates in one language and is an ordinary name in the others."""
    bare = "".join(call.lower().split()).lstrip("(")
    for start, endings in _BY_ENDING:
        if bare.startswith(start) or (start == "read" and bare.startswith("load-string")):
            return ending not in endings
    return False


def _first_argument(text: str, *, is_last: bool) -> str:
    """The argument as it is written, without the ones behind it (or before it)."""
    depth = 0
    start = 0
    for at, sign in enumerate(text):
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
            if depth < 0:
                return text[start:at].strip()
        elif sign == "," and depth == 0:
            if not is_last:
                return text[:at].strip()
            start = at + 1
        elif sign in ";\n" and depth == 0:
            return text[start:at].strip()
    return text[start:].strip()


def _from_outside(argument: str, text: str, call: str) -> bool:
    bare = argument.lstrip("( \t")
    if _OF_LISP.match(call) is not None:
        return not argument.startswith(('"', "'", "`"))
    if not bare or bare[0] in "\"'`:{|[" or bare.startswith(("function", "fn ", "do ", "lambda")):
        return _woven_from_outside(bare, text)
    names = [one for one in _NAME.findall(bare) if one.lstrip("$@") not in _OWN]
    if not names or "VERSION" in bare:
        return False
    if _MEMBER.match(bare) is not None and bare.lstrip("$@").partition(".")[0] not in _OWN:
        return _brings(bare, text) or "Meta" not in bare
    if _ALONE.match(bare) is None:
        return _brings(bare, text)
    return _is_brought(names[0], text) or (
        _SAYS_CODE.match(names[0]) is not None and "def " not in call
    )


def _brings(expression: str, text: str) -> bool:
    """Whether an expression reads something, or holds a value that was read."""
    if _READS.search(expression) is not None:
        return True
    return any([_is_brought(name, text) for name in _NAME.findall(expression)[:6]])


def _woven_from_outside(bare: str, text: str) -> bool:
    """Whether a literal has a value put in that came from outside."""
    if bare[:1] not in "\"'`" or not any([mark in bare for mark in ("$", "{", "+", "..", "~")]):
        return False
    inner = _PUT_IN.findall(bare)
    return any([_is_brought(name, text) for found in inner[:6] for name in found if name])


def _is_brought(name: str, text: str) -> bool:
    """Whether the text fills a name from a file, a table, a form or a parameter of a report."""
    # RE2 knows the edges of words of ASCII letters only.
    edge = r"\b" if name.isascii() else ""
    bare = rf"{re2.escape(name.lstrip('$@'))}{edge}"
    if any([str(one).lower() == name.lower() for one in _RECORDS.findall(text)]):
        return True
    filled = (
        rf"(?i)(?:\b|[$@]|[^\w]){bare}\s*(?::\s*[\w<>?\[\]. ]{{1,30}})?(?::=|<-|=)\s*[^\n=]"
        rf"[^\n]{{0,120}}?{_BRINGS}"
        rf"|\bdcl-pi\b[^\n]{{0,40}};\s*{bare}"
        rf"|\bparameters?:?\s+{bare}|\baccept\s+{bare}|\bread\b[^\n]{{0,60}}\binto\s+{bare}"
        rf"|\(let\s*\[[^\]]{{0,200}}\b{bare}\s+\([^\n]{{0,80}}{_BRINGS}"
        rf"|\bread\s*\(\s*[\w*]+\s*,[^)\n]{{0,60}}\)\s*{bare}"
    )
    return any(
        [
            _OWN_FILE.search(text[match.start() : match.end() + _ARGUMENT // 4]) is None
            for match in islice(re2.finditer(filled, text), _MOST)
        ]
    )
