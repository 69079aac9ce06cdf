"""Text tools: reading, searching, sorting, editing."""

from __future__ import annotations

from collections.abc import Callable

PASSES = r"""
cat README.md
head -n 20 src/a.py
wc -l src/*.py
sort -u names.txt -o names.txt
sort -k2 -n data.tsv | uniq -c
grep -rn 'rm -rf /' src
grep -e TODO -r .
rg --files -g '*.py'
sed -i 's/a/b/' src/a.py
sed -n '1,5p' README.md
awk -F, '{print $2}' data.csv
awk '{s+=$1} END {print s}' nums.txt
split -l 100 big.csv part_
ls -la ~/.ssh
stat ~/.aws/credentials
find src -type f -exec wc -l {} +
jq '.items[]' data.json
yq -i '.a = 1' config.yaml
diff a.txt b.txt
patch -p1 < fix.diff
xxd -r dump.hex out.bin
base64 -d blob.b64 > blob.bin
echo '2+2' | bc
dos2unix src/a.txt
tee out.log < in.log
locate stdio.h
iconv -f latin1 -t utf-8 a.txt -o b.txt
"""
ASKED = r"""
sed -f clean.sed notes.txt
sort --compress-program ./pack big.txt
find . -delete
cat .env
awk '{print > "/etc/motd"}' x
sed -i 's/x/y/' ~/notes.txt
sort a.txt -o /etc/hosts
split -b1M big.bin /opt/part
tee /etc/motd
"""
DENIED = r"""
m4 <<< 'syscmd(rm -rf ~)'
find /var/www -name '*.php' -delete
cat ~/.ssh/id_rsa
cat ~/.ssh/*
grep -r '' ~/.ssh
grep -rn AWS ~/.aws
strings ~/.gnupg/secring.gpg
rg --pre 'rm -rf ~' x src
split --filter 'rm -rf /' big.txt
awk 'BEGIN{system("rm -rf /")}'
sed 's/x/rm -rf ~/e' a.txt
echo '!rm -rf /' | bc
find / -name '*' -delete
patch -p0 -d / -i fix.diff
"""


def test_line_is_judged(line: str, expected: str, verdict: Callable[[str], str]) -> None:
    """A line with a text tool gets the verdict of the policy."""
    assert expected == verdict(line)
