# SPDX-License-Identifier: MIT
"""No request takes much more of the server's time or memory than its size explains."""

import hashlib
import json
import pathlib
import random
import re
import subprocess
import threading
import unittest

from patience import PATIENCE, processor_time
from serving import ADS, Server
from support import PROGRAM, STUFFED, peak_memory, scratch, stuffed


def cost(server, request):
    before = processor_time(server.process.pid)
    request()
    return processor_time(server.process.pid) - before


class TimeTest(unittest.TestCase):
    def test_repeated_rewards_cost_at_most_twice_as_much_as_first_ones(self):
        ratios = []
        for folder in ("one", "two", "three"):
            place = pathlib.Path(scratch(self)) / folder
            place.mkdir()
            with Server(place) as server:
                client = server.client()
                client.post("/v1/posses", ADS)
                tokens = [d["token"] for _ in range(8) for d in client.post("/v1/posses/ads/decide", {"n": 1000})[1]["decisions"]]
                random.Random(1).shuffle(tokens)
                rewards = {"rewards": [{"token": token, "reward": 1} for token in tokens]}
                learn = lambda: self.assertEqual(client.post("/v1/posses/ads/learn", rewards), (200, {"learned": 8000}))
                first = cost(server, learn)
                ratios.append(cost(server, learn) / first)
        self.assertLess(min(ratios), 2.0, f"the ratios are {ratios}")

    def test_a_list_of_posses_does_not_compare_each_with_every_token(self):
        line = lambda token, posse: f"{hashlib.sha256(token.encode()).hexdigest()} admin {posse}\n"
        for others in ("token", "posse"):  # many tokens, or one token with many posses
            place = pathlib.Path(scratch(self))
            lines = [line(f"t{i}" if others == "token" else "mine", f"q{i}") for i in range(5000)]
            (place / "tokens").write_text("".join([line("mine", "*"), *lines]))
            with Server(place, "--tokens", place / "tokens") as server:
                client = server.client("mine")
                for i in range(300):
                    client.post("/v1/posses", {"name": f"p{i}", "arms": 2, "prior": "beta", "learners": ["ucb"]})
                one = min(cost(server, lambda: client.get("/v1/posses/p1")) for _ in range(5))
                all_ = min(cost(server, lambda: client.get("/v1/posses")) for _ in range(5))
                self.assertLess(all_, 20 * one, f"with many lines of one {others}")

    WIDE = {"name": "wide", "arms": 50, "context": 30, "prior": "linear", "learners": ["linear-ucb", "linear-thompson"]}
    CONTEXT = {"shared": [0.5] * 30}

    def test_a_request_may_not_ask_for_minutes(self):
        with Server(scratch(self)) as server:
            client = server.client()
            status, answer = client.post("/v1/posses", {**self.WIDE, "arms": 100, "context": 100, "propensity_draws": 10000})
            self.assertEqual((status, answer["path"]), (400, "propensity_draws"))
            slow = {**self.WIDE, "propensity_draws": 10000}  # a decision cannot be cut into pieces
            self.assertEqual(client.post("/v1/posses", slow)[0], 400)
            self.assertEqual(client.post("/v1/posses", {**self.WIDE, "propensity_draws": 1000})[0], 201)
            for verb in ("decide", "turn"):
                status, answer = client.post(f"/v1/posses/wide/{verb}", {"n": 1000, "context": self.CONTEXT})
                self.assertEqual((status, answer["path"]), (413, "n"))
            most = int(re.search(r"at most (\d+) in a request", answer["error"])[1])
            self.assertEqual(client.post("/v1/posses/wide/decide", {"n": most + 1, "context": self.CONTEXT})[0], 413)
            self.assertEqual(client.get("/v1/posses/wide")[1]["decisions"], 0)
            self.assertEqual(client.post("/v1/posses/wide/decide", {"n": 2, "context": self.CONTEXT})[0], 200)
            self.assertEqual(client.post("/v1/posses", {**ADS, "propensity_draws": 1000})[0], 201)  # the guide's number
            self.assertEqual(client.post("/v1/posses/ads/decide", {"n": 1000})[0], 200)

    def test_answers_do_not_wait_for_slow_requests_behind_them(self):
        """The requests are sent in order, the quick one second. The share of work before its answer is the least of several
        tries, because a busy machine may notice the answer late."""
        shares = []
        with Server(scratch(self)) as server:
            server.client().post("/v1/posses", {**self.WIDE, "propensity_draws": 1000})
            server.client().post("/v1/posses", ADS)
            slow = ("/v1/posses/wide/decide", json.dumps({"n": 10, "context": self.CONTEXT}))
            asked = [slow, ("/v1/posses/ads/decide", "{}"), *[slow] * 7]
            while not shares or (min(shares) >= 0.5 and len(shares) < 10):
                connections = [server.client() for _ in asked]
                for one in connections:
                    self.assertEqual(one.get("/readyz")[0], 200)
                before, worked = processor_time(server.process.pid), {}

                def read(place, one):
                    self.assertEqual(one.connection.getresponse().status, 200)
                    worked[place] = processor_time(server.process.pid) - before

                for one, (path, body) in zip(connections, asked):
                    one.connection.request("POST", path, body)
                readers = [threading.Thread(target=read, args=pair) for pair in enumerate(connections)]
                for reader in readers:
                    reader.start()
                for reader in readers:
                    reader.join()
                shares.append(worked[1] / max(worked.values()))
        self.assertLess(min(shares), 0.5, f"the shares are {shares}")


