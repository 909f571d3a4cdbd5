#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Diffusion models as priors: a small one, trained here, beside a Gaussian, a mixture and particles.

    PYTHONPATH=build/python experiments/priors/diffusion.py [--runs N] [--rounds T] [NAME ...]

For each prior of shapes.py it trains a diffusion model on 10^4 instances, draws posterior worlds by the chain of Kveton et
al. (2024), in which each step of the reverse process takes the rewards in as a Gaussian, and compares Thompson sampling and
B-MS under

    gaussian, mixture   fitted by `posse prior fit` to the 2000 instances of data/NAME.csv (fitted/)
    particles           2000 draws from the diffusion model, smoothed by the kernel that `posse.fit_prior` finds
    chain               the posterior chain itself

in regret and in calibration: how often a 90% interval of the posterior holds the truth, over tasks drawn from the prior.
For calibration every arm gets the same number of rewards, so that no policy has an influence. All results follow from the
seed. B-MS plays three UCB learners that share their data, by Algorithm 1.
"""

import argparse
import pathlib
import tempfile
import time

import numpy as np
import shapes

import posse

FITTED = pathlib.Path(__file__).resolve().parent / "fitted"
STEPS = 50  # of the diffusion
BETA = np.linspace(0.002, 0.18, STEPS)
ALPHA_BAR = np.concatenate([[1.0], np.cumprod(1 - BETA)])  # ALPHA_BAR[t] after t steps
HIDDEN, BATCH, TRAINING = 96, 256, 6000
WIDTHS = np.array([0.1, 0.3, 1.0])  # of the UCB learners


# ---- the denoiser: a network with two hidden layers, and Adam --------------------------------------------------------


def clock(t):
    """The step as an input of the network: its sines and cosines."""
    angle = np.asarray(t)[..., None] / STEPS * np.pi * np.array([0.5, 1, 2, 4])
    return np.concatenate([np.sin(angle), np.cos(angle)], axis=-1)


class Denoiser:
    """Predicts the noise in z after t steps."""

    def __init__(self, arms, rng):
        sizes = [arms + 8, HIDDEN, HIDDEN, arms]
        self.weights = [rng.standard_normal((a, b)) / np.sqrt(a) for a, b in zip(sizes, sizes[1:])]
        self.offsets = [np.zeros(b) for b in sizes[1:]]
        self.moments = [[np.zeros_like(p), np.zeros_like(p)] for p in self.parameters()]
        self.count = 0

    def parameters(self):
        return [*self.weights, *self.offsets]

    def layers(self, z, t):
        x = np.concatenate([z, np.broadcast_to(clock(t), (*z.shape[:-1], 8))], axis=-1)
        inputs, gates = [x], []
        for w, b in zip(self.weights[:-1], self.offsets[:-1]):
            linear = inputs[-1] @ w + b
            gate = 1 / (1 + np.exp(-linear))
            gates.append((linear, gate))
            inputs.append(linear * gate)
        return inputs, gates, inputs[-1] @ self.weights[-1] + self.offsets[-1]

    def __call__(self, z, t):
        return self.layers(z, t)[2]

    def learn(self, z, t, noise, rate):
        inputs, gates, out = self.layers(z, t)
        back = 2 * (out - noise) / out.size
        grads_w, grads_b = [], []
        for layer in range(len(self.weights) - 1, -1, -1):
            grads_w.insert(0, inputs[layer].T @ back)
            grads_b.insert(0, back.sum(axis=0))
            if layer > 0:
                linear, gate = gates[layer - 1]
                back = back @ self.weights[layer].T * (gate + linear * gate * (1 - gate))
        self.count += 1
        for p, g, m in zip(self.parameters(), [*grads_w, *grads_b], self.moments):
            m[0] += 0.1 * (g - m[0])
            m[1] += 0.001 * (g * g - m[1])
            mean, square = m[0] / (1 - 0.9**self.count), m[1] / (1 - 0.999**self.count)
            p -= rate * mean / (np.sqrt(square) + 1e-8)


class Diffusion:
    """Of rows that are standardised arm by arm."""

    def __init__(self, rows, rng):
        self.mean, self.sd = rows.mean(axis=0), rows.std(axis=0)
        clean = (rows - self.mean) / self.sd
        self.denoiser = Denoiser(rows.shape[1], rng)
        for step in range(TRAINING):
            z, t = clean[rng.integers(len(clean), size=BATCH)], rng.integers(1, STEPS + 1, size=BATCH)
            noise = rng.standard_normal(z.shape)
            a = ALPHA_BAR[t][:, None]
            self.denoiser.learn(np.sqrt(a) * z + np.sqrt(1 - a) * noise, t, noise, 2e-3 * 0.5 * (1 + np.cos(np.pi * step / TRAINING)))

    def draw(self, counts, sums, noise, rng):
        """A world for each row of counts and sums, by the chain; without rewards, a draw from the model itself."""
        known = counts * (self.sd / noise) ** 2
        average = np.where(counts > 0, sums / np.maximum(counts, 1), self.mean)
        centre = (average - self.mean) / self.sd
        precision = 1 + known / ALPHA_BAR[STEPS]
        s = known * centre / np.sqrt(ALPHA_BAR[STEPS]) / precision + rng.standard_normal(counts.shape) / np.sqrt(precision)
        for t in range(STEPS, 0, -1):
            a, before, beta = ALPHA_BAR[t], ALPHA_BAR[t - 1], BETA[t - 1]
            clean = (s - np.sqrt(1 - a) * self.denoiser(s, t)) / np.sqrt(a)
            mean = np.sqrt(before) * beta / (1 - a) * clean + np.sqrt(1 - beta) * (1 - before) / (1 - a) * s
            variance = beta * (1 - before) / (1 - a) if t > 1 else BETA[0] / 2
            precision = 1 / variance + known / before
            s = (mean / variance + known * centre / np.sqrt(before)) / precision + rng.standard_normal(s.shape) / np.sqrt(precision)
        return self.mean + self.sd * s


# ---- the other posteriors, by counts and sums --------------------------------------------------------------------------


class Normals:
    """A mixture of joint Gaussians, with the recursion of docs/beliefs.md for all runs at once."""

    def __init__(self, prior):
        parts = prior["components"] if prior["kind"] == "mixture" else [{"weight": 1.0, "belief": prior}]
        self.logs = np.log([part["weight"] for part in parts])
        self.means = np.array([part["belief"]["mean"] for part in parts])
        self.covariances = np.array([part["belief"]["covariance"] for part in parts])

    def start(self, runs):
        self.l = np.tile(self.logs, (runs, 1))
        self.m = np.tile(self.means, (runs, 1, 1))
        self.s = np.tile(self.covariances, (runs, 1, 1, 1))

    def learn(self, arm, reward, noise):
        run = np.arange(len(arm))
        column = self.s[run, :, :, arm]
        variance = column[run, :, arm] + noise**2
        off = reward[:, None] - self.m[run, :, arm]
        self.l -= 0.5 * (np.log(variance) + off**2 / variance)
        self.m += column * (off / variance)[..., None]
        self.s -= column[..., :, None] * column[..., None, :] / variance[..., None, None]

    def draw(self, rng):
        run = np.arange(len(self.l))
        which = np.argmax(self.l + rng.gumbel(size=self.l.shape), axis=1)
        arms = self.m.shape[2]
        root = np.linalg.cholesky(self.s[run, which] + 1e-12 * np.eye(arms))
        return self.m[run, which] + np.einsum("rab,rb->ra", root, rng.standard_normal((len(run), arms)))


class Particles:
    def __init__(self, prior):
        self.rows = np.array(prior["table"])
        self.width = prior["kernel"] ** 2 * self.rows.var(axis=0)

    def start(self, runs):
        self.counts = np.zeros((runs, self.rows.shape[1]))
        self.sums = np.zeros_like(self.counts)

    def learn(self, arm, reward, noise):
        run = np.arange(len(arm))
        self.counts[run, arm] += 1 / noise**2
        self.sums[run, arm] += reward / noise**2

    def draw(self, rng):
        d = 1 + self.width * self.counts
        logs = (self.sums / d) @ self.rows.T - 0.5 * (self.counts / d) @ (self.rows**2).T
        which = np.argmax(logs + rng.gumbel(size=logs.shape), axis=1)
        mean, variance = (self.rows[which] + self.width * self.sums) / d, self.width / d
        return mean + np.sqrt(variance) * rng.standard_normal(mean.shape)


class Chain:
    def __init__(self, diffusion):
        self.diffusion = diffusion

    def start(self, runs):
        self.counts = np.zeros((runs, len(self.diffusion.mean)))
        self.sums = np.zeros_like(self.counts)

    def learn(self, arm, reward, noise):
        run = np.arange(len(arm))
        self.counts[run, arm] += 1
        self.sums[run, arm] += reward
        self.noise = noise

    def draw(self, rng):
        return self.diffusion.draw(self.counts, self.sums, getattr(self, "noise", 1.0), rng)


# ---- what is measured ---------------------------------------------------------------------------------------------------


def thompson(posterior, worlds, noises, rng):
    """The regret of each run."""
    runs, regret = np.arange(len(worlds)), np.zeros(len(worlds))
    posterior.start(len(worlds))
    for noise in noises:
        arm = np.argmax(posterior.draw(rng), axis=1)
        regret += worlds.max(axis=1) - worlds[runs, arm]
        posterior.learn(arm, worlds[runs, arm] + noise, 1.0)
    return regret


def select(posterior, worlds, noises, rng):
    """B-MS over UCB learners: the one whose plays have the least regret in a world that is drawn plays next."""
    runs, arms = np.arange(len(worlds)), worlds.shape[1]
    plays = np.zeros((len(worlds), len(WIDTHS), arms))
    counts, sums, regret = np.zeros(worlds.shape), np.zeros(worlds.shape), np.zeros(len(worlds))
    posterior.start(len(worlds))
    for round_, noise in enumerate(noises):
        world = posterior.draw(rng)
        potential = np.einsum("rla,ra->rl", plays, world.max(axis=1, keepdims=True) - world)
        learner = np.full(len(worlds), round_) if round_ < len(WIDTHS) else np.argmin(potential + 1e-9 * rng.random(potential.shape), axis=1)
        bonus = np.sqrt(np.log(2 * arms * len(noises) / 0.05) / np.maximum(counts, 1e-9))
        index = np.where(counts > 0, sums / np.maximum(counts, 1), 0) + WIDTHS[learner][:, None] * bonus
        arm = np.argmax(index, axis=1)
        reward = worlds[runs, arm] + noise
        plays[runs, learner, arm] += 1
        counts[runs, arm] += 1
        sums[runs, arm] += reward
        regret += worlds.max(axis=1) - worlds[runs, arm]
        posterior.learn(arm, reward, 1.0)
    return regret


def coverage(posterior, worlds, rewards, rng, draws=200):
    """How often a 90% interval of draws holds the truth, over tasks and arms, after `rewards` rewards of each arm."""
    posterior.start(len(worlds))
    for _ in range(rewards):
        for arm in range(worlds.shape[1]):
            posterior.learn(np.full(len(worlds), arm), worlds[:, arm] + rng.standard_normal(len(worlds)), 1.0)
    drawn = np.stack([posterior.draw(rng) for _ in range(draws)])
    low, high = np.quantile(drawn, [0.05, 0.95], axis=0)
    inside = ((worlds >= low) & (worlds <= high)).mean(axis=1)
    return inside.mean(), 1.96 * inside.std() / np.sqrt(len(inside))


def particles_of(diffusion, rng):
    """Draws from the model, and the kernel that predicts each from the others best."""
    empty = np.zeros((shapes.ROWS, len(diffusion.mean)))
    rows = diffusion.draw(empty, empty, 1.0, rng)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "rows.csv"
        np.savetxt(path, rows, delimiter=",", fmt="%.6g", header=",".join(f"a{i}" for i in range(rows.shape[1])), comments="")
        return posse.fit_prior(path, kind="particles")


def study(name, runs, rounds, seed):
    rng = np.random.default_rng([seed, list(shapes.SHAPES).index(name)])
    draw = shapes.SHAPES[name]
    begin = time.process_time()
    diffusion = Diffusion(draw(rng, 10000), rng)
    trained = time.process_time() - begin
    posteriors = {
        "gaussian": Normals(posse.read_prior(FITTED / f"{name}-gaussian.yaml")),
        "mixture": Normals(posse.read_prior(FITTED / f"{name}-mixture.yaml")),
        "particles": Particles(particles_of(diffusion, rng)),
        "chain": Chain(diffusion),
    }
    worlds, noises, tasks = draw(rng, runs), rng.standard_normal((rounds, runs)), draw(rng, 200)
    print(f"{name} (trained in {trained:.0f} s of processor time)")
    print("             thompson         B-MS             coverage of 90%  us a round")
    base = {}
    for kind, posterior in posteriors.items():
        begin = time.process_time()
        played = [policy(posterior, worlds, noises, np.random.default_rng([seed, 7])) for policy in (thompson, select)]
        cost = 1e6 * (time.process_time() - begin) / (2 * runs * rounds)
        share, half = coverage(posterior, tasks, 20, np.random.default_rng([seed, 8]))
        cells = "".join(f"{r.mean():8.1f} +- {1.96 * r.std() / np.sqrt(runs):4.1f} " for r in played)
        print(f"  {kind:10}{cells}  {share:.3f} +- {half:.3f}  {cost:9.1f}", flush=True)
        base[kind] = played[0]
    for kind in ("mixture", "particles", "chain"):
        off = base[kind] - base["gaussian"]
        print(f"  thompson, {kind} - gaussian: {off.mean():+.1f} +- {1.96 * off.std() / np.sqrt(runs):.1f}")
    print()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="of shapes.py; default all")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print("# Diffusion models as priors\n")
    print(f"Regret of Thompson sampling and of B-MS after {arguments.rounds} rounds, {arguments.runs} runs, with 95% intervals; how often")
    print("an interval of 90% holds the truth; microseconds of a round.\n", flush=True)
    for which in arguments.names or shapes.SHAPES:
        study(which, arguments.runs, arguments.rounds, arguments.seed)
