"""Cmdlets of PowerShell typed as commands."""

from __future__ import annotations

from collections.abc import Callable

PASSES = r"""
Get-ChildItem -Recurse
Get-Content README.md
Remove-Item notes.txt
Set-Content -Path a.txt -Value x
New-Item -ItemType Directory out
Copy-Item a.txt b.txt
Get-Process
Get-Service
Sort-Object
Test-Path out
Select-String TODO notes.txt
get-content README.md
Write-Output hi
Measure-Object -Line
Get-NetAdapter
"""
ASKED = r"""
Invoke-Expression $text
Install-Module posh
Set-Service -Name x -StartupType Disabled
Set-Date -Date x
Set-Volume -DriveLetter D -NewFileSystemLabel y
New-NetFirewallRule -DisplayName x
Remove-Item -Recurse src
Get-Content .env
"""
DENIED = r"""
Remove-Item -Recurse -Force $HOME
Format-Volume -DriveLetter D
Clear-Disk -Number 1 -RemoveData
Clear-EventLog -LogName Security
Disable-NetFirewallRule x
Suspend-BitLocker C:
Stop-Computer -Force
New-LocalUser ghost
"""


def test_line_is_judged(line: str, expected: str, verdict: Callable[[str], str]) -> None:
    """A cmdlet gets the verdict of the policy."""
    assert expected == verdict(line)
