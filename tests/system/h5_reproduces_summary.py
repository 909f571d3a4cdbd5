# SPDX-License-Identifier: MIT
"""Computes every number of the CSV files from the runs in results.h5, to the last digit."""
import csv
import json
import math
import sys

import h5py
import numpy as np

folder, source = sys.argv[1:]
file = h5py.File(folder + "/results.h5", "r")
runs, block = int(file.attrs["runs"]), int(file.attrs["block"])


def estimate(x):
    """Mean and half-width of the 95% interval over the first axis: Welford inside blocks, Chan between them."""
    n, mean, m2 = 0, np.zeros(x.shape[1:]), np.zeros(x.shape[1:])
    for first in range(0, len(x), block):
        n_b, mean_b, m2_b = 0, np.zeros(x.shape[1:]), np.zeros(x.shape[1:])
        for row in x[first : first + block]:
            n_b += 1
            d = row - mean_b
            mean_b += d * (1.0 / n_b)
            m2_b += d * (row - mean_b)
        d = mean_b - mean
        mean += d * (n_b / (n + n_b))
        m2 += m2_b + d * d * (n * n_b / (n + n_b))
        n += n_b
    return mean, 1.96 * np.sqrt(m2 / (n - 1)) / math.sqrt(n)


def rows(name):
    with open(f"{folder}/{name}.csv", newline="") as f:
        return list(csv.DictReader(f))


def same(ours, theirs, what):
    for i, (a, b) in enumerate(zip(ours, theirs, strict=True)):
        assert float(a) == float(b), f"{what} {i}: {a!r} from the runs, {b} in the file"


names = [n.decode() for n in file["competitors"]]
learners = [n.decode() for n in file["learners"]]
assert file["experiment"][()].decode() == open(source).read(), "the experiment file is not inside"
assert file.attrs["curve_runs"] == runs and file["rounds"][-1] == file.attrs["rounds"]

summary = rows("summary")
assert [r["name"] for r in summary] == names
assert [r["role"] for r in summary] == [n.decode() for n in file["roles"]]
for column, group, of in ("regret", "regret", "final_regret"), ("optimal_rate", "optimal", "final_optimal"):
    mean, ci95 = estimate(file[of][:].T)
    same(mean, [r[column] for r in summary], column)
    same(ci95, [r[group + "_ci95"] for r in summary], group + "_ci95")
    same(mean, file["summary/" + column][:], "summary/" + column)

curves = rows("curves")
for c, name in enumerate(names):
    mean, ci95 = estimate(file["regret_curve"][c])
    mine = [r for r in curves if r["name"] == name]
    assert [int(r["round"]) for r in mine] == list(file["rounds"])
    same(mean, [r["regret"] for r in mine], "curve of " + name)
    same(ci95, [r["regret_ci95"] for r in mine], "curve of " + name)
    same(file["optimal_curve"][c].sum(axis=0) / runs, [r["optimal_rate"] for r in mine], "optimal curve of " + name)

# For each selector, the CSV files list the learners that it plays, in its order.
teams = [team[team >= 0] for team in file["teams"][:]]


def of_teams(x):
    """A table of selectors by learners, in the order of the CSV files."""
    return np.concatenate([row[team] for row, team in zip(x, teams, strict=True)])


chosen = file["choices"][:][..., None] == np.arange(len(learners))
shares = chosen.sum(axis=1) / runs
assert all(np.allclose(share[:, team].sum(axis=1), 1) for share, team in zip(shares, teams, strict=True))
same(np.concatenate([share[:, team].ravel() for share, team in zip(shares, teams, strict=True)]),
     [r["share"] for r in rows("selection")], "share")

final = file["final_regret"][:]
pairs = [(a, b) for a in range(len(names)) for b in range(a + 1, len(names))]
mean, ci95 = estimate(np.array([final[a] - final[b] for a, b in pairs]).T)
same(mean, [r["difference"] for r in rows("pairs")], "pair")
same(ci95, [r["ci95"] for r in rows("pairs")], "pair's interval")

table = rows("learners")
assert [r["learner"] for r in table] == [learners[m] for team in teams for m in team]
same(of_teams(estimate(file["learner_plays"][:].transpose(1, 0, 2))[0]), [r["plays"] for r in table], "plays")
same(of_teams(estimate(file["learner_regret"][:].transpose(1, 0, 2))[0]), [r["regret"] for r in table], "inside")
quantiles = of_teams(np.quantile(file["learner_coefficient"][:], 0.95, axis=1))
for s, team in enumerate(teams):
    others = np.setdiff1d(np.arange(len(learners)), team)
    assert np.isnan(file["learner_plays"][s][:, others]).all(), "plays of learners that are not in the team"
assert np.allclose(quantiles, [float(r["coefficient"]) for r in table], rtol=1e-12, atol=0)

oracle, solo = final[names.index("oracle")], final[[names.index(m) for m in learners]]
assert (oracle == solo.min(axis=0)).all(), "the oracle is not the best learner of each run"

# A row per selector, with NaN if it has no range. Without any range the dataset does not exist.
counts = file["clipped"][:] if "clipped" in file else np.full((len(teams), runs), np.nan)
ranged = [s for s in range(len(teams)) if not np.isnan(counts[s]).any()]
assert np.isnan(np.delete(counts, ranged, axis=0)).all(), "counts of some runs only"
assert [{"selector": names[s], "clipped": int(counts[s].sum()), "rewards": runs * int(file.attrs["rounds"])}
        for s in ranged] == json.load(open(folder + "/manifest.json"))["clipped"], "clipped"
assert ("clipped" in file) == (len(ranged) > 0)
