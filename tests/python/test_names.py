# SPDX-License-Identifier: MIT
"""Arms by name, and the report: the same in Python, over HTTP and in Redis, and the same decisions as in C."""

import json
import math
import pickle
import subprocess
import unittest

import numpy as np
import posse
import redising
import serving
from support import ROOT, scratch

ARTICLES = "lead sport weather markets opinion culture travel science puzzle recipe chess letters".split()
RATES = [0.10, 0.15, 0.05, 0.12, 0.08, 0.06, 0.10, 0.11, 0.60, 0.07, 0.09, 0.04]
STORY = {
    "arms": ARTICLES[:4],
    "joins": 4,
    "prior": {"kind": "beta"},
    "selector": {"kind": "bms-plus", "floor": 0.3},
    "learners": [
        {"kind": "ucb", "name": "cautious"},
        {"kind": "ucb", "name": "bold", "width": 0.1},
        {"kind": "thompson", "name": "sampler"},
    ],
}
ROUNDS, LATE, EVERY = 6000, 5, 600


class Visitors:
    """The visitors of examples/named.c."""

    def __init__(self):
        self.chance = 1

    def click(self, name):
        self.chance = (self.chance * 1664525 + 1013904223) % 2**32
        return float(self.chance / 2**32 < RATES[ARTICLES.index(name)])


