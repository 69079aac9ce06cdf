"""Tools of macOS."""

from __future__ import annotations

from collections.abc import Callable

PASSES = r"""
defaults read com.apple.dock
diskutil list
diskutil info disk0
hdiutil info
hdiutil create -size 10m -fs HFS+ x.dmg
tmutil listbackups
tmutil status
launchctl list
scutil --get ComputerName
pmset -g
networksetup -listallnetworkservices
csrutil status
spctl --status
fdesetup status
mdfind readme
mdls README.md
sw_vers
system_profiler SPHardwareDataType
codesign -dv app
xattr -l a.txt
softwareupdate -l
security list-keychains
dscl . -list /Users
plutil -p a.plist
xattr -d com.apple.quarantine a.txt
"""
ASKED = r"""
defaults write com.apple.dock autohide -bool true
defaults delete com.apple.dock
diskutil unmount disk2
hdiutil attach x.dmg
launchctl bootout gui/501/x
launchctl load x.plist
scutil --set ComputerName x
pmset -a sleep 0
networksetup -setdnsservers Wi-Fi 1.1.1.1
security delete-generic-password -a me
dscl . -create /Users/bob
sysadminctl -addUser bob
tccutil reset All
mdutil -i off /
installer -pkg a.pkg -target /
tmutil startbackup
"""
DENIED = r"""
diskutil eraseDisk APFS x disk2
diskutil apfs deleteContainer disk2
tmutil disable
tmutil deletelocalsnapshots /
csrutil disable
spctl --master-disable
fdesetup disable
security find-internet-password -w -s x
log erase --all
"""


def test_line_is_judged(line: str, expected: str, verdict: Callable[[str], str]) -> None:
    """A line with a tool of macOS gets the verdict of the policy."""
    assert expected == verdict(line)
