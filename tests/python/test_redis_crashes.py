# SPDX-License-Identifier: MIT
"""A Redis that is killed under load, with `appendfsync always`, KILLS times (20 unless the environment sets it;
`make test-kills` does 200).

Several clients decide, learn, forget and repeat requests without an answer. Afterwards an oracle, a posse in this
process, replays the append-only file, and every answer is compared with it. If the file is rewritten before each
kill, each client has its own posse instead, and follows it with a twin.
"""

import collections
import os
import random
import threading
import time
import unittest

import posse
from patience import PATIENCE, until
from redising import ADS, SHOP, Case, Server, commands, create, info, redis, token_parts
from serving import SmallDisk

KILLS = int(os.environ.get("KILLS", 20))
CLIENTS = 8
POSSES = {"ads": ADS, "shop": SHOP}
DURABLE = {"appendonly": "yes", "appendfsync": "always", "auto_aof_rewrite_percentage": 0}


def decision_id(token):
    epoch, number, _ = token_parts(token)
    return (epoch << 32) + number


class Crowd:
    """The answers that all clients have received."""

    def __init__(self):
        self.decisions = {}  # (posse, id): (arm, learner), as it was answered
        self.settled = {}  # (posse, id): (arm, reward or None), as it was answered
        self.refused = []


class One:
    """A client. It stores the tokens that it received, and repeats a command without an answer after the restart."""

    def __init__(self, crowd, seed):
        self.crowd, self.random = crowd, random.Random(seed)
        self.tokens = {name: [] for name in POSSES}
        self.unsure = None

    def begin(self, server):
        self.client, self.over = server.client(socket_timeout=PATIENCE), False
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        try:
            while not self.over:
                self.step()
        except (redis.ConnectionError, redis.TimeoutError, ValueError):  # ValueError: closed while in use
            pass

    def step(self):
        if self.unsure is None:
            self.unsure = self.think()
        name, command, rewards = self.unsure
        try:
            answer = self.client.execute_command(*command)
        except redis.ResponseError as error:
            self.crowd.refused.append((command, str(error)))
            self.unsure = None
            return
        self.unsure = None
        for token, reward in rewards:
            self.crowd.settled[name, decision_id(token)] = (token_parts(token)[2], reward)
        if command[0] == "POSSE.TURN":
            answer = answer[1]
        for token, arm, learner in answer if isinstance(answer, list) else []:
            self.crowd.decisions[name, decision_id(token)] = (arm, learner.decode())
            self.tokens[name].append(token)

    def think(self):
        """The next command: its posse, its words, and the rewards in it."""
        name = self.random.choice(list(POSSES))
        tokens, verb = self.tokens[name], self.random.choice(["DECIDE", "DECIDE", "LEARN", "LEARN", "TURN", "FORGET"])
        if verb == "DECIDE" or not tokens:
            return name, ("POSSE.DECIDE", name, "COUNT", self.random.choice([1, 5])), []
        self.random.shuffle(tokens)
        taken, self.tokens[name] = tokens[:5], tokens[5:]
        if verb == "FORGET":
            return name, ("POSSE.FORGET", name, *taken), [(t, None) for t in taken]
        rewards = [(t, self.random.choice([0, 0.25, 1])) for t in taken]
        words = [word for pair in rewards for word in pair]
        if verb == "TURN":
            return name, ("POSSE.TURN", name, "LEARN", *words, "DECIDE", 3), rewards
        return name, ("POSSE.LEARN", name, *words), rewards


class Oracle:
    """A posse that replays the log, with its decisions and how they were settled."""

    def __init__(self, definition):
        self.posse = posse.Posse(**definition)
        self.epoch, self.made, self.settled = None, {}, collections.defaultdict(list)
        self.decided = {}

    def decide(self, count):
        for _ in range(count):
            d = self.posse.decide()
            self.made[self.posse.decisions] = d
            self.decided[self.posse.decisions] = (d.arm, self.posse.learners[d.learner])

    def take(self, verb, words):
        if verb == "DECIDE":
            self.decide(int(words[1]) if words else 1)
        elif verb == "TURN":
            at = words.index(b"DECIDE")
            self.settle(words[1:at:2], words[2:at:2])
            self.decide(int(words[at + 1]))
        elif verb == "LEARN":
            self.settle(words[::2], words[1::2])
        elif verb == "FORGET":
            self.settle(words, [None] * len(words))

    def settle(self, tokens, rewards):
        for token, reward in zip(tokens, rewards):
            _, number, arm = token_parts(token)
            if self.settled[decision_id(token)]:  # a command may have old and new rewards
                continue
            value = None if reward is None else float(reward)
            self.settled[decision_id(token)].append((arm, value))
            if reward is None:
                self.posse.forget(self.made[number])
            else:
                self.posse.learn(self.made[number], value)


class Pair:
    """A client that alone uses a posse, and a twin of the posse in this process, which gets the same events."""

    def __init__(self, key, definition):
        self.key, self.definition, self.twin = key, definition, posse.Posse(**definition)
        self.held, self.differ = None, 0  # held: a decision whose reward has no answer yet

    def run(self, client):
        try:
            while self.twin.decisions < info(client, self.key)["decisions"]:
                self.twin.decide()  # a decision whose answer was lost
            while True:
                self.step(client)
        except (redis.ConnectionError, redis.TimeoutError, ValueError):
            pass

    def step(self, client):
        if self.held is None:
            token, arm, _ = client.execute_command("POSSE.DECIDE", self.key)
            self.held = (token, self.twin.decide())
            self.differ += arm != self.held[1].arm
        token, mine = self.held
        client.execute_command("POSSE.LEARN", self.key, token, mine.arm % 2)
        self.twin.learn(mine, mine.arm % 2)
        self.held = None


