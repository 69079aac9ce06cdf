"""Files that a tool loads by itself: its start-up code, its plug-ins, its jobs.

Nobody runs them: the tool does, when it starts, opens the project or finds that it is time. So what
they do is done by the next ordinary step of the work. They are told by their name or place, or by
the marks with which a program says to its host that it wants to be loaded.

    .Rprofile, latexmkrc, dags/daily.py, overlay/etc/init.d/S50x     loaded by their names
    [InitializeOnLoad] static class Build { ... }                    loaded by its mark
"""

from __future__ import annotations

from signoff.actions.operation import FileKind
from signoff.actions.paths import Located
from signoff.actions.vocabulary import lazy_re2

MARKED = 50_000  # characters that are searched for marks
_QUIET = frozenset({FileKind.TEST, FileKind.DOC, FileKind.GENERATED, FileKind.LOCK, FileKind.LOG})
# What a shell reads as it starts, with the marks that tools for dotfiles put in front.
_SHELL_NAMES = (
    r"(?:dot_|_)?(?:(?:bash_?|z|zsh_?|k|mk)?profile|(?:bash|zsh|k|mksh)rc|zshenv|bash\.bashrc"
    r"|bash_login)"
)
_PATHS = lazy_re2(
    r"(?i)(?:^|/)(?:"
    # Start-up files of interpreters and tools.
    r"\.?rprofile(?:\.site)?|\.?latexmkrc|\.irbrc|\.pryrc|\.(?:gdb|lldb)init(?:-\w+)?|\.exrc"
    r"|\.nvim\.lua|\.?startup\.jl|\.sqliterc|\.psqlrc|\.octaverc|startup\.m|\.maxima|\.ghci"
    r"|init\.(?:gradle|lua|el)|sitecustomize\.py|usercustomize\.py|\.?xonshrc"
    # Build files whose language is a program.
    r"|sconstruct|sconscript|wscript|conanfile\.py|build\.zig|package\.swift|build\.sbt|mix\.exs"
    r"|snakefile|nextflow\.config|meson\.build|premake\d?\.lua|xmake\.lua|configure\.ac"
    # Plug-ins and scenes of programs that draw, cut, build and play.
    r"|usersetup\.(?:py|mel)|acad(?:doc)?\.lsp|initgui\.py|menu\.py|houdini\.env|plugin\.gd"
    r"|(?:123|456)\.(?:py|cmd)|startup\.ms"
    # What a telephone exchange, a robot or a home automation runs for an event.
    r"|extensions(?:_custom)?\.(?:conf|ael|lua)"
    r")$"
    r"|(?:^|/)[\w-]+\.(?:config|setup)\.[cm]?[jt]s$|\.launch(?:\.py|\.xml)?$|\.(?:smk|nf|wdl|cwl|targets|props)$"
    r"|(?:^|/)dags/[\w./-]*\.py$|/editor/[\w./-]*\.cs$|(?:^|/)custom_nodes/[\w./-]*\.py$"
    r"|(?:^|/)(?:startup|autostart|autoload|boot)/[\w.-]+\.(?:py|jl|r|rb|m|lsp|ms|mel|lua|php|gd)$"
    # The start-up of a system image that the project builds.
    r"|\.pth$|\.envrc$|/(?:base-files|skel|dotfiles|rootfs|overlay|etc)/(?:[\w./-]*/)?"
    rf"{_SHELL_NAMES}$"
    r"|[\w.-]/etc/(?:init\.d|rc\d?\.d|rcs\.d|cron[\w.]*|profile\.d|systemd/[\w./-]*|uci-defaults"
    r"|hotplug\.d/\w+|network/if-[\w-]+|networkmanager/dispatcher\.d|periodic/\w+|local\.d"
    r"|udev/rules\.d)/[\w.@-]+$|[\w.-]/etc/(?:rc\.local|inittab|crontab|profile)$"
)
_MARKS = lazy_re2(
    r"\[\s*(?:\w+\.)*(?:InitializeOnLoad(?:Method)?|ModuleInitializer|RuntimeInitializeOnLoadMethod)\b"
    r"|\bAssetPostprocessor\b|\bIPreprocessBuild|(?m:^@tool\b)|\bEditorPlugin\b"
    r"|\bImport\s*\(\s*[\"']env\b|\bfrom\s+(?:airflow|prefect|dagster|luigi)\b|\bimport\s+airflow\b"
    r"|\bbl_info\s*=|\bpcbnew\.ActionPlugin\b|\bFreeCADGui\b|\bimport\s+obspython\b"
    r"|\bgenerate_launch_description\b|\bload_ipython_extension\b|\bpytest_(?:configure|sessionstart)\b"
    r"|\bPlugin\s*<\s*Project\s*>|\bgradle\.(?:projectsLoaded|beforeProject|settingsEvaluated)\b"
    r"|\b(?:platform|trigger):\s*homeassistant\s*\n\s*event:\s*start\b|\bFOR\s+TESTING\b|\bfunc\s+TestMain\(|\.on(?:Load|Attach)\s*(?:<-|=)\s*function|__attribute__\s*\(\(\s*constructor\b|(?m:^func\s+init\(\))"
    r"|\bAgent_?main\b|\bpremain\s*\("
)


def is_loaded(where: Located, text: str) -> bool:
    """Return whether some tool loads a file of this name and text by itself."""
    if where.kind in _QUIET:
        return False
    return _PATHS.search(where.path) is not None or _MARKS.search(text[:MARKED]) is not None


_SHELL_START_UP = lazy_re2(
    rf"(?i)(?:^|/)(?:\.envrc|rc\.local|{_SHELL_NAMES})$"
    r"|/etc/(?:init\.d|rc\d?\.d|rcs\.d|profile\.d|uci-defaults|local\.d|network/if-[\w-]+)/[\w.@-]+$"
)


def is_read_by_shell(where: Located) -> bool:
    """Return whether a shell runs a file of this name when it starts."""
    return _SHELL_START_UP.search(where.path) is not None
