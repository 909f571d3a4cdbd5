# SPDX-License-Identifier: MIT
"""openapi.json, which docs/http.md is made from, describes every key that the server reads, and no other.

The test finds these keys by asking the server: it tries every word in the server's sources as a key of every
request. The server answers every unknown key with the same message, so any other answer means that the key is read."""

import json
import re
import unittest

from serving import Server
from support import ROOT, scratch
from test_served import Schema

UNHEARD = "unheard"
ADS = {"name": "ads", "arms": 5, "prior": "beta", "learners": ["ucb", "thompson"]}
PAGES = {"name": "pages", "arms": 3, "context": 2, "prior": "linear", "learners": ["linear-ucb"]}
MENU = {"name": "menu", "arms": ["pasta"], "joins": 9, "dim": 32, "prior": "logistic", "learners": ["linear-ucb"], "features": {}}

# Where the keys are in each request, and the schema that describes them.
BODIES = {
    "POST /v1/posses": ("/v1/posses", lambda keys: {"learners": ["ucb"], **keys}),
    "POST /v1/posses/{name}/decide": ("/v1/posses/ads/decide", dict),
    "POST /v1/posses/{name}/learn": ("/v1/posses/ads/learn", dict),
    "POST /v1/posses/{name}/turn": ("/v1/posses/ads/turn", dict),
    "POST /v1/posses/{name}/forget": ("/v1/posses/ads/forget", dict),
    "POST /v1/posses/{name}/peek": ("/v1/posses/ads/peek", dict),
    "POST /v1/posses/{name}/modes": ("/v1/posses/ads/modes", dict),
    "POST /v1/posses/{name}/activate": ("/v1/posses/ads/activate", dict),
    "POST /v1/posses/{name}/acted": ("/v1/posses/ads/acted", dict),
    "POST /v1/posses/{name}/arms": ("/v1/posses/ads/arms", dict),
    "POST /v1/posses/{name}/teach": ("/v1/posses/ads/teach", dict),
    "POST /v1/posses/{name}/erase": ("/v1/posses/ads/erase?confirm=ads", dict),
    "POST /v1/posses/{name}/expire": ("/v1/posses/ads/expire", dict),
    "POST /v1/posses/{name}/next_task": ("/v1/posses/ads/next_task", dict),
    "POST /v1/posses/{name}/personalizer/{version}/rank": ("/v1/posses/ads/personalizer/v1.0/rank", dict),
    "POST /v1/posses/{name}/personalizer/{version}/events/{event}/reward": ("/v1/posses/ads/personalizer/v1.0/events/e/reward", dict),
    "Reward": ("/v1/posses/ads/learn", lambda keys: {"rewards": [keys]}),
    "Context": ("/v1/posses/pages/decide", lambda keys: {"context": keys}),
}


def words():
    """Every quoted word in the sources of the server."""
    text = "".join(file.read_text() for folder in ("app/engine", "app/serve", "app/served") for file in sorted((ROOT / folder).glob("*.c")))
    return sorted(set(re.findall(r'"([A-Za-z_]{1,24})"', text)) - {UNHEARD})


