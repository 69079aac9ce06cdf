"""A known snippet of each language and what it must run: the self-test of a language's reader.

A reader is tested when it is loaded, before it reads anything else.

    check_reader("commands.sed:read_sed", read_sed)  ->  None, or BrokenReader
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from signoff.actions.code.recorder import Recorder
from signoff.actions.place import Place
from signoff.errors import BrokenReader

_PLACE = Place(cwd="/self-test", home="/home/self-test", project="/self-test")

# For each reader: snippets with the shell lines they run.
SNIPPETS: Mapping[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "python.reader:read_python": (("import os # ')\nos.system('ls ' + \"a'b\")", ("ls a'b",)),),
    "scripts.javascript:read_javascript": (
        (
            "// exec('no')\nconst {execSync} = require('child_process');"
            " const r = /exec('no')/; execSync('ls \\'a b\\'')",
            ("ls 'a b'",),
        ),
    ),
    "scripts.perl:read_perl": (("print 'system(1)'; # x\nsystem(qq{ls a}); s/a'b/c/;", ("ls a",)),),
    "scripts.ruby:read_ruby": (("puts 'it\\'s' # `no`\n`ls a`", ("ls a",)),),
    "scripts.php:read_php": (("echo 'it\\'s'; # x\nshell_exec(\"ls 'a'\");", ("ls 'a'",)),),
    "powershell.reader:read_powershell": (
        ("Write-Host 'it''s; make no' # make no\nmake \"a `\"b\"", ("make 'a `\"b'",)),
        ("Write-Host 'it''s'; iex 'make a'", ("make a",)),
    ),
    "scripts.osascript:read_osascript": (('do shell script "ls \\"a b\\""', ('ls "a b"',)),),
    "scripts.minor:read_lua": (("--[[ no ]] os.execute('ls a')", ("ls a",)),),
    "scripts.minor:read_r": (("system('ls a') # system('no')", ("ls a",)),),
    "scripts.minor:read_groovy": (("'ls a'.execute()", ("ls a",)),),
    "scripts.minor:read_gdscript": (('# OS.execute("no")\nOS.execute("ls", ["a"])', ("ls a",)),),
    "scripts.minor:read_julia": (("run(`ls a`)", ("ls a",)),),
    "scripts.minor:read_elixir": (('System.cmd("ls", ["a"])', ("ls a",)),),
    "commands.octave:read_octave": (("!ls a\nrun('b.m') % system('no')", ("ls a",)),),
    "scripts.minor:read_scheme": (('(system "ls a") ; (system "no")', ("ls a",)),),
    "commands.awk:read_awk": (('/system(1)/ { system("ls a") } # no', ("ls a",)),),
    "commands.sed:read_sed": (("s/1e no/x/; 1,5{p}; 1e ls a", ("ls a",)),),
    "commands.editors:read_vim": ((":call system('ls a')", ("ls a",)),),
    "commands.editors:read_emacs": (('(shell-command "ls a")', ("ls a",)),),
    "commands.debuggers:read_debugger": (("bt\nshe ls a", ("ls a",)),),
    "commands.databases:read_sqlite": ((".shell ls a", ("ls a",)),),
    "commands.databases:read_psql": (("\\! ls a", ("ls a",)),),
    "commands.databases:read_mysql": (("\\! ls a", ("ls a",)),),
    "commands.small:read_make": (
        ("x := $(shell ls (a)) ${shell ls b}\n\tls c", ("ls (a)", "ls b", "ls c")),
    ),
    "commands.small:read_filter": (('.a | select(.b == "`rm c`")', ()),),
    "commands.small:read_tcl": (("exec ls a; puts b", ("ls a",)),),
    "computing.reader:read_haskell": (
        ("1 + 1", ()),
        ('import System.Process\nmain = callCommand "rm -rf a"', ("rm -rf a",)),
    ),
    "computing.reader:read_go": (
        ("1 + 1", ()),
        ('import "os/exec"\nexec.Command("rm -rf a")', ("rm -rf a",)),
    ),
    "computing.reader:read_rust": (
        ("1 + 1", ()),
        ('std::process::Command::new("rm -rf a")', ("rm -rf a",)),
    ),
    "computing.reader:read_java": (
        ("1 + 1", ()),
        ('Runtime.getRuntime().exec("rm -rf a")', ("rm -rf a",)),
    ),
    "computing.reader:read_kotlin": (
        ("1 + 1", ()),
        ('Runtime.getRuntime().exec("rm -rf a")', ("rm -rf a",)),
    ),
    "computing.reader:read_scala": (
        ("1 + 1", ()),
        ('import sys.process._\n"rm -rf a".!', ("rm -rf a",)),
    ),
    "computing.reader:read_csharp": (
        ("1 + 1", ()),
        ('System.Diagnostics.Process.Start("rm -rf a")', ("rm -rf a",)),
    ),
    "computing.reader:read_swift": (
        ("1 + 1", ()),
        ('import Foundation\nsystem("rm -rf a")', ("rm -rf a",)),
    ),
    "computing.reader:read_cpp": (
        ("1 + 1", ()),
        ('#include <cstdlib>\nint main() { system("rm -rf a"); }', ("rm -rf a",)),
    ),
    "computing.reader:read_fortran": (("1 + 1", ()), ("call system('rm -rf a')", ("rm -rf a",))),
    "computing.reader:read_ocaml": (("1 + 1", ()), ('Sys.command "rm -rf a"', ("rm -rf a",))),
    "computing.reader:read_clojure": (("1 + 1", ()), ('(eval (sh "rm -rf a"))', ("rm -rf a",))),
    "computing.reader:read_algebra": (("1 + 1", ()), ('system("rm -rf a")', ("rm -rf a",))),
    "computing.reader:read_dart": (
        ("1 + 1", ()),
        ("import 'dart:io';\nProcess.run('rm -rf a', []);", ("rm -rf a",)),
    ),
    "computing.reader:read_crystal": (("1 + 1", ()), ('system("rm -rf a")', ("rm -rf a",))),
    "computing.reader:read_nim": (
        ("1 + 1", ()),
        ('import osproc\nexecCmd("rm -rf a")', ("rm -rf a",)),
    ),
    "computing.reader:read_zig": (
        ("1 + 1", ()),
        ('const a = std.process.Child.run("rm -rf a");', ("rm -rf a",)),
    ),
    "computing.reader:read_dlang": (
        ("1 + 1", ()),
        ('import std.process;\nexecuteShell("rm -rf a");', ("rm -rf a",)),
    ),
    "computing.reader:read_pascal": (
        ("1 + 1", ()),
        ("uses Process;\nExecuteProcess('rm -rf a', []);", ("rm -rf a",)),
    ),
    "computing.reader:read_gleam": (
        ("1 + 1", ()),
        ('import shellout\nshellout.command("rm -rf a")', ("rm -rf a",)),
    ),
    "computing.reader:read_elm": (("1 + 1", ()),),
    "computing.reader:read_lua_console": (("print(workspace.Name)", ()),),
    "computing.reader:read_javascript_console": (("app.name", ()),),
    "queries.kusto:read_kql": (("T | where a == 'host \"rm a\"'", ()),),
    "queries.splunk:read_spl": (('index=a "| rm b" | stats count', ()),),
    "queries.graphs:read_graphql": (("{ a { b } }", ()),),
    "queries.graphs:read_sparql": (("ASK { ?s ?p 'rm a' }", ()),),
    "queries.graphs:read_cypher": (("MATCH (n) RETURN n", ()),),
    "queries.pure:read_flux": (('from(bucket: "a")', ()),),
    "queries.pure:read_only": (("sum(rate(a[5m]))", ()),),
    "queries.consoles:read_mqsc": (("* no\nDISPLAY QMGR", ()),),
    "queries.consoles:read_rman": (("# no\nHOST 'ls a'; LIST BACKUP;", ("ls a",)),),
}


def check_reader(where: str, reader: Callable[[str, Recorder], None]) -> None:
    """Run one reader on its test snippets.

    Raises:
        BrokenReader: a result is wrong, or there are no snippets.
    """
    for text, expected in SNIPPETS[where]:
        recorder = Recorder(_PLACE, source=text)
        reader(text, recorder)
        found = tuple(dict.fromkeys(recorder.shell))
        if found != expected:
            name = where.rpartition("_")[2]
            raise BrokenReader(name, text, found=found, expected=expected)
