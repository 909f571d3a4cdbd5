# SPDX-License-Identifier: MIT
"""decide_many of connected posses with a context for each decision: over HTTP and in Redis, the same as
Posse.decide_many, in few requests, and all or none."""

import json
import signal
import unittest

import numpy as np
import pandas
import posse
import scipy.sparse
import serving
from both_servers import LINEAR, N, OFFERS, POSSES, BothServers, chance, contexts

UNKNOWN = [posse.Context(shared={"age": 1}, arms={"red": {}}), posse.Context(shared={"age": 2}, arms={"pink": {}})]


class Rounds(BothServers):
    def same(self, made, near):
        self.assertEqual([one.arm for one in made], near.arms.tolist())
        self.assertEqual([one.learner for one in made], near.learners.tolist())
        self.assertEqual([one.name for one in made], near.names if near.names is not None else [None] * len(near))

    def test_the_same_as_near(self):
        for name in ("shared", "joint", "both", "features", "offers"):
            for k, form in enumerate(contexts()[name]):
                if name == "joint" and k == 1:
                    continue  # the features of the arms that were played, which a decision cannot have
                with self.subTest(name, form=k):
                    near, far = posse.Posse(**POSSES[name]), self.connect(f"{name}{k}", **POSSES[name])
                    rewards = chance(3).random(N).round()
                    for _ in range(2):  # before and after it has learned
                        made = near.decide_many(form)
                        for one in far:
                            there = one.decide_many(form)
                            self.same(there, made)
                            one.learn_many(there, rewards)
                        near.learn_many(made, rewards)

    def test_the_same_arms_in_all_rounds(self):
        form, rows = contexts()["shared"][0], contexts()["features"][0]
        points = contexts()["both"][0][0][:, :2]
        for k, (name, some, arms) in enumerate((
            ("shared", form, [2, 0]),
            ("both", (points, form), [2, 0]),
            ("features", rows, ["blue", "red"]),
            ("features", pandas.DataFrame(rows), ["blue", "red"]),
            ("features", pandas.DataFrame(index=range(5)), ["blue", "red"]),
            ("offers", rows, OFFERS),
            ("offers", [posse.Context(shared=row) for row in rows], OFFERS),
        )):
            with self.subTest(name, arms=arms):
                near, far = posse.Posse(**POSSES[name]), self.connect(f"{name}{k}", **POSSES[name])
                made = near.decide_many(some, arms=arms)
                for one in far:
                    self.same(one.decide_many(some, arms=arms), made)

    def test_every_form_of_numbers(self):
        """The same decisions as near, or the same exception."""
        dice = chance(5)
        rows, points = dice.normal(size=(6, 3)).round(2), dice.normal(size=(6, 3, 2)).round(2)
        sparse = [scipy.sparse.csr_matrix(rows), scipy.sparse.csr_array(rows), scipy.sparse.coo_array(rows)]
        pairs = [{i: float(x) for i, x in enumerate(row)} for row in rows]
        forms = {
            "shared": [
                *sparse,
                pairs,
                rows > 0,
                rows.astype(np.float16),
                rows.astype(int),
                rows.astype(np.longdouble),
                rows.astype(object),
                rows * 1j,
                pandas.DataFrame(rows),
                posse.Context(shared=pandas.DataFrame(rows)),
                (tuple(row) for row in rows),
                [],
                [["a"] * 3],
            ],
            "both": [
                (points, pandas.DataFrame(rows)),
                (points, scipy.sparse.csr_array(rows)),
                ([scipy.sparse.csr_array(one) for one in points], rows),
                ([[{0: 1.0}, {1: 2.0}, {}]] * 6, rows),
                (points, rows[:3]),
                (points[:, :2], rows),
                (np.ones((6, 0, 2)), rows),
                ([], []),
            ],
        }
        for name, some in forms.items():
            for k, form in enumerate(some):
                with self.subTest(name, form=k):
                    near = posse.Posse(**POSSES[name])
                    try:
                        made, wrong = near.decide_many(form), None
                    except Exception as error:
                        made, wrong = None, error
                    for one in self.connect(f"{name}-{k}", **POSSES[name]):
                        if wrong is None:
                            self.same(one.decide_many(form), made)
                        else:
                            with self.assertRaises(type(wrong)) as caught:
                                one.decide_many(form)
                            self.assertEqual(str(caught.exception), str(wrong))

    def test_sparse_points_belong_to_the_arms_as_they_were_named(self):
        definition = {"arms": ["a", "b", "c", "d"], "dim": 3, **LINEAR}
        rows = scipy.sparse.csr_matrix([[5.0, 0, 0], [0, 0.1, 0]])
        near, far = posse.Posse(**definition), self.connect("order", **definition)
        first = near.decide(points=rows, arms=["c", "a"])
        made = near.decide_many([rows] * 9, arms=["c", "a"])
        for one in far:
            self.assertEqual(one.decide(points=rows, arms=["c", "a"]).name, first.name)
            self.same(one.decide_many([rows] * 9, arms=["c", "a"]), made)

    def test_a_single_decision_takes_the_forms_of_a_batch(self):
        points = chance(5).normal(size=(3, 2)).round(2)
        near, far = posse.Posse(**POSSES["both"]), self.connect("single", **POSSES["both"])
        frame, objects = pandas.DataFrame(points), points.astype(object)
        for given, arms in ((frame, None), (frame, [2, 0, 1]), (objects, [2, 0, 1]), (points > 0, (0, 1, 2)), (points[:2], None)):
            made = near.decide(points=given, shared=[1, 2, 3], arms=arms)
            for one in far:
                self.assertEqual(one.decide(points=given, shared=[1, 2, 3], arms=arms).arm, made.arm)

    def test_names_are_asked_for_once(self):
        some = [posse.Context(shared={"age": i}, arms=["green", "red"]) for i in range(20)]
        for one in self.connect("once", **POSSES["features"]):
            one.decide({"age": 1})
            ask, asked = one._wire.ask, []
            one._wire.ask = lambda *words, **options: asked.append(words) or ask(*words, **options)
            one.decide_many(some)
            self.assertLessEqual(len(asked), 3, asked)

    def test_who_may_decide_needs_no_other_permission(self):
        self.connect("acl", **POSSES["shared"])
        self.redis.client().execute_command("ACL", "SETUSER", "shop", "on", ">secret", "~*", "+posse.decide", "+posse.info")
        one = posse.connect(f"redis://shop:secret@127.0.0.1:{self.redis.port}/acl")
        self.addCleanup(one.close)
        self.assertIn(one.decide([1, 2, 3]).arm, range(3))
        requests = self.asked(one, "posse")
        self.assertEqual(len(one.decide_many([[1, 2, 3]] * 5)), 5)
        one.decide([1, 2, 3])
        self.assertEqual(requests[0], 2)
        with self.assertRaises(posse.ForbiddenError):
            one.decide({"age": 3})

    def test_few_requests(self):
        rows = chance().normal(size=(2500, 3))
        near, far = posse.Posse(**POSSES["shared"]), self.connect("many", **POSSES["shared"])
        made = near.decide_many(rows)
        for one in far:
            requests = self.asked(one, "decide")
            self.same(one.decide_many(rows), made)
            self.assertEqual(requests[0], 3)
            self.assertEqual(one.decide_many([]), [])
            self.assertEqual(requests[0], 3)

    def test_a_costly_posse_decides_in_parts(self):
        definition = {"arms": 200, "context": 40, "propensity_draws": 100, **LINEAR}
        near, far = posse.Posse(**definition), self.connect("costly", **definition)
        rows = chance(3).normal(size=(150, 40)).round(3)
        made = near.decide_many(rows)
        for one in far:
            requests = self.asked(one, "decide")
            self.same(one.decide_many(rows), made)
            self.assertGreater(requests[0], 2)  # the first one is refused, and names how many there may be

    def test_wrong_rounds_change_nothing(self):
        shared = contexts()["shared"][0]
        bad = shared.copy()
        bad[17, 2] = 1e7
        twice = scipy.sparse.csr_matrix(([1.0, 2.0], [2, 2], [0, 2]), shape=(1, 3))
        for one in self.connect("wrong", **POSSES["shared"]):
            for kind, text, call in (
                (posse.ContextError, r"contexts\[17\].shared\[2\]", lambda p: p.decide_many(bad)),
                (posse.ContextError, "context.shared: numbers are needed", lambda p: p.decide_many([[1, 2, 3], [1, 2]])),
                (posse.ContextError, "rounds x 3, not 5 x 2", lambda p: p.decide_many(np.ones((5, 2)))),
                (posse.ContextError, r"contexts\[0\].shared: a feature is there twice", lambda p: p.decide_many(twice)),
                (posse.ContextError, r"contexts\[1\].shared\[2\]: nan", lambda p: p.decide_many(np.array([[1, 2, 3], [1, 2, np.nan]]))),
                (posse.ContextError, r"contexts\[1\].shared\[2\]: inf", lambda p: p.decide_many([[1, 2, 3], [1, 2, np.inf]])),
                (posse.ContextError, r"context.shared\[2\]: nan", lambda p: p.decide([1, 2, np.nan])),
                (posse.ContextError, r"context.shared.2: nan", lambda p: p.decide({2: np.nan})),
                (TypeError, "or a number of decisions", lambda p: p.decide_many(None)),
                (posse.ContextError, r"contexts\[0\].arms", lambda p: p.decide_many(shared, arms=[0, 7])),
                (TypeError, "contexts are an array for all decisions", lambda p: p.decide_many(shared, [1, 2, 3])),
                (TypeError, "not twice", lambda p: p.decide_many(posse.Context(shared=shared, arms=[0, 1]), arms=[0])),
            ):
                with self.subTest(text), self.assertRaisesRegex(kind, text):
                    call(one)
            self.assertEqual((one.decisions, one.pending), (0, 0))
        for one in self.connect("flat", **POSSES["joint"]):
            with self.assertRaisesRegex(posse.ContextError, "rounds x arms x 3"):
                one.decide_many(np.ones((5, 3)))
        for one in self.connect("joining", **{**POSSES["offers"], "joins": 9}):
            with self.assertRaisesRegex(posse.ContextError, 'there is no arm "pink"; an arm joins by decide or teach'):
                one.decide_many(UNKNOWN)
            self.assertEqual((one.arms, one.decisions), (3, 0))
        for one in self.connect("words", **POSSES["features"]):
            for call in (
                lambda p: p.decide_many(np.ones((2, 16))),
                lambda p: p.decide_many(scipy.sparse.eye(16, format="csr")),
                lambda p: p.decide_many({"age": 3, "country": "de"}),
                lambda p: p.decide_many(["abc"]),
                lambda p: p.decide(np.ones(16)),
                lambda p: p.decide("abc"),
                lambda p: p.teach_many([0, 1], [1, 1], np.ones((2, 16))),
            ):
                with self.assertRaises(posse.ContextError):
                    call(one)
            self.assertEqual(one.decisions, 0)
        freezing = {"arms": 3, "context": 8, "features": {"learn_scale": 2}, **LINEAR}
        for one in self.connect("freezing", **freezing):
            with self.assertRaisesRegex(posse.ContextError, r"contexts\[2\].*features must be at most"):
                one.decide_many([{"a": 0.0}, {"a": 1.0}, {"a": 1e9}])
            self.assertEqual(len(one.decide_many([{"a": 1e9}])), 1)  # no scale was learned, so it is the first number

    def test_what_was_made_before_a_failure_is_told(self):
        rows = chance().normal(size=(1200, 3))
        rows[1100, 0] = 1e7
        for one in self.connect("late", **POSSES["shared"]):
            with self.assertRaisesRegex(posse.ContextError, r"contexts\[1100\].shared\[0\]") as caught:
                one.decide_many(rows)
            self.assertEqual(caught.exception.__notes__, ["1000 of 1200 decisions were made before this, and they are kept"])
            self.assertEqual(one.pending, 1000)
            one.learn_many(caught.exception.made, np.ones(1000))
            self.assertEqual(one.pending, 0)

    def test_requests_of_others(self):
        """What the servers answer to what no client of posse sends."""
        self.connect("raw", **POSSES["shared"])
        self.connect("plain", **POSSES["arms"])
        client, round_ = self.http.client(), {"context": {"shared": [1, 2, 3]}}
        for body, path in (
            ({"rounds": 3}, "rounds"),
            ({"rounds": []}, "rounds"),
            ({"rounds": [round_] * 1001}, "rounds"),
            ({"rounds": [round_, 3]}, "rounds[1]"),
            ({"rounds": [round_, {}]}, "rounds[1].context"),
            ({"rounds": [round_, {"arms": [1], **round_}]}, "rounds[1].arms"),
            ({"rounds": [round_, {"unit": "ada", **round_}]}, "rounds[1].unit"),
            ({"rounds": [round_], "n": 1}, "rounds"),
            ({"rounds": [round_], "unit": "ada"}, "rounds"),
            ({"rounds": [round_], "context": {"shared": [1, 2, 3]}}, "rounds"),
        ):
            with self.subTest(path, body=str(body)[:80]):
                status, answer = client.post("/v1/posses/raw/decide", body)
                self.assertEqual((status, answer["path"]), (400, path))
        self.connect("joins", **{**POSSES["offers"], "joins": 9})
        for arms in (["red"], ["red", "pink"]):
            body = {"rounds": [{"context": {"age": 1}, "arms": {arm: {"price": 2} for arm in arms}}] * 2}
            status, answer = client.post("/v1/posses/joins/decide", body)
            self.assertEqual((status, answer.get("path")), (200, None) if len(arms) == 1 else (404, "rounds[0].arms"))
        status, answer = client.post("/v1/posses/plain/decide", {"rounds": [{}, {}]})
        self.assertEqual((status, len(answer["decisions"])), (200, 2))
        redis, said = self.redis.client(), json.dumps([round_])
        for words, text in (
            (["ROUNDS"], "stands alone"),
            (["ROUNDS", said, "COUNT", "1"], "stands alone"),
            (["ROUNDS", "[]"], "a list of 1 to 1000 rounds"),
            (["ROUNDS", '{"context": 1}'], "a list of 1 to 1000 rounds"),
            (["ROUNDS", "[3]"], r"rounds\[0\]"),
            (["ROUNDS", "[" * 300], "ROUNDS is"),
        ):
            with self.subTest(words=words), self.assertRaisesRegex(Exception, text):
                redis.execute_command("POSSE.DECIDE", "raw", *words)
        self.assertEqual(len(redis.execute_command("POSSE.DECIDE", "raw", "ROUNDS", said)), 1)

    def test_rounds_survive_a_crash(self):
        form = contexts()["features"][0]
        near, far = posse.Posse(**POSSES["features"]), self.connect("kept", **POSSES["features"])
        made, there = near.decide_many(form), far[0].decide_many(form)
        far[0].decide(form[0]), near.decide(form[0])  # the context of its own, behind those of a list
        self.http.stop(signal.SIGKILL)
        server = serving.Server(self.folder)
        self.addCleanup(server.stop)
        again = posse.connect(f"http://127.0.0.1:{server.port}/kept")
        self.addCleanup(again.close)
        rewards = chance(3).random(N).round()
        again.learn_many(there, rewards)
        near.learn_many(made, rewards)
        self.assertEqual([again.decide({"age": i}).arm for i in range(9)], [near.decide({"age": i}).arm for i in range(9)])


if __name__ == "__main__":
    unittest.main()
