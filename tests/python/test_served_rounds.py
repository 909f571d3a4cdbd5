# SPDX-License-Identifier: MIT
"""Rounds of a server with features of each arm, exported as a log of Vowpal Wabbit and as tables."""

import csv
import io
import json
import random
import subprocess
import unittest

import numpy as np

import posse
from patience import until
from serving import PROGRAM, Server
from support import scratch

SHOP = {
    "name": "shop",
    "arms": ["red", "light blue", "green"],
    "dim": 64,
    "prior": "linear",
    "selector": {"kind": "bms", "floor": 0.3},
    "learners": ["linear-ucb", "linear-thompson", "ucb"],
    "features": {"interactions": ["context*arm"], "scale": {"age": {"mean": 40, "sd": 15}}},
    "joins": 5,
}

# The same offers without names: two features of each arm and one for all.
OFFERS = {
    "name": "offers",
    "arms": 3,
    "dim": 2,
    "context": 1,
    "prior": "linear",
    "selector": {"kind": "bms", "floor": 0.3},
    "learners": ["linear-ucb", "linear-thompson"],
}

VISITS = {
    "name": "visits",
    "arms": ["red", "blue, dark"],
    "context": 16,
    "prior": {"kind": "linear", "model": "disjoint"},
    "selector": {"kind": "bms", "floor": 0.3},
    "learners": ["linear-ucb", "linear-thompson"],
    "features": {},
}


def flat(features, space):
    """The features of a list by full name, as docs/features.md has them."""
    found = {}

    def take(name, value):
        for one in value if isinstance(value, list) else [value]:
            key = f"{name}={one}" if isinstance(one, str) else name
            found[key] = found.get(key, 0) + (1 if isinstance(one, str) else float(one))

    for name, value in features.items():
        inner = value if isinstance(value, dict) else {"": value}
        for part, one in inner.items():
            full = f"{name}.{part}" if part else name if "." in name else f"{space}.{name}"
            if one is not None:
                take(full, one)
    return found


