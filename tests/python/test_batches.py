# SPDX-License-Identifier: MIT
"""Batches: many decisions, rewards and plays in one call are those of a loop, bit for bit."""

import copy
import pickle
import threading
import unittest

import numpy as np
import pandas
import posse
import scipy.sparse
from contextual import both, chance, joint, shared


def arms(**changes):
    return posse.Posse(**({"arms": 4, "prior": "beta", "learners": ["thompson", "ucb"]} | changes))


def ball():
    return posse.Posse(dim=2, prior="linear", learners=["linear-thompson", {"kind": "linear-thompson", "name": "b", "width": 2}])


def points_of(n, rows, dim):
    return chance([5, n]).normal(size=(n, rows, dim))


def whole(d):
    """All that a decision has."""
    parts = (d.id, d.arm, d.name, d.learner, d.probability, d.probe, d.floor, d.propensity, d.untold, d.mode)
    return parts + tuple(None if x is None else x.tobytes() for x in (d.point, d.features))


def moded(**modes):
    p = arms(arms=["a", "b", "c"], selector={"kind": "bms-plus", "floor": 0.3})
    p.set_modes(**modes)
    return p


CASES = {
    "arms": (arms, 25, None),
    "named": (lambda: arms(arms=["a", "b", "c"]), 25, None),
    "floor": (lambda: arms(selector={"kind": "bms-plus", "floor": 0.3}), 25, None),
    "draws": (lambda: arms(propensity_draws=20), 25, None),
    "held back": (lambda: moded(control="b", holdback=0.5), 25, None),
    "paused": (lambda: moded(control="b", paused=True), 25, None),
    "expiring": (lambda: arms(expire_after=5, expire_reward=0), 25, None),
    "ball": (ball, 25, None),
    "external": (lambda: posse.Posse(learners=[{"kind": "external", "name": n} for n in "ab"]), 25, None),
    "shared": (shared, chance(2).normal(size=(25, 3)), None),
    "joint": (joint, points_of(25, 6, 3), None),
    "few": (joint, points_of(25, 2, 3), [4, 1]),
    "both": (both, (points_of(25, 5, 2), chance(3).normal(size=(25, 3))), None),
    "recommended": (lambda: posse.Posse(3, context=3, rewards="clicks"), chance(2).normal(size=(25, 3)), None),
}


def one_by_one(contexts):
    if isinstance(contexts, int):
        return [None] * contexts
    return list(zip(*contexts, strict=True)) if isinstance(contexts, tuple) else list(contexts)


