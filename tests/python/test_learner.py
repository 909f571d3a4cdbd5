# SPDX-License-Identifier: MIT
"""Learners written in Python, beside those of the library."""

import copy
import gc
import math
import traceback
import unittest

import numpy as np
import posse
from support import Ucb, decisions, python, scratch, small

# A learner of the library that plays beside those in Python.
U = {"kind": "ucb", "name": "u"}


class Greedy(posse.Learner):
    """The library's `epsilon-greedy`, written in Python. It makes the same draws."""

    name = "greedy"

    def start(self, arms):
        self.count, self.sum = [0] * len(arms), [0.0] * len(arms)

    def act(self, draw):
        if draw.uniform() < 0.1:
            return draw.index(len(self.count))
        if 0 in self.count:
            return self.count.index(0)
        means = [s / n for s, n in zip(self.sum, self.count)]
        return means.index(max(means))

    def learn(self, arm, reward):
        self.count[arm] += 1
        self.sum[arm] += reward


class Stubborn(posse.Learner):
    """A learner that always returns the same value."""

    def __init__(self, says):
        self.says = says

    def act(self, draw):
        return self.says

    def learn(self, arm, reward):
        pass


class Nested(posse.Learner):
    """A learner that plays the decisions of another posse, which it owns."""

    def start(self, arms):
        self.inner = posse.Posse(len(arms), "uniform", [{"kind": "ucb", "name": "a"}, Ucb(2, name="b")])
        self.pending = []

    def act(self, draw):
        self.pending.append(self.inner.decide())
        return self.pending[-1].arm

    def learn(self, arm, reward):
        self.inner.learn(self.pending.pop(), reward)


class Upset(Exception):
    pass


class Grumpy(posse.Learner):
    """A learner that raises in one of its methods."""

    def __init__(self, where, after=20):
        self.where, self.left = where, after

    def upset(self, where):
        if where == self.where:
            self.left -= 1
            if self.left < 0:
                raise Upset(f"in {where}")

    def start(self, arms):
        self.upset("start")

    def act(self, draw):
        self.upset("act")
        return 0

    def learn(self, arm, reward):
        self.upset("learn")


def same_results(test, one, other):
    test.assertEqual(one.competitors, other.competitors)
    for a, b in zip(one, other, strict=True):
        for quantity in ("regret", "regret_ci95", "optimal_rate", "optimal_ci95", "runs"):
            np.testing.assert_array_equal(getattr(a, quantity), getattr(b, quantity), err_msg=f"{quantity} of {a.name}")


