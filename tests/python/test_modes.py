# SPDX-License-Identifier: MIT
"""The modes of a posse: the same in Python, over HTTP and in Redis, with kills in between, and in the log."""

import csv
import io
import json
import pickle
import random
import re
import signal
import subprocess
import time
import unittest

import posse
import redising
import serving
from patience import until
from support import scratch

CLICKS = {
    "arms": ["old", "blue", "green", "red"],
    "prior": "beta",
    "learners": ["ucb", "thompson", "epsilon-greedy"],
    "selector": {"kind": "bms-plus", "floor": 0.2},
    "seed": 7,
}
FEATURES = {
    "arms": 3,
    "context": 2,
    "prior": "linear",
    "learners": ["linear-ucb", "linear-thompson"],
    "propensity_draws": 10,
}
NAMED = {
    "arms": ["red", "blue", "green"],
    "dim": 16,
    "features": {},
    "prior": "linear",
    "learners": ["linear-ucb", "linear-thompson"],
}
RATES = [0.1, 0.2, 0.5, 0.3]
MODES = [
    {"control": 0, "holdback": 0.3, "units": 6, "sticky_rounds": 9},
    {"paused": True, "holdback": 0},
    {"paused": False, "control": None, "shadow": True, "units": 5, "sticky_rounds": 0},
    {"shadow": False, "control": 1, "holdback": 0.1, "units": 0},
]


def seen(d):
    return d.arm, d.learner, d.mode, d.propensity


class Three:
    """The same posse in this process, on a server and in Redis."""

    def __init__(self, case, definition):
        self.case, self.random = case, random.Random(3)
        self.near, self.folder = posse.Posse(**definition), scratch(case)
        self.features = "context" in definition
        self.start(definition)

    def start(self, create=None):
        self.http = serving.Server(self.folder, "--metrics-of", "it")
        self.redis = redising.Server(self.folder / "redis", **redising.DURABLE)
        urls = (f"http://127.0.0.1:{self.http.port}/it", f"redis://127.0.0.1:{self.redis.port}/it")
        self.all = [self.near, *(posse.connect(url, create=create) for url in urls)]

    def stop(self):
        for one in self.all[1:]:
            one.close()
        self.http.stop(signal.SIGKILL)
        self.redis.stop(signal.SIGKILL)

    def same(self, what):
        first, *others = [what(one) for one in self.all]
        for other in others:
            self.case.assertEqual(first, other)
        return first

    def step(self, n):
        units = ["ann", "bob", "çelik", "dora", "eve", "françoise", "gus"]
        asked = {"context": [1.0, self.random.uniform(-1, 1)]} if self.features else {}
        context = dict(asked)
        if self.random.random() < 0.7:
            asked["unit"] = self.random.choice(units)
        asked["defer"] = self.random.random() < 0.2
        looked = self.same(lambda p: seen(p.peek(**asked)))
        before = self.same(lambda p: (p.decisions, p.pending))
        made = [p.decide(**asked) for p in self.all]
        for d in made:
            self.case.assertEqual(seen(d), looked)
        after = self.same(lambda p: (p.decisions, p.pending))
        again = before == after  # the unit has its decision already
        fate = self.random.randrange(6)
        if again or fate == 0:
            return
        for p, d in zip(self.all, made, strict=True):
            untold = p is self.near and any(one.id == d.id and one.untold for one in p.pending_decisions())
            untold = untold or (p is not self.near and self.untold)
            self.untold = untold
            if untold and fate < 3:
                p.activate(d)
            elif untold:
                p.acted(d, n % 3, **context)
            p.learn(d, n % 2)


