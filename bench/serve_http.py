#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The speed of `posse serve` under load, and of a Thompson sampler in PostgreSQL: serve_http.py BUILD [SECONDS]

Client and server share this machine, on loopback. Every line is durable unless it is marked otherwise: PostgreSQL with
fsync and synchronous_commit on, posse serve as always. The server's CPU time is that of its process, user and system;
for PostgreSQL it is that of all its processes. The last lines need postgresql and its pgbench, and are left out without
them."""

import glob
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

POSSE = {
    "arms": 5,
    "prior": "gaussian",
    "learners": [{"kind": "ucb", "name": n, "width": w} for n, w in (("a", 0.1), ("b", 0.3), ("c", 1), ("d", 3))]
    + ["thompson", "epsilon-greedy"],
}
NAMES = ["red", "orange", "yellow", "green", "blue"]
PAIRS = 7
TICKS = os.sysconf("SC_CLK_TCK")


def cpu(pids):
    total = 0
    for pid in pids:
        try:
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            total += sum(int(fields[i]) for i in (11, 12, 13, 14))  # with children that have ended
        except OSError:
            pass
    return total / TICKS


def line(what, connections, requests, rounds, middle, p99, microseconds, per):
    print(f"{what:44} {connections:>5} {requests:>11} {rounds:>10} {middle:>8} {p99:>8} {microseconds:>9.2f} {per}", flush=True)


class Serve:
    def __init__(self, build, folder):
        self.process = subprocess.Popen(
            [build / "posse", "serve", "--listen", "127.0.0.1:0", "--database", folder / "posse.db"],
            stdout=subprocess.PIPE,
            text=True,
        )
        self.port = int(re.search(r":(\d+)\n", self.process.stdout.readline())[1])

    def create(self, name, named):
        body = json.dumps({**POSSE, "name": name, **({"arms": NAMES} if named else {})}).encode()
        urllib.request.urlopen(f"http://127.0.0.1:{self.port}/v1/posses", body).read()

    def load(self, client, what, connections, seconds, named=False, again=0):
        """Prints a line, and returns the microseconds of processor time for a round or a request."""
        name = f"{what}{connections}{'named' if named else ''}-{again}"
        self.create(name, named)
        before = cpu([self.process.pid])
        said = subprocess.run(
            [client, str(self.port), name, what, str(connections), str(seconds)],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        used = cpu([self.process.pid]) - before
        _, _, requests, rounds, middle, p99, _ = said.split(",")
        done = float(rounds if what == "turn" else requests) * seconds
        names = {"read": "posse serve, questions (nothing is written)", "decide": "posse serve, decide and learn", "turn": "posse serve, /turn of 64"}
        line(names[what] + (", arms by name" if named else ""), connections, requests, rounds if what != "read" else "", middle, p99, 1e6 * used / done, "a round" if what == "turn" else "a request")
        return 1e6 * used / done

    def compare(self, client, what, connections, seconds):
        """Arms by name against numbers, in turn, because other load on the machine changes."""
        ratios = []
        for again in range(PAIRS):
            numbers = self.load(client, what, connections, seconds, again=1 + again)
            ratios.append(self.load(client, what, connections, seconds, named=True, again=1 + again) / numbers)
        print(f"arms by name / numbers, {what}: median {statistics.median(ratios):.3f}, {min(ratios):.3f} to {max(ratios):.3f} of {PAIRS} pairs", flush=True)

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


SETUP = """
CREATE TABLE arm(posse int, arm int, n double precision, total double precision, PRIMARY KEY (posse, arm)) WITH (fillfactor = 50);
CREATE TABLE decision(id bigserial PRIMARY KEY, posse int, arm int, reward double precision);
INSERT INTO arm SELECT 1, a, 0, 0 FROM generate_series(0, 4) a;
"""
# Thompson sampling for Gaussian rewards: a normal by Box and Muller from each arm's posterior, and the largest wins;
# then its reward.
SCRIPT = r"""
INSERT INTO decision(posse, arm) SELECT 1, arm FROM arm WHERE posse = 1
  ORDER BY total / (n + 1) + sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random()) / sqrt(n + 1) DESC LIMIT 1
  RETURNING id, arm \gset
BEGIN;
UPDATE decision SET reward = random() WHERE id = :id AND reward IS NULL;
UPDATE arm SET n = n + 1, total = total + random() WHERE posse = 1 AND arm = :arm;
COMMIT;
"""


class Postgres:
    """A cluster for this benchmark. PostgreSQL does not run as root, so root runs it as the user postgres."""

    def __init__(self, folder):
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
        self.bin = pathlib.Path(found[-1]) if found else None
        self.folder = folder / "postgres"

    def run(self, *command, **how):
        user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        return subprocess.run([*user, *map(str, command)], check=True, capture_output=True, text=True, cwd="/", **how).stdout

    def start(self):
        self.folder.mkdir()
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres")
            self.folder.parent.chmod(0o755)
        self.run(self.bin / "initdb", "-D", self.folder / "data", "-A", "trust")
        options = f"-k {self.folder} -c listen_addresses='' -c fsync=on -c synchronous_commit=on"
        self.run(self.bin / "pg_ctl", "-D", self.folder / "data", "-l", self.folder / "log", "-w", "-o", options, "start")
        self.run("psql", "-h", self.folder, "-q", "postgres", input=SETUP)
        (self.folder / "round.sql").write_text(SCRIPT)
        self.pid = int((self.folder / "data/postmaster.pid").read_text().split()[0])

    def processes(self):
        children = pathlib.Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        return [self.pid, *map(int, children)]

    def load(self, connections, seconds):
        before = cpu(self.processes())
        said = self.run("pgbench", "-h", self.folder, "-n", "-M", "prepared", "-c", connections, "-j", min(connections, 4), "-T", seconds, "-f", self.folder / "round.sql", "postgres")
        time.sleep(0.3)
        used = cpu(self.processes()) - before
        rate = float(re.search(r"tps = ([\d.]+)", said)[1])
        latency = re.search(r"latency average = ([\d.]+)", said)[1]
        line("PostgreSQL, Thompson in SQL", connections, "", f"{rate:.0f}", f"~{latency}", "", 1e6 * used / (rate * seconds), "a round")

    def stop(self):
        self.run(self.bin / "pg_ctl", "-D", self.folder / "data", "-m", "immediate", "stop")


def main():
    build, seconds = pathlib.Path(sys.argv[1]).resolve(), float(sys.argv[2]) if len(sys.argv) > 2 else 5
    print(f"{os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f} before; {seconds:g} s each; milliseconds; CPU of the server in microseconds")
    print(f"{'':44} {'conns':>5} {'requests/s':>11} {'rounds/s':>10} {'middle':>8} {'p99':>8} {'CPU':>9}")
    with tempfile.TemporaryDirectory(dir=build) as name:
        folder = pathlib.Path(name)
        server = Serve(build, folder)
        try:
            for what, connections in (("read", 32), ("decide", 1), ("decide", 32), ("turn", 1), ("turn", 8), ("turn", 32)):
                server.load(build / "bench_serve_http", what, connections, seconds)
            for what in ("decide", "turn"):
                server.compare(build / "bench_serve_http", what, 32, seconds)
        finally:
            server.stop()
        postgres = Postgres(folder)
        if postgres.bin is None or shutil.which("pgbench") is None:
            print("PostgreSQL is not here: its lines are left out")
            return
        postgres.start()
        try:
            for connections in (1, 16, 32):
                postgres.load(connections, max(1, round(seconds)))
        finally:
            postgres.stop()


if __name__ == "__main__":
    main()
