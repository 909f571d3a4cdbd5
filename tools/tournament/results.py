# SPDX-License-Identifier: MIT
"""The results of posse for a problem, and whether a ratio of regrets makes sense for it."""
import csv
import json

from competitors import SELECTORS


class Result:
    """Results of one problem: `features`, its row of problems.csv; `regret` and `half_width` of every selector; `best`, the one
    with the least; `differences` of two selectors' regrets, paired, with their half-widths; `alone`, the regret of the
    best learner alone; `clipped`, the largest share of rewards that a selector clipped."""

    def __init__(self, features, folder):
        self.name, self.features = features["problem"], features
        rows = read(folder / "summary.csv")
        self.regret = {r["name"]: float(r["regret"]) for r in rows if r["role"] == "selector"}
        self.half_width = {r["name"]: float(r["regret_ci95"]) for r in rows if r["role"] == "selector"}
        self.alone = min(float(r["regret"]) for r in rows if r["role"] == "learner")
        self.differences = {}
        for r in read(folder / "pairs.csv"):
            if r["a"] in SELECTORS and r["b"] in SELECTORS:
                difference, half = float(r["difference"]), float(r["ci95"])
                self.differences[r["a"], r["b"]] = difference, half
                self.differences[r["b"], r["a"]] = -difference, half
        clipped = json.loads((folder / "manifest.json").read_text())["clipped"]
        self.clipped = max((c["clipped"] / c["rewards"] for c in clipped), default=0)
        self.best = min(self.regret, key=self.regret.get)

    def differs_from_zero(self):
        """Whether the best regret is significantly above 0. Otherwise a ratio to it has no meaning."""
        return self.regret[self.best] > self.half_width[self.best]

    def ratio(self, name):
        return self.regret[name] / self.regret[self.best]

    def loses(self, name, other):
        """Whether `name` has significantly more regret than `other`, by the paired 95% interval."""
        if name == other:
            return False
        difference, half = self.differences[name, other]
        return difference > half


def load(folder):
    """Results of the problems that have been played."""
    files = ((features, folder / "runs" / features["problem"]) for features in read(folder / "problems.csv"))
    return [Result(features, results) for features, results in files if (results / "manifest.json").exists()]


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def write(path, rows):
    with open(path, "w", newline="") as file:
        table = csv.DictWriter(file, list(rows[0]), restval="", lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
