"""Cmdlets of PowerShell typed as commands: the line is read as PowerShell.

Remove-Item -Recurse build     ->  deletes `build`
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import UNKNOWN_MARK, Call
from signoff.actions.programs.lexicon import words
from signoff.actions.programs.program import Program, program
from signoff.actions.programs.system.deeds import PROTECTION_OFF, SYSTEM_SET
from signoff.actions.shell.command import Word

PLAIN = frozenset(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./\\:*?~$%+=@,{}"
)


def cmdlet(call: Call) -> Iterator[Effect]:
    """Hand the whole line to the reader of PowerShell."""
    line = call.command.words
    yield from _system_change(call)
    yield Nested(
        text=" ".join(_spelled(word) for word in line),
        language="powershell",
        carrier="pwsh",
        is_known=all(w.is_known and UNKNOWN_MARK not in w.text for w in line),
    )


LOOKING = words("get find test measure select resolve out format where sort compare")
SYSTEM_NOUNS = tuple(
    words(
        "net bitlocker volume date service scheduledtask local mp eventlog computer disk partition "
        "windows execution vm firewall psremoting appx timezone printer dns"
    )
)
GUARDING_NOUNS = ("netfirewall", "bitlocker", "mppreference")
WEAKENING = frozenset({"disable", "suspend", "remove"})


def _system_change(call: Call) -> Iterator[Effect]:
    """Judge `Verb-Noun` by its words where the noun is a part of the machine."""
    verb, _, noun = call.command.program.lower().partition("-")
    if verb in LOOKING or not noun.startswith(SYSTEM_NOUNS):
        return
    switched_off = verb == "set" and any("-disable" in t.text.lower() for t in call.command.words)
    if noun.startswith(GUARDING_NOUNS) and (verb in WEAKENING or switched_off):
        yield from call.perform(PROTECTION_OFF)
    else:
        yield from call.perform(SYSTEM_SET)


def _spelled(word: Word) -> str:
    if word.text and set(word.text) <= PLAIN:
        return word.text
    return "'" + word.text.replace("'", "''") + "'"


NAMES = (
    "Add-AppxPackage Add-Computer Add-Content Add-LocalGroupMember Add-MpPreference Add-Type "
    "Clear-Content Clear-Disk Clear-EventLog Clear-History Clear-Item Clear-ItemProperty "
    "Clear-RecycleBin Clear-Variable Compress-Archive Convert-Path ConvertFrom-Json "
    "ConvertTo-Json ConvertTo-SecureString Copy-Item Disable-ComputerRestore "
    "Disable-LocalUser Disable-NetAdapter Disable-NetFirewallRule Disable-ScheduledTask "
    "Disable-WindowsOptionalFeature Enable-LocalUser Enable-PSRemoting Enable-ScheduledTask "
    "Enable-WindowsOptionalFeature Enter-PSSession Expand-Archive Export-Csv Export-Clixml "
    "Find-Module ForEach-Object Format-List Format-Table Format-Volume Get-Acl Get-Alias "
    "Get-ChildItem Get-Clipboard Get-Command Get-ComputerInfo Get-Content Get-Credential "
    "Get-Date Get-Disk Get-Event Get-EventLog Get-ExecutionPolicy Get-FileHash Get-Help "
    "Get-History Get-HotFix Get-Item Get-ItemProperty Get-Job Get-LocalUser Get-Location "
    "Get-Member Get-Module Get-NetAdapter Get-NetIPAddress Get-NetTCPConnection Get-Package "
    "Get-Partition Get-Process Get-PSDrive Get-Random Get-Service Get-Volume Get-WinEvent "
    "Get-WmiObject Get-Content Import-Csv Import-Module Initialize-Disk Install-Module "
    "Install-Package Invoke-Command Invoke-Expression Invoke-Item Invoke-RestMethod "
    "Invoke-WebRequest Join-Path Limit-EventLog Measure-Command Measure-Object Mount-DiskImage "
    "Move-Item New-Item New-ItemProperty New-LocalUser New-NetFirewallRule New-Object "
    "New-PSSession New-Partition New-ScheduledTask New-Service Out-File Out-Host Out-String "
    "Push-Location Read-Host Register-ScheduledTask Remove-Computer Remove-EventLog "
    "Remove-Item Remove-ItemProperty Remove-LocalUser Remove-Module Remove-NetFirewallRule "
    "Remove-Partition Remove-Service Rename-Item Reset-ComputerMachinePassword Resolve-Path "
    "Restart-Computer Restart-Service Resume-Service Save-Module Select-Object Select-String "
    "Send-MailMessage Set-Acl Set-Clipboard Set-Content Set-Date Set-ExecutionPolicy Set-Item "
    "Set-ItemProperty Set-LocalUser Set-Location Set-MpPreference Set-NetFirewallProfile "
    "Set-NetFirewallRule Set-Service Set-Volume Sort-Object Split-Path Start-Job Start-Process "
    "Start-Service Start-Sleep Stop-Computer Stop-Process Stop-Service Suspend-BitLocker "
    "Suspend-Service Tee-Object Test-Connection Test-Json Test-NetConnection Test-Path "
    "Uninstall-Module Uninstall-Package Unblock-File Unregister-ScheduledTask Update-Help "
    "Update-Module Wait-Process Where-Object Write-Host Write-Output Disable-BitLocker "
    "Remove-WindowsFeature Uninstall-WindowsFeature Remove-VM Stop-VM Checkpoint-VM"
)

PROGRAMS: tuple[Program, ...] = (
    program(NAMES, handler=cmdlet),
    program(NAMES.lower(), handler=cmdlet),
)
