# SPDX-License-Identifier: MIT
"""Results that are opened from a folder, curves of single runs, and data frames."""

import sys
import types
import unittest

import numpy as np
import posse
from support import EXPERIMENT, program, scratch, small

ARRAYS = ("regret", "regret_ci95", "optimal_rate", "optimal_ci95", "runs", "rounds")
NUMBERS = ("final_regret", "final_regret_ci95", "final_optimal_rate", "final_optimal_ci95")
OF_SELECTORS = ("shares", "plays", "plays_regret", "coefficient", "run_choices")

BALL = small(
    environment={"kind": "linear", "dim": 2, "arms": {"set": "ball", "count": "all"}},
    learners=[{"name": "t", "kind": "thompson"}, {"name": "l", "kind": "linear-thompson"}],
    selectors=[{"name": "B-MS", "kind": "bms"}, {"name": "one", "kind": "bms", "learners": ["t"]}],
)


def same(a, b):
    return np.array_equal(np.asarray(a), np.asarray(b), equal_nan=True)


class Folder(unittest.TestCase):
    def check(self, r):
        q = posse.open(r.save(scratch(self)))
        for key in ("name", "title", "rounds", "runs", "seed", "hash", "experiment", "learners", "competitors", "claims"):
            self.assertEqual(getattr(q, key), getattr(r, key), key)
        self.assertTrue(same([p[2:] for p in q.pairs], [p[2:] for p in r.pairs]))
        self.assertEqual(str(q), str(r))
        for c in r:
            for key in ARRAYS + NUMBERS + ("run_regret",) + (OF_SELECTORS if c.role == "selector" else ()):
                self.assertTrue(same(getattr(q[c.name], key), getattr(c, key)), f"{c.name}: {key}")
        return q

    def test_what_is_opened_is_what_was_saved(self):
        self.check(posse.run(EXPERIMENT, runs=70, rounds=200))
        self.check(posse.run(BALL, runs=1))
        self.check(posse.run(small(selectors=[], runs=3)))

    def test_what_the_program_wrote_is_opened(self):
        folder = scratch(self)
        answer = program("run", EXPERIMENT, "--runs", 9, "--rounds", 100, "--no-plots", "-q", "-o", folder)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        q, r = posse.open(folder / "small"), posse.run(EXPERIMENT, runs=9, rounds=100)
        self.assertEqual((q.hash, str(q)), (r.hash, str(r)))

    def test_folders_without_results_are_refused(self):
        folder = scratch(self)
        with self.assertRaisesRegex(posse.RunError, "holds no results: there is no manifest.json"):
            posse.open(folder)
        saved = posse.run(small()).save(folder)
        with self.assertRaisesRegex(posse.RunError, "saved already"):
            posse.open(saved).save(folder)
        (folder / "small" / "results.h5").write_bytes(b"nothing")
        q = posse.open(saved)
        with self.assertRaisesRegex(posse.RunError, "results.h5 cannot be read"):
            q["B-MS"].runs
        (folder / "small" / "curves.csv").write_text("name\n")
        with self.assertRaisesRegex(posse.RunError, "cannot be read"):
            posse.open(saved)


class Curves(unittest.TestCase):
    def test_curves_of_runs_have_the_means_of_the_results(self):
        r = posse.run(small(runs=70))
        for c in r:
            self.assertEqual(c.run_regret.shape, (70, 200))
            self.assertTrue(np.array_equal(c.run_regret[:, -1], c.runs))
            self.assertTrue(np.allclose(c.run_regret.mean(0), c.regret, rtol=1e-12))
            self.assertTrue(np.allclose(c.run_optimal.mean(0), c.optimal_rate))
        choices = r["B-MS"].run_choices
        shares = [(choices == learner).mean(0) for learner in range(2)]
        self.assertTrue(np.allclose(np.transpose(shares), r["B-MS"].shares))

    def test_what_has_no_such_curves_says_so(self):
        r = posse.run(BALL)
        q = posse.open(r.save(scratch(self)))
        for results in (r, q):
            with self.assertRaises(posse.AbsentError):
                results["B-MS"].run_optimal
            with self.assertRaises(AttributeError):
                results["t"].run_choices


class Frames(unittest.TestCase):
    def with_pandas(self, module, act):
        before = sys.modules.get("pandas")
        sys.modules["pandas"] = module
        try:
            return act()
        finally:
            del sys.modules["pandas"]
            if before is not None:
                sys.modules["pandas"] = before

    def test_frames_have_the_columns_of_the_files(self):
        r = posse.run(small())
        stand_in = types.SimpleNamespace(DataFrame=dict)
        table = self.with_pandas(stand_in, r.summary().to_frame)
        self.assertEqual(list(table), list(r.summary().rows[0]))
        self.assertEqual(table["regret"], [c.final_regret for c in r])
        curves = self.with_pandas(stand_in, r.to_frame)
        self.assertEqual(list(curves), ["name", "round", "regret", "regret_ci95", "optimal_rate", "optimal_ci95"])
        self.assertEqual({len(column) for column in curves.values()}, {len(r) * 200})
        at = curves["name"].index("wide") + 9
        self.assertEqual((curves["round"][at], curves["regret"][at]), (10, r["wide"].regret[9]))

    def test_without_pandas_it_says_so(self):
        for make in (posse.run(small()).to_frame, posse.run(small()).summary().to_frame):
            with self.assertRaisesRegex(ImportError, "needs pandas, which is not installed"):
                self.with_pandas(None, make)


if __name__ == "__main__":
    unittest.main()
