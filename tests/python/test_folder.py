# SPDX-License-Identifier: MIT
"""Results that are opened from a folder or unpickled, curves of single runs, and data frames."""

import copy
import multiprocessing
import pickle
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


def again(thing):
    return pickle.loads(pickle.dumps(thing))


class Folder(unittest.TestCase):
    def check(self, r):
        """What is opened, what was pickled, and both after one another."""
        opened, pickled = posse.open(r.save(scratch(self))), again(r)
        for q in (opened, pickled, again(opened), again(pickled)):
            self.check_same(r, q)

    def check_same(self, r, q):
        for key in ("name", "title", "rounds", "runs", "seed", "hash", "experiment", "learners", "competitors", "claims"):
            self.assertEqual(getattr(q, key), getattr(r, key), key)
        self.assertTrue(same([p[2:] for p in q.pairs], [p[2:] for p in r.pairs]))
        self.assertEqual(str(q), str(r))
        for c in r:
            for key in ARRAYS + NUMBERS + ("run_regret",) + (OF_SELECTORS if c.role == "selector" else ()):
                self.assertTrue(same(getattr(q[c.name], key), getattr(c, key)), f"{c.name}: {key}")

    def test_what_is_opened_or_unpickled_is_what_was_made(self):
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


class Pickled(unittest.TestCase):
    def test_arrays_are_read_only(self):
        q = again(posse.run(small()))
        for array in (q.recorded, q["B-MS"].regret, q["B-MS"].runs, q["B-MS"].run_regret, q["B-MS"].shares):
            self.assertFalse(array.flags.writeable)

    def test_competitors_tables_and_copies(self):
        r = posse.run(small())
        c = again(r["wide"])
        self.assertTrue(same(c.run_regret, r["wide"].run_regret))
        self.assertEqual(str(again(r.summary())), str(r))
        self.assertEqual(str(copy.deepcopy(r)), str(r))
        self.assertEqual(posse.open(copy.copy(r).save(scratch(self))).hash, r.hash)

    def test_charts_are_the_same(self):
        r = posse.run(small())
        self.assertEqual(again(r)._outcome.charts(), r._outcome.charts())

    def test_what_is_not_there_says_so(self):
        q = again(posse.run(BALL))
        with self.assertRaises(posse.AbsentError):
            q["B-MS"].run_optimal
        with self.assertRaisesRegex(posse.RunError, "before they are pickled"):
            q.save(scratch(self))

    def test_a_pool_returns_results(self):
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            q = pool.apply(posse.run, (small(),))
        self.assertEqual(str(q), str(posse.run(small())))


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

    def test_a_frame_of_runs(self):
        r = posse.run(small())
        frame = r.to_frame(runs=True)
        self.assertEqual(list(frame), ["name", "run", "round", "regret", "optimal"])
        self.assertEqual(len(frame), len(r) * 8 * 200)
        for c in r:
            own = frame[frame["name"] == c.name]
            for key, curves in (("regret", c.run_regret), ("optimal", c.run_optimal)):
                self.assertTrue(same(own.pivot(index="run", columns="round", values=key), curves), (c.name, key))
        means = frame.groupby(["name", "round"], sort=False)["regret"].mean()
        self.assertTrue(np.allclose(means, r.to_frame()["regret"], rtol=1e-12))
        self.assertEqual(list(posse.run(BALL).to_frame(runs=True)), ["name", "run", "round", "regret"])

    def test_without_pandas_it_says_so(self):
        for make in (posse.run(small()).to_frame, posse.run(small()).summary().to_frame):
            with self.assertRaisesRegex(ImportError, "needs pandas, which is not installed"):
                self.with_pandas(None, make)


if __name__ == "__main__":
    unittest.main()
