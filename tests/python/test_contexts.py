# SPDX-License-Identifier: MIT
"""Rounds with features."""

import array
import copy
import ctypes
import os
import pickle
import subprocess
import unittest
import warnings

import numpy as np
import posse
from contextual import LEARNERS, Ridge, both, chance, joint, shared
from posse import _posse
from support import ROOT, scratch


def play(p, contexts, **how):
    """Decides in each context and learns. Returns the decisions."""
    made = []
    for x in contexts:
        d = p.decide(x, **how)
        made.append((d.learner, d.arm, d.probability, d.propensity, d.floor, tuple(d.features)))
        p.learn(d, float(np.sum(d.features)) / 3)
    return made


def matrices(count, seed=1):
    return [chance([seed, n]).normal(size=(6, 3)) for n in range(count)]


TWIN = """
#include <posse_all.h>
/* Plays rounds of five arms with two features each and three that they share; some arms are left out of a round. */
int play(int rounds, const int *counts, const int *arms, const double *points, const double *shared, int *played) {
    posse_part learners[] = {{.kind = "linear-ucb", .name = "bold", .options = {{"width", 0.3}}},
                             {.kind = "linear-thompson", .name = "sampler", .options = {{"width", 0.5}}},
                             {.kind = "epsilon-greedy", .name = "dice"},
                             {.kind = "ucb", .name = "blind"}};
    posse_def def = posse_default_def();
    def.arms = 5;
    def.dim = 2;
    def.context = 3;
    def.prior = (posse_part){.kind = "linear", .options = {{"noise", 0.5}}};
    def.selector = (posse_part){.kind = "uniform", .options = {{"floor", 0.25}}};
    def.learners = learners;
    def.learner_count = 4;
    def.seed = 7;
    posse *p;
    if (posse_create(&def, &p) != POSSE_OK) return 0;
    int n = 0;
    for (; n < rounds; n++) {
        posse_context c = {.count = counts[n], .arms = arms, .points = points, .shared = shared + 3 * n};
        posse_decision d;
        if (posse_decide(p, &c, &d) != POSSE_OK) break;
        played[2 * n] = d.learner;
        played[2 * n + 1] = d.arm;
        if (posse_learn(p, d.id, d.point[0] + d.point[4]) != POSSE_OK) break;
        arms += counts[n];
        points += 2 * counts[n];
    }
    posse_free(p);
    return n;
}
"""


def twin(folder, rounds):
    """The decisions of a program in C in rounds of (arms, points, shared)."""
    (folder / "twin.c").write_text(TWIN)
    subprocess.run(["cc", "-shared", "-fPIC", f"-I{ROOT / 'include'}", "twin.c", "-o", "twin.so"], cwd=folder, check=True)
    ctypes.CDLL(_posse.__file__, mode=os.RTLD_NOW | os.RTLD_GLOBAL)  # the library is in the module
    counts = np.array([len(arms) for arms, _, _ in rounds], np.intc)
    played = np.zeros((len(rounds), 2), np.intc)
    arrays = [
        counts,
        np.concatenate([arms for arms, _, _ in rounds]).astype(np.intc),
        np.concatenate([points.ravel() for _, points, _ in rounds]),
        np.concatenate([numbers for _, _, numbers in rounds]),
        played,
    ]
    done = ctypes.CDLL(folder / "twin.so").play(len(rounds), *(a.ctypes.data_as(ctypes.c_void_p) for a in arrays))
    assert done == len(rounds)
    return played.tolist()


