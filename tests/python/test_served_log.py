# SPDX-License-Identifier: MIT
"""What the log of `posse serve` keeps: retention by size, erasure of contexts, with kills in between, and exports."""

import random
import signal
import sqlite3
import subprocess
import unittest

import posse
import serving
from patience import PATIENCE, until
from support import PROGRAM, scratch

VISITS = {
    "arms": 3,
    "context": 2,
    "prior": "linear",
    "learners": ["linear-ucb", "linear-thompson"],
    "selector": {"kind": "bms-plus", "floor": 0.2},
}


def rows(folder, question):
    with sqlite3.connect(f"file:{folder / 'posse.db'}?mode=ro", uri=True, timeout=PATIENCE) as database:
        return database.execute(question).fetchone()[0]


def export(folder, name, *options):
    command = [PROGRAM, "export", name, "--database", folder / "posse.db", *options]
    return subprocess.run(command, capture_output=True, text=True)


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
        until(lambda: rows(self.folder, "SELECT trimmed FROM about") > 10000)
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
        until(lambda: rows(self.folder, "SELECT count(*) FROM erasing") == 0)
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

    def left_of(self, *texts):
        """Which of these the files of the database have somewhere, free pages included."""
        files = [path.read_bytes() for path in self.folder.glob("posse.db*")]
        return [text for text in texts if any(text.encode() in data for data in files)]

    def visited(self):
        """Two visitors come again and again, and big snapshots with other contexts are written in between."""
        far = posse.connect(self.start() + "visits", create=VISITS)
        far.set_modes(units=1000, sticky_rounds=50)
        for visit in range(40):
            for unit, feature in (("ann@home", 0.7654321098), ("bob@home", 0.1234567891)):
                far.learn(far.decide([1.0, feature], unit=unit), 1.0)
            far.learn_many([(d, 0.5) for d in far.decide_many(20, [1.0, visit / 40])])
            if visit % 10 == 9:
                far.set_modes(sticky_rounds=50 + visit)
        return far

    def check_erased(self):
        self.assertEqual(self.left_of("ann@home", "0.7654321098"), [])
        self.assertEqual(self.left_of("bob@home", "0.1234567891"), ["bob@home", "0.1234567891"])
        self.assertEqual(rows(self.folder, "SELECT count(*) FROM log WHERE kind = 'learn'"), 880)
        kept = rows(self.folder, "SELECT count(*) FROM log WHERE kind = 'learn' AND mode = 'kept'") // 2  # of each
        said = export(self.folder, "visits", "--log")
        self.assertIn(f"{2 * kept} rewards are left out: they have no probability, or no other arm had one", said.stderr)
        self.assertIn(f"{40 - kept} rewards are left out: their features were erased", said.stderr)
        features = [float(line.split(",")[-1]) for line in said.stdout.splitlines()[1:]]
        self.assertEqual(len(features), 840 - kept)
        self.assertEqual(features.count(0.1234567891), 40 - kept)

    def test_one_unit_is_erased_by_a_request(self):
        far = self.visited()
        client = self.server.client()
        self.assertEqual(client.post("/v1/posses/visits/erase", {"unit": "ann@home"})[0], 400)
        for wrong in ({"unit": 3}, {"unit": ""}, {"unit": "a" * 257}, {"name": "ann@home"}):
            self.assertEqual(client.post("/v1/posses/visits/erase?confirm=visits", wrong)[0], 400, wrong)
        self.assertTrue(far.forget_unit("ann@home"))
        far.close()
        self.server.stop(signal.SIGKILL)
        far = posse.connect(self.start() + "visits")
        until(lambda: rows(self.folder, "SELECT count(*) FROM erasing") == 0)
        until(lambda: self.left_of("ann@home", "0.7654321098") == [])  # the files follow the commit
        self.assertFalse(far.forget_unit("ann@home"))
        until(lambda: rows(self.folder, "SELECT count(*) FROM erasing") == 0)
        far.close()
        self.server.stop()
        self.check_erased()

    def test_one_unit_is_erased_by_a_command(self):
        self.visited().close()

        def erase(*words):
            command = [PROGRAM, "erase", *words, "--database", self.folder / "posse.db"]
            return subprocess.run(command, capture_output=True, text=True)

        self.assertIn("another process is serving it", erase("visits", "--unit", "ann@home").stderr)
        self.server.stop()
        for words in (("visits",), ("visits", "--unit", "ann@home", "--all"), ("none", "--all"), ("visits", "--unit", "")):
            self.assertEqual(erase(*words).returncode, 2, words)
        said = erase("visits", "--unit", "ann@home")
        self.assertEqual((said.returncode, said.stdout, said.stderr), (0, "", ""))
        self.check_erased()
        self.assertIn("did not remember this unit", erase("visits", "--unit", "nobody").stdout)
        self.assertEqual(erase("visits", "--all").returncode, 0)
        self.assertEqual(self.left_of("bob@home", "0.1234567891"), [])
        posse.connect(self.start() + "visits").decide([1.0, 0.5], unit="ann@home")

    def test_a_deleted_posse_leaves_no_contexts(self):
        url = self.start()
        far = posse.connect(url + "visits", create=VISITS)
        far.decide_many(3, [1.0, 0.5])
        far.decide([1.0, 0.5], unit="ann@home")
        far.delete()
        far.close()
        until(lambda: rows(self.folder, "SELECT count(*) FROM erasing") == 0)
        self.assertEqual(rows(self.folder, "SELECT count(body) + count(unit) FROM log"), 0)

    def test_databases_of_format_2_are_converted(self):
        posse.connect(self.start() + "visits", create=VISITS).close()
        self.server.stop()
        with sqlite3.connect(self.folder / "posse.db") as database:
            older = "".join(f"ALTER TABLE log DROP COLUMN {name};" for name in ("mode", "unit", "now", "deferred"))
            older += "ALTER TABLE about DROP COLUMN trimmed; DROP TABLE erasing; DROP TABLE erasing_decision;"
            older += "DROP TABLE history; DROP TABLE event; DROP TABLE large; DROP TABLE state;"
            older += "ALTER TABLE mark DROP COLUMN rewards; ALTER TABLE mark DROP COLUMN reward_sum;"
            database.executescript(older + "UPDATE about SET format = 2")
        said = export(self.folder, "visits")
        self.assertEqual(said.returncode, 0, said.stderr)
        posse.connect(self.start() + "visits", create=VISITS).close()
        self.assertEqual(rows(self.folder, "SELECT format FROM about"), 8)
        self.assertEqual(rows(self.folder, "SELECT trimmed FROM about"), 0)


if __name__ == "__main__":
    unittest.main()
