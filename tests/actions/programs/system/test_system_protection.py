"""Protections, logs, history."""

from __future__ import annotations

from collections.abc import Callable

PASSES = r"""
getenforce
sestatus
semanage port -l
aa-status
auditctl -l
ausearch -m avc -ts recent
journalctl -b -1
journalctl --disk-usage
history
history 20
logrotate -d /etc/logrotate.conf
last -n 5
lastb
fail2ban-client status sshd
clamscan -r src
getsebool -a
restorecon -n -R src
"""
ASKED = r"""
setenforce 1
setsebool -P httpd_can_network_connect on
semanage port -a -t http_port_t -p tcp 8080
restorecon -R /srv
chcon -t httpd_sys_content_t index.html
journalctl --vacuum-time=2d
journalctl --rotate
logrotate -f /etc/logrotate.conf
aa-enforce /etc/apparmor.d/x
usbguard allow-device 4
xhost +
"""
DENIED = r"""
set +o history
alias signoff=:
claude() { :; }
setenforce 0
setenforce permissive
aa-disable usr.sbin.nginx
aa-teardown
auditctl -e 0
auditctl -D
history -c
rm ~/.bash_history
rm -rf /var/log/audit
fail2ban-client stop
truncate -s 0 /var/log/auth.log
shred -u ~/.zsh_history
"""


def test_line_is_judged(line: str, expected: str, verdict: Callable[[str], str]) -> None:
    """A line about a protection gets the verdict of the policy."""
    assert expected == verdict(line)
