# SPDX-License-Identifier: MIT
"""A running experiment: Ctrl-C and progress."""

import os
import pty
import signal
import subprocess
import sys
import time
import unittest

import posse
from patience import PATIENCE, processor_time, until
from support import PACKAGE, lengthy, small, start_python

ENVIRONMENT = dict(os.environ, PYTHONPATH=os.pathsep.join([str(PACKAGE.parent), os.path.dirname(__file__)]))

STOPPED = """
import time
import posse
from support import lengthy, small
{before}
try:
    print("ready", flush=True)
    posse.run(lengthy({changes}), threads={threads})
except KeyboardInterrupt:
    print(time.process_time(), posse.run(small(), threads=2).hash)
"""

SLOW_LEARNER = """
class Slow(posse.Learner):
    def act(self, draw):
        return 0
    def learn(self, arm, reward):
        pass
"""


class Running(unittest.TestCase):
    def interrupted(self, **script):
        """The processor time until it stopped, the hash of a run afterwards, and its standard error."""
        code = STOPPED.format(**{"before": "", "changes": "", "threads": 2, **script})
        pipe = subprocess.PIPE
        child = subprocess.Popen([sys.executable, "-c", code], stdout=pipe, stderr=pipe, text=True, env=ENVIRONMENT)
        self.assertEqual(child.stdout.readline(), "ready\n")
        time.sleep(0.5)
        sent = processor_time(child.pid)
        child.send_signal(signal.SIGINT)
        try:
            out, errors = child.communicate(timeout=PATIENCE)
        finally:
            child.kill()
        stopped, after = out.split()
        return float(stopped) - sent, after, errors

    def test_ctrl_c_is_a_keyboard_interrupt_soon(self):
        for script in ({}, {"threads": 1}, {"before": SLOW_LEARNER, "changes": "learners=[Slow()]"}):
            with self.subTest(**script):
                took, after, errors = self.interrupted(**script)
                self.assertLess(took, 10)  # seconds of processors; the experiment takes minutes
                self.assertEqual(after, posse.run(small()).hash)
                self.assertEqual(errors, "")

    def test_the_handler_of_the_host_is_left_in_place(self):
        seen = []
        before = signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
        try:
            posse.run(small())
            signal.raise_signal(signal.SIGINT)
        finally:
            signal.signal(signal.SIGINT, before)
        self.assertEqual(seen, [signal.SIGINT])

    def test_progress_is_quiet_in_a_pipe(self):
        child = start_python(BAR)
        out, errors = child.communicate(timeout=PATIENCE)
        self.assertEqual((child.returncode, out, errors), (0, "done\n", ""))

    def test_progress_shows_in_a_terminal_and_clears_up(self):
        leader, follower = pty.openpty()
        child = subprocess.Popen(
            [sys.executable, "-c", BAR], stdout=subprocess.DEVNULL, stderr=follower, env=ENVIRONMENT
        )
        os.close(follower)
        shown = b""
        while True:
            try:
                part = os.read(leader, 4096)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            shown += part
        os.close(leader)
        self.assertEqual(child.wait(), 0)
        self.assertIn(b"%", shown)

    def test_a_temporary_folder_that_does_not_exist_is_named(self):
        before = os.environ.get("TMPDIR")
        os.environ["TMPDIR"] = "/nowhere/at/all"
        try:
            with self.assertRaises(posse.RunError) as caught:
                posse.run(small())
        finally:
            del os.environ["TMPDIR"]
            if before is not None:
                os.environ["TMPDIR"] = before
        self.assertEqual(
            str(caught.exception),
            "the runs cannot be kept in /nowhere/at/all (the folder that TMPDIR names, or /tmp): No such file or directory",
        )
        self.assertIsInstance(caught.exception, posse.Error)

    def test_progress_tells_a_function(self):
        told = []
        posse.run(small(rounds=20_000, runs=40), progress=lambda played, total: told.append((played, total)))
        self.assertTrue(told)
        self.assertEqual(told, sorted(told))
        self.assertEqual(len({total for _, total in told}), 1)
        self.assertLessEqual(told[-1][0], told[-1][1])


BAR = f"import posse\nposse.run({small(rounds=20_000, runs=100)!r}, progress=True)\nprint('done')\n"

if __name__ == "__main__":
    unittest.main()
