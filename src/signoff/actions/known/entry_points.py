"""Files that a tool runs without being given their names: task files, build scripts, settings.

`task` runs Taskfile.yml, `terraform plan` runs what a `.tf` file calls, `vite build` loads
vite.config.ts. Code in a language that is read is run as such; of other files the shell lines
count that stand where a program is started, never other literals: those are data.

    runs_file("task build", "/p/Taskfile.yml")                 True
    started_lines("main.tf", 'program = ["sh", "-c", "ls"]')   ("sh -c ls",)
"""

from __future__ import annotations

import json
import posixpath
import re
import shlex
from fnmatch import fnmatchcase
from functools import lru_cache

from signoff.actions.known.shell_lines import UNREAD_LINES
from signoff.actions.vocabulary import lazy_re

# Beyond these a file is not read on, and what is left of it is asked about: padding hides nothing.
LINES_LIMIT = 400
TEXT_LIMIT = 65_536
# Which tool runs which files; the tool stands as a word of the line, or at the end of a path.
_RUNS: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = tuple(
    (lazy_re(rf"(?:^|[\s;|&(/])(?:{tools})(?:\s|$)"), tuple(names.split()))
    for tools, names in (
        (
            r"task|go-task",
            "Taskfile.yml Taskfile.yaml taskfile.yml taskfile.yaml Taskfile.dist.yml",
        ),
        (r"terraform|tofu|terragrunt", "*.tf *.tofu terragrunt.hcl"),
        (r"ansible-playbook|ansible-pull", "*.yml *.yaml"),
        (r"gradlew?|gradlew\.bat", "*.gradle *.gradle.kts"),
        (r"go (?:run|test|generate|build|vet)", "*.go"),
        (r"java|javac|jshell|mvn|mvnw", "*.java"),
        (r"direnv", ".envrc"),
        (r"g?make", "Makefile makefile GNUmakefile"),
        (r"cargo \w+", "build.rs"),
        (r"cargo (?:run|test|bench|miri)", "*.rs"),
        (r"just", "justfile Justfile .justfile *.just"),
        (r"rake|bundle exec rake", "Rakefile rakefile Rakefile.rb *.rake"),
        (r"nox", "noxfile.py"),
        (r"tox", "tox.ini"),
        (r"gdb", ".gdbinit *.gdb"),
        (r"dotnet script", "*.csx"),
    )
)
# Which commands of Git run a hook of a name, wherever the folder of hooks lies (githooks(5)).
_COMMITS = r"commit|merge|pull|cherry-pick|revert|rebase|am"
_HOOKS = {
    name: lazy_re(rf"(?:^|[\s;|&(/])git\s[^;|&]*\b(?:{commands})(?:\s|$)")
    for names, commands in (
        ("pre-commit prepare-commit-msg commit-msg post-commit", _COMMITS),
        ("pre-merge-commit post-merge", "merge|pull"),
        ("post-checkout", "switch|checkout|clone|rebase|worktree|pull"),
        ("pre-rebase post-rewrite", "rebase|commit|pull"),
        ("pre-push", "push"),
        ("applypatch-msg pre-applypatch post-applypatch", "am"),
        ("reference-transaction", rf"{_COMMITS}|switch|checkout|fetch|push|branch|tag|reset|stash"),
    )
    for name in names.split()
}
# A manager of services is told the name of the unit, and reads its file.
_SERVICE_FILES = (".service", ".timer", ".socket", ".path")
_STARTS_UNIT = lazy_re(
    r"(?:^|[\s;|&(/])systemctl\s[^;|&]*\b(?:enable|start|restart|reenable|try-restart|link"
    r"|reload-or-restart|isolate)\s[^;|&]*"
)
_STARTS_AGENT = lazy_re(
    r"(?:^|[\s;|&(/])launchctl\s[^;|&]*\b(?:load|bootstrap|start|kickstart|enable)\s[^;|&]*"
)
_CODE = lazy_re(
    r"(?:^|/)(?:[\w.-]+\.(?:config|setup|conf)|gulpfile|Gruntfile|\.eslintrc|\.mocharc|\.pnpmfile)"
    r"\.(?:[cm]?[jt]s)\Z"
)
_JS_TOOL = lazy_re(
    r"(?:^|[\s;|&(/])(?:vite|vitest|jest|webpack|rollup|next|nuxt|astro|tailwindcss|tailwind|eslint"
    r"|playwright|cypress|postcss|babel|esbuild|tsup|svelte-kit|karma|mocha|gulp|grunt|metro|expo"
    r"|remix|turbo|storybook|npm|pnpm|yarn|bun|npx|bunx)(?:\s|$)"
)
# The file may not begin with a dash, which is an option such as `--watch`.
_TS_RUN = lazy_re(
    r"(?:^|[\s;|&(/])(?:tsx|ts-node|ts-node-esm|deno run|bun|bun run|node|esno|jiti|swc-node"
    r"|vite-node)"
    r"(?:\s+-\S+)*\s+(?P<file>[^\s;|&<>-][^\s;|&<>]*\.[cm]?ts)\b"
)
_IMPORTS = lazy_re(
    r"(?:^|[\s;'\"])(?:import|from)\s+([A-Za-z_]\w*(?:\.\w+)*)"
    r"|(?:require|import)\(\s*['\"](\.{1,2}/[\w./-]+)['\"]"
)
_STARTED = lazy_re(
    r"(?:\bexec\w*|\bCommand\w*(?:::new)?|\bProcessBuilder|\bprogram|\bcommand|\bcommandLine|\bsystem|\bspawn\w*|\bProcess\.Start)"
    r"[\s=(:\[{]*(?:new\s+String\s*\[\s*\]\s*\{)?[\s(\[{]*"
    r"(\"(?:[^\"\\\n]|\\.)*\"(?:\s*,\s*\"(?:[^\"\\\n]|\\.)*\")*)"
)
# Go: `os.RemoveAll("/x")`, or of a variable that is the home folder.
_GO_REMOVED = lazy_re(r"\bos\.RemoveAll\(\s*(\"[^\"\n]*\"|\w+|os\.Getenv\(\"HOME\"\))\s*\)")
_GO_HOME = lazy_re(r"\b(\w+)(?:\s*,\s*\w+)?\s*:?=\s*os\.(?:UserHomeDir\(\)|Getenv\(\"HOME\"\))")
_EXECUTED = lazy_re(r"\"((?:[^\"\\\n]|\\.)*)\"\s*\.\s*execute\s*\(")
_LITERAL = lazy_re(r"\"(?:[^\"\\\n]|\\.)*\"")
# Rust gives the words of a command one by one: `Command::new("sh").arg("-c").arg("ls")`.
_ARGUMENT = lazy_re(r"\)\s*\.arg\(\s*(\"(?:[^\"\\\n]|\\.)*\")\s*(?=\))")
_SHELL_CALL = lazy_re(r"(?:\bsh|\bsystem|\w\.run(?:_always)?)[\s(]+(\"[^\n]*)")
_GDB_LINE = lazy_re(r"(?m)^[ \t]*(?:shell[ \t]+|!)(\S.*)$")
_INDENTED = lazy_re(r"(?m)^[ \t]+[@-]*([^\s#@-].*)$")
# systemd.service(5): marks before the program say how its exit and its user are taken.
_UNIT_LINE = lazy_re(r"(?m)^[ \t]*Exec(?:Start|StartPre|StartPost)[ \t]*=[ \t]*[-@:+!|]*(\S.*)$")
_PLIST_ARGUMENTS = lazy_re(
    r"(?s)<key>Program(?:Arguments)?</key>\s*(?:<array>)?(.*?)(?:</array>|<key>|</dict>)"
)
_PLIST_WORD = lazy_re(r"<string>([^<]*)</string>")
_TOX_COMMANDS = lazy_re(r"(?m)^commands\w*[ \t]*=((?:.*\n?)(?:[ \t]+.*\n?)*)")
_TASK_LINE = lazy_re(
    r"(?m)^[ \t]*(?:(?:-[ \t]+)?(?:cmd|sh|shell|command|ansible\.builtin\.(?:shell|command)|defer):"
    r"|-)[ \t]+(?![>|])(\S.*)$"
)