class Decisions(unittest.TestCase):
    def test_they_are_those_of_c(self):
        r, rounds = chance(5), []
        for _ in range(400):
            arms = np.sort(r.choice(5, size=r.integers(1, 6), replace=False))
            rounds.append((arms, r.normal(size=(len(arms), 2)), r.normal(size=3)))
        p = both(selector={"kind": "uniform", "floor": 0.25}, seed=7)
        made = []
        for arms, points, numbers in rounds:
            order = r.permutation(len(arms))  # arms may be in any order
            d = p.decide(points=points[order], shared=numbers, arms=arms[order])
            made.append([d.learner, d.arm])
            p.learn(d, d.features[0] + d.features[4])
        self.assertEqual(made, twin(scratch(self), rounds))

    def test_they_are_those_of_an_experiment(self):
        for environment in (
            {"kind": "contextual", "dim": 4, "arms": 8, "present": [2, 8], "noise": 0.3},
            {"kind": "contextual", "model": "disjoint", "context": 4, "arms": 3, "link": "logistic"},
        ):
            learners = LEARNERS[:1]
            experiment = {"name": "c", "rounds": 150, "runs": 3, "seed": 3, "environment": environment}
            r = posse.run({**experiment, "learners": learners})
            e = posse.Environment(environment, seed=3)
            for run in range(3):
                e.begin(run)
                p = posse.Posse(e.arms, dim=e.dim, context=e.context, selector=None, learners=learners, seed=3, run=run)
                regret = 0.0
                for _ in range(150):
                    d = p.decide(e.round())
                    regret += e.regret(d)
                    p.learn(d, e.reward(d))
                self.assertEqual(regret, r["bold"].runs[run])

    def test_b_ms_decides_as_in_an_experiment(self):
        environment = {"kind": "contextual", "dim": 4, "arms": 8, "present": [2, 8], "noise": 0.5}
        selector = {"kind": "bms-plus", "memory": 8}
        experiment = {"name": "c", "rounds": 300, "runs": 2, "seed": 3, "environment": environment, "learners": LEARNERS}
        r = posse.run({**experiment, "selectors": [{"name": "B-MS+", **selector}]})
        e = posse.Environment(environment, seed=3)
        for run in range(2):
            e.begin(run)
            p = joint(arms=8, dim=4, selector=selector, seed=3, run=run)
            regret = 0.0
            for _ in range(300):
                d = p.decide(e.round())
                regret += e.regret(d)
                p.learn(d, e.reward(d))
            self.assertEqual(regret, r["B-MS+"].runs[run])
            self.assertEqual(p.plays.sum(), 300)

    def test_numbers_may_come_as_lists_and_arrays_of_any_kind(self):
        given = [np.round(x, 3) for x in matrices(60)]
        made = play(joint(), given)
        for form in (
            np.ndarray.tolist,
            lambda x: tuple(map(tuple, x)),
            np.asfortranarray,
            lambda x: np.repeat(x, 2, axis=0)[::2],
            lambda x: x.astype(">f8"),
            lambda x: memoryview(x),
            lambda x: posse.Context(x),
            lambda x: posse.Context(points=x.tolist(), arms=range(6)),
            lambda x: posse.Context(x, None, np.arange(6, dtype=np.uint8)),
        ):
            self.assertEqual(play(joint(), map(form, given)), made)
        small = [x.astype(np.float32) for x in given]
        self.assertEqual(play(joint(), small), play(joint(), [x.astype(float) for x in small]))
        whole = [np.round(3 * x).astype(int) for x in given]
        self.assertEqual(play(joint(), whole), play(joint(), [x.astype(float) for x in whole]))
        rows = [x[0] for x in given]
        self.assertEqual(play(shared(), [array.array("d", row) for row in rows]), play(shared(), rows))

    def test_an_array_of_doubles_is_not_copied(self):
        class Counted(np.ndarray):
            def __array_finalize__(self, obj):
                made.append(self.shape)

        made = []
        x = chance().normal(size=(6, 3)).view(Counted)
        before = len(made)
        joint().decide(x)
        self.assertEqual(len(made), before)

    def test_all_ways_to_say_a_context_are_one(self):
        x, s = chance().normal(size=(5, 2)), [0.1, 0.2, 0.3]
        ways = [
            lambda p: p.decide((x, s)),
            lambda p: p.decide(context=(x, s)),
            lambda p: p.decide(posse.Context(x, s)),
            lambda p: p.decide(context=posse.Context(points=x, shared=s)),
            lambda p: p.decide(points=x, shared=s),
            lambda p: p.decide((x, s), arms=[0, 1, 2, 3, 4]),
            lambda p: p.decide((x[::-1], s), arms=[4, 3, 2, 1, 0]),
        ]
        first = ways[0](both())
        self.assertEqual((first.point, len(first.features)), (None, 5))
        self.assertEqual(first.features.tolist(), [*x[first.arm], *s])
        for way in ways[1:]:
            self.assertEqual(way(both()), first)

    def test_arms_that_are_not_there_are_not_picked(self):
        p, r, picked = joint(), chance(), set()
        for _ in range(300):
            arms = r.permutation(6)[: r.integers(1, 7)]
            d = p.decide(r.normal(size=(len(arms), 3)), arms=arms.tolist())
            self.assertIn(d.arm, arms)
            picked.add(d.arm)
            p.learn(d, 0.5)
        self.assertEqual(picked, set(range(6)))

    def test_without_a_list_the_arms_are_the_first(self):
        p = joint()
        for n in range(1, 7):
            self.assertLess(p.decide(np.ones((n, 3))).arm, n)
        p = joint(learners=[{"kind": "ucb"}], selector=None)
        p.retire_arm(0)
        p.retire_arm(3)
        self.assertEqual({p.decide(np.ones((4, 3))).arm}, {1})
        with self.assertRaisesRegex(posse.ContextError, r"^context.arms\[0\]: arm 0 is retired$"):
            p.decide(np.ones((3, 3)))

    def test_a_floor_makes_propensities_exact(self):
        p, seen = joint(selector={"kind": "uniform", "floor": 0.4}), set()
        for x in matrices(300):
            d = p.decide(x)
            self.assertIn(d.propensity, (1 - 0.4 + 0.4 / 6, 0.4 / 6))
            self.assertEqual(d.floor, d.propensity < 0.5)
            seen.add(d.floor)
            (pending,) = p.pending_decisions()
            self.assertEqual((pending.propensity, pending.floor), (d.propensity, d.floor))
            self.assertEqual(pickle.loads(pickle.dumps(d)), d)
            p.learn(d, 0)
        self.assertEqual(seen, {False, True})

    def test_features_stay_with_a_decision(self):
        p = joint()
        first, second = (p.decide(x) for x in matrices(2))
        kept = first.features.copy()
        self.assertEqual(pickle.loads(pickle.dumps(first)).features.tolist(), kept.tolist())
        self.assertEqual([d.features.tolist() for d in p.pending_decisions()], [kept.tolist(), second.features.tolist()])
        self.assertEqual(copy.copy(first), first)
        plain = posse.Posse(3, prior="beta", learners=["ucb"]).decide()
        self.assertEqual((plain.features, plain.floor), (None, False))


