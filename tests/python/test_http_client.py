# SPDX-License-Identifier: MIT
"""A posse on a server, with the methods of posse.Posse: the same decisions, the same errors, and requests that are
repeated."""

import contextlib
import hashlib
import io
import os
import random
import re
import select
import socket
import threading
import unittest

import numpy as np

import posse
from serving import Server
from support import ROOT, WRITTEN_OUT, lacking, scratch

ADS = {
    "arms": 5,
    "prior": "gaussian",
    "seed": 11,
    "learners": [{"kind": "ucb", "width": 0.1}, {"kind": "ucb", "name": "wide", "width": 2}, "thompson", "epsilon-greedy"],
}
PAGES = {
    "arms": 4,
    "dim": 2,
    "context": 3,
    "prior": {"kind": "linear", "precision": 1, "noise": 1},
    "seed": 5,
    "learners": ["linear-ucb", "linear-thompson", {"kind": "ucb", "width": 0.5}],
}
POINTS = {
    "points": [[1, 0], [0, 1], [0.6, 0.8]],
    "prior": {"kind": "linear", "precision": 1, "noise": 1},
    "learners": ["linear-ucb", "linear-thompson"],
}


class Proxy:
    """A proxy between a client and a server. It cuts connections, before or after the request was passed on."""

    def __init__(self, server, dice, share):
        self.server, self.dice, self.share = server, dice, share
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.cut = 0
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                one, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.carry, args=(one,), daemon=True).start()

    def carry(self, one):
        with one, socket.create_connection((self.server.host, self.server.port)) as other:
            while True:
                for source in select.select([one, other], [], [])[0]:
                    data = source.recv(1 << 20)
                    if not data:
                        return
                    if self.dice.random() < self.share:
                        self.cut += 1
                        return
                    (other if source is one else one).sendall(data)


