"""Where paths point, how far they reach, and what kind of file they are."""

from __future__ import annotations

import posixpath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.actions.facts import FileFact
from signoff.actions.operation import FileKind, Reach
from signoff.actions.paths import locate
from signoff.actions.place import Place

HOME = "/home/dev"
PROJECT = "/home/dev/project"
PLACE = Place(cwd=PROJECT, home=HOME, project=PROJECT)


@pytest.mark.parametrize(
    ("text", "path", "reach"),
    [
        ("src/a.py", f"{PROJECT}/src/a.py", Reach.PROJECT),
        ("../project2/a", f"{HOME}/project2/a", Reach.HOME),
        ("~/notes.txt", f"{HOME}/notes.txt", Reach.HOME),
        ("$HOME/.profile", f"{HOME}/.profile", Reach.HOME),
        ("~eve/.bashrc", "/home/eve/.bashrc", Reach.HOME),
        ("/tmp/x", "/tmp/x", Reach.TEMP),
        ("/private/tmp/x", "/tmp/x", Reach.TEMP),
        ("/dev/shm/x", "/dev/shm/x", Reach.TEMP),
        ("/var/folders/ab/c", "/var/folders/ab/c", Reach.TEMP),
        ("//etc/hosts", "/etc/hosts", Reach.SYSTEM),
        ("/ETC/hosts", "/ETC/hosts", Reach.SYSTEM),
        ("/proc/self/cwd/../x", f"{HOME}/x", Reach.HOME),
        ("/proc/1/root/etc/shadow", "/etc/shadow", Reach.SYSTEM),
        ("/proc/self/task/7/cwd/src", f"{PROJECT}/src", Reach.PROJECT),
        ("/data/x", "/data/x", Reach.ELSEWHERE),
        ("/dev/null", "/dev/null", Reach.NONE),
        ("/dev/fd/3", "/dev/fd/3", Reach.NONE),
        ("/dev/sda", "/dev/sda", Reach.SYSTEM),
        (r"C:\Windows\win.ini", "C:/Windows/win.ini", Reach.SYSTEM),
        (r"C:\Users\dev\a.txt", "C:/Users/dev/a.txt", Reach.HOME),
        ("\uff0e\uff0e/x", f"{HOME}/x", Reach.HOME),
    ],
)
def test_a_path_reaches(text: str, path: str, reach: Reach) -> None:
    """A path as written points to its normal path and has its reach."""
    located = locate(text, PLACE)
    assert (path, reach) == (located.path, located.reach)


@pytest.mark.parametrize("text", ["", "a\0b", "\ufffd/x", "$OTHER/x", "~-/x", "a" * 10_000])
def test_what_cannot_be_told_is_unknown(text: str) -> None:
    """A path that is unknown reaches the unknown."""
    assert locate(text, PLACE).reach is Reach.UNKNOWN


def test_a_relative_path_without_a_folder_is_unknown() -> None:
    """Without a current folder a relative path is unknown; its name still counts."""
    located = locate("../.ssh/id_rsa", Place(cwd="", home=HOME, project=PROJECT))
    assert (located.reach, located.kind) == (Reach.UNKNOWN, FileKind.CREDENTIALS)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("~/.ssh/id_ed25519", FileKind.CREDENTIALS),
        ("~/.ssh/id_ed25519.pub", FileKind.DATA),
        ("~/.ssh/known_hosts", FileKind.DATA),
        ("~/.ssh/authorized_keys", FileKind.AUTHORIZED_KEYS),
        ("~/.npmrc", FileKind.CREDENTIALS),
        (".npmrc", FileKind.TOOL_CONFIG),
        (".env", FileKind.ENV),
        (".env.local", FileKind.ENV),
        (".env.example", FileKind.DATA),
        ("certs/server.key", FileKind.CREDENTIALS),
        ("certs/ca.pem", FileKind.DATA),
        ("tests/fixtures/server.key", FileKind.TEST),
        ("/proc/17/environ", FileKind.CREDENTIALS),
        ("/proc/cpuinfo", FileKind.KERNEL),
        ("/etc/shadow", FileKind.ACCOUNTS),
        ("/etc/cron.d/x", FileKind.SCHEDULE),
        ("~/.config/systemd/user/a.service", FileKind.SCHEDULE),
        (".git/hooks/pre-commit", FileKind.GIT_HOOK),
        (".husky/pre-commit", FileKind.GIT_HOOK),
        (".git/config", FileKind.GIT_INTERNAL),
        (".github/workflows/ci.yml", FileKind.CI),
        ("package.json", FileKind.MANIFEST),
        ("uv.lock", FileKind.LOCK),
        ("conftest.py", FileKind.BUILD),
        ("Dockerfile.dev", FileKind.CONTAINER),
        ("main.tf", FileKind.INFRA),
        (".vscode/tasks.json", FileKind.EDITOR_CONFIG),
        (".Claude/Settings.JSON", FileKind.AGENT_CONFIG),
        (".claude/settings.json.", FileKind.AGENT_CONFIG),
        (".claude/settings.json::$DATA", FileKind.AGENT_CONFIG),
        (".cursor/mcp.json", FileKind.AGENT_CONFIG),
        ("CLAUDE.md", FileKind.AGENT_NOTES),
        ("~/.zshrc", FileKind.SHELL_STARTUP),
        ("~/.bash_history", FileKind.SHELL_HISTORY),
        ("/var/log/auth.log", FileKind.AUDIT_LOG),
        ("/dev/sda1", FileKind.DEVICE),
        ("src/app.test.ts", FileKind.TEST),
        ("src/backup/job.py", FileKind.SOURCE),
        ("~/.config/signoff/rules.yaml", FileKind.GUARD),
        ("sub/.signoff.yaml", FileKind.GUARD),
        ("~/.local/bin/guard-hook", FileKind.GUARD),
        ("~/.ss?/id_*", FileKind.CREDENTIALS),
        ("/etc/sh?dow", FileKind.ACCOUNTS),
    ],
)
def test_a_path_tells_the_kind(text: str, kind: FileKind) -> None:
    """The kind of a file follows from its path."""
    assert kind is locate(text, PLACE).kind


