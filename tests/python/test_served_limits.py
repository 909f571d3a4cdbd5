# SPDX-License-Identifier: MIT
"""No request takes much more of the server's time or memory than its size explains."""

import pathlib
import random
import unittest

from serving import ADS, Server, can_serve
from support import scratch


def processor_time(server):
    """Seconds that the server has run on a processor."""
    return int(pathlib.Path(f"/proc/{server.process.pid}/schedstat").read_text().split()[0]) / 1e9


def cost(server, request):
    before = processor_time(server)
    request()
    return processor_time(server) - before


@unittest.skipUnless(can_serve(), "the program was built without the server")
class TimeTest(unittest.TestCase):
    def test_repeated_rewards_cost_at_most_twice_as_much_as_first_ones(self):
        ratios = []
        for folder in ("one", "two", "three"):
            place = pathlib.Path(scratch(self)) / folder
            place.mkdir()
            with Server(place) as server:
                client = server.client(timeout=60)
                client.post("/v1/posses", ADS)
                tokens = [d["token"] for _ in range(8) for d in client.post("/v1/posses/ads/decide", {"n": 1000})[1]["decisions"]]
                random.Random(1).shuffle(tokens)
                rewards = {"rewards": [{"token": token, "reward": 1} for token in tokens]}
                learn = lambda: self.assertEqual(client.post("/v1/posses/ads/learn", rewards), (200, {"learned": 8000}))
                first = cost(server, learn)
                ratios.append(cost(server, learn) / first)
        self.assertLess(min(ratios), 2.0, f"the ratios are {ratios}")


if __name__ == "__main__":
    unittest.main(verbosity=2)