class Experiments(unittest.TestCase):
    def test_ucb_by_hand_gives_the_same_curves(self):
        for environment in (
            {"kind": "gaussian", "arms": 5},
            {"kind": "bernoulli", "arms": 3, "prior": {"alpha": 1, "beta": 3}},
        ):
            selectors = [
                {"name": "B-MS", "kind": "bms"},
                {"name": "shared", "kind": "bms", "share": True, "batch": 4},
                {"name": "d3rb", "kind": "d3rb"},
            ]
            shape = small(environment=environment, selectors=selectors, rounds=1500, runs=6)
            library = [{"name": f"c={c}", "kind": "ucb", "width": c} for c in (0.1, 1, 3)]
            by_hand = [Ucb(0.1, name="c=0.1"), {"kind": Ucb, "name": "c=1", "width": 1}, library[2]]
            one = posse.run({**shape, "learners": library})
            other = posse.run({**shape, "learners": by_hand}, threads=2)
            same_results(self, one, other)
            self.assertNotEqual(one["c=0.1"].regret[-1], one["c=1"].regret[-1])

    def test_draws_by_hand_are_the_same_draws(self):
        one = posse.run(small(learners=[{"name": "greedy", "kind": "epsilon-greedy"}, U]))
        other = posse.run(small(learners=[Greedy(), U]))
        same_results(self, one, other)

    def test_every_run_starts_from_the_instance_given(self):
        # If anything were left of an earlier run, results would depend on the number of runs.
        instance = Ucb(name="hand")
        few = posse.run(small(learners=[instance, U], runs=3))
        more = posse.run(small(learners=[instance, U], runs=9))
        np.testing.assert_array_equal(few["hand"].runs, more["hand"].runs[:3])
        self.assertFalse(hasattr(instance, "count"), "the instance given never plays")

    def test_an_exception_stops_the_run_and_is_told_whole(self):
        for where in ("start", "act", "learn"):
            with self.subTest(where=where):
                learners = [Grumpy(where, 0 if where == "start" else 20), U]
                try:
                    posse.run(small(learners=learners))
                    told = "nothing"
                except Upset as upset:  # assertRaises would drop the traceback
                    told = traceback.format_exc()
                    self.assertEqual(str(upset), f"in {where}")
                self.assertIn("self.upset(", told)
                self.assertIn("test_learner.py", told)
                # Afterwards everything still works.
                posse.run(small())

    def test_an_exception_of_posse_is_that_of_the_learner(self):
        class Careless(Stubborn):
            def act(self, draw):
                posse.Posse(2, "uniform", [{"kind": "ubc"}])

        try:
            posse.run(small(learners=[Careless(0), U]))
            self.fail("it did not raise")
        except posse.SpecificationError as error:
            self.assertIn('{"kind": "ubc"}', traceback.format_exc())
            self.assertRegex(str(error), r"^learners\[0\]\.kind: .*ubc")

    def test_an_exception_leaves_nothing_on_disk(self):
        import os

        folder = scratch(self)
        before = os.getcwd()
        os.chdir(folder)
        self.addCleanup(os.chdir, before)
        with self.assertRaises(Upset):
            posse.run(small(learners=[Grumpy("learn"), U]))
        self.assertEqual(list(folder.iterdir()), [])

    def test_wrong_answers_are_refused(self):
        for says in (-1, 4, 10**30, None, "0", 0.5, float("nan"), [0], object()):
            with self.subTest(says=says):
                with self.assertRaises((posse.LearnerError, TypeError, ValueError, OverflowError)):
                    posse.run(small(learners=[Stubborn(says), U]))

    def test_wrong_answers_are_told_with_the_class(self):
        for says, kind in ((None, TypeError), (1.0, TypeError), (7, ValueError), (-1, ValueError), (10**30, ValueError)):
            with self.subTest(says=says), self.assertRaises(kind) as caught:
                posse.run(small(learners=[Stubborn(says), U]))
            self.assertEqual(str(caught.exception), f"Stubborn.act() returned {says}; it has to return an arm, 0 to 3")
        with self.assertRaisesRegex(ValueError, r"^Stubborn\.act\(\) returned 2 numbers"):
            posse.Posse(dim=3, selector="uniform", learners=[Stubborn([0, 0])]).decide()
        with self.assertRaisesRegex(ValueError, r"^Stubborn\.act\(\) returned a point outside"):
            posse.Posse(dim=2, selector="uniform", learners=[Stubborn([1, 1])]).decide()

    def test_the_text_says_what_they_were(self):
        class Chatty(Stubborn):
            def __init__(self, says=0, company=None):
                super().__init__(says)

        company = {"b": "a \u2028 b", "c": object()}
        for number, (learner, remark) in enumerate(
            (
                ({"kind": Stubborn, "says": 2}, "Stubborn(says=2)"),
                (Stubborn(3), "Stubborn(says=3)"),
                (Chatty, "Chatty()"),
                ({"kind": Chatty, "company": company}, "Chatty(company={'b': 'a \\u2028 b', 'c': <object object>})"),
                ({"kind": Chatty, "company": range(10**6)}, "Chatty(company=range(0, 1000000))"),
                ({"kind": Chatty, "company": np.zeros((2, 2))}, "Chatty(company=array([[0., 0.], [0., 0.]]))"),
                ({"kind": Chatty, "company": np.eye(40)}, "..."),
            )
        ):
            for learners in ([learner, U], [U, learner]):
                text = posse.run(small(learners=learners, runs=1, rounds=3)).experiment
                with self.subTest(number=number, first=learners[0] is learner):
                    (line,) = [line for line in text.split("\n") if "#" in line]
                    self.assertIn("kind: python", line)
                    self.assertTrue(line.endswith(remark), line)

    def test_a_class_alone_is_its_instance(self):
        class Named(Stubborn):
            def __init__(self):
                super().__init__(1)
                self.name = "by the instance"

        for learner in (Named, {"kind": Named}, Named()):
            self.assertEqual(posse.run(small(learners=[learner, U])).learners, ("by the instance", "u"))
        self.assertEqual(posse.Posse(4, "uniform", [Named, U]).learners, ("by the instance", "u"))

    def test_what_is_no_learner_is_told(self):
        class Loner:
            pass

        for entry in (Loner, {"kind": Loner}, {"kind": Loner, "width": 1}):
            for make in (lambda e: posse.check(small(learners=[U, e])), lambda e: posse.Posse(4, "uniform", [U, e])):
                with self.assertRaises(posse.SpecificationError) as caught:
                    make(entry)
                self.assertEqual(
                    str(caught.exception),
                    "learners[1]: Loner is derived neither from posse.Learner nor from posse.Bandit; only learners and environments may be written in Python",
                )

    def test_numpy_integers_are_arms(self):
        for says in (np.int64(1), np.uint8(1), True):
            r = posse.run(small(learners=[Stubborn(says), {"kind": "fixed", "arm": 1, "name": "f"}]))
            np.testing.assert_array_equal(r["Stubborn"].regret, r["f"].regret)

    def test_linear_arms_and_the_ball_reach_a_learner(self):
        for arms in ({"set": "ball", "count": 6}, {"set": "ball", "count": "all"}):
            told = []

            class Wanderer(posse.Learner):
                def start(self, arms):
                    told.append((len(arms), arms.dim, None if arms.points is None else arms.points.shape))
                    self.arms = arms

                def act(self, draw):
                    if len(self.arms):
                        return draw.index(len(self.arms))
                    x = draw.normals(self.arms.dim)
                    return x / np.linalg.norm(x)

                def learn(self, arm, reward):
                    told.append(np.shape(arm))

            environment = {"kind": "linear", "dim": 3, "arms": arms}
            learners = [Wanderer(), {"name": "lt", "kind": "linear-thompson"}]
            r = posse.run(small(environment=environment, learners=learners, runs=2, rounds=30))
            self.assertTrue(np.isfinite(r["Wanderer"].regret).all())
            self.assertEqual(told[0], (6, 3, (6, 3)) if arms["count"] == 6 else (0, 3, None))
            self.assertIn(() if arms["count"] == 6 else (3,), told)

    def test_a_learner_may_have_a_posse_of_its_own(self):
        r = posse.run(small(learners=[Nested(), U], rounds=20, runs=2))
        by_itself = posse.Posse(4, "uniform", [{"kind": "ucb", "name": "a"}, Ucb(2, name="b")])
        self.assertEqual(
            decisions(by_itself, 20), decisions(posse.Posse(4, "uniform", [Nested(), U]).learner(0).inner, 20)
        )
        self.assertTrue(np.isfinite(r["Nested"].regret).all())

    def test_a_learner_may_run_an_experiment(self):
        hashes = set()

        class Researcher(Stubborn):
            def start(self, arms):
                hashes.add(posse.run(small(), threads=1).hash)

        posse.run(small(learners=[Researcher(0), U], runs=3))
        self.assertEqual(hashes, {posse.run(small()).hash})

    def test_what_is_missing_is_said(self):
        class Half(posse.Learner):
            def act(self, draw):
                return 0

        with self.assertRaisesRegex(NotImplementedError, "Half.*learn"):
            posse.run(small(learners=[Half(), U]))
        with self.assertRaisesRegex(TypeError, "wdith"):
            posse.run(small(learners=[{"kind": Ucb, "wdith": 1}, U]))

    def test_names_follow_the_class_and_stay_unique(self):
        r = posse.run(small(learners=[Stubborn(0), {"kind": Stubborn(1), "name": "other"}]))
        self.assertEqual(r.learners, ("Stubborn", "other"))
        with self.assertRaises(posse.SpecificationError):
            posse.run(small(learners=[Stubborn(0), Stubborn(1)]))


