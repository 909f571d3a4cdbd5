# SPDX-License-Identifier: MIT
"""Posses in Redis are the same on disk, on replicas, and in a cluster."""

import contextlib
import json
import signal
import subprocess
import threading
import unittest

import posse
from patience import PATIENCE, until
from redising import (
    ADS,
    DURABLE,
    SHOP,
    Case,
    create,
    decide,
    digests,
    info,
   
    play,
    play_alone,
    redis,
    token_parts,
)


class OnDisk(Case):
    def goes_on(self, before, after, **settings):
        """A server saves and is started again. It has the same posses, in a new epoch."""
        p, shop = posse.Posse(**ADS), posse.Posse(**SHOP)
        server = self.server(**settings)
        client = server.client()
        create(client)
        create(client, "shop", SHOP)
        self.assertEqual(play(client), play_alone(p))
        self.assertEqual(play(client, "shop"), play_alone(shop))
        token = decide(client)
        self.assertEqual(token[1], p.decide().arm)
        before(client)
        known = digests(client, "ads", "shop")
        epoch = info(client)["epoch"]
        server.stop(after)
        again = self.server(**settings).client()
        self.assertEqual(digests(again, "ads", "shop"), known)
        self.assertEqual(info(again)["pending"], p.pending)
        self.assertEqual(play(again), play_alone(p))
        self.assertEqual(play(again, "shop"), play_alone(shop))
        self.assertNotEqual(info(again)["epoch"], epoch)
        self.assertEqual(again.execute_command("POSSE.LEARN", "ads", token[0], 1), 1)

    def test_a_forgotten_unit_stays_forgotten(self):
        server = self.server(**DURABLE)
        client = server.client()
        create(client)
        client.execute_command("POSSE.MODES", "ads", '{"units": 10, "sticky_rounds": 1000}')
        for unit in ("ann", "bob"):
            client.execute_command("POSSE.DECIDE", "ads", "UNIT", unit)
        self.assertEqual([client.execute_command("POSSE.ERASE", "ads", unit) for unit in ("ann", "ann", "eve")], [1, 0, 0])
        server.stop(signal.SIGKILL)
        client = self.server(**DURABLE).client()
        self.assertEqual([client.execute_command("POSSE.ERASE", "ads", unit) for unit in ("ann", "bob")], [0, 1])

    def test_refused_rewards_raise_an_alarm(self):
        """It is of the process, so that a start begins without it."""
        server = self.server(**DURABLE)
        client = server.client()
        create(client)
        self.assertEqual(info(client)["alarms"], [])
        token = decide(client)[0]
        for _ in range(5):
            with self.assertRaises(redis.ResponseError):
                client.execute_command("POSSE.LEARN", "ads", token, 7)
        self.assertEqual(info(client)["alarms"], [b"rewards-refused"])
        self.assertEqual(json.loads(client.execute_command("POSSE.REPORT", "ads"))["alarms"], ["rewards-refused"])
        server.stop(signal.SIGKILL)
        self.assertEqual(info(self.server(**DURABLE).client())["alarms"], [])

    def test_a_dump_is_loaded(self):
        self.goes_on(lambda client: client.save(), signal.SIGKILL)

    def test_an_end_in_order_saves(self):
        self.goes_on(lambda client: client.config_set("save", "3600 1"), signal.SIGTERM)

    def test_the_log_is_replayed(self):
        self.goes_on(lambda client: None, signal.SIGKILL, **DURABLE)

    def rewrite(self, client):
        until(lambda: client.info("persistence")["aof_rewrite_in_progress"] == 0)
        client.bgrewriteaof()
        until(lambda: client.info("persistence")["aof_rewrite_in_progress"] == 0)
        self.assertEqual(client.info("persistence")["aof_last_bgrewrite_status"], "ok")

    def test_the_log_is_written_anew(self):
        for preamble in ("yes", "no"):
            with self.subTest(preamble=preamble):
                self.folder = self.folder / preamble
                self.folder.mkdir()
                self.goes_on(self.rewrite, signal.SIGKILL, aof_use_rdb_preamble=preamble, **DURABLE)

    def test_epochs_are_in_the_log(self):
        """Three starts in a row, each with decisions. All tokens stay valid."""
        tokens = []
        for start in range(3):
            server = self.server(**DURABLE)
            client = server.client()
            if start == 0:
                create(client)
            tokens += [decide(client)[0] for _ in range(5)]
            server.stop()
        client = self.server(**DURABLE).client()
        self.assertEqual(len({token_parts(token)[0] for token in tokens}), 3)
        for token in tokens[1:]:
            self.assertEqual(client.execute_command("POSSE.LEARN", "ads", token, 1), 1)
        for token in tokens[1:]:  # also of earlier epochs
            self.assertEqual(client.execute_command("POSSE.LEARN", "ads", token, 1), 0)

    def test_a_log_of_0_2_keeps_what_it_expired(self):
        """0.2 took decisions with more than `age` later ones, and its log has no EXACT."""
        server = self.server(**DURABLE)
        client = server.client()
        create(client)
        for _ in range(4):
            decide(client)
        self.assertEqual(client.execute_command("POSSE.EXPIRE", "ads", 2), 2)
        server.stop()
        again = self.server(**DURABLE)
        self.assertEqual(info(again.client())["pending"], 2)
        again.stop()
        log = next((server.folder / "appendonlydir").glob("*.incr.aof"))
        exact, former = b"$1\r\n2\r\n$5\r\nEXACT\r\n", b"$1\r\n2\r\n"
        text = log.read_bytes()
        self.assertEqual(text.count(exact), 1)
        head, tail = text.split(exact)
        before, command = head[: head.rindex(b"*4\r\n")], head[head.rindex(b"*4\r\n") + 4 :]
        log.write_bytes(before + b"*3\r\n" + command + former + tail)
        client = self.server(**DURABLE).client()
        self.assertEqual(info(client)["pending"], 3)  # the second had exactly 2 later ones


