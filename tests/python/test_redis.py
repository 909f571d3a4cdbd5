# SPDX-License-Identifier: MIT
"""The commands of the module for Redis."""

import json
import re
import socket
import unittest

import posse
from patience import PATIENCE
from redising import ADS, SHOP, Case, create, decide, info, mapped, play, play_alone, redis, token_parts
from support import ROOT, WRITTEN_OUT


class Commands(Case):
    def setUp(self):
        super().setUp()
        self.one = self.server()
        self.client = self.one.client()

    def refused(self, code, *command):
        """The command is refused with this code, and changes nothing."""
        before = self.client.execute_command("DEBUG", "DIGEST")
        with self.assertRaises(redis.ResponseError) as caught:
            self.client.execute_command(*command)
        said = str(caught.exception)
        known = {"ERR": "", "OOM": ""}.get(code, code + " ")  # redis-py removes these
        self.assertTrue(said.startswith(known), said)
        self.assertEqual(self.client.execute_command("DEBUG", "DIGEST"), before)
        return said

    def test_it_decides_what_a_posse_decides(self):
        for definition in (ADS, SHOP, {**ADS, "selector": "bms", "seed": 2**63}):
            create(self.client, "k", definition)
            self.assertEqual(play(self.client, "k", 300), play_alone(posse.Posse(**definition), 300))
            self.client.delete("k")

    def test_the_default_selector_is_bms_plus(self):
        expected = play_alone(posse.Posse(**ADS, selector=WRITTEN_OUT), 300)
        for named in ({}, {"selector": "bms-plus"}, {"selector": WRITTEN_OUT}):
            create(self.client, "k", {**ADS, **named})
            self.assertEqual(play(self.client, "k", 300), expected)
            self.client.delete("k")
        create(self.client, "k", {**ADS, "selector": {"kind": "bms-plus", "share": False}})
        own = play_alone(posse.Posse(**ADS, selector={**WRITTEN_OUT, "share": False}), 300)
        self.assertEqual(play(self.client, "k", 300), own)

    def test_with_rewards_alone_the_default_is_thompson(self):
        rules = {"learners": [{"kind": "external", "name": name} for name in ("old", "new")]}
        for named, kind in (({}, b"thompson"), ({"selector": "recommended"}, b"thompson"), ({"selector": "ucb"}, b"ucb")):
            create(self.client, "k", {**rules, **named})
            info = self.client.execute_command("POSSE.INFO", "k")
            pairs = info if isinstance(info, dict) else dict(zip(info[::2], info[1::2]))
            self.assertEqual(pairs[b"selector"], kind)
            self.client.delete("k")

    def test_reading_needs_no_permission_to_write(self):
        create(self.client)
        ask = self.client.execute_command
        ask("ACL", "SETUSER", "reader", "on", "nopass", "%R~ads", "+posse.info", "+posse.decide")
        self.assertEqual(ask("ACL", "DRYRUN", "reader", "POSSE.INFO", "ads"), b"OK")
        self.assertNotEqual(ask("ACL", "DRYRUN", "reader", "POSSE.DECIDE", "ads"), b"OK")
        docs = ask("EVAL", "return redis.call('COMMAND', 'DOCS', 'posse.turn')", 0)
        self.assertIn(b"Learns rewards, and then makes decisions.", str(docs).encode())
        self.refused("ERR", "POSSE.LEARN", "ads")

    def test_the_documents_have_the_complexity_of_each_command(self):
        documents = (ROOT / "docs" / "limits.md").read_text().replace("\\*", "*")
        rows = [line.split(" | ") for line in documents.splitlines() if line.startswith("| `POSSE.")]
        told = {}
        for commands, times, *_ in rows:
            names, times = re.findall(r"`(POSSE\.[A-Z ]+)`", commands), re.findall(r"O\((?:[^()]|\([^()]*\))*\)", times)
            told.update(zip(names, times if len(times) == len(names) else times * len(names)))
        given = {}

        def read(docs):
            for name, doc in mapped(docs).items():
                given[name.upper().replace("|", " ")] = doc["complexity"].decode()
                if "subcommands" in doc:
                    given.pop(name.upper())
                    read(sum(([key.encode(), value] for key, value in doc["subcommands"].items()), []))

        ask = "local names = redis.call('COMMAND', 'LIST', 'FILTERBY', 'MODULE', 'posse') "
        read(self.client.eval(ask + "return redis.call('COMMAND', 'DOCS', unpack(names))", 0))
        self.assertEqual({name: re.split("[,;] [A-Z]: ", text)[0] for name, text in given.items()}, told)

    def test_commands_with_subcommands_have_help(self):
        for command in ("POSSE.LEARNER", "POSSE.ARM"):
            lines = self.client.execute_command(command, "HELP")
            self.assertTrue(any(line.startswith(b"RETIRE <key>") for line in lines), lines)

    def test_what_changes_nothing_leaves_a_watch_alone(self):
        create(self.client)
        token = decide(self.client)[0]
        self.client.execute_command("POSSE.LEARN", "ads", token, 1)
        other = self.one.client()

        def transaction(*command):
            """Whether a transaction on a watched key is made, if another client sends a command in between."""
            with self.client.pipeline() as pipeline:
                pipeline.watch("ads")
                try:
                    other.execute_command(*command)
                except redis.ResponseError:
                    pass
                pipeline.multi()
                pipeline.set("mark", 1)
                try:
                    return pipeline.execute() == [True]
                except redis.WatchError:
                    return False

        self.assertTrue(transaction("POSSE.LEARN", "ads", token, 1))  # repeated
        self.assertTrue(transaction("POSSE.LEARN", "ads", token, 0))  # refused
        self.assertTrue(transaction("POSSE.INFO", "ads"))
        self.assertTrue(transaction("POSSE.EXPIRE", "ads", 1000))
        self.assertFalse(transaction("POSSE.DECIDE", "ads"))
        self.assertFalse(transaction("POSSE.ARM", "RETIRE", "ads", 1))
        self.assertTrue(transaction("POSSE.ARM", "RETIRE", "ads", 1))
        self.assertFalse(transaction("DEL", "ads"))
        self.assertFalse(transaction("POSSE.CREATE", "ads", json.dumps(ADS)))

    def test_acted_may_be_repeated_with_a_point(self):
        outside = [{"kind": "external", "name": "a person"}]
        ball = {"dim": 2, "prior": {"kind": "linear", "precision": 1, "noise": 1}, "learners": outside}
        create(self.client, "ball", ball)
        token = decide(self.client, "ball")[0]
        self.assertEqual(self.client.execute_command("POSSE.ACTED", "ball", token, "[0.1, 0.7]"), 1)
        self.assertEqual(self.client.execute_command("POSSE.ACTED", "ball", token, "[0.1, 0.7]"), 0)
        self.refused("CONFLICT", "POSSE.ACTED", "ball", token, "[0.1, 0.6]")

    def test_a_command_may_not_ask_for_minutes(self):
        wide = {"arms": 50, "context": 30, "prior": "linear", "learners": ["linear-ucb"], "propensity_draws": 1000}
        said = self.refused("ERR", "POSSE.CREATE", "k", json.dumps({**wide, "arms": 100, "context": 100, "propensity_draws": 10000}))
        self.assertIn("propensity_draws", said)
        create(self.client, "wide", wide)
        context = json.dumps({"shared": [0.5] * 30})
        for command in (("POSSE.DECIDE", "wide", "COUNT", 1000), ("POSSE.TURN", "wide", "DECIDE", 1000)):
            self.assertIn("at most", self.refused("ERR", *command, "CONTEXT", context))
        # Nobody else is served during a command, so it may be a tenth of a request to the server.
        said = self.refused("ERR", "POSSE.DECIDE", "wide", "COUNT", 20, "CONTEXT", context)
        most = int(re.search(r"at most (\d+) in a request", said)[1])
        self.assertEqual(len(self.client.execute_command("POSSE.DECIDE", "wide", "COUNT", most, "CONTEXT", context)), most)
        slow = {**wide, "arms": 400}
        self.assertIn("propensity_draws", self.refused("ERR", "POSSE.CREATE", "k", json.dumps(slow)))

    def test_the_name_of_a_posse_is_its_key(self):
        self.assertIn("name", self.refused("ERR", "POSSE.CREATE", "k", json.dumps({**ADS, "name": "other"})))
        create(self.client, "k", {**ADS, "name": "k"})  # as for HTTP

    def test_many_at_once_are_those_one_by_one(self):
        create(self.client)
        p = posse.Posse(**ADS)
        decisions = self.client.execute_command("POSSE.DECIDE", "ads", "COUNT", 40)
        mine = [p.decide() for _ in range(40)]
        self.assertEqual([d[1] for d in decisions], [d.arm for d in mine])
        rewards = [word for d in decisions[:30] for word in (d[0], d[1] / 5)]
        learned, more = self.client.execute_command("POSSE.TURN", "ads", "LEARN", *rewards, "DECIDE", 20)
        for d in mine[:30]:
            p.learn(d, d.arm / 5)
        self.assertEqual(learned, 30)
        self.assertEqual([d[1] for d in more], [p.decide().arm for _ in range(20)])
        rewards = [word for d in decisions[30:] for word in (d[0], 1)]
        self.assertEqual(self.client.execute_command("POSSE.LEARN", "ads", *rewards), 10)
        self.assertEqual(info(self.client)["pending"], 20)

    def test_rewards_may_be_repeated_but_not_changed(self):
        create(self.client)
        learn = lambda *words: self.client.execute_command("POSSE.LEARN", "ads", *words)
        a, b, c = (decide(self.client)[0] for _ in range(3))
        self.assertEqual(learn(a, 1), 1)
        self.assertEqual(learn(a, 1), 0)
        self.refused("CONFLICT", "POSSE.LEARN", "ads", a, 0)
        self.refused("CONFLICT", "POSSE.FORGET", "ads", a)
        self.assertEqual(self.client.execute_command("POSSE.FORGET", "ads", b), 1)
        self.assertEqual(self.client.execute_command("POSSE.FORGET", "ads", b, b), 0)
        self.refused("CONFLICT", "POSSE.LEARN", "ads", b, 0)
        said = self.refused("CONFLICT", "POSSE.LEARN", "ads", c, 1, b, 1)
        self.assertIn("token 2", said)
        self.refused("CONFLICT", "POSSE.LEARN", "ads", c, 1, c, 0)
        self.assertEqual(learn(c, 1, c, 1, a, 1), 1)
        self.assertEqual(info(self.client)["pending"], 0)

    def test_old_rewards_are_settled_and_no_longer_compared(self):
        create(self.client)
        first = decide(self.client)[0]
        self.client.execute_command("POSSE.LEARN", "ads", first, 1)
        for _ in range(64):
            self.client.execute_command("POSSE.LEARN", "ads", decide(self.client)[0], 0)
        digest = self.client.execute_command("DEBUG", "DIGEST")
        self.assertEqual(self.client.execute_command("POSSE.LEARN", "ads", first, 0), 0)
        self.assertEqual(self.client.execute_command("DEBUG", "DIGEST"), digest)

    def test_wrong_commands_are_refused_with_a_code(self):
        create(self.client)
        self.client.set("text", "x")
        token = decide(self.client)[0].decode()
        forged = token[:-1] + ("A" if token[-1] != "A" else "B")
        for code, *command in (
            ("NOKEY", "POSSE.DECIDE", "none"),
            ("WRONGTYPE", "POSSE.DECIDE", "text"),
            ("BUSYKEY", "POSSE.CREATE", "text", json.dumps(ADS)),
            ("BUSYKEY", "POSSE.CREATE", "ads", json.dumps(ADS)),
            ("BADTOKEN", "POSSE.LEARN", "ads", forged, 1),
            ("BADTOKEN", "POSSE.LEARN", "ads", "x", 1),
            ("BADTOKEN", "POSSE.FORGET", "ads", b"\0\xff"),
            ("BADREWARD", "POSSE.LEARN", "ads", token, "much"),
            ("BADREWARD", "POSSE.LEARN", "ads", token, "nan"),
            ("BADREWARD", "POSSE.LEARN", "ads", token, "inf"),
            ("BADREWARD", "POSSE.LEARN", "ads", token, 1.5),
            ("ERR", "POSSE.LEARN", "ads", token),
            ("ERR", "POSSE.DECIDE", "ads", "COUNT", 0),
            ("ERR", "POSSE.DECIDE", "ads", "COUNT", 1001),
            ("ERR", "POSSE.DECIDE", "ads", "COUNT", 2**70),
            ("ERR", "POSSE.DECIDE", "ads", "COUNT", 1, "COUNT", 1),
            ("ERR", "POSSE.DECIDE", "ads", "COUNT"),
            ("ERR", "POSSE.DECIDE", "ads", "CONTEXT", "{}"),
            ("ERR", "POSSE.DECIDE", "ads", "CONTEXT", '{"shared": [1]}'),
            ("ERR", "POSSE.DECIDE", "ads", "CONTEXT", "{"),
            ("ERR", "POSSE.TURN", "ads", "LEARN", "DECIDE", 1),
            ("ERR", "POSSE.TURN", "ads", "LEARN", token, "DECIDE", 1),
            ("ERR", "POSSE.TURN", "ads", "LEARN", token, 1),
            ("ERR", "POSSE.TURN", "ads", "LEARN", token, 1, "DECIDE", 0),
            ("BADREWARD", "POSSE.TURN", "ads", "LEARN", token, 9, "DECIDE", 1),
            ("BADTOKEN", "POSSE.TURN", "ads", "LEARN", token, 1, forged, 1, "DECIDE", 1),
            ("ERR", "POSSE.TURN", "ads", "LEARN", token, 1, "DECIDE", 1, "CONTEXT", "[]"),
            ("ERR", "POSSE.EXPIRE", "ads", -1),
            ("ERR", "POSSE.ACTED", "ads", token, 99999),
            ("CONFLICT", "POSSE.ACTED", "ads", token, 4 if token_parts(token)[2] != 4 else 3),
            ("ERR", "POSSE.TEACH", "ads", 5, 1),
            ("BADREWARD", "POSSE.TEACH", "ads", 0, 2),
            ("ERR", "POSSE.TEACH", "ads", "[1]", 1),
            ("ERR", "POSSE.LEARNER", "ADD", "ads", '{"kind": "ucb", "width": -1}'),
            ("ERR", "POSSE.LEARNER", "ADD", "ads", '{"kind": "ucb", "name": "thompson"}'),
            ("ERR", "POSSE.LEARNER", "RETIRE", "ads", "nobody"),
            ("ERR", "POSSE.LEARNER", "SACK", "ads", "ucb"),
            ("ERR", "POSSE.ARM", "ADD", "ads", "[1]"),
            ("ERR", "POSSE.ARM", "RETIRE", "ads", 5),
            ("ERR", "POSSE.RESTORE", "new", "x"),
            ("ERR", "POSSE.EPOCH", "ads", 0),
            ("CONFLICT", "POSSE.EPOCH", "ads", info(self.client)["epoch"]),
            ("ERR", "POSSE.INFO", "ads", "LEGS"),
        ):
            with self.subTest(command=command):
                self.refused(code, *command)
        self.assertEqual(self.client.execute_command("POSSE.LEARN", "ads", token, 1), 1)

    def test_wrong_descriptions_are_told_by_path(self):
        for definition, said in (
            ({**ADS, "learners": [{"kind": "ucb", "widht": 1}]}, 'learners[0].widht: learner "ucb" has no key "widht"'),
            ({**ADS, "learners": ["ubc"]}, "learners[0]"),
            ({**ADS, "arms": "many"}, "arms"),
            ({**ADS, "expire_seconds": 60}, "expire_seconds: there is no clock here"),
            ({**ADS, "record": True}, "record: Redis keeps no record"),
            ({**ADS, "name": "a b"}, "name"),
            ([], "a posse"),
        ):
            self.assertIn(said, self.refused("ERR", "POSSE.CREATE", "new", json.dumps(definition)))
        create(self.client, "new", {**ADS, "name": "new"})  # as for HTTP
        for yaml in ("{arms: 3, prior: beta, learners: [ucb]}", "arms: 3\nprior: beta\nlearners: [ucb]\n"):
            self.assertIn("this is not JSON: line 1", self.refused("ERR", "POSSE.CREATE", "yaml", yaml))
        self.assertIn("this is not JSON", self.refused("ERR", "POSSE.LEARNER", "ADD", "new", "{kind: ucb}"))
        large = json.dumps({**ADS, "learners": ["ucb"] * 150000})
        self.assertIn("larger than 1048576 bytes", self.refused("ERR", "POSSE.CREATE", "large", large))

    def test_learners_and_arms_come_and_go(self):
        create(self.client)
        p = posse.Posse(**ADS)
        both = lambda: self.assertEqual(play(self.client, rounds=60), play_alone(p, 60))
        ask = self.client.execute_command
        both()
        self.assertEqual(ask("POSSE.LEARNER", "ADD", "ads", '{"kind": "ucb", "name": "late", "width": 2}'), 3)
        self.assertEqual(p.add_learner({"kind": "ucb", "name": "late", "width": 2}), 3)
        both()
        self.assertEqual(ask("posse.learner", "retire", "ads", "ucb"), 1)
        self.assertEqual(ask("POSSE.LEARNER", "RETIRE", "ads", "ucb"), 0)
        p.retire_learner("ucb")
        self.assertEqual(ask("POSSE.ARM", "ADD", "ads"), p.add_arm())
        both()
        self.assertEqual(ask("POSSE.ARM", "RETIRE", "ads", 1), 1)
        self.assertEqual(ask("POSSE.ARM", "RETIRE", "ads", 1), 0)
        p.retire_arm(1)
        ask("POSSE.TEACH", "ads", 4, 1)
        p.teach(4, 1)
        both()
        state = info(self.client, "ads", "ARMS")
        self.assertEqual([one["active"] for one in state["learners"]], [0, 1, 1, 1])
        self.assertEqual([one["plays"] for one in state["learners"]], list(p.plays))
        self.assertEqual([float(one["potential"]) for one in state["learners"]], list(p.potentials))
        self.assertEqual([float(one["mean"]) for one in state["expectations"]], list(p.means))
        for name in (b"thompson", b"epsilon-greedy"):
            ask("POSSE.LEARNER", "RETIRE", "ads", name)
        self.refused("CONFLICT", "POSSE.LEARNER", "RETIRE", "ads", "late")

    def test_rounds_may_bring_features(self):
        definition = {"arms": 3, "context": 2, "prior": "linear", "learners": ["linear-ucb", "linear-thompson"]}
        create(self.client, "pages", definition)
        p = posse.Posse(**definition)
        for i in range(60):
            shared, arms = [1.0, i / 60], [0, 2] if i % 4 == 0 else [0, 1, 2]
            words = ("CONTEXT", json.dumps({"shared": shared, "arms": arms}))
            if i % 2:
                token, arm, _ = decide(self.client, "pages", *words)
            else:
                _, ((token, arm, _),) = self.client.execute_command("POSSE.TURN", "pages", "DECIDE", 1, *words)
            mine = p.decide(shared=shared, arms=arms)
            self.assertEqual(arm, mine.arm)
            self.client.execute_command("POSSE.LEARN", "pages", token, arm * shared[1])
            p.learn(mine, arm * shared[1])
        for said in ("{}", '{"shared": [1]}', '{"shared": [1, "a"]}', '{"shared": [1, 2], "arms": [7]}', '{"shape": 1}'):
            self.assertIn("context", self.refused("ERR", "POSSE.DECIDE", "pages", "CONTEXT", said).lower())
            self.refused("ERR", "POSSE.TURN", "pages", "LEARN", token, arm * shared[1], "DECIDE", 1, "CONTEXT", said)
        self.assertIn("context: is missing", self.refused("ERR", "POSSE.DECIDE", "pages"))
        self.client.execute_command("POSSE.TEACH", "pages", 1, 0.5, "CONTEXT", '{"shared": [1, 1]}')

    def test_arms_may_be_points(self):
        definition = {"dim": 3, "arms": 0, "prior": "linear", "learners": ["linear-thompson"]}
        create(self.client, "ball", definition)
        p = posse.Posse(**definition)
        for _ in range(30):
            token, arm, _, propensity, point = self.client.execute_command("POSSE.DECIDE", "ball")
            mine = p.decide()
            self.assertEqual((arm, propensity), (None, None))
            self.assertEqual([float(x) for x in point], list(mine.point))
            self.client.execute_command("POSSE.LEARN", "ball", token, float(point[0]))
            p.learn(mine, mine.point[0])
        self.client.execute_command("POSSE.TEACH", "ball", "[1, 0, 0]", 1)
        points = {"points": [[1, 0], [0, 1]], "prior": "linear", "learners": ["linear-ucb"]}
        create(self.client, "points", points)
        self.assertEqual(self.client.execute_command("POSSE.ARM", "ADD", "points", "[0.6, 0.8]"), 2)
        self.refused("ERR", "POSSE.ARM", "ADD", "points")
        self.refused("ERR", "POSSE.ARM", "ADD", "points", "[0.6]")
        self.refused("ERR", "POSSE.ARM", "ADD", "points", "2")

    def test_external_learners_say_what_they_played(self):
        create(self.client, "mixed", {"arms": 3, "prior": "beta", "learners": ["external"]})
        token, arm, learner = decide(self.client, "mixed")
        self.assertEqual((arm, learner), (None, b"external"))
        self.refused("CONFLICT", "POSSE.LEARN", "mixed", token, 1)
        self.assertEqual(self.client.execute_command("POSSE.ACTED", "mixed", token, 2), 1)
        self.assertEqual(self.client.execute_command("POSSE.ACTED", "mixed", token, 2), 0)
        self.assertEqual(self.client.execute_command("POSSE.LEARN", "mixed", token, 1), 1)
        self.refused("CONFLICT", "POSSE.ACTED", "mixed", token, 1)

    def test_decisions_have_propensities_where_they_are_wanted(self):
        definition = {**ADS, "propensity_draws": 50}
        create(self.client, "k", definition)
        mine = posse.Posse(**definition).decide()
        self.assertEqual(float(self.client.execute_command("POSSE.DECIDE", "k")[3]), mine.propensity)

    def test_decisions_expire(self):
        create(self.client, "k", {**ADS, "expire_after": 10})
        first = decide(self.client, "k")[0]
        self.client.execute_command("POSSE.DECIDE", "k", "COUNT", 30)
        self.assertEqual(info(self.client, "k")["pending"], 10)
        self.assertEqual(self.client.execute_command("POSSE.LEARN", "k", first, 1), 0)
        self.assertEqual(self.client.execute_command("POSSE.EXPIRE", "k", 3), 7)
        self.assertEqual(self.client.execute_command("POSSE.EXPIRE", "k", 3), 0)
        self.assertEqual(self.client.execute_command("POSSE.EXPIRE", "k", 0), 3)

    def test_a_copy_goes_its_own_way(self):
        create(self.client)
        play(self.client)
        token, arm, _ = decide(self.client)
        self.client.copy("ads", "twin")
        self.assertEqual(*self.client.execute_command("DEBUG", "DIGEST-VALUE", "ads", "twin"))
        for key in ("ads", "twin"):  # the decision is pending in both
            self.assertEqual(self.client.execute_command("POSSE.LEARN", key, token, 1), 1)
        mine, other = decide(self.client, "ads"), decide(self.client, "twin")
        self.assertEqual(mine[1:], other[1:])
        self.assertNotEqual(token_parts(mine[0])[0], token_parts(other[0])[0])
        self.refused("LOST", "POSSE.LEARN", "ads", other[0], 1)
        self.refused("LOST", "POSSE.LEARN", "twin", mine[0], 1)

    def test_an_older_state_never_takes_a_reward_for_another_decision(self):
        create(self.client)
        before, dump = decide(self.client), self.client.dump("ads")
        lost = [decide(self.client) for _ in range(20)]
        self.client.restore("ads", 0, dump, replace=True)
        again = [decide(self.client) for _ in range(20)]
        self.assertEqual([d[1:] for d in again], [d[1:] for d in lost])
        for token, *_ in lost:
            self.refused("LOST", "POSSE.LEARN", "ads", token, 1)
        for token, *_ in [before, *again]:
            self.assertEqual(self.client.execute_command("POSSE.LEARN", "ads", token, 1), 1)
        self.assertEqual(self.client.execute_command("POSSE.LEARN", "ads", before[0], 1), 0)

    def test_redis_knows_where_the_keys_are(self):
        for command in (
            ["POSSE.DECIDE", "k", "COUNT", "2"],
            ["POSSE.TURN", "k", "DECIDE", "1"],
            ["POSSE.LEARNER", "ADD", "k", "{}"],
            ["POSSE.ARM", "RETIRE", "k", "1"],
            ["POSSE.INFO", "k"],
        ):
            self.assertEqual(self.client.command_getkeys(*command), ["k"])

    def test_users_may_do_what_they_may(self):
        create(self.client)
        ask = self.client.execute_command
        ask("ACL", "SETUSER", "shop", "on", ">pw", "~ads", "+posse.decide", "+posse.learn", "+posse.learner|retire")
        shop = self.one.client(username="shop", password="pw")
        token = shop.execute_command("POSSE.DECIDE", "ads")[0]
        self.assertEqual(shop.execute_command("POSSE.LEARN", "ads", token, 1), 1)
        self.assertEqual(shop.execute_command("POSSE.LEARNER", "RETIRE", "ads", "ucb"), 1)
        for command in (
            ["POSSE.FORGET", "ads", token],
            ["POSSE.CREATE", "ads2", json.dumps(ADS)],
            ["POSSE.DECIDE", "other"],
            ["POSSE.LEARNER", "ADD", "ads", '"ucb"'],
        ):
            with self.assertRaisesRegex(redis.ResponseError, "permission"):
                shop.execute_command(*command)

    def test_listeners_hear_of_what_happens(self):
        self.client.config_set("notify-keyspace-events", "Kd")
        channel = self.client.pubsub()
        channel.psubscribe("__keyspace@0__:ads")
        channel.get_message(timeout=PATIENCE)
        create(self.client)
        token = decide(self.client)[0]
        self.client.execute_command("POSSE.LEARN", "ads", token, 1)
        self.client.execute_command("POSSE.LEARN", "ads", token, 1)  # a repetition: no event
        self.client.execute_command("POSSE.TURN", "ads", "DECIDE", 1)
        heard = [channel.get_message(timeout=PATIENCE)["data"] for _ in range(4)]
        self.assertEqual(heard, [b"posse.create", b"posse.decide", b"posse.learn", b"posse.turn"])
        channel.close()

    def test_memory_is_counted(self):
        create(self.client)
        before = self.client.memory_usage("ads")
        self.assertGreater(before, 2000)
        for _ in range(10):
            self.client.execute_command("POSSE.DECIDE", "ads", "COUNT", 1000)
        self.assertGreater(self.client.memory_usage("ads"), before + 10000 * 16)
        self.assertEqual(self.client.unlink("ads"), 1)
        create(self.client)
        self.client.execute_command("FLUSHALL", "ASYNC")
        self.assertEqual(self.client.dbsize(), 0)

    def test_the_later_protocol_has_maps(self):
        create(self.client)
        with socket.create_connection(("127.0.0.1", self.one.port), timeout=PATIENCE) as wire, wire.makefile("rb") as file:
            wire.sendall(b"HELLO 3\r\nPOSSE.INFO ads\r\n")
            lines = [file.readline() for _ in range(99)]
        self.assertIn(b"%18\r\n", lines)
        self.assertIn(b"%5\r\n", lines)

    def test_info_has_the_surprise_of_a_belief_that_is_watched(self):
        create(self.client)
        self.assertNotIn("surprise", info(self.client))
        create(self.client, "robust", {**ADS, "prior": {"kind": "beta", "alpha": 50, "beta": 50, "robust": True}})
        self.assertEqual(float(info(self.client, "robust")["surprise"]), 0)
        for _ in range(100):
            self.client.execute_command("POSSE.LEARN", "robust", decide(self.client, "robust")[0], 0)
        self.assertGreater(float(info(self.client, "robust")["surprise"]), 20)
        with socket.create_connection(("127.0.0.1", self.one.port), timeout=PATIENCE) as wire, wire.makefile("rb") as file:
            wire.sendall(b"HELLO 3\r\nPOSSE.INFO robust ARMS\r\n")
            lines = [file.readline() for _ in range(60)]
        self.assertIn(b"%20\r\n", lines)

    def test_transactions_and_scripts_play_too(self):
        create(self.client)
        p = posse.Posse(**ADS)
        with self.client.pipeline(transaction=True) as pipeline:
            for _ in range(5):
                pipeline.execute_command("POSSE.DECIDE", "ads")
            self.assertEqual([d[1] for d in pipeline.execute()], [p.decide().arm for _ in range(5)])
        script = "local d = redis.call('POSSE.DECIDE', KEYS[1]); redis.call('POSSE.LEARN', KEYS[1], d[1], 1); return d[2]"
        d = p.decide()
        self.assertEqual(self.client.eval(script, 1, "ads"), d.arm)
        p.learn(d, 1)
        self.assertEqual(decide(self.client)[1], p.decide().arm)