@pytest.mark.parametrize(
    "text",
    ["/", "/*", "~", "~/", "~/*", "..", ".", "*", "./*", ".[!.]*", "/home", "/etc", "/usr/lib",
     "/tmp", "/tmp/*", "~/Documents", PROJECT, "/mnt/disk"],
)  # fmt: skip
def test_a_broad_target_is_a_root(text: str) -> None:
    """Whole reaches, broad parts of them and globs over them are told."""
    assert locate(text, PLACE).is_root_of_reach


@pytest.mark.parametrize(
    "text", ["src", "build/*", "*.pyc", "/etc/hosts", "/tmp/x", "~/.bashrc", "src/*"]
)
def test_a_single_target_is_no_root(text: str) -> None:
    """What is named inside a reach is not the reach."""
    assert not locate(text, PLACE).is_root_of_reach


@pytest.mark.parametrize(
    "text",
    ["build", "dist/a.js", "node_modules", "pkgs/a/__pycache__", "a.pyc", "x.log", "*.pyc",
     "infra/.terraform", "vendor/bundle/ruby", "ios/Pods"],
)  # fmt: skip
def test_rebuildable_files_are_told(text: str) -> None:
    """Build output, caches and dependencies can be made again."""
    assert locate(text, PLACE).is_rebuildable


@pytest.mark.parametrize(
    "text", ["src", "src/build/x.py", "builder", "lib/cache/store.py", "vendor", "."]
)
def test_sources_are_not_rebuildable(text: str) -> None:
    """Nothing makes a source folder again, whatever its name."""
    assert not locate(text, PLACE).is_rebuildable


def test_a_project_called_build_is_not_rebuildable() -> None:
    """Names of the folders above the project say nothing about its files."""
    place = Place(cwd="/home/dev/build/app", home=HOME, project="/home/dev/build/app")
    assert not locate("main.py", place).is_rebuildable


def test_a_home_is_no_project() -> None:
    """A session that starts in the home folder has no lenient project there."""
    assert locate("a.txt", Place(cwd=HOME, home=HOME, project=HOME)).reach is Reach.HOME


def test_a_link_is_judged_by_its_target() -> None:
    """The worse of the written path and the real one counts."""
    place = Place(
        cwd=PROJECT,
        home=HOME,
        project=PROJECT,
        files={f"{PROJECT}/link": FileFact(real_path=f"{HOME}/.ssh", is_directory=True)},
    )
    located = locate("link/id_rsa", place)
    assert (located.reach, located.kind) == (Reach.HOME, FileKind.CREDENTIALS)


def test_hard_links_are_told() -> None:
    """A file with several names is marked."""
    fact = FileFact(real_path=f"{PROJECT}/a", link_count=2)
    place = Place(cwd=PROJECT, home=HOME, project=PROJECT, files={"a": fact})
    assert locate("a", place).has_links


def test_guard_paths_reach_the_guard() -> None:
    """Folders named as the guard's own reach the guard."""
    place = Place(cwd=PROJECT, home=HOME, project=PROJECT, guard_paths=("/srv/guard",))
    assert locate("/srv/GUARD/db", place).reach is Reach.GUARD


def test_brackets_are_names_for_tools_without_globs() -> None:
    """A file tool's `[slug]` is a folder's name."""
    located = locate("app/[slug]/page.tsx", PLACE, has_glob=False)
    assert f"{PROJECT}/app/[slug]/page.tsx" == located.path


_PARTS = st.sampled_from(["..", ".", "", "a", "project", "project2", "dev", "tmp", "b c", "x.py"])


@given(st.lists(_PARTS, min_size=1, max_size=12), st.booleans())
def test_paths_are_normal_and_inside_by_components(parts: list[str], is_absolute: bool) -> None:  # noqa: FBT001 - drawn by hypothesis
    """Any path is what posixpath makes of it, and in the project only by whole components."""
    text = ("/" if is_absolute else "") + "/".join(parts)
    if not text:
        return
    located = locate(text, PLACE)
    expected = posixpath.normpath(posixpath.join(PROJECT, text)).replace("//", "/")
    is_inside = posixpath.commonpath([expected, PROJECT]) == PROJECT
    assert (expected, is_inside) == (located.path, located.reach is Reach.PROJECT)


@given(st.text(max_size=80))
def test_any_text_is_located(text: str) -> None:
    """Whatever is written, an answer comes, and a told path is absolute."""
    located = locate(text, PLACE)
    assert located.path[:1] in ("", "/") or located.path[1:2] == ":"