class MemoryTest(unittest.TestCase):
    def test_points_take_memory_for_the_numbers_that_there_are(self):
        parts = {"prior": {"kind": "linear", "precision": 1, "noise": 1}, "learners": ["linear-thompson"]}
        with Server(scratch(self), "--memory", "64") as server:
            client = server.client()
            before = peak_memory(server.process.pid)
            bomb = {"name": "bomb", "points": [[0] * 1000, *([[]] * 20000)], **parts}
            status, answer = client.post("/v1/posses", bomb)
            self.assertEqual((status, answer["path"]), (400, "points[1]"))
            self.assertLess(peak_memory(server.process.pid) - before, 64 << 20)

    def check_reading(self, path, body, place):
        """The answer names the place. Reading takes a few times the body's size, and a few times the time for a single
        text of that length."""
        with Server(scratch(self), "--memory", "64") as server:
            client = server.client()
            client.post("/v1/posses", ADS)
            before = peak_memory(server.process.pid)
            status, answer = client.ask("POST", path, body)
            self.assertEqual((status, answer["path"]), (400, place))
            self.assertLess(peak_memory(server.process.pid) - before, 12 << 20, place)
            text = stuffed(b'{"token": "', b"a" * 1000, b'"}')
            plain = min(cost(server, lambda: client.ask("POST", "/v1/posses/ads/forget", text)) for _ in range(5))
            stuffed_ = min(cost(server, lambda: client.ask("POST", path, body)) for _ in range(5))
            self.assertLess(stuffed_, 4 * plain, place)
            return answer["error"]

    def test_a_description_is_refused_at_the_first_value_that_cannot_be_right(self):
        for place, body in STUFFED.items():
            self.check_reading("/v1/posses", body, place)

    def test_a_body_has_no_more_values_than_its_request_needs(self):
        for verb, key, entry in (
            ("learn", "rewards", b"[]"),
            ("turn", "rewards", b"{}"),
            ("forget", "tokens", b"{}"),
            ("decide", "context", b"{}"),
            ("arms", "point", b"0"),
            ("modes", "units", b"[]"),
        ):
            said = self.check_reading(f"/v1/posses/ads/{verb}", stuffed(b'{"%s": [' % key.encode(), entry, b"]}"), key)
            self.assertRegex(said, r"line 1, column \d+\); at most \d+ values, for 10000 rewards or tokens and the rounds of")

    def test_the_longest_requests_are_read(self):
        wide = {"name": "wide", "arms": 20, "context": 2, "dim": 3, "prior": "linear", "learners": ["linear-ucb"]}
        context = {"arms": list(range(20)), "shared": [0.5, 1], "points": [[0.1, 0.2, 0.3]] * 20}
        sparse = {**wide, "name": "sparse", "dim": 2000, "nonzeros": 5}
        full = {"arms": list(range(20)), "shared": [0, 1], "points": [[0] * 1999 + [1]] * 20}
        play = {"arm": 1, "reward": 1, "context": {"shared": [1, 1], "arms": [0, 1], "points": [[0, 0, 1]] * 2}}
        with Server(scratch(self)) as server:
            client = server.client()
            for posse in (ADS, wide, sparse):
                client.post("/v1/posses", posse)
            tokens = [d["token"] for _ in range(20) for d in client.post("/v1/posses/ads/decide", {"n": 1000})[1]["decisions"]]
            # A reward with an exponent is read with the rest of the body, into a tree.
            rewards = b",".join(b'{"token": "%s", "reward": 1e0}' % token.encode() for token in tokens[:10000])
            self.assertEqual(client.post("/v1/posses/ads/turn", b'{"n": 1, "rewards": [' + rewards + b"]}")[0], 200)
            self.assertEqual(client.post("/v1/posses/ads/forget", {"tokens": tokens[10000:]}), (200, {"forgotten": 10000}))
            self.assertEqual(client.post("/v1/posses/wide/decide", {"n": 2, "context": context})[0], 200)
            self.assertEqual(client.post("/v1/posses/sparse/decide", {"n": 2, "context": full})[0], 200)
            self.assertEqual(client.post("/v1/posses/wide/teach", {"plays": [play] * 9000}), (200, {"taught": 9000}))

    def test_a_mixture_has_at_most_64_components(self):
        """The nodes of a description take a hundred times its size, but parts are much larger."""
        body = stuffed(b'{"name": "new", "arms": 3, "learners": ["thompson"], "prior": {"kind": "mixture", "components": [', b"0", b"]}}")
        with Server(scratch(self), "--memory", "64") as server:
            client = server.client()
            before = peak_memory(server.process.pid)
            status, answer = client.ask("POST", "/v1/posses", body)
            self.assertEqual((status, answer["path"]), (400, "prior.components"))
            self.assertIn("at most 64", answer["error"])
            self.assertLess(peak_memory(server.process.pid) - before, 120 << 20)

    def test_many_wrong_numbers_are_not_all_reported(self):
        body = stuffed(b'{"name": "new", "arms": 3, "learners": ["ucb"], "prior": {"kind": "gaussian", "mean": [', b"[]", b"]}}")
        with Server(scratch(self)) as server:
            client = server.client()
            status, answer = client.ask("POST", "/v1/posses", body)
            self.assertEqual((status, answer["path"], len(answer["problems"])), (400, "prior.mean[0]", 100))
            wrong = min(cost(server, lambda: client.ask("POST", "/v1/posses", body)) for _ in range(5))
            known = body.replace(b"[]", b"10")
            right = min(cost(server, lambda: client.ask("POST", "/v1/posses", known)) for _ in range(5))
            self.assertLess(wrong, right)

    def test_refused_requests_leave_no_memory_behind(self):
        with Server(scratch(self)) as server:
            client = server.client()
            client.post("/v1/posses", {"name": "wide", "arms": 100, "dim": 100, "prior": "linear", "learners": ["linear-ucb"]})
            context = {"points": [[0.123456789] * 100] * 100}
            token = client.post("/v1/posses/wide/decide", {"context": context})[1]["token"]
            wrong = {"rewards": [{"token": token, "reward": 1e200}], "n": 1, "context": context}
            self.assertEqual(client.post("/v1/posses/wide/turn", wrong)[0], 400)
            before = peak_memory(server.process.pid)
            for _ in range(400):
                self.assertEqual(client.post("/v1/posses/wide/turn", wrong)[0], 400)
            self.assertLess(peak_memory(server.process.pid) - before, 8 << 20)


