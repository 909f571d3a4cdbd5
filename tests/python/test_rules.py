# SPDX-License-Identifier: MIT
"""Which of my rules? Three rules with 5, 6 and 9 clicks in a hundred, as external learners without arms.

The rules choose among a thousand items by what the posse does not see. In 8000 rounds the best one must get at least 85%
of them, with the selector that a posse gets if none is named (docs/own-models.md). test_thompson.c asks the same of C.
"""

import random
import unittest

import posse
from serving import Server, can_serve
from support import scratch

RATES, ROUNDS, TOGETHER = [0.05, 0.06, 0.09], 8000, 20
RULES = [{"kind": "external", "name": name} for name in ("old rule", "bestsellers", "new model")]


def share_of_best(rounds, seed):
    """`rounds` yields the learners of some rounds, and gets their rewards."""
    chance, best, played = random.Random(seed), 0, 0
    learners = next(rounds)
    while played < ROUNDS:
        best += sum(learner == 2 for learner in learners)
        played += len(learners)
        learners = rounds.send([float(chance.random() < RATES[learner]) for learner in learners])
    return best / played


def in_process(seed):
    p = posse.Posse(learners=RULES, seed=seed)
    while True:
        d = p.decide()
        (reward,) = yield [d.learner]
        p.learn(d, reward)


def over_http(client, seed):
    name = f"rules{seed}"
    status, _ = client.post("/v1/posses", {"name": name, "learners": RULES, "seed": seed})
    assert status == 201, status
    places = {rule["name"]: place for place, rule in enumerate(RULES)}
    while True:
        _, answer = client.post(f"/v1/posses/{name}/decide", {"n": TOGETHER})
        rewards = yield [places[d["learner"]] for d in answer["decisions"]]
        told = [{"token": d["token"], "reward": r} for d, r in zip(answer["decisions"], rewards, strict=True)]
        client.post(f"/v1/posses/{name}/learn", {"rewards": told})


class WhichRule(unittest.TestCase):
    def found(self, shares):
        mean = sum(shares) / len(shares)
        self.assertGreater(mean, 0.85, f"the best rule gets {shares}")

    def test_python_finds_the_best_rule(self):
        self.found([share_of_best(in_process(seed), seed) for seed in range(1, 9)])

    @unittest.skipUnless(can_serve(), "built without the server")
    def test_http_finds_the_best_rule(self):
        with Server(scratch(self)) as server:
            client = server.client()
            self.found([share_of_best(over_http(client, seed), seed) for seed in range(1, 5)])
            self.assertEqual(client.get("/v1/posses/rules1")[1]["selector"], "thompson")


if __name__ == "__main__":
    unittest.main()
