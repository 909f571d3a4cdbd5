# SPDX-License-Identifier: MIT
"""A server that is killed under load, KILLS times (20 unless the environment sets it; `make test-kills` does 200).

Several clients decide, learn, forget and repeat requests without an answer. Afterwards an oracle, a posse in this
process, replays the log of the database, and every answer is compared with it. The same is tested with a clock that
jumps, which must not make decisions expire either.
"""

import collections
import http.client
import itertools
import os
import random
import sqlite3
import threading
import time
import unittest

import posse
from patience import until
from serving import ADS, Server, decision_id, token_parts
from support import scratch

KILLS = int(os.environ.get("KILLS", 20))
CLIENTS = 8
SHOP = {
    "name": "shop",
    "arms": 4,
    "record": True,
    "seed": 9,
    "prior": {"kind": "gaussian", "mean": 0, "sd": 1, "noise": 1},
    "learners": [{"kind": "ucb", "width": 0.5}, {"kind": "thompson"}],
    "expire_after": 5000,
    "expire_seconds": 3600,
}
VISITS = {**SHOP, "name": "visits", "record": False, "seed": 4, "expire_after": 400}
MODES = {"control": 2, "holdback": 0.2, "units": 20, "sticky_rounds": 60}
POSSES = {"ads": ADS, "shop": SHOP, "visits": VISITS}
CLOCK = os.environ.get("POSSE_JUMPING_CLOCK")
needs_clock = unittest.skipUnless(CLOCK, "without the clock that jumps, which cannot be preloaded under sanitizers")
LOST = (OSError, http.client.HTTPException)


class Crowd:
    """The answers that all clients have received."""

    def __init__(self):
        self.decisions = {}  # (posse, id): (arm, learner), as it was answered
        self.settled = {}  # (posse, id): (arm, reward or None), as it was answered
        self.refused = []
        self.lock = threading.Lock()

    def note_decisions(self, name, decisions):
        with self.lock:
            for d in decisions:
                self.decisions[name, decision_id(d["token"])] = (d["arm"], d["learner"])

    def note_settled(self, name, rewards):
        with self.lock:
            for token, reward in rewards:
                self.settled[name, decision_id(token)] = (token_parts(token)[2], reward)


class One(threading.Thread):
    """A client. It stores the tokens that it received, and repeats a request without an answer after the restart."""

    def __init__(self, crowd, seed):
        super().__init__()
        self.crowd, self.random = crowd, random.Random(seed)
        self.tokens = {name: [] for name in POSSES}
        self.unsure = None

    def begin(self, server):
        self.client, self.over = server.client(), False
        threading.Thread.__init__(self)
        self.start()

    def run(self):
        try:
            while not self.over:
                self.step()
        except LOST:
            pass
        finally:
            self.client.close()

    def step(self):
        if self.unsure is None:
            self.unsure = self.think()
        name, verb, body, rewards = self.unsure
        status, answer = self.client.post(f"/v1/posses/{name}/{verb}", body)
        self.unsure = None
        if status != 200:
            self.crowd.refused.append((verb, status, answer))
            return
        self.crowd.note_settled(name, rewards)
        decisions = answer.get("decisions", [answer] if "token" in answer else [])
        self.crowd.note_decisions(name, decisions)
        self.tokens[name] += [d["token"] for d in decisions]

    def think(self):
        """The next request: its posse, its verb, its body, and the rewards in it."""
        name = self.random.choice(list(POSSES))
        tokens, verb = self.tokens[name], self.random.choice(["decide", "decide", "learn", "learn", "turn", "forget"])
        if verb == "decide" or not tokens:
            several = [{}, {"n": 5}] if name != "visits" else [{}, {"unit": f"visitor {self.random.randrange(40)}"}]
            return name, "decide", self.random.choice(several), []
        self.random.shuffle(tokens)
        taken, self.tokens[name] = tokens[:5], tokens[5:]
        if verb == "forget":
            return name, verb, {"tokens": taken}, [(t, None) for t in taken]
        rewards = [(t, self.random.choice([0, 0.25, 1])) for t in taken]
        listed = [{"token": t, "reward": r} for t, r in rewards]
        return name, verb, {"rewards": listed, "n": 3} if verb == "turn" else {"rewards": listed}, rewards


def oracle_of(definition, rows, last):
    """A posse that has replayed the log, and its decisions: {number: (arm, learner)}."""
    keys = ("arms", "prior", "learners", "seed", "expire_after")
    p = posse.Posse(**{key: definition[key] for key in keys if key in definition})
    made, decided = {}, {}
    if definition["name"] == "visits":
        p.set_modes(**MODES)

    def decide(**visit):
        d = p.decide(**visit)
        made[len(made) + 1] = d
        decided[len(made)] = (d.arm, p.learners[d.learner])

    def decide_up_to(count):
        while len(made) < count:
            decide()

    for kind, decides, decision, reward, unit in rows:
        decide_up_to(decides)
        number = (decision or 0) & 0xFFFFFFFF
        if kind == "decide" and unit is not None:
            decide(unit=unit)
        elif kind == "learn":
            p.learn(made[number], reward)
        elif kind == "forget":
            p.forget(made[number])
    decide_up_to(last)
    return decided


