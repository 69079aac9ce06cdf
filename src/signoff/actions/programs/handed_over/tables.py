"""The visible tables: options that take code, options that take a line, options that load a file.

| table | an option in it | example |
| --- | --- | --- |
| CODE_OPTIONS | takes code, whatever the program | `newlang -e CODE` |
| LINE_OPTIONS | takes a shell line, of one program | `aria2c --on-download-complete=LINE` |
| FILE_OPTIONS | loads a file that is run, of some programs | `make -f FILE` |
| TYPED_LINES | starts a line for the shell, typed into a program | `sftp <<< '!ls'` |
| LOADING_OPTIONS | loads a file that is run, whatever the program | `java -javaagent:FILE` |
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.actions.vocabulary import words

CODE_OPTIONS = words(
    "-c -e -E -x -code -eval -exec --eval --exec --execute --expr --expression --python-expr --run "
    "--cmd --command --code --script --shell-command --init-hook --spawn --wrap --init-command "
    "--run_under --then --after --before --batch-string"
)
# `--post-hook`, `--test-cmd`: by such endings people name options that run something.
CODE_ENDINGS = ("-hook", "-command", "-cmd", "-exec", "-expr", "-eval", "-code")
CODE_STARTS = ("--on-",)
# `-s` alone is too common (`--silent`) to count for programs nobody described.
DESCRIBED_CODE_OPTIONS = CODE_OPTIONS | {"-s"}


def takes_code(name: str, known: frozenset[str]) -> bool:
    """Return whether an option takes code, by a known name or by how it begins or ends."""
    return (
        name in known
        or name.startswith(CODE_STARTS)
        or (name[:2] == "--" and name.endswith(CODE_ENDINGS))
    )


# Programs that hand a line typed into them to the shell, by how such a line begins.
TYPED_LINES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("ftp", "sftp", "lftp", "ncftp", "telnet", "gnuplot", "octave"), ("!",)),
    "gdb": ("!", "shell "),
    "ghci": (":!",),
    **dict.fromkeys(("sqlplus", "smbclient"), ("!", "host ")),
    **dict.fromkeys(("isql-fb", "isql"), ("shell ",)),
    **dict.fromkeys(("mail", "mailx", "s-nail"), ("~!",)),
}

# They take the code of a program on standard input.
COMPILERS = words("gcc g++ cc c++ clang clang++ tcc rustc ghc gfortran nim zig dmd")

INLINE_LANGUAGES: Mapping[str, str] = {
    **dict.fromkeys(("tsx", "ts-node", "esno", "swc-node", "vite-node"), "javascript"),
    **dict.fromkeys(("swift", "wolframscript", "scala-cli", "ghc", "ghcid", "nim"), "foreign"),
}

# In what a file is written that an option of a program loads.
LOADED_LANGUAGES: Mapping[str, str] = {
    "pandoc": "lua",
    "godot": "gdscript",
    **dict.fromkeys(("blender", "freecad", "pytest", "gdb", "lldb"), "python"),
    **dict.fromkeys(
        ("mocha", "jest", "vitest", "webpack", "vite", "rollup", "eslint"), "javascript"
    ),
    **dict.fromkeys(("rake", "thor"), "ruby"),
    "phpunit": "php",
}

# Programs that hand `-o` to ssh.
SSH_KIN = words("scp sftp sshfs ssh-copy-id slogin autossh")

_CERTBOT = (
    "--pre-hook --post-hook --deploy-hook --renew-hook --manual-auth-hook --manual-cleanup-hook"
)
_UWSGI = (
    "--exec-asap --exec-pre-app --exec-post-app --exec-pre-jail --exec-in-jail --exec-post-jail "
    "--exec-as-root --exec-as-user --exec-as-user-atexit"
)
LINE_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "aria2c": ("--on-",),
    "java": ("-XX:OnError=", "-XX:OnOutOfMemoryError="),
    "mapfile": ("-C",),
    "readarray": ("-C",),
    "strace": ("-o|", "--output=|"),
    "ltrace": ("-o|",),
    "fzf": ("--bind", "--preview"),
    "sk": ("--bind", "--preview"),
    "bazel": ("--run_under",),
    "bazelisk": ("--run_under",),
    "sbatch": ("--wrap",),
    "mosh": ("--ssh", "--server"),
    "borg": ("--rsh",),
    **dict.fromkeys(("mysql", "mariadb"), ("--pager",)),
    **dict.fromkeys(("certbot", "letsencrypt"), tuple(_CERTBOT.split())),
    "acme.sh": ("--reloadcmd", "--pre-hook", "--post-hook", "--renew-hook"),
    "uwsgi": tuple(_UWSGI.split()),
    "rofi": ("-modi", "-modes", "-run-command", "-run-shell-command", "-window-command"),
}

_MAKE = words("-f --file --makefile --eval")
_CONFIG = words("-c --config --configfile --config-file --rcfile")
FILE_OPTIONS: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("make", "gmake", "bmake", "mingw32-make", "remake"), _MAKE),
    **dict.fromkeys(("ninja", "samu"), words("-f")),
    **dict.fromkeys(("rake", "thor"), words("-f --rakefile -r --require -I")),
    **dict.fromkeys(("just", "task", "nox", "invoke", "inv", "fab"),
                    words("-f --justfile --taskfile --noxfile -c --collection")),
    **dict.fromkeys(("gradle", "gradlew"),
                    words("-b --build-file -c --settings-file -I --init-script -p")),
    **dict.fromkeys(("mvn", "mvnw", "ant"), words("-f --file -s --settings -buildfile")),
    **dict.fromkeys(("jest", "vitest", "mocha", "webpack", "vite", "rollup", "eslint", "babel",
                     "playwright", "cypress", "karma", "ava", "prettier", "stylelint", "postcss"),
                    _CONFIG | words("-r --require --globalSetup --setupFiles")),
    **dict.fromkeys(("pytest", "py.test"), words("-c --config-file --rootdir --confcutdir")),
    **dict.fromkeys(("tox", "pylint", "sphinx-build"), words("-c --conf --rcfile")),
    **dict.fromkeys(("gunicorn", "uvicorn", "hypercorn", "puma", "unicorn"), _CONFIG | {"-C"}),
    # A compose file names mounts, privileges and commands of containers.
    **dict.fromkeys(("docker", "podman", "docker-compose", "podman-compose"), words("-f --file")),
    **dict.fromkeys(("gdb", "lldb"), words("-x -ix --command -s --source")),
    **dict.fromkeys(("godot",), words("-s --script")),
    **dict.fromkeys(("blender", "freecad"), words("-P --python -c")),
    **dict.fromkeys(("pandoc",), words("-F --filter -L --lua-filter")),
    **dict.fromkeys(("phpunit", "pest"), words("--bootstrap -c --configuration")),
    # Engines and providers are shared libraries that openssl loads.
    **dict.fromkeys(("openssl",), words("-engine -provider-path -config")),
    **dict.fromkeys(("terraform", "tofu", "terragrunt"), words("-chdir")),
    # An inventory that may be executed is a program whose output is the inventory.
    **dict.fromkeys(("vagrant", "packer", "ansible-playbook"), words("-i")),
    **dict.fromkeys(("tclsh", "psql", "sqlite3"), words("-init")),
}  # fmt: skip

LOADING_OPTIONS = (
    "-javaagent:", "-agentpath:", "-fplugin=", "-vettool=", "-toolexec=", "--init-script=",
    "--bootstrap=", "--lua-filter=", "-DCMAKE_TOOLCHAIN_FILE=", "-DCMAKE_C_COMPILER_LAUNCHER=",
    "-DCMAKE_CXX_COMPILER_LAUNCHER=", "-DCMAKE_PROJECT_INCLUDE=", "-Xbootclasspath/a:",
    "-DCMAKE_C_COMPILER=", "-DCMAKE_CXX_COMPILER=", "-fuse-ld=", "-specs=", "-wrapper=",
)  # fmt: skip

ANY_OPTIONS = DESCRIBED_CODE_OPTIONS.union(
    *FILE_OPTIONS.values(),
    (start.rstrip("=") for start in LOADING_OPTIONS),
    (start for starts in LINE_OPTIONS.values() for start in starts),
    ("-o", "-tr"),
)
