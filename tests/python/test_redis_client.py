# SPDX-License-Identifier: MIT
"""posse.connect("redis://..."): a posse in Redis works like one in this process."""

import pathlib
import signal
import subprocess
import sys
import threading
import unittest

import numpy as np
import posse
from posse.redis_client import RedisPosse
from patience import PATIENCE
from redising import ADS, DURABLE, SHOP, Case, free_port
from support import lacking


class Without(unittest.TestCase):
    def test_other_urls_are_refused(self):
        for url in ("ftp://here/ads", "ads", ""):
            with self.assertRaisesRegex(ValueError, "redis://HOST:PORT/KEY"):
                posse.connect(url)

    def test_the_guide_names_the_verbs_that_it_lacks(self):
        self.assertEqual(*lacking(RedisPosse, "redis.md"))

    def test_without_redis_py_it_says_what_is_missing(self):
        code = (
            "import sys; sys.modules['redis'] = None; import posse\n"
            "try: posse.connect('redis://127.0.0.1/ads')\n"
            "except posse.UnreachableError as error: print(error)"
        )
        said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertIn("python3-redis", said.stdout, said.stderr)


class Connected(Case):
    def setUp(self):
        super().setUp()
        self.one = self.server()
        self.url = f"redis://127.0.0.1:{self.one.port}/ads"

    def connect(self, definition=ADS, url=None, **options):
        made = posse.connect(url or self.url, create=definition, **options)
        self.addCleanup(made.close)
        return made

    def test_a_connected_posse_decides_as_one_of_ones_own(self):
        for i, definition in enumerate((ADS, SHOP, {**ADS, "selector": "bms", "propensity_draws": 20})):
            far = self.connect(definition, f"{self.url}{i}")
            near = posse.Posse(**definition)
            for round in range(300):
                a, b = far.decide(), near.decide()
                self.assertEqual((a.arm, a.learner, a.propensity), (b.arm, b.learner, b.propensity))
                self.assertEqual(a.learner_name, near.learners[b.learner])
                if round % 5 == 4:
                    far.forget(a), near.forget(b)
                elif round % 5 != 3:
                    reward = (a.arm * 7 + round) % 3 / 3
                    far.learn(a, reward), near.learn(b, reward)
                if round == 100:
                    self.assertEqual(far.add_learner({"kind": "ucb", "name": "late", "width": np.float64(2)}), len(near.plays))
                    near.add_learner({"kind": "ucb", "name": "late", "width": 2})
                if round == 150:
                    far.retire_learner("thompson"), near.retire_learner("thompson")
                    self.assertEqual(far.add_arm(), near.add_arm())
                if round == 200:
                    far.retire_arm(1), near.retire_arm(1)
                    far.teach(0, 0.25), near.teach(0, 0.25)
            for what in ("learners", "active", "decisions", "pending", "arms", "dim", "features", "shared_features"):
                self.assertEqual(getattr(far, what), getattr(near, what), what)
            for what in ("plays", "potentials", "means", "deviations", "probabilities"):
                np.testing.assert_array_equal(getattr(far, what), getattr(near, what), what)
            self.assertEqual([far.arm_active(arm) for arm in range(near.arms)], [near.arm_active(a) for a in range(near.arms)])
            self.assertEqual(far.expire(10), near.expire(10))

    def test_a_surprise_is_that_of_a_posse_of_ones_own(self):
        watched = {**ADS, "selector": {"kind": "bms", "watch": True}}
        far, near = self.connect(watched), posse.Posse(**watched)
        for round in range(50):
            far.learn(far.decide(), round % 5 == 0), near.learn(near.decide(), round % 5 == 0)
        self.assertEqual(far.surprise, near.surprise)
        self.assertNotEqual(far.surprise, 0)
        with self.assertRaises(posse.AbsentError):
            self.connect(ADS, self.url + "0").surprise

    def test_many_at_once(self):
        far, near = self.connect(), posse.Posse(**ADS)
        first = far.decide_many(10)
        mine = [near.decide() for _ in range(10)]
        self.assertEqual([d.arm for d in first], [d.arm for d in mine])
        far.learn_many((d, d.arm / 4) for d in first[:5])
        second = far.turn([(d.token, 1) for d in first[5:]], 4)
        for i, d in enumerate(mine):
            near.learn(d, d.arm / 4 if i < 5 else 1)
        self.assertEqual([d.arm for d in second], [near.decide().arm for _ in range(4)])
        self.assertEqual(len(far.turn(n=2)), 2)
        far.learn_many([])

    def test_rounds_may_bring_features(self):
        definition = {"arms": 3, "dim": 2, "context": 1, "prior": "linear", "learners": ["linear-ucb", "linear-thompson"]}
        far, near = self.connect(definition), posse.Posse(**definition)
        dice = np.random.default_rng(1)
        for round in range(60):
            points, shared = dice.normal(size=(3, 2)), [0.5]
            if round % 2:
                a, b = far.decide((points, shared)), near.decide((points, shared))
            else:
                context = posse.Context(points[:2], shared, [0, 2])
                a, b = far.decide(context), near.decide(context)
            self.assertEqual((a.arm, a.learner), (b.arm, b.learner))
            far.learn(a, points[0, 0]), near.learn(b, points[0, 0])
        with self.assertRaises(posse.ContextError) as caught:
            far.decide(points=[[1, 2], [3, 4]], shared=[1], arms=[0, 9])
        self.assertTrue(caught.exception.problem.path.startswith("context"), caught.exception)
        with self.assertRaises(posse.ContextError):
            far.decide()

    def test_arms_may_be_points(self):
        definition = {"dim": 2, "prior": "linear", "learners": ["linear-thompson"]}
        far, near = self.connect({**definition, "arms": 0}), posse.Posse(**definition)
        for _ in range(20):
            a, b = far.decide(), near.decide()
            np.testing.assert_array_equal(a.point, b.point)
            far.learn(a, a.point[0]), near.learn(b, b.point[0])
        far.teach([0.6, 0.8], 1)

    def test_external_learners(self):
        far = self.connect({"arms": 3, "prior": "beta", "learners": ["external"]})
        d = far.decide()
        self.assertTrue(d.untold)
        with self.assertRaises(posse.DecisionError):
            far.learn(d, 1)
        far.acted(d, 2)
        far.learn(d, 1)

    def test_errors_are_those_of_a_posse(self):
        far = self.connect()
        d = far.decide()
        far.learn(d, 1)
        far.learn(d, 1)
        for kind, wrong in (
            (posse.DecisionError, lambda: far.learn(d, 0)),
            (posse.DecisionError, lambda: far.forget(d)),
            (posse.DecisionError, lambda: far.learn("x" * 24, 1)),
            (posse.RewardError, lambda: far.learn(far.decide(), 2)),
            (posse.RewardError, lambda: far.learn(far.decide(), float("nan"))),
            (posse.RewardError, lambda: far.turn([(far.decide(), 2)])),
            (posse.RewardError, lambda: far.learn_many([(far.decide(), float("inf"))])),
            (TypeError, lambda: far.learn(7, 1)),
            (TypeError, lambda: far.forget(None)),
            (posse.RewardError, lambda: far.teach(0, 2)),
            (posse.LearnerError, lambda: far.teach(7, 1)),
            (posse.LearnerError, lambda: far.retire_learner("nobody")),
            (posse.LearnerError, lambda: far.retire_learner(9)),
            (posse.LearnerError, lambda: far.retire_arm(9)),
            (posse.LearnerError, lambda: far.arm_active(9)),
            (posse.SpecificationError, lambda: far.add_learner({"kind": "ucb", "widht": 1})),
            (posse.ContextError, lambda: far.decide(shared=[1])),
            (posse.MissingError, lambda: posse.connect(self.url + "-none")),
            (LookupError, lambda: posse.connect(self.url + "-none")),
            (posse.ForbiddenError, lambda: posse.connect(self.url.replace("//", "//me:pw@"))),
        ):
            with self.assertRaises(kind):
                wrong()
        for wrong in (lambda: far.decide_many(1001), lambda: far.turn(n=0)):
            with self.assertRaises(ValueError) as caught:
                wrong()
            self.assertNotIsInstance(caught.exception, posse.Error)
        with self.assertRaises(posse.SpecificationError) as caught:
            self.connect({**ADS, "learners": [{"kind": "ucb", "widht": 1}], "armz": 3}, self.url + "-new")
        self.assertEqual([problem.path for problem in caught.exception.problems], ["learners[0].widht", "armz"])
        for url in (self.url[: -len("/ads")], self.url + "?x=1"):
            with self.assertRaises(ValueError):
                posse.connect(url)

    def test_what_is_there_stays(self):
        first, again = self.connect(), self.connect()
        self.assertEqual(again.learners, first.learners)
        with self.assertRaisesRegex(posse.SpecificationError, "arms: the posse exists and has 5, but create has 4"):
            self.connect(SHOP)
        other = self.connect(SHOP, self.url + "?db=1")
        self.assertNotEqual(other.learners, first.learners)
        first.delete()
        with self.assertRaises(posse.MissingError):
            first.decide()

    def test_keys_may_be_any_text(self):
        for key, quoted in (("a/b c?", "a/b%20c%3F"), ("ключ", "%D0%BA%D0%BB%D1%8E%D1%87")):
            made = self.connect(url=f"redis://127.0.0.1:{self.one.port}/{quoted}")
            self.assertEqual(made.name, key)
            self.assertEqual(self.one.client().exists(key), 1)

    def test_a_socket_will_do(self):
        path = pathlib.Path("/tmp") / f"posse-test-{self.one.port}.socket"
        self.addCleanup(path.unlink, missing_ok=True)
        self.server("two", unixsocket=path)
        made = self.connect(url="redis://localhost/ads", unix_socket=path)
        self.assertEqual(made.decide().arm, posse.Posse(**ADS).decide().arm)

    def test_threads_share_it(self):
        far = self.connect()

        def work():
            for _ in range(100):
                far.learn(far.decide(), 1)

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((far.decisions, far.pending), (800, 0))