class Modes(unittest.TestCase):
    def test_three_make_the_same_decisions(self):
        for definition in (CLICKS, FEATURES):
            three = Three(self, definition)
            try:
                for n in range(200):
                    if n % 50 == 0:
                        for p in three.all:
                            p.set_modes(**MODES[n // 50])
                        three.same(lambda p: p.modes)
                    three.step(n)
                    if n in (70, 130, 170):
                        three.stop()
                        three.start()
                        three.same(lambda p: p.modes)
                        three.same(lambda p: (p.report().holdback, p.report().shadow))
                three.same(lambda p: p.plays.tolist())
            finally:
                three.stop()

    def test_deferred_decisions_wait_on_every_surface(self):
        """They expire neither before they are shown nor with the others, and a kill changes nothing of it."""
        three = Three(self, {**CLICKS, "expire_after": 4, "expire_reward": 0.5})
        try:
            waiting = [[p.decide(defer=True) for p in three.all] for _ in range(6)]
            for _ in range(8):
                three.same(lambda p: seen(p.decide()))
            self.assertEqual(three.same(lambda p: (p.decisions, p.pending)), (14, 10))
            self.assertEqual(three.same(lambda p: p.expire(0)), 4)
            three.stop()
            three.start()
            for n in (4, 1):
                for p, d in zip(three.all, waiting[n], strict=True):
                    with self.assertRaises(posse.DecisionError):
                        p.learn(d, 1)
                    p.activate(d)
            for pending in (7, 8, 9, 8):  # the fourth expires both, and learns
                three.same(lambda p: seen(p.decide()))
                self.assertEqual(three.same(lambda p: p.pending), pending)
            self.assertEqual(three.same(lambda p: p.expire(100, deferred=True)), 0)
            self.assertEqual(three.same(lambda p: p.expire(15, deferred=True)), 2)
            three.stop()
            three.start()
            self.assertEqual(three.same(lambda p: (p.decisions, p.pending)), (18, 6))
            for p, d in zip(three.all, waiting[5], strict=True):
                p.activate(d)
                p.learn(d, 1)
            for _ in range(10):
                three.same(lambda p: seen(p.decide()))
            three.same(lambda p: p.plays.tolist())
        finally:
            three.stop()

    def test_units_keep_only_arms_that_are_there(self):
        """Without its arm in the round, or after that is retired, a unit gets another decision and keeps that one."""
        three = Three(self, NAMED)

        def ask(*arms):
            look = three.same(lambda p: p.peek({}, arms=arms or None, unit="ann").name)
            made = [p.decide({}, arms=arms or None, unit="ann") for p in three.all]
            self.assertEqual([d.name for d in made], [look] * 3)
            return made, look

        try:
            for p in three.all:
                p.set_modes(units=10)
            first, name = ask("red", "blue")
            self.assertEqual(ask("red", "blue", "green")[0], first)
            other, green = ask("green")
            self.assertEqual((green, three.same(lambda p: (p.decisions, p.pending))), ("green", (2, 2)))
            three.stop()
            three.start()
            self.assertEqual([d.id for d in ask()[0]], [d.id for d in other])
            for p in three.all:
                p.retire_arm("green")
            last, kept = ask()
            self.assertIn(kept, ("red", "blue"))
            self.assertEqual(three.same(lambda p: (p.decisions, p.pending)), (3, 3))
            three.stop()
            three.start()
            self.assertEqual([d.id for d in ask()[0]], [d.id for d in last])
            for made in (first, other, last):
                for p, d in zip(three.all, made, strict=True):
                    p.learn(d, 1)
            self.assertEqual(three.same(lambda p: (p.pending, p.plays.tolist()))[0], 0)
        finally:
            three.stop()

    def test_modes_are_checked_everywhere(self):
        three = Three(self, CLICKS)
        wrong = [
            ({"holdbak": 0.1}, "holdback"),
            ({"control": "purple"}, "there is no arm"),
            ({"control": 1.5}, "an arm"),
            ({"holdback": 0.1}, "control"),
            ({"control": 0, "holdback": 1.5}, "share"),
            ({"paused": 1}, "true or false"),
            ({"sticky_rounds": 4}, "units"),
            ({"units": -1}, "whole number from 0 to 10000000"),
        ]
        try:
            for modes, hint in wrong:
                for p in three.all:
                    with self.assertRaises(posse.SpecificationError) as raised:
                        p.set_modes(**modes)
                    self.assertIn(hint, str(raised.exception), (p, modes))
            three.same(lambda p: p.modes)
            for p in three.all:
                p.set_modes(control="blue")
                self.assertRaises(posse.Error, p.retire_arm, "blue")
                d = p.decide()
                self.assertRaises(posse.DecisionError, p.activate, d) if p is three.near else p.activate(d)
        finally:
            three.stop()

    def test_the_clock_ends_what_units_keep(self):
        """Without `now`, the clock counts: a time of the past is over, and the present is not."""
        p = posse.Posse(arms=1000, prior="beta", learners=["thompson"])
        p.set_modes(units=5, sticky_seconds=100000)
        p.decide(unit="old", now=1)
        fresh = p.decide(unit="new")
        self.assertIsNone(p.decide(unit="old").mode)
        again = p.decide(unit="new")
        self.assertEqual((again.mode, again.arm), ("kept", fresh.arm))
        for unit in ("", "x" * 257, "\u00e9" * 129):
            self.assertRaisesRegex(posse.SpecificationError, "1 to 256 bytes", p.decide, unit=unit)

    def test_messages_name_the_reason(self):
        p = posse.Posse(["a", "b"], prior="beta", learners=["ucb", "thompson"], expire_after=1)
        d = p.decide(defer=True)
        self.assertRaisesRegex(posse.DecisionError, "the arm that was played is not reported yet", p.learn, d, 1)
        late = p.decide()
        p.decide()
        self.assertRaisesRegex(posse.DecisionError, "or has expired", p.learn, late, 1)
        p.learn(p.decide(arms=None), 1)
        p.retire_arm("a")
        self.assertRaisesRegex(posse.LearnerError, "is retired already", p.retire_arm, "a")
        self.assertRaisesRegex(posse.LearnerError, "is the last one", p.retire_arm, "b")
        p.retire_learner("ucb")
        self.assertRaisesRegex(posse.LearnerError, "is retired already", p.retire_learner, "ucb")
        self.assertRaisesRegex(posse.LearnerError, "is the last one", p.retire_learner, "thompson")
        self.assertRegex(str(p.report()), r"(?m)^  a \(retired\): ")
        self.assertNotIn(" 1 rewards", str(p.report()))

    def test_what_python_has_is_pickled(self):
        p = posse.Posse(**CLICKS)
        p.set_modes(control="old", holdback=0.5, units=9, sticky_rounds=50)
        first = [p.decide(unit=f"u{n}") for n in range(6)]
        q = pickle.loads(pickle.dumps(p))
        self.assertEqual((q.modes, q.units), (p.modes, 6))
        for n, d in enumerate(first):
            self.assertEqual(q.decide(unit=f"u{n}").arm, d.arm)
            self.assertEqual(pickle.loads(pickle.dumps(d)), d)
        self.assertTrue(q.forget_unit("u3"))
        self.assertFalse(q.forget_unit("u3"))
        self.assertRaises(TypeError, q.decide, unit=3)
        q.set_modes(sticky_seconds=10, sticky_rounds=0, holdback=0)
        arm = q.decide(unit="new", now=100).arm
        self.assertEqual([q.decide(unit="new", now=now).mode == "kept" for now in (105, 109)], [True, True])
        self.assertEqual(q.decide(unit="new", now=105).arm, arm)
        self.assertNotEqual(q.decide(unit="new", now=110).mode, "kept")

    def test_the_report_has_the_holdback(self):
        p = posse.Posse(**CLICKS)
        dice = random.Random(1)
        self.assertIsNone(p.report().holdback)
        p.set_modes(control="old", holdback=0.2)
        earned = {True: [], False: []}
        for _ in range(3000):
            d = p.decide()
            reward = float(dice.random() < RATES[d.arm])
            earned[d.mode == "holdback"].append(reward)
            p.learn(d, reward)
        report = p.report()
        held, others = earned[True], earned[False]
        self.assertEqual((report.control, report.holdback.control.rewards), (0, len(held)))
        self.assertAlmostEqual(report.holdback.lift, sum(others) / len(others) - sum(held) / len(held))
        self.assertTrue(0 < report.holdback.lift_low < 0.4 < report.holdback.lift_high + 0.2)

    def test_a_report_shows_what_it_has(self):
        """As text and in a notebook: the modes, what stopping now costs, what is left, the holdback and shadow mode."""
        p = posse.Posse(**CLICKS)
        dice = random.Random(1)
        for text in (str(p.report()), p.report()._repr_html_()):
            self.assertIsNone(re.search("modes|holdback|shadow", text))
        p.set_modes(control="old", holdback=0.2)
        for _ in range(200):
            d = p.decide()
            p.learn(d, dice.random() < RATES[d.arm])
        p.set_modes(holdback=0, control=None, shadow=True)
        for _ in range(200):
            d = p.decide()
            p.acted(d, "red")
            p.learn(d, dice.random() < RATES[3])
        report = p.report()
        self.assertEqual(report.modes, p.modes)
        self.assertEqual(report.verdict, "not yet")
        notes = {
            "modes": "shadow",
            "more": f"about {report.more:.0f} more rewards would decide it",
            "regret": f"to stop now costs {report.regret:.3g} in each round, by the belief",
            "shadow": f"agreed in {report.shadow.agreed} of 200 rounds; the rule has mean {report.shadow.rule.mean:.4g} of 200 rewards, at all times "
            f"{report.shadow.rule.low:.4g} to {report.shadow.rule.high:.4g}; the suggestions would have earned {report.shadow.estimate:.4g}, at all times "
            f"{report.shadow.low:.4g} to {report.shadow.high:.4g}",
        }  # fmt: skip
        for name, text in notes.items():
            self.assertIn(f"\n  {name}: {text}\n", str(report))
            self.assertIn(f"<p><b>{name}</b>: {text}</p>", report._repr_html_())
        p.set_modes(shadow=False, control="old", holdback=0.2)
        for _ in range(200):
            d = p.decide()
            p.learn(d, dice.random() < RATES[d.arm])
        found = p.report().holdback
        held = f"the control has mean {found.control.mean:.4g} of {found.control.rewards} rewards"
        lift = f"lift {found.lift:.4g}, at all times {found.lift_low:.4g} to {found.lift_high:.4g}"
        for text in (str(p.report()), p.report()._repr_html_()):
            self.assertIn(held, text)
            self.assertIn(lift, text)
            self.assertIn("holdback 0.2", text)
            self.assertIn("holdback 0.2", p._repr_html_())

    def test_every_surface_shows_the_modes(self):
        three = Three(self, CLICKS)
        try:
            server, redis = three.http.client(), three.redis.client()

            def shown():
                listed = next(p for p in server.get("/v1/posses")[1]["posses"] if p["name"] == "it")
                lines = server.get("/v1/posses/it/events?frames=1")[1].decode().splitlines()
                frame = json.loads(next(line for line in lines if line.startswith("data: "))[6:])
                answer = redis.execute_command("POSSE.INFO", "it")
                info = {key.decode(): value for key, value in zip(answer[::2], answer[1::2], strict=True)} if isinstance(answer, list) else {
                    key.decode(): value for key, value in answer.items()}
                states = [listed, frame, server.get("/v1/posses/it")[1], info]
                found = {(bool(s["paused"]), bool(s["shadow"]), float(s["holdback"])) for s in states}
                scraped = dict(line.split() for line in server.get("/metrics")[1].decode().splitlines() if line.startswith("posse_"))
                found.add(tuple(type_(float(scraped[f'posse_named_{name}{{posse="it"}}']))
                                for name, type_ in (("paused", bool), ("shadow", bool), ("holdback", float))))  # fmt: skip
                self.assertEqual(len(found), 1, found)
                (now,) = found
                self.assertEqual([float(scraped[f"posse_{name}"]) for name in ("paused", "shadow", "holdback")], [float(x > 0) for x in now])
                self.assertEqual(three.same(lambda p: p.report().modes), three.near.modes)
                self.assertEqual({tuple(re.findall("<b>(.*?)</b>", p._repr_html_())) for p in three.all}, {tuple(words)})
                for p in three.all:
                    self.assertEqual("  modes: " in str(p.report()), bool(words))
                return now

            words = []
            self.assertEqual(shown(), (False, False, 0))
            for modes, words in (
                ({"control": 0, "paused": True}, ["paused"]),
                ({"paused": False, "holdback": 0.3}, ["holdback 0.3"]),
                ({"holdback": 0, "shadow": True}, ["shadow"]),
            ):
                for p in three.all:
                    p.set_modes(**modes)
                self.assertEqual(shown(), (modes.get("paused", False), modes.get("shadow", False), modes.get("holdback", 0)))
        finally:
            three.stop()


class Logged(unittest.TestCase):
    def test_the_log_has_modes_and_units(self):
        with serving.Server(scratch(self)) as server:
            client = server.client()
            self.assertEqual(client.post("/v1/posses", {**CLICKS, "name": "ads"})[0], 201)
            self.assertEqual(client.post("/v1/posses/ads/modes", {"control": "old", "holdback": 0.5})[0], 200)
            told = [client.post("/v1/posses/ads/decide", {"unit": f"visitor {n}"})[1] for n in range(20)]
            for d in told:
                self.assertEqual(client.post("/v1/posses/ads/learn", {"token": d["token"], "reward": 1})[0], 200)
            command = [serving.PROGRAM, "export", "ads", "--database", server.database]
            rows = list(csv.DictReader(io.StringIO(subprocess.run(command, capture_output=True, text=True, check=True).stdout)))
            by_kind = {kind: [row for row in rows if row["kind"] == kind] for kind in ("decide", "learn", "modes")}
            self.assertEqual([row["unit"] for row in by_kind["decide"]], [f"visitor {n}" for n in range(20)])
            for kind in ("decide", "learn"):
                self.assertEqual([row["mode"] for row in by_kind[kind]], [d.get("mode", "") for d in told])
            self.assertEqual([json.loads(row["body"]) for row in by_kind["modes"]], [{"control": "old", "holdback": 0.5}])
            self.assertIn("holdback", {d.get("mode") for d in told})

    def test_requests_are_checked(self):
        with serving.Server(scratch(self)) as server:
            client = server.client()
            client.post("/v1/posses", {**CLICKS, "name": "ads"})
            wrong = [
                ("decide", {"unit": 3}, "unit"),
                ("decide", {"unit": ""}, "unit"),
                ("decide", {"unit": "x" * 300}, "unit"),
                ("decide", {"defer": 1}, "defer"),
                ("decide", {"unit": "a", "n": 2}, "n"),
                ("peek", {"n": 2}, "n"),
                ("modes", {"holdback": "much"}, "holdback"),
            ]
            for verb, body, path in wrong:
                status, answer = client.post(f"/v1/posses/ads/{verb}", body)
                self.assertEqual((status, answer.get("path")), (400, path), (verb, body, answer))
            self.assertEqual(client.get("/v1/posses/ads")[1]["decisions"], 0)

    def test_units_are_kept_for_seconds(self):
        with serving.Server(scratch(self)) as server:
            client = server.client()
            client.post("/v1/posses", {**CLICKS, "name": "ads"})
            client.post("/v1/posses/ads/modes", {"units": 10, "sticky_seconds": 2})

            def is_kept(unit):
                return client.post("/v1/posses/ads/peek", {"unit": unit})[1].get("mode") == "kept"

            for unit in map(str, range(1000)):
                began = time.monotonic()
                self.assertNotIn("mode", client.post("/v1/posses/ads/decide", {"unit": unit})[1])
                kept = is_kept(unit)
                if time.monotonic() - began < 1:  # on a busy machine the answers may take too long
                    break
            self.assertTrue(kept)
            until(lambda: not is_kept(unit))
            self.assertGreater(time.monotonic() - began, 1)


if __name__ == "__main__":
    unittest.main()
