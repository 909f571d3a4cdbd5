# SPDX-License-Identifier: MIT
"""Numbers and texts are read and written alike in every locale, also where the decimal mark is a comma."""

import filecmp
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

from support import PACKAGE, scratch

# The decimal marks. The thousands are grouped with a point in German, with a narrow space of three bytes in French. The
# mark of Pashto has two bytes. The small letter of the Turkish I is not i. In ISO 8859-1 each byte of an ú is a letter.
LOCALES = {
    "de_DE.UTF-8": ",",
    "de_DE.ISO-8859-1": ",",
    "fr_FR.UTF-8": ",",
    "ps_AF.UTF-8": "\u066b",
    "tr_TR.UTF-8": ",",
}

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

# Texts that C makes, each with a decimal number: why values are refused, warnings, reports, pages, tables and charts.
SAY = """
import json, re, warnings


def refusal(make):
    try:
        make()
    except (ValueError, posse.RunError) as error:
        return str(error)


ucb = {"kind": "ucb", "width": 0.5}
linear = {"kind": "linear-ucb", "width": 0.25}
rounds = {"kind": "contextual", "arms": 3, "dim": 2}
names = {"scale": {"a": {"mean": 0.5, "sd": -0.5}}}
bms = posse.Posse(3, "bms", [ucb], prior={"kind": "gaussian"}, seed=1)
points = posse.Posse(2, "corral", [linear], dim=2, rounds=9, seed=1)
(folder / "wrong.yaml").write_text("{kind: gaussian, mean: 1, sd: -0.25}")
texts = {
    "number": refusal(lambda: posse.Posse(3, "bms", [{"kind": "ucb", "width": -1.5}])),
    "whole number": refusal(lambda: posse.Environment({"kind": "bernoulli", "arms": 2.5}, seed=1)),
    "list": refusal(lambda: posse.Environment({**rounds, "present": [1, 2.5]}, seed=1)),
    "mode": refusal(lambda: bms.set_modes(holdback=1.5)),
    "feature": refusal(lambda: points.decide([[1.5e7, 1], [1, 2]])),
    "scale": refusal(lambda: posse.Posse(2, "corral", [linear], dim=2, features=names, rounds=9)),
    "prior": refusal(lambda: posse.read_prior(folder / "wrong.yaml")),
}
(folder / "wrong.yaml").write_text("rounds: .INF\\nruns: 2.5\\nlearners: [{kind: ucb, name: .INF}]")
texts |= {"words": refusal(lambda: posse.run(folder / "wrong.yaml"))}

# A table as other programs write it, and a name whose bytes are letters of ISO 8859-1.
table = "@RELATION plants\\n@ATTRIBUTE size NUMERIC\\n@ATTRIBUTE kind {a, b}\\n@DATA\\n0.5, a\\n1.5, b\\n"
(folder / "plants.ARFF").write_text(table)
menu = {"name": "men\u00fa", **linear}
plants = {"kind": "table", "file": "plants.ARFF", "label": "kind"}
r = posse.run({"name": "plants", "rounds": 10, "runs": 2, "seed": 1, "environment": plants, "learners": [menu]})
texts |= {"experiment": r.experiment}

for i in range(1000):
    d = bms.decide()
    bms.learn(d, d.arm * 0.1 + i % 7 * 0.3)
report = bms.report()
bms.set_modes(holdback=0.25, control=0)
texts |= {"modes": str(bms.modes), "reason": report.reason, "report": str(report)}
texts |= {"report as a page": report._repr_html_(), "posse as a page": bms._repr_html_()}

narrow = {"name": "narrow belief", "kind": "bms", "belief": {"kind": "gaussian", "sd": 0.05}}
grid = [{"name": f"{w} {d}", "kind": "ucb", "width": w, "delta": d} for w in [0.25, 0.5, 1.5] for d in [0.05, 0.5]]
doubtful = {
    "name": "doubtful",
    "rounds": 200,
    "runs": 8,
    "seed": 3,
    "environment": {"kind": "gaussian", "arms": 4},
    "learners": grid,
    "selectors": [narrow, {"name": "C", "kind": "corral"}],
}
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    r = posse.run(doubtful)
texts |= {f"warning {i}": str(warning.message) for i, warning in enumerate(caught)}
saved = posse.open(r.save(folder / "results"))
texts |= {"table": r._outcome.table(), "results": str(r), "results as a page": r._repr_html_()}
texts |= {"charts": r._outcome.charts(), "charts of a folder": saved._outcome.charts()}
selection = folder / "results" / "doubtful" / "selection.csv"
selection.write_text(re.sub(",[^,]*\\n$", ",-1.5\\n", selection.read_text()))
texts |= {"file of results": refusal(saved._outcome.charts)}
(folder / "texts.json").write_text(json.dumps(texts, indent=1))

# The program prints with printf, also where the application has chosen a locale.
posse._posse.main(["posse", "prior", "--output=fitted.yaml", "fit", "table.csv"])
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
            language, characters = name.split(".")
            subprocess.run(["localedef", "-i", language, "-f", characters, self.folder / name], check=True)

    def play(self, name, point):
        folder = self.folder / f"in-{name}"
        folder.mkdir()
        environment = {key: value for key, value in os.environ.items() if not key.startswith("LC_")}
        environment["LOCPATH"] = str(self.folder)
        environment["PYTHONPATH"] = str(PACKAGE.parent)
        command = [sys.executable, "-B", "-c", PLAY + SAY, name, point]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        (folder / "printed.txt").write_text(done.stdout)
        return folder

    def alike(self, plain, here):
        files, same = ([path.relative_to(of) for path in sorted(of.rglob("*"))] for of in (plain, here))
        self.assertEqual(files, same)
        texts, others = (json.loads((of / "texts.json").read_text()) for of in (plain, here))
        for what in texts:
            with self.subTest(text=what):
                self.assertEqual(others[what], texts[what])
        for file in files:
            same = same_but_for_times if file.name == "manifest.json" else filecmp.cmp
            with self.subTest(file=str(file)):
                self.assertTrue((plain / file).is_dir() or same(plain / file, here / file))

    def test_results_and_texts_have_the_same_bytes_in_every_locale(self):
        plain = self.play("C", ".")
        self.assertGreater(len([path for path in plain.rglob("*") if path.is_file()]), 20)
        texts = json.loads((plain / "texts.json").read_text())
        self.assertIn("warning 1", texts)
        for what, text in [*texts.items(), ("printed", (plain / "printed.txt").read_text())]:
            self.assertRegex(str(text), r"\d\.\d", what)
        for name, point in LOCALES.items():
            with self.subTest(locale=name):
                self.alike(plain, self.play(name, point))


if __name__ == "__main__":
    unittest.main()
