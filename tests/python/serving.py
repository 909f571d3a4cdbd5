# SPDX-License-Identifier: MIT
"""A server for a test, and a client that returns status and answer."""

import base64
import http.client
import io
import json
import os
import pathlib
import re
import signal
import socket
import struct
import subprocess
import unittest

from patience import PATIENCE

PROGRAM = os.environ.get("POSSE_PROGRAM", "posse")

ADS = {"name": "ads", "arms": 5, "prior": "beta", "seed": 3, "learners": ["ucb", "thompson", "epsilon-greedy"]}


class Server:
    """`posse serve` on a free port or a socket. Options are those of the command line; `preload` is a library for
    LD_PRELOAD; `within` is a command that runs the server."""

    def __init__(self, folder, *options, listen="127.0.0.1:0", limit=None, preload=None, within=()):
        self.folder = pathlib.Path(folder)
        self.database = self.folder / "posse.db"
        command = [*within, PROGRAM, "serve", "--listen", listen, "--database", self.database, *options]
        if limit is not None:
            command = ["bash", "-c", f'ulimit -f {limit} && exec "$@"', "bash", *command]
        self.clients = []
        self.errors = open(self.folder / "errors", "ab")
        environment = {**os.environ, "LD_PRELOAD": preload} if preload else None
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.errors, env=environment)
        first = self.process.stdout.readline().decode()
        self.greeting = first + self.process.stdout.readline().decode() if first else ""
        if not first:
            self.stop()
            raise RuntimeError(f"it does not start: {self.said()}")
        found = re.search(r"http://([^:\s]+):(\d+)", first)
        self.host, self.port = (found[1], int(found[2])) if found else (None, None)

    def said(self):
        return (self.folder / "errors").read_text()

    def client(self, token=None, timeout=PATIENCE):
        self.clients.append(Client(self.host, self.port, token, timeout))
        return self.clients[-1]

    def stop(self, number=signal.SIGTERM):
        for client in self.clients:
            client.close()
        if self.process.poll() is None:
            self.process.send_signal(number)
        status = self.process.wait(PATIENCE)
        self.process.stdout.close()
        self.errors.close()
        return status

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop(signal.SIGKILL)


class SmallDisk:
    """A disk of a few hundred kilobytes, mounted on a folder in its own namespace. Only commands that run within
    `enter` see the disk; others see the folder. The test is skipped if nothing can be mounted."""

    def __init__(self, folder, size="600k"):
        folder.mkdir()
        self.folder = folder
        script = 'mount -t tmpfs -o size=$2 none "$1" && echo && exec sleep infinity'
        command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", folder, size]
        self.holder = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if not self.holder.stdout.readline():
            self.close()
            raise unittest.SkipTest("no disk can be mounted here")
        self.enter = ["nsenter", "--target", str(self.holder.pid), "--user", "--mount", "--preserve-credentials"]

    def grow(self):
        subprocess.run([*self.enter, "mount", "-o", "remount,size=20m", self.folder], check=True)

    def close(self):
        self.holder.kill()
        self.holder.wait()
        self.holder.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Client:
    """A connection that is opened again after it was lost."""

    def __init__(self, host, port, token=None, timeout=PATIENCE):
        self.connection = http.client.HTTPConnection(host, port, timeout=timeout)
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def ask(self, method, path, body=None, headers=()):
        """The status and the answer, parsed if it is JSON."""
        text = body if body is None or isinstance(body, (str, bytes)) else json.dumps(body)
        self.connection.request(method, path, text, {**self.headers, **dict(headers)})
        answer = self.connection.getresponse()
        data = answer.read()
        self.last = answer
        if data and answer.headers.get("Content-Type") == "application/json":
            data = json.loads(data)
        return answer.status, data

    def get(self, path):
        return self.ask("GET", path)

    def post(self, path, body=None):
        return self.ask("POST", path, body)

    def close(self):
        self.connection.close()


def token_parts(token):
    """The epoch, the number of the decision and the arm in a token."""
    data = base64.urlsafe_b64decode(token)
    number, epoch, arm = struct.unpack("<IIi", data[:12])
    return epoch, number, arm


def decision_id(token):
    epoch, number, _ = token_parts(token)
    return (epoch << 32) + number


def body_end(headers, rest):
    """Where the body of an answer ends in the bytes after its headers; None: it has not arrived whole, or only the end
    of the connection ends it."""
    if headers.get("Transfer-Encoding") == "chunked":
        at, size = 0, None
        while size != 0:
            line = rest.find(b"\r\n", at)
            if line < 0:
                return None
            size = int(rest[at:line], 16)
            at = line + 2 + size + 2
    elif "Content-Length" in headers:
        at = int(headers["Content-Length"])
    else:
        return None
    return at if at <= len(rest) else None


def is_whole(said, methods):
    """Whether these bytes have a whole answer to a request of each method. An answer that announces the end of the
    connection is followed by it."""
    for method in methods:
        head, blank, said = said.partition(b"\r\n\r\n")
        if not blank:
            return False
        headers = http.client.parse_headers(io.BytesIO(head.partition(b"\r\n")[2] + blank))
        end = 0 if method == "HEAD" or head.startswith(b"HTTP/1.1 204") else body_end(headers, said)
        if end is None or headers.get("Connection") == "close":
            return False
        said = said[end:]
    return True


def raw(host, port, data, methods=("GET",), timeout=PATIENCE):
    """What a server sends after these bytes: whole answers to requests of these methods, or all until it closes the
    connection or sends nothing for `timeout` seconds."""
    with socket.create_connection((host, port), timeout=timeout) as connection:
        connection.sendall(data)
        said = b""
        try:
            while not is_whole(said, methods) and (piece := connection.recv(65536)):
                said += piece
        except (TimeoutError, ConnectionError):
            pass
        return said