class Applications(unittest.TestCase):
    def test_ucb_by_hand_decides_the_same(self):
        for selector in ("bms", "corral", {"kind": "bms", "share": True}, None):
            library = [{"name": "a", "kind": "ucb", "width": 0.5}, {"name": "b", "kind": "ucb", "width": 2}]
            by_hand = [Ucb(0.5, name="a"), Ucb(2, name="b")]
            if selector is None:
                library, by_hand = library[:1], by_hand[:1]
            one, other = (
                posse.Posse(4, selector, which, prior="gaussian", rounds=1000) for which in (library, by_hand)
            )
            self.assertEqual(decisions(one, 1000), decisions(other, 1000))

    def test_late_rewards_and_newcomers(self):
        one, other = (
            posse.Posse(4, "bms", [first], prior="gaussian") for first in ({"name": "a", "kind": "ucb"}, Ucb(name="a"))
        )
        self.assertEqual(decisions(one, 50), decisions(other, 50))
        self.assertEqual(one.add_learner({"kind": "ucb", "name": "b", "width": 2}), other.add_learner(Ucb(2, name="b")))
        self.assertEqual(decisions(one, 50), decisions(other, 50))
        ones, others = [one.decide() for _ in range(9)], [other.decide() for _ in range(9)]
        for a, b in reversed(list(zip(ones, others))):
            self.assertEqual((a.arm, a.learner), (b.arm, b.learner))
            one.learn(a, 0.5)
            other.learn(b.id, 0.5)
        one.retire_learner("a")
        other.retire_learner(0)
        self.assertIsNone(other.learner("a"))
        self.assertEqual(decisions(one, 50), decisions(other, 50))

    def test_an_exception_comes_out_and_the_posse_lives_on(self):
        p = posse.Posse(2, "uniform", [Grumpy("act", 3), U])
        seen = 0
        for _ in range(100):
            try:
                p.learn(p.decide(), 0.0)
            except Upset as upset:
                seen += 1
                self.assertIn("self.upset(", "".join(traceback.format_exception(upset)))
        self.assertGreater(seen, 10)
        self.assertEqual(p.pending, 0)
        self.assertEqual(p.plays.sum(), 100 - seen)

    def test_an_exception_while_learning_settles_the_decision(self):
        p = posse.Posse(2, None, [Grumpy("learn", 0)])
        d = p.decide()
        with self.assertRaises(Upset):
            p.learn(d, 0.0)
        self.assertEqual(p.pending, 0)
        with self.assertRaises(posse.DecisionError):
            p.learn(d, 0.0)

    def test_an_exception_at_the_start_makes_no_posse(self):
        with self.assertRaises(Upset):
            posse.Posse(2, "uniform", [Grumpy("start", 0)])
        p = posse.Posse(2, "uniform", ["ucb"])
        with self.assertRaises(Upset):
            p.add_learner(Grumpy("start", 0))
        self.assertEqual(p.learners, ("ucb",))
        decisions(p, 10)

    def test_a_learner_that_meddles_with_its_own_posse_does_no_harm(self):
        class Meddler(posse.Learner):
            posse = None

            def __deepcopy__(self, memo):
                return self

            def act(self, draw):
                self.posse.decide()
                return 0

            def learn(self, arm, reward):
                self.posse.save()

        meddler = Meddler()
        p = posse.Posse(2, "uniform", [meddler])
        meddler.posse = p
        with self.assertRaises(Exception):
            p.decide()
        self.assertEqual(p.pending, 0)
        meddler.posse = None

    def test_a_draw_is_over_with_its_call(self):
        kept = []

        class Keeper(posse.Learner):
            def act(self, draw):
                kept.append(draw)
                return 0

            def learn(self, arm, reward):
                pass

        posse.Posse(2, None, [Keeper()]).decide()
        for call in (kept[0].uniform, kept[0].normal, lambda: kept[0].index(3), lambda: kept[0].normals(2)):
            with self.assertRaises(RuntimeError):
                call()

    def test_wrong_draws_are_refused(self):
        class Odd(posse.Learner):
            def act(self, draw):
                for call in (
                    lambda: draw.index(0),
                    lambda: draw.index(-1),
                    lambda: draw.normals(-1),
                    lambda: draw.gamma(0),
                    lambda: draw.gamma(math.nan),
                    lambda: draw.beta(-1, 1),
                    lambda: draw.weighted([]),
                    lambda: draw.weighted([0, 0]),
                    lambda: draw.weighted([1, -1]),
                    lambda: draw.weighted([math.nan]),
                    lambda: draw.index("3"),
                    lambda: draw.normals(10**15),
                ):
                    try:
                        call()
                    except (ValueError, TypeError, OverflowError, MemoryError):
                        continue
                    return 1
                return 0

            def learn(self, arm, reward):
                pass

        self.assertEqual(posse.Posse(2, None, [Odd()]).decide().arm, 0)

    def test_the_first_of_a_process_may_join_late(self):
        script = '''if True:
            import posse

            class First(posse.Learner):
                def act(self, draw):
                    return 2

            p = posse.Posse(3, learners=["ucb"], prior="gaussian")
            print(p.add_learner(First()), p.learners)
        '''
        answer = python("-c", script)
        self.assertEqual((answer.stdout, answer.stderr), ("1 ('ucb', 'First')\n", ""))

    def test_who_failed_to_join_is_gone(self):
        class Broken(posse.Learner):
            def start(self, arms):
                raise ZeroDivisionError

        p = posse.Posse(3, learners=["ucb"], prior="gaussian")
        with self.assertRaises(ZeroDivisionError):
            p.add_learner(Broken())
        self.assertEqual(posse.load(p.save()).learners, ("ucb",))  # a local class, which pickle would not find

    def test_the_kind_python_is_not_for_users(self):
        for learner in ({"kind": "python", "object": 0}, {"kind": "python"}):
            with self.assertRaisesRegex(posse.SpecificationError, r"learners\[1\].kind: .* object"):
                posse.Posse(3, learners=[Ucb(name="a"), learner], prior="gaussian")

    def test_names_are_compared_to_their_end(self):
        p = posse.Posse(3, learners=["ucb", "thompson"], prior="gaussian")
        for name in ("ucb\0", "ucb\0x", "\udc80", ""):
            with self.subTest(name=ascii(name)), self.assertRaises(posse.LearnerError):
                p.retire_learner(name)

    def test_what_the_collector_runs_may_add_learners(self):
        p = posse.Posse(3, learners=["ucb", "thompson"], prior="gaussian")
        decisions(p, 3)

        class Circle:
            def __init__(self):
                self.itself = self

            def __del__(self):
                for _ in range(500):
                    p.add_learner({"kind": "ucb", "name": str(len(p.learners))})

        thresholds = gc.get_threshold()
        try:
            for quantity in ("plays", "potentials", "probabilities", "learners", "active"):
                gc.disable()
                Circle()
                gc.set_threshold(1, 1, 1)
                gc.enable()
                self.assertLessEqual(len(getattr(p, quantity)), len(p.learners))
        finally:
            gc.set_threshold(*thresholds)
            gc.enable()
        self.assertGreater(len(p.learners), 2)

    def test_copies_are_independent(self):
        p = posse.Posse(4, "bms", [Ucb(name="a"), Ucb(3, name="b")], prior="gaussian")
        decisions(p, 30)
        q = copy.deepcopy(p)
        before = list(q.learner(0).count), list(q.learner(1).count)
        decisions(p, 30)
        self.assertEqual((q.learner(0).count, q.learner(1).count), before)


if __name__ == "__main__":
    unittest.main()
