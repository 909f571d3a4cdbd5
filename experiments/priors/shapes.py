#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Priors over the mean rewards of K arms that no Gaussian describes, and one that is Gaussian.

    shapes.py          writes data/NAME.csv, 2000 past instances to fit a prior to, and data/NAME-worlds.csv, 2000 others
                       from which experiments draw their instances

Every prior has mean about 0 and standard deviation about 1 for each arm.
"""

import pathlib

import numpy as np

ROWS = 2000
DATA = pathlib.Path(__file__).resolve().parent / "data"


def moons(rng, rows):
    """Two half circles that reach into each other."""
    angle, upper = np.pi * rng.random(rows), rng.random(rows) < 0.5
    x = np.where(upper, np.cos(angle), 1 - np.cos(angle))
    y = np.where(upper, np.sin(angle), 0.5 - np.sin(angle))
    points = np.stack([x, y], axis=1) + 0.06 * rng.standard_normal((rows, 2))
    return (points - [0.5, 0.25]) / [0.87, 0.5]


def ring(rng, rows):
    angle = 2 * np.pi * rng.random(rows)
    radius = np.sqrt(2) * (1 + 0.06 * rng.standard_normal(rows))
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)


def moons_of(arms):
    """The moons seen through a linear map: each arm is a mixture of the two coordinates, with a little of its own."""
    turn = np.random.default_rng(arms + 3).uniform(0, 2 * np.pi, arms)
    look = np.stack([np.cos(turn), np.sin(turn)])
    return lambda rng, rows: moons(rng, rows) @ look + 0.05 * rng.standard_normal((rows, arms))


def five_of(arms):
    """Five clusters, each with a covariance of its own."""
    fixed = np.random.default_rng(100 + arms)
    centres = fixed.standard_normal((5, arms))
    roots = 0.3 * fixed.standard_normal((5, arms, arms)) / np.sqrt(arms)

    def draw(rng, rows):
        which = rng.integers(5, size=rows)
        return centres[which] + np.einsum("iab,ib->ia", roots[which], rng.standard_normal((rows, arms)))

    return draw


def gaussian_of(arms):
    root = np.random.default_rng(200 + arms).standard_normal((arms, arms)) / np.sqrt(arms)
    return lambda rng, rows: rng.standard_normal((rows, arms)) @ root.T


SHAPES = {
    "moons2": moons,
    "ring2": ring,
    "moons10": moons_of(10),
    "gmm5": five_of(5),
    "gmm10": five_of(10),
    "gauss5": gaussian_of(5),
}


def write(name, rows):
    header = ",".join(f"arm{a}" for a in range(rows.shape[1]))
    np.savetxt(DATA / f"{name}.csv", rows, delimiter=",", fmt="%.3f", header=header, comments="")


if __name__ == "__main__":
    DATA.mkdir(exist_ok=True)
    for i, (name, draw) in enumerate(SHAPES.items()):
        rng = np.random.default_rng([2026, i])
        write(name, draw(rng, ROWS))
        write(name + "-worlds", draw(rng, ROWS))
