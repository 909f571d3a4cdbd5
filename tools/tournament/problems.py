# SPDX-License-Identifier: MIT
"""Random problems, written as experiment files. The same seed and number give the same file on every machine."""
import competitors
import results
from dice import Dice
from families import FAMILIES, short

ROUNDS = 500, 20000  # drawn log-uniformly
LEARNERS = 2, 16
WRONG_BELIEF = 1 / 3  # how often the belief of B-MS is wrong
RUNS = 48, 1000  # fewest and most; between them, by the processor time of a problem

FEATURES = (
    "problem", "family", "environment", "arms", "dim", "noise", "learners", "rounds", "runs", "seed", "share", "belief",
)  # fmt: skip


class Problem:
    """`features` is its row in problems.csv, `text` its experiment file."""

    def __init__(self, seed, number, seconds, rounds=None, runs=None):
        # A separate seed, so that a problem does not depend on the number of problems.
        dice = Dice(f"posse tournament {seed} {number}")
        name = list(FAMILIES)[number % len(FAMILIES)]
        family = FAMILIES[name](dice)
        team = family.team(dice, dice.whole(*LEARNERS))
        share = dice.chance(0.5)
        belief = dice.one_of(sorted(family.wrong)) if dice.chance(WRONG_BELIEF) else "right"
        rounds = dice.whole(*ROUNDS) if rounds is None else rounds
        runs = affordable_runs(family, len(team), rounds, seconds) if runs is None else runs
        self.name = f"problem-{number:03}"
        values = (
            self.name, name, family.kind, family.arms, family.dim, short(family.noise), len(team), rounds, runs,
            seed, "yes" if share else "no", belief,
        )  # fmt: skip
        self.features = dict(zip(FEATURES, values))
        self.text = experiment(self.features, family, team)


def experiment(features, family, team):
    learners = "".join(
        f'  - {{name: "{i}: {kind}", kind: {kind}, {settings}}}\n' for i, (kind, settings) in enumerate(team, 1)
    )
    belief = f", belief: {family.wrong[features['belief']]}" if features["belief"] != "right" else ""
    told = {"belief": belief, "noise": short(family.noise), "low": short(family.low), "high": short(family.high)}
    share = ", share: true" if features["share"] == "yes" else ", share: false"
    selectors = "".join(
        f'  - {{name: "{name}", {line.format(**told)}{share}}}\n' for name, line in competitors.SELECTORS.items()
    )
    return (
        f"# A random problem of the family {features['family']}; the belief of B-MS and B-MS+: {features['belief']}.\n"
        "# Written by tools/tournament.\n"
        f"name: {features['problem']}\n"
        f"title: {features['family']}, {features['arms']} arms, {features['learners']} learners\n"
        f"rounds: {features['rounds']}\nruns: {features['runs']}\nseed: {features['seed']}\n"
        f"environment: {family.environment}\nlearners:\n{learners}selectors:\n{selectors}"
    )


def affordable_runs(family, learners, rounds, seconds):
    """The number of runs that take about `seconds` on one processor, a multiple of eight, which posse plays side by side.

    A round takes some 80 nanoseconds and a few more for every arm. Each of the 1000 rounds that posse records takes 200.
    """
    competing = len(competitors.SELECTORS) + learners
    nanoseconds = competing * (rounds * (80 + family.arm_nanoseconds * family.arms) + 200 * min(rounds, 1000))
    fewest, most = RUNS
    return max(fewest, min(most, int(seconds * 1e9 / nanoseconds) // 8 * 8))


def write(problems, folder):
    """Writes FOLDER/problems.csv, and FOLDER/problems/ with exactly one experiment file for each problem."""
    files = folder / "problems"
    files.mkdir(parents=True, exist_ok=True)
    for stale in set(files.glob("*.yaml")) - {files / f"{problem.name}.yaml" for problem in problems}:
        stale.unlink()
    for problem in problems:
        (files / f"{problem.name}.yaml").write_text(problem.text)
    results.write(folder / "problems.csv", [problem.features for problem in problems])
