# SPDX-License-Identifier: MIT
"""Priors from data against NumPy and SciPy: a further step of EM in NumPy changes nothing, the parameters for
missing cells and plays are those that SciPy finds by maximising the likelihood, and files are accepted wherever a
belief is."""

import errno
import os
import pickle
import re
import unittest

import numpy as np
import pandas
import posse
from scipy.optimize import minimize
from scipy.stats import multivariate_normal
from support import program, scratch, small


def write_table(path, rows):
    header = ",".join(f"arm{a}" for a in range(rows.shape[1]))
    cells = "\n".join(",".join("" if np.isnan(x) else repr(float(x)) for x in row) for row in rows)
    path.write_text(f"{header}\n{cells}\n")
    return path


def clusters(rng, rows):
    centres = np.array([[0.0, 3.0], [3.0, 0.0], [-2.0, -2.0]])
    return centres[rng.integers(3, size=rows)] + 0.6 * rng.standard_normal((rows, 2))


def moments(rows):
    """The regularisation of the fit: the variances of the arms, without correlation."""
    return np.nanmean(rows, axis=0), np.diag(np.nanvar(rows, axis=0))


def penalty(covariance, ballast):
    return -0.5 * (np.linalg.slogdet(covariance)[1] + np.trace(np.linalg.solve(covariance, ballast)))


class Mixture:
    """Weights, means and covariances of a prior, and textbook EM: a row at a time, with explicit inverses."""

    def __init__(self, prior):
        parts = prior["components"] if prior["kind"] == "mixture" else [{"weight": 1.0, "belief": prior}]
        self.weights = np.array([p["weight"] for p in parts])
        self.means = np.array([p["belief"]["mean"] for p in parts])
        self.covariances = np.array([p["belief"]["covariance"] for p in parts])

    def densities(self, row):
        seen = ~np.isnan(row)
        return np.array([w * multivariate_normal(m[seen], s[np.ix_(seen, seen)]).pdf(row[seen])
                         for w, m, s in zip(self.weights, self.means, self.covariances)])

    def objective(self, rows, ballast):
        fit = sum(np.log(self.densities(row).sum()) for row in rows)
        return fit + np.log(self.weights).sum() + sum(penalty(s, ballast) for s in self.covariances)

    def step(self, rows, ballast):
        shares = np.array([self.densities(row) for row in rows])
        shares /= shares.sum(axis=1, keepdims=True)
        new = Mixture.__new__(Mixture)
        new.weights = (shares.sum(axis=0) + 1) / (len(rows) + len(self.weights))
        new.means, new.covariances = np.empty_like(self.means), np.empty_like(self.covariances)
        for c, (m, s) in enumerate(zip(self.means, self.covariances)):
            filled, left = [], []
            for row in rows:
                seen = ~np.isnan(row)
                gain = s[:, seen] @ np.linalg.inv(s[np.ix_(seen, seen)])
                filled.append(m + gain @ (row - m)[seen])
                left.append(s - gain @ s[seen])
            filled, share = np.array(filled), shares[:, c]
            new.means[c] = share @ filled / share.sum()
            off = filled - new.means[c]
            total = (off * share[:, None]).T @ off + np.einsum("i,iab->ab", share, np.array(left)) + ballast
            new.covariances[c] = total / (share.sum() + 1)
        return new


def largest_change(a, b):
    return max(np.abs(x - y).max() for x, y in
               ((a.weights, b.weights), (a.means, b.means), (a.covariances, b.covariances)))