class Interrupted(Case):
    def test_it_goes_on_after_a_restart(self):
        port = free_port()
        started = [self.server(port=port, **DURABLE)]
        far = posse.connect(f"redis://127.0.0.1:{port}/ads", create=ADS)
        self.addCleanup(far.close)
        near = posse.Posse(**ADS)
        for _ in range(3):
            for _ in range(20):
                a, b = far.decide(), near.decide()
                self.assertEqual(a.arm, b.arm)
                far.learn(a, 1), near.learn(b, 1)
            a, b = far.decide(), near.decide()
            started[-1].stop()
            starting = threading.Timer(0.3, lambda: started.append(self.server(port=port, **DURABLE)))
            starting.start()
            far.learn(a, 0), near.learn(b, 0)  # the first try fails
            starting.join()
            self.assertEqual(far.decisions, near.decisions)
        started[-1].stop()
        with self.assertRaises(posse.UnreachableError):
            posse.connect(f"redis://127.0.0.1:{port}/ads", retries=0)

    def test_what_may_have_been_done_is_not_repeated(self):
        one = self.server()
        patient, far = (
            posse.connect(f"redis://127.0.0.1:{one.port}/ads", create=ADS, timeout=seconds, retries=2)
            for seconds in (PATIENCE, 10)
        )
        self.addCleanup(patient.close)
        self.addCleanup(far.close)
        taught = posse.Posse(**ADS)
        one.process.send_signal(signal.SIGSTOP)
        threading.Timer(0.2, lambda: one.process.send_signal(signal.SIGCONT)).start()
        patient.teach(0, 1)  # in time
        taught.teach(0, 1)
        self.assertEqual(patient.means[0], taught.means[0])
        one.process.send_signal(signal.SIGSTOP)
        with self.assertRaises(posse.UnreachableError):
            far.teach(0, 1)
        one.process.send_signal(signal.SIGCONT)
        later = posse.connect(f"redis://127.0.0.1:{one.port}/ads")  # served after all connections before it
        self.addCleanup(later.close)
        once = taught.means[0]
        taught.teach(0, 1)
        self.assertIn(later.means[0], (once, taught.means[0]))  # the command was sent once at most


if __name__ == "__main__":
    unittest.main()
