"""A wall clock that can be set for one home, while nobody else's moves and no timer is touched.

A few lines of C stand before the C library in the processes of a stage and add what a file says
to the wall clock; monotonic clocks stay as they are, as when somebody sets the time.

    clock = Clock(stage.folder)
    with stage.served(more=clock.environment): clock.jump(3_600)
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

SOURCE = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static long shift(void) {
    char text[32] = {0};
    const char *path = getenv("FAULTS_CLOCK");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return 0;
    if (read(file, text, sizeof text - 1) < 0) text[0] = 0;
    close(file);
    return atol(text);
}
int clock_gettime(clockid_t id, struct timespec *now) {
    long failed = syscall(SYS_clock_gettime, id, now);
    if (!failed && id == CLOCK_REALTIME) now->tv_sec += shift();
    return failed;
}
int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return 0;
}
time_t time(time_t *kept) {
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    if (kept) *kept = exact.tv_sec;
    return exact.tv_sec;
}
"""


class Clock:
    """The wall clock of one home."""

    def __init__(self, folder: Path) -> None:
        self._said = folder / "clock"
        self._said.write_text("0", encoding="ascii")
        self._library = folder / "clock.so"
        words = ["cc", "-shared", "-fPIC", "-O1", "-o", str(self._library), "-x", "c", "-"]
        subprocess.run(words, input=SOURCE.encode(), check=True, capture_output=True)

    @property
    def environment(self) -> Mapping[str, str]:
        """What makes a process read this clock."""
        return {"LD_PRELOAD": str(self._library), "FAULTS_CLOCK": str(self._said)}

    def jump(self, seconds: int) -> None:
        """Set the clock to so many seconds after the true time."""
        aside = self._said.with_suffix(".new")
        aside.write_text(str(seconds), encoding="ascii")
        aside.replace(self._said)

    def difference(self) -> int:
        """Return by how many seconds a process sees it off, to be sure that it does."""
        code = "import time; print(int(time.time()))"
        words = [sys.executable, "-I", "-c", code]
        mine = subprocess.run(words, capture_output=True, check=True, text=True)
        theirs = subprocess.run(
            words, capture_output=True, check=True, text=True, env=dict(self.environment)
        )
        return int(theirs.stdout) - int(mine.stdout)
