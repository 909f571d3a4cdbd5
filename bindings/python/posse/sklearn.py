# SPDX-License-Identifier: MIT
"""A posse as an estimator of scikit-learn, which this module needs. `import posse` does not import it.

::

    from posse.sklearn import BanditClassifier

    model = BanditClassifier().fit(X, y)          # plays each row once, and learns whether its guess was right
    model.score(X_test, y_test)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets, unique_labels
from sklearn.utils.validation import check_array, check_is_fitted, column_or_1d

from posse._posse import Posse

try:
    from sklearn.utils.validation import validate_data
except ImportError:  # scikit-learn before 1.6

    def validate_data(estimator, *arrays, **options):
        return estimator._validate_data(*arrays, **options)


__all__ = ["BanditClassifier"]


class BanditClassifier(ClassifierMixin, BaseEstimator):
    """A classifier that learns only whether its guess was right. A row is a round, and a class is an arm.

    selector, learners, prior, rewards: those of `Posse`. Left out, they are the recommended ones for clicks.
    fit_intercept: whether each row gets a feature that is always 1.
    batch: how many rows are decided before the first of their rewards arrives (`Posse.decide_many`).
    random_state: the seed of the posse, a whole number; or, as everywhere in scikit-learn, a generator or None.

    After `fit`, `posse_` is the posse, with `report`, `learners` and all the rest; `classes_` has the classes, in the order
    of the arms; `reward_` is the mean reward of all rows that were played so far, so it is the accuracy while learning.
    """

    def __init__(
        self,
        *,
        selector: Mapping[str, Any] | str = "recommended",
        learners: Sequence[Any] | str | None = None,
        prior: Mapping[str, Any] | str | None = None,
        rewards: str = "clicks",
        fit_intercept: bool = True,
        batch: int = 1,
        random_state: Any = 1,
    ):
        self.selector = selector
        self.learners = learners
        self.prior = prior
        self.rewards = rewards
        self.fit_intercept = fit_intercept
        self.batch = batch
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike, rewards: ArrayLike | None = None) -> BanditClassifier:
        """Forgets everything, and learns from these rows in their order.

        Without rewards, y has the right classes. The posse plays each row once: it decides on a class, and gets 1 if that
        class is right, otherwise 0. It never sees the right class itself. With rewards, y has the classes that somebody
        else played, as in a log, and rewards what each play brought: all learners are taught, and nothing is played.
        """
        return self._learn(X, y, None, rewards, fresh=True)

    def partial_fit(
        self, X: ArrayLike, y: ArrayLike, classes: ArrayLike | None = None, rewards: ArrayLike | None = None
    ) -> BanditClassifier:
        """Learns from more rows. The first call begins with these classes, or with those in y; later ones keep them."""
        return self._learn(X, y, classes, rewards, fresh=not hasattr(self, "posse_"))

    def expected_rewards(self, X: ArrayLike) -> NDArray[np.float64]:
        """The posterior mean reward of each class, rows x `classes_`. AbsentError: the selector has no belief."""
        check_is_fitted(self, "posse_")
        contexts = self._contexts(validate_data(self, X, reset=False))
        return np.array([self.posse_.means_in(row) for row in contexts])

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """The class with the largest expected reward for each row. It does not explore, and decides nothing.
        AbsentError: the selector has no belief."""
        best = np.argmax(self.expected_rewards(X), axis=1)
        return self.classes_[best]

    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """The accuracy of `predict`: the mean reward of the learned rule, if the right class pays 1."""
        return float(super().score(X, y, sample_weight))

    def _learn(self, X: Any, y: Any, classes: Any, rewards: Any, fresh: bool) -> BanditClassifier:
        X, y = validate_data(self, X, y, reset=fresh)
        check_classification_targets(y)
        amounts = None if rewards is None else column_or_1d(check_array(rewards, ensure_2d=False, dtype=np.float64))
        if amounts is not None and len(amounts) != len(y):
            raise ValueError(f"{len(y)} rows, and {len(amounts)} rewards")
        known = self._classes(y, classes, fresh)
        arms, contexts = _places(known, y), self._contexts(X)
        p, rewarded, played = (self._make(len(known), X.shape[1]), 0.0, 0) if fresh else (self.posse_, *self._sums)
        if amounts is None:
            rewarded, played = rewarded + self._play(p, contexts, arms), played + len(arms)
        else:
            p.teach_many(arms, amounts, contexts)
        self.classes_, self.posse_, self._sums = known, p, (rewarded, played)
        self.reward_ = rewarded / played if played else np.nan
        return self

    def _classes(self, y: NDArray[Any], classes: Any, fresh: bool) -> NDArray[Any]:
        given = None if classes is None else unique_labels(classes)
        if fresh:
            return np.unique(y) if given is None else given
        if given is not None and not np.array_equal(given, self.classes_):
            raise ValueError(f"classes are {given}, and were {self.classes_} in the first call of partial_fit")
        return self.classes_

    def _make(self, arms: int, features: int) -> Posse:
        seed = self.random_state
        if not isinstance(seed, (int, np.integer)):
            seed = check_random_state(seed).randint(2**31)
        return Posse(
            arms,
            self.selector,
            self.learners,
            context=features + bool(self.fit_intercept),
            prior=self.prior,
            rewards=self.rewards,
            seed=int(seed),
        )

    def _contexts(self, X: NDArray[Any]) -> NDArray[np.float64]:
        rows = np.asarray(X, dtype=np.float64)
        return np.column_stack((rows, np.ones(len(rows)))) if self.fit_intercept else rows

    def _play(self, p: Posse, contexts: NDArray[np.float64], right: NDArray[np.int64]) -> float:
        """Plays each row once, and returns the sum of the rewards."""
        if self.batch < 1:
            raise ValueError(f"batch is {self.batch}; it must be at least 1")
        total = 0.0
        for start in range(0, len(contexts), self.batch):
            rows = slice(start, start + self.batch)
            made = p.decide_many(contexts[rows])
            hits = made.arms == right[rows]
            p.learn_many(made, hits)
            total += float(hits.sum())
        return total


def _places(classes: NDArray[Any], y: NDArray[Any]) -> NDArray[np.int64]:
    """The arm of each class. ValueError: there is no such class."""
    unknown = np.setdiff1d(y, classes)
    if len(unknown):
        raise ValueError(f"y has classes that are not known: {unknown}; those of the first call are {classes}")
    return np.searchsorted(classes, y)
