# SPDX-License-Identifier: MIT
"""The estimator of scikit-learn: its own checks, and what fit, partial_fit, predict and score do beside a posse."""

import pickle
import subprocess
import sys
import unittest
import warnings

import numpy as np
import pandas
import posse
from contextual import chance
from posse.sklearn import BanditClassifier
from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator


def flowers():
    """Iris in a random order, standardised."""
    X, y = load_iris(return_X_y=True)
    order = chance(1).permutation(len(y))
    return StandardScaler().fit_transform(X)[order], y[order]


def with_constant(X):
    return np.column_stack((X, np.ones(len(X))))


class Checks(unittest.TestCase):
    def test_those_of_scikit_learn(self):
        """All of them apply: none is left out, and no tag declares an exception."""
        checks = list(check_estimator(BanditClassifier(), generate_only=True))
        self.assertGreaterEqual(len(checks), 40)
        for estimator, check in checks:
            with self.subTest(check=check.func.__name__), warnings.catch_warnings():
                warnings.simplefilter("ignore")  # checks expect some warnings, and cause others
                check(estimator)

    def test_the_package_does_not_import_scikit_learn(self):
        code = "import posse, sys; sys.exit('sklearn' in sys.modules)"
        self.assertEqual(subprocess.run([sys.executable, "-c", code]).returncode, 0)


class Learning(unittest.TestCase):
    def test_fit_plays_each_row_once(self):
        """The bytes of the posse are those of a loop over decide and learn."""
        X, y = flowers()
        model = BanditClassifier(random_state=7).fit(X, y)
        p, total = posse.Posse(3, context=5, rewards="clicks", seed=7), 0
        for row, right in zip(with_constant(X), y, strict=True):
            d = p.decide(row)
            p.learn(d, d.arm == right)
            total += d.arm == right
        self.assertEqual(model.posse_.save(), p.save())
        self.assertEqual(model.reward_, total / len(y))

    def test_batches_are_decided_before_they_are_rewarded(self):
        X, y = flowers()
        model = BanditClassifier(batch=20, fit_intercept=False).fit(X, y)
        p = posse.Posse(3, context=4, rewards="clicks")
        for start in range(0, len(y), 20):
            made = [p.decide(row) for row in X[start : start + 20]]
            for d, right in zip(made, y[start : start + 20], strict=True):
                p.learn(d, d.arm == right)
        self.assertEqual(model.posse_.save(), p.save())

    def test_partial_fit_continues(self):
        X, y = flowers()
        whole, parts = BanditClassifier().fit(X, y), BanditClassifier()
        for start in range(0, len(y), 30):
            parts.partial_fit(X[start : start + 30], y[start : start + 30], classes=[0, 1, 2])
        self.assertEqual((parts.posse_.save(), parts.reward_), (whole.posse_.save(), whole.reward_))
        again = pickle.loads(pickle.dumps(parts)).partial_fit(X[:9], y[:9])
        self.assertEqual(again.posse_.decisions, len(y) + 9)

    def test_plays_of_a_log_teach_and_decide_nothing(self):
        X, y = flowers()
        logged = chance(2).integers(3, size=len(y))
        paid = np.where(logged == y, 2.5, 0.5)
        model = BanditClassifier(rewards="numbers").fit(X, logged, rewards=paid)
        p = posse.Posse(3, context=5, rewards="numbers")
        for row, arm, reward in zip(with_constant(X), logged, paid, strict=True):
            p.teach(int(arm), reward, context=row)
        self.assertEqual(model.posse_.save(), p.save())
        self.assertEqual(model.posse_.decisions, 0)
        self.assertTrue(np.isnan(model.reward_))
        self.assertGreater(model.score(X, y), 0.8)

    def test_predict_takes_the_largest_posterior_mean(self):
        X, y = flowers()
        words = np.array(["setosa", "versicolor", "virginica"])
        model = BanditClassifier().fit(X, words[y])
        before = model.posse_.save()
        means = np.array([model.posse_.means_in(row) for row in with_constant(X)])
        np.testing.assert_array_equal(model.expected_rewards(X), means)
        np.testing.assert_array_equal(model.predict(X), words[means.argmax(axis=1)])
        self.assertEqual(model.score(X, words[y]), np.mean(words[means.argmax(axis=1)] == words[y]))
        self.assertEqual(model.posse_.save(), before)

    def test_learns_digits(self):
        """Rows that it has not seen. A guess is right in a tenth of them."""
        X, y = load_digits(return_X_y=True)
        order = chance(3).permutation(len(y))
        X, y = StandardScaler().fit_transform(X)[order], y[order]
        self.assertGreater(BanditClassifier().fit(X[:1400], y[:1400]).score(X[1400:], y[1400:]), 0.85)


class Words(unittest.TestCase):
    def test_parameters(self):
        model = BanditClassifier(learners=["linear-ucb"], prior={"kind": "linear", "noise": 0.5})
        self.assertEqual(clone(model).get_params(), model.get_params())
        self.assertEqual(model.set_params(batch=4).batch, 4)
        with self.assertRaisesRegex(ValueError, "Invalid parameter 'learner'"):
            model.set_params(learner=[])

    def test_pipelines_and_searches(self):
        X, y = flowers()
        frame = pandas.DataFrame(X, columns=["a", "b", "c", "d"])
        self.assertGreater(cross_val_score(make_pipeline(StandardScaler(), BanditClassifier()), frame, y).mean(), 0.8)
        found = GridSearchCV(BanditClassifier(), {"learners": [None, ["linear-ucb"]], "prior": ["logistic"]}, cv=3).fit(X, y)
        self.assertEqual(len(found.cv_results_["params"]), 2)

    def test_what_is_wrong_is_refused_and_changes_nothing(self):
        X, y = flowers()
        with self.assertRaises(NotFittedError):
            BanditClassifier().predict(X)
        model = BanditClassifier().fit(X, y)
        before = model.posse_.save()
        wrong = [
            (ValueError, "not known: \\[7\\]", lambda: model.partial_fit(X[:2], [0, 7])),
            (ValueError, "classes are \\[0 1\\], and were", lambda: model.partial_fit(X[:2], [0, 1], classes=[0, 1])),
            (ValueError, "2 rows, and 3 rewards", lambda: model.partial_fit(X[:2], [0, 1], rewards=[1, 1, 1])),
            (posse.RewardError, "", lambda: model.partial_fit(X[:2], [0, 1], rewards=[1, 5])),
            (ValueError, "features", lambda: model.partial_fit(X[:2, :3], [0, 1])),
            (ValueError, "batch is 0", lambda: clone(model).set_params(batch=0).fit(X, y)),
            (posse.SpecificationError, "no selector", lambda: clone(model).set_params(selector="best").fit(X, y)),
        ]
        for kind, text, act in wrong:
            with self.subTest(text=text), self.assertRaisesRegex(kind, text):
                act()
        self.assertEqual(model.posse_.save(), before)


if __name__ == "__main__":
    unittest.main()
