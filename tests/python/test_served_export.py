# SPDX-License-Identifier: MIT
"""The log of a server, exported in the format that experiments read."""

import json
import os
import pathlib
import random
import re
import signal
import sqlite3
import subprocess
import time
import unittest

import posse
from serving import ADS, PROGRAM, Server
from support import scratch

PAGES = {
    "name": "pages",
    "arms": 3,
    "context": 2,
    "prior": {"kind": "linear", "precision": 1, "noise": 1, "model": "disjoint"},
    "selector": {"kind": "bms", "floor": 0.3},
    "learners": ["linear-ucb", "linear-thompson"],
}


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

    def test_shadow_mode_is_why_there_is_no_log(self):
        c = self.server.client()
        c.post("/v1/posses", {**ADS, "propensity_draws": 50})
        self.assertEqual(c.post("/v1/posses/ads/modes", {"shadow": True})[0], 200)
        d = c.post("/v1/posses/ads/decide")[1]
        self.assertEqual(c.post("/v1/posses/ads/acted", {"token": d["token"], "arm": 1})[0], 200)
        c.post("/v1/posses/ads/learn", {"token": d["token"], "reward": 1})
        said = self.export("ads", "--log")
        self.assertEqual((said.returncode, said.stdout), (2, ""))
        self.assertIn("unknown in shadow mode", said.stderr)
        self.assertNotIn("propensity_draws", said.stderr)

    def figures(self, name):
        """Rewards and their sum: by the export, by the board, by /metrics (without a sum)."""
        c = self.server.client()
        said = self.export(name, "--log")
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        rewards = [float(row.split(",")[1]) for row in said.stdout.splitlines()[1:]]
        frame = json.loads(re.search(rb"^data: (.*)$", c.get(f"/v1/posses/{name}/events?frames=1")[1], re.M)[1])
        metrics = dict(re.findall(r"^posse_(\w+) (\S+)$", c.get("/metrics")[1].decode(), re.M))
        return (len(rewards), sum(rewards)), (frame["rewards"], frame["reward_sum"]), metrics

    def test_clicks_alone_give_a_log_of_all_decisions(self):
        c, dice = self.server.client(), random.Random(5)
        floored = {**ADS, "name": "floored", "selector": {"kind": "bms", "floor": 0.3}, "expire_after": 20, "expire_reward": 0}
        self.assertEqual(c.post("/v1/posses", floored)[0], 201)
        chosen, clicks = set(dice.sample(range(3000), 493)), []
        for first in range(0, 3000, 10):
            body = {"n": 10, "rewards": [{"token": t, "reward": 1} for t in clicks]}
            decisions = c.post("/v1/posses/floored/turn", body)[1]["decisions"]
            clicks = [d["token"] for i, d in enumerate(decisions, first) if i in chosen]
        c.post("/v1/posses/floored/learn", {"rewards": [{"token": t, "reward": 1} for t in clicks]})
        pending = c.get("/v1/posses/floored")[1]["pending"]
        export, board, metrics = self.figures("floored")
        self.assertEqual(export, (3000 - pending, 493))
        self.assertEqual(board, export)
        self.assertEqual(int(metrics["rewards_total"]), 3000 - pending)
        self.assertEqual(int(metrics["expired_total"]), 3000 - pending - 493)

    def test_estimates_make_a_log(self):
        c = self.server.client()
        for record in (False, True):
            name = f"estimated-{record}".lower()
            self.assertEqual(c.post("/v1/posses", {**ADS, "name": name, "propensity_draws": 50, "record": record})[0], 201)
            decisions = c.post(f"/v1/posses/{name}/decide", {"n": 30})[1]["decisions"]
            for d in decisions:
                c.post(f"/v1/posses/{name}/learn", {"token": d["token"], "reward": 1})
            said = self.export(name, "--log")
            self.assertEqual((said.returncode, said.stderr), (0, ""))
            rows = [[float(x) for x in row.split(",")] for row in said.stdout.splitlines()[1:]]
            self.assertEqual(rows, [[d["arm"], 1, d["propensity"]] for d in decisions])

    def test_rows_that_cannot_judge_a_rule_are_left_out(self):
        """Suggestions that a rule plays, arms that a unit keeps, and pauses. A kill in between changes nothing."""
        c, name = self.server.client(), "modal"
        self.assertEqual(c.post("/v1/posses", {**ADS, "name": name, "selector": {"kind": "bms", "floor": 0.3}})[0], 201)

        def made(**body):
            return c.post(f"/v1/posses/{name}/decide", body)[1]

        def tell(verb, d, **body):
            self.assertIn(c.post(f"/v1/posses/{name}/{verb}", {"token": d["token"], **body})[0], (200, 204), (verb, d))

        def set_modes(**modes):
            self.assertEqual(c.post(f"/v1/posses/{name}/modes", modes)[0], 200)

        set_modes(shadow=True)
        suggested = [made() for _ in range(6)]
        self.assertEqual({d.get("propensity") for d in suggested}, {None})
        for i, d in enumerate(suggested[:3]):
            tell("activate", d) if i == 0 else tell("acted", d, arm=(d["arm"] + (i == 1)) % 5)
        set_modes(shadow=False)
        shown, replaced = made(defer=True), made(defer=True)
        tell("activate", shown)
        self.server.stop(signal.SIGKILL)
        self.server = Server(self.folder)
        self.addCleanup(self.server.__exit__)
        c = self.server.client()
        tell("acted", replaced, arm=(replaced["arm"] + 1) % 5)
        for d in suggested[3:]:
            tell("acted", d, arm=d["arm"])
        free = made()
        set_modes(control=0, paused=True)
        paused = made()
        set_modes(paused=False, units=10, sticky_rounds=100)
        fresh, kept = made(unit="ann"), made(unit="ann")
        self.assertEqual((paused["mode"], kept["mode"]), ("paused", "kept"))
        for d in (*suggested, shown, replaced, free, paused, fresh, kept):
            tell("learn", d, reward=1)
        said = self.export(name, "--log")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertEqual(said.stderr, "posse export: 9 rewards are left out: they have no probability, or no other arm had one\n")
        rows = [[float(x) for x in row.split(",")] for row in said.stdout.splitlines()[1:]]
        self.assertEqual(rows, [[d["arm"], 1, d["propensity"]] for d in (shown, free, fresh)])
        with sqlite3.connect(self.server.database) as earlier:  # which wrote the probability of the suggestion
            earlier.execute("UPDATE log SET propensity = 0.5 WHERE kind = 'learn' AND propensity IS NULL")
        self.assertEqual(self.export(name, "--log").stdout, said.stdout)

    def test_every_decision_is_exported_with_its_context(self):
        c = self.server.client()
        c.post("/v1/posses", PAGES)
        for x in (0.25, 0.5):
            c.post("/v1/posses/pages/decide", {"n": 3, "context": {"shared": [1, x]}})
        rows = self.export("pages").stdout.splitlines()[1:]
        self.assertEqual([row.split(",", 7)[7] for row in rows], ['"{""shared"":[1,0.25]}",,'] * 3 + ['"{""shared"":[1,0.5]}",,'] * 3)

    def test_one_decision_expires_also_across_a_restart(self):
        c = self.server.client()
        floor = {"kind": "bms", "floor": 0.3}
        for name in ("short", "long"):
            body = {**ADS, "name": name, "selector": floor, "expire_seconds": 1 if name == "short" else 1000, "expire_reward": 0}
            self.assertEqual(c.post("/v1/posses", body)[0], 201)
            c.post(f"/v1/posses/{name}/decide")
        self.wait_for_marks(2)
        self.server.stop()
        time.sleep(1)  # it grows old while nobody serves it
        self.server = Server(self.folder)
        self.addCleanup(self.server.__exit__)
        c = self.server.client()
        while c.get("/v1/posses/short")[1]["pending"] > 0:
            time.sleep(0.1)
        self.assertEqual(self.figures("short")[:2], ((1, 0), (1, 0)))
        self.assertEqual(c.get("/v1/posses/long")[1]["pending"], 1)
        self.assertEqual(int(self.figures("short")[2]["expired_total"]), 1)

    def wait_for_marks(self, count):
        """Until the times of `count` posses are on disk."""
        with sqlite3.connect(self.server.database) as connection:
            while connection.execute("SELECT count(DISTINCT posse) FROM clock").fetchone()[0] < count:
                time.sleep(0.1)

    def test_a_database_of_the_first_format_is_served_and_exported(self):
        folder = self.folder / "old"
        folder.mkdir()
        dump = pathlib.Path(os.environ["POSSE_SOURCE"]) / "tests" / "saved" / "database-format-1.sql"
        with sqlite3.connect(folder / "posse.db") as connection:  # of 0.2.0, killed
            connection.executescript(dump.read_text())
        command = [PROGRAM, "export", "contexts", "--log", "--database", folder / "posse.db"]
        before = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual((before.returncode, len(before.stdout.splitlines())), (0, 6))
        with Server(folder) as server:
            c = server.client()
            pending = {name: c.get(f"/v1/posses/{name}")[1]["pending"] for name in ("plain", "estimated", "contexts")}
            self.assertEqual(pending, {"plain": 31, "estimated": 15, "contexts": 15})
            self.assertIn(c.get("/v1/posses/timed")[1]["pending"], (4, 0))
            for name, token in (("plain", "FAAAAA-Kb2UAAAAAwszwd3vv"), ("contexts", "FAAAAA-Kb2UAAAAAfVBl47tS")):
                self.assertEqual(c.post(f"/v1/posses/{name}/learn", {"token": token, "reward": 1})[0], 200)
            while c.get("/v1/posses/timed")[1]["pending"] > 0:
                time.sleep(0.1)
            self.assertEqual(server.stop(), 0)
        after = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(after.stdout.splitlines()[:6], before.stdout.splitlines())
        self.assertEqual(len(after.stdout.splitlines()), 7)

    def test_a_posse_that_is_not_there_writes_nothing(self):
        for options in ((), ("--log",)):
            said = self.export("nobody", *options)
            self.assertEqual((said.returncode, said.stdout), (2, ""))
            self.assertIn("nobody", said.stderr)
        self.server.client().post("/v1/posses", ADS)  # a posse without events has a heading only
        said = self.export("ads")
        self.assertEqual((said.returncode, said.stdout), (0, "at,kind,decision,learner,arm,propensity,reward,body,mode,unit\n"))


if __name__ == "__main__":
    unittest.main()