class Mixed(unittest.TestCase):
    def test_numbers_in_an_array_of_objects_are_features(self):
        """As a row of a data frame with columns of several types."""
        p = posse.Posse(arms=4, context=3, prior="linear", learners=["linear-ucb", "linear-thompson"])
        q = posse.Posse(arms=4, context=3, prior="linear", learners=["linear-ucb", "linear-thompson"])
        for row in ([1, 0.5, True], [2, -0.5, np.bool_(False)]):
            d, e = p.decide(np.array(row, dtype=object)), q.decide(np.array(row, dtype=float))
            self.assertEqual((d.learner, d.arm), (e.learner, e.arm))
            p.learn(d, 1.0), q.learn(e, 1.0)
        with self.assertRaises(posse.ContextError):
            p.decide(np.array([1, "0.5", 2], dtype=object))

    def test_masked_entries_are_refused(self):
        """The memory behind a mask holds a number, which nobody meant."""
        p = posse.Posse(arms=4, context=2, prior="linear", learners=["linear-ucb", "linear-thompson"])
        mask = [False, True]
        one, many = np.ma.array([1.0, 2.0], mask=mask), np.ma.array(np.ones((3, 2)), mask=[mask] * 3)
        before = p.save()
        with self.assertRaisesRegex(posse.ContextError, "context.shared: an entry is masked"):
            p.decide(one)
        with self.assertRaisesRegex(posse.ContextError, "context.shared: an entry is masked"):
            p.decide_many(many)
        with self.assertRaisesRegex(posse.ContextError, "context.arms: an entry is masked"):
            p.decide(posse.Context(shared=[1.0, 2.0], arms=np.ma.array([0, 1], mask=mask)))
        with self.assertRaisesRegex(posse.RewardError, "a reward is masked"):
            p.teach_many([0, 1], np.ma.array([1.0, 1.0], mask=mask), np.ones((2, 2)))
        with self.assertRaisesRegex(posse.ContextError, "context.shared: an entry is masked"):
            p.decide_many([one, one])
        with self.assertRaisesRegex(posse.RewardError, "a reward is masked"):
            p.teach_many([0, 1], [1.0, np.ma.masked], np.ones((2, 2)))
        self.assertEqual(p.save(), before)
        d = p.decide(np.ma.array([1.0, 2.0], mask=[False, False]))
        with self.assertRaisesRegex(posse.DecisionError, "is masked"):
            p.learn_many(np.ma.array([d.id], mask=[True]), [1.0])
        p.learn(d, 1.0)
        points = posse.Posse(arms=2, dim=2, prior="linear", learners=["linear-ucb"])
        for context in (posse.Context([one, one]), posse.Context([one.tolist(0.0), one])):
            with self.assertRaisesRegex(posse.ContextError, "context.points: an entry is masked"):
                points.decide(context)
        named = posse.Posse(["a", "b"], dim=8, rewards="clicks", features={})
        for value in (np.ma.masked, np.ma.array(["x", "y"], mask=mask)):
            with self.assertRaisesRegex(posse.ContextError, "context.age: it is masked"):
                named.decide({"age": value})

    def test_masked_points_arms_and_rewards_are_refused(self):
        ball = posse.Posse(dim=2, prior="linear", learners=["thompson", "external"], seed=1)
        rows = posse.Posse(points=[[1.0, 0.0], [0.0, 1.0]], prior="linear", learners=["linear-ucb"])
        point, whole = np.ma.array([0.6, 0.8], mask=[True, False]), np.ma.array([0.6, 0.8], mask=False)
        one, d = np.ma.array(1, mask=True), rows.decide()
        before = ball.save(), rows.save()
        for path, call in (
            ("points", lambda: posse.Posse(points=np.ma.array(np.eye(2), mask=np.eye(2)), prior="linear", learners=["linear-ucb"])),
            ("points", lambda: posse.Posse(points=[point, point], prior="linear", learners=["linear-ucb"])),
            ("point", lambda: rows.add_arm(point)),
            ("point", lambda: ball.teach(point, 1.0)),
            ("points", lambda: ball.teach_many(np.ma.array([point]), [1.0])),
            ("arm", lambda: rows.teach(one, 1.0)),
        ):
            with self.subTest(path=path), self.assertRaisesRegex(posse.SpecificationError, f"^{path}: an entry is masked"):
                call()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for call in (lambda: rows.learn(d, np.ma.masked), lambda: rows.teach(0, np.ma.masked), lambda: rows.learn(d, one)):
                with self.assertRaisesRegex(posse.RewardError, "a reward is masked"):
                    call()
        self.assertEqual((ball.save(), rows.save()), before)
        rows.learn(d, np.float32(0.5))
        rows.add_arm(whole)
        ball.teach(whole, np.ma.array(1.0, mask=False))

    def test_a_feature_may_be_an_array_without_dimensions(self):
        one, other = (posse.Posse(["a", "b"], dim=8, rewards="clicks", features={}, seed=1) for _ in range(2))
        one.decide({"age": np.array(3.0), "sort": np.array("x")})
        other.decide({"age": 3.0, "sort": "x"})
        self.assertEqual(one.feature_slots, other.feature_slots)
        self.assertEqual(one.save(), other.save())


