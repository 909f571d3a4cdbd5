# SPDX-License-Identifier: MIT
"""The environment `table` beside scikit-learn and SciPy: features of columns, rewards of arms, and other file forms."""

import pathlib
import tempfile
import unittest

import numpy as np
import posse
from scipy.io import arff
from sklearn.datasets import dump_svmlight_file
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import OneHotEncoder, PolynomialFeatures, StandardScaler

ROWS = 60
WORDS = ("red", "green", "blue", "dark blue")


def draw_columns(seed):
    """Numbers, numbers with holes, words, words with holes, two words, a constant, and a class."""
    dice = np.random.default_rng(seed)
    holes = lambda cells: [cell if dice.random() > 0.2 else dice.choice(["", "?", "NA"]) for cell in cells]
    return {
        "x": [repr(float(x)) for x in dice.normal(3, 20, ROWS)],
        "gaps": holes([repr(float(x)) for x in dice.normal(0, 1, ROWS)]),
        "colour": list(dice.choice(WORDS, ROWS)),
        "maybe": holes(dice.choice(WORDS[:2], ROWS)),
        "side": list(dice.choice(["left", "right"], ROWS)),
        "same": ["7"] * ROWS,
        "class": list(dice.choice(["a", "b", "c"], ROWS)),
    }


def by_sklearn(columns, standardise=False, quadratic=False):
    parts = []
    for name, cells in columns.items():
        if name == "class":
            continue
        cells = [None if cell in ("", "?", "NA") else cell for cell in cells]
        if name in ("colour", "maybe", "side"):
            order = sorted({cell for cell in cells if cell is not None}) + ["~"] * (None in cells)
            encoder = OneHotEncoder(categories=[order], drop="if_binary", sparse_output=False)
            parts.append(encoder.fit_transform([["~" if cell is None else cell] for cell in cells]))
        else:
            numbers = np.array([[np.nan if cell is None else float(cell)] for cell in cells])
            parts.append(SimpleImputer(add_indicator=True).fit_transform(numbers))
    found = np.hstack(parts)
    scaled = lambda x: np.clip(StandardScaler().fit_transform(x[:, x.min(0) < x.max(0)]), -10, 10)
    found = scaled(found) if standardise else found
    if quadratic:
        more = PolynomialFeatures(2, include_bias=False).fit_transform(found)[:, found.shape[1] :]
        found = np.hstack([found, scaled(more) if standardise else more])
    return np.hstack([found, np.ones((ROWS, 1))]) if standardise else found


