# SPDX-License-Identifier: MIT
"""Recommended learners and beliefs: plain parts, the same ones from Python, JSON and experiment files."""

import pathlib
import tempfile
import unittest

import posse

TABLE = "a,b,kind\n" + "".join(f"{n % 7},{n * n % 5},{'xyz'[n % 3]}\n" for n in range(40))
MODEL = {"precision": 1, "bias": -1, "products": True}
PLAIN = {
    "prior": {"kind": "logistic", "precision": 1, "bias": -1},
    "learners": [
        {"name": "logistic-ucb 0.1", "kind": "logistic-ucb", "width": 0.1, **MODEL},
        {"name": "logistic-ucb 0.3", "kind": "logistic-ucb", "width": 0.3, **MODEL},
        {"name": "logistic-thompson 0.1", "kind": "logistic-thompson", "width": 0.1, **MODEL},
    ],
}
NUMBERS = {
    "prior": {"kind": "linear", "precision": 1, "noise": {"shape": 2, "scale": 1e-24}},
    "learners": [
        {"name": f"linear-ucb {w}", "kind": "linear-ucb", "width": w, "precision": 1, "rewards": "standardised"}
        for w in (0.25, 1, 2)
    ],
}


def decisions(p, rounds=60, low=0.0, high=1.0):
    found = []
    for n in range(rounds):
        d = p.decide([n % 7 / 7, n % 3, 1.0])
        p.learn(d, high if d.arm == n % 3 else low)
        found.append((d.arm, d.learner))
    return found


