#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A small web shop that asks a server which offer to show: shop.py [URL] [--visitors N] [--fronts N] [--seed N]

Several processes, as a shop has them. The *fronts* serve visitors: each asks for a decision, shows the offer, and hands the token on with
the visit. The *till* hears later, and in another order, who bought something, and brings the rewards back in batches. Nobody but the server
knows what was learned. Without a URL it starts `posse serve` with a database of its own, for as long as the shop is open."""

import argparse
import contextlib
import heapq
import multiprocessing
import os
import random
import re
import subprocess
import tempfile
import time

import posse

OFFERS = {  # how many of a hundred visitors buy
    "free shipping": 11,
    "10% off": 14,
    "buy two, get three": 8,
    "a mug": 4,
    "nothing": 5,
}
DESCRIPTION = {
    "arms": len(OFFERS),
    "prior": "beta",
    "learners": [
        {"kind": "ucb", "name": "bold", "width": 0.1},
        {"kind": "ucb", "name": "careful", "width": 1},
        "thompson",
        {"kind": "epsilon-greedy", "epsilon": 0.1},
        {"kind": "fixed", "name": "the boss's favourite", "arm": 3},
    ],
    "expire_after": 100000,  # visits that nobody ever tells the end of
}


def front(url, number, visitors, seed, visits):
    """Serves visitors, and tells the till of each."""
    dice = random.Random(f"{seed} {number}")
    shop = posse.connect(url)
    for _ in range(visitors):
        d = shop.decide()
        buys = dice.random() < list(OFFERS.values())[d.arm] / 100
        visits.put((dice.expovariate(1 / 50), d.token, d.arm, d.learner_name, buys))
    visits.put(None)


def till(url, fronts, visits, books):
    """Brings rewards back when they are due, which is by and by and not in order."""
    shop, waiting, count, shown, sold, chosen = posse.connect(url), [], 0, {}, {}, {}

    def learn(least):
        due = [heapq.heappop(waiting) for _ in range(max(0, len(waiting) - least))]
        if due:
            shop.learn_many((token, bought) for _, token, bought in due)

    while fronts:
        visit = visits.get()
        if visit is None:
            fronts -= 1
            continue
        later, token, arm, learner, buys = visit
        heapq.heappush(waiting, (count + later, token, buys))
        count += 1
        shown[arm], sold[arm] = shown.get(arm, 0) + 1, sold.get(arm, 0) + buys
        chosen[learner] = chosen.get(learner, 0) + 1
        if len(waiting) >= 64:
            learn(32)
    learn(0)
    books.put((shown, sold, chosen))


def report(shown, sold, chosen, visitors, seconds):
    print(f"{visitors} visitors in {seconds:.1f} s")
    print(f"{'':24}{'shown':>8}{'bought':>8}")
    for arm, name in enumerate(OFFERS):
        print(f"{name:24}{shown.get(arm, 0):8}{sold.get(arm, 0):8}")
    total, even = sum(sold.values()), sum(OFFERS.values()) / len(OFFERS) / 100 * visitors
    print(f"{total} bought; {even:.0f} would have, had all offers been shown as often as each other")
    print("chosen: " + ", ".join(f"{name} {count}" for name, count in sorted(chosen.items(), key=lambda c: -c[1])))
    print(f"the winner is: {list(OFFERS)[max(shown, key=shown.get)]}")


@contextlib.contextmanager
def own_server():
    with tempfile.TemporaryDirectory() as folder:
        command = [os.environ.get("POSSE_PROGRAM", "posse"), "serve", "--listen", "127.0.0.1:0", "--database", f"{folder}/shop.db"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            yield re.search(r"http://\S+", server.stdout.readline())[0] + "/offers"
        finally:
            server.terminate()
            server.wait()
            server.stdout.close()


def run(url, visitors, fronts, seed):
    posse.connect(url, create={**DESCRIPTION, "seed": seed}).close()
    visits, books = multiprocessing.Queue(), multiprocessing.Queue()
    shares = [visitors // fronts + (i < visitors % fronts) for i in range(fronts)]
    workers = [multiprocessing.Process(target=front, args=(url, i, share, seed, visits)) for i, share in enumerate(shares)]
    workers.append(multiprocessing.Process(target=till, args=(url, fronts, visits, books)))
    began = time.monotonic()
    for worker in workers:
        worker.start()
    shown, sold, chosen = books.get()
    for worker in workers:
        worker.join()
    report(shown, sold, chosen, visitors, time.monotonic() - began)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("url", nargs="?", help="of the posse, http://127.0.0.1:7677/offers; it is created if need be")
    arguments.add_argument("--visitors", type=int, default=20000)
    arguments.add_argument("--fronts", type=int, default=4)
    arguments.add_argument("--seed", type=int, default=1)
    a = arguments.parse_args()
    with contextlib.nullcontext(a.url) if a.url else own_server() as url:
        run(url, a.visitors, a.fronts, a.seed)


if __name__ == "__main__":
    main()