def runs_file(line: str, path: str) -> bool:
    """Return whether a tool's line runs a file that it does not name, such as a build file."""
    name = path.rpartition("/")[2]
    if name.endswith(_SERVICE_FILES) or name.endswith(".plist"):
        return _starts_service(line, name)
    tools = _tools_running(path)
    return bool(tools) and any([tool.search(line) is not None for tool in tools])


def _starts_service(line: str, name: str) -> bool:
    """Tell whether a manager of services is told to start the unit of a file, now or at boot."""
    stem = name.rpartition(".")[0]
    starts = _STARTS_AGENT if name.endswith(".plist") else _STARTS_UNIT
    return any(
        [
            word.rpartition("/")[2].removesuffix(ending) == stem
            for found in starts.findall(line)
            for word in found.replace("'", " ").replace('"', " ").split()
            for ending in ("", *_SERVICE_FILES, ".plist")
        ]
    )


@lru_cache(maxsize=512)
def _tools_running(path: str) -> tuple[re.Pattern[str], ...]:
    """Return how the tools are called that run a file of this name."""
    if _CODE.search(path):
        return (_JS_TOOL,)
    folder, _, name = path.rpartition("/")
    if name in _HOOKS:
        return (_HOOKS[name],) if "hooks" in folder or folder.endswith("/.husky") else ()
    return tuple([tool for tool, names in _RUNS if any([fnmatchcase(name, one) for one in names])])