class HttpClient(unittest.TestCase):
    def setUp(self):
        self.folder = scratch(self)

    def start(self, *options, **settings):
        server = Server(self.folder, *options, **settings)
        self.addCleanup(server.__exit__)
        return server

    def connect(self, server, name="ads", create=None, **settings):
        connected = posse.connect(f"http://{server.host}:{server.port}/{name}", create=create, **settings)
        self.addCleanup(connected.close)
        return connected

    def same(self, here, there):
        np.testing.assert_array_equal(here.plays, there.plays)
        np.testing.assert_array_equal(here.potentials, there.potentials)
        np.testing.assert_array_equal(here.regrets, there.regrets)
        self.assertEqual((here.decisions, here.pending, here.learners, here.active), (there.decisions, there.pending, there.learners, there.active))

    def play(self, here, there, rounds, contexts=lambda: {}):
        """Both posses decide, and learn late and out of order. Their decisions are the same."""
        dice, waiting = random.Random(8), []
        for i in range(rounds):
            how = contexts()
            a, b = here.decide(**how), there.decide(**how)
            self.assertEqual((a.arm, a.learner, a.untold, a.id & 0xFFFFFFFF), (b.arm, b.learner, b.untold, b.id & 0xFFFFFFFF))
            waiting.append((a, b))
            while waiting and dice.random() < 0.6:
                a, b = waiting.pop(dice.randrange(len(waiting)))
                if dice.random() < 0.05:
                    here.forget(a), there.forget(b)
                else:
                    reward = dice.gauss(a.arm * 0.3, 1)
                    here.learn(a, reward), there.learn(b, reward)

    def test_decides_as_a_posse_in_the_process_does(self):
        server = self.start()
        here, there = posse.Posse(**ADS), self.connect(server, create=ADS)
        self.play(here, there, 600)
        self.same(here, there)
        np.testing.assert_array_equal(here.means, there.means)
        np.testing.assert_array_equal(here.deviations, there.deviations)
        for one in (here, there):
            self.assertEqual(one.add_learner({"kind": "thompson", "name": "late"}), 4)
            self.assertEqual(one.add_arm(), 5)
            one.retire_learner("wide")
            one.retire_learner(0)
            one.retire_arm(1)
            self.assertEqual([one.arm_active(i) for i in range(6)], [True, False, True, True, True, True])
        self.play(here, there, 200)
        self.same(here, there)
        self.assertEqual((there.arms, there.dim, there.features), (here.arms, here.dim, here.features))

    def test_the_default_selector_is_bms_plus(self):
        server = self.start()
        for i, named in enumerate(({}, {"selector": "bms-plus"}, {"selector": {"kind": "bms-plus"}})):
            here, there = posse.Posse(**ADS, selector=WRITTEN_OUT), self.connect(server, f"ads{i}", {**ADS, **named})
            self.play(here, there, 200)
            self.same(here, there)

    def test_a_surprise_is_that_of_a_posse_in_the_process(self):
        server = self.start()
        watched = {**ADS, "selector": {"kind": "bms", "watch": True}}
        here, there = posse.Posse(**watched), self.connect(server, create=watched)
        self.play(here, there, 100)
        self.assertEqual(here.surprise, there.surprise)
        self.assertNotEqual(there.surprise, 0)
        with self.assertRaises(posse.AbsentError):
            self.connect(server, "plain", ADS).surprise

    def test_decides_the_same_in_contexts(self):
        dice = np.random.default_rng(3)
        server = self.start()
        here, there = posse.Posse(**PAGES), self.connect(server, "pages", PAGES)
        self.assertEqual((there.features, there.shared_features), (here.features, here.shared_features))

        def contexts():
            arms = dice.permutation(4)[: dice.integers(1, 5)]
            points, shared = dice.normal(size=(len(arms), 2)), dice.normal(size=3)
            if len(arms) == 4:
                return {"context": (points, shared)}
            return dice.choice([{"points": points, "shared": shared, "arms": arms}, {"context": posse.Context(points, shared, arms)}])

        self.play(here, there, 300, contexts)
        self.same(here, there)
        for one in (here, there):
            one.decide(points=np.ones((2, 2)), shared=np.ones(3))  # the first two arms
            with self.assertRaises(posse.ContextError) as caught:
                one.decide(points=np.ones((2, 2)), shared=np.ones(3), arms=[1, 1])
            self.assertEqual(caught.exception.problem.path, "context.arms[1]")
            with self.assertRaises(posse.ContextError):
                one.decide()
            with self.assertRaises(TypeError):
                one.decide((1, 2), points=[[1, 2]])

    def test_the_guide_runs(self):
        server = self.start()
        code = re.search(r"```python\n(.*?)```", (ROOT / "docs/serving.md").read_text(), re.S)[1]
        with contextlib.redirect_stdout(io.StringIO()) as said:
            exec(code.replace("127.0.0.1:7677", f"{server.host}:{server.port}"), session := {})
        session["ads"].close()
        self.assertEqual(said.getvalue().splitlines()[-1], "129")

    def test_points(self):
        server = self.start()
        here, there = posse.Posse(**POINTS), self.connect(server, "points", POINTS)
        self.play(here, there, 100)
        np.testing.assert_array_equal(here.decide().point, there.decide().point)
        self.assertEqual(here.add_arm([0, -1]), there.add_arm([0, -1]))
        self.play(here, there, 50)

    def test_many_at_once_are_the_same_decisions(self):
        server = self.start()
        here, there = posse.Posse(**ADS), self.connect(server, create=ADS)
        waiting = there.decide_many(7)
        own = [here.decide() for _ in range(7)]
        for step in range(30):
            self.assertEqual([d.arm for d in own], [d.arm for d in waiting])
            rewards = [(d, 0.1 * d.arm) for d in waiting]
            for d in own:
                here.learn(d, 0.1 * d.arm)
            if step % 2:
                waiting = there.turn(rewards, 7)
            else:
                there.learn_many(rewards)
                waiting = there.decide_many(7)
            own = [here.decide() for _ in range(7)]
        self.same(here, there)

    def test_external_learners(self):
        server = self.start()
        p = self.connect(server, create={"arms": 3, "prior": "beta", "learners": [{"kind": "external", "name": "a person"}]})
        d = p.decide()
        self.assertEqual((d.arm, d.untold, d.learner_name), (None, True, "a person"))
        with self.assertRaisesRegex(posse.DecisionError, "acted"):
            p.learn(d, 1)
        p.acted(d, 2)
        p.learn(d, 1)
        self.assertEqual(p.pending, 0)

    def test_the_guide_names_the_verbs_that_it_lacks(self):
        self.assertEqual(*lacking(posse.HttpPosse, "serving.md"))

    def test_errors_are_those_of_a_posse(self):
        server = self.start()
        p = self.connect(server, create=ADS)
        d = p.decide()
        p.learn(d, 1)
        p.learn(d.token, 1)  # a repetition
        with self.assertRaises(posse.DecisionError):
            p.learn(d, 0)
        with self.assertRaises(posse.DecisionError):
            p.learn("nonsense", 0)
        d = p.decide()
        with self.assertRaises(posse.RewardError):
            p.learn(d, 1e300)
        for wrong in (float("nan"), float("inf")):
            with self.assertRaises(posse.RewardError):
                p.learn(d, wrong)
            with self.assertRaises(posse.RewardError):
                p.turn([(d, wrong)])
        for wrong in (7, None, posse.Posse(**ADS).decide()):
            with self.assertRaisesRegex(TypeError, "a decision of this posse or its token is needed"):
                p.learn(wrong, 1)
        for n in (0, 1001):
            for verb in (p.decide_many, lambda n: p.turn(n=n)):
                with self.assertRaises(ValueError) as caught:
                    verb(n)
                self.assertNotIsInstance(caught.exception, posse.Error)
        with self.assertRaises(posse.LearnerError):
            p.retire_learner("nobody")
        with self.assertRaises(posse.LearnerError):
            p.retire_arm(17)
        with self.assertRaises(posse.SpecificationError) as caught:
            p.add_learner({"kind": "ucb", "name": "x", "width": -1})
        self.assertEqual(caught.exception.problems[0].path, "width")
        with self.assertRaises(posse.SpecificationError) as caught:
            self.connect(server, "b", {**ADS, "learners": [{"kind": "ucb", "width": -1}, {"kind": "ubc"}]})
        self.assertEqual([p.path for p in caught.exception.problems], ["learners[0].width", "learners[1].kind"])
        with self.assertRaisesRegex(posse.MissingError, "no posse") as caught:
            self.connect(server, "nobody")
        self.assertIsInstance(caught.exception, LookupError)
        self.assertNotIsInstance(caught.exception, OSError)  # callers retry after an OSError
        flat = self.connect(server, "flat", {**ADS, "selector": "uniform"})
        self.assertFalse(hasattr(flat, "potentials"))
        for url in ("ftp://x/ads", "http://127.0.0.1:1/", "ads"):
            with self.assertRaises(ValueError):
                posse.connect(url)
        p.delete()
        for ask in (p.decide, lambda: list(p.watch(frames=1))):
            with self.assertRaises(posse.MissingError):
                ask()

    def test_tokens(self):
        tokens = self.folder / "tokens"
        rights = {"boss": "admin *", "shop": "decide ads"}
        tokens.write_text("".join(f"{hashlib.sha256(k.encode()).hexdigest()} {v}\n" for k, v in rights.items()))
        server = self.start("--tokens", tokens)
        with self.assertRaises(posse.ForbiddenError):
            self.connect(server, create=ADS)
        self.connect(server, create=ADS, token="boss")
        shop = self.connect(server, create=None, token="shop")
        d = shop.decide()
        with self.assertRaises(posse.ForbiddenError):
            shop.learn(d, 1)

    def test_requests_that_are_lost_are_repeated(self):
        """No reward is learned twice, none is lost, and none goes to another decision."""
        server = self.start()
        proxy = Proxy(server, random.Random(5), 0.15)
        self.addCleanup(proxy.socket.close)
        proxy.host = "127.0.0.1"
        p = self.connect(proxy, create=ADS, retries=12, backoff=0.002)
        learned = 0
        for i in range(150):
            p.learn(p.decide(), i % 3)
            learned += 1
        self.assertGreater(proxy.cut, 20)
        direct = self.connect(server)
        self.assertEqual(direct.decisions - direct.pending, learned)
        frame = next(direct.watch(frames=1))
        self.assertEqual((frame["rewards"], frame["reward_sum"]), (150, sum(i % 3 for i in range(150))))

    def test_a_restart_is_waited_for(self):
        server = self.start()
        where = f"{server.host}:{server.port}"
        p = self.connect(server, create=ADS, retries=9)
        d = p.decide()
        server.stop(9)
        again = []
        timer = threading.Timer(0.5, lambda: again.append(self.start(listen=where)))
        timer.start()
        p.learn(d, 1)
        timer.join()
        self.assertEqual((p.decisions, p.pending), (1, 0))
        again[0].stop(9)
        with self.assertRaises(posse.UnreachableError):
            self.connect(again[0], retries=1)

    def test_a_unix_socket_threads_and_forks(self):
        path = self.folder / "socket"
        self.start(listen=f"unix:{path}")
        p = posse.connect("http://localhost/ads", create=ADS, unix_socket=path)
        threads = [threading.Thread(target=lambda: [p.learn(p.decide(), 1) for _ in range(20)] and p.close()) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        child = os.fork()
        if child == 0:
            p.learn(p.decide(), 1)
            os._exit(0)
        p.learn(p.decide(), 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual((p.decisions, p.pending), (82, 0))
        p.close()


if __name__ == "__main__":
    unittest.main()