class RepeatTest(unittest.TestCase):
    def test_acted_may_be_repeated_with_a_point(self):
        ball = {"name": "ball", "dim": 2, "prior": {"kind": "linear", "precision": 1, "noise": 1}, "learners": [{"kind": "external", "name": "a person"}]}
        with Server(scratch(self)) as server:
            client = server.client()
            self.assertEqual(client.post("/v1/posses", ball)[0], 201)
            token = client.post("/v1/posses/ball/decide")[1]["token"]
            played = {"token": token, "point": [0.1, 0.7]}
            for _ in range(2):
                self.assertEqual(client.post("/v1/posses/ball/acted", played), (200, {"acted": 1}))
            self.assertEqual(client.post("/v1/posses/ball/acted", {**played, "point": [0.1, 0.6]})[0], 409)


class FileTest(unittest.TestCase):
    def test_no_file_is_read_for_a_client(self):
        place = scratch(self)
        (pathlib.Path(place) / "prior.yaml").write_text("kind: beta\n")
        path = str(pathlib.Path(place) / "prior.yaml")
        with Server(place) as server:
            client = server.client()
            for prior, where in (
                ({"kind": "particles", "file": path}, "prior.file"),
                ({"file": path}, "prior.file"),
                ({"kind": "mixture", "components": [{"weight": 1, "belief": {"file": path}}]}, "prior.components[0].belief.file"),
            ):
                status, answer = client.post("/v1/posses", {**ADS, "prior": prior})
                self.assertEqual((status, answer["path"]), (400, where))
                self.assertIn("no files are read for clients", answer["error"])
            for yaml in (b"{name: b, arms: 3, prior: beta, learners: [ucb]}", b"name: b\narms: 3\n"):
                status, answer = client.ask("POST", "/v1/posses", yaml)
                self.assertEqual((status, answer["path"]), (400, ""))
                self.assertIn("this is not JSON: line 1, column ", answer["error"])
            # It is the reader that follows no paths. A key is not refused for its name.
            answer = client.post("/v1/posses", {**ADS, "learners": [{"kind": "ucb", "file": path}]})[1]
            self.assertRegex(answer["error"], 'has no key "file"')


