# SPDX-License-Identifier: MIT
"""Which of my rules? Three rules with 5, 6 and 9 clicks in a hundred, as external learners without arms.

The rules choose among a thousand items by what the posse does not see. In 8000 rounds the best one must get at least 85%
of them, with the selector that a posse gets if none is named (docs/own-models.md). test_thompson.c asks the same of C.
"""

import random
import unittest

import posse
from serving import Server
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

    def test_clicks_give_the_report_intervals(self):
        """Without arms, the word `rewards` is what the report knows of them."""
        fading = {"kind": "thompson", "discount": 0.98}  # it gives up no rule
        for definition, verdict in (({}, "cannot tell"), ({"rewards": "clicks"}, "decided")):
            p, chance = posse.Posse(learners=RULES[:2], selector=fading, **definition), random.Random(2)
            for _ in range(3000):
                d = p.decide()
                p.learn(d, chance.random() < (0.4, 0.8)[d.learner])
            r = p.report(control="old rule")
            self.assertEqual(r.verdict, verdict, r.reason)
            self.assertNotIn("nan", str(r))
            self.assertEqual(r.learners[1].lift_low > 0, verdict == "decided")
        for selector in (None, "thompson", "recommended"):
            p = posse.Posse(learners=RULES, rewards="clicks", **({"selector": selector} if selector else {}))
            self.assertRaises(posse.RewardError, p.learn, p.decide(), 2)
            self.assertEqual(p.selector, "thompson")

    def test_what_rules_without_arms_do_not_have_is_said(self):
        p = posse.Posse(learners=RULES)
        for modes in ({"shadow": True}, {"units": 5}, {"control": "old rule", "holdback": 0.1}, {"control": 0}):
            with self.assertRaisesRegex(posse.SpecificationError, "a posse without separate arms has no"):
                p.set_modes(**modes)
        with self.assertRaisesRegex(posse.SpecificationError, "a posse without separate arms has no deferred"):
            p.decide(defer=True)
        with self.assertRaisesRegex(posse.LearnerError, "control: there is no learner 'voucher'"):
            p.report(control="voucher")
        with self.assertRaisesRegex(posse.LearnerError, "control: there is no arm 'z'"):
            posse.Posse(["x", "y"], prior="beta", learners=["ucb"]).report(control="z")

    def test_http_finds_the_best_rule(self):
        with Server(scratch(self)) as server:
            client = server.client()
            self.found([share_of_best(over_http(client, seed), seed) for seed in range(1, 5)])
            self.assertEqual(client.get("/v1/posses/rules1")[1]["selector"], "thompson")
            self.assertEqual(client.post("/v1/posses", {"name": "clicks", "learners": RULES, "rewards": "clicks"})[0], 201)
            self.assertEqual(client.get("/v1/posses/clicks/definition")[1]["selector"]["model"], "beta")
            self.assertEqual(client.get("/v1/posses/clicks/report")[1]["reason"], "too few: there is no reward yet")


if __name__ == "__main__":
    unittest.main()
