# SPDX-License-Identifier: MIT
"""Every verb means the same in this process, over HTTP and in Redis: after any sequence of them, with kills in between,
all three make the same decisions and have the same definition."""

import random
import signal
import unittest

import posse
import redising
import serving
from support import scratch

BALL = {"dim": 3, "prior": "linear", "learners": ["linear-thompson", {"kind": "linear-thompson", "width": 0.3}], "seed": 5}
POINTS = [[1.0, 0.0], [0.6, 0.8], [0.0, 1.0], [-0.5, 0.5]]
DEFINITIONS = {
    "clicks": {"arms": 5, "prior": "beta", "learners": ["ucb", "thompson", "epsilon-greedy"], "seed": 2**64 - 1},
    "expiring": {
        "arms": 4,
        "prior": {"kind": "gaussian", "mean": [0, 1, 2, 3], "sd": 2},
        "learners": [{"kind": "ucb", "width": 0.3, "name": "bold"}, "thompson"],
        "selector": {"kind": "bms", "floor": 0.2},
        "expire_after": 30,
        "expire_reward": 0.25,
    },
    "points": {"points": POINTS, "prior": "linear", "learners": ["linear-ucb", {"kind": "fixed", "arm": 1}]},
    "ball": BALL,
    "features": {
        "arms": 3,
        "context": 2,
        "prior": "linear",
        "learners": ["linear-ucb", "linear-thompson"],
        "propensity_draws": 10,
    },
    "tasks": {"arms": 3, "prior": {"kind": "hierarchical"}, "learners": ["ucb", "thompson"], "selector": "bms"},
}


class Three:
    """The same posse in this process, on a server and in Redis."""

    def __init__(self, case, name):
        self.case, self.definition = case, DEFINITIONS[name]
        self.random = random.Random(name)
        self.near = posse.Posse(**self.definition)
        self.folder = scratch(case)
        self.start(self.definition)
        self.pending = []
        self.features = self.definition.get("context", 0)
        self.ball = "arms" not in self.definition and "points" not in self.definition

    def start(self, create=None):
        self.http = serving.Server(self.folder)
        self.redis = redising.Server(self.folder / "redis", **redising.DURABLE)
        urls = (f"http://127.0.0.1:{self.http.port}/it", f"redis://127.0.0.1:{self.redis.port}/it")
        self.far = [posse.connect(url, create=create) for url in urls]

    def stop(self, number=signal.SIGTERM):
        for one in self.far:
            one.close()
        self.http.stop(number)
        self.redis.stop(signal.SIGKILL)

    def kill(self):
        self.stop(signal.SIGKILL)
        self.start()

    @property
    def all(self):
        return [self.near, *self.far]

    def context(self):
        return {"context": [1.0, self.random.uniform(-1, 1)]} if self.features else {}

    def same(self, what):
        first, *others = [what(one) for one in self.all]
        for other in others:
            self.case.assertEqual(first, other)
        return first

    def decide(self):
        context = self.context()
        made = [one.decide(**context) for one in self.all]
        first = made[0]
        for other in made[1:]:
            self.case.assertEqual((other.arm, other.learner, other.propensity), (first.arm, first.learner, first.propensity))
            if self.ball:
                self.case.assertEqual(list(other.point), list(first.point))
        self.pending.append(made)

    def decide_many(self):
        count = self.random.randrange(1, 5)
        what = [self.context()["context"] for _ in range(count)] if self.features else count
        made = [list(one.decide_many(what)) for one in self.all]
        self.case.assertEqual(*[[(d.arm, d.learner, d.propensity) for d in some] for some in made[1:]])
        self.case.assertEqual(*[[(d.arm, d.learner) for d in some] for some in made[:2]])
        self.pending += map(list, zip(*made, strict=True))

    def settle(self, how):
        waiting = {decision.id for decision in self.near.pending_decisions()}  # some have expired
        self.pending = [made for made in self.pending if made[0].id in waiting]
        if not self.pending:
            return
        made = self.pending.pop(self.random.randrange(len(self.pending)))
        reward = float(self.random.random() < 0.5)
        for one, decision in zip(self.all, made, strict=True):
            if how == "learn":
                one.learn(decision, reward)
            else:
                one.forget(decision)

    def teach(self):
        arm = [0.6, 0.0, -0.8] if self.ball else self.random.randrange(self.near.arms)
        reward, context = float(self.random.random() < 0.5), self.context()
        for one in self.all:
            one.teach(arm, reward, **context)

    def teach_many(self):
        count = self.random.randrange(5)
        arms = [[0.6, 0.0, -0.8] if self.ball else self.random.randrange(self.near.arms) for _ in range(count)]
        rewards = [float(self.random.random() < 0.5) for _ in range(count)]
        contexts = [[1.0, self.random.uniform(-1, 1)] for _ in range(count)] if self.features and count else None
        for one in self.all:
            if count or not self.ball:
                one.teach_many(arms, rewards, contexts)

    def expire(self):
        age = self.random.choice([0, 3, 10])
        self.same(lambda one: one.expire(age))

    def next_task(self):
        for one in self.all:
            one.next_task()
        self.pending = []

    def add_learner(self):
        kind = "linear-thompson" if self.definition["prior"] == "linear" else "ucb"
        learner = {"kind": kind, "width": 0.7, "name": f"new-{len(self.near.learners)}"}
        self.same(lambda one: one.add_learner(learner))

    def check(self):
        self.same(lambda one: list(one.plays))
        self.same(lambda one: one.pending)
        self.same(lambda one: {key: value for key, value in one.definition.items() if key not in ("name", "expire_seconds", "record")})


