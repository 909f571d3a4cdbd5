# SPDX-License-Identifier: MIT
"""How long tests wait. They wait for a condition, however slow the machine is. Only a test that hangs takes this long."""

import pathlib
import time

PATIENCE = 1800  # seconds


def until(look, pause=0.02):
    """Waits until look() is true."""
    end = time.monotonic() + PATIENCE
    while not look():
        if time.monotonic() > end:
            raise TimeoutError("it does not happen")
        time.sleep(pause)


def processor_time(process):
    """Seconds that a process has run on processors, over all its threads."""
    threads = pathlib.Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9