def unpack(x, arms):
    root = np.zeros((arms, arms))
    root[np.tril_indices(arms)] = x[arms : arms + arms * (arms + 1) // 2]
    return x[:arms], root @ root.T + 1e-12 * np.eye(arms)


class Fit(unittest.TestCase):
    def test_em_stays_where_it_ended(self):
        rng, folder = np.random.default_rng(1), scratch(self)
        for holes in (False, True):
            rows = clusters(rng, 150)
            if holes:
                gone = rng.random(rows.shape) < 0.2
                gone[gone.all(axis=1)] = False
                rows[gone] = np.nan
            path = write_table(folder / "t.csv", rows)
            single = Mixture(posse.fit_prior(path, kind="gaussian"))
            ballast = single.covariances[0]
            ours = Mixture(posse.fit_prior(path))
            self.assertEqual(len(ours.weights), 3)
            self.assertLess(largest_change(ours, ours.step(rows, ballast)), 0.02)
            # Textbook EM that starts from the truth reaches no higher likelihood.
            book = Mixture.__new__(Mixture)
            book.weights = np.full(3, 1 / 3)
            book.means = np.array([[0.0, 3.0], [3.0, 0.0], [-2.0, -2.0]])
            book.covariances = np.tile(0.36 * np.eye(2), (3, 1, 1))
            before = -np.inf
            for _ in range(30):
                now = book.objective(rows, ballast)
                self.assertGreaterEqual(now, before - 1e-9)
                before, book = now, book.step(rows, ballast)
            self.assertGreater(ours.objective(rows, ballast), before - 0.01)
            order = np.argsort(ours.means[:, 0]), np.argsort(book.means[:, 0])
            self.assertLess(np.abs(ours.means[order[0]] - book.means[order[1]]).max(), 0.02)

    def test_missing_cells_are_integrated_out(self):
        rng, folder = np.random.default_rng(2), scratch(self)
        rows = rng.standard_normal((60, 3)) @ np.array([[1, 0.8, 0.3], [0, 0.6, -0.4], [0, 0, 0.5]]) + [1, 2, 3]
        rows[:25, 2] = np.nan
        rows[40:50, 0] = np.nan
        _, ballast = moments(rows)

        def loss(x):
            mean, covariance = unpack(x, 3)
            fit = 0.0
            for row in rows:
                seen = ~np.isnan(row)
                fit += multivariate_normal(mean[seen], covariance[np.ix_(seen, seen)]).logpdf(row[seen])
            return -fit - penalty(covariance, ballast)

        found = minimize(loss, np.concatenate([np.nanmean(rows, axis=0), np.eye(3)[np.tril_indices(3)]]))
        mean, covariance = unpack(found.x, 3)
        ours = Mixture(posse.fit_prior(write_table(folder / "t.csv", rows), kind="gaussian"))
        self.assertLess(np.abs(ours.means[0] - mean).max(), 2e-3)
        self.assertLess(np.abs(ours.covariances[0] - covariance).max(), 4e-3)
        self.assertEqual(len(posse.fit_prior(folder / "t.csv", components=2)["components"]), 2)

    def test_plays_have_the_likelihood_of_all_rewards(self):
        rng, folder = np.random.default_rng(3), scratch(self)
        lines, tasks = ["task,arm,reward"], []
        for task in range(40):
            means = [0.5, -0.5] + rng.standard_normal(2) @ np.array([[1, 0.6], [0, 0.5]])
            arms = rng.integers(2, size=7) if task % 5 else np.zeros(4, int)
            rewards = means[arms] + 0.4 * rng.standard_normal(len(arms))
            tasks.append((arms, rewards))
            lines += [f"t{task},{'ab'[a]},{float(r)!r}" for a, r in zip(arms, rewards)]
        path = folder / "plays.csv"
        path.write_text("\n".join(lines) + "\n")

        averages = np.array([[r[a == k].mean() if (a == k).any() else np.nan for k in (0, 1)] for a, r in tasks])
        counts = np.array([[(a == k).sum() for k in (0, 1)] for a, r in tasks])
        within = sum(((r - averages[i][a]) ** 2).sum() for i, (a, r) in enumerate(tasks))
        pooled = within / (counts - 1).clip(0).sum()
        spread = np.nanvar(averages, axis=0)
        part = [np.mean(pooled / counts[counts[:, k] > 0, k]) for k in (0, 1)]
        ballast = np.diag(np.maximum(spread - part, 0.1 * spread))

        def loss(x):
            mean, covariance = unpack(x, 2)
            fit = penalty(covariance, ballast)
            for arms, rewards in tasks:
                joint = covariance[np.ix_(arms, arms)] + np.exp(2 * x[-1]) * np.eye(len(arms))
                fit += multivariate_normal(mean[arms], joint).logpdf(rewards)
            return -fit

        found = minimize(loss, [0, 0, 1, 0, 1, -0.5])
        mean, covariance = unpack(found.x, 2)
        prior = posse.fit_prior(path, kind="gaussian", plays=True)
        ours = Mixture(prior)
        self.assertAlmostEqual(prior["noise"], np.exp(found.x[-1]), delta=1e-3)
        self.assertLess(np.abs(ours.means[0] - mean).max(), 3e-3)
        self.assertLess(np.abs(ours.covariances[0] - covariance).max(), 6e-3)
        self.assertEqual(posse.fit_prior(path, kind="gaussian", plays=True, noise=0.5)["noise"], 0.5)


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = scratch(self)
        self.table = write_table(self.folder / "t.csv", clusters(np.random.default_rng(4), 120))

    def fit(self, *arguments):
        return program("prior", "fit", self.table, "-o", self.folder / "prior.yaml", *arguments)

    def test_a_prior_is_taken_wherever_a_belief_is(self):
        answer = self.fit("--noise", "0.5")
        self.assertEqual((answer.returncode, answer.stderr), (0, ""))
        self.assertIn("a mixture of 3 joint Gaussians, 2 arms, noise 0.5, fitted to 120 instances", answer.stdout)
        self.assertRegex(answer.stdout, r"\n  3 +-\d\.\d+  chosen\n")
        prior, path = posse.read_prior(self.folder / "prior.yaml"), str(self.folder / "prior.yaml")
        self.assertEqual(prior, posse.fit_prior(self.table, noise=0.5))
        table = np.genfromtxt(self.table, delimiter=",", skip_header=1)
        self.assertEqual(prior, posse.fit_prior(table, noise=0.5))
        self.assertEqual(prior, posse.fit_prior(pandas.DataFrame(table, columns=["left", "right"]), noise=0.5))
        self.assertRaises(ValueError, posse.fit_prior, table[0])
        ours = posse.Posse(arms=2, prior={"file": path}, learners=["thompson"])
        self.assertEqual(ours.save(), posse.Posse(arms=2, prior=prior, learners=["thompson"]).save())
        results = []
        for belief in ({"file": path}, prior):
            experiment = small(environment={"kind": "worlds", "arms": 2, "prior": belief}, selectors=[
                {"name": "B-MS", "kind": "bms", "belief": {"kind": "mixture", "components": [
                    {"weight": 1, "belief": belief}, {"weight": 1, "belief": {"kind": "gaussian", "noise": 0.5}}]}}])
            results.append(posse.run(experiment)["B-MS"].regret)
        np.testing.assert_array_equal(*results)

    def test_a_table_may_lack_values(self):
        cells = {"left": [0.1, None, 0.2] * 10, "right": [0.1, 0.3, 0.2] * 10}
        known = posse.fit_prior(pandas.DataFrame(cells))
        self.assertEqual(known, posse.fit_prior(pandas.DataFrame(cells).convert_dtypes()))  # NA in the place of NaN
        masked = np.ma.array([[0.1, 0.1], [7.0, 0.3], [0.2, 0.2]] * 10, mask=[[False, False], [True, False], [False, False]] * 10)
        self.assertEqual(known, posse.fit_prior(masked))  # nobody meant the number behind a mask
        with self.assertRaisesRegex(posse.SpecificationError, '^table:2:1: "x" is no number; "left" must be one$'):
            posse.fit_prior(pandas.DataFrame({"left": ["x"] * 9, "right": ["y"] * 9}))

    def test_a_prior_that_is_read_may_be_robust(self):
        self.fit("--kind", "gaussian")
        path = str(self.folder / "prior.yaml")
        prior = posse.read_prior(path)
        saved = [posse.Posse(arms=2, prior=belief, learners=["thompson"]).save()
                 for belief in ({"file": path, "robust": True}, {**prior, "robust": True}, {"file": path, "robust": False}, {**prior, "robust": False})]
        self.assertEqual(saved[0], saved[1])
        self.assertEqual(saved[2], saved[3])
        self.assertNotEqual(saved[0], saved[2])
        self.fit()
        with self.assertRaisesRegex(posse.SpecificationError, "a belief of kind mixture has no robust form"):
            posse.Posse(arms=2, prior={"file": path, "robust": True}, learners=["thompson"])

    def test_three_rows_hold_none_out(self):
        self.table.write_text("a,b\n1,2\n0,1\n3,4\n")
        answer = self.fit()
        self.assertEqual((answer.returncode, answer.stderr), (0, ""))
        self.assertIn("\n  too few rows to hold any out, so one component\n", answer.stdout)
        self.assertNotIn("nan", answer.stdout)

    def test_the_same_bytes_come_of_it_and_a_page(self):
        self.fit()
        first = (self.folder / "prior.yaml").read_bytes()
        page = (self.folder / "prior.html").read_text()
        self.assertEqual(len(re.findall("<script", page)), 5)
        self.assertEqual(self.fit("--page", self.folder / "other.html").returncode, 0)
        self.assertEqual((self.folder / "prior.yaml").read_bytes(), first)
        self.assertEqual((self.folder / "other.html").read_text(), page)
        (self.folder / "prior.html").unlink()
        self.assertEqual(self.fit("--no-page", "--kind", "particles").returncode, 0)
        self.assertFalse((self.folder / "prior.html").exists())

    def test_wrong_usage_writes_nothing(self):
        wrong = [["--kind", "poisson"], ["--components", "0"], ["--noise", "-1"], ["--columns", "a,b"], ["--plays", "--kind", "particles"],
                 ["--columns", "a,b,c"], ["second.csv"], ["--kind", "gaussian", "--components", "2"]]
        for arguments in wrong:
            answer = self.fit(*arguments)
            self.assertEqual(answer.returncode, 2, arguments)
            self.assertTrue(answer.stderr.startswith("posse prior:"), answer.stderr)
        self.table.write_text("a,b\n1,2\n1,x\n3,4\n")
        answer = self.fit()
        self.assertEqual((answer.returncode, answer.stdout), (2, ""))
        self.assertEqual(answer.stderr, f'{self.table}:3:3: "x" is no number; "b" must be one\n')
        self.assertEqual([p.name for p in self.folder.iterdir()], ["t.csv"])

    def test_a_wrong_prior_is_told_at_its_line(self):
        path = self.folder / "prior.yaml"
        path.write_text("kind: joint-gaussian\nmean: [0, 1]\ncovariance:\n  - [1, 2]\n  - [2, 1]\n")
        with self.assertRaises(posse.SpecificationError) as caught:
            posse.Posse(arms=2, prior={"file": str(path)}, learners=["thompson"])
        self.assertIn(f"{path}:5:5: covariance[1]: row 2, column 2: the table is not positive semidefinite", str(caught.exception))
        with self.assertRaisesRegex(posse.SpecificationError, "no other keys"):
            posse.Posse(arms=2, prior={"file": str(path), "noise": 1}, learners=["thompson"])
        with self.assertRaisesRegex(posse.SpecificationError, "cannot be read"):
            posse.read_prior(self.folder)

    def test_a_file_that_is_not_there_is_python_s_own_error(self):
        path = self.folder / "none.yaml"
        for call in (posse.run, posse.check, posse.read_prior, posse.fit_prior):
            with self.subTest(call=call.__name__), self.assertRaises(FileNotFoundError) as caught:
                call(path)
            self.assertIsInstance(caught.exception, posse.SpecificationError)
            self.assertEqual((caught.exception.filename, caught.exception.errno), (str(path), errno.ENOENT))
            self.assertEqual(str(caught.exception), f"{path}: No such file or directory")
        copied = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((str(copied), copied.filename), (str(caught.exception), str(path)))

    def test_a_file_that_cannot_be_opened_is_not_called_absent(self):
        loop = self.folder / "loop"
        loop.symlink_to(loop)
        for path, number in ((loop, errno.ELOOP), (self.table / "below", errno.ENOTDIR)):
            for call in (posse.run, posse.check, posse.read_prior, posse.fit_prior):
                with self.subTest(call=call.__name__, number=number):
                    with self.assertRaisesRegex(posse.SpecificationError, os.strerror(number)) as caught:
                        call(path)
                    self.assertNotIsInstance(caught.exception, posse.AbsentFileError)
        for call in (posse.check, posse.read_prior, posse.fit_prior):
            with self.assertRaisesRegex(ValueError, "null byte"):
                call("a\0b")


if __name__ == "__main__":
    unittest.main()