class Wrong(unittest.TestCase):
    def refuses(self, p, call, path, text):
        before = p.save()
        with self.assertRaises(posse.ContextError) as caught:
            call(p)
        error = caught.exception
        self.assertEqual((error.problem.path, error.code), (path, "POSSE_ERROR_CONTEXT"))
        self.assertRegex(error.problem.text, text)
        self.assertEqual(str(error), f"{path}: {error.problem.text}")
        self.assertIsInstance(error, ValueError)
        self.assertEqual(p.save(), before)

    def test_contexts_are_told_at_their_place_and_change_nothing(self):
        x, nan, inf = np.ones((6, 3)), np.ones((6, 3)), np.ones((6, 3))
        nan[4, 1], inf[2, 0] = np.nan, -np.inf
        p = joint()
        play(p, matrices(20))
        for context, arms, path, text in (
            (None, None, "context", "^is missing; rounds have 3 features$"),
            (x[:0], None, "context.arms", "at least one arm"),
            (x[:0], [], "context.arms", "at least one arm"),
            (x[:3], [], "context.points", "^3 rows, and 0 arms are listed$"),
            (x[:3], [0, 1], "context.points", "^3 rows, and 2 arms are listed$"),
            (np.ones((7, 3)), None, "context.arms", "7 arms, and there are only 6"),
            (x[:3], [4, 2, 4], "context.arms[2]", "^arm 4 is there twice$"),
            (x[:3], [4, 6, 1], "context.arms[1]", "^there is no arm 6, only 0 to 5$"),
            (x[:3], [4, -1, 1], "context.arms[1]", "^there is no arm -1"),
            (x[:3], [4, 2**40, 1], "context.arms[1]", "^there is no arm 1099511627776, only 0 to 5$"),
            (x[:3], np.array([4, 2**64 - 1, 1], np.uint64), "context.arms", "^there is no arm 18446744073709551615$"),
            (x[:3], [4, 2**100, 1], "context.arms", "numbers of arms are needed, not object"),
            (x[:3], [0.5, 1, 2], "context.arms", "numbers of arms are needed, not float64"),
            (x[:3], ["a", "b", "c"], "context.arms[0]", "there is no arm \"a\""),
            (x[:1], 3, "context.arms", "must be a list"),
            (x, np.ones(6, bool), "context.arms", "flatnonzero"),
            (nan, None, "context.points[4][1]", "^nan is no feature"),
            (nan, [5, 4, 3, 2, 1, 0], "context.points[4][1]", "^nan is no feature"),
            (inf, None, "context.points[2][0]", "^-inf is no feature"),
            (1e7 * x, None, "context.points[0][0]", "at most 1e\\+06"),
            (x[:, :2], None, "context.points", "^must be an array, arms x 3, not 6 x 2$"),
            (x[0], None, "context.points", "^must be an array, arms x 3, not 3$"),
            (x[None], None, "context.points", "not 1 x 6 x 3$"),
            (1.5, None, "context.points", "not one number$"),
            (x.astype(complex), None, "context.points", "^numbers are needed, not complex128$"),
            (x.astype(str), None, "context.points", "^numbers are needed"),
            ("words", None, "context.points", "^numbers are needed"),
            ([[1, 2, 3], [1, 2]], None, "context.points", "^numbers are needed"),
            ([[1, 2, None]], None, "context.points", "^numbers are needed, not object$"),
        ):
            with self.subTest(path=path, text=text):
                self.refuses(p, lambda p: p.decide(context, arms=arms), path, text)

    def test_parts_of_it(self):
        x, s = np.ones((5, 2)), [1.0, 2.0, 3.0]
        for context, path, text in (
            (x, "context", r"\(points, shared\) is needed"),
            ((x, s, s), "context", r"\(points, shared\) is needed"),
            (posse.Context(x), "context.shared", "^is missing; there must be 3 numbers$"),
            (posse.Context(None, s), "context.points", "^is missing"),
            (posse.Context(), "context.shared", "^is missing"),
            (posse.Context(x, s[:2]), "context.shared", "^must be 3 numbers, not 2$"),
            (posse.Context(x, [1, np.nan, 3]), "context.shared[1]", "^nan is no feature"),
            (posse.Context(x[:2], s, [3, 3]), "context.arms[1]", "^arm 3 is there twice$"),
        ):
            for call in (
                lambda p, context=context: p.decide(context),
                lambda p, context=context: p.teach(3, 0.5, context=context),
                lambda p, context=context: p.propensities(10, context=context),
                lambda p, context=context: p.means_in(context),
            ):
                self.refuses(both(selector={"kind": "bms"}), call, path, text)
        self.refuses(joint(), lambda p: p.decide(points=np.ones((6, 3)), shared=s), "context.shared", "have none")
        self.refuses(shared(), lambda p: p.decide(points=x, shared=s), "context.points", "have none")
        self.refuses(shared(), lambda p: p.decide(x), "context.shared", "^must be 3 numbers, not 5 x 2$")

    def test_where_rounds_bring_none_a_context_is_wrong(self):
        p = posse.Posse(3, prior="beta", learners=["ucb"])
        for call in (
            lambda p: p.decide([1, 2]),
            lambda p: p.decide(arms=[0, 1]),
            lambda p: p.teach(1, 0.5, context=[1, 2]),
            lambda p: p.propensities(10, context=posse.Context()),
            lambda p: p.means_in(posse.Context()),
        ):
            self.refuses(p, call, "context", "^given, but rounds of this posse have no features$")

    def test_where_rounds_bring_features_a_context_is_needed(self):
        for call in (
            lambda p: p.decide(),
            lambda p: p.decide(None, points=None),
            lambda p: p.teach(1, 0.5),
            lambda p: p.propensities(),
            lambda p: p.means_in(None),
            lambda p: p.deviations_in(None),
        ):
            self.refuses(joint(selector={"kind": "bms"}), call, "context", "^is missing; rounds have 3 features$")
        p = joint(selector={"kind": "bms"})
        for name in ("means", "deviations"):
            self.assertFalse(hasattr(p, name))
        self.assertRaises(posse.AbsentError, p.best_probabilities)

    def test_features_are_not_given_twice(self):
        p, x = joint(), np.ones((6, 3))
        for call in (
            lambda: p.decide(x, points=x),
            lambda: p.decide(posse.Context(x), arms=[1]),
            lambda: p.decide(x, context=x),
            lambda: p.decide(x, x),
            lambda: p.decide(feature=x),
        ):
            self.assertRaises(TypeError, call)
        self.assertEqual(p.decisions, 0)

    def test_a_posse_says_what_its_rounds_bring(self):
        self.assertEqual([(p.features, p.shared_features, p.dim) for p in (joint(), shared(), both())],
                         [(3, 0, 3), (3, 3, 0), (5, 3, 2)])  # fmt: skip
        plain = posse.Posse(points=np.eye(2), prior="linear", learners=["ucb"])
        self.assertEqual((plain.features, plain.shared_features, plain.dim), (0, 0, 2))
        for context in (-1, 1.5, 2**40):
            self.assertRaises((posse.SpecificationError, TypeError), shared, context=context)

    def test_an_exception_is_pickled(self):
        try:
            joint().decide(np.ones((2, 3)), arms=[1, 1])
        except posse.ContextError as error:
            again = pickle.loads(pickle.dumps(error))
        self.assertEqual((again.problem.path, str(again)), ("context.arms[1]", "context.arms[1]: arm 1 is there twice"))


