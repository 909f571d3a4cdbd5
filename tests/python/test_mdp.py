# SPDX-License-Identifier: MIT
"""Decision processes, against a twin in NumPy: environment, belief, values of policies, learners and B-MS are written
anew, for many runs side by side. Regrets must agree within their standard errors, and values where nothing is drawn."""

import itertools
import unittest

import numpy as np
import posse

STATES, ACTIONS, DISCOUNT, START = 3, 2, 0.8, 1
POLICIES = np.array(list(itertools.product(range(ACTIONS), repeat=STATES)))[:, ::-1]  # state 0 is the last digit
TRANSITIONS, MEAN, WEIGHT, SHAPE, SCALE = 0.5, 0.2, 1.0, 3.0, 2.0
PRIOR = {"transitions": TRANSITIONS, "rewards": {"mean": MEAN, "weight": WEIGHT, "shape": SHAPE, "scale": SCALE}}
ENVIRONMENT = {"kind": "mdp", "states": STATES, "actions": ACTIONS, "discount": DISCOUNT, "start": START, **PRIOR}
TEAM = [
    {"name": "PSRL", "kind": "thompson"},
    {"name": "Q", "kind": "q-learning", "step": 0.3, "epsilon": 0.2},
    {"name": "Q falling", "kind": "q-learning", "step": 1, "power": 0.7, "initial": 1},
    {"name": "planner", "kind": "planner", "bonus": 1},
    {"name": "fixed", "kind": "fixed", "arm": 5},
]
ROUNDS, RUNS = 60, 1500


def values(transitions, rewards, states=STATES, policies=POLICIES, discount=DISCOUNT, start=START):
    """The value of every policy in every run, from the linear equations of each."""
    out = np.empty((len(rewards), len(policies)))
    for k, policy in enumerate(policies):
        chosen = transitions[:, np.arange(states), policy]
        paid = rewards[:, np.arange(states), policy]
        out[:, k] = np.linalg.solve(np.eye(states) - discount * chosen, paid[..., None])[:, start, 0]
    return out


class Belief:
    def __init__(self, rng):
        self.rng = rng
        self.counts = np.full((RUNS, STATES, ACTIONS, STATES), TRANSITIONS)
        shape = (RUNS, STATES, ACTIONS)
        self.mean, self.weight = np.full(shape, MEAN), np.full(shape, WEIGHT)
        self.shape, self.scale = np.full(shape, SHAPE), np.full(shape, SCALE)

    def draw(self):
        """Transition probabilities, mean rewards and noise."""
        weights = self.rng.gamma(self.counts)
        noise = np.sqrt(self.scale / self.rng.gamma(self.shape))
        means = self.mean + noise / np.sqrt(self.weight) * self.rng.standard_normal(noise.shape)
        return weights / weights.sum(-1, keepdims=True), means, noise

    def learn(self, learns, steps):
        for runs, state, action, reward, goes_on, after in steps:
            at = learns[runs]
            runs, state, action, reward = runs[at], state[at], action[at], reward[at]
            pair = runs, state, action
            off = reward - self.mean[pair]
            self.scale[pair] += self.weight[pair] * off**2 / (2 * (self.weight[pair] + 1))
            self.mean[pair] += off / (self.weight[pair] + 1)
            self.weight[pair] += 1
            self.shape[pair] += 0.5
            on = goes_on[at]
            self.counts[runs[on], state[on], action[on], after[at][on]] += 1


class Sampler(Belief):
    """Posterior sampling."""

    def act(self):
        transitions, means, _ = self.draw()
        return values(transitions, means).argmax(1)


class Planner(Belief):
    """The best policy of the mean process, with a bonus of 1."""

    def act(self):
        raised = self.mean + 1 / np.sqrt(1 + self.weight - WEIGHT)
        return values(self.counts / self.counts.sum(-1, keepdims=True), raised).argmax(1)


class QLearner:
    def __init__(self, rng, step, power, epsilon, initial):
        self.rng, self.step, self.power, self.epsilon = rng, step, power, epsilon
        self.q = np.full((RUNS, STATES, ACTIONS), float(initial))
        self.seen = np.zeros_like(self.q)

    def act(self):
        explores = self.rng.random((RUNS, STATES)) < self.epsilon
        actions = np.where(explores, self.rng.integers(ACTIONS, size=explores.shape), self.q.argmax(2))
        return actions @ ACTIONS ** np.arange(STATES)

    def learn(self, learns, steps):
        for runs, state, action, reward, goes_on, after in steps:
            at = learns[runs]
            pair = runs[at], state[at], action[at]
            target = reward[at] + np.where(goes_on[at], self.q[runs[at], after[at]].max(1), 0)
            self.seen[pair] += 1
            self.q[pair] += self.step / self.seen[pair] ** self.power * (target - self.q[pair])


class Fixed:
    def act(self):
        return np.full(RUNS, 5)

    def learn(self, learns, steps):
        pass


