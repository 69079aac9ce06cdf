"""Ending, tracing and watching processes."""

from __future__ import annotations

from collections.abc import Callable

PASSES = r"""
ps aux
pgrep -fl node
top -bn1
kill 4242
kill -9 4242
kill -TERM 12 13
kill %1
kill -l
kill -0 4242
kill $(cat tmp/web.pid)
kill -TERM "$(< run/app.pid)"
killall -l
pstree -p
lsof -i :3000
fuser 3000/tcp
renice -n 5 -p 4242
strace -o out.txt ls
gdb ./app
htop
tmux new -d 'npm run dev'
pidof nginx
nice -n 10 make
coredumpctl list
"""
ASKED = r"""
pkill -f node
killall node
pkill -9 python
fuser -k 3000/tcp
gdb -p 4242
xkill
skill -KILL bob
kill -9 $(lsof -ti :5432)
kill $(cat /run/sshd.pid)
kill $(cat pids.txt)
tmux new -d 'sudo make install'
pgrep node | xargs kill
"""
DENIED = r"""
bpftrace --unsafe -e 'BEGIN { system("rm -rf /") }'
kill -9 -1
killall5
pkill -f .
gdb -batch -ex 'shell rm -rf /'
kill -KILL -1
"""


def test_line_is_judged(line: str, expected: str, verdict: Callable[[str], str]) -> None:
    """A line about processes gets the verdict of the policy."""
    assert expected == verdict(line)
