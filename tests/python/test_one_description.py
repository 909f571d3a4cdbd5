# SPDX-License-Identifier: MIT
"""A posse is the same, whichever way its description came: a dict, JSON, a file of its prior, HTTP or Redis."""

import json
import pathlib
import unittest

import posse
import redising
import serving
from support import scratch

DEFINITIONS = {
    "words": {
        "arms": 5,
        "seed": 7,
        "prior": {"kind": "beta", "alpha": 1.5, "beta": 15, "robust": False},
        "selector": {"kind": "bms", "share": True, "batch": 2, "patience": "endless"},
        "learners": [{"kind": "ucb", "name": "böld 😀", "width": 0.1, "delta": 1e-3}, "thompson", "epsilon-greedy"],
    },
    "lists": {
        "arms": 3,
        "prior": {"kind": "gaussian", "mean": [0, -1.25e-2, 3], "sd": [1, 2, 0.5], "noise": 0.1},
        "selector": {"kind": "balancing", "coefficients": [1, 2]},
        "learners": ["ucb", {"kind": "thompson", "belief": {"kind": "gaussian", "sd": 0.30000000000000004}}],
    },
    "tables": {
        "arms": 2,
        "prior": {
            "kind": "mixture",
            "components": [
                {"weight": 0.25, "belief": {"kind": "joint-gaussian", "mean": [0, 1], "covariance": [[1, 0.5], [0.5, 2]]}},
                {"weight": 3, "belief": {"kind": "particles", "table": [[1, 2], [3, 4], [5, 7]], "weights": [1, 2, 3]}},
            ],
        },
        "learners": ["thompson", "ucb"],
    },
}


def arms_alone(p):
    arms = []
    for _ in range(60):
        decision = p.decide()
        arms.append(decision.arm)
        p.learn(decision, float(decision.arm == 1))
    return arms


class OneDescription(unittest.TestCase):
    def test_dicts_json_and_files_make_the_same_bytes(self):
        folder = pathlib.Path(scratch(self))
        for name, definition in DEFINITIONS.items():
            bytes_ = posse.Posse(**definition).save()
            self.assertEqual(posse.Posse(**json.loads(json.dumps(definition))).save(), bytes_, name)
            for ending in ("yaml", "json"):  # JSON is YAML too
                path = folder / f"{name}.{ending}"
                path.write_text(json.dumps(definition["prior"], indent=1 if ending == "yaml" else None))
                self.assertEqual(posse.Posse(**{**definition, "prior": {"file": str(path)}}).save(), bytes_, path)
                self.assertEqual(posse.Posse(**{**definition, "prior": posse.read_prior(path)}).save(), bytes_, path)
            other = {**definition, "learners": [*definition["learners"], "ucb"][1:]}
            self.assertNotEqual(posse.Posse(**other).save(), bytes_)

    def test_http_decides_as_python(self):
        with serving.Server(scratch(self)) as server:
            client = server.client()
            for name, definition in DEFINITIONS.items():
                self.assertEqual(client.post("/v1/posses", {**definition, "name": name})[0], 201)
                arms = []
                for _ in range(60):
                    decision = client.post(f"/v1/posses/{name}/decide")[1]
                    arms.append(decision["arm"])
                    client.post(f"/v1/posses/{name}/learn", {"token": decision["token"], "reward": float(arms[-1] == 1)})
                self.assertEqual(arms, arms_alone(posse.Posse(**definition)), name)


class OneDescriptionInRedis(redising.Case):
    def test_redis_decides_as_python(self):
        client = self.server().client()
        for name, definition in DEFINITIONS.items():
            redising.create(client, name, definition)
            played = redising.play(client, name, rounds=60)
            self.assertEqual(played, redising.play_alone(posse.Posse(**definition), 60), name)


if __name__ == "__main__":
    unittest.main()
