#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""B-MS over UCB learners in JAX: the rival of a GPU's rounds (bench_gpu), K = 5, M = 6, T = 1000.

    jax_bms.py [runs]

All runs are one array, a scan goes over the rounds, and the whole is compiled. Random numbers are made by the generator
that is fastest on a GPU. Of several numbers of runs at a time the fastest counts. Prints lines as bench_gpu does, in
double and in single precision.
"""

import functools
import sys
import time

try:
    import jax
    import jax.numpy as jnp
except ImportError:
    sys.exit("jax_bms.py: skipped, because jax is not installed")

ARMS, ROUNDS, DELTA = 5, 1000, 0.05
WIDTHS = (0.01, 0.1, 1.0, 2.0, 5.0, 10.0)
LEARNERS = len(WIDTHS)


def choose(state, world, ties, round_):
    """The learner that is charged least in a world, at random among equals; in the first rounds, each in its turn."""
    gaps = world.max(axis=0) - world
    charges = (state["counts"] * gaps).sum(axis=1)
    least = charges == charges.min(axis=0)
    drawn = jnp.argmax(jnp.where(least, ties, -1), axis=0)
    return jnp.where(round_ < LEARNERS, round_, drawn)


def step(state, inputs, means, widths, real):
    """A round of all runs. Runs are the last axis, so that neighbouring threads read neighbouring numbers."""
    round_, key = inputs
    runs = means.shape[1]
    normals = jax.random.normal(key, (ARMS + 1, runs), real)
    ties = jax.random.uniform(jax.random.fold_in(key, 1), (LEARNERS, runs), jnp.float32)
    precision = 1 + state["total"]
    world = (state["sum"] + jnp.sqrt(precision) * normals[:ARMS]) / precision
    learner = choose(state, world, ties, round_)
    mine = (jnp.arange(LEARNERS)[:, None] == learner).astype(real)
    counts = (mine[:, None] * state["counts"]).sum(axis=0)
    sums = (mine[:, None] * state["sums"]).sum(axis=0)
    learned = jnp.maximum(counts.sum(axis=0), 1)
    width = (mine * widths[:, None]).sum(axis=0)
    radius = width * jnp.sqrt(jnp.log(2 * ARMS * learned / DELTA))
    tried = jnp.maximum(counts, 1)
    bound = jnp.where(counts == 0, jnp.inf, sums / tried + radius / jnp.sqrt(tried))
    arm = (jnp.arange(ARMS)[:, None] == jnp.argmax(bound, axis=0)).astype(real)
    mean = (arm * means).sum(axis=0)
    reward = mean + normals[ARMS]
    played = mine[:, None] * arm
    state = {
        "counts": state["counts"] + played,
        "sums": state["sums"] + played * reward,
        "total": state["total"] + arm,
        "sum": state["sum"] + arm * reward,
        "regret": state["regret"] + means.max(axis=0) - mean,
    }
    return state, None


@functools.partial(jax.jit, static_argnums=(1, 2))
def play(key, runs, real):
    """The regret of each run."""
    real = jnp.dtype(real)
    first, key = jax.random.split(key)
    means = jax.random.normal(first, (ARMS, runs), real)
    state = {
        "counts": jnp.zeros((LEARNERS, ARMS, runs), real),
        "sums": jnp.zeros((LEARNERS, ARMS, runs), real),
        "total": jnp.zeros((ARMS, runs), real),
        "sum": jnp.zeros((ARMS, runs), real),
        "regret": jnp.zeros(runs, real),
    }
    go = functools.partial(step, means=means, widths=jnp.array(WIDTHS, real), real=real)
    state, _ = jax.lax.scan(go, state, (jnp.arange(ROUNDS), jax.random.split(key, ROUNDS)))
    return state["regret"]


def measure(real, runs):
    best = None
    for together in (runs // 16, runs // 4, runs):
        play(jax.random.key(0), together, real).block_until_ready()
        begin = time.perf_counter()
        regrets = [play(jax.random.key(1 + i), together, real) for i in range(runs // together)]
        regrets = jnp.concatenate([r.block_until_ready() for r in regrets])
        nanoseconds = (time.perf_counter() - begin) * 1e9 / (ROUNDS * len(regrets))
        if best is None or nanoseconds < best[0]:
            best = nanoseconds, float(regrets.mean()), float(regrets.std() / len(regrets) ** 0.5)
    return best


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 1000000
    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_default_prng_impl", "unsafe_rbg")
    print(f"{jax.devices()[0].device_kind}, {runs} runs, jax {jax.__version__}", file=sys.stderr)
    for real in ("float64", "float32"):
        nanoseconds, mean, error = measure(real, runs)
        print(f"JAX {real},{nanoseconds:.4f},{mean:.3f},{error:.3f}")


main()
