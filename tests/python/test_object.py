# SPDX-License-Identifier: MIT
"""The object in production: pending decisions, decisions of another posse, external learners, and what can be read."""

import copy
import inspect
import pickle
import re
import unittest

import numpy as np
import posse
from support import WRITTEN_OUT, Ucb, decisions, pay, small, written_out

LEARNERS = [{"kind": "ucb", "name": "cautious"}, {"kind": "ucb", "name": "bold", "width": 0.1}, "epsilon-greedy"]
OUTSIDE = [LEARNERS[0], {"kind": "external", "name": "bold"}, LEARNERS[2]]
WAYS = {
    "load": lambda p: posse.load(p.save()),
    "pickle": lambda p: pickle.loads(pickle.dumps(p)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


def make(**changes):
    return posse.Posse(**{"arms": 5, "prior": "gaussian", "learners": LEARNERS, **changes})


class Laws(unittest.TestCase):
    def assert_refused(self, code, work, *arguments, error=posse.DecisionError):
        with self.assertRaises(error) as caught:
            work(*arguments)
        self.assertEqual(caught.exception.code, code)
        return str(caught.exception)


class Refusals(Laws):
    def test_wrong_arms_from_outside_are_named(self):
        p = make(learners=OUTSIDE, selector="uniform")
        made = [p.decide() for _ in range(40)]
        waits = next(d for d in made if d.arm is None)
        inside = next(d for d in made if d.arm is not None)
        for arm in (5, 99, -1):
            expected = f"there is no arm {arm}, only 0 to 4"
            refused = [self.assert_refused("POSSE_ERROR_ARM", p.acted, waits, arm, error=posse.LearnerError)]
            refused.append(self.assert_refused("POSSE_ERROR_ARM", p.teach, arm, 1.0, error=posse.LearnerError))
            self.assertEqual(refused, [expected, expected])
        p.acted(waits, 2)
        for decision in (waits, inside):
            told = self.assert_refused("POSSE_ERROR_SETTLED", p.acted, decision, 2)
            self.assertEqual(told, "the arm of that decision is known already")

    def test_a_wrong_arm_is_named_in_rounds_with_features(self):
        p = posse.Posse(arms=4, context=3, prior="linear", learners=[{"kind": "external", "name": "s"}])
        x = np.ones(3)
        d = p.decide(x)
        for work in (lambda: p.acted(d, 99, context=x), lambda: p.teach(99, 1.0, context=x)):
            told = self.assert_refused("POSSE_ERROR_CONTEXT", work, error=posse.ContextError)
            self.assertEqual(told, "context.arms: arm 99 is not among them")

    def test_an_object_that_is_no_environment_is_refused_as_such(self):
        told = self.assert_refused(
            "", posse.run, small(environment={"kind": Ucb.__mro__[-1]}), error=posse.SpecificationError
        )
        neither = "environment: object is derived neither from posse.Learner nor from posse.Bandit"
        self.assertEqual(told, f"{neither}; only learners and environments may be written in Python")


class Looks(Laws):
    def test_a_posse_shows_what_it_has(self):
        p = make()
        self.assertEqual(repr(p), f"<posse.Posse: 5 arms, {p.selector} of 3 learners, 0 decisions pending>")
        p = make(arms=1, learners=["ucb"], selector=None)
        p.decide()
        self.assertEqual(repr(p), "<posse.Posse: 1 arm, 1 learner, 1 decision pending>")

    def test_a_notebook_shows_learners_and_arms(self):
        p = posse.Posse(["<b>", "blue"], prior="beta", learners=["ucb", "thompson"])
        p.learn(p.decide(), 1)
        p.retire_learner("ucb")
        rows = [re.findall("<td>(.*?)</td>", row) for row in re.findall("<tr>(<td>.*?)</tr>", p._repr_html_())]
        shares = [f"{plays:.1%}" for plays in p.plays]
        learners = [["ucb", str(p.plays[0]), shares[0], "retired"], ["thompson", str(p.plays[1]), shares[1], ""]]
        arms = [[name, f"{m:.4g}", f"{d:.2g}", ""] for name, m, d in zip(("&lt;b&gt;", "blue"), p.means, p.deviations)]
        self.assertEqual(rows, learners + arms)
        self.assertIn("0 decisions pending&gt;</code>, 1 decision in all", p._repr_html_())

    def test_a_notebook_shows_every_posse(self):
        externals = [{"kind": "external", "name": name} for name in "ab"]
        for p, rows in (
            (posse.Posse(1000, prior="beta", learners=["ucb"]), 1 + 50),
            (posse.Posse(3, context=2, rewards="clicks"), 3),
            (posse.Posse(dim=2, prior="linear", learners=["linear-thompson"]), 1),
            (posse.Posse(learners=externals), 2),
            (posse.Posse(2, None, ["ucb"], prior="beta"), 1),
        ):
            self.assertEqual(p._repr_html_().count("<tr><td>"), rows, repr(p))
        self.assertIn("<p>and 950 more</p>", posse.Posse(1000, prior="beta", learners=["ucb"])._repr_html_())

    def test_weights_of_estimated_propensities_have_the_documented_mean(self):
        """docs/logged-data.md: the mean of 1 / estimate is (1 - (1 - q)^(n+1)) / q."""
        arms, draws = 16, 8
        fixed = [{"kind": "fixed", "arm": k, "name": str(k)} for k in range(arms)]
        p = posse.Posse(arms, "uniform", fixed, propensity_draws=draws)
        weights = []
        for _ in range(4000):
            d = p.decide()
            weights.append(1 / d.propensity)
            p.learn(d, 0.5)
        q, error = 1 / arms, np.std(weights) / np.sqrt(len(weights))
        self.assertLess(abs(np.mean(weights) - (1 - (1 - q) ** (draws + 1)) / q), 4 * error)


class Default(Laws):
    def test_without_a_selector_it_is_bms_plus_or_thompson(self):
        """thompson where nothing but rewards is known: all learners are external, and there is no prior."""
        rules = [{"kind": "external", "name": name} for name in ("old", "new")]
        cases = [
            ({"learners": rules}, "thompson"),
            ({"learners": rules, "arms": 4}, "thompson"),
            ({"learners": rules, "arms": 4, "prior": "beta"}, "bms-plus"),
            ({"learners": [*rules, "thompson"], "arms": 4, "prior": "beta"}, "bms-plus"),
            ({"learners": ["ucb"], "arms": 4, "selector": None}, None),
        ]
        for how, kind in cases:
            with self.subTest(how):
                self.assertEqual(posse.Posse(**how).selector, kind)
                if "selector" not in how:
                    for word in ("recommended", {"kind": "recommended"}):
                        self.assertEqual(posse.Posse(**how, selector=word).selector, kind)
                    self.assertEqual(posse.load(posse.Posse(**how).save()).selector, kind)
        with self.assertRaises(posse.SpecificationError) as caught:
            posse.Posse(learners=["ucb"], arms=4)
        self.assertIn("a belief is needed", str(caught.exception))

    def test_the_default_selector_is_bms_plus(self):
        self.assertEqual(inspect.signature(posse.Posse).parameters["selector"].default, "recommended")
        told = posse.kinds()["selector"]["bms-plus"]
        self.assertIn("the default of C, Python, HTTP and Redis", told["help"])
        defaults = [(parameter["name"], parameter["default"]) for parameter in told["params"]]
        self.assertEqual(len(defaults), len(dict(defaults)), "a parameter is listed twice")
        plain = {parameter["name"]: parameter["default"] for parameter in posse.kinds()["selector"]["bms"]["params"]}
        own = {"patience": 40.0, "commitment": 0.0, "budget": 1.0, "share": True, "consider": "auto"}
        self.assertEqual(dict(defaults), {**plain, **own})

    def test_bms_plus_is_bms_written_out(self):
        def played(**how):
            p, arms = make(**how), []
            for n in range(400):
                d = p.decide()
                arms.append((d.learner, d.arm))
                p.learn(d, (d.arm * 7 + n * 5) % 11 / 10)
            return arms, p.potentials.tolist()

        default = played()
        for selector in ("bms-plus", {"kind": "bms-plus"}, WRITTEN_OUT):
            self.assertEqual(played(selector=selector), default)
        for key, value in (("share", False), ("patience", "endless"), ("commitment", 1), ("batch", 3), ("floor", 0.2)):
            with self.subTest(key=key):
                mine = played(selector={"kind": "bms-plus", key: value})
                self.assertEqual(mine, played(selector=written_out(**{key: value})))
                self.assertNotEqual(mine, default)


class Pending(Laws):
    def test_decisions_are_listed_with_their_age(self):
        p = make()
        made = [p.decide() for _ in range(5)]
        self.assertEqual((p.decisions, p.pending, made[0].age), (5, 5, 0))
        p.learn(made[1], 0.5)
        p.forget(made[3])
        listed = p.pending_decisions()
        self.assertEqual([d.id for d in listed], [made[0].id, made[2].id, made[4].id])
        self.assertEqual([d.age for d in listed], [4, 2, 0])
        self.assertEqual(listed, [made[0], made[2], made[4]])
        for d in listed:
            p.learn(d, 0.1)
        self.assertEqual((p.pending, p.pending_decisions(), p.decisions), (0, [], 5))

    def test_points_are_listed(self):
        for where in ({"points": np.eye(3)}, {"dim": 3}):
            p = posse.Posse(learners=["linear-thompson"], prior="linear", **where)
            d = p.decide()
            (listed,) = p.pending_decisions()
            self.assertEqual(listed.point.tolist(), d.point.tolist())
            self.assertEqual(listed.arm, d.arm)

    def test_decisions_expire_by_hand(self):
        p = make()
        made = [p.decide() for _ in range(10)]
        self.assertEqual(p.expire(7), 3)
        self.assertEqual([d.id for d in p.pending_decisions()], [d.id for d in made[3:]])
        self.assert_refused("POSSE_ERROR_SETTLED", p.learn, made[0], 1)
        self.assertEqual((p.expire(100), p.expire(1), p.expire(0), p.pending), (0, 6, 1, 0))
        for wrong in (-1, 2**64, 1.5, None):
            with self.assertRaises((posse.SpecificationError, TypeError)):
                p.expire(wrong)

    def test_decisions_expire_by_themselves(self):
        p = make(expire_after=3)
        made = [p.decide() for _ in range(10)]
        self.assertEqual([d.id for d in p.pending_decisions()], [d.id for d in made[7:]])
        self.assertEqual(posse.load(p.save()).pending, 3)

    def test_what_expires_may_learn(self):
        silent, taught = make(expire_after=1), make(expire_after=1, expire_reward=0.25)
        by_hand = make()
        kept = []
        for _ in range(40):
            silent.decide()
            self.assertEqual(taught.decide().arm, (d := by_hand.decide()).arm)
            kept.append(d)
            if len(kept) > 1:
                by_hand.learn(kept.pop(0), 0.25)
                self.assertEqual(by_hand.means.tolist(), taught.means.tolist())
        self.assertEqual(silent.means.tolist(), make().means.tolist())
        again = posse.load(taught.save())
        self.assertEqual(again.expire(0), 1)
        self.assertNotEqual(again.means.tolist(), taught.means.tolist())

    def test_wrong_expiry_is_refused(self):
        for wrong in ({"expire_after": 0}, {"expire_after": -1}, {"expire_after": 2**64}, {"propensity_draws": 10_001}):
            with self.assertRaises(posse.SpecificationError) as caught:
                make(**wrong)
            self.assertEqual(caught.exception.problems[0].path, next(iter(wrong)))
        self.assert_refused(
            "POSSE_ERROR_REWARD",
            lambda: make(prior="beta", expire_after=1, expire_reward=2),
            error=posse.RewardError,
        )
        with self.assertRaises(TypeError):
            make(expire_after=1, expire_reward="much")
        self.assertEqual(make(expire_after=None, expire_reward=None).expire(0), 0)


class Epochs(Laws):
    def test_what_lives_beside_the_original_has_other_ids(self):
        p = make()
        self.assertEqual((p.epoch, p.decide().id), (0, 1))
        for way, again in WAYS.items():
            with self.subTest(way=way):
                other = again(p)
                self.assertNotEqual(other.epoch, 0)
                self.assertEqual(other.decide().id, other.epoch * 2**32 + 2)

    def test_an_exact_load_goes_on_exactly(self):
        p = make()
        decisions(p, 7)
        other = posse.load(p.save(), exact=True)
        self.assertEqual(other.epoch, 0)
        self.assertEqual([other.decide().id for _ in range(3)], [p.decide().id for _ in range(3)])
        with self.assertRaises(TypeError):
            posse.load(p.save(), True)

    def test_a_reward_for_a_lost_decision_is_refused(self):
        p = make()
        kept, saved = p.decide(), p.save()
        lost = p.decide()
        q = posse.load(saved)
        own = q.decide()
        self.assertEqual(lost.arm, own.arm)
        before = q.save()
        self.assert_refused("POSSE_ERROR_UNKNOWN", q.learn, lost.id, 1)
        self.assertIn("another posse", self.assert_refused("POSSE_ERROR_UNKNOWN", q.learn, lost, 1))
        self.assertEqual(q.save(), before)
        q.learn(kept, 1)
        q.learn(own, 1)
        self.assertEqual(q.pending, 0)

    def test_the_epoch_can_be_set(self):
        p = make()
        first = p.decide()
        p.epoch = 7
        self.assertEqual((p.epoch, p.decide().id), (7, 7 * 2**32 + 2))
        for wrong in (7, 0, -1, 2**31):
            with self.assertRaises(posse.SpecificationError):
                p.epoch = wrong
        with self.assertRaises(AttributeError):
            del p.epoch
        p.learn(first, 0.5)
        p.epoch = 0
        self.assertEqual(p.decide().id, 3)


class Makers(Laws):
    """Two posses use the same ids. A decision can only be learned by the posse that made it."""

    def test_a_decision_of_another_posse_is_refused(self):
        p, q = make(), make(seed=2)
        d, e = p.decide(), q.decide()
        self.assertEqual(d.id, e.id)
        before = q.save()
        for work in (lambda: q.learn(d, 1), lambda: q.forget(d), lambda: q.acted(d, 1)):
            said = self.assert_refused("POSSE_ERROR_UNKNOWN", work)
            self.assertEqual(said, "this decision was made by another posse")
        self.assertEqual(q.save(), before)
        q.learn(d.id, 1)
        p.learn(d, 1)

    def test_a_copy_of_a_decision_has_the_same_maker(self):
        p, q = make(), make()
        d = p.decide()
        q.decide()
        for way in (lambda d: pickle.loads(pickle.dumps(d)), copy.copy, copy.deepcopy):
            self.assert_refused("POSSE_ERROR_UNKNOWN", q.learn, way(d), 1)
        p.learn(pickle.loads(pickle.dumps(d)), 1)

    def test_what_was_pending_is_accepted_where_it_was_loaded(self):
        for way, again in WAYS.items():
            with self.subTest(way=way):
                p = make()
                kept, learned = p.decide(), p.decide()
                p.learn(learned, 1)
                q = again(p)
                self.assert_refused("POSSE_ERROR_UNKNOWN", q.learn, learned, 1)
                later = again(q)  # loaded twice
                for other in (q, later):
                    other.learn(kept, 1)
                    self.assert_refused("POSSE_ERROR_UNKNOWN", other.learn, kept, 1)
                self.assertEqual((p.pending, q.pending, later.pending), (1, 0, 0))

    def test_what_was_pending_is_accepted_by_an_exact_load(self):
        p = make()
        kept = p.decide()
        q = posse.load(p.save(), exact=True)
        late, own = p.decide(), q.decide()
        self.assertEqual(late.id, own.id)
        q.learn(kept, 1)
        self.assert_refused("POSSE_ERROR_UNKNOWN", q.learn, late, 1)
        q.learn(own, 1)

    def test_pickles_of_the_first_version_are_read(self):
        p = make()
        d = p.decide()
        old = posse._posse._decision(d.id, d.learner, d.arm, d.probability, b"")
        self.assertEqual(old, d)
        p.learn(old, 1)


class Outside(Laws):
    def play_from_outside(self, selector):
        """Compares two posses: one with a ucb of the library, and one whose external ucb is played by this code."""
        inside = make(selector=selector, rounds=2000)
        outside = make(selector=selector, learners=OUTSIDE, rounds=2000)
        share = isinstance(selector, dict)
        model, chance, told = Ucb(0.1), np.random.default_rng(1), 0
        model.start(range(5))
        for _ in range(2000):
            a, b = inside.decide(), outside.decide()
            if b.untold:
                self.assertEqual((b.arm, b.point, b.learner), (None, None, 1))
                outside.acted(b, model.act(None))
                told += 1
            self.assertFalse(b.untold)
            self.assertEqual((a.id, a.learner, a.arm, a.probability), (b.id, b.learner, b.arm, b.probability))
            reward = chance.normal() + 0.2 * a.arm
            inside.learn(a, reward)
            outside.learn(b, reward)
            if share or b.learner == 1:
                model.learn(b.arm, reward)
        self.assertEqual(inside.plays.tolist(), outside.plays.tolist())
        self.assertEqual(inside.potentials.tolist(), outside.potentials.tolist())
        self.assertGreater(told, 20)

    def test_ucb_outside_decides_as_inside(self):
        for selector in ("bms", {"kind": "bms", "share": True}, "d3rb"):
            with self.subTest(selector=selector):
                self.play_from_outside(selector)

    def test_what_was_played_is_said_first_and_once(self):
        p = make(selector="uniform", learners=["external"])
        d = p.decide()
        self.assertTrue(d.untold and d.arm is None)
        self.assertIn("arm=None", repr(d))
        self.assert_refused("POSSE_ERROR_UNTOLD", p.learn, d, 1)
        for wrong in (-1, 5, 2**70):
            self.assert_refused("POSSE_ERROR_ARM", p.acted, d, wrong, error=posse.LearnerError)
        self.assert_refused("POSSE_ERROR_ARM", p.acted, d, "x", error=posse.LearnerError)  # a text is a name
        for wrong in (1.5, None):
            with self.assertRaises(TypeError):
                p.acted(d, wrong)
        saved, copied, known = p.save(), pickle.loads(pickle.dumps(d)), hash(d)
        p.acted(d, np.int64(3))
        self.assertEqual((d.arm, d.untold, hash(d), copied.untold), (3, False, known, True))
        self.assertEqual(p.pending_decisions()[0].arm, 3)
        self.assert_refused("POSSE_ERROR_SETTLED", p.acted, d, 3)
        p.learn(d, 1)
        q = posse.load(saved)
        self.assertTrue(q.pending_decisions()[0].untold)
        q.acted(copied.id, 1)
        self.assertTrue(copied.untold, "an id says nothing to the decision")
        q.learn(copied, 1)

    def test_points_are_played_from_outside(self):
        points = np.array([[1, 0], [0, 1], [0.6, 0.8]])
        p = posse.Posse(points=points, learners=["external"], prior="linear", selector="bms")
        d = p.decide()
        self.assertIsNone(d.point)
        p.acted(d, 2)
        self.assertEqual((d.arm, d.point.tolist()), (2, [0.6, 0.8]))
        p.learn(d, 1)

    def test_the_ball_is_played_from_outside(self):
        p = posse.Posse(dim=2, learners=["external"], prior="linear", selector="bms")
        d = p.decide()
        self.assertIsNone(d.point)
        for wrong in ([1], [1, 0, 0], "ab"):
            with self.assertRaises(ValueError):
                p.acted(d, wrong)
        for wrong in ([2, 0], [float("nan"), 0]):
            self.assert_refused("POSSE_ERROR_ARM", p.acted, d, wrong, error=posse.LearnerError)
        p.acted(d, [0.6, 0.8])
        self.assertEqual((d.arm, d.untold, d.point.tolist()), (None, False, [0.6, 0.8]))
        p.learn(d, 1)
        p.teach([0.0, 1.0], 0.5)
        self.assertTrue((p.means != 0).all())

    def test_rewards_alone_need_no_arms(self):
        for arms in ({}, {"arms": 0}, {"arms": None}):
            p = posse.Posse(**arms, selector="ucb", learners=[{"kind": "external", "name": n} for n in "ab"])
            for _ in range(200):
                d = p.decide()
                self.assertEqual((d.arm, d.point, d.untold, d.propensity), (None, None, False, None))
                p.learn(d, (0.3, 0.6)[d.learner])
            self.assertEqual((p.arms, p.dim), (0, 0))
            self.assertEqual((p.propensities(10).arms, len(p.propensities(10).learners)), (None, 2))
            self.assertGreater(p.plays[1], p.plays[0])
            self.assert_refused("POSSE_ERROR_ARM", p.teach, 0, 1, error=posse.LearnerError)
        with self.assertRaisesRegex(posse.SpecificationError, "arms"):
            posse.Posse(None, "d3rb", ["ucb", "external"])

    def test_rewards_of_others_are_taught(self):
        p = make()
        for _ in range(30):
            p.teach(3, 0.9)
            p.teach(1, reward=0.1)
        self.assertEqual((p.decisions, p.plays.sum()), (0, 0))
        self.assertGreater(p.means[3], p.means[1] + 0.5)
        self.assertTrue((p.deviations[[1, 3]] < p.deviations[0]).all())
        self.assertTrue((p.regrets == 0).all())
        self.assert_refused("POSSE_ERROR_ARM", p.teach, 5, 1, error=posse.LearnerError)
        self.assert_refused("POSSE_ERROR_REWARD", p.teach, 1, float("nan"), error=posse.RewardError)
        self.assert_refused("POSSE_ERROR_ARM", p.teach, "x", 1, error=posse.LearnerError)
        for wrong in ((), (1,), (1, "x"), (1.5, 1)):
            with self.assertRaises(TypeError):
                p.teach(*wrong)

    def test_a_learner_in_python_is_taught_too(self):
        p = make(learners=[Ucb(), "ucb"])
        p.teach(2, 0.5)
        self.assertEqual((p.learner(0).count, p.learner(0).sum), ([0, 0, 1, 0, 0], [0, 0, 0.5, 0, 0]))

    def test_an_experiment_has_no_external_learners(self):
        with self.assertRaises(posse.SpecificationError) as caught:
            posse.run(small(learners=[{"kind": "external", "name": "service"}, {"kind": "ucb", "name": "u"}]))
        (problem,) = caught.exception.problems
        self.assertEqual(problem.path, "learners[0].kind")
        self.assertEqual(problem.text, "external learners act in an application; an experiment has none")


class Fickle(posse.Learner):
    """A learner that changes its state in `act`."""

    def start(self, arms):
        self.asked = 0

    def act(self, draw):
        self.asked += 1
        return self.asked % 2

    def learn(self, arm, reward):
        pass


class Insight(Laws):
    def test_propensities_of_a_fair_choice(self):
        p = posse.Posse(2, "uniform", [{"kind": "fixed", "arm": a, "name": n} for a, n in zip((0, 0, 0, 1), "abcd")])
        some = p.propensities(draws=4000)
        self.assertIsInstance(some, posse.Propensities)
        self.assertEqual(some.learners.tolist(), [1 / 4] * 4)
        self.assertEqual(some.learner_errors.tolist(), [0] * 4)
        self.assertAlmostEqual(some.arms.sum(), 1)
        self.assertTrue((abs(some.arms - [3 / 4, 1 / 4]) < 5 * some.arm_errors).all())
        self.assertTrue((some.arm_errors > 0).all() and (some.arm_errors < 0.01).all())

    def test_looks_inside_change_nothing(self):
        p, q = make(), make()
        for _ in range(30):
            self.assertEqual(decisions(p, 3), decisions(q, 3))
            self.assertEqual(p.propensities(20).learners.tolist(), p.propensities(20).learners.tolist())
            p.best_probabilities(20), p.regrets, p.deviations, p.weights, p.pending_decisions()
        self.assertEqual(p.save(), q.save())

    def test_decisions_have_a_propensity_where_it_is_asked_for(self):
        p, q = make(propensity_draws=50), make()
        for _ in range(50):
            d, e = p.decide(), q.decide()
            self.assertEqual((d.arm, d.learner), (e.arm, e.learner))
            self.assertTrue(1 / 51 <= d.propensity <= 1)
            self.assertIsNone(e.propensity)
            self.assertEqual(pickle.loads(pickle.dumps(d)).propensity, d.propensity)
            p.learn(d, pay(d.arm))
            q.learn(e, pay(e.arm))
        self.assertIsNotNone(posse.load(p.save()).decide().propensity)
        self.assertIsNone(make(propensity_draws=5, learners=["external"]).decide().propensity)

    def test_learners_in_python_are_copied_for_a_rehearsal(self):
        p = posse.Posse(2, "uniform", [Fickle()])
        self.assertEqual(p.propensities(100).arms.tolist(), [0, 1])
        self.assertEqual(p.learner(0).asked, 0)
        self.assertEqual([p.decide().arm for _ in range(2)], [1, 0])
        for work in (
            lambda: posse.Posse(2, "uniform", [Fickle()], propensity_draws=5),
            lambda: posse.load(posse.Posse(2, "uniform", ["ucb"], propensity_draws=5).save()).add_learner(Fickle()),
        ):
            with self.assertRaisesRegex(posse.SpecificationError, "propensity_draws"):
                work()

    def test_exceptions_of_a_rehearsal_are_raised(self):
        class Broken(Fickle):
            def act(self, draw):
                raise ZeroDivisionError

        p = posse.Posse(2, "uniform", [Broken(), "ucb"])
        for _ in range(3):
            with self.assertRaises(ZeroDivisionError):
                p.propensities(100)
        self.assertEqual(p.decisions, 0)

    def test_the_belief_can_be_read(self):
        p = make(selector={"kind": "bms", "belief": {"kind": "gaussian", "robust": True}})
        for _ in range(50):
            d = p.decide()
            p.learn(d, pay(d.arm))
        self.assertAlmostEqual(p.weights.sum(), 1)
        self.assertGreater(len(p.weights), 1)
        for array, count in ((p.deviations, 5), (p.regrets, 3), (p.best_probabilities(), 5)):
            self.assertEqual(array.shape, (count,))
        self.assertAlmostEqual(p.best_probabilities(draws=500).sum(), 1)
        self.assertEqual(p.best_probabilities(64).tolist(), p.best_probabilities(64).tolist())
        self.assertIsNone(make().weights)

    def test_what_a_selector_does_not_have(self):
        p = make(selector="d3rb")
        for name in ("deviations", "regrets", "best_probabilities"):
            said = self.assert_refused(
                "POSSE_ERROR_ABSENT",
                lambda name=name: p.best_probabilities() if name[0] == "b" else getattr(p, name),
                error=posse.AbsentError,
            )
            self.assertTrue(said.startswith(name))
        self.assertIsNone(p.weights)
        ball = posse.Posse(dim=2, learners=["linear-thompson"], prior="linear")
        self.assertIsNone(ball.propensities(5).arms)
        self.assertEqual(ball.propensities(5).learners.tolist(), [1])
        for work in (ball.best_probabilities, lambda: ball.deviations):
            self.assert_refused("POSSE_ERROR_ABSENT", work, error=posse.AbsentError)

    def test_wrong_draws_are_refused(self):
        p = make()
        for work in (p.propensities, p.best_probabilities):
            for wrong in (0, -1, 2**32):
                with self.assertRaisesRegex(posse.SpecificationError, "draws: must be a whole number from 1"):
                    work(wrong)
            with self.assertRaises(TypeError):
                work("many")


if __name__ == "__main__":
    unittest.main()
