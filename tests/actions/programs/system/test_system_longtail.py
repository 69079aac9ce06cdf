"""Single tools of no larger family."""

from __future__ import annotations

from collections.abc import Callable

PASSES = r"""
sudo os-prober
sudo hddtemp /dev/sda
ipcs
inotifywait -m src
perf stat ls
patchelf --print-rpath bin/a
logcat -d
getprop ro.build.version
pm list packages
unison --help
syncthing --version
powertop --help
sudo perf top
maestral status
lsblk
"""
ASKED = r"""
unshadow passwd shadow
unison src ssh://host.example/src
pm uninstall com.x
settings put global x 1
rcctl enable httpd
wondershaper eth0 100 100
topgrade
synopkg install x
sysrc nginx_enable=YES
termux-sms-send -n 1 hi
drutil eject
"""
DENIED = r"""
archinstall
ctrlaltdel hard
ndctl destroy-namespace all
logcat -c
"""


def test_line_is_judged(line: str, expected: str, verdict: Callable[[str], str]) -> None:
    """A line with a rare tool gets the verdict of the policy."""
    assert expected == verdict(line)
