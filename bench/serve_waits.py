#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What another client waits for while a request is played that could be slow. The other client asks for one decision
after the other. Its waits are by the clock and in CPU time of the thread that serves, which other processes disturb
little.

    bench/serve_waits.py build [--tokens 5000] [--only-large]"""

import argparse
import hashlib
import http.client
import json
import pathlib
import re
import sqlite3
import statistics
import subprocess
import tempfile
import threading
import time

from serve_worst import Server

LINEAR = {"prior": "linear", "learners": ["linear-ucb", "linear-thompson"]}


def peak(server):
    return int(re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{server.process.pid}/status").read_text())[1]) / 1024


class Bench:
    def __init__(self, server, folder):
        self.server, self.folder, self.token = server, folder, "mine"
        print(f"{'request':<62} {'bytes':>8} {'status':>6} {'ms':>7} | {'others':>6} {'median':>7} {'longest':>7} {'CPU':>7}  ms")

    def ask(self, *request):
        return self.server.ask(*request, token=self.token)

    def read(self, path):
        self.server.connection.request("GET", path, headers={"Authorization": f"Bearer {self.token}"})
        return self.server.connection.getresponse().read().decode()

    def play(self, what, *request, then=None):
        """Plays a request on a connection of its own, and what `then` does, with the other client beside it."""
        slow = Other(self.server)
        done, waits = threading.Event(), []

        def others():
            other = Other(self.server)
            while not done.is_set() or not waits:
                at, cpu = time.monotonic(), self.server.cpu
                other.ask("POST", "/v1/posses/other/decide", {})
                waits.append((time.monotonic() - at, self.server.cpu - cpu))

        thread = threading.Thread(target=others)
        thread.start()
        begin = time.monotonic()
        status, answer, size = slow.ask(*request)
        if then is not None:
            then()
        took = time.monotonic() - begin
        done.set()
        thread.join()
        clock, cpu = zip(*waits)
        print(
            f"{what:<62} {size:>8} {status:>6} {1000 * took:>7.1f} | {len(waits):>6} {1000 * statistics.median(clock):>7.1f} "
            f"{1000 * max(clock):>7.1f} {1000 * max(cpu):>7.1f}",
            flush=True,
        )
        return answer


class Other:
    """Another connection to a server."""

    def __init__(self, server):
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=600)

    def ask(self, method, path, body=None):
        text = json.dumps(body) if body is not None else ""
        self.connection.request(method, path, text or None, {"Authorization": "Bearer mine"})
        answer = self.connection.getresponse()
        return answer.status, json.loads(answer.read()), len(text)


def long_requests(bench):
    """Requests that take long: each is done in pieces, or refused."""
    wide = {"arms": 50, "context": 30, **LINEAR}
    context = {"shared": [0.5] * 30}
    bench.play("create, 100 arms, 100 features, 10,000 draws", "POST", "/v1/posses", {**wide, "name": "huge", "arms": 100, "context": 100, "propensity_draws": 10000})
    bench.ask("POST", "/v1/posses", {**wide, "name": "wide", "propensity_draws": 1000})
    for n in (1000, 30):
        bench.play(f"decide, n {n}, 50 arms, 30 features, 1000 draws", "POST", "/v1/posses/wide/decide", {"n": n, "context": context})
    bench.ask("POST", "/v1/posses", {"name": "many", "arms": 5, "prior": "beta", "learners": ["ucb", "thompson"]})
    tokens = [d["token"] for _ in range(10) for d in bench.ask("POST", "/v1/posses/many/decide", {"n": 1000})[1]["decisions"]]
    rewards = {"rewards": [{"token": token, "reward": 1} for token in tokens]}
    bench.play("learn, 10,000 rewards, 5 arms", "POST", "/v1/posses/many/learn", rewards)
    bench.play("learn, the same 10,000 rewards again", "POST", "/v1/posses/many/learn", rewards)
    bench.ask("POST", "/v1/posses", {"name": "deep", "arms": 2, "context": 400, **LINEAR})
    context = {"shared": [0.1] * 400}
    tokens = [d["token"] for _ in range(2) for d in bench.ask("POST", "/v1/posses/deep/decide", {"n": 1000, "context": context})[1]["decisions"]]
    bench.play("learn, 2000 rewards, 400 features", "POST", "/v1/posses/deep/learn", {"rewards": [{"token": token, "reward": 1} for token in tokens]})
    bench.play("create, 1,000,000 arms", "POST", "/v1/posses", {"name": "arms", "arms": 1000000, "prior": "beta", "learners": ["thompson"]})
    bench.play("create, 1000 features, 4 models", "POST", "/v1/posses", {"name": "models", "arms": 2, "context": 1000, "selector": {"kind": "bms-plus", "share": False}, "prior": "linear", "learners": [{"kind": "linear-ucb", "width": w} for w in (1, 2, 3, 4)]})


def large_states(bench):
    """A posse whose state has 248 MB. Its snapshots are due a second after its arms have changed."""
    figure = lambda name: float(re.search(rf"^{name} (\S+)$", bench.read("/metrics"), re.M)[1])
    files = lambda: sum(path.stat().st_size for path in bench.folder.iterdir()) / 1e6
    large = {"name": "large", "arms": 999000, "prior": "beta", "learners": ["ucb", "thompson", "epsilon-greedy"]}
    before = peak(bench.server)

    def snapshot():
        count = figure("posse_snapshots_total")
        while figure("posse_snapshots_total") == count and time.monotonic() < until:
            time.sleep(0.05)

    def freed():
        pages = lambda: int(sqlite3.connect(bench.folder / "posse.db").execute("PRAGMA freelist_count").fetchone()[0])
        while pages() < 100e6 / 4096 and time.monotonic() < until:
            time.sleep(0.5)

    bench.play("create, 999,000 arms, 3 learners", "POST", "/v1/posses", large)
    print(f"    memory {peak(bench.server) - before:.0f} MB at the peak, files {files():.0f} MB")
    bench.play("decide, 999,000 arms", "POST", "/v1/posses/large/decide", {})
    bench.play("add an arm", "POST", "/v1/posses/large/arms", {})
    until = time.monotonic() + 60
    bench.play("add an arm, and the snapshot after it", "POST", "/v1/posses/large/arms", {}, then=snapshot)
    bench.play("retire an arm", "DELETE", "/v1/posses/large/arms/7")
    bench.play("add a learner", "POST", "/v1/posses/large/learners", {"kind": "ucb", "name": "another"})
    print(f"    memory {peak(bench.server) - before:.0f} MB at the peak, files {files():.0f} MB")
    until = time.monotonic() + 60
    bench.play("delete, and its pages on disk", "DELETE", "/v1/posses/large?confirm=large", then=freed)
    print(f"    memory {peak(bench.server) - before:.0f} MB at the peak, files {files():.0f} MB")


def small_and_costly(bench):
    """Requests of a few bytes that could take much memory or time."""
    before = peak(bench.server)
    points = [[0] * 10000, *([[]] * 20000)]
    bench.play("create, points with 10,000 numbers and 20,000 without", "POST", "/v1/posses", {"name": "bomb", "points": points, **LINEAR})
    for i in range(300):
        bench.ask("POST", "/v1/posses", {"name": f"p{i}", "arms": 2, "prior": "beta", "learners": ["ucb"]})
    bench.play("list of posses, with the tokens of many", "GET", "/v1/posses")
    print(f"peak of the memory, beyond what it was before these: {peak(bench.server) - before:.0f} MB")


def expired(program, folder):
    """3000 decisions of which 493 are clicks that are reported, and 2507 expire as 0: the same in every figure."""
    server = Server(program, folder)
    ask = lambda *request: server.ask("POST", *request)[1]
    selector = {"kind": "bms-plus", "floor": 0.3}
    ask("/v1/posses", {"name": "clicks", "arms": 3, "prior": "beta", "selector": selector, "expire_after": 20, "expire_reward": 0, "learners": ["ucb", "thompson"]})
    for i in range(3000):
        token = ask("/v1/posses/clicks/decide", {})["token"]
        if i % 6 == 0 and i < 6 * 493:
            ask("/v1/posses/clicks/learn", {"token": token, "reward": 1})
    ask("/v1/posses/clicks/expire", {"age": 0})
    read = lambda path: (server.connection.request("GET", path), server.connection.getresponse().read().decode())[1]
    metrics = dict(re.findall(r"^posse_(\w+) (\S+)$", read("/metrics"), re.M))
    frame = json.loads(re.search(r"^data: (.*)$", read("/v1/posses/clicks/events?frames=1"), re.M)[1])
    server.stop()
    export = [program, "export", "clicks", "--database", folder / "posse.db", "--log"]
    rows = subprocess.run(export, capture_output=True, text=True, check=True).stdout.splitlines()[1:]
    rewards = [float(row.split(",")[1]) for row in rows]
    print("\n3000 decisions, of which 493 get a reward of 1 and the others expire as 0")
    print(f"export:   {len(rewards)} rewards, sum {sum(rewards):g}, mean {statistics.fmean(rewards):.6f}")
    print(f"board:    {frame['rewards']} rewards, sum {frame['reward_sum']:g}")
    print(f"/metrics: {metrics['rewards_total']} rewards, {metrics['expired_total']} of them by expiry")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--tokens", type=int, default=5000)
    parser.add_argument("--only-large", action="store_true", help="only the posse with a large state")
    args = parser.parse_args()
    program = args.build / "posse"
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        line = lambda token, posse: f"{hashlib.sha256(token.encode()).hexdigest()} admin {posse}\n"
        (folder / "tokens").write_text(line("mine", "*") + "".join(line(f"t{i}", f"q{i}") for i in range(args.tokens)))
        server = Server(program, folder, "--tokens", str(folder / "tokens"))
        bench = Bench(server, folder)
        bench.ask("POST", "/v1/posses", {"name": "other", "arms": 5, "prior": "beta", "learners": ["ucb", "thompson"]})
        large_states(bench)
        if not args.only_large:
            long_requests(bench)
            small_and_costly(bench)
        server.stop()
    if args.only_large:
        return
    with tempfile.TemporaryDirectory() as folder:
        expired(program, pathlib.Path(folder))


if __name__ == "__main__":
    main()
