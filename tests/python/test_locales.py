# SPDX-License-Identifier: MIT
"""Numbers are read and written alike in every locale, also where the decimal mark is a comma."""

import filecmp
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

from support import PACKAGE, scratch

# The thousands are grouped with a point in German, with a narrow space of three bytes in French.
LOCALES = ["de_DE", "fr_FR"]

# Everything that reads or writes numbers in the process of an application: descriptions as dicts and as text, claims,
# tables, priors, results.
PLAY = """
import locale, pathlib, sys
import numpy as np
import posse

locale.setlocale(locale.LC_ALL, sys.argv[1])
assert locale.localeconv()["decimal_point"] == sys.argv[2], locale.localeconv()
folder = pathlib.Path(".")
learners = [{"name": "narrow", "kind": "ucb", "width": 1.9}, {"name": "wide", "kind": "ucb", "width": 0.25}]
claims = [{"says": "it is small", "holds": 'regret("B-MS") < 1.75e2 and regret("B-MS") > 0.5 * 3'}]
r = posse.run(
    {
        "name": "dict",
        "rounds": 300,
        "runs": 8,
        "seed": 3,
        "environment": {"kind": "gaussian", "arms": 4, "prior": {"mean": 0.5}},
        "learners": learners,
        "selectors": [{"name": "B-MS", "kind": "bms"}],
        "claims": claims,
    }
)
r.save(folder / "results")
text = "name: text\\nrounds: 100\\nruns: 2.0\\nseed: 1\\nenvironment: {kind: gaussian, arms: 3, noise: 0.75}\\n"
text += "learners: [{name: u, kind: ucb, width: 1.1}, {name: v, kind: ucb}]\\n"
(folder / "text.yaml").write_text(text)
posse.run(folder / "text.yaml").save(folder / "results")

table = np.random.default_rng(1).normal(0.5, [0.1, 1.0, 2.5], (200, 3))
np.savetxt(folder / "table.csv", table, delimiter=",", header="a,b,c", comments="")
prior = posse.fit_prior(folder / "table.csv")
(folder / "prior.txt").write_text(repr(prior))
(folder / "prior.yaml").write_text("kind: gaussian\\nmean: [0.5, -1.5, 1e-3]\\nsd: 0.25\\nnoise: 1.75\\n")
(folder / "read.txt").write_text(repr(posse.read_prior(folder / "prior.yaml")))

p = posse.Posse(arms=3, prior=prior, learners=[{"kind": "ucb", "width": 1.9}, {"kind": "ucb", "width": 0.1}], seed=7)
with open(folder / "decisions.txt", "w") as out:
    for i in range(200):
        d = p.decide()
        p.learn(d, (d.arm + 1) * 0.3 + i % 7 * 0.1)
        print(d.arm, file=out)
"""


def same_but_for_times(one, other):
    lines = [path.read_text().splitlines() for path in (one, other)]
    kept = [[line for line in text if '"seconds":' not in line and '"threads":' not in line] for text in lines]
    return kept[0] == kept[1]


class Locales(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(scratch(self))
        if shutil.which("localedef") is None:
            self.fail("localedef makes the locales of this test (Debian: libc-bin and locales)")
        for name in LOCALES:
            subprocess.run(["localedef", "-i", name, "-f", "UTF-8", self.folder / f"{name}.UTF-8"], check=True)

    def play(self, name, point):
        folder = self.folder / f"in-{name}"
        folder.mkdir()
        environment = {key: value for key, value in os.environ.items() if not key.startswith("LC_")}
        environment["LOCPATH"] = str(self.folder)
        environment["PYTHONPATH"] = str(PACKAGE.parent)
        command = [sys.executable, "-B", "-c", PLAY, name, point]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return folder

    def test_results_have_the_same_bytes_in_every_locale(self):
        plain = self.play("C", ".")
        files = sorted(path.relative_to(plain) for path in plain.rglob("*") if path.is_file())
        self.assertGreater(len(files), 15)
        for name in LOCALES:
            here = self.play(f"{name}.UTF-8", ",")
            self.assertEqual(sorted(path.relative_to(here) for path in here.rglob("*") if path.is_file()), files)
            for file in files:
                with self.subTest(locale=name, file=str(file)):
                    same = same_but_for_times if file.name == "manifest.json" else filecmp.cmp
                    self.assertTrue(same(plain / file, here / file))


if __name__ == "__main__":
    unittest.main()
