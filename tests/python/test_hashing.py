# SPDX-License-Identifier: MIT
"""Features that are hashed to numbers."""

import unittest

import numpy as np
import posse


class Hashing(unittest.TestCase):
    def test_the_numbers_are_the_same_everywhere(self):
        self.assertEqual(
            posse.hashed({"country": "de", "age": 0.3, "new": True}, 16).tolist(),
            [1, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0, -0.3],
        )

    def test_what_adds_what(self):
        numbers = {key: posse.hashed({key: 1}, 64) for key in ("a", "b", "word=x", "word=y")}
        for features, wanted in (
            ({}, 0 * numbers["a"]),
            ({"a": 0.25, "b": -2}, 0.25 * numbers["a"] - 2 * numbers["b"]),
            ({"a": True, "b": False}, numbers["a"]),
            ({"a": np.bool_(True), "b": np.float32(0.5)}, numbers["a"] + 0.5 * numbers["b"]),
            ({"word": "x"}, numbers["word=x"]),
            ({"word": ["x", "y"], "a": None}, numbers["word=x"] + numbers["word=y"]),
        ):
            self.assertEqual(posse.hashed(features, 64).tolist(), wanted.tolist())

    def test_names_are_spread(self):
        all_ = np.array([posse.hashed({f"feature {n}": 1}, 32) for n in range(3200)])
        self.assertTrue(np.all(np.abs(all_).sum(axis=1) == 1))
        self.assertTrue(np.all(np.abs(np.abs(all_).sum(axis=0) - 100) < 50))  # five standard deviations
        self.assertLess(abs(all_.sum()), 5 * 3200**0.5)
        near = [np.flatnonzero(posse.hashed({"word": chr(n)}, 1000))[0] for n in range(97, 123)]
        self.assertGreater(len(set(near)), 20)

    def test_what_is_no_feature(self):
        for wrong, error in (
            ({"a": float("nan")}, ValueError),
            ({"a": float("inf")}, ValueError),
            ({"a": b"x"}, TypeError),
            ({"a": 1j}, TypeError),
            ({"a": [1, 2]}, TypeError),
            ({"a": {"b": 1}}, TypeError),
        ):
            with self.assertRaisesRegex(error, "a: "):
                posse.hashed(wrong, 8)
        self.assertRaises(ValueError, posse.hashed, {"a": 1}, 0)


if __name__ == "__main__":
    unittest.main()
