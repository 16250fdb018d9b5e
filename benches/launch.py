"""Runs one command with its output thrown away; prints its exit status, seconds, seconds of CPU and peak bytes.

It is a program of its own, with next to nothing imported, because the kernel counts what was in memory before the
command replaced it as the command's own peak.
"""

import os
import sys
import time

ROUNDS_TO_WARM_UP = 3


def run(command):
    """Starts a program and waits for it: seconds, exit status, what the kernel says of it."""
    start = time.perf_counter()
    child = os.posix_spawnp(command[0], command, os.environ, file_actions=quiet)
    _, status, usage = os.wait4(child, 0)
    return time.perf_counter() - start, status, usage


quiet = [(os.POSIX_SPAWN_OPEN, number, "/dev/null", os.O_RDWR, 0) for number in (0, 1)]
# The first program that this one starts takes twice as long to start as the next, whatever it is.
for _ in range(ROUNDS_TO_WARM_UP):
    run(["true"])
wall, status, usage = run(sys.argv[1:])
print(os.waitstatus_to_exitcode(status), wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)