class Outside(unittest.TestCase):
    def test_an_external_learner_acts_in_a_context(self):
        x = chance().normal(size=(6, 3))
        p = joint(learners=["external"], selector={"kind": "bms"})
        d = p.decide(x)
        self.assertEqual((d.untold, d.features), (True, None))
        before = p.save()
        self.assertRaises(posse.ContextError, p.acted, d, 3)
        self.assertRaises(posse.ContextError, p.acted, d, 3, context=x[:, :2])
        self.assertRaises(posse.ContextError, p.acted, d, 3, context=x[:3])
        self.assertEqual(p.save(), before)
        p.acted(d, 3, context=x)
        self.assertEqual((d.arm, d.features.tolist()), (3, x[3].tolist()))
        p.learn(d, 1)
        self.assertGreater(p.means_in(x)[3], 0)

    def test_what_is_taught_is_learned(self):
        p = joint(selector={"kind": "bms"})
        x, theta, r = chance().normal(size=(6, 3)), np.array([1.0, -1.0, 0.5]), chance(2)
        for _ in range(300):
            features = r.normal(size=(1, 3))
            arm = int(r.integers(6))
            p.teach(arm, float(features @ theta), context=posse.Context(features, arms=[arm]))
        self.assertTrue(np.allclose(p.means_in(x), x @ theta, atol=0.1))
        self.assertTrue(np.all(p.deviations_in(x) < 0.2))
        self.assertEqual(p.decisions, 0)
        order = [4, 0, 2]
        for ask in (p.means_in, p.deviations_in):
            mixed = ask(posse.Context(x[order], arms=order))
            self.assertEqual(mixed.tolist(), ask(x)[order].tolist())  # in the order of the arms given

    def test_looks_inside_change_nothing(self):
        p = joint()
        play(p, matrices(30))
        saved, x = p.save(), chance().normal(size=(6, 3))
        shares = p.propensities(400, context=posse.Context(x[:3], arms=[5, 0, 2]))
        self.assertAlmostEqual(shares.arms.sum(), 1)
        self.assertEqual(shares.arms[[1, 3, 4]].tolist(), [0, 0, 0])
        self.assertEqual(p.save(), saved)
        self.assertRaises(posse.AbsentError, p.means_in, x)