def tell(p, restart, rounds=ROUNDS):
    """The story of examples/named.c, with any posse. Returns the digest of its decisions, and the posse."""
    visitors, waiting, digest = Visitors(), [None] * LATE, 0
    for n in range(rounds):
        if n > 0 and n % EVERY == 0 and n // EVERY <= 8:
            p.retire_arm(ARTICLES[n // EVERY - 1])
            p.teach(ARTICLES[n // EVERY + 3], 0.0)  # named for the first time: it joins
        if n == ROUNDS // 2:
            p, waiting = restart(p, waiting)
        decision = p.decide()
        digest = (31 * digest + 10 * decision.arm + decision.learner) % 2**32
        if waiting[n % LATE] is not None:
            p.learn(*waiting[n % LATE])
        waiting[n % LATE] = (decision, visitors.click(decision.name))
    return digest, p


class Names(unittest.TestCase):
    def test_python_tells_the_story_of_c(self):
        def restart(p, waiting):
            return pickle.loads(pickle.dumps(p)), waiting

        digest, p = tell(posse.Posse(**STORY), restart)
        said = (ROOT / "examples" / "named.out").read_text().splitlines()
        self.assertEqual(said[0], f"decisions: {digest:08x}")
        report = p.report("recipe")
        self.assertEqual((report.verdict, said[1]), ("decided", report.reason))
        self.assertEqual(report.arms[report.leader].name, "puzzle")
        for line in said[2:]:
            one = report.arms[ARTICLES.index(line.split()[0])]
            self.assertEqual(
                line,
                f"{one.name:7} {one.rewards:4} rewards, mean {one.mean:.3f}, at all times {one.low:.3f} to {one.high:.3f}",
            )

    def test_names_and_numbers_are_the_same_arms(self):
        named = posse.Posse(**STORY)
        numbered = posse.Posse(**{**STORY, "arms": 4, "joins": 0})
        for n in range(200):
            a, b = named.decide(), numbered.decide()
            self.assertEqual((a.arm, a.learner, a.name, b.name), (b.arm, b.learner, ARTICLES[a.arm], None))
            named.learn(a, n % 2)
            numbered.learn(b, n % 2)
        named.teach("sport", 1)
        numbered.teach(1, 1)
        named.retire_arm("lead")
        numbered.retire_arm(0)
        self.assertEqual([named.decide().arm for _ in range(50)], [numbered.decide().arm for _ in range(50)])
        self.assertEqual((named.arm_active("lead"), named.arm_active(1), numbered.arm_active("0")), (False, True, False))
        self.assertEqual((named.names, numbered.names), (tuple(ARTICLES[:4]), None))

    def test_wrong_names_are_refused(self):
        for arms in (["a", "a"], [""], ["a" * 256], ["a", 3], [], ["a\0"]):
            with self.assertRaises(posse.SpecificationError, msg=arms):
                posse.Posse(**{**STORY, "arms": arms, "joins": 0})
        p = posse.Posse(**{**STORY, "joins": 0})
        before = p.save()
        for wrong in (lambda: p.teach("none", 1), lambda: p.retire_arm("none"), lambda: p.arm_active("0"),
                      lambda: p.report("none")):  # fmt: skip
            with self.assertRaises(posse.LearnerError):
                wrong()
        with self.assertRaises(posse.SpecificationError):
            p.add_arm(name="lead")
        self.assertEqual(p.save(), before)

    def test_refusals_say_what_would_be_right(self):
        p = posse.Posse(**{**STORY, "joins": 0})
        p.retire_arm("lead")
        for call, error, text in (
            (lambda: p.retire_arm("none"), posse.LearnerError, "^there is no arm 'none'$"),
            (lambda: p.retire_arm(9), posse.LearnerError, "^there is no arm 9$"),
            (lambda: p.add_arm("new"), ValueError, "add_arm\\(name='new'\\)"),
            (lambda: p.add_arm(name="lead"), posse.SpecificationError, "which is retired; names stay taken"),
            (lambda: posse.Posse({"a", "b"}, prior="beta"), posse.SpecificationError, "a number, or a list of names"),
            (lambda: posse.Posse({"a": 1}.keys(), prior="beta"), posse.SpecificationError, "a number, or a list of names"),
        ):
            with self.assertRaisesRegex(error, text):
                call()

    def test_a_text_is_no_list_of_arms(self):
        p = posse.Posse(["r", "e", "d"], context=2, rewards="numbers", seed=1)
        named = posse.Posse(["r", "e", "d"], context=2, features={}, rewards="numbers", seed=1)
        rows = np.ones((3, 2))
        for call in (
            lambda: p.decide(posse.Context(shared=rows[0], arms="red")),
            lambda: p.decide_many(rows, arms="red"),
            lambda: p.teach_many("red", [1, 2, 3], rows),
            lambda: named.decide_many([{"age": 3}], arms="red"),
        ):
            with self.assertRaisesRegex(posse.ContextError, "a list of arms is needed, such as .'red'., not a text"):
                call()

    def test_a_decision_shows_its_name(self):
        self.assertIn("arm=0, name='lead', probability=", repr(posse.Posse(**STORY).decide()))
        self.assertNotIn("name", repr(posse.Posse(4, prior="beta").decide()))

    def test_nothing_joins_with_a_wrong_request(self):
        p = posse.Posse(**{**STORY, "joins": 9})
        before = p.save()
        with self.assertRaises(posse.RewardError):
            p.teach("new", 7)
        with self.assertRaises(posse.DecisionError):
            p.acted(99, "new")
        self.assertEqual(p.save(), before)

    def test_contexts_name_their_arms(self):
        made = dict(prior="linear", learners=["linear-ucb", "linear-thompson"], dim=2, seed=5)
        named = posse.Posse(["a", "b", "c"], joins=4, **made)
        numbered = posse.Posse(3, **made)
        rows = [[0.1, 0.2], [0.5, -0.3], [0.9, 0.4]]
        for n in range(60):
            arms = ["c", "d", "a"] if n > 20 else ["c", "b", "a"]
            if n == 21:
                numbered.add_arm()  # in the other posse, "d" joins
            a = named.decide(points=rows, arms=arms)
            b = numbered.decide(points=rows, arms=["abcd".index(name) for name in arms])
            self.assertEqual((a.arm, a.learner), (b.arm, b.learner))
            self.assertEqual(a.name, "abcd"[a.arm])
            named.learn(a, n % 3)
            numbered.learn(b, n % 3)
        before = named.save()
        with self.assertRaises(posse.ContextError):
            named.decide(points=[[0.1, 2e6]], arms=["e"])
        with self.assertRaises(posse.ContextError):
            named.decide(points=rows, arms=["a", "a", "b"])
        with self.assertRaisesRegex(posse.ContextError, "cannot join: 4 arms are active"):
            named.decide(points=[[0.1, 0.2]], arms=["e"])
        self.assertEqual(named.save(), before)

    def test_the_first_arm_that_does_not_fit_is_named(self):
        p = posse.Posse(**STORY | {"joins": len(STORY["arms"]) + 1})
        before = p.save()
        with self.assertRaises(posse.ContextError) as caught:
            p.decide(arms=[STORY["arms"][0], "fits", "does not"])
        self.assertEqual(caught.exception.problem.path, "context.arms[2]")
        self.assertIn(f'"does not" cannot join: {p.arms + 1} arms are active', str(caught.exception))
        self.assertEqual(p.save(), before)

    def test_the_report_has_pages(self):
        p = posse.Posse(**STORY)
        self.assertEqual((p.report().verdict, p.report().reason), ("not yet", "too few: there is no reward yet"))
        for _ in range(50):
            d = p.decide()
            p.learn(d, float(d.name == "sport"))
        report = p.report(control="lead")
        self.assertIn("sport", str(report))
        self.assertIn("<td>sport</td>", report._repr_html_())
        self.assertEqual(report.arms[0].lift, 0)
        self.assertAlmostEqual(report.arms[1].lift, report.arms[1].mean - report.arms[0].mean)
        self.assertAlmostEqual(sum(one.best for one in report.arms), 1)
        self.assertEqual(sum(one.rewards for one in report.arms), 50)
        quiet = posse.Posse(**{**STORY, "report": False})
        quiet.learn(quiet.decide(), 1)
        self.assertEqual(quiet.report().verdict, "cannot tell")
        self.assertTrue(math.isnan(quiet.report().arms[0].low))

    def test_the_definition_makes_it_again(self):
        p = posse.Posse(**STORY)
        p.retire_arm("lead")
        definition = p.definition
        self.assertEqual((definition["arms"], definition["joins"], definition["retired"]), (ARTICLES[:4], 4, [0]))
        again = posse.Posse(**{key: value for key, value in definition.items() if key != "retired"})
        self.assertEqual(again.names, p.names)


class NamesOverHttp(unittest.TestCase):
    def test_http_tells_the_story_of_c(self):
        folder = scratch(self)
        servers = [serving.Server(folder)]
        self.addCleanup(lambda: servers[-1].stop())

        def open_posse(create=None):
            return posse.connect(f"http://127.0.0.1:{servers[-1].port}/news", create=create)

        def restart(p, waiting):
            p.close()
            servers[-1].stop()
            servers.append(serving.Server(folder))
            return open_posse(), waiting

        digest, p = tell(open_posse(STORY), restart)
        said = (ROOT / "examples" / "named.out").read_text().splitlines()
        self.assertEqual(said[0], f"decisions: {digest:08x}")
        report = p.report("recipe")
        self.assertEqual((report.verdict, report.reason), ("decided", said[1]))
        self.assertEqual(p.names, tuple(ARTICLES))
        p.close()
        servers[-1].stop()
        rows = subprocess.run(
            [serving.PROGRAM, "export", "news", "--database", folder / "posse.db"], capture_output=True, text=True
        ).stdout.splitlines()
        self.assertTrue(rows[0].endswith(",body,mode,unit,name"))
        learned = [row for row in rows if ",learn," in row]
        self.assertEqual(len(learned), ROUNDS - LATE)
        self.assertTrue(all(row.rsplit(",", 1)[1] in ARTICLES for row in learned))
        self.assertTrue(any('{""name"":""puzzle""}' in row for row in rows))

    def test_requests_take_names(self):
        with serving.Server(scratch(self)) as server:
            client = server.client()
            base = "/v1/posses/news"
            self.assertEqual(client.post("/v1/posses", {**STORY, "name": "news"})[0], 201)
            decision = client.post(base + "/decide")[1]
            self.assertEqual(decision["name"], ARTICLES[decision["arm"]])
            self.assertEqual(client.post(base + "/teach", {"arm": "sport", "reward": 1}), (200, {"taught": 1}))
            self.assertEqual(client.post(base + "/teach", {"arm": 1, "reward": 1}), (200, {"taught": 1}))
            status, said = client.post(base + "/teach", {"arm": "fifth", "reward": 1})
            self.assertEqual((status, said["path"]), (409, "arm"))
            self.assertIn("arms join until 4 are active", said["error"])
            self.assertEqual(client.ask("DELETE", base + "/arms/1")[0], 404)  # in a posse with names, a text is a name
            self.assertEqual(client.ask("DELETE", base + "/arms/lead")[1], {"retired": 0, "name": "lead"})
            self.assertEqual(client.post(base + "/arms", {"name": "caf\u00e9 \u2603"})[1], {"arm": 4, "name": "caf\u00e9 \u2603"})
            self.assertEqual(client.post(base + "/arms", {"name": "lead"})[0], 409)
            self.assertEqual(client.post(base + "/arms", {"name": 3})[1]["path"], "name")
            for name in ("", "x" * 256):
                status, said = client.post(base + "/arms", {"name": name})
                self.assertEqual((status, said["path"]), (400, "name"), said)
            self.assertEqual([arm["name"] for arm in client.get(base + "/arms")[1]["arms"]], [*ARTICLES[:4], "caf\u00e9 \u2603"])
            self.assertEqual(client.get(base + "/definition")[1]["arms"], [*ARTICLES[:4], "caf\u00e9 \u2603"])
            status, report = client.get(base + "/report?control=sport")
            self.assertEqual((status, report["verdict"], report["control"]), (200, "not yet", 1))
            self.assertEqual(set(report), set("verdict reason confidence leader control regret more arms learners modes alarms".split()))
            self.assertEqual(client.get(base + "/report?control=none")[0], 404)
            for arms, path in ((["a", "a"], "arms[1]"), (["a", 3], "arms[1]"), ([], "arms"), ([""], "arms[0]")):
                status, said = client.post("/v1/posses", {**STORY, "name": "wrong", "arms": arms, "joins": 0})
                self.assertEqual((status, said["path"]), (400, path), said)

    def test_arms_join_with_contexts(self):
        made = {"name": "offers", "arms": ["a", "b"], "joins": 3, "dim": 2, "seed": 5, "prior": "linear",
                "learners": ["linear-ucb", "linear-thompson"]}  # fmt: skip
        with serving.Server(scratch(self)) as server:
            client = server.client()
            self.assertEqual(client.post("/v1/posses", made)[0], 201)
            local = posse.Posse(**{key: value for key, value in made.items() if key != "name"})
            rows = [[0.9, 0.4], [0.1, 0.2]]
            for n in range(30):
                arms = ["c", "a"] if n % 2 else ["b", "a"]
                there = client.post("/v1/posses/offers/decide", {"context": {"arms": arms, "points": rows}})[1]
                here = local.decide(arms=arms, points=rows)
                self.assertEqual((there["arm"], there["name"]), (here.arm, here.name))
                client.post("/v1/posses/offers/learn", {"token": there["token"], "reward": n % 3})
                local.learn(here, n % 3)
            for context, status in (
                ({"arms": ["d"], "points": [[0, 0]]}, 409),  # there is no room
                ({"arms": ["a", "a"], "points": rows}, 400),
                ({"arms": ["a"], "points": [[0, "x"]]}, 400),
            ):
                self.assertEqual(client.post("/v1/posses/offers/decide", {"context": context})[0], status, context)
            client.ask("DELETE", "/v1/posses/offers/arms/b")
            status, said = client.post("/v1/posses/offers/decide", {"context": {"arms": ["d"], "points": [[0, 2e6]]}})
            self.assertEqual(status, 400)
            self.assertEqual(len(client.get("/v1/posses/offers/arms")[1]["arms"]), 3)  # "d" did not join
            self.assertEqual(client.post("/v1/posses/offers/decide", {"context": {"arms": ["d"], "points": [[0, 2]]}})[1]["arm"], 3)


class NamesInRedis(redising.Case):
    def test_redis_tells_the_story_of_c(self):
        servers = [self.server(**redising.DURABLE)]

        def open_posse(create=None):
            return posse.connect(f"redis://127.0.0.1:{servers[-1].port}/news", create=create)

        def restart(p, waiting):
            p.close()
            servers[-1].stop()
            servers.append(self.server(**redising.DURABLE))
            return open_posse(), waiting

        digest, p = tell(open_posse(STORY), restart)
        said = (ROOT / "examples" / "named.out").read_text().splitlines()
        self.assertEqual(said[0], f"decisions: {digest:08x}")
        report = p.report("recipe")
        self.assertEqual((report.verdict, report.reason), ("decided", said[1]))
        self.assertEqual(p.names, tuple(ARTICLES))

    def test_commands_take_names(self):
        server = self.server()
        client = server.client()
        redising.create(client, "news", STORY)
        token, arm, learner, propensity, point, name = client.execute_command("POSSE.DECIDE", "news")
        self.assertEqual(name.decode(), ARTICLES[arm])
        self.assertEqual(client.execute_command("POSSE.TEACH", "news", "sport", "1"), b"OK")
        for words in (("TEACH", "news", "1", "1"), ("TEACH", "news", "fifth", "1"), ("REPORT", "news", "CONTROL", "none")):
            with self.assertRaises(redising.redis.ResponseError):
                client.execute_command("POSSE." + words[0], *words[1:])
        self.assertEqual(client.execute_command("POSSE.ARM", "RETIRE", "news", "lead"), 1)
        self.assertEqual(client.execute_command("POSSE.ARM", "ADD", "news", "NAME", "new"), 4)
        with self.assertRaisesRegex(redising.redis.ResponseError, "the name of an arm has 1 to 255 bytes"):
            client.execute_command("POSSE.ARM", "ADD", "news", "NAME", "")
        with self.assertRaisesRegex(redising.redis.ResponseError, "^name: the name of an arm is not UTF-8"):  # ERR, not CONFLICT
            client.execute_command("POSSE.ARM", "ADD", "news", "NAME", b"\xff")
        self.assertEqual(redising.info(client, "news", "ARMS")["expectations"][4]["name"], b"new")
        report = json.loads(client.execute_command("POSSE.REPORT", "news", "CONTROL", "sport"))
        self.assertEqual((report["verdict"], report["control"], report["arms"][4]["name"]), ("not yet", 1, "new"))
        p = posse.connect(f"redis://127.0.0.1:{server.port}/news")
        p.teach(1, 1)  # numbers work as well
        p.retire_arm(1)
        self.assertEqual((p.arm_active("sport"), p.arm_active(2)), (False, True))
        self.assertEqual(p.report(2).control, 2)
        p.close()


if __name__ == "__main__":
    unittest.main()