class Same(unittest.TestCase):
    """A batch leaves the bytes that the loop leaves."""

    def test_decisions(self):
        for name, (make, contexts, among) in CASES.items():
            with self.subTest(name):
                loop, batch = make(), make()
                for turn in range(3):
                    one = [loop.decide(x, arms=among) for x in one_by_one(contexts)]
                    many = batch.decide_many(contexts, arms=among)
                    self.assertEqual([whole(d)[1:] for d in many], [whole(d)[1:] for d in one])
                    self.assertEqual(many.ids.tolist(), [d.id for d in one])
                    self.assertEqual(many.modes, [d.mode for d in one])
                    self.assertEqual(loop.save(), batch.save())
                    if loop.pending < 25 or one[0].untold:
                        continue
                    rewards = chance(turn).random(25).round()
                    order = chance(turn).permutation(25)
                    for i in order:
                        loop.learn(one[i], rewards[i])
                    batch.learn_many([many[int(i)] for i in order], rewards[order])
                    self.assertEqual(loop.save(), batch.save())

    def test_suggestions(self):
        """In shadow mode a decision gets no reward before its arm was played, and one that does not ends the batch."""
        loop, batch = moded(shadow=True), moded(shadow=True)
        one = [loop.decide() for _ in range(9)]
        many = batch.decide_many(9)
        self.assertEqual((many.modes, many[2:4].modes), (["suggested"] * 9, ["suggested"] * 2))
        self.assertEqual([whole(d) for d in many], [whole(d) for d in one])
        self.assertEqual(pickle.loads(pickle.dumps(many)).modes, many.modes)
        for play in (lambda: loop.learn(one[0], 1), lambda: batch.learn_many(many, np.ones(9))):
            self.assertRaisesRegex(posse.DecisionError, "the arm that was played is not reported yet", play)
        self.assertEqual(loop.save(), batch.save())
        for p, made in ((loop, one), (batch, many)):
            for n, d in enumerate(made):
                p.activate(d) if n % 2 else p.acted(d, n % 3)
        for n, d in enumerate(one):
            loop.learn(d, n % 2)
        batch.learn_many(many, [n % 2 for n in range(9)])
        self.assertEqual(loop.save(), batch.save())
        self.assertEqual(loop.report().shadow, batch.report().shadow)

    def test_rewards_in_every_form(self):
        for form in (
            lambda p, d, r: p.learn_many(d, r),
            lambda p, d, r: p.learn_many(d.ids, rewards=r.tolist()),
            lambda p, d, r: p.learn_many(list(d), r),
            lambda p, d, r: p.learn_many([one.id for one in d], r),
            lambda p, d, r: p.learn_many(zip(d, r, strict=True)),
            lambda p, d, r: p.learn_many(pickle.loads(pickle.dumps(d)), r),
            lambda p, d, r: (p.learn_many(d[:10], r[:10]), p.learn_many(d[10:], r[10:])),
        ):
            loop, batch = arms(), arms()
            rewards = chance().integers(0, 2, 20)
            for d, r in zip([loop.decide() for _ in rewards], rewards, strict=True):
                loop.learn(d, r)
            form(batch, batch.decide_many(20), rewards)
            self.assertEqual(loop.save(), batch.save())

    def test_teaching(self):
        n = 40
        picked = {4: chance(1).integers(0, 4, n), 5: chance(1).integers(0, 5, n), 6: chance(1).integers(0, 6, n)}
        rewards = chance(2).random(n)
        vectors = chance(4).normal(size=(n, 3))
        for make, contexts in (
            (arms, None),
            (shared, vectors),
            (joint, points_of(n, 6, 3)),
            (both, (points_of(n, 5, 2), vectors)),
        ):
            loop, batch = make(), make()
            which = picked[loop.arms]
            for i, x in enumerate(one_by_one(n if contexts is None else contexts)):
                loop.teach(int(which[i]), rewards[i], context=x)
            batch.teach_many(which, rewards, contexts)
            self.assertEqual(loop.save(), batch.save())
            if make in (joint, both):  # the features of the arms that were taught are enough
                alone = make()
                points = contexts[0] if make is both else contexts
                mine = points[np.arange(n), which]
                alone.teach_many(which, rewards, (mine, vectors) if make is both else mine)
                self.assertEqual(loop.save(), alone.save())
        loop, batch = ball(), ball()
        where = chance(6).normal(size=(n, 2)) / 10
        for x, r in zip(where, rewards, strict=True):
            loop.teach(x, r)
        batch.teach_many(where, rewards)
        self.assertEqual(loop.save(), batch.save())

    def test_names(self):
        loop, batch = (arms(arms=["a", "b", "c", "d"]) for _ in range(2))
        for name, r in zip("abca", (1, 0, 1, 1), strict=True):
            loop.teach(name, r)
        batch.teach_many(list("abca"), [1, 0, 1, 1])
        self.assertEqual(loop.save(), batch.save())
        self.assertEqual(batch.decide_many(5).names, [loop.decide().name for _ in range(5)])
        loop, batch = (joint(arms=["a", "b", "c", "d"], dim=0, context=3) for _ in range(2))
        x = chance().normal(size=(30, 3))
        one = [loop.decide(row, arms=["d", "b"]).name for row in x]
        self.assertEqual(batch.decide_many(x, arms=["d", "b"]).names, one)
        self.assertEqual(set(one), {"b", "d"})

    def test_sparse(self):
        team = [{"kind": "linear-ucb", "covariance": "diagonal"}, {"kind": "sgd-bag"}]
        prior = {"kind": "linear", "covariance": "diagonal"}
        x = chance(8).normal(size=(30, 4, 50)) * (chance(9).random((30, 4, 50)) < 0.1)
        dicts = [[{j: row[j] for j in np.flatnonzero(row)} for row in one] for one in x]
        matrices = [scipy.sparse.csr_matrix(one) for one in x]
        for sizes, forms, rows in (
            ({"dim": 50}, (dicts, matrices), dicts),
            (
                {"context": 50},
                ([one[0] for one in dicts], scipy.sparse.csr_matrix(x[:, 0]), x[:, 0]),
                [one[0] for one in dicts],
            ),
        ):
            wide = {key: 1 << 20 for key in sizes if not isinstance(forms[-1], np.ndarray)}  # features get slots as they come
            loop = posse.Posse(4, learners=team, prior=prior, nonzeros=20, **(sizes | wide))
            others = [copy.deepcopy(loop) for _ in forms]
            for p in others:
                p.epoch = 7
            loop.epoch = 7
            among = [3, 0, 2, 1]
            one = [loop.decide(row, arms=among) for row in rows]
            for d in one:
                loop.learn(d, float(d.arm == 1))
            loop.teach(2, 1, context=rows[0])
            for p, form in zip(others, forms, strict=True):
                many = p.decide_many(form, arms=among)
                p.learn_many(many, many.arms == 1)
                p.teach_many([2], [1], form[:1])
                with self.assertRaises(posse.ContextError):
                    p.decide_many([{0: 1.0, 40 + k: 1.0} if k < 5 else {0: np.nan} for k in range(6)])
                self.assertEqual(loop.save(), p.save())

    def test_frames(self):
        frame = pandas.DataFrame({"age": [30, 40, 50], "new": [True, False, True], "spent": [0.5, 1, 1.5]})
        loop, batch = shared(), shared()
        one = [loop.decide(row) for _, row in frame.iterrows()]
        many = batch.decide_many(frame)
        self.assertEqual([whole(d) for d in one], [whole(d) for d in many])
        table = many.to_frame()
        self.assertEqual(list(table.columns), ["id", "arm", "learner", "probability", "propensity", "probe", "floor", "mode"])
        self.assertEqual(table["arm"].tolist(), [d.arm for d in one])

    def test_a_number_in_one_context(self):
        loop, batch = shared(), shared()
        one = [loop.decide([1, 2, 3], arms=[0, 2]) for _ in range(12)]
        many = batch.decide_many(12, [1, 2, 3], arms=[0, 2])
        self.assertEqual([whole(d) for d in one], [whole(d) for d in many])


