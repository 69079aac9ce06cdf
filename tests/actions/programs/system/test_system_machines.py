"""Virtual machines on this machine."""

from __future__ import annotations

from collections.abc import Callable

PASSES = r"""
chroot /mnt/root ls
virsh list --all
virsh dominfo vm1
VBoxManage list vms
qm list
qm config 100
pct status 100
pveversion
lxc-ls
qemu-img create -f qcow2 d.qcow2 10G
qemu-img convert a.raw a.qcow2
qemu-system-x86_64 -m 512 d.qcow2
quickemu --vm x.conf
virt-what
pvecm status
xl list
"""
ASKED = r"""
virsh start vm1
virsh destroy vm1
virsh undefine vm1
VBoxManage startvm x
VBoxManage unregistervm x --delete
qm start 100
qm stop 100
qm destroy 100
pct destroy 100
lxc-destroy x
virt-install --name x
pvecm delnode n1
"""
DENIED = r"""
proot rm -rf ~
virsh snapshot-delete vm1 s1
qm delsnapshot 100 s1
VBoxManage snapshot x delete s1
"""


def test_line_is_judged(line: str, expected: str, verdict: Callable[[str], str]) -> None:
    """A line about virtual machines gets the verdict of the policy."""
    assert expected == verdict(line)
