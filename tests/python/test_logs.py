# SPDX-License-Identifier: MIT
"""Logs in Vowpal Wabbit's format."""

import pickle
import unittest

import numpy as np
import posse
from support import scratch

ACTIONS = """shared |user age:0.3 new
|item price:2
0:-1:0.25 |item price:1 city:paris

|item price:3
0:0.5:1 |item price:4
|item
"""
LINES = "1:2:0.4 | a c\n3:0.5:0.2 2 | b:-0.5 d\n"


def plain(log):
    """The rounds of a log as lists."""
    return [tuple(None if x is None else np.asarray(x).tolist() for x in (*c, *rest)) for c, *rest in log]


class Logs(unittest.TestCase):
    def write(self, text):
        path = scratch(self) / "log.vw"
        path.write_text(text)
        return path

    def test_a_line_for_each_action(self):
        log = posse.read_vw(self.write(ACTIONS))
        self.assertEqual((log.arms, log.dim, log.context, len(log)), (3, 4, 0, 2))
        self.assertEqual(
            plain(log),
            [
                ([[0.3, 1, 2, 0], [0.3, 1, 1, 1]], None, [0, 1], 1, 1, 0.25),
                ([[0, 0, 3, 0], [0, 0, 4, 0], [0, 0, 0, 0]], None, [0, 1, 2], 1, -0.5, 1),
            ],
        )
        self.assertIsInstance(log[0], posse.LoggedRound)
        self.assertIsInstance(log[0].context, posse.Context)

    def test_a_line_for_each_event(self):
        log = posse.read_vw(str(self.write(LINES)))
        self.assertEqual((log.arms, log.dim, log.context), (3, 0, 4))
        self.assertEqual(
            plain(log), [(None, [1, 1, 0, 0], [0, 1, 2], 0, -2, 0.4), (None, [0, 0, -0.5, 1], [1, 2], 2, -0.5, 0.2)]
        )

    def test_what_is_written_is_read_again(self):
        r = np.random.default_rng(1)
        for text in (ACTIONS, LINES):
            log = posse.read_vw(self.write(text))
            path = scratch(self) / "again.vw"
            posse.write_vw(path, log)
            self.assertEqual(plain(posse.read_vw(path)), plain(log))
        own = [(posse.Context(r.normal(size=(4, 3))[::-1]), int(r.integers(4)), r.normal(), r.random()) for _ in range(50)]
        mixed = [(posse.Context(x.points[[2, 0, 3, 1]], arms=[2, 0, 3, 1]), *rest) for x, *rest in own]
        shared = [(posse.Context(shared=r.normal(size=3), arms=[0, 2, 5]), 5, r.normal(), 0.5) for _ in range(20)]
        shared += [(posse.Context(shared=r.normal(size=3)), 1, r.normal(), 0.5) for _ in range(20)]
        for rounds in (own, mixed, shared):
            path = scratch(self) / "again.vw"
            posse.write_vw(path, iter(rounds))
            for (c, *rest), again in zip(rounds, posse.read_vw(path), strict=True):
                self.assertEqual(rest, list(again[1:]))
                if rounds is shared:
                    self.assertEqual(c.shared.tolist(), again.context.shared.tolist())
                    self.assertEqual(again.context.arms.tolist(), c.arms or list(range(6)))
                else:
                    order = c.arms or range(4)
                    self.assertEqual(c.points.tolist(), again.context.points[list(order)].tolist())

    def test_a_posse_learns_from_a_log_and_writes_its_own(self):
        e = posse.Environment({"kind": "contextual", "dim": 3, "arms": 5, "noise": 0.1})
        first = posse.Posse(5, {"kind": "uniform", "floor": 0.5}, ["linear-ucb"], dim=3, prior="linear")
        rounds = []
        for _ in range(200):
            c = e.round()
            d = first.decide(c)
            rounds.append((c, d.arm, e.reward(d), d.propensity))
        path = scratch(self) / "own.vw"
        posse.write_vw(path, rounds)
        log = posse.read_vw(path)
        p = posse.Posse(log.arms, dim=log.dim, context=log.context, prior="linear", learners=["linear-ucb"])
        for context, arm, reward, _ in log:
            p.teach(arm, reward, context=context)
        c = e.round()
        self.assertTrue(np.allclose(p.means_in(c), e.means, atol=0.2))

    def test_an_experiment_on_a_log_has_value(self):
        e = posse.Environment({"kind": "contextual", "dim": 3, "arms": 5, "noise": 0.1})
        r = np.random.default_rng(1)
        rounds = []
        for _ in range(300):
            c, arm = e.round(), int(r.integers(5))
            rounds.append((c, arm, e.reward(arm), 0.2))
        folder = scratch(self)
        posse.write_vw(folder / "log.vw", rounds)
        learners = [{"name": "bold", "kind": "linear-ucb", "width": 0.1}, {"name": "blind", "kind": "ucb"}]
        experiment = {"name": "l", "rounds": 300, "runs": 2, "seed": 1, "learners": learners}
        experiment["environment"] = {"kind": "log", "file": folder / "log.vw", "estimate": "ips"}
        r = posse.run(experiment)
        self.assertEqual(r.measure, "value")
        self.assertGreater(r["bold"].final_value - r["bold"].final_value_ci95, r["blind"].final_value)
        self.assertFalse(hasattr(r["bold"], "regret"))
        self.assertEqual((r.competitors[-1], r["log"].role, r["log"].kind), ("log", "log", "log"))
        self.assertAlmostEqual(r["log"].final_value, np.mean([reward for _, _, reward, _ in rounds]), 12)
        again = posse.open(r.save(folder))
        for other in (again, pickle.loads(pickle.dumps(r)), pickle.loads(pickle.dumps(again))):
            for name in ("value", "value_ci95", "effective_rounds", "runs", "run_value"):
                np.testing.assert_array_equal(getattr(other["bold"], name), getattr(r["bold"], name))
            self.assertEqual(other._repr_html_(), r._repr_html_())
        self.assertEqual(list(r.to_frame(runs=True)), ["name", "run", "round", "value"])
        self.assertRegex(repr(r["bold"]), "^<learner 'bold': value ")
        self.assertEqual((str(again), again.summary().rows), (str(r), r.summary().rows))
        self.assertEqual((again.measure, again._repr_html_()), ("value", r._repr_html_()))
        self.assertIn("effective rounds", r._repr_html_())
        self.assertRaises(ValueError, r.plot, "regret")
        plain = posse.run(experiment | {"rounds": 20, "learners": learners[1:], "environment": {"kind": "gaussian", "arms": 3}})
        self.assertEqual((plain.measure, hasattr(plain["blind"], "value")), ("regret", False))

    def test_wrong_files_are_told_at_their_place(self):
        for text, place, told in (
            ("", "1:1", "no event"),
            (LINES.replace(":0.2", ":0"), "2:7", "0 is no probability"),
            (LINES.replace("|", " "), "1:1", "no |"),
            (ACTIONS.replace("0:-1:0.25", "nonsense"), "3:1", "a label is"),
            (ACTIONS.replace("age:0.3", "age:inf"), "1:18", "no feature"),
        ):
            path = self.write(text)
            with self.assertRaises(posse.SpecificationError) as caught:
                posse.read_vw(path)
            (problem,) = caught.exception.problems
            self.assertIn(told, problem.text)
            self.assertEqual((f"{problem.line}:{problem.column}", problem.file), (place, str(path)))
        self.assertRaises(FileNotFoundError, posse.read_vw, scratch(self) / "nowhere.vw")

    def test_wrong_rounds_are_told_at_their_place(self):
        x, good = np.ones((2, 3)), (posse.Context(np.ones((2, 3))), 1, 0.5, 0.5)
        path = self.write("as it was")
        for wrong, place in (
            ((posse.Context(), 1, 0.5, 0.5), "context"),
            ((posse.Context(x[:, :2]), 1, 0.5, 0.5), "context"),
            ((posse.Context(x, [1]), 1, 0.5, 0.5), "context"),
            ((posse.Context(x, arms=[0, 2]), 2, 0.5, 0.5), "context"),
            ((posse.Context(x * np.nan), 1, 0.5, 0.5), "context.points"),
            ((posse.Context(x * 1j), 1, 0.5, 0.5), "context.points"),
            ((posse.Context(x[0]), 1, 0.5, 0.5), "context.points"),
            ((posse.Context(None, x), 1, 0.5, 0.5), "context.shared"),
            ((posse.Context(x, arms=[1, 1]), 1, 0.5, 0.5), "context.arms"),
            ((posse.Context(x, arms=[0]), 0, 0.5, 0.5), "context.arms"),
            ((posse.Context(x, arms=[-1, 0]), 0, 0.5, 0.5), "context.arms"),
            ((posse.Context(x), 2, 0.5, 0.5), "arm"),
            ((posse.Context(x), 1, np.inf, 0.5), "reward"),
            ((posse.Context(x), 1, 0.5, 0.0), "probability"),
            ((posse.Context(x), 1, 0.5, np.nan), "probability"),
        ):
            with self.subTest(place=place), self.assertRaises(posse.SpecificationError) as caught:
                posse.write_vw(path, [good, wrong])
            self.assertEqual(caught.exception.problems[0].path, f"rounds[1].{place}")
            self.assertEqual(path.read_text(), "as it was")
        self.assertRaises(posse.SpecificationError, posse.write_vw, path, [])
        self.assertRaises(FileNotFoundError, posse.write_vw, path.parent / "no" / "where.vw", [good])
        self.assertEqual([file.name for file in path.parent.iterdir()], ["log.vw"])


if __name__ == "__main__":
    unittest.main()
