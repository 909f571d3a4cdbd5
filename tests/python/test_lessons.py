# SPDX-License-Identifier: MIT
"""teach_many of connected posses: over HTTP and in Redis, the same as Posse.teach_many, in few requests, and all or none."""

import signal
import unittest

import numpy as np
import posse
import serving
from both_servers import LINEAR, N, OFFERS, POSSES, BothServers, chance, contexts


def played(name):
    dice = chance(2)
    if name == "ball":
        return dice.normal(size=(N, 2)) / 10
    picked = dice.integers(0, 3, N)
    return [["red", "green", "blue"][k] for k in picked] if name in ("named", "features", "offers") else picked


class Lessons(BothServers):
    def test_the_same_as_near(self):
        rewards = chance(3).random(N).round()
        for name, definition in POSSES.items():
            for k, form in enumerate(contexts()[name]):
                with self.subTest(name, form=k):
                    near, far = posse.Posse(**definition), self.connect(f"{name}{k}", **definition)
                    near.teach_many(played(name), rewards, form)
                    for one in far:
                        one.teach_many(played(name), rewards, form)
                        self.assertEqual(self.next_arm(one, name), self.next_arm(near, name))

    def next_arm(self, one, name):
        """What the posse would play next in some round."""
        rounds = {"shared": [1, 2, 3], "joint": np.eye(4, 3), "both": (np.eye(3, 2), [1, 2, 3]), "features": {"age": 3}}
        context = rounds.get(name, posse.Context(shared={"age": 3}, arms=OFFERS) if name == "offers" else None)
        made = one.peek(context)
        return made.arm if name != "ball" else list(made.point)

    def test_masked_points_and_rewards_are_refused(self):
        point = np.ma.array([0.6, 0.8], mask=[True, False])
        for one in self.connect("masked", **POSSES["ball"]):
            for call in (lambda: one.teach(point, 1), lambda: one.teach_many([point], [1]), lambda: one.teach_many(np.ma.array([point]), [1])):
                with self.assertRaisesRegex(posse.SpecificationError, "point: an entry is masked"):
                    call()
            for call in (lambda: one.teach([0.6, 0.8], np.ma.masked), lambda: one.learn(one.decide(), np.ma.masked)):
                with self.assertRaisesRegex(posse.RewardError, "a reward is masked"):
                    call()

    def test_one_request(self):
        for one in self.connect("many", arms=4, prior="beta", learners=["ucb"]):
            requests = self.asked(one, "teach")
            one.teach_many([1] * 3000, [1.0] * 3000)
            self.assertEqual(requests[0], 1)
            one.teach_many([], [])
            self.assertEqual(requests[0], 1)
            one.teach_many([1] * 12000, np.ones(12000))
            self.assertEqual(requests[0], 3)

    def test_a_costly_posse_is_taught_in_parts(self):
        definition = {"arms": 2, "context": 700, "features": {}, "prior": "linear", "learners": ["linear-ucb"]}
        near, far = posse.Posse(**definition), self.connect("costly", **definition)
        picked, rewards = chance().integers(0, 2, 250), chance(2).random(250)
        rows = [{"age": float(x)} for x in chance(3).normal(size=250).round(3)]
        near.teach_many(picked, rewards, rows)
        for one in far:
            requests = self.asked(one, "teach")
            one.teach_many(picked, rewards, rows)
            self.assertEqual(requests[0], 3)  # the first one is refused, and names how many plays there may be
            self.assertEqual([one.peek(row).arm for row in rows[:20]], [near.peek(row).arm for row in rows[:20]])

    def test_wrong_plays_change_nothing(self):
        shared = chance().normal(size=(N, 3))
        bad = shared.copy()
        bad[17, 2] = 1e7
        for one in self.connect("wrong", **POSSES["shared"]):
            before = one.peek(shared[0])
            for kind, text, call in (
                (posse.ContextError, r"contexts\[17\].shared\[2\]", lambda p: p.teach_many([0] * N, [1] * N, bad)),
                (posse.LearnerError, "entry 3: there is no arm 7", lambda p: p.teach_many([0, 1, 2, 7], [1] * 4, shared[:4])),
                (posse.RewardError, "finite", lambda p: p.teach_many([0, 1], [1, np.nan], shared[:2])),
                (posse.RewardError, "entry 1: ", lambda p: p.teach_many([0, 1], [1, 1e101], shared[:2])),
                (posse.ContextError, "rounds x 3, not 1 x 2", lambda p: p.teach_many([0], [1], [[1, 2]])),
                (posse.Error, "missing", lambda p: p.teach_many([0], [1])),
                (ValueError, "2 rewards, and 1 contexts", lambda p: p.teach_many([0, 1], [1, 1], shared[:1])),
                (ValueError, "2 arms, and 1 rewards", lambda p: p.teach_many([0, 1], [1], shared[:2])),
            ):
                with self.subTest(text), self.assertRaisesRegex(kind, text):
                    call(one)
            self.assertEqual(one.peek(shared[0]), before)
        for one in self.connect("joining", **POSSES["named"]):
            with self.assertRaisesRegex(posse.LearnerError, "entry 1: there is no such arm"):
                one.teach_many(["red", "pink"], [1, 1])
            self.assertEqual(one.arms, 3)
        freezing = {"arms": 3, "context": 8, "features": {"learn_scale": 2}, **LINEAR}
        for one in self.connect("freezing", **freezing):
            with self.assertRaisesRegex(posse.ContextError, r"contexts\[2\].*features must be at most"):
                one.teach_many([0, 1, 2], [1, 1, 1], [{"a": 0.0}, {"a": 1.0}, {"a": 1e9}])
            one.teach_many([0], [1], [{"a": 1e9}])  # no scale was learned, so it is the first number

    def test_requests_of_others(self):
        """What the server answers to bodies that no client of posse sends."""
        self.connect("raw", **POSSES["arms"])
        client = self.http.client()
        for body, path in (
            ({"plays": 3}, "plays"),
            ({"plays": [3]}, "plays[0]"),
            ({"plays": [{"arm": 1, "reward": 1}, {"arm": 1}]}, "plays[1].reward"),
            ({"plays": [{"reward": 1}]}, "plays[0].arm"),
            ({"plays": [{"arm": 1, "reward": 1, "n": 1}]}, "plays[0].n"),
            ({"plays": [{"arm": 1, "reward": 1, "arms": []}]}, "plays[0].arms"),
            ({"plays": [], "arm": 1}, "arm"),
        ):
            status, answer = client.post("/v1/posses/raw/teach", body)
            self.assertEqual((status, answer["path"]), (400, path))
        status, answer = client.post("/v1/posses/raw/teach", {"plays": [{"arm": 1, "reward": True}] * 2})
        self.assertEqual((status, answer), (200, {"taught": 2}))

    def test_lessons_survive_a_crash(self):
        rewards = chance(3).random(N).round()
        near, far = posse.Posse(**POSSES["features"]), self.connect("kept", **POSSES["features"])
        form = contexts()["features"][0]
        near.teach_many(played("features"), rewards, form)
        far[0].teach_many(played("features"), rewards, form)
        self.http.stop(signal.SIGKILL)
        server = serving.Server(self.folder)
        self.addCleanup(server.stop)
        again = posse.connect(f"http://127.0.0.1:{server.port}/kept")
        self.addCleanup(again.close)
        self.assertEqual([again.decide({"age": i}).arm for i in range(9)], [near.decide({"age": i}).arm for i in range(9)])


if __name__ == "__main__":
    unittest.main()
