# SPDX-License-Identifier: MIT
"""Rounds a second of the module for Redis, and of Thompson sampling in a Lua script: serve_redis.py BUILD [CSV]

A round is a decision and its reward. The posse has 5 arms and 6 learners; the script has 5 arms and one learner. Server
and load share the machine. Also: memory for each of 100,000 posses, and how long a start from disk takes.
Environment variables: SECONDS (2) for each line, KEYS (100) that the rounds use, POSSES (100000) for memory.
"""

import contextlib
import csv
import json
import os
import pathlib
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time

SECONDS = float(os.environ.get("SECONDS", 2))
KEYS = int(os.environ.get("KEYS", 100))
POSSES = int(os.environ.get("POSSES", 100000))

POSSE = {
    "arms": 5,
    "prior": "gaussian",
    "learners": [{"kind": "ucb", "name": f"ucb {w}", "width": w} for w in (0.1, 0.3, 1, 3)] + ["thompson", "epsilon-greedy"],
}

# What people do today: normal posteriors of known variance in a hash, and a draw for each arm. The largest is played.
DECIDE = """
local kept = redis.call('HMGET', KEYS[1], 'n0', 'n1', 'n2', 'n3', 'n4', 's0', 's1', 's2', 's3', 's4')
local best, arm = -1e300, 0
for i = 1, 5 do
    local n, s = tonumber(kept[i]) or 0, tonumber(kept[5 + i]) or 0
    local normal = math.sqrt(-2 * math.log(1 - math.random())) * math.cos(2 * math.pi * math.random())
    local draw = s / (n + 1) + normal / math.sqrt(n + 1)
    if draw > best then best, arm = draw, i - 1 end
end
return arm
"""
LEARN = """
redis.call('HINCRBY', KEYS[1], 'n' .. ARGV[1], 1)
redis.call('HINCRBYFLOAT', KEYS[1], 's' .. ARGV[1], ARGV[2])
return 1
"""


class Redis:
    """A server for this benchmark, and a client of its protocol."""

    def __init__(self, build, folder, *settings):
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            self.port = one.getsockname()[1]
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""]
        command += ["--loadmodule", str(build / "posse_redis.so"), *settings]
        begin = time.monotonic()
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while True:
            with contextlib.suppress(OSError):
                self.wire = socket.create_connection(("127.0.0.1", self.port))
                self.file = self.wire.makefile("rb")
                if self.ask("PING") == b"PONG":
                    break
            time.sleep(0.005)
        self.seconds_to_start, self.cpu_to_start = time.monotonic() - begin, self.cpu()

    def send(self, *words):
        out = [b"*%d\r\n" % len(words)]
        for word in words:
            data = word if isinstance(word, bytes) else str(word).encode()
            out.append(b"$%d\r\n%s\r\n" % (len(data), data))
        self.wire.sendall(b"".join(out))

    def read(self):
        line = self.file.readline().rstrip()
        kind, rest = line[:1], line[1:]
        if kind == b"$":
            return self.file.read(int(rest) + 2)[:-2] if int(rest) >= 0 else None
        if kind == b"*":
            return [self.read() for _ in range(int(rest))]
        return int(rest) if kind == b":" else rest

    def ask(self, *words):
        self.send(*words)
        return self.read()

    def info(self, key):
        text = self.ask("INFO").decode()
        return next(line.partition(":")[2] for line in text.split("\r\n") if line.startswith(key + ":"))

    def cpu(self):
        """Processor time of the server in seconds, user and system."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.wire.close()
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def create(server, count):
    text = json.dumps(POSSE)
    for begin in range(0, count, 1000):
        for i in range(begin, min(count, begin + 1000)):
            server.send("POSSE.CREATE", f"k{i}", text)
        for _ in range(begin, min(count, begin + 1000)):
            assert server.read() == b"OK"


def play(server):
    """Ten rounds of each posse."""
    for begin in range(0, POSSES, 100):
        keys = [f"k{i}" for i in range(begin, min(POSSES, begin + 100))]
        for key in keys:
            server.send("POSSE.DECIDE", key, "COUNT", 10)
        rewards = [[word for decision in server.read() for word in (decision[0], 1)] for _ in keys]
        for key, words in zip(keys, rewards):
            server.send("POSSE.LEARN", key, *words)
        for _ in keys:
            assert server.read() == 10


def measure(build, server, what, connections, pipeline):
    names = [server.ask("SCRIPT", "LOAD", script).decode() for script in (DECIDE, LEARN)] if what == "lua" else []
    command = [build / "bench_serve_redis", server.port, what, connections, pipeline, SECONDS, KEYS, *names]
    before = server.cpu()
    said = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True).stdout.split()
    used = server.cpu() - before
    rate, median, high, rounds = map(int, said)
    return {"rounds_per_second": rate, "trip_us": median, "trip_us_99": high, "cpu_us_per_round": round(1e6 * used / rounds, 2)}


def speeds(build):
    """A line for each way of asking, with and without a sync to disk for each answer."""
    for durable in (False, True):
        settings = ["--appendonly", "yes", "--appendfsync", "always"] if durable else []
        for what in ("posse", "turn", "lua"):
            for connections, pipeline in ((1, 1), (32, 1), (8, 32)):
                with tempfile.TemporaryDirectory() as folder, Redis(build, folder, *settings) as server:
                    if what != "lua":
                        create(server, KEYS)
                    found = measure(build, server, what, connections, pipeline)
                    yield {"what": what, "fsync": durable, "connections": connections, "pipeline": pipeline, **found}


def sizes(build):
    """Memory for each of many posses after some rounds, and starts from disk."""
    with tempfile.TemporaryDirectory() as folder:
        with Redis(build, folder) as server:
            empty = int(server.info("used_memory"))
            create(server, POSSES)
            fresh = (int(server.info("used_memory")) - empty) / POSSES
            play(server)
            used = (int(server.info("used_memory")) - empty) / POSSES
            begin = time.monotonic()
            server.ask("SAVE")
            saved = time.monotonic() - begin
        size = (pathlib.Path(folder) / "dump.rdb").stat().st_size / POSSES
        with Redis(build, folder) as server:
            assert server.ask("DBSIZE") == POSSES
            return {
                "posses": POSSES,
                "bytes_created": round(fresh),
                "bytes_played": round(used),
                "bytes_on_disk": round(size),
                "seconds_to_save": round(saved, 2),
                "seconds_to_start": round(server.seconds_to_start, 2),
                "cpu_seconds_to_start": round(server.cpu_to_start, 2),
            }


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    out = sys.argv[2] if len(sys.argv) > 2 else pathlib.Path(__file__).with_suffix(".csv")
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    rows = []
    for row in speeds(build):
        rows.append(row)
        print(
            f"{row['what']:6} {'fsync' if row['fsync'] else '':6} {row['connections']:3} connections x {row['pipeline']:2}: "
            f"{row['rounds_per_second']:8,} rounds/s, trip {row['trip_us']} us ({row['trip_us_99']} at 99%), "
            f"{row['cpu_us_per_round']} us of the server's CPU a round",
            flush=True,
        )
    with open(out, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    found = sizes(build)
    print(", ".join(f"{key.replace('_', ' ')} {value:,}" for key, value in found.items()))
    with open(pathlib.Path(out).with_suffix(".memory.csv"), "w", newline="") as file:
        writer = csv.DictWriter(file, found, lineterminator="\n")
        writer.writeheader()
        writer.writerow(found)


if __name__ == "__main__":
    main()