OFFERS = {"blue": {"price": 2.5, "tags": ["new", "new"]}, "red": {"price": 3}, "green": {}}


def shop(**changes):
    """Features of arms by name, with products, and scales that are learned in the order of the rounds."""
    given = {
        "arms": ["red", "green", "blue"],
        "dim": 32,
        "prior": "linear",
        "learners": ["linear-ucb", "linear-thompson", "ucb"],
        "selector": {"kind": "bms-plus", "floor": 0.2},
        "features": {"interactions": ["context*arm", "user*arm"], "learn_scale": 20},
    }
    return posse.Posse(**(given | changes))


def page(**changes):
    return shop(**({"dim": 0, "context": 16, "features": {"learn_scale": 10}} | changes))


def visitors(count=40):
    """Features of every sort, plain ones and NumPy's."""
    dice = chance(11)
    found = []
    for i in range(count):
        one = {"age": dice.normal() * 10 + 40, "new": i % 3 == 0, "days": int(dice.integers(9)), "income": None}
        one |= {"likes": ["sea", "sun", "sea"][: i % 4], "country": ["de", "fr", "côte"][i % 3]}
        one["user"] = {"visits": i, "kind": "guest", "tags": ("a", "b")} if i % 2 else {}
        if i % 5 == 0:
            one |= {"age": np.float32(one["age"]), "new": np.bool_(True), "days": np.int64(3)}
        found.append(one)
    return found


