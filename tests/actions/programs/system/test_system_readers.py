"""Readers keep their file whatever options stand before it."""

from __future__ import annotations

from collections.abc import Callable

PASSES = r"""
sudo dmidecode -t bios
man ls
less +G README.md
man -k printf
cut -d: -f1 data.txt
head -n 5 README.md
tail -f app.log
cat -n README.md
nl -b a README.md
paste -d, a.txt b.txt
bat -l python src/a.py
diff -U 3 a.txt b.txt
strings -n 8 bin/a
wc -c README.md
fold -w 80 README.md
less -N README.md
od -A x README.md
column -t -s, data.csv
du -sh --max-depth 1 .
"""
ASKED = r"""
sudo dmidecode --dump-bin /etc/cron.d/x
cat -A .env
tail -f .env
"""
DENIED = r"""
less +'!rm -rf /' README.md
man -P 'sh -c "rm -rf ~"' ls
cat -n ~/.ssh/id_rsa
cat -A ~/.aws/credentials
tail -f ~/.ssh/id_rsa
tail -n +1 ~/.ssh/id_rsa
less -N ~/.ssh/id_rsa
wc -c ~/.ssh/id_rsa
column -t ~/.ssh/id_rsa
pr -t ~/.ssh/id_rsa
base64 -w0 ~/.ssh/id_rsa
cut -c1- ~/.ssh/id_rsa
cat -- ~/.ssh/id_rsa
sort -u ~/.ssh/id_rsa
xxd -p ~/.ssh/id_rsa
head -c 100 ~/.ssh/id_rsa
rev ~/.ssh/id_rsa
"""


def test_line_is_judged(line: str, expected: str, verdict: Callable[[str], str]) -> None:
    """A line that reads gets the verdict of the policy."""
    assert expected == verdict(line)
