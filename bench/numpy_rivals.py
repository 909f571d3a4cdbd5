# SPDX-License-Identifier: MIT
"""The best NumPy we could write: all runs at once, one core.

    numpy_rivals.py DESCRIPTION RUNS REPEATS [BATCH]

plays B-MS over the learners of a workload, and every learner alone, on RUNS instances, REPEATS times over, and prints
the lines of report() (contender.py). DESCRIPTION is a file that `bench_contender describe` wrote.

What makes it fast:
  - arrays end in the axis of runs, so every operation is a long contiguous sweep; argmax over a handful of arms is a
    comparison per arm, and ties are counted in bytes;
  - no array is made inside a round: every operation writes into an existing one;
  - only the arm played is updated, by one gather and one scatter over all competitors at once;
  - UCB and Thompson sampling are one loop, mean + spread * factor, the factor being a radius from a table or a normal;
  - normals by Box-Muller on NumPy's vectorised log, sin and cos take 4 ns, Generator.standard_normal takes 7, and SFC64
    is the fastest of its bit generators;
  - linear arms are scored by BLAS in blocks that stay in the second level of cache;
  - the batch (runs side by side) is tried out first and the best one taken: fewer are dominated by the interpreter,
    more fall out of cache.
The instance and the noise of a run are drawn once for all competitors. Nothing is special to these numbers of arms,
learners and rounds.
"""
import os

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ[library + "_NUM_THREADS"] = "1"

import sys
import time

import numpy as np

from contender import read_workload, report

BATCHES = {"ucb": (1000, 1500, 2000, 3000, 4000), "thompson": (2000, 3000, 4000, 6000, 8000), "linear": (64, 96, 128, 192, 256)}
SCORED_AT_ONCE = 64  # rows of scores: 64 x 1000 x 8 bytes


class Normals:
    """`count` normals at a time, in an array that the next call overwrites."""

    def __init__(self, rng, count):
        half = (count + 1) // 2
        self.rng, self.uniforms, self.out = rng, np.empty((2, half)), np.empty((2, half))
        self.flat = self.out.reshape(-1)[:count]

    def draw(self):
        radius, angle = self.uniforms
        self.rng.random(out=self.uniforms)
        np.log(radius, out=radius)  # log of 0 once in 2^53 draws
        np.multiply(radius, -2.0, out=radius)
        np.sqrt(radius, out=radius)
        np.multiply(angle, 2.0 * np.pi, out=angle)
        np.cos(angle, out=self.out[0])
        np.sin(angle, out=self.out[1])
        np.multiply(self.out, radius, out=self.out)
        return self.flat


class LeastCharged:
    """The learner with the least potential in each run, ties broken uniformly at random."""

    def __init__(self, rng, learners, runs):
        self.bits, self.words, self.runs = rng.bit_generator, (runs + 3) // 4, runs
        self.least = np.empty(runs)
        self.tied, self.upto = np.empty((learners, runs), bool), np.empty((learners, runs), np.uint8)
        self.ties = self.tied.view(np.uint8)
        self.product, self.rank = np.empty(runs, np.uint32), np.empty(runs, np.uint8)
        self.chosen = np.empty(runs, np.uint8)

    def choose(self, potentials):
        np.minimum.reduce(potentials, axis=0, out=self.least)
        np.equal(potentials, self.least, out=self.tied)
        np.copyto(self.upto[0], self.ties[0])
        for i in range(1, len(self.tied)):
            np.add(self.upto[i - 1], self.ties[i], out=self.upto[i])
        sixteen_bits = self.bits.random_raw(self.words).view(np.uint16)[: self.runs]
        np.multiply(sixteen_bits, self.upto[-1], out=self.product, dtype=np.uint32)
        np.right_shift(self.product, 16, out=self.product)
        np.copyto(self.rank, self.product, casting="unsafe")
        np.less_equal(self.upto, self.rank, out=self.tied)
        np.add.reduce(self.ties, axis=0, out=self.chosen)
        return self.chosen