class Rounds(unittest.TestCase):
    def setUp(self):
        self.folder = scratch(self)
        self.server = Server(self.folder)
        self.addCleanup(self.server.__exit__)
        self.client = self.server.client()
        self.dice = random.Random(3)

    def create(self, description):
        self.assertEqual(self.client.post("/v1/posses", description)[0], 201)

    def play(self, name, body):
        status, decision = self.client.post(f"/v1/posses/{name}/decide", body)
        self.assertEqual(status, 200, decision)
        reward = round(self.dice.gauss(0, 2), 3)
        self.assertEqual(self.client.post(f"/v1/posses/{name}/learn", {"token": decision["token"], "reward": reward})[0], 200)
        return decision, reward

    def export(self, name, form, status=0, stderr=""):
        command = [PROGRAM, "export", name, "--database", self.server.database, f"--log={form}"]
        said = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual((said.returncode, said.stderr), (status, stderr))
        return said.stdout

    def log_of(self, name):
        path = self.folder / f"{name}.vw"
        path.write_text(self.export(name, "vw"))
        return posse.read_vw(path)

    def table_of(self, name, form, stderr=""):
        return list(csv.DictReader(io.StringIO(self.export(name, form, stderr=stderr))))

    def visit(self):
        """A visitor with names and words of every sort."""
        context = {"age": self.dice.randrange(20, 60), "new": self.dice.random() < 0.5, "income": None}
        context["likes"] = [self.dice.choice(["sea", "sun", "a|b:c 100%", "1e5"]) for _ in range(3)]
        context["user"] = {"country": self.dice.choice(["de", "fr", "côte d'ivoire"])}
        context["trip.days to go"] = self.dice.random() * 1e-7
        return context

    def shop(self, rounds=60):
        self.create(SHOP)
        played = []
        for i in range(rounds):
            names = ["light blue", "green", "red"] if i % 3 else ["green", "light blue"]
            if i == rounds - 1:
                names = ["brown", "red"]  # an arm joins
            body = {"context": self.visit(), "arms": {name: {"price": round(self.dice.random(), 2)} for name in names}}
            if i % 5 == 0:
                body["arms"]["light blue" if "light blue" in names else "red"] = {}
            played.append((body, *self.play("shop", body)))
        return played

    def test_features_of_each_arm_go_to_vowpal_wabbit_and_back(self):
        played, order = self.shop(), ["red", "light blue", "green", "brown"]
        log = self.log_of("shop")
        self.assertEqual((len(log), log.context), (len(played), 0))
        columns = {}  # in the order in which they first appear
        for (body, decision, reward), logged in zip(played, log):
            arms = sorted(body["arms"], key=order.index)
            self.assertEqual((logged.reward, logged.probability), (reward, decision["propensity"]))
            self.assertEqual(arms[logged.arm], decision["name"])
            shared = flat(body["context"], "context")
            rows = [{**shared, **flat(body["arms"][arm], "arm")} for arm in arms]
            for row in rows:
                for name in row:
                    columns.setdefault(name, len(columns))
            expected = np.zeros((len(arms), log.dim))
            for i, row in enumerate(rows):
                for name, number in row.items():
                    expected[i, columns[name]] = number
            np.testing.assert_array_equal(logged.context.points, expected)
        self.assertEqual(len(columns), log.dim)
        text = (self.folder / "shop.vw").read_text()
        self.assertIn(" 'light%20blue |arm price:", text)
        self.assertIn("likes=a%7Cb%3Ac%20100%25:1", text)

    def test_an_experiment_reads_the_rounds(self):
        self.shop()
        log = self.log_of("shop")
        results = posse.run(
            {
                "name": "again",
                "runs": 2,
                "rounds": len(log),
                "seed": 1,
                "environment": {"kind": "log", "file": str(self.folder / "shop.vw"), "estimate": "ips"},
                "learners": [{"kind": "fixed", "name": "first", "arm": 0}],
            }
        )
        first = sum(r.reward / r.probability for r in log if r.arm == 0) / len(log)
        self.assertAlmostEqual(results["first"].final_value, first, delta=1e-12)

    def test_a_table_has_a_row_for_each_arm(self):
        played, order = self.shop(), ["red", "light blue", "green", "brown"]
        rows = self.table_of("shop", "arms")
        self.assertEqual(list(rows[0])[:6], ["decision", "arm", "name", "played", "reward", "probability"])
        for body, decision, reward in played:
            for name in sorted(body["arms"], key=order.index):
                row = rows.pop(0)
                self.assertEqual((row["name"], int(row["arm"])), (name, order.index(name)))
                mine = name == decision["name"]
                outcome = [str(float(row[k])) if row[k] else "" for k in ("reward", "probability")]
                self.assertEqual(outcome, [str(reward), str(decision["propensity"])] if mine else ["", ""])
                self.assertEqual(row["played"], str(int(mine)))
                features = {k: float(v) for k, v in list(row.items())[6:] if float(v) != 0}
                sent = {**flat(body["context"], "context"), **flat(body["arms"][name], "arm")}
                self.assertEqual(features, {k: v for k, v in sent.items() if v != 0})
        self.assertEqual(rows, [])

    def test_numbers_of_each_arm_are_exported_also_after_arms_have_changed(self):
        self.create(OFFERS)
        played, arms = [], [0, 1, 2]
        for i in range(40):
            if i == 10:
                self.assertEqual(self.client.post("/v1/posses/offers/arms")[0], 201)
                arms = [0, 1, 2, 3]
            if i == 20:
                self.assertEqual(self.client.ask("DELETE", "/v1/posses/offers/arms/1")[0], 200)
                arms = [0, 2, 3]
            if i == 30:  # ids have another epoch
                self.server.stop()
                self.server = Server(self.folder)
                self.addCleanup(self.server.__exit__)
                self.client = self.server.client()
            some = [0, 2] if i % 4 == 3 else arms
            points = [[self.dice.gauss(0, 1), 0.0] for _ in some]
            context = {"shared": [self.dice.random()], "points": points, **({"arms": some} if i % 4 == 3 else {})}
            played.append((some, context, *self.play("offers", {"context": context})))
        log, rows = self.log_of("offers"), self.table_of("offers", "arms")
        for (some, context, decision, reward), logged in zip(played, log, strict=True):
            self.assertEqual((some[logged.arm], logged.reward, logged.probability), (decision["arm"], reward, decision["propensity"]))
            expected = [[*context["shared"], *point] for point in context["points"]]
            np.testing.assert_array_equal(logged.context.points, expected)
            mine = [rows.pop(0) for _ in some]
            self.assertEqual([int(row["arm"]) for row in mine], some)
            self.assertEqual([[float(row[k]) for k in ("s0", "x0", "x1")] for row in mine], expected)
        self.assertEqual(rows, [])

    def test_shared_features_by_name_are_columns_and_lines(self):
        self.create(VISITS)
        played = []
        for _ in range(30):
            context = self.visit()
            played.append((context, *self.play("visits", {"context": context})))
        table, log = self.table_of("visits", "csv"), self.log_of("visits")
        self.assertEqual((log.arms, log.dim, log.context), (2, 0, len(table[0]) - 3))
        for (context, decision, reward), row, logged in zip(played, table, log, strict=True):
            self.assertEqual(row["arm"], decision["name"])
            self.assertEqual((logged.arm, logged.reward, logged.probability), (decision["arm"], reward, decision["propensity"]))
            self.assertEqual((float(row["reward"]), float(row["probability"])), (reward, decision["propensity"]))
            features = {k: float(v) for k, v in list(row.items())[3:]}
            self.assertEqual({k: v for k, v in features.items() if v}, {k: v for k, v in flat(context, "context").items() if v})
            np.testing.assert_array_equal(logged.context.shared, list(features.values()))

    def test_an_experiment_reads_a_table_with_names(self):
        self.create(VISITS)
        played = [self.play("visits", {"context": self.visit()}) for _ in range(30)]
        path = self.folder / "visits.csv"
        path.write_text(self.export("visits", "csv"))
        columns = {"arm": "arm", "reward": "reward", "probability": "probability", "features": "*"}
        results = posse.run(
            {
                "name": "again",
                "runs": 2,
                "rounds": 30,
                "seed": 1,
                "environment": {"kind": "log", "file": str(path), "estimate": "ips", **columns},
                "learners": [{"kind": "fixed", "name": "blue", "arm": 0}, {"kind": "linear-ucb", "name": "seeing"}],
            }
        )
        blue = sum(reward / d["propensity"] for d, reward in played if d["name"] == "blue, dark") / 30
        self.assertAlmostEqual(results["blue"].final_value, blue, delta=1e-12)

    def test_pairs_keep_their_indices(self):
        diagonal = {"kind": "linear", "covariance": "diagonal"}
        sparse = {"prior": diagonal, "learners": [{"kind": "linear-ucb", "covariance": "diagonal"}], "nonzeros": 5, "context": 50}
        self.create({"name": "sparse", "arms": 2, "selector": {"kind": "bms", "floor": 0.3}, **sparse})
        first = self.play("sparse", {"context": {"shared": {"7": 1.5, "0": 2}}})
        second = self.play("sparse", {"context": {"shared": {"49": -1, "7": 3}}})
        table = self.table_of("sparse", "csv")
        self.assertEqual([int(row["arm"]) for row in table], [first[0]["arm"], second[0]["arm"]])
        cells = [{key: float(row[key]) for key in ("x1", "x8", "x50")} for row in table]
        self.assertEqual(cells, [{"x1": 2, "x8": 1.5, "x50": 0}, {"x1": 0, "x8": 3, "x50": -1}])
        lines = [sorted(line.split("|s ")[1].split()) for line in self.export("sparse", "vw").splitlines()]
        self.assertEqual(lines, [["s0:2", "s7:1.5"], ["s49:-1", "s7:3"]])

    def test_available_arms_are_listed(self):
        self.create(VISITS)
        every, one = self.play("visits", {"context": {"age": 1}}), self.play("visits", {"context": {"age": 2}, "arms": ["red"]})
        self.assertEqual(self.client.post("/v1/posses/visits/arms", {"name": "grey"})[0], 201)
        some = self.play("visits", {"context": {"age": 3}, "arms": ["grey", "red"]})
        self.assertEqual(one[0]["propensity"], 1)
        log = self.export("visits", "vw", stderr="posse export: 1 rewards are left out: one arm was available\n")
        ages = {1: every, 3: some}
        for line, (age, (decision, reward)) in zip(log.splitlines(), ages.items(), strict=True):
            others = {1: ["1", "2"], 3: ["1", "3"]}[age]
            others.remove(str(decision["arm"] + 1))
            label = f"{decision['arm'] + 1}:{0 - reward:g}:{decision['propensity']!r}"
            name = decision["name"].replace(" ", "%20")
            self.assertEqual(line, f"{label} {others[0]} '{name} |context age:{age}")
        refused = "posse export: visits cannot be a log: some rounds have only some of the arms, and a CSV file has all arms in "
        self.export("visits", "csv", 2, refused + "every round; write --log=vw or --log=arms\n")

    def test_an_erased_unit_has_no_features_in_any_form(self):
        self.create(VISITS)
        for unit, word in (("ann", "secret"), ("bob", "open"), ("ann", "secret"), ("bob", "open")):
            self.play("visits", {"context": {"word": word}, "unit": unit})
        self.assertEqual(self.client.post("/v1/posses/visits/erase?confirm=visits", {"unit": "ann"})[0], 200)
        left_out = "posse export: 2 rewards are left out: their features were erased, or deleted with old records\n"

        def erased():
            command = [PROGRAM, "export", "visits", "--database", self.server.database, "--log=vw"]
            return subprocess.run(command, capture_output=True, text=True).stderr == left_out

        until(erased)
        for form, rows in (("vw", 2), ("csv", 3), ("arms", 5)):
            text = self.export("visits", form, stderr=left_out)
            self.assertNotIn("secret", text)
            self.assertEqual((text.count("open") > 0, len(text.splitlines())), (True, rows), form)

    def test_what_is_wrong_in_a_context_has_its_place(self):
        sparse = {**OFFERS, "name": "sparse", "dim": 100, "context": 100, "nonzeros": 3}
        named = {**OFFERS, "name": "named", "arms": ["red", "blue", "dark"], "joins": 5}
        rows = [[1, 2], [3, 4], [5, 6]]
        wrong = (
            ("offers", {"shared": ["x"], "points": rows}, "context.shared[0]"),
            ("offers", {"shared": [1], "points": [[1, 2], [3, 4], [5, None]]}, "context.points[2][1]"),
            ("offers", {"shared": [1], "points": [[1, 2], [3], [5, 6]]}, "context.points[1]"),
            ("offers", {"shared": [1], "points": rows, "arms": [0, 1.5, 2]}, "context.arms[1]"),
            ("sparse", {"shared": {"x": 1}, "points": [{}] * 3}, "context.shared.x"),
            ("sparse", {"shared": {}, "points": [{}, {"3": "x"}, {}]}, "context.points[1].3"),
            ("sparse", {"shared": {}, "points": [{}, {}, []]}, "context.points[2]"),
            ("named", {"shared": [1], "points": rows, "arms": ["red", "blue", "red"]}, "context.arms[2]"),
            ("named", {"shared": [1], "points": rows, "arms": ["red", "", "dark"]}, "context.arms[1]"),
            ("named", {"shared": [1], "points": [[1, 2], [1e7, 4], [5, 6]], "arms": ["red", "new", "dark"]}, "context.points[1][0]"),
        )
        with Server(scratch(self)) as server:
            client = server.client()
            for posse_ in (OFFERS, sparse, named):
                self.assertEqual(client.post("/v1/posses", posse_)[0], 201)
            for name, context, path in wrong:
                status, answer = client.post(f"/v1/posses/{name}/decide", {"context": context})
                self.assertEqual((status, answer["path"]), (400, path), answer)

    def test_what_a_form_cannot_have_is_refused(self):
        self.shop(3)
        refused = "posse export: shop cannot be a log: its rounds have features of each arm, and a CSV file has features that all arms "
        self.export("shop", "csv", 2, refused + "share; write --log=vw or --log=arms\n")
        command = [PROGRAM, "export", "shop", "--database", self.server.database, "--log=html"]
        said = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual((said.returncode, said.stdout), (2, ""))
        self.assertIn('"html" is no form of a log; csv, vw and arms are', said.stderr)

    def test_too_many_columns_are_refused(self):
        self.create({**VISITS, "name": "words"})
        words = [f"w{i}" for i in range(4097)]
        self.play("words", {"context": {"title": words}})
        refused = "posse export: words cannot be a log: its features would have more than 4096 columns; --log=vw has no columns\n"
        self.export("words", "csv", 2, refused)
        self.assertEqual(json.dumps(words[-1])[1:-1] + ":1", self.export("words", "vw").split()[-1].split("=")[1])


if __name__ == "__main__":
    unittest.main()
