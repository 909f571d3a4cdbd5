# SPDX-License-Identifier: MIT
"""Sparse contexts: dicts and sparse arrays decide as the same numbers in full."""

import pickle
import unittest

import numpy as np
import posse
import redising
import scipy.sparse
from serving import Server
from support import scratch

TEAM = [
    {"kind": "linear-ucb", "covariance": "diagonal"},
    {"kind": "sgd-bag"},
    {"kind": "sgd-regcb", "eliminate": True},
]


def made(**options):
    return posse.Posse(3, learners=TEAM, prior={"kind": "linear", "covariance": "diagonal"}, **options)


class Sparse(unittest.TestCase):
    def test_every_form_decides_alike(self):
        rng = np.random.default_rng(7)
        for own in (False, True):
            sizes = {"dim": 6} if own else {"context": 6}
            full, dicts, rows, sparse = made(**sizes), made(**sizes), made(**sizes), made(**sizes, nonzeros=6)
            for _ in range(100):
                x = rng.normal(size=(3, 6)) * (rng.random((3, 6)) < 0.4)
                x = x if own else x[0]
                pairs = [{j: row[j] for j in reversed(range(6)) if row[j] != 0} for row in np.atleast_2d(x)]
                pairs = pairs if own else pairs[0]
                csr = scipy.sparse.csr_matrix(np.atleast_2d(x))
                decisions = [full.decide(x), dicts.decide(pairs), rows.decide(csr), sparse.decide(pairs)]
                self.assertEqual(len({(d.arm, d.learner) for d in decisions}), 1)
                for p, d in zip((full, dicts, rows, sparse), decisions):
                    p.learn(d, float(d.arm == 1))
                np.testing.assert_array_equal(full.means_in(x), sparse.means_in(csr))

    def test_arms_in_any_order(self):
        full, sparse = made(dim=4), made(dim=4, nonzeros=4)
        x = np.array([[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 2.0]])
        pairs = [{1: 1.0}, {3: 2.0}]
        for _ in range(20):
            d = full.decide(posse.Context(points=x, arms=[2, 0]))
            e = sparse.decide(posse.Context(points=pairs, arms=[2, 0]))
            self.assertEqual((d.arm, d.learner), (e.arm, e.learner))
            full.learn(d, 1.0)
            sparse.learn(e, 1.0)

    def test_many_features(self):
        p = posse.Posse(2, learners=["sgd-softmax"], selector=None, context=1 << 24, nonzeros=10)
        d = p.decide({(1 << 24) - 1: 1.0, 5: 2})
        p.learn(d, 1.0)
        q = pickle.loads(pickle.dumps(p))
        for n in range(50):
            pairs = {n * n: 1.0, 1 << 23: n}
            d, e = p.decide(pairs), q.decide(pairs)
            self.assertEqual(d.arm, e.arm)
            self.assertIsNone(d.point)
            p.learn(d, 1.0)
            q.learn(e, 1.0)

    def test_connected_posses_decide_as_one_of_ones_own(self):
        """Over HTTP and in Redis, shared and own features, in every form, and 2^24 of them."""
        dense = {"arms": 3, "learners": TEAM, "prior": {"kind": "linear", "covariance": "diagonal"}, "seed": 4}
        wide = {"arms": 2, "learners": ["sgd-softmax", "sgd-bag"], "prior": "logistic", "context": 1 << 24, "nonzeros": 10, "seed": 4}
        rng = np.random.default_rng(3)

        def rows(count):
            return [{int(j): float(rng.normal()) for j in rng.choice(6, 2, replace=False)} for _ in range(count)]

        def csr(dicts):
            return scipy.sparse.csr_matrix(np.array([[row.get(j, 0.0) for j in range(6)] for row in dicts]))

        def asked(own):
            """The same round in the form that is sent and in the form of the local object."""
            made = rows(3 if own else 1)
            if own:
                return [(made, made), (tuple(made), csr(made)), (csr(made), made), (posse.Context(made[:2], arms=[2, 0]),) * 2][rng.integers(4)]
            return [(made[0], made[0]), (csr(made), made[0]), (posse.Context(shared=made[0]), csr(made))][rng.integers(3)]

        for address in self.addresses():
            for own in (True, False):
                definition = {**dense, **({"dim": 6} if own else {"context": 6})}
                near = posse.Posse(**definition)
                with posse.connect(f"{address}/own{own}", create=definition) as far:
                    for n in range(60):
                        sent, local = asked(own)
                        d, e = far.decide(sent), near.decide(local)
                        self.assertEqual((d.arm, d.learner), (e.arm, e.learner))
                        far.learn(d, float(d.arm == 1)), near.learn(e, float(e.arm == 1))
                    one = rows(3)[:3] if own else rows(1)[0]
                    far.teach(1, 0.5, context=one), near.teach(1, 0.5, context=one)
                    self.assertEqual([d.arm for d in far.decide_many(5, one)], [near.decide(one).arm for _ in range(5)])
            near = posse.Posse(**wide)
            with posse.connect(f"{address}/wide", create=wide) as far:
                for n in range(60):
                    pairs = {n * n: 1.0, (1 << 24) - 1 - n % 3: 0.5}
                    d, e = far.decide(shared=pairs), near.decide(pairs)
                    self.assertEqual((d.arm, d.learner), (e.arm, e.learner))
                    far.learn(d, float(n % 2)), near.learn(e, float(n % 2))
                for wrong in ({1 << 24: 1.0}, {-1: 1.0}, {"a": 1.0}, {1: "x"}, [{1: 1.0}, {2: 1.0}], dict.fromkeys(range(11), 1.0)):
                    for p in (near, far):
                        with self.assertRaises(posse.ContextError):
                            p.decide(shared=wrong)

    def addresses(self):
        """Of a server and of a Redis, which end with the test."""
        http = Server(scratch(self))
        self.addCleanup(http.stop)
        redis = redising.Server(scratch(self))
        self.addCleanup(redis.stop)
        return f"http://127.0.0.1:{http.port}", f"redis://127.0.0.1:{redis.port}"

    def test_wrong_pairs(self):
        p = posse.Posse(2, learners=["sgd-softmax"], selector=None, context=100, nonzeros=2)
        for wrong, word in (
            ({100: 1.0}, "there is no feature 100"),
            ({-1: 1.0}, "there is no feature -1"),
            ({1 << 40: 1.0}, "there is no feature -1"),
            ({1: 1, 2: 1, 3: 1}, "room for 2"),
            ({"a": 1.0}, "whole numbers"),
            ({1: 1.0, "a": 1.0}, "whole numbers"),
            ({1: "x"}, "numbers are needed"),
            ([{1: 1.0}, {2: 1.0}], "one row"),
            ([{1: 1.0}, [2.0]], "every row must be a dict"),
        ):
            with self.assertRaisesRegex(posse.ContextError, word):
                p.decide(wrong)


if __name__ == "__main__":
    unittest.main()
