#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The server where it could be slow: a storm of repeated rewards, a failed commit, many posses with many bearer tokens,
and many pending decisions. Times are CPU time of the server, so other processes disturb them little.

    bench/serve_worst.py build [--posses 100000] [--tokens 5000] [--pending 1000000] [--repeats 100000]"""

import argparse
import hashlib
import http.client
import json
import os
import pathlib
import random
import re
import sqlite3
import subprocess
import tempfile
import time

LEARNERS = ["ucb", "thompson", "epsilon-greedy"]


class Server:
    """A server in a folder. `cpu` is its CPU time so far, in seconds."""

    def __init__(self, program, folder, *options):
        command = [program, "serve", "--listen", "127.0.0.1:0", "--database", str(folder / "posse.db"), *options]
        begin = time.monotonic()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.port = int(re.search(r":(\d+)", self.process.stdout.readline().split("http://")[1])[1])
        self.started = time.monotonic() - begin
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)

    @property
    def cpu(self):
        return int(pathlib.Path(f"/proc/{self.process.pid}/schedstat").read_text().split()[0]) / 1e9

    @property
    def memory(self):
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) / 1024

    def ask(self, method, path, body=None, token=None):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        answer = self.connection.getresponse()
        return answer.status, json.loads(answer.read())

    def timed(self, times, *request, **options):
        """CPU time of a request, in milliseconds, as a mean over several."""
        before = self.cpu
        for _ in range(times):
            self.ask(*request, **options)
        return 1000 * (self.cpu - before) / times

    def stop(self, kill=False):
        self.connection.close()
        self.process.kill() if kill else self.process.terminate()
        self.process.wait()


def show(what, number, unit):
    print(f"{what:<60} {number:10.3g} {unit}", flush=True)


def decide(server, name, count):
    tokens = []
    while len(tokens) < count:
        _, answer = server.ask("POST", f"/v1/posses/{name}/decide", {"n": min(1000, count - len(tokens))})
        tokens += [d["token"] for d in answer.get("decisions", [answer])]
    return tokens


def learn(server, name, tokens):
    before = server.cpu
    for at in range(0, len(tokens), 10000):
        body = {"rewards": [{"token": token, "reward": 1} for token in tokens[at : at + 10000]]}
        status, answer = server.ask("POST", f"/v1/posses/{name}/learn", body)
        assert status == 200, answer
    return 1e6 * (server.cpu - before) / len(tokens)


def repeats(program, folder, count):
    server = Server(program, folder)
    server.ask("POST", "/v1/posses", {"name": "ads", "arms": 5, "prior": "beta", "learners": LEARNERS})
    tokens = decide(server, "ads", count)
    random.Random(1).shuffle(tokens)
    show(f"{count} rewards, shuffled", learn(server, "ads", tokens), "µs each")
    show("the same rewards again, in the same order", learn(server, "ads", tokens), "µs each")
    random.Random(2).shuffle(tokens)
    show("and again, in another order", learn(server, "ads", tokens), "µs each")
    server.stop()


def failed_commit(program, folder, count):
    server = Server(program, folder)
    for i in range(count):
        server.ask("POST", "/v1/posses", {"name": f"p{i}", "arms": 5, "prior": "beta", "learners": LEARNERS})
        server.ask("POST", f"/v1/posses/p{i}/decide", {"n": 40})
    other = sqlite3.connect(folder / "posse.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    before = server.cpu
    status, answer = server.ask("POST", "/v1/posses/p0/decide", {"n": 1000})
    assert status == 503, answer
    show(f"a failed commit, {40 * count} decisions after the snapshots", 1000 * (server.cpu - before), "ms")
    other.execute("ROLLBACK")
    assert server.ask("POST", "/v1/posses/p0/decide", {})[0] == 200
    server.stop()


def many(program, folder, posses, tokens):
    lines = [hashlib.sha256(b"admin").hexdigest() + " admin *"]
    lines += [hashlib.sha256(b"t%d" % i).hexdigest() + f" decide,learn p{i % posses}" for i in range(tokens)]
    (folder / "tokens").write_text("\n".join(lines) + "\n")
    server = Server(program, folder, "--tokens", str(folder / "tokens"))
    for i in range(posses):
        body = {"name": f"p{i}", "arms": 5, "prior": "beta", "learners": LEARNERS}
        server.ask("POST", "/v1/posses", body, token="admin")
    of = f"{posses} posses, {tokens} bearer tokens: "
    show(of + "memory", server.memory, "MiB")
    show(of + "GET /v1/posses?limit=1, admin", server.timed(10, "GET", "/v1/posses?limit=1", token="admin"), "ms")
    show(of + "the same, a token for one posse", server.timed(10, "GET", "/v1/posses?limit=1", token="t0"), "ms")
    show(of + "decide", server.timed(500, "POST", "/v1/posses/p0/decide", {}, token="t0"), "ms")
    show(of + "GET /metrics", metrics(server), "ms")
    server.stop()
    server = Server(program, folder, "--tokens", str(folder / "tokens"))
    show(of + "start", server.started, "s")
    server.stop()


def metrics(server):
    before = server.cpu
    for _ in range(10):
        server.connection.request("GET", "/metrics", headers={"Authorization": "Bearer admin"})
        server.connection.getresponse().read()
    return 1000 * (server.cpu - before) / 10


def pending(program, folder, count):
    server = Server(program, folder, "--pending", str(2 * count))
    server.ask("POST", "/v1/posses", {"name": "ads", "arms": 5, "prior": "beta", "learners": LEARNERS})
    before = server.memory
    tokens = decide(server, "ads", count)
    show(f"{count} pending decisions: memory", server.memory - before, "MiB")
    show("with them: a decision", 1000 * server.timed(200, "POST", "/v1/posses/ads/decide", {}), "µs")
    show("with them: a reward", learn(server, "ads", random.Random(3).sample(tokens, min(10000, count))), "µs each")
    server.stop(kill=True)
    server = Server(program, folder, "--pending", str(2 * count))
    show("with them: a start after a kill", server.started, "s")
    before, expired = server.cpu, 0
    while got := server.ask("POST", "/v1/posses/ads/expire", {"age": 0})[1]["expired"]:
        expired += got
    show(f"expire all {expired}", 1e6 * (server.cpu - before) / expired, "µs each")
    server.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("build")
    for name, size in (("posses", 100000), ("tokens", 5000), ("pending", 1000000), ("repeats", 100000), ("touched", 1000)):
        parser.add_argument(f"--{name}", type=int, default=size)
    a = parser.parse_args()
    for work, sizes in ((repeats, [a.repeats]), (failed_commit, [a.touched]), (many, [a.posses, a.tokens]), (pending, [a.pending])):
        with tempfile.TemporaryDirectory(prefix="posse-worst-") as folder:
            work(os.path.join(os.path.abspath(a.build), "posse"), pathlib.Path(folder), *sizes)


if __name__ == "__main__":
    main()