class StartTest(unittest.TestCase):
    def refused(self, *options):
        """What it says when it does not start."""
        done = subprocess.run([PROGRAM, "serve", *options], capture_output=True, text=True, timeout=PATIENCE, cwd=scratch(self))
        self.assertNotEqual(done.returncode, 0)
        return done.returncode, done.stderr

    def test_ports_end_at_65535(self):
        for port in ("65536", "99999"):
            status, said = self.refused("--listen", f"127.0.0.1:{port}", "--database", "x.db")
            self.assertEqual(status, 2)
            self.assertIn("with a port up to 65535", said)

    def test_a_database_is_a_file(self):
        for name in (":memory:", "file:x?mode=memory", ""):
            status, said = self.refused("--listen", "127.0.0.1:0", "--database", name)
            self.assertEqual(status, 3)
            self.assertIn("the path of a file", said)

    def test_a_database_that_must_exist_is_not_created(self):
        place = scratch(self)
        status, said = self.refused("--listen", "127.0.0.1:0", "--database", f"{place}/posse.db", "--must-exist")
        self.assertEqual(status, 3)
        self.assertIn("--must-exist", said)
        self.assertFalse((pathlib.Path(place) / "posse.db").exists())
        (pathlib.Path(place) / "empty.db").touch()
        status, said = self.refused("--listen", "127.0.0.1:0", "--database", f"{place}/empty.db", "--must-exist")
        self.assertEqual((status, "an empty file" in said), (3, True))
        with Server(place) as server:
            server.client().post("/v1/posses", ADS)
            server.stop()
        with Server(place, "--must-exist") as server:
            self.assertEqual(server.client().get("/v1/posses/ads")[0], 200)


if __name__ == "__main__":
    unittest.main(verbosity=2)