class Tables(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, columns, name="t.csv"):
        rows = [",".join(columns), *(",".join(cells) for cells in zip(*columns.values()))]
        (self.folder / name).write_text("\n".join(rows) + "\n")

    def environment(self, name="t.csv", **options):
        given = {"kind": "table", "file": str(self.folder / name), "shuffle": False, **options}
        return posse.Environment(given, seed=1)

    def features(self, rows=ROWS, **options):
        environment = self.environment(**options)
        return np.array([environment.round().shared for _ in range(rows)])

    def test_features_are_those_of_scikit_learn(self):
        for seed in range(5):
            columns = draw_columns(seed)
            self.write(columns)
            for standardise in (False, True):
                for quadratic in (False, True):
                    word = "quadratic" if quadratic else "none"
                    found = self.features(label="class", standardise=standardise, interactions=word)
                    np.testing.assert_allclose(found, by_sklearn(columns, standardise, quadratic), rtol=1e-9, atol=1e-9)

    def test_an_arm_is_a_column_of_rewards(self):
        (self.folder / "t.csv").write_text("r_a,x,r_b,r_c\n1,5,-2,3.5\n0.5,6,0.5,0\n")
        environment = self.environment(rewards="r_*")
        self.assertEqual(environment.arms, 3)
        for features_, rewards in (([5], [1, -2, 3.5]), ([6], [0.5, 0.5, 0])):
            self.assertEqual(list(environment.round().shared), features_)
            for arm, reward in enumerate(rewards):
                self.assertEqual(environment.regret(arm), max(rewards) - reward)
            self.assertEqual(environment.reward(1), rewards[1])

    def test_arff_is_what_scipy_reads(self):
        text = """% a comment
@RELATION cars
@attribute 'the speed' numeric
@attribute colour {red, dark-blue, green}
@attribute size REAL
@attribute class {slow, fast}

@data
1.5, red, ?, slow
% another
-2e1,dark-blue,3, fast
7,?,4, fast
"""
        (self.folder / "t.arff").write_text(text)
        rows, _ = arff.loadarff(self.folder / "t.arff")
        found = self.features(3, name="t.arff", label="class", features=["the speed"])
        np.testing.assert_array_equal(found[:, 0], rows["the speed"])
        found = self.features(3, name="t.arff", label="class", features=["colour"])
        words = [word.decode() for word in rows["colour"]]
        order = ["dark-blue", "red", "?"]
        np.testing.assert_array_equal(found, [[float(word == other) for other in order] for word in words])
        found = self.features(3, name="t.arff", label="class", features=["size"])
        np.testing.assert_array_equal(found[:, 1], np.isnan(rows["size"]))
        self.assertEqual(self.environment("t.arff", label="class").arms, 2)

    def test_words_of_arff_may_be_quoted(self):
        head = "@relation r\n@attribute 'a word' {'it\\'s', \"so, so\", plain}\n@attribute k {a, b}\n@data\n"
        (self.folder / "t.arff").write_text(head + "'it\\'s', a\n\"so, so\" , b\nplain,a\n")
        found = self.features(3, name="t.arff", label="k")
        np.testing.assert_array_equal(found, [[1, 0, 0], [0, 0, 1], [0, 1, 0]])

    def test_sparse_arff_leaves_out_zeros_and_first_words(self):
        head = "@relation r\n@attribute x numeric\n@attribute c {u, v}\n@attribute y numeric\n@attribute k {a, b}\n@data\n"
        (self.folder / "dense.arff").write_text(head + "0, u, 2.5, a\n1, v, 0, b\n0, u, 0, a\n")
        (self.folder / "sparse.arff").write_text(head + "{2 2.5}\n{0 1, 1 v, 3 b}\n{ }\n")
        dense, sparse = (self.features(3, name=f"{form}.arff", label="k") for form in ("dense", "sparse"))
        np.testing.assert_array_equal(dense, sparse)

    def test_libsvm_is_what_scikit_learn_writes(self):
        dice = np.random.default_rng(3)
        x = dice.normal(0, 1, (30, 7)) * (dice.random((30, 7)) < 0.4)
        x[0, 6] = 1.0
        y = dice.integers(0, 4, 30)
        dump_svmlight_file(x, y, str(self.folder / "t.svm"), zero_based=False, comment="made for a test")
        np.testing.assert_allclose(self.features(30, name="t.svm", label="label"), x, rtol=1e-12)
        environment = self.environment("t.svm", label="label")
        self.assertEqual(environment.arms, 4)
        for answer in y:
            environment.round()
            self.assertEqual(environment.regret(int(answer)), 0)

    def test_wrong_tables_say_where(self):
        head = "@relation r\n@attribute x numeric\n@attribute c {u, v}\n@data\n"
        for name, text, options, path, excerpt in (
            ("t.csv", "x,c\n1,a\n", {}, "kind", "give `label`, the column of the class, or `rewards`"),
            ("t.csv", "x,c\n1,a\n", {"label": "c", "rewards": "x"}, "rewards", "not both"),
            ("t.csv", "x,c\n1,a\n", {"rewards": "r_*"}, "rewards", 'has no column that matches "r_*"'),
            ("t.csv", "r_1,r_2\n1,2\n", {"rewards": "r_*"}, "file", "has no column beside the rewards"),
            ("t.csv", "r_1,x\nbig,2\n", {"rewards": "r_*"}, "file", 't.csv:2:1: "big" is no number'),
            ("t.csv", "r_1,x\n,2\n", {"rewards": "r_*"}, "file", "t.csv:2:1: an empty cell"),
            ("t.csv", "r_1,x\n1,2\n", {"rewards": "r_*", "features": "r_1"}, "features", '"r_1" is a reward'),
            ("t.csv", "x,c\nred,a\n5,b\n", {"label": "c"}, "file", 't.csv:3:1: "5" is a number, but line 2 has a word'),
            ("t.csv", "x,c\n5,a\nred,b\n", {"label": "c"}, "file", 't.csv:3:1: "red" is no number'),
            ("t.csv", "x,c\n1e7,a\n5,b\n", {"label": "c"}, "file", "t.csv:2:1: 1e+07 is no feature"),
            ("t.csv", "x,c\n1e5,a\n5,b\n", {"label": "c", "interactions": "quadratic"}, "interactions", "set `standardise`"),
            (
                "t.csv",
                "x,c\n" + "".join(f"w{n},a\n" for n in range(1001)),
                {"label": "c"},
                "file",
                "t.csv:1002:1: \"x\" has more than 1000 words",
            ),
            (
                "t.csv",
                ",".join(f"x{n}" for n in range(50)) + ",c\n" + "1," * 50 + "a\n" + "2," * 50 + "b\n",
                {"label": "c", "interactions": "quadratic"},
                "interactions",
                "1325 features are too many; at most 1024",
            ),
            ("t.arff", "@relation r\n@attribute x date\n@data\n", {"label": "c"}, "file", "t.arff:2:14: the type of a column"),
            ("t.arff", "@relation r\n@attribute x real\n", {"label": "c"}, "file", "t.arff: has no line @data"),
            ("t.arff", "@relation r\nx\n", {"label": "c"}, "file", "t.arff:2:1: before @data, a line begins with"),
            ("t.arff", head + "1\n", {"label": "c"}, "file", "t.arff:5:2: a comma is missing, but there are 2 attributes"),
            ("t.arff", head + "1, u, 3\n", {"label": "c"}, "file", "t.arff:5:5: more than a row"),
            ("t.arff", head + "big, u\n", {"label": "c"}, "file", 't.arff:5:1: "big" is no number'),
            ("t.arff", head + "{7 1}\n", {"label": "c"}, "file", "t.arff:5:2: an index of a column is needed here, 0 to 1"),
            ("t.arff", head + "1, 'u\n", {"label": "c"}, "file", "t.arff:5:4: a quote that is never closed"),
            ("t.svm", "1 2:3 2:4\n", {"label": "label"}, "file", "t.svm:1:7: index 2 behind 2; indices grow"),
            ("t.svm", "1 0:3\n", {"label": "label"}, "file", "t.svm:1:3: INDEX:VALUE is needed here"),
            ("t.svm", "1 x:3\n", {"label": "label"}, "file", "t.svm:1:3: INDEX:VALUE is needed here"),
            ("t.svm", "1 1:x\n", {"label": "label"}, "file", 't.svm:1:5: "x" is no number'),
            ("t.svm", "1 10000:3\n", {"label": "label"}, "file", "t.svm:1:3: index 10000 is too large"),
        ):
            with self.subTest(text=text, options=options):
                (self.folder / name).write_text(text)
                with self.assertRaises(posse.SpecificationError) as raised:
                    self.environment(name, **options)
                (problem,) = raised.exception.problems
                self.assertEqual(problem.path, path)
                self.assertIn(excerpt, problem.text)


if __name__ == "__main__":
    unittest.main()