def is_code(path: str) -> bool:
    """Return whether a tool's configuration file is code in a language that is analysed."""
    return _CODE.search(path) is not None


def typed_files(line: str) -> tuple[str, ...]:
    """Return the TypeScript files that a line runs."""
    return tuple(found["file"] for found in _TS_RUN.finditer(line))


def imported_files(line: str) -> tuple[str, ...]:
    """Return the files that inline code in a line may import: modules beside it."""
    found: list[str] = []
    for module, path in _IMPORTS.findall(line):
        if module:
            base = module.replace(".", "/")
            found += [f"{base}.py", f"{base}/__init__.py"]
        else:
            path = posixpath.normpath(path)
            found += [path, *(f"{path}{ending}" for ending in (".js", ".cjs", ".mjs", "/index.js"))]
    return tuple(dict.fromkeys(found))[:LINES_LIMIT]


def started_lines(name: str, text: str) -> tuple[str, ...]:
    """Return the literal shell lines in a file that is not analysed as code."""
    found = _started(name, text[:TEXT_LIMIT])
    is_whole = len(text) <= TEXT_LIMIT and len(found) <= LINES_LIMIT
    return tuple(found) if is_whole else (*found[:LINES_LIMIT], UNREAD_LINES)


def _started(name: str, text: str) -> list[str]:
    # direnv gives the whole file to bash (direnv manual), Git runs a hook as it stands.
    if name.endswith(".envrc") or (name in _HOOKS and _is_shell(text)):
        return [text]
    if name.endswith(_SERVICE_FILES):
        return [line.replace("%h", "$HOME") for line in _UNIT_LINE.findall(text)]
    if name.endswith(".plist"):
        return [shlex.join(_PLIST_WORD.findall(found)) for found in _PLIST_ARGUMENTS.findall(text)]
    if name.endswith((".yml", ".yaml")):
        return [line.strip().strip("'\"") for line in _TASK_LINE.findall(text)]
    if (found := _lines_of_tool(name, text)) is not None:
        return found
    found = [_joined(words) for words in _STARTED.findall(_ARGUMENT.sub(r", \1", text))]
    found += [_unquoted(f'"{line}"') for line in _EXECUTED.findall(text)]
    if name.endswith(".go"):
        found += _removed_by_go(text)
    return [line for line in found if line]


def _is_shell(text: str) -> bool:
    first = text.partition("\n")[0]
    return first[:2] != "#!" or "sh" in first


def _lines_of_tool(name: str, text: str) -> list[str] | None:
    """Return the lines of a file whose form is a tool's own, None for any other file."""
    if name.lower().strip(".") == "justfile" or name.endswith(".just"):
        return _INDENTED.findall(text)
    if name == "tox.ini":
        return [
            row.strip() for part in _TOX_COMMANDS.findall(text) for row in part.split("\n") if row
        ]
    if name == ".gdbinit" or name.endswith(".gdb"):
        return _GDB_LINE.findall(text)
    if name.lower().startswith("rakefile") or name.endswith(".rake") or name == "noxfile.py":
        return [_joined(words) for words in _SHELL_CALL.findall(text)]
    return None


def _removed_by_go(text: str) -> list[str]:
    homes = {*_GO_HOME.findall(text), 'os.Getenv("HOME")'}
    names = _GO_REMOVED.findall(text)
    literal = [_unquoted(name) for name in names if name[:1] == '"']
    return [
        *(f"rm -rf {shlex.quote(path)}" for path in literal if path),
        *("rm -rf ~/" for name in names if name in homes),
    ]


def _joined(literals: str) -> str:
    given = [_unquoted(one) for one in _LITERAL.findall(literals)]
    # One literal is a line for a shell; several are words, which no shell reads.
    return given[0] if len(given) == 1 else shlex.join(given)


def _unquoted(literal: str) -> str:
    try:
        text = json.loads(literal)
    except ValueError:
        return literal.strip('"')
    return text if isinstance(text, str) else ""