class Saving(unittest.TestCase):
    def test_what_is_loaded_goes_on(self):
        for make, contexts in (
            (joint, matrices(60)),
            (shared, [x[0] for x in matrices(60)]),
            (both, [(x[:5, :2], x[5]) for x in matrices(60)]),
        ):
            p = make(learners=[*LEARNERS, Ridge()])
            play(p, contexts[:30])
            waiting = p.decide(contexts[30])
            others = [posse.load(p.save()), pickle.loads(pickle.dumps(p)), copy.deepcopy(p)]
            p.learn(waiting, 0.5)
            made = play(p, contexts[31:])
            for other in others:
                self.assertEqual((other.features, other.shared_features), (p.features, p.shared_features))
                other.learn(waiting, 0.5)
                self.assertEqual(play(other, contexts[31:]), made)


class Environments(unittest.TestCase):
    def test_they_bring_rounds(self):
        e = posse.Environment({"kind": "contextual", "dim": 3, "arms": 9, "present": [2, 9]}, seed=4)
        self.assertEqual((e.arms, e.dim, e.context, e.points), (9, 3, 0, None))
        with self.assertRaisesRegex(ValueError, r"round\(\) comes first"):
            e.reward(0)
        first = e.round()
        self.assertIsInstance(first, posse.Context)
        self.assertEqual(first.points.shape, (len(first.arms), 3))
        self.assertIsNone(first.shared)
        means, there = e.means, np.isin(np.arange(9), first.arms)
        self.assertEqual(np.isnan(means).tolist(), (~there).tolist())
        self.assertEqual([e.regret(arm) for arm in first.arms], (means[there].max() - means[there]).tolist())
        kept, counts = first.points.copy(), set()
        for _ in range(50):
            counts.add(len(e.round().arms))
        self.assertEqual(counts, set(range(2, 10)))
        self.assertEqual(first.points.tolist(), kept.tolist())  # the array belongs to the caller
        while len(e.round().arms) == 9:
            pass
        for wrong, text in ((8, "arm 8 is not available in this round"), (9, "there are only arms 0 to 8")):
            with self.assertRaisesRegex(ValueError, text):
                e.reward(wrong)
        e.begin(0)
        self.assertEqual(e.round().points.tolist(), kept.tolist())

    def test_those_without_features_bring_none(self):
        e = posse.Environment({"kind": "gaussian", "arms": 3})
        self.assertRaises(posse.AbsentError, e.round)
        self.assertEqual(e.context, 0)

    def test_rows_of_a_table(self):
        path = scratch(self) / "animals.csv"
        path.write_text("animal,size,legs\n" + "cat,0.3,1\nemu,0.9,0.5\nant,0,1.5\nemu,0.8,0.5\n" * 5)
        environment = {"kind": "table", "file": path, "label": "animal", "features": ["legs", "size"], "shuffle": False}
        e = posse.Environment(environment)
        self.assertEqual((e.arms, e.dim, e.context), (3, 0, 2))
        self.assertEqual(e.round().shared.tolist(), [1, 0.3])
        self.assertEqual([(e.reward(arm), e.regret(arm)) for arm in range(3)], [(0, 1), (1, 0), (0, 1)])
        learners = LEARNERS[:1]
        r = posse.run({"name": "t", "rounds": 60, "runs": 2, "seed": 1, "environment": environment, "learners": learners})
        p, regret = posse.Posse(3, None, learners, context=2), 0.0
        e.begin(0)
        for _ in range(60):
            d = p.decide(e.round())
            regret += e.regret(d)
            p.learn(d, e.reward(d))
        self.assertEqual(regret, r["bold"].runs[0])
        for change, told in (({"label": "animl"}, "label"), ({"file": "nowhere.csv"}, "file"), ({"features": ["leg"]}, "features")):
            with self.assertRaises(posse.SpecificationError) as caught:
                posse.Environment(environment | change)
            self.assertIn(told, caught.exception.problems[0].path)

    def test_shared_features(self):
        e = posse.Environment({"kind": "contextual", "model": "disjoint", "context": 4, "arms": 3})
        self.assertEqual((e.arms, e.dim, e.context), (3, 0, 4))
        c = e.round()
        self.assertEqual((c.points, c.shared.shape, c.arms.tolist()), (None, (4,), [0, 1, 2]))
        self.assertIsInstance(e.reward(2), float)


if __name__ == "__main__":
    unittest.main()
