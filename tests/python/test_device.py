# SPDX-License-Identifier: MIT
"""posse.run(device=...): the same results wherever runs are played. The device here is the source of posse_cuda.so,
compiled for the processor."""

import os
import unittest
import warnings
from unittest import mock

import posse

SMALL = {
    "name": "small",
    "rounds": 100,
    "runs": 70,
    "seed": 3,
    "environment": {"kind": "gaussian", "arms": 3},
    "learners": [{"name": "ucb", "kind": "ucb"}, {"name": "thompson", "kind": "thompson"}],
    "selectors": [{"name": "B-MS", "kind": "bms"}],
}


def run(device, file, **changes):
    """The results, and the warnings."""
    with warnings.catch_warnings(record=True) as caught, mock.patch.dict(os.environ, {"POSSE_CUDA": file}):
        warnings.simplefilter("always")
        return posse.run({**SMALL, **changes}, device=device), [w for w in caught if w.category is posse.DeviceWarning]


class Device(unittest.TestCase):
    def test_results_are_the_same(self):
        there, warned = run("gpu", os.environ["POSSE_DEVICE"])
        self.assertEqual(warned, [])
        self.assertEqual(there.hash, posse.run(SMALL).hash)

    def test_the_library_plays_other_kinds_there(self):
        greedy = [{"name": "greedy", "kind": "epsilon-greedy"}]
        there, warned = run("gpu", os.environ["POSSE_DEVICE"], learners=greedy)
        self.assertEqual(warned, [])
        self.assertEqual(there.hash, posse.run({**SMALL, "learners": greedy}).hash)

    def test_what_no_device_plays_is_played_on_the_cpu(self):
        changes = {
            "environment": {"kind": "contextual", "arms": 3, "dim": 2},
            "learners": [{"name": "one", "kind": "linear-ucb"}],
        }
        there, warned = run("gpu", os.environ["POSSE_DEVICE"], **changes)
        self.assertIn("played on the CPU, because rounds have features", str(warned[0].message))
        self.assertEqual(there.hash, posse.run({**SMALL, **changes}).hash)

    def test_without_a_device_it_is_played_on_the_cpu(self):
        there, warned = run("gpu", "/nowhere/posse_cuda.so")
        self.assertIn("posse_cuda.so cannot be loaded", str(warned[0].message))
        self.assertEqual(there.hash, posse.run(SMALL).hash)
        self.assertEqual(run("auto", "/nowhere/posse_cuda.so")[1], [])

    def test_other_devices_are_refused(self):
        with self.assertRaisesRegex(ValueError, 'device: must be "cpu", "gpu" or "auto"'):
            posse.run(SMALL, device="tpu")


if __name__ == "__main__":
    unittest.main()