class ByName(unittest.TestCase):
    def assert_same(self, make, rounds, batch_of, arms=None):
        """A loop over (context, arms), and the batch, both of which learn and decide again."""
        loop, batch = make(), make()
        for _ in range(2):
            one = [loop.decide(context, arms=among) for context, among in rounds]
            many = batch.decide_many(batch_of, arms=arms)
            self.assertEqual([whole(d) for d in one], [whole(d) for d in many])
            rewards = [float(d.arm == 1) for d in one]
            for d, reward in zip(one, rewards, strict=True):
                loop.learn(d, reward)
            batch.learn_many(many, rewards)
        self.assertEqual(loop.save(), batch.save())

    def test_dicts(self):
        rows = visitors()
        self.assert_same(page, [(row, None) for row in rows], rows)
        self.assert_same(page, [(row, ["blue", "red"]) for row in rows], rows, ["blue", "red"])
        self.assert_same(lambda: page(arms=3), [(row, [2, 0]) for row in rows], rows, [2, 0])

    def test_offers(self):
        rows = visitors()
        self.assert_same(shop, [(row, OFFERS) for row in rows], rows, OFFERS)
        self.assert_same(shop, [(row, ["green", "red"]) for row in rows], rows, ["green", "red"])
        own = [{"green": {"price": i / 7}, "red": {"user.price": i, "sale": i % 2 == 0}} if i % 3 else OFFERS for i in range(len(rows))]
        contexts = [posse.Context(shared=row, arms=among) for row, among in zip(rows, own, strict=True)]
        self.assert_same(shop, list(zip(rows, own, strict=True)), contexts)
        mixed = [context if i % 2 else rows[i] for i, context in enumerate(contexts)]
        self.assert_same(shop, [(row, own[i] if i % 2 else None) for i, row in enumerate(rows)], mixed)
        bare = [posse.Context(arms=among) for among in own]
        self.assert_same(shop, [({}, among) for among in own], bare)

    def test_frames(self):
        rows = [{key: row[key] for key in ("age", "new", "country", "likes")} for row in visitors()]
        frame = pandas.DataFrame(rows)
        frame["age"] = frame["age"].astype(float)
        for one in (frame, frame.assign(country=frame["country"].astype("category"))):
            self.assert_same(page, [(row, None) for _, row in one.iterrows()], one)
        self.assert_same(shop, [(row, OFFERS) for _, row in frame.iterrows()], frame, OFFERS)

    def test_teaching(self):
        rows, rewards = visitors(), chance(3).random(40)
        played = [["red", "blue"][i % 2] for i in range(40)]
        for make, contexts in (
            (page, rows),
            (shop, [posse.Context(shared=row, arms=OFFERS) for row in rows]),
        ):
            loop, batch = make(), make()
            for arm, reward, context in zip(played, rewards, contexts, strict=True):
                loop.teach(arm, reward, context=context)
            batch.teach_many(played, rewards, contexts)
            self.assertEqual(loop.save(), batch.save())

    def test_none_at_all(self):
        self.assertEqual(len(page().decide_many([])), 0)
        self.assertEqual(len(page().decide_many(pandas.DataFrame({"age": []}))), 0)
        page().teach_many([], [], [])

    def test_numbers_are_still_numbers(self):
        loop, batch = page(), page()
        x = chance(4).normal(size=(10, 16))
        self.assertEqual([whole(loop.decide(row)) for row in x], [whole(d) for d in batch.decide_many(x)])

    def test_wrong_features_change_nothing(self):
        right, nan = {"age": 33.0}, float("nan")
        cases = [
            ("contexts[1].age: nan is no feature", [right, {"age": nan}], OFFERS),
            ("contexts[1].age: a feature is a number", [right, {"age": object()}], OFFERS),
            ("contexts[1]: the name of a feature is a text, not 3", [right, {3: 1}], OFFERS),
            ("contexts[1]: the name of a feature has 300 bytes", [right, {"a" * 300: 1}], OFFERS),
            ("contexts[1]: it must be features by name", [right, 7], OFFERS),
            ("contexts[1].age: a text has a zero in it", [right, {"age": "x\0y"}], OFFERS),
            ("contexts[1].age: a text is not UTF-8", [right, {"age": "\ud800"}], OFFERS),
            ("contexts[1].user.a: a feature is a number", [right, {"user": {"a": {"b": 1}}}], OFFERS),
            ("contexts[1].likes: a list of words is needed", [right, {"likes": ["a", 3]}], OFFERS),
            ("contexts[1].age: inf is no feature", [right, {"age": 10**400}], OFFERS),
            ("contexts[0].arms.red.price: inf is no feature", [right], {"red": {"price": float("inf")}}),
            ('there is no arm "rot"', [right], {"rot": {}}),
            ("contexts[0]: features by name have no points", [posse.Context(shared=right, arms=OFFERS)], OFFERS),
            ("contexts[0]: features by name have no points", [posse.Context(shared=right, points=[[1]])], None),
            (
                'contexts[1].arms.blue: the feature "context.age" is there twice',
                [right, posse.Context(shared=right, arms={"red": {}, "blue": {"context.age": 3}})],
                None,
            ),
            ("contexts[1].age: nan is no feature", pandas.DataFrame({"age": [1, None]}), OFFERS),
        ]
        p = shop()
        before = p.save()
        for text, contexts, among in cases:
            with self.subTest(text), self.assertRaises(posse.ContextError) as caught:
                p.decide_many(contexts, arms=among)
            self.assertIn(text, str(caught.exception))
        with self.assertRaisesRegex(ValueError, "1 rewards, and 2 contexts"):
            p.teach_many(["red"], [1], [right, right])
        self.assertEqual((p.decisions, p.save()), (0, before))
        declared = page(features={"names": ["age"]})
        with self.assertRaisesRegex(posse.ContextError, r"contexts\[1\].agee: this posse has no feature of this name"):
            declared.decide_many([right, {"agee": 1}])


