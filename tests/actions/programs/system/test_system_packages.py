"""Package managers of systems."""

from __future__ import annotations

from collections.abc import Callable

PASSES = r"""
rpm --eval '%{_libdir}'
apt list --installed
apt search ripgrep
apt-cache policy nginx
apt-get install -s nginx
dpkg -l
dpkg -S /bin/ls
dpkg -c a.deb
dnf info nginx
dnf list installed
yum check-update
rpm -qa
rpm -qip a.rpm
zypper search nginx
pacman -Ss nginx
pacman -Qi nginx
pacman -Q
yay -Si nginx
apk info
apk search nginx
emerge --search nginx
emerge -pv nginx
equery list nginx
xbps-query -Rs nginx
snap list
flatpak list
flatpak search gimp
pkg info
port search nginx
winget search git
choco list
guix search hello
eselect news read
softwareupdate --list
scoop list
checkupdates
apt moo
"""
ASKED = r"""
apt install nginx
sudo apt-get update
apt-get -y install ./a.deb
apt remove nginx
apt-get autoremove --purge
dpkg -i a.deb
dpkg -r nginx
dnf install nginx
dnf remove nginx
yum localinstall a.rpm
rpm -ivh a.rpm
rpm -e nginx
zypper in nginx
zypper ar https://repo.example x
pacman -S nginx
pacman -Syu
pacman -Rns nginx
pacman -U a.pkg.tar.zst
yay -S nginx
apk add nginx
apk del nginx
emerge nginx
emerge --depclean
xbps-install -S nginx
snap install code
flatpak install gimp
flatpak remote-add x https://x.example
pkg install nginx
add-apt-repository ppa:a/b
port install nginx
winget install git
choco install git
scoop install git
softwareupdate -i -a
dnf copr enable a/b
"""
DENIED = r"""
rpm --eval '%(rm -rf ~)'
apt-get install -o Dpkg::Pre-Invoke='rm -rf /' x
"""


def test_line_is_judged(line: str, expected: str, verdict: Callable[[str], str]) -> None:
    """A line with a package manager gets the verdict of the policy."""
    assert expected == verdict(line)
