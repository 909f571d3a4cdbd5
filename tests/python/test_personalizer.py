# SPDX-License-Identifier: MIT
"""Rank, reward and activate, as a client of Personalizer sends them: plain HTTP from the public description, with kills,
hostile requests and roles. A rank is the decision that `decide` makes with the same names."""

import concurrent.futures
import contextlib
import hashlib
import http.client
import itertools
import json
import math
import random
import re
import signal
import sqlite3
import threading
import unittest
import urllib.parse

import posse
from patience import until
from serving import Server, raw
from support import scratch

FEATURES = {
    "arms": ["pasta", "soup"],
    "joins": 8,
    "dim": 48,
    "prior": "logistic",
    "learners": ["linear-ucb", "linear-thompson"],
    "features": {"interactions": ["user*dish"]},
    "seed": 5,
}
PLAIN = {"arms": ["pasta", "soup", "salad"], "prior": "beta", "learners": ["thompson", "ucb"], "seed": 5, "record": True}
DISHES = {"pasta": {"meat": True, "price": 0.9}, "soup": {"meat": False, "price": 0.4}, "salad": {"meat": False, "price": 0.5}}
LOST = (OSError, http.client.HTTPException)


class Personalizer:
    """A client of the service at an endpoint, such as http://127.0.0.1:7677/v1/posses/menu."""

    def __init__(self, server, name, key=None, version="v1.0"):
        self.client, self.base = server.client(), f"/v1/posses/{name}/personalizer/{version}"
        self.headers = {"Content-Type": "application/json", **({"Ocp-Apim-Subscription-Key": key} if key else {})}

    def post(self, path, body=None):
        return self.client.ask("POST", self.base + path, body, self.headers)

    def rank(self, actions, context=(), excluded=(), event=None, defer=False, unit=None):
        """The status, and the answer."""
        body = {"contextFeatures": list(context), "actions": actions, "excludedActions": list(excluded), "deferActivation": defer}
        more = {"eventId": event, "unit": unit}
        return self.post("/rank", body | {key: value for key, value in more.items() if value is not None})

    def reward(self, event, value):
        return self.post(f"/events/{urllib.parse.quote(event, safe='')}/reward", {"value": value})[0]

    def activate(self, event):
        return self.post(f"/events/{urllib.parse.quote(event, safe='')}/activate")[0]


def menu(names=DISHES):
    return [{"id": name, "features": [{"dish": DISHES[name]}]} for name in names]


def visitor(n):
    return [{"user": {"diet": ["meat", "vegan"][n % 2], "age": n % 5}}, {"hour": "noon"}]


def liked(n, dish):
    """The probability that visitor n likes a dish."""
    return 0.8 if DISHES[dish]["meat"] == (n % 2 == 0) else 0.1


SHOWS = [0.5, 0.25, 0.25]  # how often the present rule shows each dish


def present_rule(chance):
    return chance.choices(range(3), SHOWS)[0]


def rates_of(kind, n):
    """The probability that visitor n likes each dish: with features it depends on the visitor."""
    return [0.2, 0.5, 0.7] if kind == "plain" else [liked(n, arm) for arm in PLAIN["arms"]]