class Killed(unittest.TestCase):
    def test_nothing_that_was_answered_is_lost(self):
        self.kill(KILLS)

    @needs_clock
    def test_so_it_is_when_the_clock_jumps(self):
        database = self.kill(max(12, KILLS // 5), preload=CLOCK)
        with sqlite3.connect(database) as connection:
            times = [at for (at,) in connection.execute("SELECT at FROM log ORDER BY lsn")]
        self.assertGreater(sum(abs(a - b) > 3600 for a, b in itertools.pairwise(times)), 0)  # the clock did jump

    @needs_clock
    def test_nothing_expires_when_the_clock_jumps(self):
        with Server(scratch(self), preload=CLOCK) as server:
            client = server.client()
            self.assertEqual(client.post("/v1/posses", SHOP)[0], 201)
            decisions = client.post("/v1/posses/shop/decide", {"n": 9})[1]["decisions"]
            time.sleep(4.5)  # the server checks expiry once a second
            rewards = [{"token": d["token"], "reward": 1} for d in decisions]
            self.assertEqual(client.post("/v1/posses/shop/learn", {"rewards": rewards})[0], 200)

    def kill(self, kills, **how):
        """Kills a server under load; returns its database."""
        crowd, folder = Crowd(), scratch(self)
        clients = [One(crowd, seed) for seed in range(CLIENTS)]
        dice = random.Random(1)
        for kill in range(kills):
            with Server(folder, **how) as server:
                if kill == 0:
                    for definition in POSSES.values():
                        self.assertEqual(server.client().post("/v1/posses", definition)[0], 201)
                    self.assertEqual(server.client().post("/v1/posses/visits/modes", MODES)[0], 200)
                for client in clients:
                    client.begin(server)
                enough = len(crowd.settled) + dice.randint(60, 400)
                until(lambda: len(crowd.settled) >= enough or server.process.poll() is not None)
                self.assertIsNone(server.process.poll(), server.said())  # still running
                if kill % 5 == 4:  # some get SIGTERM, under the same load
                    self.assertEqual(server.stop(), 0)
                server.process.kill()
                for client in clients:
                    client.over = True
                    client.join()
        with Server(folder, **how) as server:
            states = {name: server.client().get(f"/v1/posses/{name}")[1] for name in POSSES}
            for client in clients:  # repeats what had no answer at the last kill
                client.client = server.client()
                if client.unsure is not None:
                    client.step()
                client.client.close()
            self.assertEqual(server.stop(), 0)
        self.assertEqual(crowd.refused, [])
        self.check(crowd, server.database, states, kills)
        return server.database

    def check(self, crowd, database, states, kills):
        with sqlite3.connect(database) as connection:
            log = connection.execute(
                "SELECT posse.name, kind, decides, decision, arm, reward, unit FROM log JOIN posse ON posse.id = posse ORDER BY lsn"
            ).fetchall()
            marks = dict(connection.execute("SELECT name, decides FROM mark JOIN posse ON posse.id = posse"))
        lost = credited = differ = 0
        settled = collections.defaultdict(list)
        for name, kind, _, decision, arm, reward, _ in log:
            if kind in ("learn", "forget"):
                settled[name, decision].append((arm, reward))
        for decision, told in crowd.settled.items():
            lost += settled.get(decision) != [told]
        for decision, list_ in settled.items():
            told = crowd.decisions.get(decision)
            credited += len(list_) != 1 or (told is not None and list_[0][0] != told[0])
        for name, definition in POSSES.items():
            rows = [row[1:4] + row[5:7] for row in log if row[0] == name]
            decided = oracle_of(definition, rows, marks[name])
            self.assertGreaterEqual(marks[name], states[name]["decisions"])
            for (owner, decision), told in crowd.decisions.items():
                if owner == name:
                    differ += decided.get(decision & 0xFFFFFFFF) != told
        print(
            f"{kills} kills, {CLIENTS} clients: {len(crowd.decisions)} decisions and {len(crowd.settled)} rewards answered; "
            f"{lost} lost, {credited} credited to another decision, {differ} decisions that differ"
        )
        self.assertEqual((lost, credited, differ), (0, 0, 0))
        self.assertGreater(len(crowd.settled), 50 * kills)


if __name__ == "__main__":
    unittest.main()
