# SPDX-License-Identifier: MIT
"""The answers of `posse serve` for every route, every role and every wrong request, compared with openapi.json."""

import contextlib
import hashlib
import json
import pathlib
import random
import re
import socket
import sqlite3
import struct
import subprocess
import time
import unittest

import posse
from patience import until
from serving import ADS, Client, Server, SmallDisk, raw, token_parts
from support import PROGRAM, scratch

LINEAR = {
    "name": "linear",
    "points": [[1, 0], [0, 1], [0.6, 0.8]],
    "prior": {"kind": "linear", "precision": 1, "noise": 1},
    "learners": ["linear-ucb", {"kind": "linear-thompson", "name": "bold"}],
}
SHARED = {
    "name": "pages",
    "arms": 3,
    "context": 2,
    "prior": {"kind": "linear", "precision": 1, "noise": 1},
    "learners": ["linear-ucb"],
}
WATCHED = {**ADS, "name": "doubt", "selector": {"kind": "bms", "watch": True}}
OUTSIDE = {"name": "outside", "arms": 3, "prior": "beta", "learners": [{"kind": "external", "name": "a person"}]}


class Schema:
    """A validator for the part of JSON Schema that openapi.json uses."""

    KINDS = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "number": (int, float)}

    def __init__(self, document):
        self.document = document

    def fits(self, value, schema):
        if "$ref" in schema:
            return self.fits(value, self.document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]])
        if "oneOf" in schema:
            return sum(self.fits(value, one) for one in schema["oneOf"]) == 1
        kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if not any(self.is_kind(value, kind) for kind in kinds):
            return False
        if isinstance(value, str):
            return re.search(schema.get("pattern", ""), value) is not None
        if isinstance(value, list):
            return all(self.fits(entry, schema["items"]) for entry in value)
        return not isinstance(value, dict) or self.fits_object(value, schema)

    def is_kind(self, value, kind):
        if kind == "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        return isinstance(value, self.KINDS[kind]) and (kind == "boolean" or not isinstance(value, bool))

    def fits_object(self, value, schema):
        properties = schema.get("properties", {})
        return all(key in value for key in schema.get("required", [])) and all(
            self.fits(entry, properties[key]) if key in properties else schema.get("additionalProperties", True)
            for key, entry in value.items()
        )


class Checked(Client):
    """A client that checks every answer against openapi.json."""

    def __init__(self, client, document):
        self.__dict__.update(client.__dict__)
        self.document, self.schema, self.seen = document, Schema(document), set()

    def ask(self, method, path, body=None, headers=()):
        status, answer = super().ask(method, path, body, headers)
        route, operation = self.find(method, path.split("?")[0])
        self.seen.add((method, route, status))
        described = operation["responses"][str(status)]
        if status == 204:
            self.check_empty(described, answer)
            return status, answer
        if "$ref" in described:
            described = self.document["components"]["responses"][described["$ref"].rsplit("/", 1)[1]]
        described = described["content"]
        kind = self.last.headers["Content-Type"].split(";")[0]
        if kind == "text/event-stream":
            answer = json.loads(answer.split(b"data: ")[1])
        if kind != "text/plain" and not self.schema.fits(answer, described[kind]["schema"]):
            raise AssertionError(f"{method} {path}: openapi.json does not describe {answer}")
        return status, answer

    def check_empty(self, described, answer):
        if "content" in described or answer or "Content-Type" in self.last.headers:
            raise AssertionError(f"{self.last.status} with {answer}")

    def find(self, method, path):
        for route, operations in self.document["paths"].items():
            if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", route), path) and method.lower() in operations:
                return route, operations[method.lower()]
        raise AssertionError(f"{method} {path} is not in openapi.json")


