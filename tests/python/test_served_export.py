# SPDX-License-Identifier: MIT
"""The log of a server, exported in the format that experiments read."""

import random
import subprocess
import unittest

import posse
from serving import ADS, PROGRAM, Server, can_serve
from support import scratch

PAGES = {
    "name": "pages",
    "arms": 3,
    "context": 2,
    "prior": {"kind": "linear", "precision": 1, "noise": 1, "model": "disjoint"},
    "selector": {"kind": "bms", "floor": 0.3},
    "learners": ["linear-ucb", "linear-thompson"],
}


@unittest.skipUnless(can_serve(), "built without the server")
class Export(unittest.TestCase):
    def setUp(self):
        self.folder = scratch(self)
        self.server = Server(self.folder)
        self.addCleanup(self.server.__exit__)

    def export(self, name, *options):
        command = [PROGRAM, "export", name, "--database", self.server.database, *options]
        return subprocess.run(command, capture_output=True, text=True)

    def test_a_log_is_read_by_experiments(self):
        c, dice = self.server.client(), random.Random(2)
        self.assertEqual(c.post("/v1/posses", PAGES)[0], 201)
        shown = []
        for _ in range(400):
            shared = [1, dice.random()]
            d = c.post("/v1/posses/pages/decide", {"context": {"shared": shared}})[1]
            shown.append((d, shared, round(dice.gauss(d["arm"] * shared[1], 0.5), 3)))
        dice.shuffle(shown)
        for d, _, reward in shown:
            c.post("/v1/posses/pages/learn", {"token": d["token"], "reward": reward})
        said = self.export("pages", "--log")
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        heading, *rows = said.stdout.splitlines()
        self.assertEqual(heading, "arm,reward,probability,x1,x2")
        expected = [[d["arm"], reward, d["propensity"], *shared] for d, shared, reward in shown]
        self.assertEqual([[float(x) for x in row.split(",")] for row in rows], expected)
        file = self.folder / "log.csv"
        file.write_text(said.stdout)
        results = posse.run(
            {
                "name": "again",
                "runs": 2,
                "rounds": 400,
                "seed": 1,
                "environment": {"kind": "log", "file": str(file), "arm": "arm", "reward": "reward", "probability": "probability", "features": "x*", "estimate": "snips"},
                "selectors": [{"kind": "bms", "name": "B-MS", "belief": {"kind": "linear", "precision": 1, "noise": 1}}],
                "learners": [{"kind": "linear-ucb", "name": "seeing"}, {"kind": "ucb", "name": "blind"}],
            }
        )
        self.assertTrue(results)

    def test_what_cannot_be_a_log_is_refused(self):
        c = self.server.client()
        c.post("/v1/posses", ADS)
        d = c.post("/v1/posses/ads/decide")[1]
        c.post("/v1/posses/ads/learn", {"token": d["token"], "reward": 1})
        said = self.export("ads", "--log")
        self.assertEqual((said.returncode, said.stdout), (2, ""))
        self.assertIn("propensity_draws", said.stderr)
        self.assertEqual(self.export("ads").returncode, 0)

    def test_a_posse_that_is_not_there_writes_nothing(self):
        for options in ((), ("--log",)):
            said = self.export("nobody", *options)
            self.assertEqual((said.returncode, said.stdout), (2, ""))
            self.assertIn("nobody", said.stderr)
        self.server.client().post("/v1/posses", ADS)  # a posse without events has a heading only
        said = self.export("ads")
        self.assertEqual((said.returncode, said.stdout), (0, "at,kind,decision,learner,arm,propensity,reward,body\n"))


if __name__ == "__main__":
    unittest.main()
