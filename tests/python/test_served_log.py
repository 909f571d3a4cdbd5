# SPDX-License-Identifier: MIT
"""What the log of `posse serve` keeps: retention by size, erasure of contexts, with kills in between, and exports."""

import random
import signal
import sqlite3
import subprocess
import time
import unittest

import posse
import serving
from support import PROGRAM, scratch

VISITS = {
    "arms": 3,
    "context": 2,
    "prior": "linear",
    "learners": ["linear-ucb", "linear-thompson"],
    "selector": {"kind": "bms-plus", "floor": 0.2},
}


def rows(folder, question):
    with sqlite3.connect(f"file:{folder / 'posse.db'}?mode=ro", uri=True, timeout=20) as database:
        return database.execute(question).fetchone()[0]


def until(holds, seconds=60):
    """Waits until something holds, for a server that works in the background."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def export(folder, name, *options):
    command = [PROGRAM, "export", name, "--database", folder / "posse.db", *options]
    return subprocess.run(command, capture_output=True, text=True)


@unittest.skipUnless(serving.can_serve(), "the program was built without the server")
class Log(unittest.TestCase):
    def setUp(self):
        self.folder = scratch(self)

    def start(self, *options):
        self.server = serving.Server(self.folder, *options)
        self.addCleanup(self.server.stop)
        return f"http://127.0.0.1:{self.server.port}/"

    def test_a_log_that_is_trimmed_under_kills_recovers(self):
        """A twin in this process makes the same decisions all along, and no reward that was answered is lost."""
        options = ("--log-size", "1")
        url, twin = self.start(*options), posse.Posse(**VISITS)
        far, numbers = posse.connect(url + "visits", create=VISITS), random.Random(1)
        for turn in range(120):
            context = [1.0, numbers.random()]
            made = far.decide_many(500, context)
            own = [twin.decide(context) for _ in made]
            self.assertEqual([(d.arm, d.learner) for d in made], [(d.arm, d.learner) for d in own])
            for d in own:
                twin.learn(d, 0.5)
            far.learn_many([(d, 0.5) for d in made])
            if turn % 30 == 29:
                far.close()
                self.server.stop(signal.SIGKILL)
                far = posse.connect(self.start(*options) + "visits")
        self.assertEqual(list(far.plays), list(twin.plays))
        self.assertTrue(until(lambda: rows(self.folder, "SELECT trimmed FROM about") > 10000))
        self.assertGreater(rows(self.folder, "SELECT min(lsn) FROM log"), 10000)
        far.close()
        self.server.stop()
        said = export(self.folder, "visits", "--log")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("the log begins at ", said.stderr)
        lines = said.stdout.splitlines()
        self.assertEqual(lines[0], "arm,reward,probability,x1,x2")
        self.assertTrue(all(line.count(",") == 4 for line in lines))

    def test_erased_contexts_are_gone_from_log_and_file(self):
        url = self.start()
        far = posse.connect(url + "visits", create=VISITS)
        far.learn_many([(d, 1.0) for d in far.decide_many(10, [1.0, 0.7654321098])])
        pending = far.decide([1.0, 0.7654321098])
        client = self.server.client()
        status, answer = client.post("/v1/posses/visits/erase")
        self.assertEqual((status, "confirm=visits" in answer["error"]), (400, True))
        self.assertEqual(client.post("/v1/posses/visits/erase?confirm=visits"), (200, {"erasing": "visits"}))
        far.close()
        self.server.stop(signal.SIGKILL)
        far = posse.connect(self.start() + "visits")
        self.assertTrue(until(lambda: rows(self.folder, "SELECT count(*) FROM erasing") == 0))
        self.assertEqual(rows(self.folder, "SELECT count(body) FROM log WHERE kind = 'decide'"), 0)
        self.assertEqual(rows(self.folder, "SELECT count(*) FROM log WHERE kind = 'learn'"), 10)
        far.learn(pending.token, 1.0)
        far.learn(far.decide([1.0, 0.25]), 1.0)
        far.close()
        self.server.stop()
        for path in self.folder.glob("posse.db*"):
            self.assertNotIn(b"0.7654321098", path.read_bytes(), path)
        said = export(self.folder, "visits", "--log")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("11 rewards are left out: their features were erased", said.stderr)
        self.assertEqual(len(said.stdout.splitlines()), 2)

    def test_a_deleted_posse_leaves_no_contexts(self):
        url = self.start()
        far = posse.connect(url + "visits", create=VISITS)
        far.decide_many(3, [1.0, 0.5])
        far.delete()
        far.close()
        self.assertTrue(until(lambda: rows(self.folder, "SELECT count(*) FROM erasing") == 0))
        self.assertEqual(rows(self.folder, "SELECT count(body) FROM log"), 0)

    def test_databases_of_format_2_are_converted(self):
        posse.connect(self.start() + "visits", create=VISITS).close()
        self.server.stop()
        with sqlite3.connect(self.folder / "posse.db") as database:
            older = "".join(f"ALTER TABLE log DROP COLUMN {name};" for name in ("mode", "unit", "now", "deferred"))
            older += "ALTER TABLE about DROP COLUMN trimmed; DROP TABLE erasing; DROP TABLE history;"
            older += "ALTER TABLE mark DROP COLUMN rewards; ALTER TABLE mark DROP COLUMN reward_sum;"
            database.executescript(older + "UPDATE about SET format = 2")
        said = export(self.folder, "visits")
        self.assertEqual(said.returncode, 0, said.stderr)
        posse.connect(self.start() + "visits", create=VISITS).close()
        self.assertEqual(rows(self.folder, "SELECT format FROM about"), 5)
        self.assertEqual(rows(self.folder, "SELECT trimmed FROM about"), 0)


if __name__ == "__main__":
    unittest.main()