class Served(unittest.TestCase):
    def setUp(self):
        self.folder = scratch(self)

    def start(self, *options, **settings):
        server = Server(self.folder, *options, **settings)
        self.addCleanup(server.__exit__)
        return server

    def check(self, answer, status, **parts):
        self.assertEqual(answer[0], status, answer)
        for key, value in parts.items():
            self.assertEqual(answer[1][key], value, answer)
        return answer[1]

    def test_answers_are_as_openapi_says(self):
        client = self.start().client()
        document = self.check(client.get("/v1/openapi.json"), 200)
        c = Checked(client, document)
        for definition in (ADS, LINEAR, SHARED, OUTSIDE, WATCHED):
            self.check(c.post("/v1/posses", definition), 201, name=definition["name"], decisions=0)
        self.check(c.post("/v1/posses", ADS), 409, path="name")
        self.check(c.post("/v1/posses", {**ADS, "name": "b", "learners": [{"kind": "ucb", "width": -1}]}), 400)
        swept = {**ADS, "name": "swept", "learners": [{"kind": "ucb", "width": [0.1, 1]}]}
        learners = self.check(c.post("/v1/posses", swept), 201)["learners"]
        self.assertEqual([learner["name"] for learner in learners], ["ucb width=0.1", "ucb width=1"])
        wrong = {**swept, "name": "c", "learners": ["ucb", {"kind": "ucb", "width": [1, -1]}]}
        self.check(c.post("/v1/posses", wrong), 400, path="learners[1].width")
        self.check(c.get("/v1/posses"), 200)
        one = self.check(c.post("/v1/posses/ads/decide", {}), 200)
        two = self.check(c.post("/v1/posses/ads/decide", {"n": 2}), 200)["decisions"]
        self.check(c.post("/v1/posses/ads/learn", {"token": one["token"], "reward": True}), 200, learned=1)
        rewards = [{"token": d["token"], "reward": 0.5} for d in two]
        turned = self.check(c.post("/v1/posses/ads/turn", {"rewards": rewards, "n": 3}), 200, learned=2)
        tokens = [d["token"] for d in turned["decisions"]]
        self.check(c.post("/v1/posses/ads/forget", {"token": tokens[0]}), 200, forgotten=1)
        self.check(c.post("/v1/posses/ads/forget", {"tokens": tokens}), 200, forgotten=3)
        state = self.check(c.get("/v1/posses/ads"), 200, decisions=6, pending=0)
        self.assertEqual(sum(learner["plays"] for learner in state["learners"]), 6)
        for what in ("potentials", "plays", "arms", "definition"):
            self.check(c.get(f"/v1/posses/ads/{what}"), 200)
        self.check(c.post("/v1/posses/ads/teach", {"arm": 1, "reward": 0.5}), 200, taught=1)
        self.check(c.post("/v1/posses/ads/teach", {"arm": 99, "reward": 0.5}), 404, path="arm")
        self.check(c.post("/v1/posses/ads/expire", {"age": 0}), 200, expired=0)
        self.check(c.post("/v1/posses/ads/erase"), 400)
        self.check(c.post("/v1/posses/ads/erase?confirm=ads"), 200, erasing="ads")
        self.check(c.post("/v1/posses/doubt/next_task", {}), 200, forgotten=0)
        self.check(c.get("/v1/posses/ads/events?frames=1"), 200)
        self.check(c.get("/v1/posses/pages/events?frames=1"), 200)
        self.check(c.get("/v1/posses/doubt"), 200)
        self.check(c.get("/v1/posses/doubt/events?frames=1"), 200)
        self.check(c.get("/v1/posses/ads/events?frames=0"), 400)
        self.check(c.get("/v1/posses?limit=1&contains=a"), 200, count=3)
        self.check(c.get("/v1/posses?limit=many"), 400)
        point = self.check(c.post("/v1/posses/linear/decide", {}), 200)
        self.assertEqual(point["point"], LINEAR["points"][point["arm"]])
        self.check(c.post("/v1/posses/linear/arms", {"point": [0, -1]}), 201, arm=3)
        self.check(c.post("/v1/posses/linear/arms", {"point": [0]}), 400, path="point")
        self.check(c.ask("DELETE", "/v1/posses/linear/arms/0"), 200, retired=0)
        self.check(c.ask("DELETE", "/v1/posses/linear/arms/17"), 404)
        self.check(c.post("/v1/posses/ads/learners", {"kind": "ucb", "name": "späť </b>", "width": 3}), 201)
        self.check(c.post("/v1/posses/ads/learners", {"kind": "ucb", "name": "späť </b>"}), 409)
        self.check(c.post("/v1/posses/ads/learners", {"kind": "ubc"}), 400, path="kind")
        self.check(c.ask("DELETE", "/v1/posses/ads/learners/sp%C3%A4%C5%A5%20%3C%2Fb%3E"), 200, retired="späť </b>")
        self.check(c.ask("DELETE", "/v1/posses/ads/learners/nobody"), 404)
        self.check(c.post("/v1/posses/pages/decide", {}), 400, path="context")
        self.check(c.post("/v1/posses/pages/decide", {"context": {"shared": [1]}}), 400, path="context.shared")
        self.check(c.post("/v1/posses/pages/decide", {"context": {"shared": [1, 1e9]}}), 400, path="context.shared[1]")
        context = {"shared": [1, 0.5], "arms": [0, 2]}
        page = self.check(c.post("/v1/posses/pages/decide", {"context": context}), 200)
        self.assertIn(page["arm"], (0, 2))
        rewards = [{"token": page["token"], "reward": 1}]
        self.check(c.post("/v1/posses/pages/turn", {"rewards": rewards, "context": {"shared": 3}}), 400)
        self.check(c.get("/v1/posses/pages"), 200, pending=1)  # with a wrong context, the reward is not learned either
        self.check(c.post("/v1/posses/pages/turn", {"rewards": rewards, "context": context}), 200, learned=1)
        person = self.check(c.post("/v1/posses/outside/decide", {}), 200, arm=None, external=True)
        said = {"token": person["token"], "arm": 2}
        self.check(c.post("/v1/posses/outside/learn", {"token": person["token"], "reward": 1}), 409)
        self.check(c.post("/v1/posses/outside/acted", {**said, "arm": 3}), 400)
        self.check(c.post("/v1/posses/outside/acted", said), 200)
        self.check(c.post("/v1/posses/outside/acted", said), 200)
        self.check(c.post("/v1/posses/outside/acted", {**said, "arm": 1}), 409)
        self.check(c.post("/v1/posses/outside/learn", {"token": person["token"], "reward": 1}), 200)
        self.check(c.post("/v1/posses/pages/modes", {"control": 0, "holdback": 0.5}), 200, holdback=0.5)
        self.check(c.get("/v1/posses/pages/modes"), 200, control=0)
        self.check(c.post("/v1/posses/pages/modes", {"holdback": 7}), 400)
        self.check(c.post("/v1/posses/pages/peek", {"context": context, "unit": "ann"}), 200, token=None)
        later = self.check(c.post("/v1/posses/pages/decide", {"context": context, "defer": True}), 200)
        self.check(c.post("/v1/posses/pages/learn", {"token": later["token"], "reward": 1}), 409)
        for _ in range(2):
            self.check(c.post("/v1/posses/pages/activate", {"token": later["token"]}), 200, activated=1)
        for n in range(9):
            d = self.check(c.post("/v1/posses/pages/decide", {"context": context, "unit": f"u{n}"}), 200)
            self.check(c.post("/v1/posses/pages/learn", {"token": d["token"], "reward": 1}), 200)
        rank = {"actions": [{"id": str(arm)} for arm in range(ADS["arms"])], "eventId": "a visit", "deferActivation": True}
        base = "/v1/posses/ads/personalizer/v1.0"
        self.check(c.post(f"{base}/rank", rank), 201, eventId="a visit")
        self.check(c.post(f"{base}/rank", {**rank, "actions": []}), 400)
        self.check(c.post(f"{base}/rank", {**rank, "deferActivation": False}), 409)
        self.check(c.post(f"{base}/events/nobody/activate"), 404)
        self.check(c.post(f"{base}/events/a%20visit/reward", {"value": 1}), 409)
        self.check(c.post(f"{base}/events/a%20visit/activate"), 204)
        self.check(c.post(f"{base}/events/a%20visit/reward", {"value": 1}), 204)
        self.check(c.post("/v1/posses/ads/modes", {"shadow": True}), 200, shadow=True)
        d = self.check(c.post("/v1/posses/ads/decide", {}), 200, mode="suggested")
        self.check(c.post("/v1/posses/ads/acted", {"token": d["token"], "arm": 1}), 200)
        self.check(c.post("/v1/posses/ads/learn", {"token": d["token"], "reward": 1}), 200)
        for posse_ in ("ads", "pages", "outside"):
            self.check(c.get(f"/v1/posses/{posse_}/report"), 200, confidence=0.95)
            self.check(c.get(f"/v1/posses/{posse_}/features"), 200, seen=[], scales=[])
        self.check(c.get("/v1/posses/ads/report?control=0"), 200, control=0)
        for span in ("hour", "day", "week", "all"):
            self.check(c.get(f"/v1/posses/ads/history?span={span}"), 200, span=span)
        self.check(c.get("/v1/posses/ads/history?span=year"), 400)
        self.check(c.ask("DELETE", "/v1/posses/ads"), 400)
        self.check(c.ask("DELETE", "/v1/posses/ads?confirm=ads"), 200, deleted="ads")
        self.check(c.get("/v1/posses/ads"), 404)
        for path in ("/healthz", "/readyz"):
            self.check(c.get(path), 200)
        self.assertIn(b"posse_decisions_total 22\n", c.get("/metrics")[1])
        asked = {(method, route) for method, route, status in c.seen if status in (200, 201, 204)}
        described = {(m.upper(), route) for route, methods in document["paths"].items() for m in methods}
        self.assertEqual(described - asked, {("GET", "/v1/openapi.json")})

    def test_a_posse_that_watches_its_belief_reports_a_surprise(self):
        c = self.start().client()

        def gauges():
            return {name.decode(): float(value) for name, value in re.findall(rb"^posse_(surprise_\w+) (\S+)$", c.get("/metrics")[1], re.M)}

        self.assertNotIn("surprise", self.check(c.post("/v1/posses", ADS), 201))
        self.assertEqual(gauges(), {"surprise_posses": 0, "surprise_alarms": 0})
        wrong = {"kind": "beta", "alpha": 50, "beta": 50}
        self.check(c.post("/v1/posses", {**ADS, "name": "wrong", "prior": wrong, "selector": {"kind": "bms", "watch": True}}), 201, surprise=0)
        self.check(c.post("/v1/posses", {**ADS, "name": "robust", "prior": {**wrong, "robust": True}}), 201, surprise=0)
        self.check(c.post("/v1/posses", {**ADS, "name": "right", "prior": {"kind": "beta", "robust": True}}), 201, surprise=0)
        for name in ("ads", "wrong", "robust", "right"):
            for n in range(100):
                d = self.check(c.post(f"/v1/posses/{name}/decide"), 200)
                reward = n % 2 if name == "right" else 0
                self.check(c.post(f"/v1/posses/{name}/learn", {"token": d["token"], "reward": reward}), 200)
        said = {name: self.check(c.get(f"/v1/posses/{name}"), 200).get("surprise") for name in ("ads", "wrong", "robust", "right")}
        self.assertIsNone(said["ads"])
        self.assertGreater(min(said["wrong"], said["robust"]), 20)
        self.assertLess(said["right"], 1)
        listed = {p["name"]: p.get("surprise") for p in self.check(c.get("/v1/posses"), 200)["posses"]}
        self.assertEqual(listed, said)
        highest = max(said["wrong"], said["robust"])
        self.assertEqual(gauges(), {"surprise_posses": 3, "surprise_alarms": 2, "surprise_max": highest})

    def test_a_report_has_the_alarms(self):
        server = self.start()
        c = server.client()
        self.check(c.post("/v1/posses", ADS), 201)
        near = posse.Posse(5, prior="beta", learners=["ucb"]).report()
        with posse.connect(f"http://{server.host}:{server.port}/ads") as far:
            self.assertEqual((near.alarms, far.report().alarms), (None, ()))
            self.assertEqual(self.check(c.get("/v1/posses/ads/report"), 200, alarms=[])["alarms"], [])
            token = self.check(c.post("/v1/posses/ads/decide"), 200)["token"]
            for _ in range(5):
                self.check(c.post("/v1/posses/ads/learn", {"token": token, "reward": 7}), 400)
            report = far.report(control=1)
            self.assertEqual((report.alarms, report.control), (("rewards-refused",), 1))
            self.assertIn("\n  alarms: rewards-refused\n", str(report))
            self.assertIn("<b>alarms</b>: rewards-refused", report._repr_html_())
            self.check(c.get("/v1/posses/ads/report"), 200, alarms=["rewards-refused"])

    def test_wrong_requests(self):
        server = self.start("--pending", "3")
        c = server.client()
        self.check(c.post("/v1/posses", ADS), 201)
        token = self.check(c.post("/v1/posses/ads/decide"), 200)["token"]
        forged = token[:-1] + ("A" if token[-1] != "A" else "B")
        learn = "/v1/posses/ads/learn"
        wrong = [
            (400, "POST", learn, "{"),
            (400, "POST", learn, "[1]"),
            (400, "POST", learn, '{"token": 1, "reward": 1}'),
            (400, "POST", learn, {"token": token}),
            (400, "POST", learn, {"token": token, "reward": "one"}),
            (400, "POST", learn, {"token": token, "reward": 1.5}),
            (400, "POST", learn, '{"token": "%s", "reward": 1e400}' % token),
            (400, "POST", learn, '{"token": "%s", "reward": NaN}' % token),
            (400, "POST", learn, '{"token": "%s", "reward": 1, "reward": 0}' % token),
            (400, "POST", learn, {"token": token, "reward": 1, "rewrad": 1}),
            (400, "POST", learn, {"rewards": [{"token": token, "reward": 1, "rewrad": 1}]}),
            (400, "POST", learn, {"rewards": [{"token": token, "reward": 1, "x" + "ä" * 1000: 1}]}),
            (400, "POST", learn, {"token": forged, "reward": 1}),
            (400, "POST", learn, {"token": "", "reward": 1}),
            (400, "POST", learn, {"rewards": {"token": token}}),
            (400, "POST", learn, {"rewards": [{"token": token, "reward": 1}, {"token": forged, "reward": 1}]}),
            (400, "POST", learn, b"\xff\xfe"),
            (400, "POST", learn, "[" * 100000),
            (400, "POST", "/v1/posses/ads/decide", {"n": 0}),
            (400, "POST", "/v1/posses/ads/decide", {"n": 1001}),
            (400, "POST", "/v1/posses/ads/decide", {"n": 1.5}),
            (400, "POST", "/v1/posses/ads/decide", {"context": {}}),
            (400, "POST", "/v1/posses", {**ADS, "name": "a/b"}),
            (400, "POST", "/v1/posses", {**ADS, "name": ""}),
            (400, "POST", "/v1/posses", {**ADS, "name": "x" * 101}),
            (400, "POST", "/v1/posses", {**ADS, "name": "x", "arms": -1}),
            (400, "POST", "/v1/posses", "name: [unclosed"),
            (400, "POST", "/v1/posses", "[" * 100000),
            (400, "POST", "/v1/posses", ""),
            (404, "GET", "/v1/posses/nobody", None),
            (404, "GET", "/v1/posses/%00", None),
            (404, "GET", "/v1/posses/..%2f..%2fetc", None),
            (404, "GET", "/v1/posses/ads/learn/x", None),
            (404, "GET", "/v1/posses/a/b/c/d/e/f/g", None),
            (404, "GET", "/board.css//", None),
            (405, "GET", learn, None),
            (405, "PUT", "/v1/posses/ads", None),
            (413, "POST", learn, " " * (1 << 20) + "{}"),
            (429, "POST", "/v1/posses/ads/decide", {"n": 3}),
        ]
        for status, method, path, body in wrong:
            with self.subTest(method=method, path=path, body=str(body)[:60]):
                answer = c.ask(method, path, body)
                self.assertEqual(answer[0], status, answer)
                self.assertIn("error", answer[1])
        self.check(c.get("/v1/posses/ads"), 200, decisions=1, pending=1)
        self.check(c.post(learn, {"token": token, "reward": 1}), 200)
        self.check(c.post(learn, {"token": token, "reward": 1}), 200)
        self.check(c.post(learn, {"token": token, "reward": 0}), 409)

    def test_a_reward_of_another_epoch(self):
        """A decision that was lost in a crash: the database is restored to a state before the decision."""
        with self.start() as server:
            self.check(server.client().post("/v1/posses", ADS), 201)
            server.stop()
        before = server.database.read_bytes()
        with self.start() as server:
            lost = self.check(server.client().post("/v1/posses/ads/decide"), 200)["token"]
            server.stop()
        server.database.write_bytes(before)
        c = self.start().client()
        other = self.check(c.post("/v1/posses/ads/decide"), 200)["token"]
        self.assertEqual(token_parts(lost)[1], token_parts(other)[1])  # the same number, another epoch
        answer = self.check(c.post("/v1/posses/ads/learn", {"token": lost, "reward": 1}), 409, path="token")
        self.assertIn("epoch", answer["error"])
        self.check(c.get("/v1/posses/ads"), 200, pending=1)

    def test_roles(self):
        """Every route with every role. The table of permissions here was written by hand."""
        secrets = {"decide": "a", "learn": "b", "admin": "c", "decide,learn": "d", "elsewhere": "e", "all": "f"}
        lines = [
            f"{hashlib.sha256(secret.encode()).hexdigest()} {'admin' if name in ('elsewhere', 'all') else name} "
            f"{'other' if name == 'elsewhere' else '*' if name == 'all' else 'ads'}  # {name}"
            for name, secret in secrets.items()
        ]
        tokens = self.folder / "tokens"
        tokens.write_text("# a comment\n\n" + "\n".join(lines) + "\n")
        server = self.start("--tokens", tokens)
        everybody = set(secrets)
        here = everybody - {"elsewhere"}
        deciders, learners = here - {"learn"}, here - {"decide"}
        admins = {"admin", "all"}
        may = {
            ("GET", "/v1/posses"): everybody,
            ("GET", "/metrics"): everybody,
            ("GET", "/v1/posses/ads"): here,
            ("GET", "/v1/posses/ads/potentials"): here,
            ("GET", "/v1/posses/ads/history"): here,
            ("GET", "/v1/posses/ads/plays"): here,
            ("GET", "/v1/posses/ads/arms"): here,
            ("GET", "/v1/posses/ads/events?frames=1"): here,
            ("POST", "/v1/posses/ads/decide"): deciders,
            ("POST", "/v1/posses/ads/acted"): deciders,
            ("POST", "/v1/posses/ads/peek"): deciders,
            ("POST", "/v1/posses/ads/activate"): deciders,
            ("GET", "/v1/posses/ads/modes"): here,
            ("POST", "/v1/posses/ads/modes"): admins,
            ("POST", "/v1/posses/ads/personalizer/v1.0/rank"): deciders,
            ("POST", "/v1/posses/ads/personalizer/v1.0/events/x/activate"): deciders,
            ("POST", "/v1/posses/ads/personalizer/v1.0/events/x/reward"): learners,
            ("POST", "/v1/posses/ads/learn"): learners,
            ("POST", "/v1/posses/ads/forget"): learners,
            ("POST", "/v1/posses/ads/turn"): deciders & learners,
            ("POST", "/v1/posses/ads/teach"): learners,
            ("POST", "/v1/posses/ads/expire"): learners,
            ("POST", "/v1/posses/ads/next_task"): admins,
            ("POST", "/v1/posses/ads/erase"): admins,
            ("GET", "/v1/posses/ads/definition"): here,
            ("GET", "/v1/posses/ads/features"): here,
            ("GET", "/v1/posses/ads/report"): here,
            ("POST", "/v1/posses/ads/learners"): admins,
            ("DELETE", "/v1/posses/ads/learners/x"): admins,
            ("POST", "/v1/posses/ads/arms"): admins,
            ("DELETE", "/v1/posses/ads/arms/9"): admins,
            ("DELETE", "/v1/posses/ads"): admins,
            ("POST", "/v1/posses"): admins,
            ("GET", "/v1/posses/nobody"): {"all"},
        }
        document = self.check(server.client().get("/v1/openapi.json"), 200)
        open_ = {"/healthz", "/readyz", "/v1/openapi.json", "/", "/board.css", "/board.js", "/charts.js"}
        routes = {(m.upper(), path) for path, methods in document["paths"].items() for m in methods if path not in open_}
        self.assertEqual(len(routes), len(may) - 1)  # all routes, and one for a posse that does not exist
        roles = {"decide": deciders, "learn": learners, "decide, learn": deciders & learners, "admin": admins}
        for (method, path), allowed in may.items():
            role = Checked(server.client(), document).find(method, path.split("?")[0])[1]["x-role"]
            if path != "/v1/posses/nobody":
                self.assertEqual(allowed, roles.get(role, allowed), path)
                self.assertEqual(role == "any", allowed >= here, path)
        self.assertEqual({p for p, methods in document["paths"].items() if methods.get("get", {}).get("x-role") == "none"},
                         open_ & set(document["paths"]))
        self.check(server.client("f").post("/v1/posses", ADS), 201)
        for (method, path), allowed in may.items():
            for who, secret in [*secrets.items(), (None, None), ("forged", "nobody"), ("empty", " ")]:
                with self.subTest(method=method, path=path, who=who):
                    status, answer = server.client(secret).ask(method, path, ADS if path == "/v1/posses" else None)
                    expected = {403} if who in everybody - allowed else {401} if who not in everybody else None
                    if expected:
                        self.assertIn(status, expected, answer)
                    else:
                        self.assertNotIn(status, {401, 403}, answer)
        for body in ("{bad", '{"arms": 3}', '{"retired": [7, 7]}'):  # is not read for those who may create nothing
            self.assertEqual(server.client("a").post("/v1/posses", body)[0], 403)
        for path in open_:
            self.assertEqual(server.client().get(path)[0], 200)
        names = server.client("e").get("/v1/posses")[1]["posses"]
        self.assertEqual(names, [])  # posses of others are not listed

        # Tokens are read again, all or nothing.
        tokens.write_text(lines[-1] + "\nnonsense\n")
        server.process.send_signal(1)
        until(lambda: "tokens:2: " in server.said())
        self.assertEqual(server.client("a").get("/v1/posses/ads")[0], 200)
        tokens.write_text(lines[-1] + "\n")
        server.process.send_signal(1)
        until(lambda: "the tokens were read again" in server.said())
        status, answer = server.client("a").get("/v1/posses/ads")
        self.assertEqual((status, answer["error"]), (401, "a token that the server has is needed: Authorization: Bearer TOKEN"))
        self.assertEqual(server.client("f").get("/v1/posses/ads")[0], 200)

    def test_beyond_this_machine_it_needs_tokens(self):
        for where in ("0.0.0.0:0", "[::]:0"):
            with self.assertRaisesRegex(RuntimeError, "--tokens FILE"):
                Server(self.folder, listen=where)
        self.assertFalse((self.folder / "posse.db").exists())
        (self.folder / "tokens").write_text("secret decide ads\n")
        with self.assertRaisesRegex(RuntimeError, "tokens:1: a line begins with the SHA-256"):
            Server(self.folder, "--tokens", self.folder / "tokens")

    def test_pages_of_other_sites_are_refused(self):
        c = self.start().client()
        self.check(c.ask("POST", "/v1/posses", ADS, {"Origin": "http://evil.example"}), 403)
        self.check(c.ask("POST", "/v1/posses", ADS, {"Host": "evil.example"}), 403)
        self.check(c.ask("POST", "/v1/posses", ADS, {"Host": "127.0.0.1.evil.example"}), 403)
        host = f"127.0.0.1:{c.connection.port}"
        self.check(c.ask("POST", "/v1/posses", ADS, {"Origin": f"http://{host}", "Host": host}), 201)

    def test_hostile_names(self):
        c = self.start().client()
        names = ['"', "\\", "</script><script>alert(1)</script>", "\u2028", "😀", "a\nb", "x" * 500, "'; DROP TABLE log; --"]
        learners = [{"kind": "ucb", "name": name} for name in names]
        created = self.check(c.post("/v1/posses", {**ADS, "learners": learners}), 201)
        self.assertEqual([learner["name"] for learner in created["learners"]], names)
        raw_text = c.connection.request("GET", "/v1/posses/ads") or c.connection.getresponse().read()
        self.assertNotIn(b"<script>", raw_text)
        decisions = self.check(c.post("/v1/posses/ads/decide", {"n": 30}), 200)["decisions"]
        rewards = [{"token": d["token"], "reward": 1} for d in decisions]
        self.check(c.post("/v1/posses/ads/learn", {"rewards": rewards}), 200)
        exported = subprocess.run(
            [PROGRAM, "export", "ads", "--database", self.folder / "posse.db"], capture_output=True, text=True, check=True
        ).stdout
        self.assertIn("😀", exported)

    def test_raw_bytes(self):
        """Requests that two parsers could read in two ways, and bytes that are no requests."""
        server = self.start()
        where = (server.host, server.port)
        body = b'{"name": "smuggled", "arms": 2, "prior": "beta", "learners": ["ucb"]}'
        both = b"POST /v1/posses HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\nTransfer-Encoding: chunked\r\n\r\n"
        self.assertIn(b" 400 ", raw(*where, both % len(body) + b"0\r\n\r\n" + body))
        for data in (b"\0" * 1000, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET " + b"x" * 100000 + b" HTTP/1.1\r\n\r\n"):
            self.assertNotIn(b" 200 ", raw(*where, data))
        headers = b"".join(b"X-%d: %s\r\n" % (i, b"y" * 1000) for i in range(100))
        self.assertNotIn(b" 200 ", raw(*where, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + headers + b"\r\n"))
        self.check(server.client().get("/v1/posses"), 200, posses=[])

    def test_head_is_get_without_the_body(self):
        server = self.start()
        client = server.client()
        client.post("/v1/posses", ADS)

        def head(path):
            """The answer to HEAD, and what follows it: the answer to a GET on the same connection."""
            host = "HTTP/1.1\r\nHost: localhost\r\n\r\n"
            requests = f"HEAD {path} {host}GET /healthz {host}".encode()
            return raw(server.host, server.port, requests, methods=("HEAD", "GET")).split(b"\r\n\r\n", 1)

        for path in ("/", "/healthz", "/metrics", "/v1/posses", "/v1/posses/ads", "/v1/openapi.json", "/nowhere"):
            status, body = client.get(path)
            length, kind = client.last.headers["Content-Length"], client.last.headers["Content-Type"]
            first, rest = head(path)
            self.assertTrue(first.startswith(b"HTTP/1.1 %d " % status), first)
            if path != "/metrics":  # which counts this request, too
                self.assertIn(b"Content-Length: %s" % length.encode(), first)
            self.assertIn(b"Content-Type: %s" % kind.encode(), first)
            self.assertTrue(rest.startswith(b"HTTP/1.1 200 OK"), rest)  # the answer to the next request, and nothing else
        first, rest = head("/v1/posses/ads/events")
        self.assertIn(b"text/event-stream", first)
        self.assertTrue(rest.startswith(b"HTTP/1.1 200 OK"), rest)

    def test_the_end_of_a_long_answer_does_not_wait_for_the_client(self):
        """If it did, it would take 40 ms, however fast the machine is. One fast answer shows that it does not."""
        client = self.start().client()
        client.post("/v1/posses", ADS)

        def took():
            begin = time.monotonic()
            self.assertEqual(client.post("/v1/posses/ads/decide", {"n": 1000})[0], 200)
            return time.monotonic() - begin

        self.assertTrue(any(took() < 0.03 for _ in range(200)))

    def test_405_names_all_methods(self):
        client = self.start().client()
        client.post("/v1/posses", ADS)
        for method, path, allowed in (
            ("PUT", "/v1/posses", "GET, HEAD, POST"),
            ("PUT", "/v1/posses/ads", "GET, HEAD, DELETE"),
            ("HEAD", "/v1/posses/ads/decide", "POST"),
            ("POST", "/healthz", "GET, HEAD"),
        ):
            self.assertEqual(client.ask(method, path)[0], 405)
            self.assertEqual(client.last.headers["Allow"], allowed)
        self.assertEqual(client.get("/healthz")[0], 200)
        self.assertNotIn("Allow", client.last.headers)

    def test_a_header_that_may_be_there_once(self):
        server = self.start()
        server.client().post("/v1/posses", ADS)
        post = "POST /v1/posses/ads/decide HTTP/1.1\r\n"
        for lines in (
            "Host: localhost\r\nContent-Length: 2\r\nContent-Length: 7",
            "Host: localhost\r\nContent-Length: 2\r\ncontent-length: 2",
            "Host: localhost\r\nHost: elsewhere\r\nContent-Length: 2",
        ):
            said = raw(server.host, server.port, f"{post}{lines}\r\n\r\n{{}}".encode())
            self.assertIn(b" 400 ", said.splitlines()[0])
            self.assertIn(b"Connection: close", said)
        self.check(server.client().get("/v1/posses/ads"), 200, decisions=0)

    def test_numbers_of_json(self):
        client = self.start().client()
        client.post("/v1/posses", ADS)
        decisions = client.post("/v1/posses/ads/decide", '{"n": 2.0}')[1]["decisions"]
        self.assertEqual(len(decisions), 2)
        self.assertEqual(client.post("/v1/posses/ads/turn", '{"n": 1.0}')[0], 200)
        self.assertEqual(client.post("/v1/posses/ads/decide", '{"n": 1.5}')[0], 400)
        for number in ("1" + "0" * 30, "-1" + "0" * 30, "1e309"):
            body = f'{{"token": "{decisions[0]["token"]}", "reward": {number}}}'
            status, answer = client.post("/v1/posses/ads/learn", body)
            self.assertEqual(status, 400)
            self.assertRegex(answer["error"], "a number is too large")

    def test_clients_that_hang_up(self):
        """Clients hang up before their request is complete, before it is answered, and with a reset. Others are not
        affected."""
        server, dice = self.start(), random.Random(4)
        c = server.client()
        self.check(c.post("/v1/posses", ADS), 201)
        decide = b"POST /v1/posses/ads/decide HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}"
        for _ in range(10):
            rude = [socket.create_connection((server.host, server.port)) for _ in range(40)]
            for one in rude:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                one.send(decide * dice.choice([1, 2, 5]) if dice.random() < 0.8 else decide[: dice.randrange(90)])
            time.sleep(dice.choice([0, 0.01]))
            dice.shuffle(rude)
            for one in rude:
                one.close()
        state = self.check(c.get("/v1/posses/ads"), 200)
        self.assertEqual(state["decisions"], state["pending"])
        self.assertEqual(server.stop(), 0)

    def test_one_database_has_one_server(self):
        self.start()
        with self.assertRaisesRegex(RuntimeError, "another process is serving it"):
            Server(self.folder)

    def test_unix_socket_and_drain(self):
        path = str(self.folder / "socket")
        for _ in range(2):  # the second one finds the socket of a killed server
            server = self.start(listen=f"unix:{path}")
            with socket.socket(socket.AF_UNIX) as s:
                s.connect(path)
                s.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
                self.assertIn(b'{"status":"alive"}', s.recv(10000))
            server.stop(9)
        server = self.start(listen=f"unix:{path}")
        self.assertEqual(server.stop(), 0)
        self.assertFalse(pathlib.Path(path).exists())

    def test_a_damaged_posse_is_named_and_can_be_set_aside(self):
        with self.start() as server:
            for name in ("ads", "others"):
                self.check(server.client().post("/v1/posses", {**ADS, "name": name}), 201)
            self.assertEqual(server.stop(), 0)
        with contextlib.closing(sqlite3.connect(server.database)) as database, database:
            database.execute("UPDATE snapshot SET bytes = zeroblob(50) WHERE posse = (SELECT id FROM posse WHERE name = 'ads')")
        with self.assertRaisesRegex(RuntimeError, 'the posse "ads" cannot be recovered'):
            self.start()
        way_out = re.search(r'sqlite3 posse.db "(UPDATE .*)"', (pathlib.Path(__file__).parents[2] / "docs/operating.md").read_text())[1]
        with contextlib.closing(sqlite3.connect(server.database)) as database, database:
            database.execute(way_out)
        c = self.start().client()
        self.check(c.get("/v1/posses/others"), 200)
        self.check(c.get("/v1/posses/ads"), 404)
        self.check(c.post("/v1/posses", ADS), 201)

    def test_numbers_are_stored_with_as_many_digits_as_they_need(self):
        context = {"shared": [0.1, -2.5, 3.0, 1e-7, 1 / 3, 1e6], "arms": [0, 2]}
        point = {"point": [0.3, 0.7]}
        with self.start() as server:
            c = server.client()
            self.check(c.post("/v1/posses", {**SHARED, "context": len(context["shared"])}), 201)
            self.check(c.post("/v1/posses", LINEAR), 201)
            self.check(c.post("/v1/posses/pages/decide", {"context": context}), 200)
            self.check(c.post("/v1/posses/linear/arms", point), 201)
            self.assertEqual(server.stop(), 0)
        with contextlib.closing(sqlite3.connect(server.database)) as database:
            bodies = [row[0] for row in database.execute("SELECT body FROM log WHERE body IS NOT NULL ORDER BY lsn")]
        self.assertEqual(bodies[0], '{"shared":[0.1,-2.5,3,1e-07,0.3333333333333333,1000000],"arms":[0,2]}')
        self.assertEqual(json.loads(bodies[0]), context)
        self.assertEqual(bodies[1], "[0.3,0.7]")

    def fill(self, server):
        """Decides and learns until 20 requests failed for lack of room. Returns the rewards that were learned, and
        the state."""
        c = server.client()
        self.check(c.post("/v1/posses", ADS), 201)
        learned, refused = [], 0
        for _ in range(3000):
            status, answer = c.post("/v1/posses/ads/decide", {"n": 20})
            if status == 200:
                rewards = [{"token": d["token"], "reward": 1} for d in answer["decisions"]]
                status, answer = c.post("/v1/posses/ads/learn", {"rewards": rewards})
                if status == 200:
                    learned += rewards
            if status != 200:
                self.assertEqual(status, 503, answer)
                refused += 1
            if refused == 20:
                break
        self.assertEqual(refused, 20)
        return learned, self.check(c.get("/v1/posses/ads"), 200)

    def check_filled(self, server, learned, state):
        """Nothing is lost, and the server decides again."""
        c = server.client()
        again = self.check(c.get("/v1/posses/ads"), 200)
        for key in ("decisions", "pending", "learners"):
            self.assertEqual(again[key], state[key])
        for at in range(0, len(learned), 5000):
            self.check(c.post("/v1/posses/ads/learn", {"rewards": learned[at : at + 5000]}), 200)
        self.check(c.get("/v1/posses/ads"), 200, pending=state["pending"])
        self.check(c.post("/v1/posses/ads/decide"), 200)

    def test_a_file_that_may_not_grow_answers_503_and_loses_nothing(self):
        with self.start(limit=400) as server:  # blocks of 1024 bytes for each file
            learned, state = self.fill(server)
            server.stop(9)
        with self.start() as server:
            self.check_filled(server, learned, state)

    def test_a_full_disk_answers_503_and_loses_nothing(self):
        with SmallDisk(self.folder / "disk") as disk:
            with Server(disk.folder, within=disk.enter) as server:
                learned, state = self.fill(server)
                disk.grow()
                self.check_filled(server, learned, state)
                state = server.client().get("/v1/posses/ads")[1]
                server.stop(9)
            with Server(disk.folder, within=disk.enter) as server:
                self.check_filled(server, learned, state)

    def memory_used(self, client):
        return int(re.search(rb"^posse_memory_bytes (\d+)", client.get("/metrics")[1], re.M)[1])

    def test_memory_of_posses_is_bounded(self):
        server = self.start("--memory", "20")
        c = server.client()
        self.check(c.post("/v1/posses", ADS), 201)
        before = self.memory_used(c)
        huge = {**SHARED, "name": "huge", "arms": 100, "context": 1000}  # 800 MB for each learner
        self.assertIn("memory", str(self.check(c.post("/v1/posses", huge), 503)))
        self.check(c.post("/v1/posses/ads/decide", {"n": 1000, "context": {"shared": [1]}}), 400)
        self.check(c.post("/v1/posses/ads/turn", {"n": 1000, "rewards": [{"token": "A" * 24, "reward": 1}]}), 400)
        self.assertLessEqual(self.memory_used(c), before + 1024)  # a table of the least size
        tokens, status = [], 200
        while status == 200 and len(tokens) < 1000000:
            status, answer = c.post("/v1/posses/ads/decide", {"n": 1000})
            tokens += [d["token"] for d in answer.get("decisions", [])]
        self.assertEqual(status, 503)
        self.assertLess(5 << 20, self.memory_used(c))  # the next step would have doubled a table
        self.assertLessEqual(self.memory_used(c), 20 << 20)
        rewards = [{"token": t, "reward": 1} for t in tokens[:9000]]
        self.check(c.post("/v1/posses/ads/turn", {"rewards": rewards[:10], "n": 1000}), 503)
        self.check(c.get("/v1/posses/ads"), 200, decisions=len(tokens), pending=len(tokens))  # all or nothing
        for number in (15, 9):  # all is restored, also with a limit that is too small
            server.stop(number)
            server = self.start("--memory", "20" if number == 15 else "1")
            c = server.client()
            self.check(c.get("/v1/posses/ads"), 200, decisions=len(tokens), pending=len(tokens))
        self.check(c.post("/v1/posses/ads/learn", {"rewards": rewards}), 200)
        self.check(c.post("/v1/posses", {**ADS, "name": "more"}), 503)

    def test_posses_that_go_give_their_memory_back(self):
        c = self.start().client()
        self.check(c.post("/v1/posses", ADS), 201)
        before = self.memory_used(c)
        for name in ("one", "two"):
            self.check(c.post("/v1/posses", {**LINEAR, "name": name}), 201)
        self.assertGreater(self.memory_used(c), before)
        for name in ("one", "two"):
            self.check(c.ask("DELETE", f"/v1/posses/{name}?confirm={name}"), 200)
        self.assertEqual(self.memory_used(c), before)

    def test_rate(self):
        c = self.start("--rate", "5").client()
        self.check(c.post("/v1/posses", ADS), 201)
        statuses = [c.post("/v1/posses/ads/decide")[0] for _ in range(12)]
        self.assertEqual(statuses[:5], [200] * 5)
        self.assertIn(429, statuses)
        self.assertEqual(c.last.headers["Retry-After"], "1")


if __name__ == "__main__":
    unittest.main()
