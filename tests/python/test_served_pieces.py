# SPDX-License-Identifier: MIT
"""Long requests are done in pieces, with the requests of others in between."""

import json
import select
import signal
import statistics
import unittest

from patience import processor_time, until
from serving import ADS, Server
from support import scratch

# A decision is a few milliseconds of work, so a hundred of them are many pieces.
WIDE = {"arms": 40, "context": 20, "prior": "linear", "seed": 5, "learners": ["linear-ucb", "linear-thompson"], "propensity_draws": 200}
CONTEXT = {"shared": [0.5] * 20}


class Pending:
    """A request on a connection of its own, whose answer is read later."""

    def __init__(self, server, path, body):
        self.client = server.client()
        self.client.get("/readyz")
        self.client.connection.request("POST", path, json.dumps(body))

    def arrived(self):
        return bool(select.select([self.client.connection.sock], [], [], 0)[0])

    def read(self):
        answer = self.client.connection.getresponse()
        return answer.status, json.loads(answer.read())


def arms(answer):
    return [decision["arm"] for decision in answer["decisions"]]


class PiecesTest(unittest.TestCase):
    def serve(self, folder=None):
        server = Server(folder or scratch(self))
        self.addCleanup(server.stop, signal.SIGKILL)
        return server

    def slow_requests(self, server, client):
        """Every long request as a function that sends it, with a name. Each has a posse of its own."""
        client.post("/v1/posses", {**WIDE, "name": "decides"})
        client.post("/v1/posses", {**WIDE, "name": "turns"})
        wider = {**WIDE, "arms": 2, "context": 300, "propensity_draws": 0}
        client.post("/v1/posses", {**wider, "name": "learns"})
        client.post("/v1/posses", {**wider, "name": "expires", "expire_reward": 1, "expire_after": 10**6})
        wide = {"shared": [0.1] * 300}
        made = [d["token"] for d in client.post("/v1/posses/turns/decide", {"n": 10, "context": CONTEXT})[1]["decisions"]]
        many = [d["token"] for _ in range(2) for d in client.post("/v1/posses/learns/decide", {"n": 1000, "context": wide})[1]["decisions"]]
        for _ in range(2):
            client.post("/v1/posses/expires/decide", {"n": 1000, "context": wide})
        return {
            "decide": lambda: Pending(server, "/v1/posses/decides/decide", {"n": 100, "context": CONTEXT}),
            "turn": lambda: Pending(
                server, "/v1/posses/turns/turn",
                {"n": 90, "context": CONTEXT, "rewards": [{"token": token, "reward": 1} for token in made]},
            ),
            "learn": lambda: Pending(server, "/v1/posses/learns/learn", {"rewards": [{"token": token, "reward": 0.5} for token in many]}),
            "expire": lambda: Pending(server, "/v1/posses/expires/expire", {"age": 0}),
        }

    def test_others_get_their_turn(self):
        """The work that the server does between another client's request and its answer, as a share of the slow request. It
        is processor time of the server, so it does not matter how busy the machine is."""
        server = self.serve()
        client = server.client()
        client.post("/v1/posses", ADS)
        for name, send in self.slow_requests(server, client).items():
            with self.subTest(name):
                before, waits = processor_time(server.process.pid), []
                slow = send()
                while not slow.arrived():
                    asked = processor_time(server.process.pid)
                    self.assertEqual(client.post("/v1/posses/ads/decide", {})[0], 200)
                    waits.append(processor_time(server.process.pid) - asked)
                work = processor_time(server.process.pid) - before
                self.assertEqual(slow.read()[0], 200)
                self.assertGreater(len(waits), 5, f"{work} s of work")
                self.assertLess(statistics.median(waits) / work, 0.1, f"waits {waits}, work {work}")

    def test_answers_are_the_same_as_alone(self):
        """Twins: one is asked alone, the other one while others are served, and the same request comes twice, in order."""
        server = self.serve()
        client = server.client()
        client.post("/v1/posses", ADS)
        for name in ("alone", "among"):
            self.assertEqual(client.post("/v1/posses", {**WIDE, "name": name})[0], 201)
        body = {"n": 60, "context": CONTEXT}
        alone = [arms(client.post("/v1/posses/alone/turn", body)[1]) for _ in range(2)]
        first = Pending(server, "/v1/posses/among/turn", body)
        until(lambda: client.post("/v1/posses/ads/decide", {})[0] == 200)  # the first one has been read
        second = Pending(server, "/v1/posses/among/turn", body)
        question = server.client()
        question.connection.request("GET", "/v1/posses/among")
        while not second.arrived():
            self.assertEqual(client.post("/v1/posses/ads/decide", {})[0], 200)
        self.assertEqual([arms(first.read()[1]), arms(second.read()[1])], alone)
        counted = json.loads(question.connection.getresponse().read())["decisions"]
        self.assertIn(counted, (60, 120), "a question sees whole requests")

    def test_a_refused_long_request_changes_nothing(self):
        server = self.serve()
        client = server.client()
        client.post("/v1/posses", {**WIDE, "name": "wide"})
        tokens = [d["token"] for d in client.post("/v1/posses/wide/decide", {"n": 5, "context": CONTEXT})[1]["decisions"]]
        rewards = [{"token": token, "reward": 1} for token in tokens]
        rewards[3]["reward"] = 1e200
        status, answer = client.post("/v1/posses/wide/turn", {"n": 100, "context": CONTEXT, "rewards": rewards})
        self.assertEqual((status, answer["path"]), (400, "rewards[3].reward"))
        status, answer = client.post("/v1/posses/wide/decide", {"n": 100, "context": {"shared": [1]}})
        self.assertEqual(status, 400)
        state = client.get("/v1/posses/wide")[1]
        self.assertEqual((state["decisions"], state["pending"]), (5, 5))

    def test_a_client_that_leaves_stops_nobody(self):
        server = self.serve()
        client = server.client()
        client.post("/v1/posses", {**WIDE, "name": "wide"})
        gone = Pending(server, "/v1/posses/wide/decide", {"n": 60, "context": CONTEXT})
        gone.client.close()
        waits = Pending(server, "/v1/posses/wide/decide", {"n": 1, "context": CONTEXT})
        self.assertEqual(waits.read()[0], 200)
        self.assertIn(client.get("/v1/posses/wide")[1]["decisions"], (1, 61))

    def test_a_kill_loses_nothing_that_was_answered(self):
        """The server is killed while long requests wait, one of them half done, and others have been answered meanwhile."""
        place = scratch(self)
        server = self.serve(place)
        client = server.client()
        client.post("/v1/posses", ADS)
        for name in ("killed", "twin"):
            client.post("/v1/posses", {**WIDE, "name": name})
            client.post(f"/v1/posses/{name}/decide", {"n": 3, "context": CONTEXT})
        slow = [Pending(server, "/v1/posses/killed/decide", {"n": 200, "context": CONTEXT}) for _ in range(12)]
        tokens = [client.post("/v1/posses/ads/decide", {})[1]["token"] for _ in range(20)]
        learned = [token for token in tokens if client.post("/v1/posses/ads/learn", {"token": token, "reward": 1})[0] == 200]
        answered = sum(request.arrived() for request in slow)
        self.assertLess(answered, len(slow), "the requests are too short for this test")
        server.stop(signal.SIGKILL)
        server = self.serve(place)
        client = server.client()
        whole, rest = divmod(client.get("/v1/posses/killed")[1]["decisions"] - 3, 200)
        self.assertEqual(rest, 0, "a request is there as a whole, or not at all")
        self.assertGreaterEqual(whole, answered)
        for _ in range(whole):
            client.post("/v1/posses/twin/decide", {"n": 200, "context": CONTEXT})
        self.assertEqual(client.get("/v1/posses/ads")[1]["decisions"], 20)
        again = [client.post("/v1/posses/ads/learn", {"token": token, "reward": 1}) for token in learned]
        self.assertEqual(again, [(200, {"learned": 1})] * 20)
        self.assertEqual(client.get("/v1/posses/ads")[1]["pending"], 0)
        body = {"n": 20, "context": CONTEXT}
        self.assertEqual(*(arms(client.post(f"/v1/posses/{name}/decide", body)[1]) for name in ("killed", "twin")))

    def test_an_ending_server_answers_what_it_has_begun(self):
        server = self.serve()
        client = server.client()
        client.post("/v1/posses", {**WIDE, "name": "wide"})
        slow = Pending(server, "/v1/posses/wide/decide", {"n": 60, "context": CONTEXT})
        until(lambda: client.get("/v1/posses")[0] == 200)
        server.process.send_signal(signal.SIGTERM)
        self.assertEqual((slow.read()[0], server.process.wait()), (200, 0))


if __name__ == "__main__":
    unittest.main(verbosity=2)
