"""Services and schedules."""

from __future__ import annotations

from collections.abc import Callable

PASSES = r"""
systemctl status nginx
systemctl list-timers --all
systemctl --user list-units
systemctl is-active nginx
systemctl cat nginx.service
sudo systemctl status nginx
service --status-all
service nginx status
crontab -l
crontab -u bob -l
atq
rc-status
sv status nginx
supervisorctl status
supervisorctl tail web
nginx -t
apache2ctl -S
systemd-analyze blame
journalctl -u nginx -n 50
busctl list
systemctl log-level
postqueue -p
"""
ASKED = r"""
systemctl restart nginx
systemctl enable nginx
sudo systemctl stop nginx
systemctl mask bluetooth
systemctl -H web1 restart api
systemctl daemon-reload
systemctl edit nginx
service nginx restart
rc-update add nginx default
crontab -e
crontab jobs.txt
crontab -r
echo '* * * * * /tmp/x' | crontab -
atrm 3
supervisorctl restart all
systemd-tmpfiles --create
a2enmod ssl
nginx -s reload
systemctl reboot
pueue kill 3 && systemctl isolate rescue.target
"""
DENIED = r"""
systemctl poweroff
systemctl halt -f
systemctl stop ufw
systemctl disable --now auditd
service rsyslog stop
systemctl mask firewalld.service
systemctl kexec
"""


def test_line_is_judged(line: str, expected: str, verdict: Callable[[str], str]) -> None:
    """A line about services gets the verdict of the policy."""
    assert expected == verdict(line)