def team(rng):
    return [Sampler(rng), QLearner(rng, 0.3, 0, 0.2, 0), QLearner(rng, 1, 0.7, 0.1, 1), Planner(rng), Fixed()]


def play(rng, process, policies):
    """An episode of each run: for each step the runs that are still in it, states, actions, rewards, and what follows."""
    transitions, means, noise = process
    steps, runs, state = [], np.arange(RUNS), np.full(RUNS, START)
    while len(runs):
        pair = runs, state, POLICIES[policies[runs], state]
        reward = means[pair] + noise[pair] * rng.standard_normal(len(runs))
        goes_on = rng.random(len(runs)) < DISCOUNT
        after = (rng.random((len(runs), 1)) > transitions[pair].cumsum(1)).sum(1).clip(max=STATES - 1)
        steps.append((runs, state, pair[2], reward, goes_on, after))
        runs, state = runs[goes_on], after[goes_on]
    return steps


def regrets_alone(rng, index):
    """The regret of a learner alone, in every run."""
    process = Belief(rng).draw()
    worth, learner = values(process[0], process[1]), team(rng)[index]
    total, everyone = np.zeros(RUNS), np.ones(RUNS, bool)
    for _ in range(ROUNDS):
        policies = learner.act()
        total += worth.max(1) - worth[np.arange(RUNS), policies]
        learner.learn(everyone, play(rng, process, policies))
    return total


def regrets_of_bms(rng):
    """Algorithm 1 over the team, where each learner learns from its own episodes."""
    process = Belief(rng).draw()
    worth, learners, belief = values(process[0], process[1]), team(rng), Belief(rng)
    total, plays, every = np.zeros(RUNS), np.zeros((RUNS, len(TEAM), len(POLICIES))), np.arange(RUNS)
    for n in range(ROUNDS):
        transitions, means, _ = belief.draw()
        drawn = values(transitions, means)
        charges = (plays * (drawn.max(1, keepdims=True) - drawn)[:, None]).sum(2)
        ties = (charges <= charges.min(1, keepdims=True) + 1e-12) * rng.random(charges.shape)
        chosen = ties.argmax(1) if n >= len(TEAM) else np.full(RUNS, n)
        policies = np.stack([learner.act() for learner in learners])[chosen, every]
        plays[every, chosen, policies] += 1
        total += worth.max(1) - worth[every, policies]
        steps = play(rng, process, policies)
        belief.learn(np.ones(RUNS, bool), steps)
        for i, learner in enumerate(learners):
            learner.learn(chosen == i, steps)
    return total


class DecisionProcesses(unittest.TestCase):
    def test_regrets_are_those_of_the_twin(self):
        rng = np.random.default_rng(7)
        ours = posse.run(
            {
                "name": "twin",
                "rounds": ROUNDS,
                "runs": 4000,
                "seed": 5,
                "environment": ENVIRONMENT,
                "learners": TEAM,
                "selectors": [{"name": "B-MS", "kind": "bms"}],
            }
        )
        theirs = {learner["name"]: regrets_alone(rng, i) for i, learner in enumerate(TEAM)}
        theirs["B-MS"] = regrets_of_bms(rng)
        for name, total in theirs.items():
            with self.subTest(name):
                error = np.hypot(ours[name].final_regret_ci95 / 1.96, total.std(ddof=1) / RUNS**0.5)
                z = (ours[name].final_regret - total.mean()) / error
                print(f"{name}: {ours[name].final_regret:.2f}, twin {total.mean():.2f}, z {z:.2f}")
                self.assertLess(abs(z), 4.5)
        self.assertGreater(theirs["fixed"].mean(), 2 * theirs["B-MS"].mean())

    def test_values_of_a_known_process_are_those_of_the_twin(self):
        """If each action has one next state and rewards do not vary, the values follow from the file alone."""
        rng = np.random.default_rng(8)
        for states, actions in ((2, 2), (4, 3), (7, 2)):
            after = rng.integers(states, size=(states, actions))
            rewards = rng.standard_normal((states, actions))
            transitions = np.eye(states)[after]
            environment = posse.Environment(
                {
                    "kind": "mdp",
                    "states": states,
                    "actions": actions,
                    "discount": 0.9,
                    "start": states - 1,
                    "transitions": transitions.ravel().tolist(),
                    "rewards": {"mean": rewards.ravel().tolist(), "weight": 1e12, "shape": 1e12, "scale": 1e-20},
                }
            )
            policies = np.array(list(itertools.product(range(actions), repeat=states)))[:, ::-1]
            expected = values(transitions[None], rewards[None], states, policies, 0.9, states - 1)[0]
            np.testing.assert_allclose(environment.means, expected, rtol=1e-12, atol=1e-12)

    def test_a_posse_of_episodes_is_for_simulations(self):
        with self.assertRaisesRegex(posse.Error, "only an environment such as mdp reports"):
            posse.Posse(4, learners=["thompson"], prior={"kind": "mdp", "states": 2, "actions": 2})


if __name__ == "__main__":
    unittest.main()