class Replicas(Case):
    def both(self, **settings):
        master = self.server("master", **settings)
        replica = self.server("replica", replicaof=f"127.0.0.1 {master.port}", repl_diskless_sync_delay=0, **settings)
        until(lambda: replica.client().info("replication")["master_link_status"] == "up")
        return master, replica

    def caught_up(self, master, replica):
        until(
            lambda: master.client().info("replication")["master_repl_offset"]
            == replica.client().info("replication")["slave_repl_offset"]
        )

    def test_a_replica_has_the_same_bytes(self):
        master = self.server("master", repl_diskless_sync_delay=0)
        client = master.client()
        keys = [f"k{i}" for i in range(10)]
        for i, key in enumerate(keys):
            create(client, key, {**(ADS if i % 2 else SHOP), "seed": i})
            play(client, key)
        replica = self.server("replica", replicaof=f"127.0.0.1 {master.port}")  # after some rounds
        for i, key in enumerate(keys):
            play(client, key, 30 + i)
            client.execute_command("POSSE.LEARNER", "ADD", key, '{"kind": "ucb", "name": "late", "width": 0.3}')
            client.execute_command("POSSE.ARM", "ADD", key)
            client.execute_command("POSSE.TEACH", key, 1, 0.5)
            tokens = [d[0] for d in client.execute_command("POSSE.DECIDE", key, "COUNT", 20)]
            client.execute_command("POSSE.FORGET", key, *tokens[:5])
            rewards = [word for token in tokens[5:] for word in (token, 1)]
            client.execute_command("POSSE.TURN", key, "LEARN", *rewards, "DECIDE", 7)
            client.execute_command("POSSE.EXPIRE", key, 3)
        client.copy("k0", "copy")
        play(client, "copy")
        client.restore("restored", 0, client.dump("k1"))
        play(client, "restored")
        self.caught_up(master, replica)
        self.assertEqual(digests(client, *keys, "copy"), digests(replica.client(), *keys, "copy"))
        self.assertEqual(client.execute_command("DEBUG", "DIGEST"), replica.client().execute_command("DEBUG", "DIGEST"))
        with self.assertRaises(redis.ReadOnlyError):
            decide(replica.client(), "k0")
        self.assertEqual(info(replica.client(), "k0")["decisions"], info(client, "k0")["decisions"])

    def test_a_replica_that_is_promoted_goes_on(self):
        master, replica = self.both()
        p = posse.Posse(**ADS)
        create(master.client())
        self.assertEqual(play(master.client()), play_alone(p))
        token, arm, _ = decide(master.client())
        mine = p.decide()
        self.caught_up(master, replica)
        epoch = info(replica.client())["epoch"]
        master.stop()
        client = replica.client()
        client.replicaof("NO", "ONE")
        self.assertEqual(client.execute_command("POSSE.LEARN", "ads", token, 1), 1)
        p.learn(mine, 1)
        self.assertEqual(play(client, rounds=100), play_alone(p, 100))
        self.assertNotEqual(info(client)["epoch"], epoch)
        self.assertEqual(client.execute_command("POSSE.LEARN", "ads", token, 1), 0)

    def test_what_a_failover_loses_is_refused(self):
        """The replica does not get the last decisions. It makes them again, and the tokens of the lost ones are
        refused."""
        master, replica = self.both()
        create(master.client())
        play(master.client())
        kept = decide(master.client())
        self.caught_up(master, replica)
        replica.client().replicaof("127.0.0.1", 1)  # an address without a server
        lost = [decide(master.client()) for _ in range(50)]
        settled = master.client().execute_command("POSSE.LEARN", "ads", lost[0][0], 1)
        master.stop()
        client = replica.client()
        client.replicaof("NO", "ONE")
        again = [decide(client) for _ in range(50)]
        self.assertEqual([d[1:] for d in again], [d[1:] for d in lost])
        credited = sum(self.is_taken(client, d[0]) for d in lost)
        self.assertEqual((settled, credited), (1, 0))
        self.assertEqual(client.execute_command("POSSE.LEARN", "ads", kept[0], 1), 1)
        for token, *_ in again:
            self.assertEqual(client.execute_command("POSSE.LEARN", "ads", token, 1), 1)

    def is_taken(self, client, token):
        with contextlib.suppress(redis.ResponseError):
            client.execute_command("POSSE.LEARN", "ads", token, 1)
            return True
        return False

    def test_a_replica_is_promoted_under_load(self):
        """The new master accepts the rewards of all decisions that it has. Decisions that it does not have are
        refused by their epoch."""
        master, replica = self.both()
        create(master.client())
        self.caught_up(master, replica)
        answered, over = [], threading.Event()

        def load():
            client = master.client()
            with contextlib.suppress(redis.ConnectionError, ValueError):
                while not over.is_set():
                    token, arm, learner = decide(client)
                    answered.append((token, arm, learner, client.execute_command("POSSE.LEARN", "ads", token, arm % 2)))

        threads = [threading.Thread(target=load) for _ in range(4)]
        for thread in threads:
            thread.start()
        until(lambda: len(answered) > 200)
        master.process.kill()
        over.set()
        for thread in threads:
            thread.join()
        client = replica.client()
        until(lambda: client.info("replication")["master_link_status"] == "down")
        client.replicaof("NO", "ONE")
        count = info(client)["decisions"]
        kept = {token_parts(token)[1]: token for token, *_ in answered if token_parts(token)[1] <= count}
        for _, token in sorted(kept.items())[-60:]:  # already learned on the replica, or still pending
            self.assertIn(client.execute_command("POSSE.LEARN", "ads", token, token_parts(token)[2] % 2), (0, 1))
        decide(client)
        for token, *_ in answered:
            if token_parts(token)[1] > count:
                self.assertFalse(self.is_taken(client, token))
        self.assertGreater(len(answered), 100)


