# SPDX-License-Identifier: MIT
"""One LinUCB learner in NumPy, as people write it: a loop over rounds, all arms at once.

    numpy_linucb.py ROUNDS REPEATS         prints the least nanoseconds of a round, and the regret

The same work as bench_linucb: d = 10 features, K = 20 arms, A^-1 by Sherman-Morrison.
"""
import os

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ[library + "_NUM_THREADS"] = "1"

import sys
import time

import numpy as np

D, K, WIDTH = 10, 20, 0.25


def play(features, noise, theta):
    inverse, b, estimate, total = np.eye(D), np.zeros(D), np.zeros(D), 0.0
    for x, z in zip(features, noise):
        bounds = x @ estimate + WIDTH * np.sqrt(((x @ inverse) * x).sum(axis=1))
        chosen = x[bounds.argmax()]
        mean = chosen @ theta
        v = inverse @ chosen
        inverse -= np.multiply.outer(v, v / (1.0 + chosen @ v))
        b += (mean + z) * chosen
        estimate = inverse @ b
        total += mean
    return total


def main():
    rounds, repeats = (int(word) for word in (sys.argv[1:3] if len(sys.argv) > 2 else (3000, 5)))
    rng = np.random.default_rng(1)
    theta, lasting = rng.standard_normal(D), rng.standard_normal((K, D))
    features = (lasting + rng.standard_normal((rounds, K, D))) / np.sqrt(2.0 * D)
    noise = rng.standard_normal(rounds)
    least = float("inf")
    for _ in range(repeats):
        begin = time.process_time()
        total = play(features, noise, theta)
        least = min(least, (time.process_time() - begin) / rounds)
    print("%-16s %6d %10.1f" % ("linucb-numpy", rounds, 1e9 * least))
    print("regret %.1f" % ((features @ theta).max(axis=1).sum() - total))


main()
