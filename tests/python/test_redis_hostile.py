# SPDX-License-Identifier: MIT
"""Hostile commands: the module refuses them, and the server survives."""

import json
import random
import unittest

from patience import processor_time
from redising import DURABLE, Case, commands, create, decide, info, play, redis
from support import STUFFED, peak_memory, stuffed


class Hostile(Case):
    def setUp(self):
        super().setUp()
        self.one = self.server(**DURABLE, sanitize_dump_payload="yes", proto_max_bulk_len="64mb")
        self.client = self.one.client()
        create(self.client)
        play(self.client)

    def tearDown(self):
        self.assertIsNone(self.one.process.poll())
        self.assertTrue(self.client.ping())
        play(self.client)

    def refused(self, *command):
        with self.assertRaises(redis.ResponseError) as caught:
            self.client.execute_command(*command)
        said = str(caught.exception)
        self.assertLess(len(said), 2100)
        self.assertNotRegex(said, r"[\x00-\x1f\x7f]")
        return said

    def test_keys_and_names_may_be_any_bytes(self):
        for key in (b"", b"\0", b"\xff\xfe\r\n+OK\r\n", b"a" * 100000, "ключ".encode()):
            create(self.client, key)
            play(self.client, key, 5)
            self.client.delete(key)
            self.assertIn("NOKEY", self.refused("POSSE.DECIDE", key))
        for name in ("\r\n+OK", "\u0000", "😀" * 300, "a" * 100000, "<script>"):
            learner = json.dumps({"kind": "ucb", "name": name})
            try:
                self.client.execute_command("POSSE.LEARNER", "ADD", "ads", learner)
            except redis.ResponseError as error:
                self.assertNotRegex(str(error), r"[\x00-\x1f]")
            try:
                self.client.execute_command("POSSE.LEARNER", "RETIRE", "ads", name)
            except redis.ResponseError as error:
                self.assertNotRegex(str(error), r"[\x00-\x1f]")
        play(self.client)
        info(self.client)

    def test_json_may_be_deep_long_or_none(self):
        for text in (
            b"[" * 1000000,
            b'{"a":' * 100000,
            b"[" * 1000 + b"]" * 1000,
            b"\xff\xfe",
            b"",
            b"\0",
            b"null",
            b'{"arms": 1e400}',
            b'{"arms": 5, "arms": 5}',
            b'{"arms": 5, "prior": "beta", "learners": [' + b'"ucb",' * 100000 + b'"ucb"]}',
            b'{"arms": 1000000, "dim": 100000, "prior": "linear", "learners": ["linear-ucb"]}',
            b'{"arms": 1000000, "context": 100000, "prior": "linear", "learners": ["linear-thompson"]}',
            b"&a [*a, *a]",
            b"a: &a [x]\nb: *a",
        ):
            with self.subTest(text=text[:60]):
                self.refused("POSSE.CREATE", "new", text)
                self.refused("POSSE.DECIDE", "ads", "CONTEXT", text)
                self.refused("POSSE.LEARNER", "ADD", "ads", text)
                self.refused("POSSE.TEACH", "ads", b"[" + text, 1)

    def cost(self, *command):
        before = processor_time(self.one.process.pid)
        self.refused(*command)
        return processor_time(self.one.process.pid) - before

    def test_reading_takes_little_memory_and_time(self):
        """Commands with values that are refused are compared with one that has a single text of their length."""
        process = self.one.process.pid
        text = stuffed(b'{"x": "', b"a" * 1000, b'"}')
        for _ in range(5):
            self.cost("POSSE.DECIDE", "ads", "CONTEXT", text)  # the buffers of the connection grow
        plain = min(self.cost("POSSE.DECIDE", "ads", "CONTEXT", text) for _ in range(5))
        lists = [("POSSE.CREATE", "new", body, place) for place, body in STUFFED.items()]
        lists += [
            ("POSSE.DECIDE", "ads", "CONTEXT", stuffed(b'{"arms": [', b"[]", b"]}"), "arms"),
            ("POSSE.TURN", "ads", "DECIDE", 1, "CONTEXT", stuffed(b'{"arms": [', b"{}", b"]}"), "arms"),
            ("POSSE.TEACH", "ads", "PLAYS", stuffed(b"[", b"{}", b"]"), "PLAYS"),
            ("POSSE.ACTED", "ads", decide(self.client)[0], 1, "CONTEXT", stuffed(b"[", b"0", b"]"), "CONTEXT"),
            ("POSSE.MODES", "ads", stuffed(b'{"units": [', b"{}", b"]}"), "units"),
        ]
        for *command, place in lists:
            with self.subTest(command=command[0], place=place):
                before = peak_memory(process)
                self.assertIn(place, self.refused(*command))
                self.assertLess(peak_memory(process) - before, 12 << 20)
                self.assertLess(min(self.cost(*command) for _ in range(5)), 4 * plain)

    def test_no_file_is_read(self):
        prior = {"kind": "particles", "file": "/dev/zero"}
        for definition in (
            {"arms": 2, "prior": prior, "learners": ["thompson"]},
            {"arms": 2, "prior": "beta", "learners": [{"kind": "thompson", "belief": prior}]},
            {"arms": 2, "prior": {"kind": "mixture", "components": [{"weight": 1, "belief": prior}]}, "learners": ["thompson"]},
        ):
            self.assertIn("no files are read for clients", self.refused("POSSE.CREATE", "new", json.dumps(definition)))
        learner = json.dumps({"kind": "thompson", "belief": prior})
        self.assertIn("no files", self.refused("POSSE.LEARNER", "ADD", "ads", learner))

    def test_numbers_may_be_no_numbers(self):
        for number in (b"", b"\0", b"1 ", b"0x10", b"1e999", b"-1", b"99999999999999999999", b"nan", b"1" * 100000):
            self.refused("POSSE.DECIDE", "ads", "COUNT", number)
            self.refused("POSSE.TURN", "ads", "DECIDE", number)
            self.refused("POSSE.EXPIRE", "ads", number)
            self.refused("POSSE.EPOCH", "ads", number)
            self.refused("POSSE.ARM", "RETIRE", "ads", number)
        for reward in (b"", b"\0", b"0x1", b"0X1p0", b"nan", b"-nan", b"inf", b"1e999", b"-1e-300", b"1.0000001", b"a" * 100000):
            token = decide(self.client)[0]
            self.refused("POSSE.LEARN", "ads", token, reward)
            self.refused("POSSE.TURN", "ads", "LEARN", token, reward, "DECIDE", 1)
            self.refused("POSSE.TEACH", "ads", 0, reward)

    def test_commands_may_be_long(self):
        token = decide(self.client)[0]
        self.assertIn("10000", self.refused("POSSE.LEARN", "ads", *[token, 1] * 10005))
        self.assertEqual(self.client.execute_command("POSSE.LEARN", "ads", *[token, 1] * 9000), 1)
        self.refused("POSSE.TURN", "ads", "LEARN", *[token, 1] * 30000, "DECIDE", 1)
        self.refused("POSSE.FORGET", "ads", *[b"x"] * 100000)

    def test_tokens_cannot_be_guessed(self):
        token = decide(self.client)[0]
        dice = random.Random(4)
        alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        for _ in range(3000):
            forged = bytearray(token)
            for _ in range(dice.randint(1, 3)):
                forged[dice.randrange(24)] = dice.choice(alphabet)
            if bytes(forged) != token:
                self.assertIn("BADTOKEN", self.refused("POSSE.LEARN", "ads", bytes(forged), 1))
        create(self.client, "other")
        self.assertIn("BADTOKEN", self.refused("POSSE.LEARN", "other", token, 1))

    def test_saved_posses_may_be_damaged(self):
        """The payload of POSSE.RESTORE with random bytes changed or cut off. The payload of RESTORE has its own
        checksum."""
        dump = self.client.dump("ads")
        dice = random.Random(5)
        payload = self.payload()
        self.assertEqual(self.client.execute_command("POSSE.RESTORE", "fine", payload), b"OK")
        taken = 0
        for _ in range(3000):
            damaged = bytearray(payload)
            for _ in range(dice.choice([1, 1, 2, 20])):
                damaged[dice.randrange(len(damaged))] ^= 1 << dice.randrange(8)
            damaged = bytes(damaged[: dice.choice([len(damaged), dice.randrange(len(damaged))])])
            try:
                self.client.execute_command("POSSE.RESTORE", "new", damaged)
                taken += 1  # damage in the secret or an epoch cannot be detected
                play(self.client, "new", 3)
                self.client.delete("new")
            except redis.ResponseError:
                pass
        self.assertLess(taken, 1500)
        for at in range(0, len(dump), 7):
            with self.assertRaises(redis.ResponseError):
                self.client.restore("new", 0, dump[:at] + bytes([dump[at] ^ 1]) + dump[at + 1 :])

    def payload(self):
        """The bytes of a posse, as the module sends them to replicas and to the log."""
        create(self.client, "payload")
        (log,) = (self.one.folder / "appendonlydir").glob("*.incr.aof")
        (command,) = (words for words in commands(log.read_bytes()) if words[:2] == [b"POSSE.RESTORE", b"payload"])
        return command[2]

    def test_noise_is_refused(self):
        dice = random.Random(6)
        verbs = ["CREATE", "DECIDE", "LEARN", "TURN", "FORGET", "INFO", "EXPIRE", "ACTED", "TEACH", "RESTORE", "EPOCH"]
        words = [b"ads", b"COUNT", b"CONTEXT", b"LEARN", b"DECIDE", b"1", b"-1", b"{}", b"[]", b"\xff", b"", b"ARMS", b"ADD"]
        for _ in range(3000):
            verb = "POSSE." + dice.choice(verbs)
            try:
                self.client.execute_command(verb, b"ads", *(dice.choice(words) for _ in range(dice.randrange(7))))
            except redis.ResponseError as error:
                self.assertNotRegex(str(error), r"[\x00-\x1f]")


if __name__ == "__main__":
    unittest.main()