class Learner(posse.Learner):
    """Fails in its fifth act, or its fifth lesson."""

    def __init__(self, act=10**9, learn=10**9):
        self.acts, self.lessons, self.last_act, self.last_lesson = 0, 0, act, learn

    def act(self, draw):
        self.acts += 1
        if self.acts > self.last_act:
            raise KeyError("act")
        return self.acts % 3

    def learn(self, arm, reward):
        self.lessons += 1
        if self.lessons > self.last_lesson:
            raise KeyError("learn")


class Refused(unittest.TestCase):
    """A batch that cannot be done changes nothing, and the error names its entry."""

    def refuses(self, p, kind, text, call):
        before = p.save()
        with self.assertRaises(kind) as caught:
            call()
        self.assertIn(text, str(caught.exception))
        self.assertEqual(p.save(), before)
        return caught.exception

    def test_contexts(self):
        x = np.ones((20, 3))
        x[17, 2] = np.nan
        p = shared()
        self.refuses(p, posse.ContextError, "contexts[17].shared[2]: nan is no feature", lambda: p.decide_many(x))
        self.refuses(p, posse.ContextError, "rounds x 3, not 20 x 2", lambda: p.decide_many(x[:, :2]))
        self.refuses(p, posse.ContextError, "rounds x 3, not 3", lambda: p.decide_many([1, 2, 3]))
        self.refuses(p, posse.ContextError, "missing", lambda: p.decide_many(3))
        self.refuses(p, posse.ContextError, "there is no arm 9", lambda: p.decide_many(x[:5], arms=[9, 1]))
        self.refuses(p, TypeError, "a number with one context", lambda: p.decide_many(x[:5], x[0]))
        self.refuses(p, posse.SpecificationError, "n: must be a whole number", lambda: p.decide_many(-1, x[0]))
        q = joint()
        y = np.ones((5, 2, 3))
        y[3, 1, 0] = 1e7
        self.refuses(q, posse.ContextError, "contexts[3].points[1][0]", lambda: q.decide_many(y))
        self.refuses(q, posse.ContextError, "contexts[3].points[1][0]", lambda: q.decide_many(y, arms=[5, 2]))
        self.refuses(q, posse.ContextError, "2 rows in each round, and 3", lambda: q.decide_many(y, arms=[5, 2, 1]))
        r = arms(arms=["a", "b"])
        self.refuses(r, posse.ContextError, 'there is no arm "z"', lambda: r.teach_many(["z"], [1]))
        self.refuses(r, posse.ContextError, "", lambda: r.decide_many(x))

    def test_rows_are_those_of_the_arms(self):
        """Otherwise it would read the rows of other rounds, and beyond the array."""
        p = joint()
        for points, listed in ((np.ones((4, 2, 3)), [0, 2, 3]), (np.ones((4, 3, 3)), [0, 2]), (np.ones((4, 3, 3)), [2, 0])):
            rows = [scipy.sparse.csr_matrix(one) for one in points]
            for form in (points, rows, posse.Context(points=points, arms=listed)):
                given = None if isinstance(form, posse.Context) else listed
                with self.assertRaisesRegex(posse.ContextError, f"{points.shape[1]} rows in each round, and {len(listed)} arms"):
                    p.decide_many(form, arms=given)
        for points in (np.ones((4, 0, 3)), [scipy.sparse.csr_matrix((0, 3))] * 4):
            with self.assertRaisesRegex(posse.ContextError, "a round has at least one arm"):
                p.decide_many(points)
        with self.assertRaisesRegex(posse.ContextError, "a round has at least one arm"):
            p.teach_many([0, 1], [1, 1], np.ones((2, 0, 3)))
        self.assertEqual(p.decide(points=np.ones((2, 3)), arms=(2, 0)).arm in (0, 2), True)
        self.assertEqual(len(p.decide_many(np.ones((4, 2, 3)), arms=(2, 0))), 4)

    def test_rewards(self):
        p, other = arms(), arms()
        made = p.decide_many(5)
        foreign = other.decide_many(5)
        good = [0, 1, 0, 1, 0]
        self.refuses(p, posse.RewardError, "entry 3: ", lambda: p.learn_many(made, [0, 1, 0, 2, 0]))
        self.refuses(p, posse.RewardError, "entry 0: ", lambda: p.learn_many(made, [np.nan] * 5))
        self.refuses(p, posse.DecisionError, "twice", lambda: p.learn_many([made[0], made[1], made[0]], [1, 1, 1]))
        self.refuses(p, posse.DecisionError, "another posse", lambda: p.learn_many(foreign, good))
        self.refuses(p, posse.DecisionError, "entry 1: ", lambda: p.learn_many([made[0].id, 99], [1, 1]))
        self.refuses(p, posse.DecisionError, "entry 0: ", lambda: p.learn_many(np.array([-1]), [1]))
        self.refuses(p, ValueError, "5 decisions, and 4 rewards", lambda: p.learn_many(made, good[:4]))
        self.refuses(p, TypeError, "whole numbers", lambda: p.learn_many(np.ones(5), good))
        self.refuses(p, TypeError, "a Decision, or its id", lambda: p.learn_many(["a"], [1]))
        p.learn_many(made[2:3], [1])
        self.refuses(p, posse.DecisionError, "entry 2: ", lambda: p.learn_many(made, good))
        p.learn_many([], [])

    def test_plays(self):
        p = shared()
        x = np.ones((4, 3))
        self.refuses(p, posse.ContextError, "is missing", lambda: p.teach_many([0, 1], [1, 1]))
        self.refuses(p, posse.ContextError, "contexts[2]", lambda: p.teach_many([0, 1, 7, 1], [1, 1, 1, 1], x))
        self.refuses(p, ValueError, "2 rewards, and 4 contexts", lambda: p.teach_many([0, 1], [1, 1], x))
        self.refuses(p, ValueError, "2 arms, and 3 rewards", lambda: p.teach_many([0, 1], [1, 1, 1], x))
        q = arms()
        self.refuses(q, posse.LearnerError, "entry 1: ", lambda: q.teach_many([0, 7], [1, 1]))
        self.refuses(q, posse.RewardError, "entry 1: ", lambda: q.teach_many([0, 3], [1, 7]))

    def test_a_learner_that_fails(self):
        p = posse.Posse(3, learners=[Learner(act=4)], selector=None)
        with self.assertRaises(KeyError) as caught:
            p.decide_many(10)
        self.assertEqual(caught.exception.__notes__, ["4 of 10 decisions were made before this, and they are kept"])
        self.assertEqual((p.decisions, p.pending), (4, 4))
        p = posse.Posse(3, learners=[Learner(learn=4)], selector=None)
        made = p.decide_many(10)
        with self.assertRaises(KeyError) as caught:
            p.learn_many(made, np.zeros(10))
        self.assertEqual(p.pending, 5)  # as with learn, the decision whose learner failed is settled
        self.assertEqual(caught.exception.__notes__, ["4 of 10 rewards were learned before this, and they are kept"])


class Threads(unittest.TestCase):
    def test_others_run_and_read_meanwhile(self):
        p = posse.Posse(8, context=30, rewards="clicks")
        x = chance().normal(size=(4000, 30))
        seen, done = [], threading.Event()

        def look():
            while not done.is_set():
                seen.append((p.decisions, int(p.plays.sum()), p.pending, repr(p)))

        watcher = threading.Thread(target=look)
        watcher.start()
        workers = [threading.Thread(target=p.decide_many, args=(x,)) for _ in range(2)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        done.set()
        watcher.join()
        self.assertTrue(all(d % 4000 == 0 for d, _, _, _ in seen))  # no call sees half a batch
        self.assertEqual(p.decisions, 8000)


if __name__ == "__main__":
    unittest.main()
