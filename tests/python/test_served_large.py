# SPDX-License-Identifier: MIT
"""Posses whose states are large. Others are served while one is made and written, and a kill at any moment leaves all of
it or nothing. The server is killed KILLS // 4 times under load (5 unless the environment sets KILLS)."""

import contextlib
import http.client
import json
import os
import pathlib
import random
import signal
import sqlite3
import threading
import unittest

import posse
from patience import processor_time, until
from serving import ADS, Server, decision_id
from support import scratch

KILLS = max(2, int(os.environ.get("KILLS", 20)) // 4)
LARGE = {"name": "large", "arms": 30000, "prior": "beta", "seed": 5, "learners": ["ucb", "thompson", "epsilon-greedy"]}
LOST = (OSError, http.client.HTTPException)


def oracle_of(rows, last):
    """A posse that has replayed the log, and its decisions: {number: (arm, learner)}."""
    p = posse.Posse(**{key: LARGE[key] for key in ("arms", "prior", "learners", "seed")})
    made = {}

    def decide_up_to(count):
        while len(made) < count:
            made[len(made) + 1] = p.decide()

    for kind, decides, decision, arm, reward in rows:
        decide_up_to(decides)
        if kind == "learn":
            p.learn(made[decision & 0xFFFFFFFF], reward)
        elif kind == "add arm":
            assert p.add_arm() == arm
        elif kind == "retire arm":
            p.retire_arm(arm)
    decide_up_to(last)
    return {number: (d.arm, p.learners[d.learner]) for number, d in made.items()}


def serving_time(server):
    """Seconds of the first thread, which serves."""
    return int(pathlib.Path(f"/proc/{server.process.pid}/schedstat").read_text().split()[0]) / 1e9


class Visitor(threading.Thread):
    """Decides, learns, and changes arms, until the server is gone."""

    def __init__(self, server, seed):
        super().__init__()
        self.client, self.random = server.client(), random.Random(seed)
        self.decided, self.learned, self.arms = {}, {}, []
        self.start()

    def run(self):
        with contextlib.suppress(*LOST):
            while True:
                self.step()

    def step(self):
        status, d = self.client.post("/v1/posses/large/decide", {})
        assert status == 200, d
        self.decided[decision_id(d["token"])] = (d["arm"], d["learner"])
        reward = self.random.choice([0, 0.5, 1])
        status, answer = self.client.post("/v1/posses/large/learn", {"token": d["token"], "reward": reward})
        assert status == 200, answer
        self.learned[decision_id(d["token"])] = reward
        if self.random.random() < 0.1:
            status, answer = self.client.post("/v1/posses/large/arms", {})
            assert status == 201, answer
            self.arms.append(answer["arm"])
        elif self.random.random() < 0.1:
            status, answer = self.client.ask("DELETE", f"/v1/posses/large/arms/{self.random.randrange(30000)}")
            assert status == 200, answer


class Large(unittest.TestCase):
    def setUp(self):
        self.folder = scratch(self)

    def rows(self, question):
        with contextlib.closing(sqlite3.connect(self.folder / "posse.db")) as database:
            return database.execute(question).fetchall()

    def pieces(self):
        return self.rows("SELECT count(*) FROM state")[0][0]

    def send(self, server, method, path, body=None):
        """A request whose answer is read later."""
        client = server.client()
        client.connection.request(method, path, json.dumps(body) if body is not None else None)
        return client.connection

    def test_others_get_their_turn(self):
        """The most that the thread that serves works before it answers another client, as a share of all work for the slow
        request. It is processor time, so it does not matter how busy the machine is."""
        with Server(self.folder, "--metrics-of", "large") as server:
            client = server.client()
            client.post("/v1/posses", ADS)
            slow = {
                "create": ("POST", "/v1/posses", {**LARGE, "arms": 60000}, 201),
                "add an arm": ("POST", "/v1/posses/large/arms", {}, 201),
                "add a learner": ("POST", "/v1/posses/large/learners", {"kind": "ucb", "name": "another"}, 201),
                "retire a learner": ("DELETE", "/v1/posses/large/learners/another", None, 200),
                "modes": ("POST", "/v1/posses/large/modes", {"control": 1, "holdback": 0.1}, 200),
                "erase": ("POST", "/v1/posses/large/erase?confirm=large", {}, 200),
                "next task": ("POST", "/v1/posses/large/next_task", {}, 200),
            }
            for name, (method, path, body, status) in slow.items():
                with self.subTest(name):
                    before, waits = processor_time(server.process.pid), []
                    connection = self.send(server, method, path, body)
                    done = threading.Event()
                    answers = []
                    reader = threading.Thread(target=lambda: (answers.append(connection.getresponse()), done.set()))
                    reader.start()
                    while not done.is_set():
                        asked = serving_time(server)
                        self.assertEqual(client.post("/v1/posses/ads/decide", {})[0], 200)
                        waits.append(serving_time(server) - asked)
                        client.connection.request("GET", "/metrics")  # which leaves out what it may not look at
                        self.assertIn(b"posse_pending", client.connection.getresponse().read())
                    reader.join()
                    work = processor_time(server.process.pid) - before
                    self.assertEqual(answers[0].status, status, answers[0].read())
                    answers[0].read()
                    self.assertLess(max(waits) / work, 0.5, f"waits {waits}, work {work}")

    def test_a_kill_leaves_a_posse_whole_or_not_at_all(self):
        whole = 0
        for wanted in (0, 1, 5, 10, 10**6):
            with Server(self.folder) as server:
                until(lambda: self.pieces() == 0 or whole > 0)
                if server.client().get("/v1/posses/large")[0] == 404:
                    connection = self.send(server, "POST", "/v1/posses", LARGE)
                    if wanted < 10**6:
                        until(lambda: self.pieces() >= wanted)
                    else:
                        self.assertEqual(connection.getresponse().status, 201)
                server.process.kill()
            with Server(self.folder) as server:
                client = server.client()
                status, state = client.get("/v1/posses/large")
                self.assertIn(status, (200, 404))
                whole += status == 200
                self.assertEqual(len(self.rows("SELECT * FROM posse WHERE dropped IS NULL")), int(status == 200))
                if status == 200:
                    self.assertEqual((state["arms"], state["decisions"]), (30000, 0))
        self.assertGreater(whole, 0)
        with Server(self.folder) as server:
            until(lambda: len(self.rows("SELECT DISTINCT id FROM state")) == 1)  # pieces of kills are deleted
            p = posse.Posse(**{key: LARGE[key] for key in ("arms", "prior", "learners", "seed")})
            for _ in range(20):
                self.assertEqual(server.client().post("/v1/posses/large/decide", {})[1]["arm"], p.decide().arm)

    def test_nothing_that_was_answered_is_lost(self):
        decided, learned, arms = {}, {}, []
        for kill in range(KILLS):
            with Server(self.folder) as server:
                if kill == 0:
                    self.assertEqual(server.client().post("/v1/posses", LARGE)[0], 201)
                visitors = [Visitor(server, 10 * kill + seed) for seed in range(2)]
                states = self.rows("SELECT state FROM large")
                if kill % 2 == 0:  # in the middle of a snapshot, or after it
                    until(lambda: self.rows("SELECT max(id) FROM state")[0][0] > states[0][0])
                else:
                    until(lambda: self.rows("SELECT state FROM large") > states)
                self.assertIsNone(server.process.poll(), server.said())
                if kill % 4 == 3:
                    self.assertEqual(server.stop(), 0)
                else:
                    server.process.send_signal(signal.SIGKILL)
                for visitor in visitors:
                    visitor.join()
                    decided |= visitor.decided
                    learned |= visitor.learned
                    arms += visitor.arms
        with Server(self.folder) as server:
            count = server.client().get("/v1/posses/large")[1]["arms"]
            self.assertEqual(server.stop(), 0)
        log = self.rows("SELECT kind, decides, decision, arm, reward FROM log ORDER BY lsn")
        oracle = oracle_of(log, self.rows("SELECT decides FROM mark")[0][0])
        self.assertEqual([d for d, told in decided.items() if oracle[d & 0xFFFFFFFF] != told], [])
        rewards = {decision: reward for kind, _, decision, _, reward in log if kind == "learn"}
        self.assertEqual({d: r for d, r in learned.items() if rewards.get(d) != r}, {})
        added = [arm for kind, _, _, arm, _ in log if kind == "add arm"]
        self.assertEqual(sorted(arms), [arm for arm in added if arm in set(arms)])
        self.assertEqual(count, 30000 + len(added))
        print(f"{KILLS} kills: {len(decided)} decisions, {len(learned)} rewards and {len(arms)} arms answered; none lost")


if __name__ == "__main__":
    unittest.main()