class Described(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.document = json.loads((ROOT / "app/serve/openapi.json").read_text())

    def setUp(self):
        server = Server(scratch(self))
        self.addCleanup(server.__exit__)
        self.client = server.client()
        for one in (ADS, PAGES, MENU):
            self.assertEqual(self.client.post("/v1/posses", one)[0], 201)

    def operations(self):
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                yield f"{method.upper()} {path}", operation

    def schema(self, name):
        """The schema of the body of a request, or the schema with this name."""
        if name in self.document["components"]["schemas"]:
            return self.document["components"]["schemas"][name]
        return dict(self.operations())[name]["requestBody"]["content"]["application/json"]["schema"]

    def properties(self, schema):
        if "$ref" in schema:
            return self.properties(self.schema(schema["$ref"].rsplit("/", 1)[1]))
        if "oneOf" in schema:
            return {key: how for one in schema["oneOf"] for key, how in self.properties(one).items()}
        return schema["properties"]

    def answer(self, path, body, key):
        """The answer to a key, without the key itself and without suggestions. An accepted null has no errors."""
        status, said = self.client.post(path, body({key: None}))
        errors = [problem["error"] for problem in said.get("problems", [said]) if "error" in problem]
        errors = [error["message"] if isinstance(error, dict) else error for error in errors]
        return status, [re.sub(r"; did you mean .*", "", error).replace(f'"{key}"', "KEY") for error in errors]

    def test_keys_that_are_read_are_described(self):
        described = {name for name, operation in self.operations() if "requestBody" in operation}
        self.assertEqual(described - set(BODIES), {"POST /v1/posses/{name}/learners"})  # a part: kinds.md has its keys
        for name, (path, body) in BODIES.items():
            unknown = self.answer(path, body, UNHEARD)
            self.assertEqual(unknown[0], 400, unknown)
            wanted = set(self.properties(self.schema(name)))
            read = {key for key in wanted | set(words()) if self.answer(path, body, key) != unknown}
            with self.subTest(body=name):
                self.assertEqual(read, wanted)

    def test_parameters_that_are_read_are_described(self):
        text = "".join(file.read_text() for file in (ROOT / "app/serve").glob("*.c"))
        read = set(re.findall(r'evhttp_find_header\(&?pairs, "(\w+)"\)', text))
        described = {p["name"] for _, o in self.operations() for p in o.get("parameters", ()) if p.get("in") == "query"}
        self.assertEqual(read, described)

    def decisions(self, name, keys):
        """The decisions of a posse with these keys, which learns after each."""
        status, said = self.client.post("/v1/posses", {**ADS, **keys, "name": name})
        self.assertEqual(status, 201, said)
        made = []
        for i in range(40):
            decision = self.client.post(f"/v1/posses/{name}/decide")[1]
            reward = {"token": decision.pop("token"), "reward": (decision["arm"] + i) % 3 == 0}
            self.assertEqual(self.client.post(f"/v1/posses/{name}/learn", reward)[0], 200)
            made.append(decision)
        return made

    def test_defaults_are_as_described(self):
        usual = self.decisions("usual", {})
        points = {"arms": 5, "points": [[1, 0], [0, 1], [0.6, 0.8], [0.8, 0.6], [-1, 0]], "prior": "linear"}
        for other in ({"seed": 2}, {"selector": "bms"}, {"selector": "uniform"}):
            self.assertNotEqual(self.decisions("-".join(map(str, other.values())), other), usual)
        for key, how in self.properties(self.schema("Posse")).items():
            if "default" not in how:
                continue
            with self.subTest(key=key):
                if key == "arms":  # `points` implies it
                    without = {k: v for k, v in points.items() if k != "arms"}
                    self.assertEqual(self.decisions("points", points), self.decisions("counted", {**without, "arms": 0}))
                else:
                    self.assertEqual(self.decisions(key, {key: how["default"]}), usual)

    def test_bounds_are_as_described(self):
        for key, how in self.properties(self.schema("Posse")).items():
            beyond = [how[end] + step for end, step in (("minimum", -1), ("maximum", 1)) if end in how]
            for value in beyond:
                with self.subTest(key=key, value=value):
                    status, said = self.client.post("/v1/posses", {**ADS, "name": "beyond", key: value})
                    self.assertEqual((status, said.get("path")), (400, key), said)

    def test_examples_are_right(self):
        for name, operation in self.operations():
            if "requestBody" in operation:
                content = operation["requestBody"]["content"]["application/json"]
                with self.subTest(request=name):
                    self.assertTrue(Schema(self.document).fits(content["example"], content["schema"]))
                    text = json.dumps({**content["example"], **({"name": "example"} if name == "POST /v1/posses" else {})})
                    if "token" not in text:
                        confirmed = any(p.get("name") == "confirm" for p in operation.get("parameters", ()))
                        path = name.split(" ")[1] + ("?confirm={name}" if confirmed else "")
                        path = path.replace("{name}", "menu" if "{version}" in name else "ads").replace("{version}", "v1.0")
                        said = self.client.post(path.replace("{event}", "visit-17"), text)
                        self.assertIn(said[0], (200, 201, 204), said)

    def test_everything_has_a_description(self):
        def look(where, schema):
            for key, how in schema.get("properties", {}).items():
                self.assertIn("description", how, f"{where}.{key}")
                look(f"{where}.{key}", how.get("items", how))
            for one in schema.get("oneOf", ()):
                look(where, one)

        for name, operation in self.operations():
            self.assertIn(operation.get("x-role"), ("none", "any", "decide", "learn", "decide, learn", "admin"), name)
            if "requestBody" in operation:
                look(name, self.schema(name))
        for name, schema in self.document["components"]["schemas"].items():
            look(name, schema)


if __name__ == "__main__":
    unittest.main()
