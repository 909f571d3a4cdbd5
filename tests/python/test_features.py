# SPDX-License-Identifier: MIT
"""Features by name in Python, over HTTP and in Redis: the decisions of the same features in numbers, which a twin makes here."""

import datetime
import json
import random
import unittest
import zlib
from contextlib import closing

import numpy as np
import pandas
import posse
import redising
import serving
from support import scratch

SLOTS = 64
PLAIN = {
    "arms": ["red", "blue", "green"],
    "dim": SLOTS,
    "prior": {"kind": "linear"},
    "learners": [{"kind": "linear-ucb", "width": 0.3}, {"kind": "linear-thompson"}, {"kind": "ucb"}],
}
MAP = {"interactions": ["user*arm", "context*arm"], "scale": {"age": {"mean": 40, "sd": 16}}}
NAMED = {**PLAIN, "features": MAP}
JOINS = "an arm that is not known yet joins only with a decision"


def slot(key):
    h = zlib.crc32(key.encode())
    h = (h ^ h >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    h = (h ^ h >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    h = h ^ h >> 16
    return (h >> 1) % SLOTS, 1.0 if h & 1 else -1.0


def terms(features, space):
    """The keys and numbers of features, in the order of the keys."""
    found = []
    for name, value in features.items():
        if isinstance(value, dict):
            found += terms(value, name)
        elif isinstance(value, list):
            found += [(f"{space}.{name}={word}", 1.0) for word in value]
        elif isinstance(value, str):
            found.append((f"{space}.{name}={value}", 1.0))
        elif value is not None:
            number = (value - 40) / 16 if name == "age" else float(value)
            found.append((f"{space}.{name}", number))
    return sorted(found)


def row(context, own):
    """The numbers of an arm."""
    sums, shared, mine = [0.0] * SLOTS, terms(context, "context"), terms(own, "arm")
    every = list(mine)
    for left, right in (("user", "arm"), ("context", "arm")):
        every += [(f"{a}*{b}", x * y) for a, x in shared if a.startswith(left + ".") for b, y in mine if b.startswith(right)]
    every += [*shared, ("constant", 1.0)]
    for key, number in every:
        place, sign = slot(key)
        sums[place] += sign * number
    return sums


def visit(chance):
    context = {
        "age": chance.randrange(18, 90),
        "new": chance.random() < 0.5,
        "likes": chance.sample(["sea", "snow", "sun", "café"], 2),
        "user": {"country": chance.choice(["de", "fr"]), "score": chance.random()},
        "unknown": None,
    }
    arms = {name: {"price": chance.random(), "size": chance.choice("SML")} for name in PLAIN["arms"]}
    keys = chance.sample(list(arms), 3)  # in any order
    return context, {name: arms[name] for name in keys}


class Story:
    """Rounds, and the same rounds in numbers with a posse in this process."""

    def __init__(self):
        self.chance = random.Random(4)
        self.twin = posse.Posse(**PLAIN)

    def play(self, case, rounds, decide, learn):
        for n in range(rounds):
            context, arms = visit(self.chance)
            points = [row(context, arms[name]) for name in PLAIN["arms"]]
            expected = self.twin.decide(points=points)
            token, arm, name = decide(context, arms)
            case.assertEqual((arm, name), (expected.arm, PLAIN["arms"][expected.arm]))
            reward = float((arm + n) % 2)
            self.twin.learn(expected, reward)
            learn(token, reward)


def connected_story(case, shop):
    """A posse on a server makes the decisions of a local one, and refuses what that refuses."""
    local, chance = posse.Posse(**NAMED), random.Random(9)
    for n in range(20):
        context, arms = visit(chance)
        whole, name = posse.Context(shared=frame_row(context), arms=arms), chance.choice(list(arms))
        for p in (local, shop):
            p.teach(name, n % 3, context=whole)
        case.assertEqual(shop.peek(context, arms=arms, unit="visitor").arm, local.peek(context, arms=arms, unit="visitor").arm)
        case.assertEqual(shop.decide(context, arms=arms).arm, local.decide(context, arms=arms).arm)
        case.assertEqual(shop.decide(context, arms=list(arms)[:2]).arm, local.decide(context, arms=list(arms)[:2]).arm)
        case.assertEqual([d.arm for d in shop.decide_many(2, context)], local.decide_many(2, context).arms.tolist())
        by_number = {PLAIN["arms"].index(arm): own for arm, own in arms.items()}
        case.assertEqual(shop.turn((), 1, context, arms=by_number)[0].arm, local.decide(context, arms=arms).arm)
    made = shop.decisions
    for context, arms in (({"age": [1]}, None), ({"w": 1e9}, None), ({}, {"pink": {}}), ({}, {"red": 3})):
        case.assertRaises(posse.ContextError, shop.decide, context, arms=arms)
        case.assertRaises(posse.ContextError, local.decide, context, arms=arms)
    case.assertEqual(shop.decisions, made)


class Hashing(unittest.TestCase):
    def test_the_library_hashes_as_posse_hashed(self):
        """The other tests compare the library with `row`. So posse.hashed must make the same numbers."""
        chance = random.Random(5)
        for _ in range(50):
            context, arms = visit(chance)
            for own in arms.values():
                pairs = [(f"{a}*{b}", x * y) for a, x in terms(context, "context") for b, y in terms(own, "arm")]
                keys = [*terms(own, "arm"), *pairs, *terms(context, "context"), ("constant", 1.0)]
                self.assertEqual(posse.hashed(dict(keys), SLOTS).tolist(), row(context, own))


def frame_row(features):
    """The same features with NumPy's types, as a row of a data frame has them."""
    changed = {}
    for name, value in features.items():
        if isinstance(value, bool):
            changed[name] = np.bool_(value)
        elif isinstance(value, (int, float)):
            changed[name] = np.float64(value)
        else:
            changed[name] = np.array(value) if isinstance(value, list) else value
    return pandas.Series(changed, dtype=object)


class InPython(unittest.TestCase):
    def test_names_decide_as_numbers_also_after_saving(self):
        story, box = Story(), [posse.Posse(**NAMED)]

        def decide(context, arms):
            decision = box[0].decide(context, arms=arms)
            return decision, decision.arm, decision.name

        for _ in range(2):
            story.play(self, 40, decide, lambda decision, reward: box[0].learn(decision, reward))
            box[0] = posse.load(box[0].save())
            self.assertEqual(box[0].definition["features"], {"learn_scale": 0, "constant": True, **MAP})

    def test_rows_of_a_data_frame_are_features(self):
        one, other, chance = posse.Posse(**NAMED), posse.Posse(**NAMED), random.Random(6)
        for n in range(30):
            context, arms = visit(chance)
            a = one.decide(context, arms=arms)
            b = other.decide(frame_row(context), arms={name: frame_row(own) for name, own in arms.items()})
            self.assertEqual((a.arm, a.features.tolist()), (b.arm, b.features.tolist()))
            one.learn(a, n % 2)
            other.learn(b, n % 2)

    def test_what_pandas_does_not_know_adds_nothing(self):
        frame = pandas.DataFrame({"age": pandas.array([33, None], "Int64"), "new": pandas.array([None, True], "boolean"),
                                  "country": pandas.array([None, "de"], "string")})  # fmt: skip
        known = [{"age": 33}, {"new": True, "country": "de"}]
        for rows in (frame, frame.to_dict("records"), [frame.iloc[0], frame.iloc[1]]):
            made, meant = posse.Posse(**NAMED).decide_many(rows), posse.Posse(**NAMED).decide_many(known)
            self.assertEqual(made.features.tolist(), meant.features.tolist())
        with self.assertRaisesRegex(posse.ContextError, "None is one that is not known"):
            posse.Posse(**NAMED).decide(pandas.Series({"age": float("nan")}))

    def test_names_have_their_slots(self):
        p = posse.Posse(**NAMED)
        self.assertEqual(p.feature_slots, {})
        p.decide({"age": 33, "user": {"country": "de"}}, arms={"red": {"price": 3}, "blue": {}})
        self.assertEqual(p.feature_slots, {key: slot(key)[0] for key in ("context.age", "user.country=de", "arm.price")})
        self.assertEqual(posse.load(p.save()).feature_slots, p.feature_slots)

    def test_large_products_are_called_products(self):
        with self.assertRaisesRegex(posse.ContextError, "of names, it is the sum of the features and products"):
            posse.Posse(**NAMED).decide({"age": 1e6, "user": {"age": 1e6}}, arms={"red": {"price": 3}, "blue": {"price": 1e6}})

    def test_every_verb_takes_names(self):
        named, plain, chance = posse.Posse(**NAMED), posse.Posse(**PLAIN), random.Random(7)
        for n in range(30):
            context, arms = visit(chance)
            points = [row(context, arms[name]) for name in PLAIN["arms"]]
            whole = posse.Context(shared=context, arms=arms)
            name = chance.choice(PLAIN["arms"])
            named.teach(name, n % 3, context=whole)
            plain.teach(name, n % 3, context=points)
            expected = dict(zip(PLAIN["arms"], plain.means_in(points), strict=True))
            self.assertEqual(named.means_in(whole).tolist(), [expected[arm] for arm in arms])
            few = list(arms)[:2]
            a = named.decide(context, arms={arm: arms[arm] for arm in few})
            b = plain.decide(points=[row(context, arms[arm]) for arm in few], arms=few)
            self.assertEqual((a.arm, a.features.tolist()), (b.arm, b.features.tolist()))
            bare = [row(context, {"name": arm}) for arm in few]  # without any features, arms have their names
            self.assertEqual(named.decide(context, arms=few).arm, plain.decide(points=bare, arms=few).arm)
            many = named.decide_many(2, whole)
            self.assertEqual(many.arms.tolist(), plain.decide_many(2, points=points).arms.tolist())

    def test_arms_without_features_can_be_distinguished(self):
        rates, chance = {"red": 0.05, "blue": 0.3, "green": 0.6}, random.Random(3)
        p = posse.Posse(list(rates), dim=64, rewards="clicks", features={"interactions": ["context*arm"]})
        for _ in range(400):
            decision = p.decide({"country": chance.choice(["de", "fr"])})
            p.learn(decision, float(chance.random() < rates[decision.name]))
        green = sum(p.decide({"country": "de"}).name == "green" for _ in range(50))
        self.assertGreater(green, 40)

    def test_numbers_of_arms_are_keys_too(self):
        one, other = posse.Posse(**NAMED), posse.Posse(**NAMED)
        context, arms = visit(random.Random(8))
        by_number = {PLAIN["arms"].index(name): own for name, own in arms.items()}
        self.assertEqual(one.decide(context, arms=arms).features.tolist(), other.decide(context, arms=by_number).features.tolist())

    def test_wrong_features_change_nothing(self):
        wrong = (
            ({"age": [1]}, None, "context.age", "a list of words is needed"),
            ({"a": {"b": {"c": 1}}}, None, "context.a.b", "a feature is a number, a word"),
            ({"": 1}, None, "context", "the name of a feature is empty"),
            ({"w": 1e9}, None, "context", "features must be at most"),
            ({"w": float("nan")}, None, "context.w", "nan is no feature"),
            ({"w": 10**400}, None, "context.w", "inf is no feature"),
            ({"w": datetime.date(2026, 5, 4)}, None, "context.w", "or a list of words, not date"),
            ({}, "red", "context.arms", "a list of arms is needed, such as ['red'], not a text"),
            ({"w": "a\0b"}, None, "context.w", "has a zero"),
            ({"w": "\ud800"}, None, "context.w", "not UTF-8"),
            ({3: 1}, None, "context", "is a text"),
            ({"user": {"x": 1}, "user.x": 2}, None, "context", "is there twice"),
            ({}, {"pink": {}}, "context.arms[0]", "there is no arm"),
            ({}, {"red": 3}, "arms.red", "features by name"),
            ({}, {"red": {"x": b"?"}}, "arms.red.x", "a feature is a number"),
            ({}, {}, "context.arms", ""),
        )
        p = posse.Posse(**NAMED)
        for context, arms, path, text in wrong:
            with self.assertRaises(posse.ContextError, msg=(context, arms)) as caught:
                p.decide(context, arms=arms)
            self.assertEqual(caught.exception.problem.path, path, caught.exception)
            self.assertIn(text, str(caught.exception))
        self.assertEqual(p.decisions, 0)
        self.assertRaisesRegex(posse.ContextError, "features by name, but it may be empty", p.decide)
        self.assertRaises(posse.ContextError, posse.Posse(**PLAIN).decide, {"age": 3})
        for features, path in (
            ({"interactions": ["user"]}, "features.interactions[0]"),
            ({"scale": {"age": {"mean": 1}}}, "features.scale.age"),
            ({"name": ["age"]}, "features.name"),
            ([], "features"),
        ):
            with self.assertRaises(posse.SpecificationError) as caught:
                posse.Posse(**PLAIN, features=features)
            self.assertEqual(caught.exception.problems[0].path, path)

    def test_an_arm_joins_only_with_right_features(self):
        p = posse.Posse(**NAMED, joins=5)
        with self.assertRaises(posse.ContextError):
            p.decide({}, arms={"red": {}, "pink": {"price": 1e9}})
        self.assertEqual(p.arms, 3)
        p.decide({}, arms={"red": {}, "pink": {"price": 1}})
        self.assertEqual(p.names[3], "pink")

    def test_looking_adds_no_arm(self):
        for names, given, definition in (
            (list(NAMED["arms"]), {"shared": {}, "arms": {"red": {}, "pink": {}}}, NAMED),
            (["red", "blue"], {"points": [[0, 1], [1, 0]], "arms": ["red", "pink"]}, PLAIN | {"dim": 2}),
        ):
            p = posse.Posse(**definition | {"arms": names, "joins": 5})
            context, before = posse.Context(**given), p.save()
            for look in (
                lambda: p.peek(context),
                lambda: p.peek(**given),
                lambda: p.means_in(context),
                lambda: p.deviations_in(context),
                lambda: p.propensities(10, context=context),
            ):
                with self.assertRaisesRegex(posse.ContextError, JOINS):
                    look()
                self.assertEqual((p.names, p.save()), (tuple(names), before))
            made = p.decide(context)
            self.assertEqual(p.names, (*names, "pink"))
            self.assertEqual(len(p.means_in(context)), 2)
            self.assertIn(p.peek(context).name, ("red", "pink"))
            p.learn(made, 1)
            full = posse.Posse(**definition | {"arms": names, "joins": len(names)})
            with self.assertRaisesRegex(posse.ContextError, "pink.* cannot join"):
                full.peek(context)


class OverHttp(unittest.TestCase):
    def setUp(self):
        self.folder = scratch(self)

    def test_names_decide_as_numbers_also_after_a_crash(self):
        story = Story()
        for start in range(2):
            with serving.Server(self.folder) as server, closing(server.client()) as client:
                if start == 0:
                    self.assertEqual(client.post("/v1/posses", {"name": "shop", **NAMED})[0], 201)

                def decide(context, arms):
                    status, body = client.post("/v1/posses/shop/decide", {"context": context, "arms": arms})
                    self.assertEqual(status, 200, body)
                    return body["token"], body["arm"], body["name"]

                def learn(token, reward):
                    self.assertEqual(client.post("/v1/posses/shop/learn", {"token": token, "reward": reward})[0], 200)

                story.play(self, 40, decide, learn)
                definition = client.get("/v1/posses/shop/definition")[1]
                self.assertEqual(definition["features"], {"learn_scale": 0, "constant": True, **MAP})
                seen = client.get("/v1/posses/shop/features")[1]
                for one in seen["seen"]:
                    self.assertEqual(one["slot"], slot(one["name"])[0])
                self.assertIn("user.country=de", [one["name"] for one in seen["seen"]])
                self.assertEqual(seen["scales"], [{"name": "age", "mean": 40, "sd": 16, "count": 0}])
                server.stop(9)

    def test_a_connected_posse_takes_names(self):
        with serving.Server(self.folder) as server:
            url = f"http://{server.host}:{server.port}/shop"
            with posse.connect(url, create=NAMED) as shop:
                connected_story(self, shop)
            posse.connect(url, create=NAMED).close()  # the same definition

    def test_a_definition_makes_the_same_posse(self):
        with serving.Server(self.folder) as server, closing(server.client()) as client:
            features = {"names": ["age", "user.country"], "learn_scale": 10, "constant": False, "interactions": [], "scale": {}}
            client.post("/v1/posses", {"name": "one", **PLAIN, "features": features})
            definition = client.get("/v1/posses/one/definition")[1]
            self.assertEqual(client.post("/v1/posses", {**definition, "name": "two"})[0], 201)
            self.assertEqual({**client.get("/v1/posses/two/definition")[1], "name": "one"}, definition)
            for n in range(20):
                body = {"context": {"age": n * n, "user": {"country": "de"}}}
                answers = [client.post(f"/v1/posses/{name}/decide", body)[1] for name in ("one", "two")]
                self.assertEqual(answers[0]["arm"], answers[1]["arm"])

    def test_wrong_rounds_change_nothing(self):
        wrong = (
            ({"context": {"age": [1]}}, "context.age", "a list of words is needed"),
            ({"context": {"a": {"b": {"c": 1}}}}, "context.a.b", "a feature is a number, a word"),
            ({"context": [1, 2]}, "context", "features by name"),
            ({"context": {"": 1}}, "context", "the name of a feature is empty"),
            ({"context": {"w": 1e9}}, "context", "features must be at most"),
            ({"context": {"user": {"x": 1}, "user.x": 2}}, "context", "is there twice"),
            ({"context": {}, "arms": {"pink": {}}}, "arms.pink", "there is no arm"),
            ({"context": {}, "arms": {"red": 3}}, "arms.red", "features by name"),
            ({"context": {}, "arms": {}}, "arms", "at least one arm"),
            ({"context": {}, "arms": []}, "arms", "at least one arm"),
            ({"context": {"w": 1e300}}, "context.w", "1e+300 is no feature; they must be finite and at most 1e+100"),
            ({"context": {}, "points": []}, "points", "no such key"),
            ({}, "context", "is missing; rounds have features by name, but it may be empty"),
        )
        with serving.Server(self.folder) as server, closing(server.client()) as client:
            client.post("/v1/posses", {"name": "shop", **NAMED})
            client.post("/v1/posses", {"name": "plain", **PLAIN})
            for body, path, text in wrong:
                status, answer = client.post("/v1/posses/shop/decide", body)
                self.assertIn(status, (400, 404), (body, answer))
                self.assertEqual(answer["path"], path, answer)
                self.assertIn(text, answer["error"])
            self.assertEqual(client.get("/v1/posses/shop")[1]["decisions"], 0)
            self.assertEqual(client.post("/v1/posses/plain/decide", {"arms": {"red": {}}})[0], 400)
            for features, path in (
                ({"interactions": ["user"]}, "features.interactions[0]"),
                ({"scale": {"age": {"mean": 1}}}, "features.scale.age"),
                ({"name": ["age"]}, "features.name"),
                ([], "features"),
                ({"names": ["a.b"], "interactions": ["a*c"]}, "features.interactions[0]"),
            ):
                status, answer = client.post("/v1/posses", {"name": "x", **PLAIN, "features": features})
                self.assertEqual((status, answer["path"]), (400, path), answer)

    def test_an_arm_joins_only_with_right_features(self):
        with serving.Server(self.folder) as server, closing(server.client()) as client:
            client.post("/v1/posses", {"name": "shop", **NAMED, "joins": 5})
            body = {"context": {}, "arms": {"red": {}, "pink": {"price": 1e9}}}
            self.assertEqual(client.post("/v1/posses/shop/decide", body)[0], 400)
            self.assertEqual(len(client.get("/v1/posses/shop/definition")[1]["arms"]), 3)
            body["arms"]["pink"]["price"] = 1
            status, said = client.post("/v1/posses/shop/peek", body)
            self.assertEqual((status, said["path"]), (404, "context"))
            self.assertIn(JOINS, said["error"])
            self.assertEqual(len(client.get("/v1/posses/shop/definition")[1]["arms"]), 3)
            self.assertEqual(client.post("/v1/posses/shop/decide", body)[0], 200)
            self.assertEqual(client.get("/v1/posses/shop/definition")[1]["arms"][3], "pink")


class InRedis(redising.Case):
    def test_names_decide_as_numbers_also_after_a_restart(self):
        story = Story()
        for start in range(2):
            with self.server(**redising.DURABLE) as server:
                client = server.client()
                if start == 0:
                    redising.create(client, "shop", NAMED)

                def decide(context, arms):
                    said = client.execute_command(
                        "POSSE.DECIDE", "shop", "CONTEXT", json.dumps({"context": context, "arms": arms})
                    )
                    return said[0], said[1], said[5].decode() if isinstance(said[5], bytes) else said[5]

                def learn(token, reward):
                    client.execute_command("POSSE.LEARN", "shop", token, reward)

                story.play(self, 40, decide, learn)

    def test_a_connected_posse_takes_names(self):
        with self.server() as server:
            with posse.connect(f"redis://127.0.0.1:{server.port}/shop", create=NAMED) as shop:
                connected_story(self, shop)


if __name__ == "__main__":
    unittest.main()