class Ranks(unittest.TestCase):
    def setUp(self):
        self.folder = scratch(self)

    def start(self, *options, **settings):
        self.server = Server(self.folder, *options, **settings)
        self.addCleanup(self.server.__exit__)
        return self.server

    def restart(self, number=signal.SIGKILL, *options):
        self.server.stop(number)
        return self.start(*options)

    def create(self, name, **description):
        status, said = self.server.client().post("/v1/posses", {"name": name, **description})
        self.assertEqual(status, 201, said)

    def state(self, name):
        return self.server.client().get(f"/v1/posses/{name}")[1]

    def report(self, name):
        return self.server.client().get(f"/v1/posses/{name}/report")[1]

    def rows(self, question):
        with contextlib.closing(sqlite3.connect(self.folder / "posse.db")) as database:
            return database.execute(question).fetchall()

    def change(self, script):
        """Runs sentences on the database of a server that has stopped."""
        with contextlib.closing(sqlite3.connect(self.folder / "posse.db")) as database:
            database.executescript(script)

    # ---- what a client does every day

    def test_a_client_of_the_public_description_works(self):
        self.start()
        self.create("menu", **FEATURES, expire_seconds=600, expire_reward=0)
        for version in ("v1.0", "v1.1-preview.1", "v1.1-preview.3"):
            p, chance, right = Personalizer(self.server, "menu", version=version), random.Random(3), 0
            for n in range(150):
                event = f"{version}-{n}" if n % 2 else None
                status, said = p.rank(menu(), visitor(n), event=event)
                self.assertEqual((status, set(said)), (201, {"ranking", "eventId", "rewardActionId"}))
                self.assertEqual({one["id"] for one in said["ranking"]}, set(DISHES))
                self.assertEqual(said["ranking"][0]["id"], said["rewardActionId"])
                self.assertAlmostEqual(sum(one["probability"] for one in said["ranking"]), 1, places=12)
                self.assertEqual(said["eventId"], event or said["eventId"])
                self.assertEqual(p.reward(said["eventId"], float(chance.random() < liked(n, said["rewardActionId"]))), 204)
                right += n >= 100 and liked(n, said["rewardActionId"]) > 0.5
        self.assertGreater(right, 35)  # of the last 50; at random it would be 25
        self.assertEqual((self.state("menu")["decisions"], self.state("menu")["pending"]), (450, 0))
        self.assertEqual(Personalizer(self.server, "menu", version="v2.0").rank(menu())[0], 404)

    def test_a_rank_is_a_decision_with_the_same_names(self):
        """Two posses of the same description: one ranks, the other decides with features by their full names."""
        for more in ({}, {"propensity_draws": 40}, {"selector": {"kind": "bms-plus", "floor": 0.2}}):
            self.start()
            self.create("ranks", **FEATURES, **more)
            self.create("decides", **FEATURES, **more)
            p, other, chance = Personalizer(self.server, "ranks"), self.server.client(), random.Random(1)
            self.same_rounds(p, other, chance, "propensity_draws" in more)
            ranks, decides = self.report("ranks"), self.report("decides")
            self.assertEqual(ranks, decides)
            self.restart()
            again = Personalizer(self.server, "ranks"), self.server.client(), random.Random(2), "propensity_draws" in more
            self.same_rounds(*again)
            self.server.stop()
            states = self.rows("SELECT bytes FROM snapshot ORDER BY posse")
            self.assertEqual(len(states), 2)
            self.assertEqual(states[0], states[1])
            (self.folder / "posse.db").unlink()

    def same_rounds(self, p, other, chance, estimates):
        for n in range(60):
            names = chance.sample(sorted(DISHES), chance.randint(1, 3))
            excluded = names[1:2] if len(names) > 1 and n % 3 == 0 else []
            defer, reward = n % 7 == 0, float(chance.random() < 0.5)
            features = {"context": {"user.diet": ["meat", "vegan"][n % 2], "user.age": n % 5, "hour": "noon", "v.0": 1, "v.1": n}}
            features["arms"] = {name: {f"dish.{k}": v for k, v in DISHES[name].items()} for name in names if name not in excluded}
            status, made = other.post("/v1/posses/decides/decide", {**features, "defer": defer})
            self.assertEqual(status, 200, made)
            said = p.rank(menu(names), [*visitor(n), {"v": [1, n]}], excluded, defer=defer)[1]
            self.assertEqual(said["rewardActionId"], made["name"])
            if estimates:
                self.assertEqual(said["ranking"][0]["probability"], made["propensity"])
            if defer and n % 2:
                continue
            if defer:
                self.assertEqual(p.activate(said["eventId"]), 204)
                self.assertEqual(other.post("/v1/posses/decides/activate", {"token": made["token"]})[0], 200)
            self.assertEqual(p.reward(said["eventId"], reward), 204)
            self.assertEqual(other.post("/v1/posses/decides/learn", {"token": made["token"], "reward": reward})[0], 200)

    def test_probabilities_are_those_of_the_object(self):
        """A posse in this process makes the same decisions; its propensities, with the decision as one more draw, are
        the probabilities of a rank."""
        draws = 80
        self.start()
        self.create("menu", **PLAIN, propensity_draws=draws)
        near, p = posse.Posse(**{k: v for k, v in PLAIN.items() if k != "record"}, propensity_draws=draws), Personalizer(self.server, "menu")
        for n in range(60):
            shares = dict(zip(PLAIN["arms"], near.propensities(draws=draws).arms, strict=True))
            d, said = near.decide(), p.rank([{"id": name} for name in PLAIN["arms"]])[1]
            self.assertEqual(said["rewardActionId"], d.name)
            for one in said["ranking"]:
                wanted = (draws * shares[one["id"]] + (one["id"] == d.name)) / (draws + 1)
                self.assertAlmostEqual(one["probability"], wanted, places=14)
            falling = [one["probability"] for one in said["ranking"][1:]]
            self.assertEqual(falling, sorted(falling, reverse=True))
            near.learn(d, n % 3 == 0)
            self.assertEqual(p.reward(said["eventId"], float(n % 3 == 0)), 204)

    def test_excluded_actions_are_never_shown(self):
        self.start()
        self.create("menu", **FEATURES)
        p = Personalizer(self.server, "menu")
        for n, left in itertools.product(range(5), DISHES):
            excluded = [name for name in DISHES if name != left] + ["no such action"]
            said = p.rank(menu(), visitor(n), excluded)[1]
            self.assertEqual(said["rewardActionId"], left)
            self.assertEqual([one["probability"] for one in said["ranking"]], [1, 0, 0])

    def test_a_posse_without_features_names_the_way_to_exclude(self):
        self.start()
        self.create("plain", **PLAIN)
        actions = [{"id": name} for name in PLAIN["arms"]]
        status, said = Personalizer(self.server, "plain").rank(actions, excluded=["soup"])
        self.assertEqual(status, 400)
        way = json.loads("{" + said["error"]["message"].split(" with ")[1] + "}")
        self.create("able", arms=PLAIN["arms"], rewards="clicks", **way)
        for _ in range(20):
            status, said = Personalizer(self.server, "able").rank(actions, excluded=["soup"])
            self.assertEqual(status, 201, said)
            self.assertIn({"id": "soup", "probability": 0}, said["ranking"])
            self.assertNotEqual(said["rewardActionId"], "soup")

    def test_pause_and_holdback_hold_for_ranks(self):
        self.start()
        self.create("menu", **FEATURES)
        p, client = Personalizer(self.server, "menu"), self.server.client()
        self.assertEqual(client.post("/v1/posses/menu/modes", {"control": "soup", "paused": True})[0], 200)
        for n in range(5):
            said = p.rank(menu(), visitor(n))[1]
            self.assertEqual((said["rewardActionId"], [one["probability"] for one in said["ranking"]]), ("soup", [1, 0, 0]))
            self.assertEqual(p.reward(said["eventId"], 1.0), 204)
        self.assertEqual(sum(arm["rewards"] for arm in self.report("menu")["arms"]), 0)  # nothing is learned in a pause
        self.assertEqual(client.post("/v1/posses/menu/modes", {"paused": False, "holdback": 0.5})[0], 200)
        for n in range(30):
            said = p.rank(menu(), visitor(n))[1]
            chances = {one["id"]: one["probability"] for one in said["ranking"]}
            self.assertGreaterEqual(chances["soup"], 0.5 * 100 / 101)  # the draw of this decision is the 101st
            self.assertAlmostEqual(sum(chances.values()), 1, places=12)

    # ---- units

    def shown(self, p, n, unit, **more):
        """The action that the unit gets, and its probability. It is rewarded."""
        status, said = p.rank(menu(), visitor(n), unit=unit, **more)
        self.assertEqual(status, 201, said)
        self.assertAlmostEqual(sum(one["probability"] for one in said["ranking"]), 1, places=12)
        self.assertEqual(p.reward(said["eventId"], float(n % 2)), 204)
        return said["rewardActionId"], said["ranking"][0]["probability"]

    def test_a_unit_keeps_its_action(self):
        self.start()
        self.create("menu", **FEATURES)
        p, client, units = Personalizer(self.server, "menu"), self.server.client(), [f"visitor {n}" for n in range(20)]
        client.post("/v1/posses/menu/modes", {"units": 100, "sticky_rounds": 1000})
        first = [self.shown(p, n, unit) for n, unit in enumerate(units)]
        self.assertGreater(len({action for action, _ in first}), 1)
        self.assertTrue(any(probability < 1 for _, probability in first))
        for turn in range(2):
            for n, unit in enumerate(units):
                self.assertEqual(self.shown(p, n + turn, unit), (first[n][0], 1))
                self.assertEqual(self.shown(p, n, unit, excluded=["no such action"]), (first[n][0], 1))
            self.restart()
            p, client = Personalizer(self.server, "menu"), self.server.client()
        self.assertEqual(client.post("/v1/posses/menu/peek", {"context": {}, "unit": units[3]})[1]["name"], first[3][0])
        other, _ = self.shown(p, 0, units[3], excluded=[first[3][0]])
        self.assertNotEqual(other, first[3][0])
        self.assertEqual(self.shown(p, 0, units[3]), (other, 1))
        asked = {"contextFeatures": visitor(1), "actions": menu(), "eventId": "one", "unit": "ann"}
        answer = p.post("/rank", asked)
        self.assertEqual(p.post("/rank", asked), answer)
        for changed in ({**asked, "unit": "bob"}, {key: value for key, value in asked.items() if key != "unit"}):
            self.assertEqual(p.post("/rank", changed)[0], 409)
        self.assertEqual(self.rows("SELECT count(*) FROM log WHERE kind = 'decide' AND mode = 'kept'"), [(81,)])

    def test_a_unit_is_in_the_holdback_or_not(self):
        self.start()
        self.create("menu", **FEATURES)
        p, client, units = Personalizer(self.server, "menu"), self.server.client(), [f"visitor {n}" for n in range(30)]
        client.post("/v1/posses/menu/modes", {"control": "soup", "holdback": 0.4, "units": 100})
        held = [client.post("/v1/posses/menu/peek", {"context": {}, "unit": unit})[1].get("mode") for unit in units]
        self.assertEqual(set(held), {"holdback", None})
        for turn in range(3):
            for n, unit in enumerate(units):
                action, probability = self.shown(p, n + turn, unit)
                if held[n]:
                    self.assertEqual(action, "soup")
                    self.assertGreaterEqual(probability, 0.4)
            self.restart()
            p = Personalizer(self.server, "menu")
        modes = self.rows("SELECT unit, group_concat(DISTINCT ifnull(mode, '')) FROM log WHERE kind = 'decide' GROUP BY unit")
        self.assertEqual([dict(modes)[unit] or None for unit in units], held)
        counted = self.report("menu")["holdback"]
        self.assertEqual([counted[group]["rewards"] for group in ("control", "posse")], [held.count(mode) for mode in ("holdback", None)])

    def test_each_rank_of_a_unit_is_a_decision(self):
        """Also where units keep pending decisions, in shadow mode and if the present rule is a learner: an event has its
        own reward."""
        rule = {"kind": "external", "name": "present"}
        for learners, shadow in ((FEATURES["learners"], False), (FEATURES["learners"], True), ([*FEATURES["learners"], rule], False)):
            self.start()
            self.create("menu", **FEATURES | {"learners": learners})
            p, client = Personalizer(self.server, "menu"), self.server.client()
            client.post("/v1/posses/menu/modes", {"units": 100, "shadow": shadow})
            for n in range(12):
                names = sorted(DISHES)[n % 3 :] + sorted(DISHES)[: n % 3]
                status, said = p.rank(menu(names), visitor(n), event=f"e{n}", defer=n % 4 == 0, unit="ann")
                self.assertEqual(status, 201, said)
                if shadow:
                    self.assertEqual(said["rewardActionId"], names[0])
            self.assertEqual((self.state("menu")["decisions"], self.state("menu")["pending"]), (12, 12))
            self.restart()
            p = Personalizer(self.server, "menu")
            for n in range(12):
                self.assertEqual(p.reward(f"e{n}", n % 2), 409 if n % 4 == 0 else 204)
                if n % 4 == 0:
                    self.assertEqual((p.activate(f"e{n}"), p.reward(f"e{n}", n % 2)), (204, 204))
            self.assertEqual((self.state("menu")["decisions"], self.state("menu")["pending"]), (12, 0))
            self.server.stop()
            (self.folder / "posse.db").unlink()

    def test_erasing_a_unit_erases_its_ranks(self):
        self.start()
        rule = {"kind": "external", "name": "present"}
        self.create("menu", **FEATURES | {"learners": [*FEATURES["learners"], rule], "joins": 3})
        p, client = Personalizer(self.server, "menu"), self.server.client()
        for n in range(30):
            for unit, word in (("ann@home", "tandem"), ("bob@home", "unicycle")):
                context = [*visitor(n), {"garage": {"has": f"{word}-{n}"}}]
                status, said = p.rank(menu(["pasta", "soup"]), context, event=f"{word[0]}{n}", unit=unit, defer=n == 29)
                self.assertEqual(status, 201, said)
                if n < 29:
                    self.assertEqual(p.reward(said["eventId"], 1.0), 204)
        self.assertGreater(self.rows("SELECT count(*) FROM log WHERE kind = 'acted' AND body LIKE '%tandem%'")[0][0], 0)
        self.assertEqual(client.post("/v1/posses/menu/erase?confirm=menu", {"unit": "ann@home"})[0], 200)
        self.restart()
        until(lambda: self.rows("SELECT count(*) FROM erasing") == [(0,)])
        count = "SELECT count(*) FROM log WHERE body LIKE '%{0}%' OR unit LIKE '%{0}%'"
        for erased in ("tandem", "ann@home"):
            self.assertEqual(self.rows(count.format(erased)), [(0,)])
        for kept in ("unicycle", "bob@home"):
            self.assertGreaterEqual(self.rows(count.format(kept))[0][0], 30)
        self.restart()
        p = Personalizer(self.server, "menu")
        self.assertEqual((self.state("menu")["decisions"], self.state("menu")["pending"]), (60, 2))
        self.assertEqual((p.reward("t3", 1.0), p.reward("t3", 0.0), p.activate("u29"), p.reward("u29", 1.0)), (204, 409, 204, 204))

    # ---- events

    def test_requests_may_be_repeated(self):
        self.start()
        self.create("menu", **FEATURES)
        p = Personalizer(self.server, "menu")
        asked = {"contextFeatures": visitor(1), "actions": menu(), "eventId": "a visit / 1?%&#é漢"}
        first = p.post("/rank", asked)
        self.assertEqual(first[0], 201)
        self.assertEqual(first[1]["eventId"], asked["eventId"])
        for other in ({"contextFeatures": visitor(2)}, {"excludedActions": ["soup"]}, {"deferActivation": True}, {"actions": menu(["soup"])}, {"unit": "ann"}):
            self.assertEqual(p.post("/rank", {**asked, **other})[0], 409)
        for _ in range(3):
            self.assertEqual(p.post("/rank", dict(reversed(asked.items()))), first)
            self.assertEqual(p.reward(asked["eventId"], 1.0), 204)
            self.restart(random.choice([signal.SIGKILL, signal.SIGTERM]))
            p = Personalizer(self.server, "menu")
        self.assertEqual(p.reward(asked["eventId"], 0.0), 409)
        self.assertEqual(p.activate(asked["eventId"]), 204)  # it was shown
        self.assertEqual(p.post("/rank", {**asked, "contextFeatures": []})[0], 409)  # the id stays taken
        self.assertEqual((self.state("menu")["decisions"], self.report("menu")["arms"][0]["rewards"] + self.report("menu")["arms"][1]["rewards"]
                          + self.report("menu")["arms"][2]["rewards"]), (1, 1))
        for event in ("a visit", "", "nobody", "x" * 256):
            self.assertEqual((p.reward(event, 1.0), p.activate(event)), (404, 404))
        self.create("other", **FEATURES)
        self.assertEqual(Personalizer(self.server, "other").reward(asked["eventId"], 1.0), 404)

    def test_many_requests_in_one_commit(self):
        """A client that does not wait for answers may reward an event in the same commit."""
        self.start()
        self.create("menu", **FEATURES)
        rank = json.dumps({"eventId": "e", "actions": menu(), "deferActivation": True})
        base = "/v1/posses/menu/personalizer/v1.0"
        asked = [("/rank", rank), ("/rank", rank), ("/events/e/reward", '{"value": 1}'), ("/events/e/activate", ""),
                 ("/events/e/reward", '{"value": 1}'), ("/events/e/reward", '{"value": 1}'), ("/events/e/reward", '{"value": 0}')]
        data = "".join(f"POST {base}{path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n{body}" for path, body in asked)
        said = raw(self.server.host, self.server.port, data.encode(), ["POST"] * len(asked))
        statuses = re.findall(rb"HTTP/1.1 (\d+)", said)
        self.assertEqual(statuses, [b"201", b"201", b"409", b"204", b"204", b"204", b"409"])
        self.assertEqual((self.state("menu")["decisions"], self.state("menu")["pending"]), (1, 0))

    def test_deferred_events_learn_nothing_until_shown(self):
        self.start()
        self.create("menu", **FEATURES, expire_after=6, expire_reward=0)
        p = Personalizer(self.server, "menu")
        before = self.report("menu")["arms"]
        events = [p.rank(menu(["pasta", "soup"]), visitor(n), event=f"e{n}", defer=True)[1]["eventId"] for n in range(3)]
        self.assertEqual([p.reward(event, 1.0) for event in events], [409] * 3)
        self.restart()
        p = Personalizer(self.server, "menu")
        self.assertEqual([p.activate(events[0]) for _ in range(2)], [204, 204])
        self.assertEqual(p.reward(events[0], 1.0), 204)
        self.assertEqual(sum(arm["rewards"] for arm in self.report("menu")["arms"]), 1)
        self.assertEqual(p.activate(events[1]), 204)  # and gets no reward: the default
        for n in range(8):
            self.assertEqual(p.rank(menu(["pasta", "soup"]), visitor(n), defer=True)[0], 201)
        self.assertEqual((p.activate(events[1]), p.reward(events[1], 1.0)), (409, 409))
        self.restart()
        p = Personalizer(self.server, "menu")
        self.assertEqual((p.activate(events[2]), p.reward(events[2], 1.0)), (204, 204))  # ten ranks later
        after = self.report("menu")["arms"]
        self.assertEqual(sum(arm["rewards"] for arm in after) - sum(arm["rewards"] for arm in before), 3)
        learned = [reward for kind, reward in self.rows("SELECT kind, reward FROM log WHERE kind IN ('learn', 'expire')") if reward is not None]
        self.assertEqual(learned, [1, 0, 1])
        self.assertEqual((self.state("menu")["pending"], self.state("menu")["deferred"]), (8, 8))
        client = self.server.client()
        self.assertEqual(client.post("/v1/posses/menu/expire", {"age": 0})[1], {"expired": 0})
        self.assertEqual(client.post("/v1/posses/menu/expire", {"age": 3, "deferred": True})[1], {"expired": 5})
        self.assertEqual(client.post("/v1/posses/menu/expire", {"age": 3, "deferred": 1})[1]["path"], "deferred")
        self.restart()
        self.assertEqual((self.state("menu")["pending"], self.state("menu")["deferred"]), (3, 3))

    def test_the_default_reward_comes_after_the_window(self):
        self.start()
        self.create("menu", **FEATURES, expire_seconds=1, expire_reward=0.25)
        p = Personalizer(self.server, "menu")
        event = p.rank(menu(), visitor(0), event="slow")[1]["eventId"]
        later = p.rank(menu(), visitor(0), event="later", defer=True)[1]["eventId"]
        until(lambda: self.state("menu")["pending"] == 1)
        self.assertEqual((p.reward(event, 1.0), p.reward(later, 1.0), p.activate(later)), (409, 409, 204))
        until(lambda: self.state("menu")["pending"] == 0)  # its window began when it was shown
        self.assertEqual((p.reward(later, 1.0), p.activate(later)), (409, 409))
        rewards = [reward for (reward,) in self.rows("SELECT reward FROM log WHERE kind = 'expire'")]
        self.assertEqual(rewards, [0.25, 0.25])
        self.assertEqual(p.rank(menu(), visitor(0), event="slow")[1]["eventId"], event)  # the answer stays

    def test_events_do_not_grow_without_limit(self):
        self.start()
        self.create("menu", **FEATURES)
        self.create("gone", **FEATURES)
        Personalizer(self.server, "gone").rank(menu(), event="with it")
        p = Personalizer(self.server, "menu")
        for n in range(30):
            p.rank(menu(), visitor(n), event=f"e{n}")
        for n in range(0, 30, 2):
            p.reward(f"e{n}", 1.0)
        self.assertEqual(self.server.client().ask("DELETE", "/v1/posses/gone?confirm=gone")[0], 200)
        self.server.stop()
        self.change("UPDATE event SET at = at - 86400 WHERE name NOT IN ('e28', 'e29')")
        self.start()
        until(lambda: self.rows("SELECT count(*) FROM event")[0][0] == 16)
        p = Personalizer(self.server, "menu")
        self.assertEqual([p.reward(f"e{n}", 1.0) for n in (0, 1, 26, 28, 29)], [404, 204, 404, 204, 204])
        self.assertEqual(p.rank(menu(), visitor(7), event="e0")[0], 201)  # the id is free again
        self.assertEqual(self.rows("SELECT count(*) FROM event WHERE posse = 2"), [(0,)])

    def test_old_databases_are_converted(self):
        self.start()
        self.create("menu", **FEATURES)
        p = Personalizer(self.server, "menu")
        p.rank(menu(), event="before")
        self.server.stop()
        self.change("DROP TABLE event; DROP TABLE large; DROP TABLE state; UPDATE about SET format = 6")
        self.start()
        p = Personalizer(self.server, "menu")
        self.assertEqual(self.rows("SELECT format FROM about"), [(8,)])
        self.assertEqual((p.reward("before", 1.0), p.rank(menu(), event="after")[0], p.reward("after", 1.0)), (404, 201, 204))

    def test_a_commit_that_fails_has_no_event(self):
        """Another process has the database, so nothing can be written. The same requests succeed afterwards."""
        self.start()
        self.create("menu", **FEATURES)
        p = Personalizer(self.server, "menu")
        p.rank(menu(), event="before")
        with contextlib.closing(sqlite3.connect(self.folder / "posse.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            status, said = p.rank(menu(), event="e")
            self.assertEqual((status, said["error"]["code"], p.reward("before", 1.0)), (503, "InternalServerError", 503))
            other.execute("ROLLBACK")
        self.assertEqual((self.state("menu")["decisions"], self.state("menu")["pending"]), (1, 1))
        self.assertEqual((p.reward("e", 1.0), p.rank(menu(), event="e")[0], p.reward("e", 1.0), p.reward("before", 1.0)), (404, 201, 204, 204))

    def test_kills_lose_no_event(self):
        """Clients repeat each request until it is answered, while the server is killed. Every event is one decision,
        with one reward, and later answers are the first ones."""
        self.start()
        self.create("menu", **FEATURES)
        self.create("plain", **{**PLAIN, "record": False})
        answers, lock, rounds = {}, threading.Lock(), 5

        def ask(server_now, name, n):
            actions = menu() if name == "menu" else [{"id": arm} for arm in PLAIN["arms"]]
            p = Personalizer(server_now, name)
            for k in range(60):
                event = f"{n}-{k}"
                status, said = p.rank(actions, visitor(k) if name == "menu" else (), event=event)
                with lock:
                    self.assertEqual((status, answers.setdefault((name, event), said)), (201, said))
                if k % 3:
                    self.assertEqual(p.reward(event, float(k % 2)), 204)

        def insist(name, n, problems):
            while True:
                try:
                    return ask(self.server, name, n)
                except LOST:
                    pass
                except BaseException as problem:
                    return problems.append(problem)

        for n in range(rounds):
            problems = []
            clients = [threading.Thread(target=insist, args=(name, f"{n}{one}", problems)) for one in "ab" for name in ("menu", "plain")]
            for client in clients:
                client.start()
            until(lambda: len(answers) > 240 * n + 60 + 20 * n)
            self.server.process.kill()
            self.server.process.wait()
            self.start()
            for client in clients:
                client.join()
            self.assertEqual(problems, [])
        self.assertEqual(len(answers), 4 * 60 * rounds)
        for name in ("menu", "plain"):
            state = self.state(name)
            self.assertEqual((state["decisions"], state["pending"]), (120 * rounds, 40 * rounds))
            p = Personalizer(self.server, name)
            for event, said in [(e, s) for (of, e), s in answers.items() if of == name][::50]:
                k = int(event.split("-")[1])
                self.assertEqual(p.reward(event, float(k % 2)), 204)
                actions = menu() if name == "menu" else [{"id": arm} for arm in PLAIN["arms"]]
                self.assertEqual(p.rank(actions, visitor(k) if name == "menu" else (), event=event), (201, said))

    # ---- apprentice mode

    def test_an_apprentice_shows_the_first_action(self):
        """The shadow mode of an object in this process, with the same names, has the same report."""
        for defer in (False, True):
            self.start()
            self.create("menu", **FEATURES)
            self.server.client().post("/v1/posses/menu/modes", {"shadow": True})
            near, p, chance = posse.Posse(**FEATURES), Personalizer(self.server, "menu"), random.Random(4)
            near.set_modes(shadow=True)
            for n in range(80):
                names, excluded = chance.sample(sorted(DISHES), 3), ["soup"] if n % 4 == 0 else []
                left = [name for name in names if name not in excluded]
                said = p.rank(menu(names), visitor(n), excluded, event=f"e{n}", defer=defer)[1]
                self.assertEqual(said["rewardActionId"], left[0])
                self.assertEqual([one["probability"] for one in said["ranking"]], [1, 0, 0])
                if n in (30, 60):
                    self.restart()
                    p = Personalizer(self.server, "menu")
                if defer:
                    self.assertEqual((p.reward(f"e{n}", 1.0), p.activate(f"e{n}"), p.activate(f"e{n}")), (409, 204, 204))
                context = {"user": visitor(n)[0]["user"], "hour": "noon"}
                offers = {name: {"dish": DISHES[name]} for name in left}
                d = near.decide(context, arms=offers)
                near.acted(d, left[0], context=posse.Context(shared=context, arms=offers))
                reward = float(chance.random() < liked(n, left[0]))
                near.learn(d, reward)
                self.assertEqual(p.reward(f"e{n}", reward), 204)
            far, wanted = posse.connect(f"http://127.0.0.1:{self.server.port}/menu"), near.report().shadow
            found = far.report().shadow
            self.assertEqual((found.rounds, found.agreed, found.rule, found.low, found.high, found.agreed_low, found.agreed_high),
                             (80, wanted.agreed, wanted.rule, wanted.low, wanted.high, wanted.agreed_low, wanted.agreed_high))
            self.assertTrue(math.isnan(found.estimate) and math.isnan(wanted.estimate))
            self.assertTrue(0 < found.agreed < 80 and found.agreed_low <= found.agreed / 80 <= found.agreed_high)
            far.close()
            self.server.stop()
            (self.folder / "posse.db").unlink()

    def test_the_present_rule_can_be_a_learner(self):
        """As an external learner, the rule competes with the others: what it plays is the first action."""
        self.start()
        self.create("menu", **{**FEATURES, "learners": ["logistic-thompson", {"kind": "external", "name": "present"}]})
        p, shown = Personalizer(self.server, "menu"), 0
        for n in range(60):
            said = p.rank(menu(["soup", "pasta"]), visitor(n), event=f"e{n}", defer=n % 5 == 0)[1]
            self.assertAlmostEqual(sum(one["probability"] for one in said["ranking"]), 1, places=12)
            if n % 5 == 0:
                self.assertEqual((p.reward(f"e{n}", 1.0), p.activate(f"e{n}")), (409, 204))
            self.assertEqual(p.reward(f"e{n}", float(said["rewardActionId"] == "soup")), 204)
        acted = self.rows("SELECT learner, arm FROM log WHERE kind = 'acted'")
        shown = [arm for learner, arm in acted if learner == "present"]
        self.assertGreater(len(shown), 5)
        self.assertEqual(set(shown), {1})  # soup
        self.assertEqual(self.state("menu")["pending"], 0)

    def simulate(self, kind, seed):
        """An apprentice of 40 events: the report, what its suggestions would have earned, and how often the rule, which
        plays at random, shows what was suggested. The log has the suggestions."""
        name, chance, expected = f"{kind}-{seed}", random.Random(1000 + seed), []
        self.create(name, **{**(PLAIN if kind == "plain" else FEATURES), "arms": PLAIN["arms"], "seed": seed})
        client, p = self.server.client(), Personalizer(self.server, name)
        client.post(f"/v1/posses/{name}/modes", {"shadow": True})
        for n in range(40):
            first, rates = present_rule(chance), rates_of(kind, n)
            names = [PLAIN["arms"][first], *(arm for a, arm in enumerate(PLAIN["arms"]) if a != first)]
            said = p.rank([{"id": arm} for arm in names], event=str(n)) if kind == "plain" else p.rank(menu(names), visitor(n), event=str(n))
            self.assertEqual(said[1]["rewardActionId"], names[0])
            self.assertEqual(p.reward(str(n), float(chance.random() < rates[first])), 204)
            expected.append(rates)
        client.close()
        p.client.close()
        log = f"SELECT arm FROM log JOIN posse ON id = posse WHERE name = '{name}' AND kind = 'decide' ORDER BY lsn"
        suggested = [arm for (arm,) in self.rows(log)]
        earned = sum(rates[arm] for rates, arm in zip(expected, suggested, strict=True)) / 40
        with posse.connect(f"http://127.0.0.1:{self.server.port}/{name}") as far:
            return far.report().shadow, earned, sum(SHOWS[arm] for arm in suggested) / 40

    def simulate_near(self, kind, seed):
        """The same with a posse in this process, which is faster, and with 1000 rounds."""
        chance, earned, alike = random.Random(seed), 0.0, 0.0
        given = {key: value for key, value in (PLAIN if kind == "plain" else FEATURES).items() if key not in ("record", "joins")}
        p = posse.Posse(**{**given, "arms": PLAIN["arms"], "seed": seed})
        p.set_modes(shadow=True)
        for n in range(1000):
            first, rates = present_rule(chance), rates_of(kind, n)
            context = {} if kind == "plain" else {"context": posse.Context(shared=visitor(n)[0], arms={arm: {"dish": DISHES[arm]} for arm in PLAIN["arms"]})}
            d = p.decide(**context)
            earned, alike = earned + rates[d.arm] / 1000, alike + SHOWS[d.arm] / 1000
            p.acted(d, PLAIN["arms"][first], **context)
            p.learn(d, chance.random() < rates[first])
        return p.report().shadow, earned, alike

    def check_intervals(self, kind, all_):
        right = sum(found.low <= earned <= found.high for found, earned, _ in all_)
        alike = sum(found.agreed_low <= share <= found.agreed_high for found, _, share in all_)
        self.assertEqual(len(all_), 100)
        self.assertGreaterEqual(min(right, alike), 95, (kind, right, alike))
        self.assertTrue(all(math.isnan(found.estimate) == (kind == "features") for found, _, _ in all_))
        return [sum(width(found) for found, _, _ in all_) / 100
                for width in (lambda f: f.high - f.low, lambda f: f.agreed_high - f.agreed_low)]

    def test_apprentice_intervals_hold_in_95_of_100_simulations(self):
        """With features, the interval is that of the worst and the best case."""
        self.start()
        for kind in ("plain", "features"):
            with concurrent.futures.ThreadPoolExecutor(10) as crew:
                self.check_intervals(kind, list(crew.map(lambda seed, kind=kind: self.simulate(kind, seed), range(1, 101))))

    def test_apprentice_intervals_become_narrow(self):
        """In 100 simulations of 1000 rounds the intervals hold, and are narrow enough to tell something. With features,
        the rule agrees in a third of the rounds, so the worst and the best case are two thirds apart."""
        for kind, most in (("plain", 0.3), ("features", 0.85)):
            earned, agreed = self.check_intervals(kind, [self.simulate_near(kind, seed) for seed in range(1, 101)])
            self.assertLess(earned, most)
            self.assertLess(agreed, 0.15)

    def test_erased_features_are_not_activated(self):
        """A deferred event of an apprentice needs the features of its round, which may be erased meanwhile."""
        self.start()
        self.create("menu", **FEATURES)
        client = self.server.client()
        client.post("/v1/posses/menu/modes", {"shadow": True})
        p = Personalizer(self.server, "menu")
        for n in range(12):
            p.rank(menu(), visitor(n), event=f"e{n}", defer=True)
        self.assertEqual(client.post("/v1/posses/menu/erase?confirm=menu")[0], 200)
        until(lambda: self.rows("SELECT count(*) FROM erasing")[0][0] == 0)
        statuses = {p.activate(f"e{n}") for n in range(12)}
        self.assertEqual(statuses, {204, 409})  # where both agreed, nothing else is needed
        self.assertEqual({p.activate(f"e{n}") for n in range(12)}, {204, 409})

    # ---- requests that are wrong

    def test_wrong_requests_change_nothing(self):
        self.start("--pending", "5")
        self.create("menu", **FEATURES)
        self.create("plain", **PLAIN)
        self.create("numbers", arms=3, context=2, prior="linear", learners=["linear-ucb"])
        self.create("ball", dim=2, prior="linear", learners=["thompson"])
        client, deep = self.server.client(), {}
        inner = deep
        for _ in range(300):
            inner["x"] = inner = {}
        inner["x"] = 1
        fine = menu(["pasta"])
        wrong = [
            {}, {"actions": None}, {"actions": []}, {"actions": {}}, {"actions": "pasta"}, {"actions": [1]}, {"actions": ["pasta"]},
            {"actions": [{}]}, {"actions": [{"id": 3}]}, {"actions": [{"id": ""}]}, {"actions": [{"id": None}]},
            {"actions": [{"id": "x" * 50_000}]}, {"actions": [{"id": "é" * 128}]}, {"actions": [{"id": "pasta", "other": 1}]},
            {"actions": [{"id": "pasta"}, {"id": "new"}, {"id": "pasta"}]}, {"actions": [{"id": str(n)} for n in range(1001)]},
            {"actions": [{"id": "pasta", "features": 3}]}, {"actions": [{"id": "pasta", "features": {"a": 1}}]},
            {"actions": [{"id": "pasta", "features": [3]}]}, {"actions": [{"id": "pasta", "features": [{"a": 1}, {"a": 2}]}]},
            {"actions": [{"id": "pasta", "features": [{"a": [1, "b"]}]}]}, {"actions": [{"id": "pasta", "features": [{"a": [[1]]}]}]},
            {"actions": [{"id": "pasta", "features": [{"a": [{"b": 1}]}]}]}, {"actions": [{"id": "pasta", "features": [{"a": 1e300}]}]},
            {"actions": [{"id": "pasta", "features": [{"n" * 256: 1}]}]}, {"actions": [{"id": "pasta", "features": [deep]}]},
            {"actions": fine, "contextFeatures": 3}, {"actions": fine, "contextFeatures": [3]}, {"actions": fine, "contextFeatures": {"a": 1}},
            {"actions": fine, "contextFeatures": [{"a": {"b": 1}}, {"a.b": 2}]}, {"actions": fine, "contextFeatures": [{"w": "w" * 2000}]},
            {"actions": fine, "excludedActions": ["pasta"]}, {"actions": fine, "excludedActions": "soup"}, {"actions": fine, "excludedActions": [3]},
            {"actions": fine, "eventId": ""}, {"actions": fine, "eventId": 3}, {"actions": fine, "eventId": "x" * 257},
            {"actions": fine, "eventId": "x" * 50_000}, {"actions": fine, "deferActivation": "yes"}, {"actions": fine, "deferActivation": 1},
            {"actions": fine, "unit": 3}, {"actions": fine, "unit": ""}, {"actions": fine, "unit": "x" * 257},
            {"actions": fine, "unheard": 1}, '{"actions": [', "[]", "3", '{"actions": [{"id": "a\\u0000b"}]}', '{"actions": [{"id": "\\ud800"}]}',
            b'{"actions": [{"id": "\xff"}]}',
        ]
        p = Personalizer(self.server, "menu")
        for body in wrong:
            status, said = p.post("/rank", body)
            self.assertEqual(status, 400, (body, said))
            self.assertEqual((set(said), said["error"]["code"]), ({"error"}, "BadRequest"), said)
            self.assertLessEqual(len(said["error"]["message"]), 500)
        for body in ({"value": "1"}, {"value": None}, {"value": True}, {}, {"value": 1, "other": 2}, {"reward": 1}, "[]", "", '{"value": 1e999}'):
            self.assertEqual(p.post("/events/e/reward", body)[0], 400, body)
        for name in ("numbers", "ball"):
            self.assertEqual(Personalizer(self.server, name).rank(menu())[0], 400, name)
        plain = Personalizer(self.server, "plain")
        for actions, context in ((menu(), ()), ([{"id": "pasta"}], ()), ([{"id": "pasta"}] * 3, ()), ([{"id": arm} for arm in PLAIN["arms"]], visitor(0)),
                                 ([{"id": arm} for arm in ("pasta", "soup", "nobody")], ())):
            self.assertEqual(plain.rank(actions, context)[0], 400, actions)
        self.assertEqual(client.get("/v1/posses/menu/arms")[1]["arms"][1]["name"], "soup")
        for name in ("menu", "plain", "numbers", "ball"):
            self.assertEqual(self.state(name)["decisions"], 0)
        self.assertEqual(len(client.get("/v1/posses/menu/arms")[1]["arms"]), 2)
        self.assertEqual(self.rows("SELECT count(*) FROM event"), [(0,)])

        event = p.rank(menu(["pasta", "soup"]), event="fine")[1]["eventId"]
        self.assertEqual([p.reward(event, value) for value in (2.0, -1.0, 1e300)], [400, 400, 400])  # clicks are from 0 to 1
        self.assertEqual(client.ask("GET", p.base + "/rank")[0], 405)
        self.assertEqual(client.ask("DELETE", p.base + "/events/fine/reward")[0], 405)
        for path in ("/events/fine", "/events/fine/reward/x", "/events//reward", "/events/%00/reward", "/rank/x", "/configurations/service"):
            status, said = client.ask("POST", p.base + path, {"value": 1})
            self.assertEqual((status, path == "/events/%00/reward" or said["error"]["code"]), (404, path == "/events/%00/reward" or "ResourceNotFound"))
        status, said = p.post("/rank", {"actions": menu(), "unheard": "x" * (1 << 20)})
        self.assertEqual((status, said["error"]["code"]), (413, "BadRequest"))
        self.assertEqual(p.reward("x" * 9000, 1.0), 404)
        for n in range(4):
            self.assertEqual(p.rank(menu(["pasta"]))[0], 201)
        status, said = p.rank(menu(["pasta", "salad"]))
        self.assertEqual((status, said["error"]["code"]), (429, "BadRequest"))
        self.assertEqual(len(client.get("/v1/posses/menu/arms")[1]["arms"]), 2)
        self.assertEqual(p.reward(event, 1.0), 204)

    def test_arms_join_up_to_a_limit(self):
        self.start()
        self.create("menu", **{**FEATURES, "joins": 3})
        p = Personalizer(self.server, "menu")
        self.assertEqual(p.rank([{"id": "a"}, {"id": "b"}])[0], 409)
        self.assertEqual(p.rank([{"id": "a"}, {"id": "pasta"}])[0], 201)
        self.assertEqual(p.rank([{"id": "b"}, {"id": "pasta"}], excluded=["b"])[0], 201)  # an excluded one does not join
        self.create("closed", **{**FEATURES, "joins": 0})
        self.assertEqual(Personalizer(self.server, "closed").rank([{"id": "a"}])[0], 404)

    def test_names_in_any_language(self):
        self.start()
        self.create("menu", **FEATURES)
        p = Personalizer(self.server, "menu")
        names = ["漢字", "späť", "a/b", "a\"b\\", "\u202e", "👍"]
        for n in range(12):
            event = f"{names[n % 6]} {n}"
            status, said = p.rank([{"id": name, "features": [{name: {name: name}}]} for name in names], [{"é": ["ö", "ü"]}], event=event)
            self.assertEqual((status, said["eventId"]), (201, event))
            self.assertIn(said["rewardActionId"], names)
            self.assertEqual(p.reward(event, 1.0), 204)

    # ---- rights

    def test_roles(self):
        secrets = {"decide": "a", "learn": "b", "admin": "c"}
        lines = [f"{hashlib.sha256(secret.encode()).hexdigest()} {role} menu" for role, secret in secrets.items()]
        (self.folder / "tokens").write_text("\n".join(lines) + "\n")
        self.start("--tokens", self.folder / "tokens")
        self.assertEqual(self.server.client("c").post("/v1/posses", {"name": "menu", **FEATURES})[0], 201)
        for role, secret in (*secrets.items(), (None, None), ("wrong", "z")):
            p = Personalizer(self.server, "menu", secret)
            known = role in secrets
            statuses = p.rank(menu(), event=f"of {role}")[0], p.activate("nobody"), p.reward("nobody", 1.0)
            if not known:
                self.assertEqual(statuses, (401, 401, 401))
                continue
            self.assertEqual(statuses[0], 201 if role != "learn" else 403)
            self.assertEqual(statuses[1], 404 if role != "learn" else 403)
            self.assertEqual(statuses[2], 404 if role != "decide" else 403)
            bearer = self.server.client(secret).post(p.base + "/events/nobody/reward", {"value": 1})[0]
            self.assertEqual(bearer, statuses[2])
        both = self.server.client("a").ask("POST", "/v1/posses/menu/personalizer/v1.0/rank", {"actions": menu()}, {"Ocp-Apim-Subscription-Key": "c"})
        self.assertEqual(both[0], 201)
        only = self.server.client().ask("POST", "/v1/posses/menu/modes", {"shadow": True}, {"Ocp-Apim-Subscription-Key": "a"})
        self.assertEqual(only[0], 403)


if __name__ == "__main__":
    unittest.main()
