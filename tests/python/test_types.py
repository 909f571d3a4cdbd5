# SPDX-License-Identifier: MIT
"""The types: mypy finds a misspelt key, and reports nothing for right code."""

import shutil
import subprocess
import tempfile
import unittest

from support import PACKAGE, scratch

RIGHT = """
import posse

class Own(posse.Learner):
    pass

p = posse.Posse(arms=3, prior="beta", learners=["ucb", {"kind": "ucb", "width": 0.1}, Own(), {"kind": Own, "name": "o"}])
p = posse.Posse(arms=3, selector={"kind": "bms", "belief": {"kind": "gaussian", "sd": 2}, "share": True}, learners=[Own])
e = posse.Environment({"kind": "gaussian", "arms": 3, "prior": {"mean": 0, "sd": [1, 2, 3]}}, seed=2)
reward: float = e.reward(p.decide())
c = posse.Environment({"kind": "contextual", "dim": 2, "arms": 3, "present": [2, 3]}).round()
q = posse.Posse(arms=3, dim=2, prior="logistic", learners=[{"kind": "linear-ucb", "features": [0, 1], "model": "joint"}])
d = q.decide(c)
q = posse.Posse(arms=3, dim=2, selector={"kind": "bms", "hold-most": 100, "memory": "all"}, learners=["ucb"])
d = q.decide([[0.1, 0.2]], arms=[2])
d = q.decide(points=[posse.hashed({"a": 0.1, "b": "x", "c": True, "d": ["e"], "f": None}, 2)], arms=[1])
d = posse.Posse(arms=3, dim=2, context=1, learners=["ucb"]).decide(([[0.1, 0.2]], [0.3]))
q.teach(1, 0.5, context=posse.Context([[0.1, 0.2]], arms=[1]))
widest: float = q.deviations_in(posse.Context(points=[[0.1, 0.2]])).max() + q.propensities(10, context=c).learners[0]

class Coins(posse.Bandit):
    arms = 2
r = posse.run({"name": "x", "rounds": 1, "runs": 1, "seed": 1, "environment": Coins, "learners": ["ucb"]})
r = posse.run({"name": "x", "rounds": 1, "runs": 1, "seed": 1, "environment": {"kind": Coins}, "learners": ["ucb"]})
r = posse.run({"name": "x", "rounds": 1, "runs": 1, "seed": 1, "environment": Coins(), "learners": ["ucb"]})

class Linear(posse.Learner):
    def act_in(self, draw: posse.Draw, round: posse.Round) -> int:
        return int(round.arms[round.features.sum(axis=1).argmax()])
r = posse.run({
    "name": "x", "rounds": 10, "runs": 2, "seed": 1,
    "environment": {"kind": "linear", "dim": 2, "arms": {"set": "ball", "count": 20}},
    "learners": [{"name": "t", "kind": "thompson", "belief": "linear"}, {"name": "u", "kind": "linear-ucb", "width": 2}],
    "selectors": [{"name": "B", "kind": "bms", "learners": ["t", "u"]}],
    "claims": [{"says": "so", "holds": "regret(\\"B\\") > 0"}],
}, plugins=["own.so"])
last: float = posse.open("results/x")["B"].run_regret[0, -1]
"""

WRONG = {
    'posse.Posse(arms=3, learners=[{"kind": "ucb", "widht": 0.1}])': "widht",
    'posse.Posse(arms=3, learners=["ucb"], selector={"kind": "bms", "patiense": 40})': "patiense",
    'posse.Posse(arms=3, learners=["ucb"], selector={"kind": "bms", "hold-most": "long"})': "hold-most",
    'posse.Posse(arms=3, learners=["ucb"], prior={"kind": "gaussian", "sdd": 1})': "sdd",
    'posse.Environment({"kind": "gaussian", "arms": 3, "prior": {"men": 0}})': "men",
    'posse.run({"name": "x", "rounds": 1, "runs": 1, "seed": 1, "environment": {"kind": "gaussian", "arms": 2}, "learner": []})': "learner",
    'posse.run({"name": "x", "rounds": 1, "runs": 1, "seed": 1, "environment": {"kind": "gaussian", "arms": 2}, "learners": [{"kind": "ucb", "widht": 1}]})': "widht",
}


class Types(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cache = tempfile.TemporaryDirectory()  # in which mypy keeps what it found in the package and the libraries
        cls.addClassCleanup(cls.cache.cleanup)

    def mypy(self, code):
        file = scratch(self) / "code.py"
        file.write_text(code)
        # The package is found where it was built. Only its interface is checked.
        answer = subprocess.run(
            ["mypy", "--follow-imports=silent", f"--cache-dir={self.cache.name}", file.name],
            cwd=file.parent,
            env={"MYPYPATH": str(PACKAGE.parent), "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=False,
        )
        return answer.stdout + answer.stderr

    def test_what_is_right_passes(self):
        self.assertIn("Success", self.mypy(RIGHT))

    def test_a_misspelt_key_is_found(self):
        said = self.mypy("import posse\n\n" + "\n".join(WRONG) + "\n")
        for line, (code, key) in enumerate(WRONG.items(), 3):
            with self.subTest(code=code):
                self.assertRegex(said, rf"code.py:{line}: error")

    def test_a_part_with_its_type_names_the_key(self):
        said = self.mypy('from posse.parts import UcbLearner\n\npart: UcbLearner = {"kind": "ucb", "widht": 0.1}\n')
        self.assertRegex(said, 'Extra key "widht" for TypedDict "UcbLearner"')


if __name__ == "__main__":
    unittest.main()
