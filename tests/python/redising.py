# SPDX-License-Identifier: MIT
"""Redis servers with the module, started by the tests."""

import base64
import contextlib
import json
import os
import pathlib
import random
import signal
import socket
import struct
import subprocess
import unittest

import redis
from patience import PATIENCE, until
from support import PACKAGE, scratch

MODULE = pathlib.Path(os.environ.get("POSSE_REDIS", PACKAGE.parents[1] / "posse_redis.so")).resolve()
ADS = {"arms": 5, "prior": "beta", "seed": 3, "learners": ["ucb", "thompson", "epsilon-greedy"]}
SHOP = {
    "arms": 4,
    "seed": 9,
    "prior": {"kind": "gaussian", "mean": 0, "sd": 1, "noise": 1},
    "learners": [{"kind": "ucb", "width": 0.5}, {"kind": "thompson"}],
    "expire_after": 5000,
}

DURABLE = {"appendonly": "yes", "appendfsync": "always"}


def free_port(cluster=False):
    """A port that is free now, below those that the system gives to clients, because a client could take such a port
    before the server does. For a cluster, the port of its bus, 10000 above, is free too."""
    while True:
        port = random.randrange(10000, 20000)
        with socket.socket() as one, socket.socket() as bus, contextlib.suppress(OSError):
            one.bind(("127.0.0.1", port))
            if cluster:
                bus.bind(("127.0.0.1", port + 10000))
            return port


class Server:
    """A redis-server on a free port. Settings are those of its configuration; `folder` may have the files of an
    earlier server; `preload` is a library for LD_PRELOAD; `within` is a command that runs the server."""

    def __init__(self, folder, *, module=(), port=None, preload=None, within=(), **settings):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(exist_ok=True)
        self.port = port or free_port(settings.get("cluster_enabled") == "yes")
        command = [*within, "redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder)]
        command += ["--enable-debug-command", "yes", "--loadmodule", str(MODULE), *map(str, module)]
        for key, value in {"save": "", **settings}.items():
            command += ["--" + key.replace("_", "-"), *str(value).split(" ")]
        self.log = open(self.folder / "log", "ab")
        # If the module was built with AddressSanitizer, its run-time library must be preloaded first.
        libraries = " ".join(filter(None, [os.environ.get("POSSE_REDIS_PRELOAD"), preload]))
        environment = {**os.environ, "LD_PRELOAD": libraries} if libraries else None
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log, env=environment)
        self.clients = []
        self.wait()

    def wait(self):
        client = self.client()
        until(lambda: self.answers(client) or self.process.poll() is not None)
        if self.process.poll() is not None:
            self.stop()
            raise RuntimeError(f"it does not start: {(self.folder / 'log').read_text()[-2000:]}")

    def answers(self, client):
        with contextlib.suppress(redis.ConnectionError):
            return client.ping()  # BusyLoadingError is a ConnectionError
        return False

    def client(self, **options):
        self.clients.append(redis.Redis("127.0.0.1", self.port, **{"socket_timeout": PATIENCE, **options}))
        return self.clients[-1]

    def stop(self, number=signal.SIGKILL):
        for client in self.clients:
            client.close()
        self.clients = []
        if self.process.poll() is None:
            self.process.send_signal(number)
        status = self.process.wait(PATIENCE)
        self.log.close()
        return status

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Case(unittest.TestCase):
    """A test with a folder, and servers that end with the test."""

    def setUp(self):
        self.folder = scratch(self)

    def server(self, name="one", **settings):
        server = Server(self.folder / name, **settings)
        self.addCleanup(server.stop)
        return server


def create(client, key="ads", definition=ADS):
    return client.execute_command("POSSE.CREATE", key, json.dumps(definition))


def decide(client, key="ads", *options):
    """One decision: token, arm, learner."""
    token, arm, learner, *_ = client.execute_command("POSSE.DECIDE", key, *options)
    return token, arm, learner


def mapped(flat):
    """Converts a map that RESP2 sends as a list, including nested maps."""
    if not isinstance(flat, list):
        return flat
    if flat and len(flat) % 2 == 0 and all(isinstance(key, bytes) for key in flat[::2]):
        return {key.decode(): mapped(value) for key, value in zip(flat[::2], flat[1::2])}
    return [mapped(one) for one in flat]


def info(client, key="ads", *options):
    return mapped(client.execute_command("POSSE.INFO", key, *options))


def token_parts(token):
    """The epoch, the number of the decision and the arm in a token."""
    number, epoch, arm = struct.unpack("<IIi", base64.urlsafe_b64decode(token)[:12])
    return epoch, number, arm


def digests(client, *keys):
    return client.execute_command("DEBUG", "DIGEST-VALUE", *keys)


def commands(data):
    """The commands in an append-only file of Redis, which has the format of the protocol."""
    at = 0

    def line():
        nonlocal at
        end = data.index(b"\r\n", at)
        text, at = data[at:end], end + 2
        return text

    while at < len(data):
        words = []
        for _ in range(int(line()[1:])):
            length = int(line()[1:])
            words.append(data[at : at + length])
            at += length + 2
        yield words


def play(client, key="ads", rounds=50, pay=lambda arm: float(arm == 2)):
    """Plays rounds in which every third reward never comes. Returns the decisions."""
    decided = []
    for i in range(rounds):
        token, arm, learner = decide(client, key)
        decided.append((arm, learner))
        if i % 3 != 2:
            client.execute_command("POSSE.LEARN", key, token, pay(arm))
    return decided


def play_alone(p, rounds=50, pay=lambda arm: float(arm == 2)):
    """The same with a posse in this process."""
    decided = []
    for i in range(rounds):
        d = p.decide()
        decided.append((d.arm, p.learners[d.learner].encode()))
        if i % 3 != 2:
            p.learn(d, pay(d.arm))
    return decided
