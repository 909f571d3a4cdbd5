# SPDX-License-Identifier: MIT
"""Counts the references that remain after long loops of everything that allocates and frees. It needs a debug build
of Python, which counts all references."""

import array
import copy
import gc
import pickle
import sys

import posse
from support import decisions, small

LOOPS = 300


class Idle(posse.Learner):
    """A learner in Python."""

    def start(self, arms):
        self.arms = arms

    def act(self, draw):
        return draw.index(len(self.arms))

    def learn(self, arm, reward):
        pass


class Broken(Idle):
    """A learner that raises."""

    def act(self, draw):
        raise ZeroDivisionError


def make(*more):
    return posse.Posse(4, learners=["ucb", "thompson", *more], prior="gaussian")


def refused(work, *arguments):
    """Checks that a call raises."""
    try:
        work(*arguments)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return
    raise AssertionError("not refused")


def change(p):
    p.add_learner("epsilon-greedy")
    p.add_learner(Idle())
    p.retire_learner("ucb")
    refused(p.retire_learner, "ucb")
    refused(p.add_arm)
    refused(p.retire_arm, 99)
    refused(p.add_learner, {"kind": "ucb", "wdith": 1})


def act(p):
    """Makes a decision that this code acts on, and one that expires."""
    d = p.decide()
    refused(p.learn, d, 0.5)
    refused(p.acted, d, 99)
    p.acted(d, 1)
    p.learn(d, 0.5)
    p.decide()
    p.expire(0)


plain, mixed, settled = make(), make(Idle()), make()
outside = posse.Posse(4, "uniform", ["external"])
featured = posse.Posse(4, "uniform", ["ucb"], context=2)
numbers = array.array("d", [0.1, 0.2])
decision = settled.decide()
settled.forget(decision)

LOOP = {
    "a posse": make,
    "a posse with a learner in Python": lambda: make(Idle()),
    "rounds": lambda: decisions(plain, 5),
    "rounds of a learner in Python": lambda: decisions(mixed, 5),
    "forgotten decisions": lambda: (plain.forget(plain.decide()), refused(settled.forget, decision)),
    "decisions of another posse": lambda: (refused(plain.learn, decision, 1), refused(plain.forget, decision)),
    "decisions of external learners": lambda: act(outside),
    "contexts": lambda: featured.forget(featured.decide(numbers)),
    "wrong contexts": lambda: (refused(featured.decide), refused(featured.decide, numbers[:1])),
    "pending decisions": lambda: (mixed.decide(), mixed.pending_decisions(), mixed.expire(3)),
    "taught rewards": lambda: (mixed.teach(1, 0.5), refused(mixed.teach, 9, 0.5)),
    "pickles of decisions": lambda: pickle.loads(pickle.dumps(decision)),
    "refused rehearsals": lambda: (refused(plain.propensities, 0), refused(posse.Posse(2, None, [Broken()]).propensities)),
    "epochs": lambda: (setattr(plain, "epoch", 1), setattr(plain, "epoch", 0), refused(setattr, plain, "epoch", -1)),
    "names": lambda: (plain.learners, plain.active, plain.pending, repr(plain)),
    "learners added and retired": lambda: change(make()),
    "save and load": lambda: (posse.load(plain.save()), posse.load(plain.save(), exact=True)),
    "save and load, with a learner in Python": lambda: posse.load(mixed.save()),
    "pickle": lambda: pickle.loads(pickle.dumps(mixed)),
    "copies": lambda: (copy.copy(plain), copy.deepcopy(mixed)),
    "wrong descriptions": lambda: (refused(posse.Posse, -1), refused(posse.Posse, 3, "bms", [{"kind": "nope"}])),
    "wrong decisions": lambda: (refused(plain.learn, 10**9, 1), refused(settled.learn, decision, 1)),
    "wrong rewards": lambda: refused(plain.learn, plain.decide(), float("nan")),
    "wrong bytes": lambda: refused(posse.load, b"posse"),
    "what is not there": lambda: refused(lambda: plain.clipped),
    "exceptions of learners": lambda: refused(posse.Posse(2, None, [Broken()]).decide),
    "wrong experiments": lambda: refused(posse.check, small(rounds="many")),
    "experiments": lambda: posse.run(small(rounds=5, runs=2), threads=1),
    "experiments with learners in Python": lambda: posse.run(small(rounds=5, runs=2, learners=[Idle()])),
}


def left_over(work):
    """The mean number of references left by a call. The loops use no NumPy arrays, because a NumPy that was not
    built for this Python releases references without counting them."""
    for _ in range(10):
        work()
    gc.collect()
    before = sys.gettotalrefcount()
    for _ in range(LOOPS):
        work()
    gc.collect()
    return (sys.gettotalrefcount() - before) / LOOPS


wrong = {what: left for what, left in ((what, left_over(work)) for what, work in LOOP.items()) if abs(left) > 0.5}
sys.exit("".join(f"{what}: {left:+.2f} references each time\n" for what, left in wrong.items()) or 0)
