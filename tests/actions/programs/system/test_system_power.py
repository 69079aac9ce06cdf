"""Power, kernel, boot, clock."""

from __future__ import annotations

from collections.abc import Callable

PASSES = r"""
date
date -d tomorrow +%F
date -u -Iseconds
hostname
hostname -I
uptime
sysctl -a
sysctl net.ipv4.ip_forward
sudo sysctl kernel.hostname
lsmod
modinfo zram
modprobe --show-depends zram
dmesg -T
timedatectl
timedatectl list-timezones
hostnamectl status
localectl list-locales
shutdown --help
hwclock --show
efibootmgr -v
bootctl status
update-alternatives --list editor
ntpq -p
depmod -n
"""
ASKED = r"""
reboot
sudo reboot
shutdown -r now
systemctl suspend
modprobe zram
rmmod zram
sysctl -w vm.swappiness=10
sysctl net.ipv4.ip_forward=1
timedatectl set-timezone Europe/Paris
hostnamectl set-hostname web1
hostname web1
localectl set-locale LANG=C.UTF-8
locale-gen
hwclock --systohc
update-alternatives --set editor /usr/bin/vim
init 6
shutdown -c
cpupower frequency-set -g performance
"""
DENIED = r"""
sudo date -f /etc/shadow
update-initramfs -v -u
efibootmgr -v -b 0001 -B
mkinitcpio -p linux
halt -h
shutdown -h now
poweroff
halt -p
init 0
insmod ./evil.ko
kexec -l vmlinuz
grub-install /dev/sda
efibootmgr -b 0001 -B
update-initramfs -u
date -s '2020-01-01'
date 010100002030
dmesg -C
ssh web1 reboot
"""


def test_line_is_judged(line: str, expected: str, verdict: Callable[[str], str]) -> None:
    """A line about the machine gets the verdict of the policy."""
    assert expected == verdict(line)