class Limits(Case):
    def test_so_many_decisions_may_be_pending(self):
        client = self.server(module=("PENDING", 10)).client()
        create(client)
        tokens = [d[0] for d in client.execute_command("POSSE.DECIDE", "ads", "COUNT", 10)]
        with self.assertRaisesRegex(redis.ResponseError, "CROWDED 10 decisions"):
            client.execute_command("POSSE.DECIDE", "ads")
        rewards = [word for token in tokens[:3] for word in (token, 1)]
        with self.assertRaisesRegex(redis.ResponseError, "CROWDED"):
            client.execute_command("POSSE.TURN", "ads", "LEARN", *rewards, "DECIDE", 4)
        self.assertEqual(client.execute_command("POSSE.TURN", "ads", "LEARN", *rewards, "DECIDE", 3)[0], 3)

    def test_a_posse_may_take_so_many_bytes(self):
        client = self.server(module=("BYTES", 100000)).client()
        create(client)
        with self.assertRaises(redis.ResponseError) as caught:
            create(client, "large", {**ADS, "arms": 100000})
        self.assertIn("memory", str(caught.exception))
        self.assertEqual(client.exists("large"), 0)

    def test_wrong_settings_are_refused(self):
        with self.assertRaisesRegex(RuntimeError, "PENDING n and BYTES n"):
            self.server(module=("PENDING", 0))


if __name__ == "__main__":
    unittest.main()
