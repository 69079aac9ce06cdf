"""Tools of Windows."""

from __future__ import annotations

from collections.abc import Callable

PASSES = r"""
net localgroup administrators
tasklist
ipconfig /all
systeminfo
reg query HKCU\Software
schtasks /query
sc query
net user
icacls notes.txt
wevtutil el
wmic cpu get name
robocopy src out
del notes.txt
rd /s /q build
taskkill /pid 4242
cmd /c dir
vssadmin list shadows
findstr /s TODO *.py
bcdedit
cipher /c notes.txt
attrib +r notes.txt
"""
ASKED = r"""
reg add HKCU\Software\X /v A /d 1
reg delete HKCU\Software\X /f
reg add HKCU\Software\Microsoft\Windows\CurrentVersion\Run /v x /d x.exe
schtasks /create /tn x /tr x.exe /sc daily
sc stop spooler
sc create x binPath= x.exe
net stop spooler
taskkill /f /im node.exe
netsh interface set interface Ethernet disable
icacls notes.txt /grant bob:F
cipher /w:C
setx PATH x
rd /s /q src
robocopy src lib /mir
rundll32 x.dll,Run
regsvr32 /s x.dll
"""
DENIED = r"""
format D: /q
diskpart
rd /s /q C:\
del /s /q C:\Windows
vssadmin delete shadows /all
wbadmin delete catalog
wmic shadowcopy delete
bcdedit /set testsigning on
net user ghost pw /add
net localgroup administrators ghost /add
wevtutil cl Security
cmd /c "rm -rf /"
"""


def test_line_is_judged(line: str, expected: str, verdict: Callable[[str], str]) -> None:
    """A line with a tool of Windows gets the verdict of the policy."""
    assert expected == verdict(line)
