# SPDX-License-Identifier: MIT
"""Data frames and dicts of features by name in batches: in random settings, decisions, errors and saved bytes are those of
a loop over the rows."""

import unittest

import numpy as np
import pandas
import posse

WORDS = ["de", "fr", "it", "côte", "", "a=b", "x*y"]
SETTINGS = 60
ROWS = 30


def chance(seed):
    return np.random.default_rng(seed)


def words(dice, count):
    return [WORDS[i] for i in dice.integers(0, len(WORDS), count)]


def mixed(dice, count):
    """Cells of every sort that a feature may be."""
    sorts = [None, True, False, 3, -2.5, "de", "é", [], ["sea", "sun", "sea"], ("a", "b"), np.float32(1.5), np.int8(3)]
    sorts += [np.bool_(True), np.str_("fr"), {"near": 1.5, "kind": "guest"}, {}, {"tags": ["x"], "none": None}, 10**5]
    return [sorts[i] for i in dice.integers(0, len(sorts), count)]


def cells(values):
    """A column of objects as they are."""
    found = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        found[i] = value
    return found


COLUMNS = {
    "float64": lambda dice, n: dice.normal(size=n) * 10,
    "float32": lambda dice, n: dice.normal(size=n).astype(np.float32),
    "int64": lambda dice, n: dice.integers(-9, 9, n),
    "uint8": lambda dice, n: dice.integers(0, 9, n).astype(np.uint8),
    "bool": lambda dice, n: dice.random(n) < 0.5,
    "words": lambda dice, n: cells(words(dice, n)),
    "category": lambda dice, n: pandas.Categorical(words(dice, n)),
    "numbers of a category": lambda dice, n: pandas.Categorical(dice.integers(0, 3, n)),
    "string": lambda dice, n: pandas.array(words(dice, n), dtype="string"),
    "Int64": lambda dice, n: pandas.array(dice.integers(0, 9, n), dtype="Int64"),
    "boolean": lambda dice, n: pandas.array(dice.random(n) < 0.5, dtype="boolean"),
    "mixed": lambda dice, n: cells(mixed(dice, n)),
    "lists": lambda dice, n: cells([words(dice, dice.integers(0, 4)) for _ in range(n)]),
    "one word": lambda _, n: cells(["same"] * n),
}
NAMES = ["age", "new", "a", "a=b", "user.age", "user.likes", "country", "context.days", "ä", "item.size"]
OFFERS = {"red": {"price": 3, "age": 2.5}, "green": {}, "blue": {"price": 2.5, "item.size": 1, "tags": ["new", "new"]}}


def setting(seed):
    """A random posse, and the features of its arms, or None."""
    dice = chance([1, seed])
    dim, context = [(0, 16), (16, 0), (12, 9), (0, 3)][dice.integers(4)]
    features = {"constant": bool(dice.integers(2)), "learn_scale": int(dice.choice([0, 5, 1000]))}
    if dice.integers(2):
        features["interactions"] = ["context*context", "user*context", "context*arm", "user*item"][: dice.integers(1, 5)]
    if dice.integers(2):
        features["scale"] = {"age": {"mean": 3, "sd": 2}, "user.age": {"mean": 1, "sd": 9}, "arm.price": {"mean": 1, "sd": 1}}
    given = {"arms": list(OFFERS), "dim": dim, "context": context, "prior": "linear", "features": features}
    given["joins"] = 5 if dice.integers(2) else None
    if dice.integers(3) == 0:
        given |= {"nonzeros": 200, "prior": {"kind": "linear", "covariance": "diagonal"}}
    given = {key: value for key, value in given.items() if value is not None}

    def make():
        p = posse.Posse(learners=["linear-ucb", "linear-thompson"], selector={"kind": "bms-plus", "floor": 0.2}, **given)
        p.epoch = 7
        return p

    among = [None, ["blue", "red"], OFFERS if dim > 0 else None][dice.integers(3)]
    return make, among


def table(seed):
    dice = chance([2, seed])
    sorts = dice.choice(list(COLUMNS), dice.integers(1, 8))
    names = dice.permutation(NAMES)[: len(sorts)]
    columns = {name: COLUMNS[sort](dice, ROWS) for name, sort in zip(names, sorts, strict=True)}
    return pandas.DataFrame(columns, index=dice.permutation(ROWS))


def attempt(work):
    """What a call returns, or the text of its error."""
    try:
        return work(), None
    except posse.ContextError as error:
        return None, str(error)