class Recommended(unittest.TestCase):
    def test_a_posse_without_learners_has_the_recommended_team(self):
        bare = posse.Posse(arms=3, context=3, rewards="clicks")
        asked = posse.Posse(arms=3, context=3, rewards="clicks", learners="recommended", prior="recommended")
        plain = posse.Posse(arms=3, context=3, **PLAIN)
        known = posse.Posse(arms=3, context=3, prior=PLAIN["prior"])
        expected = decisions(plain)
        for p in (bare, asked, known):
            self.assertEqual(decisions(p), expected)

    def test_numbers_may_have_any_scale(self):
        bare = posse.Posse(arms=3, context=3, rewards="numbers")
        self.assertEqual(decisions(bare), decisions(posse.Posse(arms=3, context=3, **NUMBERS)))
        for low, high in ((0, 100), (0, 0.01), (-35, 5), (1000, 1010)):
            p = posse.Posse(arms=3, context=3, rewards="numbers")
            right = [arm == n % 3 for n, (arm, _) in enumerate(decisions(p, 300, low, high))]
            self.assertGreater(sum(right[100:]), 140, (low, high))  # of 200; 67 by chance

    def test_a_mixture_recommends_for_the_rewards_of_its_components(self):
        components = [{"weight": 1, "belief": {**PLAIN["prior"], "precision": n}} for n in (1, 9)]
        prior = {"kind": "mixture", "components": components}
        known = posse.Posse(arms=3, context=3, prior=prior)
        self.assertEqual(
            decisions(known), decisions(posse.Posse(arms=3, context=3, prior=prior, learners=PLAIN["learners"]))
        )

    def test_a_belief_alone_may_be_recommended(self):
        selector = {"kind": "bms-plus", "belief": "recommended"}
        some = posse.Posse(arms=3, context=3, rewards="clicks", selector=selector, learners=PLAIN["learners"])
        selector = {"kind": "bms-plus", "belief": PLAIN["prior"]}
        self.assertEqual(
            decisions(some), decisions(posse.Posse(arms=3, context=3, selector=selector, learners=PLAIN["learners"]))
        )

    def test_learners_are_asked_if_rewards_are_clicks(self):
        """The rule for `consider` where each arm has its own weights: bms-plus asks for clicks, and bms never. For numbers
        bms-plus begins without asking. What it does later is compared with a twin in tests/lib/selector."""
        team = [{"kind": "linear-ucb", "width": 0.05}, {"kind": "linear-ucb", "width": 3}, "ucb"]
        for kind, prior, expected in (
            ("bms-plus", "logistic", True),
            ("bms-plus", "linear", False),
            ("bms", "logistic", False),
        ):
            chosen, rounds = [], 64 if prior == "linear" else 200
            for options in ({}, {"consider": True}, {"consider": False}):
                selector = {"kind": kind, "share": True, **options}
                chosen.append(decisions(posse.Posse(3, selector, team, context=3, prior=prior), rounds))
            self.assertNotEqual(chosen[1], chosen[2])
            self.assertEqual(chosen[0], chosen[1] if expected else chosen[2])

    def test_rewards_must_be_known(self):
        for options, path, excerpt in (
            ({}, "", "add `rewards`, which is clicks, counts or numbers"),
            ({"learners": "recommended"}, "learners", "add `rewards`"),
            ({"rewards": "euros"}, "rewards", "clicks, counts or numbers is needed here"),
            ({"rewards": "clicks", "learners": []}, "learners", "there must be at least one"),
        ):
            with self.subTest(options=options), self.assertRaises(posse.SpecificationError) as raised:
                posse.Posse(arms=3, **options)
            (problem,) = raised.exception.problems
            self.assertEqual(problem.path, path)
            self.assertIn(excerpt, problem.text)
        with self.assertRaises(TypeError):
            posse.Posse(arms=3, learners="ucb")

    def test_beliefs_and_learners_are_not_recommended_without_arms(self):
        rules = [{"kind": "external", "name": "a"}, {"kind": "external", "name": "b"}]
        for options in (
            {},
            {"learners": "recommended"},
            {"learners": rules, "prior": "recommended"},
            {"learners": rules, "selector": {"kind": "bms", "belief": "recommended"}},
        ):
            with self.subTest(options=options), self.assertRaisesRegex(posse.SpecificationError, "arms"):
                posse.Posse(rewards="clicks", **options)

    def test_experiments_have_the_results_of_the_parts_written_out(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "t.csv"
            file.write_text(TABLE)
            head = {"name": "t", "rounds": 40, "runs": 3, "seed": 5}
            head["environment"] = {"kind": "table", "file": str(file), "label": "kind", "standardise": True}
            short = {"learners": "recommended", "selectors": [{"name": "b", "kind": "bms-plus", "belief": "recommended"}]}
            long = {
                "learners": PLAIN["learners"],
                "selectors": [{"name": "b", "kind": "bms-plus", "belief": PLAIN["prior"]}],
            }
            found, expected = posse.run(head | short), posse.run(head | long)
            self.assertEqual(str(found), str(expected))

    def test_without_a_prior_learners_have_the_recommended_belief(self):
        head = {"name": "t", "rounds": 40, "runs": 3, "seed": 5}
        head["environment"] = {"kind": "bernoulli", "arms": 3, "means": [0.1, 0.5, 0.3]}
        flat = {"kind": "beta"}
        long = [{"name": "thompson", "kind": "thompson", "belief": flat}]
        long += [{"name": f"ucb {width}", "kind": "ucb", "width": width} for width in (0.3, 1)]
        asked = [{"name": "b", "kind": "bms-plus", "belief": "recommended"}]
        written = [{"name": "b", "kind": "bms-plus", "belief": flat}]
        found = posse.run(head | {"learners": "recommended", "selectors": asked})
        self.assertEqual(str(found), str(posse.run(head | {"learners": long, "selectors": written})))

    def test_an_environment_that_does_not_know_its_rewards_asks(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "t.csv"
            file.write_text("x,r_1,r_2\n1,0,1\n2,1,0\n")
            experiment = {"name": "t", "rounds": 2, "runs": 2, "seed": 5, "learners": "recommended"}
            experiment["environment"] = {"kind": "table", "file": str(file), "rewards": "r_*"}
            with self.assertRaises(posse.SpecificationError) as raised:
                posse.run(experiment)
            self.assertIn("add `rewards`", raised.exception.problems[0].text)
            posse.run(experiment | {"rewards": "clicks"})


if __name__ == "__main__":
    unittest.main()
