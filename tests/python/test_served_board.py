# SPDX-License-Identifier: MIT
"""Watching a posse over HTTP: the events, the permissions, the number of watchers, and watchers that do not read."""

import hashlib
import http.client
import json
import re
import socket
import time
import unittest

from patience import PATIENCE, until
from serving import ADS, Server
from support import scratch

WATCHERS = 64


class Watcher:
    """A connection that reads events."""

    def __init__(self, server, path="/v1/posses/ads/events", token=None, timeout=PATIENCE):
        self.connection = http.client.HTTPConnection(server.host, server.port, timeout=timeout)
        self.connection.request("GET", path, headers={"Authorization": f"Bearer {token}"} if token else {})
        self.answer = self.connection.getresponse()
        self.status = self.answer.status

    def next(self):
        """The name and the data of an event; None at the end."""
        fields = {}
        while line := self.answer.readline().decode():
            if line == "\n" and "event" in fields:
                return fields["event"], json.loads(fields["data"])
            key, _, value = line.rstrip("\n").partition(": ")
            fields[key] = value
        return None

    def close(self):
        self.answer.close()
        self.connection.close()


class Watching(unittest.TestCase):
    def setUp(self):
        self.folder = scratch(self)

    def start(self, *options, **settings):
        server = Server(self.folder, *options, **settings)
        self.addCleanup(server.__exit__)
        return server

    def watch(self, *arguments, **settings):
        watcher = Watcher(*arguments, **settings)
        self.addCleanup(watcher.close)
        return watcher

    def watchers(self, client):
        return int(re.search(rb"^posse_watchers (\d+)", client.get("/metrics")[1], re.M)[1])

    def test_frames_tell_what_the_routes_tell(self):
        server = self.start()
        c = server.client()
        c.post("/v1/posses", ADS)
        watcher = self.watch(server)
        self.assertEqual(watcher.answer.headers["Content-Type"], "text/event-stream")
        self.assertEqual(watcher.next()[1]["decisions"], 0)
        decisions = c.post("/v1/posses/ads/decide", {"n": 40})[1]["decisions"]
        c.post("/v1/posses/ads/learn", {"rewards": [{"token": d["token"], "reward": d["arm"] / 4} for d in decisions]})
        frame = {"pending": 1}
        while frame["pending"] or not frame["decisions"]:
            name, frame = watcher.next()
            self.assertEqual(name, "state")
        self.assertEqual((frame["decisions"], frame["rewards"]), (40, 40))
        state = c.get("/v1/posses/ads")[1]
        self.assertEqual([state[key] for key in ("reward_low", "reward_high")], [0, 1])
        self.assertEqual([frame[key] for key in ("reward_low", "reward_high")], [0, 1])
        self.assertAlmostEqual(frame["reward_sum"], sum(d["arm"] / 4 for d in decisions))
        potentials = c.get("/v1/posses/ads/potentials")[1]["potentials"]
        self.assertEqual([l["potential"] for l in frame["learners"]], [p["potential"] for p in potentials])
        arms = c.get("/v1/posses/ads/arms")[1]["arms"]
        self.assertEqual(frame["arms"], arms)
        self.assertEqual(frame["best_mean"], max(a["mean"] for a in arms))
        gaps = [max(a["mean"] for a in arms) - arms[d["arm"]]["mean"] for d in decisions]
        self.assertAlmostEqual(frame["regret"], sum(gaps), places=9)

    def test_frames_have_the_surprise_of_a_belief_that_is_watched(self):
        server = self.start()
        c = server.client()
        c.post("/v1/posses", ADS)
        c.post("/v1/posses", {**ADS, "name": "robust", "prior": {"kind": "beta", "alpha": 50, "beta": 50, "robust": True}})
        decisions = c.post("/v1/posses/robust/decide", {"n": 40})[1]["decisions"]
        c.post("/v1/posses/robust/learn", {"rewards": [{"token": d["token"], "reward": 0} for d in decisions]})
        frame = self.watch(server, "/v1/posses/robust/events?frames=1").next()[1]
        self.assertEqual(frame["surprise"], c.get("/v1/posses/robust")[1]["surprise"])
        self.assertGreater(frame["surprise"], 3)
        self.assertNotIn("surprise", self.watch(server, "/v1/posses/ads/events?frames=1").next()[1])

    def test_rewards_have_a_range(self):
        c = self.start().client()
        for prior, low in (("gamma", 0), ("gaussian", -1e100)):
            state = c.post("/v1/posses", {**ADS, "name": prior, "prior": prior})[1]
            self.assertEqual((state["reward_low"], state["reward_high"], state["unit_rewards"]), (low, 1e100, False), state)

    def test_nothing_new_is_not_told_and_a_deletion_is(self):
        server = self.start()
        c = server.client()
        c.post("/v1/posses", ADS)
        watcher = self.watch(server)
        watcher.next()
        watcher.connection.sock.settimeout(1.5)
        with self.assertRaises(TimeoutError):
            watcher.next()
        watcher = self.watch(server)
        watcher.next()
        c.ask("DELETE", "/v1/posses/ads?confirm=ads")
        c.post("/v1/posses", ADS)  # another posse of the same name
        self.assertEqual(watcher.next(), ("gone", {}))
        self.assertIsNone(watcher.next())
        self.assertEqual(self.watchers(c), 0)

    def test_there_are_only_so_many_watchers(self):
        server = self.start()
        c = server.client()
        c.post("/v1/posses", ADS)
        crowd = [self.watch(server) for _ in range(WATCHERS)]
        self.assertEqual({w.status for w in crowd}, {200})
        self.assertEqual(self.watch(server).status, 429)
        self.assertEqual(self.watchers(c), WATCHERS)
        self.assertEqual({w.next()[0] for w in crowd}, {"state"})
        self.assertEqual(c.post("/v1/posses/ads/decide")[0], 200)
        for watcher in crowd[:-1]:
            watcher.close()
        until(lambda: self.watchers(c) == 1)
        self.assertEqual(self.watch(server).status, 200)
        self.assertEqual(server.stop(), 0)  # while there are watchers
        while crowd[-1].next():  # events that were already sent, and then the end
            pass

    def test_who_does_not_read_is_dropped(self):
        server = self.start()
        c = server.client()
        many = [{"kind": "ucb", "name": "x" * 480 + str(i)} for i in range(200)]  # frames of about 100 KB
        self.assertEqual(c.post("/v1/posses", {**ADS, "learners": many})[0], 201)
        slow = socket.socket()
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect((server.host, server.port))
        self.addCleanup(slow.close)
        slow.sendall(b"GET /v1/posses/ads/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        until(lambda: self.watchers(c) == 1)

        def gone():
            c.post("/v1/posses/ads/decide")
            time.sleep(0.2)
            return self.watchers(c) == 0

        until(gone)
        self.assertEqual(c.get("/readyz")[0], 200)

    def test_who_loses_the_right_is_dropped(self):
        lines = {name: f"{hashlib.sha256(name.encode()).hexdigest()} {role}\n" for name, role in
                 {"boss": "admin *", "guest": "decide ads"}.items()}
        tokens = self.folder / "tokens"
        tokens.write_text("".join(lines.values()))
        server = self.start("--tokens", tokens)
        server.client("boss").post("/v1/posses", ADS)
        self.assertEqual(self.watch(server).status, 401)
        guest, boss = self.watch(server, token="guest"), self.watch(server, token="boss")
        self.assertEqual((guest.next()[0], boss.next()[0]), ("state", "state"))
        tokens.write_text(lines["boss"])
        server.process.send_signal(1)
        until(lambda: self.watchers(server.client("boss")) == 1)
        try:
            self.assertIsNone(guest.next())
        except (http.client.IncompleteRead, ConnectionError):
            pass  # the connection was cut

    def test_watchers_who_talk_and_hang_up(self):
        server = self.start()
        c = server.client()
        c.post("/v1/posses", ADS)
        for _ in range(5):
            rude = [socket.create_connection((server.host, server.port)) for _ in range(30)]
            for i, one in enumerate(rude):
                one.sendall(b"GET /v1/posses/ads/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
                if i % 3 == 0:
                    one.sendall(b"GET /v1/posses/ads HTTP/1.1\r\nHost: localhost\r\n\r\n" * 50)
            for one in rude:
                c.post("/v1/posses/ads/decide")
                one.close()
        until(lambda: c.post("/v1/posses/ads/decide") and self.watchers(c) == 0)
        self.assertEqual(server.stop(), 0)

    def test_the_page_runs_nothing_but_itself(self):
        server = self.start()
        c = server.client()
        page = c.get("/")[1].decode()
        self.assertEqual(c.last.headers["Content-Type"], "text/html; charset=utf-8")
        policy = c.last.headers["Content-Security-Policy"]
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("unsafe", policy)
        self.assertNotRegex(page, r"<script>|<style|style=|onclick=|https?://")
        for name in ("board.css", "board.js", "charts.js"):
            self.assertIn(f'"{name}"', page)
            self.assertEqual(c.get(f"/{name}")[0], 200)
            self.assertNotRegex(c.get(f"/{name}")[1].decode(), r"innerHTML|insertAdjacent|document\.write|eval\(|localStorage")

    def test_parts_of_other_sites_are_refused(self):
        """A foreign page cannot use up the places of watchers by using the address as an image."""
        server = self.start()
        c = server.client()
        c.post("/v1/posses", ADS)
        picture = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
        self.assertEqual(c.ask("GET", "/v1/posses/ads/events?frames=1", headers=picture)[0], 403)
        self.assertEqual(c.ask("GET", "/", headers={**picture, "Sec-Fetch-Mode": "navigate"})[0], 200)
        self.assertEqual(c.ask("GET", "/v1/posses", headers={"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"})[0], 200)


if __name__ == "__main__":
    unittest.main()