class Killed(Case):
    def test_nothing_that_was_answered_is_lost(self):
        self.kill(KILLS)

    def test_so_it_is_when_the_clock_jumps(self):
        apart = self.kill(max(4, KILLS // 5), preload=os.environ["POSSE_JUMPING_CLOCK"])
        self.assertGreater(max(apart), 3600)  # the clock did jump

    def kill(self, kills, **how):
        """Kills a Redis under load. Returns the distance of its clock from ours before each kill."""
        crowd, apart = Crowd(), []
        clients = [One(crowd, seed) for seed in range(CLIENTS)]
        dice = random.Random(1)
        for kill in range(kills):
            with Server(self.folder / "one", **DURABLE, **how) as server:
                if kill == 0:
                    for name, definition in POSSES.items():
                        create(server.client(), name, definition)
                for client in clients:
                    client.begin(server)
                enough = len(crowd.settled) + dice.randint(60, 400)
                until(lambda: len(crowd.settled) >= enough or server.process.poll() is not None)
                self.assertIsNone(server.process.poll())  # still running
                apart.append(abs(server.client().time()[0] - time.time()))
                server.process.kill()
                for client in clients:
                    client.over = True
                    client.thread.join()
        with Server(self.folder / "one", **DURABLE, **how) as server:
            states = {name: info(server.client(), name) for name in POSSES}
            for client in clients:  # repeats what had no answer at the last kill
                client.client = server.client()
                if client.unsure is not None:
                    client.step()
        self.assertEqual(crowd.refused, [])
        self.check(crowd, states, kills)
        return apart

    def check(self, crowd, states, kills):
        oracles = {name: Oracle(definition) for name, definition in POSSES.items()}
        for file in sorted((self.folder / "one" / "appendonlydir").glob("*.incr.aof")):
            for words in commands(file.read_bytes()):
                verb = words[0].decode().upper().partition("POSSE.")[2]
                if verb:
                    oracles[words[1].decode()].take(verb, words[2:])
        lost = credited = differ = 0
        for (name, decision), told in crowd.settled.items():
            lost += oracles[name].settled.get(decision) != [told]
        for name, oracle in oracles.items():
            self.assertGreaterEqual(oracle.posse.decisions, states[name]["decisions"])
            for decision, list_ in oracle.settled.items():
                told = crowd.decisions.get((name, decision))
                credited += len(list_) != 1 or (told is not None and list_[0][0] != told[0])
            for (owner, decision), told in crowd.decisions.items():
                if owner == name:
                    differ += oracle.decided.get(decision & 0xFFFFFFFF) != told
        print(
            f"{kills} kills, {CLIENTS} clients: {len(crowd.decisions)} decisions and {len(crowd.settled)} rewards answered; "
            f"{lost} lost, {credited} credited to another decision, {differ} decisions that differ"
        )
        self.assertEqual((lost, credited, differ), (0, 0, 0))
        self.assertGreater(len(crowd.settled), 50 * kills)

    def test_so_it_is_while_the_log_is_written_anew(self):
        pairs = [Pair(f"k{i}", {**ADS, "seed": i}) for i in range(CLIENTS)]
        dice = random.Random(2)
        for kill in range(max(4, KILLS // 5)):
            with Server(self.folder / "one", **DURABLE) as server:
                for pair in pairs if kill == 0 else ():
                    create(server.client(), pair.key, pair.definition)
                threads = [threading.Thread(target=pair.run, args=(server.client(),)) for pair in pairs]
                for thread in threads:
                    thread.start()
                played = lambda: sum(pair.twin.decisions for pair in pairs)
                for rewritten in (False, True):
                    enough = played() + dice.randint(20, 100)
                    until(lambda: played() >= enough or server.process.poll() is not None)
                    if not rewritten:
                        server.client().bgrewriteaof()
                self.assertIsNone(server.process.poll())
                server.process.kill()
                for thread in threads:
                    thread.join()
        self.assertEqual([pair.differ for pair in pairs], [0] * CLIENTS)
        self.assertGreater(sum(pair.twin.decisions for pair in pairs), 100)

    def test_so_it_is_on_a_full_disk(self):
        """Redis exits when it cannot write. When there is room again, it resumes."""
        pair = Pair("ads", ADS)
        with SmallDisk(self.folder / "disk") as disk:
            with Server(disk.folder, within=disk.enter, **DURABLE) as server:
                create(server.client(), pair.key)
                pair.run(server.client())
                self.assertEqual(server.process.wait(PATIENCE), 1)
            answered = pair.twin.decisions
            disk.grow()
            with Server(disk.folder, within=disk.enter, **DURABLE) as server:
                player = threading.Thread(target=pair.run, args=(server.client(),))
                player.start()
                until(lambda: pair.twin.decisions > answered)
                server.process.kill()
                player.join()
        self.assertGreater(answered, 100)
        self.assertGreater(pair.twin.decisions, answered)
        self.assertEqual(pair.differ, 0)


if __name__ == "__main__":
    unittest.main()
