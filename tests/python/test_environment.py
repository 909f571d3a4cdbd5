# SPDX-License-Identifier: MIT
"""Environments that are played round by round, and plugins."""

import pathlib
import subprocess
import tempfile
import unittest

import numpy as np
import posse
from support import ROOT, python, small

STRAY = """
#define main example_main
#include "own_learner.c"
static int stray_act(const void *plan, void *state, posse_draw *draw, double *point) {
    (void)plan, (void)state, (void)draw, (void)point;
    return 77;
}
static posse_learner_ops stray;
__attribute__((constructor)) static void make(void) {
    stray = softmax;
    stray.kind.name = "stray";
    stray.act = stray_act;
}
const posse_learner_ops *const posse_plugin_learners[] = {&softmax, &stray, NULL};
"""


class Environments(unittest.TestCase):
    def test_a_learner_by_hand_has_the_regret_of_the_experiment(self):
        experiment = small(learners=[{"name": "narrow", "kind": "ucb", "width": 0.1}], selectors=[])
        r = posse.run(experiment)
        e = posse.Environment(experiment["environment"], seed=experiment["seed"])
        for run in range(3):
            e.begin(run)
            p = posse.Posse(arms=4, selector=None, learners=experiment["learners"], seed=3, run=run)
            total = 0.0
            for _ in range(200):
                d = p.decide()
                total += e.regret(d)
                p.learn(d, e.reward(d))
            self.assertEqual(total, r["narrow"].runs[run])
        self.assertEqual((e.run, e.seed, e.arms, e.dim, e.points), (2, 3, 4, 0, None))

    def test_means_and_regret_agree(self):
        e = posse.Environment({"kind": "linear", "dim": 3, "arms": {"set": "sphere", "count": 9}, "noise": 0.1}, seed=5)
        self.assertEqual(e.points.shape, (9, 3))
        self.assertTrue(np.allclose([e.regret(arm) for arm in range(9)], e.means.max() - e.means))
        first = [e.reward(arm) for arm in range(9)]
        e.begin(1)
        other = e.means
        e.begin(0)
        self.assertEqual([e.reward(arm) for arm in range(9)], first)
        self.assertFalse(np.array_equal(e.means, other))

    def test_on_the_ball_an_arm_is_a_point(self):
        e = posse.Environment({"kind": "linear", "dim": 2, "arms": {"set": "ball", "count": "all"}})
        theta = e.means
        self.assertAlmostEqual(e.regret(theta / np.linalg.norm(theta)), 0)
        self.assertAlmostEqual(e.regret([0, 0]), np.linalg.norm(theta))
        p = posse.Posse(dim=2, prior="linear", learners=["thompson"], selector=None)
        self.assertIsInstance(e.reward(p.decide()), float)
        for wrong in ([1], [1, 0, 0]):
            with self.assertRaisesRegex(ValueError, "a point, 2 numbers"):
                e.reward(wrong)

    def test_it_shows_what_it_is(self):
        e = posse.Environment({"kind": "bernoulli", "arms": 3}, seed=4)
        e.begin(2)
        self.assertEqual(repr(e), "<posse.Environment: 3 arms, seed 4, run 2>")

    def test_what_is_wrong_is_told_at_its_place(self):
        for part, path in (({"kind": "gausian"}, "kind"), ("bernoulli", "arms"), ({"kind": "gaussian", "arms": 0}, "arms")):
            with self.assertRaises(posse.SpecificationError) as caught:
                posse.Environment(part)
            self.assertEqual([p.path for p in caught.exception.problems], [path])
        e = posse.Environment({"kind": "gaussian", "arms": 3})
        for arm in (-1, 3, 10**9):
            with self.assertRaisesRegex(ValueError, "there are only arms 0 to 2"):
                e.reward(arm)
        with self.assertRaises(TypeError):
            e.reward("first")
        with self.assertRaises(posse.SpecificationError):
            e.begin(-1)


class Tables(unittest.TestCase):
    """Rows of a file as rounds. Paths are relative to the working directory, because a description has no folder."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name) / "fruit.csv"
        self.path.write_text("weight,kind,size\n1,pear,4\n2,apple,5\n")

    def table(self, **options):
        return posse.Environment({"kind": "table", "file": str(self.path), "label": "kind", **options}, seed=1)

    def test_rows_are_rounds(self):
        for features, first in (("*", [1, 4]), ("size", [4]), (["size", "weight"], [4, 1])):
            environment = self.table(features=features, shuffle=False)
            self.assertEqual(list(environment.round().shared), first)

    def test_wrong_tables_say_where(self):
        for options, path, excerpt in (
            ({"label": "kin"}, "label", 'has no column "kin"; did you mean "kind"?'),
            ({"features": ["size", "colour"]}, "features[1]", 'has no column "colour"'),
            ({"features": "kind"}, "features", "is the label"),
            ({"file": "no-such.csv"}, "file", "no-such.csv: cannot be read"),
        ):
            with self.assertRaises(posse.SpecificationError) as raised:
                self.table(**options)
            (problem,) = raised.exception.problems
            self.assertEqual(problem.path, path)
            self.assertIn(excerpt, problem.text)


class Plugins(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        (cls.folder / "stray.c").write_text(STRAY)
        include = [f"-I{ROOT / 'include'}", f"-I{ROOT / 'examples'}"]
        subprocess.run(["cc", "-shared", "-fPIC", *include, "stray.c", "-o", "stray.so"], cwd=cls.folder, check=True)

    def test_kinds_of_a_plugin_play(self):
        experiment = small(learners=[{"name": "own", "kind": "softmax", "temperature": 0.2}, {"name": "u", "kind": "ucb"}])
        code = f"""
import posse
e = {experiment!r}
try:
    posse.check(e)
except posse.SpecificationError as error:
    print(error)
for _ in range(2):
    print(posse.run(e, plugins=["stray.so"])["own"].kind)
print("softmax" in posse.kinds()["learner"])
e["learners"][0] = {{"name": "lost", "kind": "stray"}}
try:
    posse.run(e)
except posse.RunError as error:
    print(error)
p = posse.Posse(arms=4, selector=None, learners=[{{"kind": "stray", "name": "lost"}}])
try:
    p.decide()
except posse.LearnerError as error:
    print(error)
"""
        answer = python("-c", code, cwd=self.folder)
        self.assertEqual(answer.stderr, "")
        lines = answer.stdout.splitlines()
        self.assertEqual(lines[0], 'learners[0].kind: there is no learner of kind "softmax"; did you mean "sgd-softmax"?')
        self.assertEqual(lines[1:4], ["softmax", "softmax", "True"])
        wrong = '"lost" (stray) picked arm 77, and there are only arms 0 to 3'
        self.assertRegex(lines[4], r"^(B-MS|lost), run \d+: ")
        self.assertTrue(lines[4].endswith(wrong), lines[4])
        self.assertEqual(lines[5], wrong)

    def test_what_is_wrong_with_a_plugin_is_an_error(self):
        (self.folder / "empty.c").write_text("int nothing;\n")
        subprocess.run(["cc", "-shared", "-fPIC", "empty.c", "-o", "empty.so"], cwd=self.folder, check=True)
        for file, told in (("nowhere.so", "cannot be loaded"), ("empty.so", "exports none of")):
            with self.assertRaisesRegex(posse.SpecificationError, told):
                posse.run(small(), plugins=[self.folder / file])


if __name__ == "__main__":
    unittest.main()