class Rows(unittest.TestCase):
    """A batch of a frame, and one of its rows as dicts, beside the loop over the rows."""

    def same(self, make, frame, among, seed):
        loop, of_frame, of_dicts = make(), make(), make()
        rows = [row for _, row in frame.iterrows()]
        dicts = [dict(zip(frame.columns, cells_, strict=True)) for cells_ in zip(*(frame[c] for c in frame), strict=True)]
        before, error, one = loop.save(), None, []
        for i, row in enumerate(rows):
            decision, error = attempt(lambda row=row: loop.decide(row, arms=among))
            if error is not None:
                error = error.replace("context", f"contexts[{i}]", 1)
                break
            one.append(decision)
        for p, contexts in ((of_frame, frame), (of_dicts, dicts)):
            many, refused = attempt(lambda p=p, contexts=contexts: p.decide_many(contexts, arms=among))
            if error is not None:
                self.assertEqual(refused, error if "arms" not in error else refused)
                self.assertIsNotNone(refused)
                self.assertEqual(p.save(), before)
                continue
            self.assertIsNone(refused)
            self.assertEqual(many.arms.tolist(), [d.arm for d in one])
            self.assertEqual(many.probabilities.tolist(), [d.probability for d in one])
            self.assertEqual(p.save(), loop.save())
        if error is None:
            self.learn_and_teach(loop, (of_frame, of_dicts), (frame, dicts), one, rows, seed)
        return error is None

    def learn_and_teach(self, loop, batches, contexts, one, rows, seed):
        dice = chance([3, seed])
        rewards, played = dice.normal(size=ROWS), dice.integers(0, 3, ROWS)
        for decision, reward in zip(one, rewards, strict=True):
            loop.learn(decision, reward)
        for row, arm, reward in zip(rows, played, rewards, strict=True):
            loop.teach(arm, reward, context=row)
        for p, form in zip(batches, contexts, strict=True):
            p.learn_many([d.id for d in one], rewards)
            p.teach_many(played, rewards, form)
            self.assertEqual(p.save(), loop.save())

    def test_random_settings(self):
        done = 0
        for seed in range(SETTINGS):
            with self.subTest(seed=seed):
                make, among = setting(seed)
                done += self.same(make, table(seed), among, seed)
        self.assertGreater(done, SETTINGS // 2)  # the others have a key twice, or products that are too large

    def test_wrong_cells_change_nothing(self):
        unknown = (None, pandas.NA)  # these add nothing
        bad = [np.nan, np.inf, *unknown, object(), "x\0y", "\ud800", b"bytes", 1j, ["a", 3], {"b": {"c": 1}}, 10**400]
        for seed in range(SETTINGS):
            dice = chance([4, seed])
            frame = table(seed)
            column = cells(mixed(dice, ROWS))
            column[dice.integers(ROWS)] = bad[seed % len(bad)]
            frame["bad"] = column
            with self.subTest(seed=seed):
                make, among = setting(seed)
                right = self.same(make, frame, among, seed)
                self.assertTrue(not right or any(bad[seed % len(bad)] is one for one in unknown))

    def test_numbers_that_are_no_features(self):
        for bad in (np.nan, np.inf, -np.inf):
            frame = pandas.DataFrame({"age": [1.0, 2.0, bad, bad], "new": [True, False, True, True]})
            make, _ = setting(0)
            p = make()
            before = p.save()
            with self.assertRaisesRegex(posse.ContextError, rf"contexts\[2\].age: {bad} is no feature"):
                p.decide_many(frame)
            self.assertEqual(p.save(), before)
        frame = pandas.DataFrame({"age": pandas.Categorical(["a", None, "b"])})
        with self.assertRaisesRegex(posse.ContextError, r"contexts\[1\].age: nan is no feature"):
            p.decide_many(frame)

    def test_names_that_are_none(self):
        make, _ = setting(0)
        p = make()
        for name, text in ((3, "the name of a feature is a text, not 3"), ("a\0b", "a text has a zero in it"), ("", "is empty")):
            with self.assertRaisesRegex(posse.ContextError, rf"contexts\[0\].*{text}"):
                p.decide_many(pandas.DataFrame({"age": [1.0], name: [2.0]}))
        self.assertEqual(p.decisions, 0)

    def test_columns_of_one_name(self):
        for frame in (
            pandas.DataFrame([[1.0, "de", 2.0], [3.0, "fr", 4.0]], columns=["age", "land", "age"]),
            pandas.DataFrame(index=range(4)),  # rounds without features
            pandas.DataFrame({"age": []}),
        ):
            make, _ = setting(4)
            loop, batch = make(), make()
            one = [loop.decide(row).arm for _, row in frame.iterrows()]
            self.assertEqual(batch.decide_many(frame).arms.tolist(), one)
            self.assertEqual(loop.save(), batch.save())

    def test_a_scale_that_freezes_in_the_batch(self):
        """The third number is too far from a scale that the first two have made."""
        p = posse.Posse(3, context=8, features={"learn_scale": 2}, selector=None, learners=["linear-ucb"])
        before = p.save()
        for contexts in ([{"a": 0.0}, {"a": 1.0}, {"a": 1e9}], pandas.DataFrame({"a": [0, 1, 1e9]})):
            with self.assertRaisesRegex(posse.ContextError, r"contexts\[2\].*2e\+09; features must be at most"):
                p.decide_many(contexts)
            with self.assertRaisesRegex(posse.ContextError, r"contexts\[2\].*2e\+09; features must be at most"):
                p.teach_many([0, 1, 2], [1, 1, 1], contexts)
            self.assertEqual(p.save(), before)

    def test_more_words_than_are_read_ahead(self):
        loop, batch = (posse.Posse(3, context=64, features={}, selector=None, learners=["ucb"], prior="beta") for _ in range(2))
        ids = [f"visitor {i % 40000}" for i in range(70000)]
        frame = pandas.DataFrame({"id": ids, "again": ids[::-1]})
        for i in range(0, 70000, 1000):
            loop.decide_many([{"id": a, "again": b} for a, b in zip(ids[i : i + 1000], ids[::-1][i : i + 1000], strict=True)])
        batch.decide_many(frame)
        self.assertEqual(loop.save(), batch.save())


if __name__ == "__main__":
    unittest.main()
