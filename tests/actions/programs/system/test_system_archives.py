"""Archives and compression."""

from __future__ import annotations

from collections.abc import Callable

PASSES = r"""
tar czf out.tgz src
tar -xzf vendor.tar.gz -C third_party
tar tf bundle.tar
tar --list --file bundle.tar
tar xf a.tar --strip-components=1
tar -I zstd -cf a.tar.zst src
tar xJf /tmp/a.tar.xz -C /tmp/out
tar --delete -f a.tar docs/old.md
tar --help
zip -r site.zip public
zip -d site.zip public/old.html
unzip -o site.zip -d public
unzip -l site.zip
7z a site.7z public
7z x site.7z -oout
7z l site.7z
gzip -k data.csv
gunzip data.csv.gz
xz -dc log.xz
zstd --ultra -22 big.bin
unrar x parts.rar out/
cpio -it
ar rcs libx.a x.o
ar t libx.a
mksquashfs rootfs image.sqsh
unsquashfs -l image.sqsh
"""
ASKED = r"""
zip a.zip a.txt -T -TT 'sh #'
cpio -o --rsh-command /bin/sh -F host:x
tar xf a.tar -C /opt/tool
tar -xPf a.tar
tar xzf site.tgz -C ~
tar xf a.tar --to-command='python3 -'
tar cf all.tar src --remove-files
zip -rm src.zip src
unzip -: weird.zip
unzip site.zip -d /srv/www
tar cf backup@host:/data/a.tar src
tar czf - ~/notes | ssh me@host.example 'cat > n.tgz'
"""
DENIED = r"""
tar cf /dev/null x --checkpoint=1 --checkpoint-action=exec='rm -rf ~'
tar xf a.tar --use-compress-program='sh -c "rm -rf /"'
tar czf keys.tgz ~/.ssh
tar xzf rootfs.tgz -C /
unzip -o etc.zip -d /etc
zip x.zip f -T --unzip-command 'rm -rf ~ #'
zip -r k.zip ~/.gnupg
cpio -i -D / --rsh-command='rm -rf /'
tar cf - . --remove-files -C ~/.aws
"""


def test_line_is_judged(line: str, expected: str, verdict: Callable[[str], str]) -> None:
    """A line with an archive gets the verdict of the policy."""
    assert expected == verdict(line)
