# SPDX-License-Identifier: MIT
"""A connection that never stops sending keeps nobody else from being answered."""

import os
import signal
import socket
import unittest

import serving
from support import scratch

ENDLESS = os.environ["POSSE_ENDLESS_BODY"]


class Flood(unittest.TestCase):
    def test_others_are_answered_while_a_body_never_ends(self):
        """In every turn of the event loop there is something to read. Requests and commits have lower priorities."""
        server = serving.Server(scratch(self), preload=ENDLESS)
        self.addCleanup(server.stop, signal.SIGKILL)  # its clock stands still
        client = server.client()
        self.assertEqual(client.post("/v1/posses", serving.ADS)[0], 201)
        with socket.create_connection((server.host, server.port), serving.PATIENCE) as flood:
            flood.sendall(b"POST /v1/posses HTTP/1.1\r\nHost: localhost\r\nX-Endless: 1\r\nContent-Length: 4000000\r\n\r\nx")
            for _ in range(3):  # six answers, and a timer of a second fires once at most
                status, decision = client.post("/v1/posses/ads/decide", {})
                self.assertEqual(status, 200, decision)
                self.assertEqual(client.post("/v1/posses/ads/learn", {"token": decision["token"], "reward": 1})[0], 200)


if __name__ == "__main__":
    unittest.main()
