"""Languages and applications in the names of tools and servers: `execute_r`, `roblox`."""

from __future__ import annotations

from signoff.actions.lexicon.names import vocabulary


def _table(*rows: tuple[str, str]) -> dict[str, str]:
    return {word: language for language, words in rows for word in words.split()}


# Languages that a tool may be named after, with the reader of each.
LANGUAGE_WORDS = _table(
    ("r", "r rscript rstudio"),
    ("julia", "julia"),
    ("lua", "lua luau luajit"),
    ("groovy", "groovy"),
    ("octave", "octave matlab"),
    ("emacs", "emacs elisp"),
    ("elixir", "elixir iex erlang"),
    ("scheme", "scheme guile racket"),
    ("gdscript", "gdscript"),
    ("tcl", "tcl"),
    ("ruby", "ruby irb pry"),
    ("rails", "rails"),
    ("perl", "perl"),
    ("php", "php tinker"),
    ("python", "python jupyter ipython sage sagemath"),
    ("javascript", "javascript js node typescript ts deno"),
    ("haskell", "haskell ghci ghc"),
    ("go", "go golang gomacro yaegi"),
    ("rust", "rust evcxr"),
    ("java", "java jshell"),
    ("kotlin", "kotlin kts"),
    ("scala", "scala ammonite"),
    ("csharp", "csharp dotnet fsharp"),
    ("swift", "swift"),
    ("cpp", "cpp cplusplus"),
    ("fortran", "fortran"),
    ("ocaml", "ocaml utop"),
    ("clojure", "clojure clojurescript babashka nrepl"),
    ("dart", "dart dartpad"),
    ("crystal", "crystal"),
    ("nim", "nim"),
    ("zig", "zig"),
    ("dlang", "dlang"),
    ("pascal", "pascal delphi lazarus"),
    ("gleam", "gleam"),
    ("elm", "elm"),
    ("algebra", "mathematica wolfram maxima"),
)
# Their readers take a call they do not know for an ordinary one.
CHECKED_LANGUAGES = vocabulary("r julia lua groovy octave emacs elixir scheme ruby rails perl php")
# Applications that run script on what is open in them.
APPLICATION_WORDS = _table(
    ("lua-console", "roblox"),
    ("javascript-console", "photoshop indesign illustrator extendscript jsx figma aftereffects"),
)
# What a runner's name holds beside the language and the act.
_BESIDE = vocabulary(
    "snippet expression expr source text block session studio jsx scratch playground ephemeral"
    " isolated sandboxed throwaway oneshot runner project worker"
)
RUN_BESIDE = frozenset({*LANGUAGE_WORDS, *APPLICATION_WORDS, *_BESIDE})
# Servers of these are runtimes of one's own, whatever else their name says.
OWN_SERVERS = RUN_BESIDE | vocabulary(
    "mcp server code runner interpreter kernel local sandbox repl tidewave livebook"
)
