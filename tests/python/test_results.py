# SPDX-License-Identifier: MIT
"""Results in Python and of the program have the same numbers, to the last bit."""

import filecmp
import json
import pathlib
import re
import tempfile
import unittest
import warnings

import h5py
import numpy as np
import posse
from support import EXPERIMENT, ROOT, number, program, rows, scratch, small, written_out

# Enough runs for several blocks if a run is cheap, and fewer rounds if it is not.
FILES = [
    (EXPERIMENT, {}),
    (ROOT / "experiments/paper/ucb.yaml", {"runs": 70}),
    (ROOT / "experiments/paper/linear-thompson.yaml", {"runs": 2}),
    (ROOT / "experiments/paper/information-lock-3.yaml", {"runs": 5, "rounds": 400}),
    (ROOT / "experiments/rivals/ucb.yaml", {"runs": 20, "rounds": 1200}),
    (ROOT / "experiments/rivals/thompson-mis-well.yaml", {"runs": 33, "rounds": 250}),
    (ROOT / "examples/coins.yaml", {"runs": 1}),
]


def same(ours, theirs):
    np.testing.assert_array_equal(np.asarray(ours, dtype=float), np.asarray(theirs, dtype=float), strict=False)


class Sweep(unittest.TestCase):
    """A list of values in an option of a learner is the same as a learner for each value."""

    SWEPT = [{"name": "c", "kind": "ucb", "width": [0.1, 1.0, 10]}, {"kind": "epsilon-greedy", "epsilon": [0.05, 0.2]}]
    WRITTEN = [{"name": f"c={width}", "kind": "ucb", "width": width} for width in (0.1, 1, 10)] + [
        {"name": f"epsilon-greedy epsilon={one}", "kind": "epsilon-greedy", "epsilon": one} for one in (0.05, 0.2)
    ]

    def test_a_sweep_gives_the_bytes_of_its_learners_written_out(self):
        folder = scratch(self)
        paths = [
            pathlib.Path(posse.run(small(learners=learners)).save(folder / place))
            for place, learners in (("swept", self.SWEPT), ("written", self.WRITTEN))
        ]
        tables = sorted(path.name for path in paths[1].glob("*.csv"))
        self.assertGreater(len(tables), 5)
        self.assertEqual(filecmp.cmpfiles(*paths, tables, shallow=False), (tables, [], []))
        manifests = [json.loads((path / "manifest.json").read_text()) for path in paths]
        for key in ("hash", "learners", "selectors"):
            self.assertEqual(manifests[0][key], manifests[1][key])

    def test_a_value_more_is_another_experiment(self):
        folder = scratch(self)
        posse.run(small(learners=self.SWEPT)).save(folder)
        posse.run(small(learners=self.WRITTEN)).save(folder)  # the same experiment, so it may be written again
        more = [{**self.SWEPT[0], "width": [0.1, 1, 10, 100]}, self.SWEPT[1]]
        with self.assertRaisesRegex(posse.RunError, "another experiment"):
            posse.run(small(learners=more)).save(folder)

    def test_a_posse_has_the_learners_of_a_sweep(self):
        p = posse.Posse(arms=3, prior="gaussian", learners=self.SWEPT)
        self.assertEqual(list(p.learners), [learner["name"] for learner in self.WRITTEN])
        with self.assertRaisesRegex(posse.SpecificationError, r"learners\[0\]\.width: -1 is out of range"):
            posse.Posse(arms=3, prior="gaussian", learners=[{"kind": "ucb", "width": [1, -1]}])