def play_arms(w, runs, rng):
    """UCB and Thompson sampling. Minds: the learners of B-MS, the learners alone, the belief of B-MS."""
    M, K, T, B = w.learners, w.arms, w.rounds, runs
    minds, belief = 2 * M + 1, 2 * M
    thompson = w.kind == "thompson"
    learners = slice(0, M)
    solos = slice(M, belief)

    # The belief of a mind about an arm is N(mean, spread^2), precision = prior + count. UCB has no prior.
    prior = np.full((M + 2, 1), w.prior_sd**-2.0 if thompson else 0.0)
    prior[M + 1] = w.prior_sd**-2.0
    count = np.zeros((minds, K, B))
    mean = np.zeros((minds, K, B))
    mean[belief] = w.prior_mean[:, None]
    spread = np.full((minds, K, B), w.prior_sd if thompson else np.inf)
    spread[belief] = w.prior_sd
    if thompson:
        mean[learners] = mean[solos] = w.settings.reshape(M, K, 1)
    counts, means, spreads = count.reshape(-1), mean.reshape(-1), spread.reshape(-1)

    truth = w.prior_mean[:, None] + w.prior_sd * rng.standard_normal((K, B))
    truths = truth.reshape(-1)
    run = np.arange(B)
    first_of_arm = (np.arange(K) * B)[:, None]
    own = np.empty((M + 2, B), np.intp)  # where the arms of a row begin: learners alone, the one chosen, the belief
    own[:M] = (np.arange(M, belief) * K * B)[:, None] + run
    own[M + 1] = belief * K * B + run

    drawn = (M + 2) * K if thompson else K
    normals = Normals(rng, (drawn + 1) * B)
    least = LeastCharged(rng, M, B)
    if not thompson:
        widths = w.settings.reshape(M, 1)
        with np.errstate(divide="ignore"):
            radius = widths * np.sqrt(np.maximum(np.log(2.0 * K / w.delta * np.arange(T + 1)), 1e-9))
        radii = radius.reshape(-1)
        plays = np.zeros(M * B, np.intp)
        play_at, radius_at = np.empty(B, np.intp), np.empty(B, np.intp)
        played = np.empty(B, np.intp)
        radius_chosen = np.empty(B)

    world, best, potential = np.empty((K, B)), np.empty(B), np.empty((M, B))
    charges = np.empty((M, K, B))
    chosen_at = np.empty((K, B), np.intp)
    mean_chosen, score = np.empty((K, B)), np.empty((M + 1, K, B))
    top, more = np.empty((M + 1, B)), np.empty((M + 1, B), bool)
    arm, candidate = np.empty((M + 1, B), np.uint8), np.empty((M + 1, B), np.uint8)
    offset, at = np.empty((M + 1, B), np.intp), np.empty((M + 2, B), np.intp)
    flat_at = at.reshape(-1)
    reward = np.empty((M + 2, B))
    n, m, p = np.empty((M + 2, B)), np.empty((M + 2, B)), np.empty((M + 2, B))

    for t in range(T):
        z = normals.draw().reshape(-1, B)
        if t < M:
            chosen = np.full(B, t, np.uint8)
        else:
            np.multiply(spread[belief], z[:K], out=world)
            np.add(world, mean[belief], out=world)
            np.maximum.reduce(world, axis=0, out=best)
            np.subtract(best, world, out=world)
            np.multiply(count[learners], world, out=charges)
            np.add.reduce(charges, axis=1, out=potential)
            chosen = least.choose(potential)
        np.multiply(chosen, K * B, out=own[M], dtype=np.intp)
        np.add(own[M], run, out=own[M])
        np.add(own[M], first_of_arm, out=chosen_at)

        np.take(spreads, chosen_at, out=score[M], mode="clip")
        np.take(means, chosen_at, out=mean_chosen, mode="clip")
        if thompson:
            np.multiply(spread[solos], z[K : (M + 1) * K].reshape(M, K, B), out=score[:M])
            np.multiply(score[M], z[(M + 1) * K : -1], out=score[M])
        else:
            np.multiply(chosen, B, out=play_at, dtype=np.intp)
            np.add(play_at, run, out=play_at)
            np.take(plays, play_at, out=played, mode="clip")
            np.multiply(chosen, T + 1, out=radius_at, dtype=np.intp)
            np.add(radius_at, played, out=radius_at)
            np.take(radii, radius_at, out=radius_chosen, mode="clip")
            np.add(played, 1, out=played)
            plays[play_at] = played
            np.multiply(spread[solos], radius[:, t, None, None], out=score[:M])
            np.multiply(score[M], radius_chosen, out=score[M])
        np.add(score[:M], mean[solos], out=score[:M])
        np.add(score[M], mean_chosen, out=score[M])

        np.copyto(top, score[:, 0])
        arm.fill(0)
        for k in range(1, K):
            np.greater(score[:, k], top, out=more)
            np.multiply(more.view(np.uint8), k, out=candidate)
            np.maximum(arm, candidate, out=arm)
            if k < K - 1:
                np.maximum(top, score[:, k], out=top)
        np.multiply(arm, B, out=offset, dtype=np.intp)
        np.add(offset, own[: M + 1], out=at[: M + 1])
        np.add(offset[M], own[M + 1], out=at[M + 1])
        np.add(offset, run, out=offset)
        np.take(truths, offset, out=reward[: M + 1], mode="clip")
        np.add(reward[: M + 1], z[-1], out=reward[: M + 1])
        reward[M + 1] = reward[M]

        np.take(counts, at, out=n, mode="clip")
        np.add(n, 1.0, out=n)
        counts[flat_at] = n.reshape(-1)
        np.add(n, prior, out=p)
        np.divide(1.0, p, out=p)
        np.take(means, at, out=m, mode="clip")
        np.subtract(reward, m, out=reward)
        np.multiply(reward, p, out=reward)
        np.add(m, reward, out=m)
        means[flat_at] = m.reshape(-1)
        np.sqrt(p, out=p)
        spreads[flat_at] = p.reshape(-1)

    gaps = truth.max(axis=0) - truth
    together = (count[learners].sum(axis=0) * gaps).sum(axis=0)
    alone = (count[solos] * gaps).sum(axis=1)
    return np.vstack([together, alone])


