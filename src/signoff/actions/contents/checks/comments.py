"""Which lines of a source are comments, whatever its language: a check in one checks nothing.

The ending of a file says what opens a comment; a sign that means something else elsewhere (`*` in
the first column, `;`, `%`, `'`) opens one only in the languages that write comments so.

    split_lines("* AUTHORITY-CHECK OBJECT 'X'\\nWRITE x.", "a.abap")
        -> (["WRITE x."], ["AUTHORITY-CHECK OBJECT 'X'"])
"""

from __future__ import annotations

from signoff.actions.vocabulary import words

_EVERYWHERE = ("//", "# ", "#!", "/*", "<!--", "(*", "{-", "--[[")
_OPENERS: tuple[tuple[frozenset[str], tuple[str, ...]], ...] = (
    (words("abap cbl cob cpy cobol"), ("*", '"', "*>")),
    (words("hs lhs lua sql elm ada adb ads vhd vhdl pks pkb purs moon applescript"), ("--",)),
    (
        words("clj cljs cljc edn lisp lsp cl el scm rkt ini asm s cfg conf reg properties fnl"),
        (";",),
    ),
    (words("erl hrl tex m pro pl prolog"), ("%",)),
    (words("vb vbs bas cls frm vba"), ("'", "rem ")),
    (words("f f77 f90 f95 f03 f08 for"), ("!", "c ")),
    (words("bat cmd"), ("rem ", "::")),
    (words("q k"), ("/ ",)),
    (words("pas dpr lpr pp inc dpk"), ("{",)),
    (
        words(
            "py rb sh bash zsh pl pm tcl r jl ex exs nim cr yaml yml toml conf ps1 psm1 mk cmake"
            " txt tf php properties env cfg graphql coffee awk"
        ),
        ("#",),
    ),
)
_SIGNS = "/#*;%'\"!-{(<: \t"


def split_lines(text: str, path: str) -> tuple[list[str], list[str]]:
    """Return the lines that run, and what the comments say without the signs before them."""
    openers = _openers(path)
    running: list[str] = []
    comments: list[str] = []
    for line in text.split("\n"):
        bare = line.strip()
        if not bare.lower().startswith(openers) or _is_directive(bare):
            running.append(line)
            continue
        said = bare.lstrip(_SIGNS).strip()
        comments.append(said.removeprefix("rem ").removeprefix("REM "))
    return running, comments


def running(text: str, path: str) -> str:
    """Return a text without the lines that are comments."""
    return "\n".join(split_lines(text, path)[0])


def _openers(path: str) -> tuple[str, ...]:
    ending = path.rpartition(".")[2].lower()
    return _EVERYWHERE + tuple(
        [one for endings, openers in _OPENERS if ending in endings for one in openers]
    )


def _is_directive(bare: str) -> bool:
    """`#[test]`, `#include`, `#define` and `{$IFDEF}` do something."""
    return bare.startswith(
        ("#[", "#* @", "#' @", "#include", "#define", "#if", "#end", "#else", "{$", "(*$")
    )
