# SPDX-License-Identifier: MIT
"""Hostile clients: slow requests, thousands of idle connections, bombs, and forged tokens. Other clients are served
meanwhile, memory stays bounded, and no client learns anything about posses of others."""

import base64
import hashlib
import os
import pathlib
import random
import re
import resource
import socket
import subprocess
import unittest

from patience import until
from serving import ADS, PROGRAM, Server, raw
from support import scratch

IDLE = 10000


def memory(server):
    """The memory of the server in megabytes; 0 with a sanitizer, which needs many times as much."""
    if "POSSE_SANITIZED" in os.environ:
        return 0
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024


class Attacked(unittest.TestCase):
    def setUp(self):
        self.server = Server(scratch(self))
        self.addCleanup(self.server.__exit__)
        self.client = self.server.client()
        self.assertEqual(self.client.post("/v1/posses", ADS)[0], 201)

    def is_served(self):
        self.assertEqual(self.server.client().post("/v1/posses/ads/decide")[0], 200)

    def open(self, count):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard if hard > 0 else soft, hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        count = min(count, hard - 200) if hard > 0 else count
        connections = [socket.create_connection((self.server.host, self.server.port)) for _ in range(count)]
        self.addCleanup(lambda: [one.close() for one in connections])
        return connections

    def test_ten_thousand_idle_connections(self):
        before = memory(self.server)
        connections = self.open(IDLE)
        self.is_served()
        self.assertLess(memory(self.server) - before, 0.02 * len(connections))  # 20 KB each
        for one in connections[::10]:
            one.sendall(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\n")  # an incomplete request
        self.is_served()
        for one in connections:
            one.close()
        self.is_served()

    def test_a_request_byte_by_byte_is_cut_off(self):
        """A connection that sends something every second is not idle, but its request never becomes complete."""
        slow = self.open(100)
        text = b"POST /v1/posses/ads/decide HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000\r\nX: xxxx"
        for one in slow[:50]:
            one.sendall(text[:80])  # within the headers
        for one in slow[50:]:
            one.sendall(text[:79] + b": 1\r\n\r\n{")  # within the body
        gone = set()

        def all_are_gone():
            for i, one in enumerate(slow):
                try:
                    one.sendall(b"x")
                except OSError:
                    gone.add(i)
            self.is_served()
            return len(gone) == len(slow)

        until(all_are_gone, pause=1)
        self.assertEqual(self.client.get("/v1/posses/ads")[0], 200)

    def test_bombs(self):
        """Endless headers and bodies, bodies shorter than their Content-Length, and deeply nested JSON."""
        before, where = memory(self.server), (self.server.host, self.server.port)
        post = b"POST /v1/posses/ads/learn HTTP/1.1\r\nHost: localhost\r\n"
        bombs = [
            b"GET / HTTP/1.1\r\n" + b"X: " + b"y" * (8 << 20),
            b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 400000,
            b"GET /" + b"a" * (8 << 20) + b" HTTP/1.1\r\n\r\n",
            post + b"Content-Length: 99999999999999\r\n\r\n{",
            post + b"Content-Length: -1\r\n\r\n{}",
            post + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x",
            post + b"Transfer-Encoding: chunked\r\n\r\nfffffffffffffff0\r\n{}",
            post + b"Transfer-Encoding: chunked\r\n\r\n" + b"10000\r\n" + b" " * 65536 + b"\r\n",
        ]
        for bomb in bombs:
            with self.subTest(bomb=bomb[:60]):
                try:
                    self.assertNotIn(b" 200 ", raw(*where, bomb, timeout=2))
                except OSError:
                    pass  # the server closed the connection, which is right
                self.is_served()
        with socket.create_connection(where) as one:  # chunks without end
            one.settimeout(5)
            one.sendall(post + b"Transfer-Encoding: chunked\r\n\r\n")
            with self.assertRaises(OSError):
                for _ in range(2000):
                    one.sendall(b"8000\r\n" + b" " * 32768 + b"\r\n")
        for path in ("learn", "turn", "decide", "forget", "acted", "arms", "learners"):
            for deep in (b"[" * 500000, b'{"a":' * 150000, b'{"rewards":[' + b"[" * 400000):
                status, answer = self.client.ask("POST", f"/v1/posses/ads/{path}", deep)
                self.assertEqual(status, 400, answer)
        many = '{"rewards": [' + ",".join(['{"token": "A", "reward": 1}'] * 20000) + "]}"
        self.assertEqual(self.client.post("/v1/posses/ads/learn", many)[0], 400)
        self.assertLess(memory(self.server) - before, 150)  # a tree takes up to 120 bytes for each byte of its body
        self.is_served()

    def test_forged_and_foreign_tokens(self):
        """A token with any bit changed is refused, and so is a token of another posse."""
        dice = random.Random(3)
        self.assertEqual(self.client.post("/v1/posses", {**ADS, "name": "other"})[0], 201)
        token = self.client.post("/v1/posses/ads/decide")[1]["token"]
        self.client.post("/v1/posses/other/decide")
        data = bytearray(base64.urlsafe_b64decode(token))
        forged = []
        for bit in range(8 * len(data)):
            changed = bytearray(data)
            changed[bit // 8] ^= 1 << bit % 8
            forged.append(base64.urlsafe_b64encode(changed).decode())
        forged += [base64.urlsafe_b64encode(dice.randbytes(18)).decode() for _ in range(500)]
        forged += [token + "A", token[:-1], token.lower(), " " + token, "é" * 12]
        for one in forged:
            status, answer = self.client.post("/v1/posses/ads/learn", {"token": one, "reward": 1})
            self.assertEqual((status, answer["path"]), (400, "token"), one)
        self.assertEqual(self.client.post("/v1/posses/other/learn", {"token": token, "reward": 1})[0], 400)
        self.assertEqual(self.client.get("/v1/posses/ads")[1]["pending"], 1)
        self.assertEqual(self.client.post("/v1/posses/ads/learn", {"token": token, "reward": 1})[0], 200)

    def test_both_readers_of_rewards_say_the_same(self):
        """The quick reader, and the one for all JSON, which an escape in a key makes necessary."""
        tokens = [d["token"] for d in self.client.post("/v1/posses/ads/decide", {"n": 4})[1]["decisions"]]
        quick = '{"rewards":[{"token":"%s","reward":0.25},{"reward":true,"token":"%s"}]}'
        whole = quick.replace('"reward":0.25', '"\\u0072eward":0.25')
        for text, pair in ((quick, tokens[:2]), (whole, tokens[2:])):
            for _ in range(2):
                self.assertEqual(self.client.post("/v1/posses/ads/learn", text % tuple(pair)), (200, {"learned": 2}))
            wrong = text.replace("0.25", "0.75") % tuple(pair)
            status, answer = self.client.post("/v1/posses/ads/learn", wrong)
            self.assertEqual((status, answer["path"]), (409, "rewards[0].token"))
        exported = subprocess.run(
            [PROGRAM, "export", "ads", "--database", self.server.database], capture_output=True, text=True, check=True
        ).stdout
        self.assertEqual([line.split(",")[6] for line in exported.splitlines()[1:]], ["0.25", "1", "0.25", "1"])

    def test_nothing_is_told_to_strangers(self):
        """Refusals do not reveal which posses exist, nor whether a token was nearly right."""
        folder = scratch(self)
        (folder / "tokens").write_text(f"{hashlib.sha256(b'shop').hexdigest()} admin shop\n")
        with Server(folder, "--tokens", folder / "tokens") as server:
            shop = server.client("shop")
            self.assertEqual(shop.post("/v1/posses", {**ADS, "name": "shop"})[0], 201)
            answers = {str(server.client(token).get(f"/v1/posses/{name}")) for name in ("shop", "nobody") for token in (None, "sho", "shopp")}
            self.assertEqual(len(answers), 1)
            self.assertEqual({str(shop.get(f"/v1/posses/{name}")) for name in ("a", "b")}, {str(shop.get("/v1/posses/c"))})
            self.assertNotIn(os.fspath(folder), str(shop.get("/metrics")))


if __name__ == "__main__":
    unittest.main()