class Roaming:
    """A client of a cluster that follows redirections."""

    def __init__(self, nodes):
        self.clients = {node.port: node.client() for node in nodes}

    def execute_command(self, *command):
        client = next(iter(self.clients.values()))
        while True:
            try:
                return client.execute_command(*command)
            except redis.ResponseError as error:
                word, _, place = str(error).split(" ")
                if word != "MOVED":
                    raise
                client = self.clients[int(place.rpartition(":")[2])]


class Cluster(Case):
    NODES = 6

    def start(self):
        settings = {"cluster_enabled": "yes", "cluster_node_timeout": 5000, "repl_diskless_sync_delay": 0, **DURABLE}
        nodes = [self.server(f"node{i}", cluster_config_file="nodes.conf", **settings) for i in range(self.NODES)]
        places = [f"127.0.0.1:{node.port}" for node in nodes]
        made = subprocess.run(
            ["redis-cli", "--cluster", "create", *places, "--cluster-replicas", "1", "--cluster-yes"],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        self.assertEqual(made.returncode, 0, made.stdout + made.stderr)
        for node in nodes:
            until(lambda node=node: self.is_well(node))
        return nodes

    def test_a_cluster_survives_its_masters(self):
        nodes = self.start()
        p = {f"k{i}": posse.Posse(**{**ADS, "seed": i}) for i in range(12)}
        cluster = Roaming(nodes)
        for i, key in enumerate(p):
            create(cluster, key, {**ADS, "seed": i})
        for key in p:
            self.assertEqual(play(cluster, key), play_alone(p[key]))
        pending = {key: decide(cluster, key) for key in p}
        mine = {key: p[key].decide() for key in p}
        until(lambda: all(self.is_level(node) for node in nodes))
        owner = next(node for node in nodes if self.is_master_of(node, "k0"))
        far = posse.connect(f"redis://127.0.0.1:{nodes[0].port}/k0", retries=12)
        self.addCleanup(far.close)
        owner.stop()
        far.learn(pending["k0"][0].decode(), 1)  # it waits until the replica has taken over
        until(lambda: all(self.has_three_masters(node) for node in nodes if node is not owner))
        cluster = Roaming([node for node in nodes if node is not owner])
        self.assertEqual(cluster.execute_command("POSSE.LEARN", "k0", pending.pop("k0")[0], 1), 0)
        p["k0"].learn(mine["k0"], 1)
        for key in pending:
            self.assertEqual(cluster.execute_command("POSSE.LEARN", key, pending[key][0], 1), 1)
            p[key].learn(mine[key], 1)
        for key in p:
            self.assertEqual(play(cluster, key), play_alone(p[key]))
        self.assertEqual(far.decide().arm, p["k0"].decide().arm)

    def is_master_of(self, node, key):
        with contextlib.suppress(redis.ResponseError):  # MOVED
            return node.client().info("replication")["role"] == "master" and node.client().exists(key) == 1
        return False

    def has_three_masters(self, node):
        """Whether a node sees three healthy masters, and one node that failed."""
        seen = node.client().execute_command("CLUSTER NODES").values()
        healthy = [one for one in seen if "master" in one["flags"] and "fail" not in one["flags"] and one["slots"]]
        return len(healthy) == 3 and any("fail" in one["flags"] for one in seen) and self.is_well(node)

    def is_well(self, node):
        return node.client().execute_command("CLUSTER INFO")["cluster_state"] == "ok"

    def is_level(self, node):
        state = node.client().info("replication")
        if state["role"] == "slave":
            return state["master_link_status"] == "up"
        return all(
            state[f"slave{i}"]["offset"] == state["master_repl_offset"] for i in range(state["connected_slaves"])
        )

    def test_a_posse_moves_to_another_server(self):
        one, other = self.server("one"), self.server("other")
        p = posse.Posse(**ADS)
        create(one.client())
        self.assertEqual(play(one.client()), play_alone(p))
        one.client().execute_command("MIGRATE", "127.0.0.1", other.port, "ads", 0, 1000 * PATIENCE)
        self.assertEqual(one.client().exists("ads"), 0)
        self.assertEqual(play(other.client()), play_alone(p))


if __name__ == "__main__":
    unittest.main()
