# SPDX-License-Identifier: MIT
"""One posse, many threads: only one call runs at a time."""

import copy
import itertools
import multiprocessing
import pathlib
import random
import tempfile
import threading
import time
import unittest

import posse
from patience import PATIENCE
from support import decisions, lengthy, small

THREADS = 8


class Counter(posse.Learner):
    """A learner that counts the calls that are in it at the same time."""

    inside = 0
    most = 0

    def __deepcopy__(self, memo):
        return Counter()

    def visit(self):
        self.inside += 1
        self.most = max(self.most, self.inside)
        time.sleep(0)
        self.inside -= 1

    def act(self, draw):
        self.visit()
        return draw.index(4)

    def learn(self, arm, reward):
        self.visit()


def hash_of(seed):
    return posse.run(small(), seed=seed, threads=2).hash


def decisions_of(p):
    return decisions(p, 20)


def together(work):
    """Runs work(number) on all threads, which start together, and raises the first exception again."""
    wrong, gate = [], threading.Barrier(THREADS)

    def guarded(number):
        gate.wait()
        try:
            work(number)
        except BaseException as error:  # raised again by the main thread
            wrong.append(error)

    threads = [threading.Thread(target=guarded, args=(n,)) for n in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    if any(thread.is_alive() for thread in threads):
        raise AssertionError("some are waiting for each other")
    if wrong:
        raise wrong[0]


class Threads(unittest.TestCase):
    def hammer(self, p, moves):
        counts = {"decided": 0, "settled": 0, "added": 0}
        lock = threading.Lock()
        pool = []

        def work(number):
            chance = random.Random(number)
            for _ in range(moves):
                what = chance.random()
                if what < 0.45:
                    d = p.decide()
                    with lock:
                        counts["decided"] += 1
                        pool.append(d)
                elif what < 0.85:
                    with lock:
                        d = pool.pop(chance.randrange(len(pool))) if pool else None
                    if d is not None:
                        (p.forget if what < 0.5 else lambda d: p.learn(d, 0.5))(d)
                        with lock:
                            counts["settled"] += 1
                elif what < 0.86:
                    p.add_learner({"kind": "ucb", "name": f"{number} {chance.random()}"})
                    with lock:
                        counts["added"] += 1
                elif what < 0.87:
                    try:
                        p.retire_learner(chance.randrange(len(p.learners)))
                    except posse.LearnerError:
                        pass
                elif what < 0.9:
                    posse.load(p.save()).decide()
                else:
                    self.assertGreaterEqual(len(p.plays), 2)
                    self.assertGreaterEqual(p.pending, 0)

        together(work)
        self.assertEqual(int(p.plays.sum()), counts["decided"])
        self.assertEqual(p.pending, counts["decided"] - counts["settled"])
        self.assertEqual(p.pending, len(pool))
        return counts

    def test_hammer_one_posse_and_the_counts_add_up(self):
        p = posse.Posse(4, learners=["ucb", {"kind": "thompson", "name": "t"}], prior="gaussian")
        counts = self.hammer(p, 2000)
        self.assertEqual(len(p.learners), 2 + counts["added"])

    def test_hammer_one_with_learners_in_python(self):
        p = posse.Posse(4, learners=["ucb", Counter()], prior="gaussian")
        self.hammer(p, 500)
        self.assertLessEqual(p.learner("Counter").most if p.active[1] else 1, 1)

    def test_a_decision_is_settled_by_one_of_them(self):
        p = posse.Posse(4, "uniform", ["ucb"])
        ids = [p.decide().id for _ in range(500)]
        won = []

        def work(number):
            for i in ids:
                try:
                    p.learn(i, 1.0)
                    won.append(i)
                except posse.DecisionError:
                    pass

        together(work)
        self.assertEqual(sorted(won), ids)

    def test_the_others_go_on_while_an_experiment_runs(self):
        ticks, done = [], threading.Event()

        def tick():
            while not done.is_set():
                ticks.append(None)
                time.sleep(0.001)

        thread = threading.Thread(target=tick)
        thread.start()
        gained = []
        while not gained or (gained[-1] <= 20 and len(gained) < 20):
            before = len(ticks)
            posse.run(small(rounds=20_000, runs=200), threads=1)
            gained.append(len(ticks) - before)
        done.set()
        thread.join()
        # If the lock were held all the time, the other thread would run once or twice in each experiment. On a busy machine
        # it may miss a whole experiment, but not many.
        self.assertGreater(gained[-1], 20, gained)

    def test_experiments_run_side_by_side(self):
        alone = posse.run(small()).hash
        hashes = []
        together(lambda number: hashes.append(posse.run(small(), threads=1 + number % 2).hash))
        self.assertEqual(hashes, [alone] * THREADS)

    def test_experiments_with_learners_in_python_take_turns_or_say_so(self):
        alone = posse.run(small(learners=[Counter()])).hash
        answers = []

        def work(number):
            try:
                answers.append(posse.run(small(learners=[Counter()])).hash)
            except RuntimeError as error:
                self.assertIn("one at a time", str(error))

        together(work)
        self.assertEqual(set(answers), {alone})

    def test_processes_have_posses_of_their_own(self):
        p = posse.Posse(4, learners=["ucb", Counter()], prior="gaussian")
        posse.run(small(), threads=2)  # starts threads, which a fork does not copy
        for method in ("fork", "spawn"):
            with self.subTest(method=method), multiprocessing.get_context(method).Pool(2) as pool:
                hashes = pool.map_async(hash_of, range(4)).get(PATIENCE)
                self.assertEqual(hashes, [hash_of(seed) for seed in range(4)])
                made = pool.map_async(decisions_of, [p, p]).get(PATIENCE)
                self.assertEqual(made, [decisions_of(copy.copy(p))] * 2)

    def test_results_are_saved_by_many_at_once(self):
        r = posse.run(small(runs=2000))
        with tempfile.TemporaryDirectory() as folder:
            alone = pathlib.Path(r.save(f"{folder}/alone"))
            together(lambda thread: r.save(f"{folder}/{thread}"))
            for thread, file in itertools.product(range(THREADS), alone.iterdir()):
                self.assertEqual(pathlib.Path(folder, str(thread), "small", file.name).read_bytes(), file.read_bytes())

    def test_an_exception_in_progress_stops_an_experiment_soon(self):
        class Enough(Exception):
            pass

        def progress(played, total):
            self.assertLessEqual(played, total)
            raise Enough

        started = time.process_time()
        with self.assertRaises(Enough):
            posse.run(lengthy(), progress=progress)
        self.assertLess(time.process_time() - started, 20)  # seconds of processors; the experiment takes minutes


if __name__ == "__main__":
    unittest.main()
