"""Users, rights, acting as others."""

from __future__ import annotations

from collections.abc import Callable

PASSES = r"""
chmod +x tool.sh
chmod 644 README.md
chmod -x tool.sh
chmod u+rw,go-w notes.txt
chown dev notes.txt
chgrp staff notes.txt
setfacl -m u:bob:r notes.txt
id bob
groups
whoami
chage -l bob
passwd -S bob
sudo -l
getcap /usr/bin/ping
visudo -c
loginctl list-sessions
getfacl notes.txt
faillock
klist
htpasswd -nb bob pw
"""
ASKED = r"""
doas sh <<< ''
echo -n '' | sudo bash
chmod 777 notes.txt
chmod -R 755 src
chmod o+w notes.txt
chmod g+s shared
chown -R dev src
chown root /opt/tool
setfacl -R -m u:bob:rwx src
chattr +i notes.txt
useradd bob
usermod -s /bin/zsh bob
usermod -aG docker bob
passwd bob
chsh -s /bin/zsh
groupadd builders
userdel bob
gpasswd -a bob docker
visudo
sudo -i
su - bob
sudo -s
sudo make install
newgrp docker
setcap cap_net_raw+ep ./ping
htpasswd -D users bob
echo 'bob:pw' | chpasswd
"""
DENIED = r"""
passwd -d root
chmod u+s /bin/bash
chmod 4755 tool
chmod +s ./sh
chmod -R 777 /
chmod -R a+rwX /etc
chmod -R 000 /usr
chown -R dev /
chown -R nobody:nogroup /etc
useradd -o -u 0 -g 0 ghost
useradd -m -G sudo ghost
usermod -aG wheel bob
gpasswd -a bob sudo
setcap cap_setuid+ep ./python3
userdel -r bob
deluser --remove-home bob
"""


def test_line_is_judged(line: str, expected: str, verdict: Callable[[str], str]) -> None:
    """A line about accounts gets the verdict of the policy."""
    assert expected == verdict(line)