def play_points(w, runs, rng):
    """Linear Thompson sampling. Columns: the belief of B-MS, the learners alone, the learner chosen; B runs each."""
    M, K, d, T, B = w.learners, w.arms, w.dim, w.rounds, runs
    points = np.ascontiguousarray(w.points.reshape(K, d).T)
    columns = (M + 2) * B
    belief, solos, guest = slice(0, B), slice(B, (M + 1) * B), slice((M + 1) * B, columns)
    players = slice(B, columns)

    # Posterior N(mean, S S^T), S by Potter's update: rows of S, then the mean. Each learner of B-MS is kept as a row,
    # which is copied in one piece. The chosen learner is copied to the `guest` columns.
    state = np.zeros((d + 1, d, columns))
    root, mean = state[:d], state[d]
    root[np.arange(d), np.arange(d)] = w.prior_sd
    kept = np.zeros((M * B, (d + 1) * d))
    kept[:, np.arange(d) * (d + 1)] = w.prior_sd
    row = np.empty((B, (d + 1) * d))
    guest_state, row_by_run = state[:, :, guest], row.T.reshape(d + 1, d, B)
    plays, record = np.zeros((M, B)), np.zeros((d, M, B))
    all_plays, records = plays.reshape(-1), record.reshape(-1)
    scales = w.settings * np.sqrt(d)
    scale = np.ones(columns)
    scale[solos] = np.repeat(scales, B)

    theta = w.prior_sd * rng.standard_normal((d, B))
    truth = np.tile(theta, M + 2)
    best = np.tile((theta.T @ points).max(axis=1), M + 1)
    regret = np.zeros((M + 1) * B)
    run = np.arange(B)

    normals = Normals(rng, (d * columns) + B)
    least = LeastCharged(rng, M, B)
    draw = np.empty((d, columns))
    scores, arm = np.empty((SCORED_AT_ONCE, K)), np.empty(columns, np.intp)
    x_best, short, potential = np.empty((d, B)), np.empty((d, M, B)), np.empty((M, B))
    kept_at, record_at = np.empty(B, np.intp), np.empty((d, B), np.intp)
    first_of_coordinate = (np.arange(d) * M * B)[:, None]
    flat_record_at, played, recorded = record_at.reshape(-1), np.empty(B), np.empty((d, B))
    x, u, v, step = (np.empty((d, columns)) for _ in range(4))
    sweep = np.empty((d, d, columns))
    alpha, gamma, error, value = (np.empty(columns) for _ in range(4))

    def best_arms(first, last):
        for begin in range(first, last, SCORED_AT_ONCE):
            end = min(begin + SCORED_AT_ONCE, last)
            np.matmul(draw[:, begin:end].T, points, out=scores[: end - begin])
            np.argmax(scores[: end - begin], axis=1, out=arm[begin:end])

    def draw_theta(z, columns):
        np.einsum("ijn,jn->in", root[:, :, columns], z[:, columns], out=draw[:, columns])
        np.add(draw[:, columns], mean[:, columns], out=draw[:, columns])

    for t in range(T):
        z = normals.draw()
        noise, z = z[:B], z[B:].reshape(d, columns)
        if t < M:
            chosen = np.full(B, t, np.uint8)
        else:
            draw_theta(z, belief)
            best_arms(0, B)
            np.take(points, arm[belief], axis=1, out=x_best, mode="clip")
            np.multiply(plays, x_best[:, None], out=short)
            np.subtract(short, record, out=short)
            np.einsum("jmb,jb->mb", short, draw[:, belief], out=potential)
            chosen = least.choose(potential)
        np.multiply(chosen, B, out=kept_at, dtype=np.intp)
        np.add(kept_at, run, out=kept_at)
        np.take(kept, kept_at, axis=0, out=row, mode="clip")
        np.copyto(guest_state, row_by_run)
        np.take(scales, chosen, out=scale[guest], mode="clip")

        np.multiply(z[:, players], scale[players], out=z[:, players])
        draw_theta(z, players)
        best_arms(B, columns)
        arm[belief] = arm[guest]
        np.take(points, arm, axis=1, out=x, mode="clip")
        np.einsum("in,in->n", x, truth, out=value)
        np.add(regret, best, out=regret)
        np.subtract(regret, value[players], out=regret)
        np.add(value.reshape(M + 2, B), noise, out=value.reshape(M + 2, B))

        np.einsum("ijn,in->jn", root, x, out=u)
        np.einsum("ijn,jn->in", root, u, out=v)
        np.einsum("jn,jn->n", u, u, out=alpha)
        np.add(alpha, 1.0, out=alpha)
        np.sqrt(alpha, out=gamma)
        np.add(gamma, alpha, out=gamma)
        np.einsum("in,in->n", x, mean, out=error)
        np.subtract(value, error, out=error)
        np.divide(error, alpha, out=error)
        np.multiply(v, error, out=step)
        np.add(mean, step, out=mean)
        np.divide(v, gamma, out=v)
        np.einsum("in,jn->ijn", v, u, out=sweep)
        np.subtract(root, sweep, out=root)

        np.copyto(row_by_run, guest_state)
        kept[kept_at] = row
        np.take(all_plays, kept_at, out=played, mode="clip")
        np.add(played, 1.0, out=played)
        all_plays[kept_at] = played
        np.add(kept_at, first_of_coordinate, out=record_at)
        np.take(records, record_at, out=recorded, mode="clip")
        np.add(recorded, x[:, guest], out=recorded)
        records[flat_record_at] = recorded.reshape(-1)

    regret = regret.reshape(M + 1, B)
    return np.vstack([regret[M], regret[:M]])


def play(w, runs, batch, rng):
    whole = play_points if w.kind == "linear" else play_arms
    return np.hstack([whole(w, min(batch, runs - begin), rng) for begin in range(0, runs, batch)])


def best_batch(w, rng):
    """The batch with the least nanoseconds of a round in short runs."""
    rounds, w.rounds = w.rounds, 100
    tried = {}
    for _ in range(5):
        for batch in BATCHES[w.kind]:
            begin = time.process_time()
            play(w, batch, batch, rng)
            tried[batch] = min(tried.get(batch, 1e300), (time.process_time() - begin) / batch)
    w.rounds = rounds
    return min(tried, key=tried.get)


def main():
    w = read_workload(sys.argv[1])
    runs, repeats = int(sys.argv[2]), int(sys.argv[3])
    rng = np.random.Generator(np.random.SFC64(1))
    batch = int(sys.argv[4]) if len(sys.argv) > 4 else best_batch(w, rng)
    runs = max(batch, runs // batch * batch)
    report(w, runs, repeats, lambda repeat: play(w, runs, batch, rng), "; %d runs side by side" % batch)


main()
