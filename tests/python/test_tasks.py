# SPDX-License-Identifier: MIT
"""Tasks, one after the other: of a posse, of an environment, of an experiment."""

import pickle
import tempfile
import unittest

import numpy as np
import posse

ALIKE = {"kind": "gaussian", "arms": 4, "prior": {"mean-sd": 1, "sd": 0.2}}
EXPERIMENT = {
    "name": "alike",
    "tasks": 5,
    "rounds": 60,
    "runs": 12,
    "seed": 3,
    "environment": ALIKE,
    "learners": [{"name": "own", "kind": "thompson"}, {"name": "alone", "kind": "thompson", "belief": "gaussian"}],
    "selectors": [{"name": "B-MS", "kind": "bms"}],
}


def joint(mean_sd, spread, noise, tasks):
    """The posterior of an arm's mean in the next task, given its rewards in several tasks, by their joint normal
    distribution."""
    task = np.repeat(np.arange(len(tasks)), [len(rewards) for rewards in tasks])
    same = task[:, None] == task[None, :]
    covariance = mean_sd**2 + spread**2 * same + noise**2 * np.eye(len(task))
    weights = np.linalg.solve(covariance, np.full(len(task), mean_sd**2))
    mean = weights @ np.concatenate(tasks)
    return mean, np.sqrt(mean_sd**2 + spread**2 - weights.sum() * mean_sd**2)


class Tasks(unittest.TestCase):
    def test_a_posse_carries_on_what_tasks_share(self):
        belief = {"kind": "hierarchical", "spread": 0.5, "noise": 0.8}
        p = posse.Posse(3, prior=belief, learners=["thompson", "ucb"])
        source = np.random.default_rng(1)
        tasks = []
        for count in (4, 7, 2):
            tasks.append(source.normal(0.7, 1.0, count))
            for reward in tasks[-1]:
                p.teach(1, reward)
            p.next_task()
            p = pickle.loads(pickle.dumps(p))
        mean, deviation = joint(1.0, 0.5, 0.8, tasks)
        np.testing.assert_allclose(p.means, [0, mean, 0], atol=1e-12)
        np.testing.assert_allclose(p.deviations[1], deviation, rtol=1e-12)

    def test_all_else_begins_as_if_new(self):
        p = posse.Posse(3, prior="gaussian", learners=["thompson", Counting], seed=2)
        for _ in range(9):
            p.learn(p.decide(), 1.0)
        waiting = p.decide()
        p.next_task()
        self.assertEqual((p.pending, list(p.plays), p.learner(1).learned), (0, [0, 0], 0))
        np.testing.assert_array_equal(p.means, [0, 0, 0])
        with self.assertRaises(posse.DecisionError) as refused:
            p.learn(waiting, 1.0)
        self.assertEqual(refused.exception.code, "POSSE_ERROR_SETTLED")
        self.assertEqual(p.decide().id, waiting.id + 1)

    def test_an_environment_draws_tasks_that_are_alike(self):
        e = posse.Environment(ALIKE, seed=1)
        first, distances, strangers = e.means.copy(), [], []
        for run in range(200):
            e.begin(run)
            first = e.means.copy()
            e.next_task()
            distances.append(np.square(e.means - first).mean())
            strangers.append(np.square(first).mean())
        self.assertAlmostEqual(np.mean(distances), 2 * 0.2**2, delta=0.02)
        self.assertAlmostEqual(np.mean(strangers), 1 + 0.2**2, delta=0.3)

    def test_an_experiment_has_the_regret_of_each_task(self):
        results = posse.run(EXPERIMENT)
        self.assertEqual((results.tasks, results.rounds), (5, 300))
        for c in results:
            self.assertEqual(c.task_regret.shape, (5,))
            self.assertAlmostEqual(c.task_regret.sum(), c.final_regret, places=9)
            np.testing.assert_allclose(np.cumsum(c.task_regret), c.regret[59::60], rtol=1e-12)
        self.assertLess(results["own"].task_regret[-2:].mean(), results["alone"].task_regret[-2:].mean())
        with tempfile.TemporaryDirectory() as folder:
            again = posse.open(results.save(folder))
            self.assertEqual((again.tasks, again.rounds, again.hash), (5, 300, results.hash))
            self.assertEqual(str(again.summary()), str(results.summary()))
            for c in results:
                np.testing.assert_array_equal(again[c.name].task_regret, c.task_regret)
                np.testing.assert_array_equal(again[c.name].task_regret_ci95, c.task_regret_ci95)

    def test_without_tasks_there_is_one(self):
        results = posse.run({**EXPERIMENT, "tasks": 1})
        self.assertEqual((results.tasks, results.rounds), (1, 60))
        self.assertEqual(results["own"].task_regret.tolist(), [results["own"].final_regret])


class Counting(posse.Learner):
    learned = 0

    def act(self, draw):
        return 0

    def learn(self, arm, reward):
        self.learned += 1


if __name__ == "__main__":
    unittest.main()
