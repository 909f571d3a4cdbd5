#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Many posses on one server: memory of each, and how long a start takes: serve_many.py BUILD [POSSES]"""

import http.client
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from serve_http import POSSE, cpu


def start(build, database):
    began = time.monotonic()
    process = subprocess.Popen([build / "posse", "serve", "--listen", "127.0.0.1:0", "--database", database], stdout=subprocess.PIPE, text=True)
    greeting = process.stdout.readline()
    return process, int(re.search(r":(\d+)\n", greeting)[1]), time.monotonic() - began, cpu([process.pid])


def stop(process):
    began = time.monotonic()
    process.terminate()
    process.wait()
    process.stdout.close()
    return time.monotonic() - began


def memory(process):
    """Anonymous memory of the process, in kilobytes."""
    return int(re.search(r"^RssAnon:\s+(\d+)", pathlib.Path(f"/proc/{process.pid}/status").read_text(), re.M)[1])


def create(port, count):
    """Creates posses without waiting for each answer, so that many share a commit."""
    connections = [http.client.HTTPConnection("127.0.0.1", port) for _ in range(64)]
    for first in range(0, count, len(connections)):
        asked = connections[: count - first]
        for i, connection in enumerate(asked):
            connection.request("POST", "/v1/posses", json.dumps({**POSSE, "name": f"p{first + i}", "seed": first + i}))
        for connection in asked:
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 201, answer.status
    for connection in connections:
        connection.close()


def main():
    build, count = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 100000
    with tempfile.TemporaryDirectory(dir=build) as folder:
        database = pathlib.Path(folder) / "posse.db"
        process, port, *_ = start(build, database)
        empty = memory(process)
        began = time.monotonic()
        create(port, count)
        took = time.monotonic() - began
        full = memory(process)
        ended = stop(process)
        size = database.stat().st_size
        process, _, loaded, used = start(build, database)
        again = memory(process)
        stop(process)
    print(f"{count} posses of {POSSE['arms']} arms and {len(POSSE['learners'])} learners")
    print(f"created in {took:.1f} s; memory {1024 * (full - empty) / count:.0f} bytes each, {1024 * (again - empty) / count:.0f} after a start")
    print(f"on disk {size / count:.0f} bytes each; ended in {ended:.1f} s, started in {loaded:.1f} s ({used:.1f} s of CPU)")


if __name__ == "__main__":
    main()
