"""Paths of Windows: every form of one path is one file, and none is milder than the plain one."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action
from signoff.actions.facts import Facts, FileFact
from signoff.actions.operation import FileKind, Reach
from signoff.actions.paths import locate
from signoff.actions.place import Place
from signoff.actions.understand import place_of

ADA = Place(cwd="C:/Users/ada/proj", home="C:/Users/ada", project="C:/Users/ada/proj")
LINUX = Place(cwd="/home/ada/proj", home="/home/ada", project="/home/ada/proj")


@pytest.mark.parametrize(
    "text",
    [
        r"C:\Users\ada\proj\a.py",
        "c:/USERS/Ada/PROJ/a.py",
        "/c/Users/ada/proj/a.py",
        "/cygdrive/c/Users/ada/proj/a.py",
        r"\\?\C:\Users\ada\proj\a.py",
        r"%USERPROFILE%\proj\a.py",
        "a.py",
        "C:/Users/ada/proj/C:/Users/ada/proj/a.py",
    ],
)
def test_forms_of_a_project_file(text: str) -> None:
    """Drive, slashes, case and prefix do not hide that a file is the project's."""
    located = locate(text, ADA)
    assert ("C:/Users/ada/proj/a.py", Reach.PROJECT) == (located.path, located.reach)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (r"..\SSH~1\id_ed25519", FileKind.CREDENTIALS),
        (r"\\wsl$\Ubuntu\etc\shadow", FileKind.ACCOUNTS),
        (r"\\?\GLOBALROOT\Device\HarddiskVolumeShadowCopy1\Windows\System32\config\SAM",
         FileKind.ACCOUNTS),
        (r"\\localhost\c$\Users\ada\proj\.git\hooks\pre-push", FileKind.GIT_HOOK),
        (r"C:\Users\ada\.netrc:stream", FileKind.CREDENTIALS),
        ("/c/../c/Users/ada/.netrc", FileKind.CREDENTIALS),
    ],
)  # fmt: skip
def test_forms_of_a_dangerous_file(text: str, kind: FileKind) -> None:
    """Short names, shares, volumes and streams do not hide what a file is."""
    assert kind is locate(text, ADA).kind


@pytest.mark.parametrize(
    ("text", "reach"),
    [
        (r"\Windows\x", Reach.SYSTEM),
        (r"C:..\..\..\Windows\x", Reach.SYSTEM),
        ("../../../../../Windows/x", Reach.SYSTEM),
        (r"%LOCALAPPDATA%\signoff\x", Reach.GUARD),
        (r"C:\Users\ada\AppData\Local\Temp\x", Reach.TEMP),
    ],
)
def test_reach_on_a_drive(text: str, reach: Reach) -> None:
    """No `..` leads out of a drive; temporary folders of a home are temporary."""
    assert reach is locate(text, ADA).reach


@pytest.mark.parametrize("text", ["/c/Users/ada/proj/a.py", "C:/home/ada/proj/a.py", "$env:TMP/x"])
def test_linux_reads_no_drives(text: str) -> None:
    """On other systems these are other files, outside the project."""
    assert locate(text, LINUX).reach not in {Reach.PROJECT, Reach.TEMP}


def test_folders_of_a_call_have_one_form() -> None:
    """Facts that a Windows machine gives with backslashes are found."""
    link = FileFact(real_path=r"C:\Users\ada\.ssh")
    facts = Facts(
        home=r"C:\Users\ada",
        project=r"C:\Users\ada\proj",
        guard_paths=(r"D:\Guard",),
        files={r"C:\Users\ada\proj\keys": link},
    )
    place = place_of(Action(tool="Bash", arguments={}, cwd=r"c:\users\ada\PROJ"), facts)
    assert ("C:/Users/ada/proj", ("D:/Guard",)) == (place.cwd, place.guard_paths)
    assert FileKind.CREDENTIALS is locate("keys", place).kind


def test_a_drive_is_no_project() -> None:
    """In a project everything would count as near."""
    place = Place(cwd="C:/Windows/System32", home="C:/Users/ada", project="C:/Windows/System32")
    assert Reach.SYSTEM is locate("x.dll", place).reach


@pytest.mark.parametrize("place", [ADA, LINUX])
def test_blank_names(place: Place) -> None:
    """A name of blanks alone is judged, too."""
    assert locate(" ", place).reach in {Reach.PROJECT, Reach.UNKNOWN}