class Verbs(unittest.TestCase):
    def run_all(self, name):
        three = Three(self, name)
        self.addCleanup(three.stop)
        verbs = ["decide"] * 12 + ["learn"] * 6 + ["forget", "decide_many", "teach", "teach_many", "expire"]
        for step in range(400):
            verb = three.random.choice(verbs)
            if verb in ("learn", "forget"):
                three.settle(verb)
            else:
                getattr(three, verb)()
            if step in (130, 260):
                three.kill()
            if step in (60, 300):
                three.next_task()
            if step == 200 and name != "points":
                three.add_learner()
            if step % 50 == 49:
                three.check()
        three.check()

    def test_every_definition_decides_the_same_everywhere(self):
        for name in DEFINITIONS:
            with self.subTest(name):
                self.run_all(name)

    def test_a_definition_creates_an_equal_posse(self):
        three = Three(self, "expiring")
        self.addCleanup(three.stop)
        three.add_learner()
        for one in three.all:
            one.retire_learner(0)
            one.retire_arm(2)
        three.check()
        for i, far in enumerate(three.far):
            said = far.definition
            self.assertEqual(said["retired"], [2])
            self.assertEqual([learner["name"] for learner in said["learners"]], ["thompson", "new-2"])
            url = (f"http://127.0.0.1:{three.http.port}/again", f"redis://127.0.0.1:{three.redis.port}/again")[i]
            said.pop("name", None)
            again = posse.connect(url, create=said)
            self.addCleanup(again.close)
            self.assertFalse(again.arm_active(2))
            self.assertEqual({**again.definition, "name": 0}, {**said, "name": 0})
            retired = said.pop("retired")
            served = {key: said.pop(key) for key in ("expire_seconds", "record") if key in said}
            near = posse.Posse(**said)
            for arm in retired:
                near.retire_arm(arm)
            for _ in range(100):
                a, b = near.decide(), again.decide()
                self.assertEqual((a.arm, a.learner, a.propensity), (b.arm, b.learner, b.propensity))
                near.learn(a, 0.5), again.learn(b, 0.5)
            self.assertEqual(served, {"expire_seconds": 0, "record": False} if i == 0 else {})

    def test_create_is_compared_with_what_the_server_has(self):
        three = Three(self, "expiring")
        self.addCleanup(three.stop)
        wrong = [
            ({"seed": 9}, "seed: the posse exists and has 1, but create has 9"),
            ({"learners": ["thompson", {"kind": "ucb", "width": 0.3, "name": "bold"}]}, r"learners\[0\]\.\w+: "),
            ({"learners": [{"kind": "ucb", "width": 0.4, "name": "bold"}, "thompson"]}, r"learners\[0\]\.width: .*0\.3.*0\.4"),
            ({"learners": ["thompson"]}, "learners: .*2 of them.*1 of them"),
            ({"expire_reward": None}, "expire_reward"),
            ({"selector": "bms-plus"}, "selector"),
            ({"retired": [1]}, "retired"),
        ]
        urls = (f"http://127.0.0.1:{three.http.port}/it", f"redis://127.0.0.1:{three.redis.port}/it")
        for i, url in enumerate(urls):
            posse.connect(url, create=dict(three.definition)).close()
            for change, message in wrong:
                changed = {key: value for key, value in {**three.definition, **change}.items() if value is not None}
                with self.assertRaisesRegex(posse.SpecificationError, message, msg=f"{i} {change}"):
                    posse.connect(url, create=changed)
        with self.assertRaisesRegex(posse.SpecificationError, "expire_seconds: .*has 0, but create has 60"):
            posse.connect(urls[0], create={**three.definition, "expire_seconds": 60})

    def test_what_is_wrong_is_refused_and_changes_nothing(self):
        three = Three(self, "clicks")
        self.addCleanup(three.stop)
        for one in three.all:
            with self.assertRaises(posse.RewardError):
                one.teach(0, 7.0)
            with self.assertRaises(posse.LearnerError):
                one.teach(99, 1.0)
        three.check()
        client = three.http.client()
        for path, body, status, where in (
            ("teach", {"arm": 0}, 400, "reward"),
            ("teach", {"reward": 1}, 400, "arm"),
            ("teach", {"arm": 99, "reward": 1}, 404, "arm"),
            ("teach", {"arm": 0, "reward": 1, "n": 2}, 400, "n"),
            ("teach", {"arm": 0, "reward": 1, "context": {"shared": [1]}}, 400, None),
            ("teach", {"point": [1], "reward": 1}, 400, "point"),
            ("expire", {}, 400, "age"),
            ("expire", {"age": -1}, 400, "age"),
            ("next_task", {"n": 1}, 400, "n"),
        ):
            got, answer = client.post(f"/v1/posses/it/{path}", body)
            self.assertEqual(got, status, (path, body, answer))
            if where is not None:
                self.assertEqual(answer["path"], where)


if __name__ == "__main__":
    unittest.main()