class Results(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """Runs each file here and with the program."""
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.played = []
        for number, (file, changes) in enumerate(FILES):
            place = pathlib.Path(folder.name) / str(number)  # two files may have the same name
            options = [f"--{key}={value}" for key, value in changes.items()]
            answer = program("run", file, "--no-plots", "-q", "-o", place, *options)
            if answer.returncode not in (0, 1):
                raise AssertionError(answer.stderr)
            r = posse.run(file, **changes)
            cls.played.append((str(file.relative_to(ROOT)), r, place / r.name, answer.stdout))

    def test_the_table_in_a_notebook_has_the_numbers_of_the_text(self):
        r = posse.run(small())
        shown = re.findall(r"<td>([0-9.]+)</td>", r._repr_html_())
        self.assertGreater(len(shown), 5)
        for number_ in shown:
            self.assertIn(f" {number_} ", str(r))

    def test_differences_go_by_name(self):
        r = posse.run(small(runs=1))
        self.assertIn("200 rounds, 1 run>", repr(r))
        pair = r.pairs[0]
        self.assertEqual(r.difference(pair.a, pair.b).difference, pair.difference)
        self.assertEqual(r.difference(pair.b, pair.a).difference, -pair.difference)
        self.assertEqual(r.difference(pair.a, pair.a).difference, 0)
        with self.assertRaises(KeyError):
            r.difference(pair.a, "nobody")

    def test_a_wrong_belief_and_clipped_rewards_are_warned_of(self):
        doubtful = small(
            selectors=[
                {"name": "narrow belief", "kind": "bms", "belief": {"kind": "gaussian", "sd": 0.05}},
                {"name": "C", "kind": "corral"},
                {"name": "fine", "kind": "bms"},
            ]
        )
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            r = posse.run(doubtful)
        self.assertEqual([w.category for w in caught], [posse.ClippingWarning, posse.BeliefWarning])
        self.assertEqual([w.filename for w in caught], [__file__, __file__])
        self.assertIn('small: "C" clipped', str(caught[0].message))
        self.assertIn('small: rewards contradict the belief of "narrow belief"', str(caught[1].message))
        opened = posse.open(r.save(scratch(self)))
        for results in (r, opened):
            self.assertGreater(results["narrow belief"].surprise, 3)
            self.assertLess(results["fine"].surprise, 3)
            self.assertGreater(results["C"].clipped, 0.01 * 8 * 200)
            for name, quantity in (("C", "surprise"), ("fine", "clipped")):
                with self.assertRaises(posse.AbsentError):
                    getattr(results[name], quantity)
            self.assertFalse(hasattr(results["wide"], "surprise"))
        self.assertEqual(opened["narrow belief"].surprise, r["narrow belief"].surprise)
        self.assertEqual(opened["C"].clipped, r["C"].clipped)

    def test_results_of_another_experiment_are_not_replaced(self):
        folder = scratch(self)
        posse.run(small(runs=4)).save(folder)
        posse.run(small(runs=8)).save(folder)
        for changes, what in (
            ({"runs": 4}, "more runs"),
            ({"seed": 4}, "another seed"),
            ({"rounds": 100}, "another number of rounds"),
            ({"learners": ["ucb", "thompson"]}, "another experiment"),
        ):
            r = posse.run(small(**changes))
            with self.assertRaises(posse.RunError) as caught:
                r.save(folder)
            told = f"{folder}/small holds finished results of {what} (8 runs of 200 rounds, seed 3); fresh=True replaces it"
            self.assertEqual(str(caught.exception), told)
        r.save(folder, fresh=True)
        self.assertEqual(rows(folder / "small" / "summary.csv")[1]["name"], "ucb")

    def test_are_those_of_the_csv_files(self):
        for file, r, folder, _ in self.played:
            with self.subTest(file=file):
                summary = rows(folder / "summary.csv")
                self.assertEqual([row["name"] for row in summary], list(r.competitors))
                curves = rows(folder / "curves.csv")
                for row, c in zip(summary, r, strict=True):
                    self.assertEqual((row["name"], row["role"], row["kind"]), (c.name, c.role, c.kind))
                    self.assertEqual((int(row["runs"]), int(row["rounds"])), (r.runs, r.rounds))
                    same([c.final_regret, c.final_regret_ci95], [number(row["regret"]), number(row["regret_ci95"])])
                    same(
                        [c.final_optimal_rate, c.final_optimal_ci95],
                        [number(row["optimal_rate"]), number(row["optimal_ci95"])],
                    )
                    curve = [row for row in curves if row["name"] == c.name]
                    self.assertEqual([int(row["round"]) for row in curve], r.recorded.tolist())
                    self.assertEqual(c.rounds.tolist(), r.recorded.tolist())
                    for column in ("regret", "regret_ci95", "optimal_rate", "optimal_ci95"):
                        same(getattr(c, column), [number(row[column]) for row in curve])
                self.assert_pairs_and_claims(r, folder)
                self.assert_selection(r, folder)

    def assert_pairs_and_claims(self, r, folder):
        pairs = rows(folder / "pairs.csv")
        self.assertEqual([(row["a"], row["b"]) for row in pairs], [(p.a, p.b) for p in r.pairs])
        same([p.difference for p in r.pairs], [number(row["difference"]) for row in pairs])
        same([p.ci95 for p in r.pairs], [number(row["ci95"]) for row in pairs])
        claims = rows(folder / "claims.csv") if (folder / "claims.csv").exists() else []
        texts = ("says", "holds", "verdict")
        self.assertEqual(
            [[row[t] for t in texts] for row in claims], [[getattr(c, t) for t in texts] for c in r.claims]
        )
        same([c.margin for c in r.claims], [number(row["margin"]) for row in claims])
        same([c.ci95 for c in r.claims], [number(row["ci95"]) for row in claims])

    def assert_selection(self, r, folder):
        shares = {(row["name"], int(row["round"]), row["learner"]): row for row in rows(folder / "selection.csv")}
        learners = {(row["name"], row["learner"]): row for row in rows(folder / "learners.csv")}
        for c in (c for c in r if c.role == "selector"):
            for m, learner in enumerate(r.learners):
                row = learners.get((c.name, learner))
                if row is None:  # not in its team
                    self.assertTrue(np.isnan(c.plays[m]))
                    continue
                same(
                    [c.plays[m], c.plays_regret[m], c.coefficient[m]],
                    [number(row[key]) for key in ("plays", "regret", "coefficient")],
                )
                same(c.shares[:, m], [number(shares[c.name, t, learner]["share"]) for t in r.recorded.tolist()])

    def test_are_those_of_the_hdf5_file(self):
        for file, r, folder, _ in self.played:
            with self.subTest(file=file):
                with h5py.File(folder / "results.h5", "r") as full:
                    self.assertEqual([name.decode() for name in full["competitors"]], list(r.competitors))
                    self.assertEqual([name.decode() for name in full["learners"]], list(r.learners))
                    same(r.recorded, full["rounds"][:])
                    for c, final in zip(r, full["final_regret"][:], strict=True):
                        same(c.runs, final)
                    same([c.final_regret for c in r], full["summary/regret"][:])
                    attribute = full.attrs["hash"]
                    self.assertEqual(r.hash, attribute.decode() if isinstance(attribute, bytes) else str(attribute))
                    self.assertEqual(r.experiment, full["experiment"][()].decode())

    def test_print_the_table_of_the_program(self):
        for file, r, _, printed in self.played:
            with self.subTest(file=file):
                self.assertEqual(str(r.summary()), str(r))
                for c in r:
                    self.assertIn(c.name.splitlines()[0], str(r))
                self.assertIn(str(r).strip(), printed)

    def test_save_the_files_of_the_program(self):
        for file, r, folder, _ in self.played:
            with self.subTest(file=file):
                ours = scratch(self)
                saved = r.save(ours)
                self.assertEqual(str(saved), str(ours / r.name))
                names = {path.name for path in folder.iterdir()} - {"manifest.json", ".runs"}
                self.assertEqual({path.name for path in (ours / r.name).iterdir()} - {"manifest.json"}, names)
                _, differ, missing = filecmp.cmpfiles(folder, ours / r.name, names, shallow=False)
                self.assertEqual((differ, missing), ([], []))
                manifests = [json.loads((f / "manifest.json").read_text()) for f in (folder, ours / r.name)]
                for manifest in manifests:
                    for key in ("seconds", "threads"):
                        manifest.pop(key)
                self.assertEqual(*manifests)

    def test_do_not_depend_on_threads(self):
        one, two = (posse.run(EXPERIMENT, threads=threads) for threads in (1, 2))
        self.assertEqual(one.hash, two.hash)
        for a, b in zip(one, two, strict=True):
            for quantity in ("regret", "regret_ci95", "optimal_rate", "optimal_ci95", "runs"):
                same(getattr(a, quantity), getattr(b, quantity))

    def test_of_a_dict_are_those_of_the_file(self):
        file = posse.run(EXPERIMENT)
        other = posse.run(
            {
                "name": "small",
                "title": "A small experiment",
                "rounds": np.int64(1500),
                "runs": 90,
                "seed": 7,
                "environment": {
                    "kind": "gaussian",
                    "arms": 5,
                    "prior": {"mean": np.zeros(5), "sd": (1, 1.0, np.float64(1), 1, np.float32(1))},
                    "noise": 1,
                },
                "learners": (
                    {"name": 'timid, "c=0.1"', "kind": "ucb", "width": 0.1},
                    {"name": "fair", "kind": "ucb", "width": 1},
                    {"name": "bold", "kind": "ucb", "width": 10},
                ),
                "selectors": [
                    {"name": "B-MS", "kind": "bms"},
                    {"name": "B-MS shared", "kind": "bms", "share": True},
                ],
                "claims": [
                    {
                        "says": "B-MS keeps lower regret than the boldest",
                        "holds": 'regret("B-MS") < regret("bold")',
                    }
                ],
            }
        )
        self.assertEqual(file.hash, other.hash)
        self.assertEqual(file.claims, other.claims)
        self.assertEqual(file.pairs, other.pairs)
        # The attribute `experiment` is a complete experiment file.
        path = scratch(self) / "again.yaml"
        path.write_text(other.experiment)
        self.assertEqual(posse.run(path).hash, file.hash)

    def test_of_bms_plus_are_those_of_bms_written_out(self):
        """With 40 runs some are played side by side, and the others one by one."""
        sets = {"": {}, " own plays": {"share": False}, " batch 3": {"batch": 3}, " forgetting": {"forgetting": True}}
        selectors = [{"name": f"B-MS+{name}", "kind": "bms-plus", **options} for name, options in sets.items()]
        selectors += [{"name": f"bms{name}", **written_out(**options)} for name, options in sets.items()]
        r = posse.run(small(runs=40, rounds=400, selectors=selectors))
        for name in sets:
            one, other = r[f"B-MS+{name}"], r[f"bms{name}"]
            for quantity in ("regret", "optimal_rate", "runs"):
                same(getattr(one, quantity), getattr(other, quantity))
        self.assertNotEqual(r["B-MS+"].runs.tolist(), r["B-MS+ own plays"].runs.tolist())
        manifest = json.loads(pathlib.Path(r.save(scratch(self)), "manifest.json").read_text())
        told = {selector["name"]: selector for selector in manifest["selectors"]}
        self.assertEqual({**told["bms"], "name": "B-MS+", "kind": "bms-plus", "consider": "auto"}, told["B-MS+"])

    def test_arrays_are_views_that_outlive_the_results(self):
        r = posse.run(EXPERIMENT, runs=20)
        curve, runs = r["fair"].regret, r["fair"].runs
        last, mean = curve[-1], runs.mean()
        self.assertFalse(curve.flags.writeable)
        self.assertFalse(curve.flags.owndata)
        with self.assertRaises(ValueError):
            curve[0] = 1
        del r
        self.assertEqual(curve[-1], last)
        self.assertEqual(runs.mean(), mean)
        self.assertAlmostEqual(mean, last)

    def test_know_their_competitors(self):
        r = posse.run(EXPERIMENT, runs=3, rounds=10)
        self.assertEqual(len(r), 6)
        self.assertIn("bold", r)
        self.assertNotIn("brave", r)
        with self.assertRaisesRegex(KeyError, "brave.*bold"):
            r["brave"]
        with self.assertRaises(AttributeError):
            r["bold"].shares
        self.assertIn("<table", r._repr_html_())
        self.assertIn("bold", r._repr_html_())
        self.assertEqual(r["oracle"].runs.tolist(), np.min([r[m].runs for m in r.learners], axis=0).tolist())

    def test_show_in_a_notebook_no_markup_of_names(self):
        learners = [{"name": "<b>bold</b> & co", "kind": "ucb"}, {"kind": "ucb", "name": "x"}]
        experiment = {"name": "n", "rounds": 5, "runs": 2, "seed": 1, "environment": {"kind": "gaussian", "arms": 2}}
        html = posse.run({**experiment, "learners": learners, "selectors": []})._repr_html_()
        self.assertNotIn("<b>bold", html)
        self.assertIn("&lt;b&gt;bold", html)

    def test_complete_their_keys(self):
        r = posse.run(EXPERIMENT, runs=3, rounds=10)
        self.assertEqual(r._ipython_key_completions_(), list(r.competitors))

    def test_wrong_arguments_are_told(self):
        with self.assertRaisesRegex(posse.SpecificationError, "^threads: must be at least 0$"):
            posse.run(EXPERIMENT, threads=-1)
        with self.assertRaisesRegex(ValueError, "needs a directory"):
            posse.run(EXPERIMENT, runs=3, rounds=10).save("")

    def test_many_learners_leave_a_key_that_can_be_read(self):
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot

        learners = [{"name": f"width {k}", "kind": "ucb", "width": 0.05 * (k + 1)} for k in range(30)]
        selectors = [{"name": f"B-MS {k}", "kind": "bms"} for k in range(6)]
        r = posse.run(small(learners=learners, selectors=selectors, runs=2))
        self.addCleanup(pyplot.close, "all")
        names = [text.get_text() for text in r.plot().get_legend().get_texts()]
        best = min((c for c in r if c.role == "learner"), key=lambda c: c.final_regret)
        self.assertEqual(set(names), {f"B-MS {k}" for k in range(6)} | {"oracle", best.name, "29 other learners"})
        axes = r.plot("selection")
        self.assertEqual(len(axes), 6)
        self.assertLessEqual(axes[0].figure.get_size_inches()[0], 15)
        self.assertEqual(axes[-1].get_legend().get_texts()[-1].get_text(), "22 other learners")
        self.assertEqual(len(axes[-1].get_legend().get_texts()), 9)

    def test_plot_a_sweep(self):
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot

        self.addCleanup(pyplot.close, "all")
        learners = [{"name": "c", "kind": "ucb", "width": [0.1, 1, 10]}, {"kind": "epsilon-greedy", "epsilon": [0.1, 0.2, 0.3]}]
        r = posse.run(small(learners=learners))
        panels = r.plot("sweep")
        self.assertEqual([panel.get_title() for panel in panels], ["ucb", "epsilon-greedy"])
        self.assertEqual([panel.get_xscale() for panel in panels], ["log", "linear"])
        lines = {line.get_label(): line for line in panels[0].get_lines()}
        np.testing.assert_array_equal(lines["ucb"].get_xdata(), [0.1, 1, 10])
        np.testing.assert_array_equal(lines["ucb"].get_ydata(), [r[f"c={c}"].final_regret for c in (0.1, 1, 10)])
        np.testing.assert_array_equal(lines["B-MS"].get_ydata(), [r["B-MS"].final_regret] * 3)
        with self.assertRaisesRegex(ValueError, 'no "sweep" to plot'):
            posse.run(small()).plot("sweep")

    def test_charts_are_the_same_before_and_after_saving(self):
        tasks = {"tasks": 3, "rounds": 30}
        for experiment in (small(), small(**tasks), small(solo=False), small(runs=1)):
            r = posse.run(experiment)
            saved = posse.open(r.save(scratch(self)))
            self.assertEqual(json.loads(r._outcome.charts()), json.loads(saved._outcome.charts()))

    def test_plot_themselves(self):
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot

        r = posse.run(EXPERIMENT, runs=5, rounds=50)
        for what in ("regret", "optimal"):
            axes = r.plot(what)
            shown = {line.get_label() for line in axes.get_lines()} | {text.get_text() for text in axes.texts}
            legend = axes.get_legend()
            shown |= {text.get_text() for text in legend.get_texts()} if legend else set()
            for name in r.competitors if what == "regret" else r.learners:
                self.assertIn(name, shown)
        panels = r.plot("selection")
        self.assertEqual(len(panels), 2)
        for area in panels[0].collections:  # an edge would hide thinner areas
            self.assertEqual(area.get_linewidth(), [0])
        alone = {"name": "n", "rounds": 5, "runs": 2, "seed": 1, "environment": {"kind": "gaussian", "arms": 2}}
        with self.assertRaisesRegex(ValueError, "no selectors"):
            posse.run({**alone, "learners": [{"kind": "ucb", "name": "u"}], "selectors": []}).plot("selection")
        with self.assertRaises(ValueError):
            r.plot("beauty")
        _, own = pyplot.subplots()
        self.assertIs(r.plot(ax=own), own)
        pyplot.close("all")


if __name__ == "__main__":
    unittest.main()
