# SPDX-License-Identifier: MIT
"""A server and Redis side by side, posses on both, and contexts of many rounds in every form."""

import unittest
from contextlib import ExitStack

import numpy as np
import pandas
import posse
import redising
import serving
from support import scratch

N = 30
LINEAR = {"prior": "linear", "learners": ["linear-ucb", "linear-thompson"], "seed": 3}
OFFERS = {"red": {"price": 3}, "green": {}, "blue": {"price": 2.5, "tags": ["new"]}}
POSSES = {
    "arms": {"arms": 4, "prior": "beta", "learners": ["ucb", "thompson"]},
    "named": {"arms": ["red", "green", "blue"], "prior": "beta", "learners": ["ucb", "thompson"], "joins": 9},
    "ball": {"dim": 2, "prior": "linear", "learners": ["linear-thompson"]},
    "shared": {"arms": 3, "context": 3, **LINEAR},
    "joint": {"arms": 4, "dim": 3, **LINEAR},
    "both": {"arms": 3, "dim": 2, "context": 3, **LINEAR},
    "features": {"arms": ["red", "green", "blue"], "context": 16, "features": {"learn_scale": 9}, **LINEAR},
    "offers": {"arms": ["red", "green", "blue"], "dim": 16, "features": {"interactions": ["context*arm"]}, **LINEAR},
}


def chance(seed=1):
    return np.random.default_rng(seed)


def contexts():
    """The contexts of N rounds for each posse, in several forms."""
    dice = chance()
    shared, points, both = dice.normal(size=(N, 3)), dice.normal(size=(N, 4, 3)), dice.normal(size=(N, 3, 2))
    rows = [{"age": dice.normal(), "new": i % 3 == 0, "country": ["de", "fr"][i % 2], "likes": ["a", "b"][: i % 3]} for i in range(N)]
    return {
        "arms": [None],
        "named": [None],
        "ball": [None],
        "shared": [shared, shared.tolist(), pandas.DataFrame(shared), posse.Context(shared=shared)],
        "joint": [points, points[:, 0]],
        "both": [(both, shared), posse.Context(points=both, shared=shared)],
        "features": [rows, pandas.DataFrame(rows)],
        "offers": [[posse.Context(shared=row, arms=OFFERS) for row in rows], [posse.Context(arms=OFFERS)] * N],
    }


class BothServers(unittest.TestCase):
    def setUp(self):
        stack = ExitStack()
        self.addCleanup(stack.close)
        self.folder = scratch(self)
        self.http = stack.enter_context(serving.Server(self.folder))
        self.redis = stack.enter_context(redising.Server(scratch(self)))

    def connect(self, name, **create):
        urls = (f"http://127.0.0.1:{self.http.port}/{name}", f"redis://127.0.0.1:{self.redis.port}/{name}")
        far = [posse.connect(url, create=create) for url in urls]
        for one in far:
            self.addCleanup(one.close)
        return far

    def asked(self, one, verb):
        """How many requests with this verb a client sends from now on."""
        count, ask = [0], one._wire.ask

        def counting(*words, **options):
            count[0] += any(verb in str(word).lower() for word in words[:2])
            return ask(*words, **options)

        one._wire.ask = counting
        return count
