# SPDX-License-Identifier: MIT
"""Metrics, the files for Prometheus and Grafana, and the access log."""

import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import unittest

from patience import until
from serving import ADS, Server, SmallDisk
from support import scratch

FILES = pathlib.Path(__file__).parents[2] / "packaging" / "monitoring"


def promtool(*arguments, **settings):
    if not shutil.which("promtool"):
        raise AssertionError("promtool is missing: install the package prometheus")
    return subprocess.run(["promtool", *arguments], capture_output=True, text=True, **settings)


def samples(client):
    """The samples of /metrics by name and labels."""
    text = client.get("/metrics")[1].decode()
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in text.splitlines() if not line.startswith("#")}


def play(client, rounds, name="ads"):
    for _ in range(rounds):
        token = client.post(f"/v1/posses/{name}/decide", {})[1]["token"]
        client.post(f"/v1/posses/{name}/learn", {"token": token, "reward": 1})


class MetricsTest(unittest.TestCase):
    def setUp(self):
        self.folder = scratch(self)

    def start(self, *options):
        server = Server(self.folder, *options)
        self.addCleanup(server.__exit__)
        return server

    def test_promtool_accepts_the_metrics(self):
        c = self.start("--metrics-of", "ads", "--metrics-of", "gone").client()
        c.post("/v1/posses", {**ADS, "learners": [{"kind": "ucb", "name": 'a "quoted" \\ name'}, "thompson"], "prior": {"kind": "beta", "robust": True}})
        play(c, 3)
        for path in ("/nowhere", "/v1/posses", "/v1/posses/gone"):
            c.get(path)
        checked = promtool("check", "metrics", input=c.get("/metrics")[1].decode())
        self.assertEqual((checked.returncode, checked.stdout, checked.stderr), (0, "", ""))

    def test_requests_are_counted_by_route(self):
        c = self.start().client()
        c.post("/v1/posses", ADS)
        play(c, 5)
        c.get("/nowhere")
        c.ask("HEAD", "/healthz")
        seen = samples(c)
        count = lambda method, route: seen[f'posse_http_request_seconds_count{{method="{method}",route="{route}"}}']
        self.assertEqual(count("POST", "/v1/posses/{}/decide"), 5)
        self.assertEqual(count("POST", "/v1/posses/{}/learn"), 5)
        self.assertEqual(count("GET", "/healthz"), 1)
        self.assertEqual(count("", ""), 1)
        self.assertNotIn('posse_http_request_seconds_count{method="POST",route="/v1/posses/{}/turn"}', seen)
        labels = 'method="POST",route="/v1/posses/{}/learn"'
        buckets = [value for key, value in seen.items() if key.startswith(f"posse_http_request_seconds_bucket{{{labels},le=")]
        self.assertEqual((len(buckets), buckets), (10, sorted(buckets)))
        self.assertEqual(buckets[-1], 5)
        self.assertGreater(seen[f"posse_http_request_seconds_sum{{{labels}}}"], 0)

    def test_the_process_is_described(self):
        server = self.start()
        seen = samples(server.client())
        status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
        resident = 1024 * int(re.search(r"VmRSS:\s+(\d+) kB", status)[1])
        self.assertLess(abs(seen["process_resident_memory_bytes"] - resident), 0.5 * resident)
        self.assertEqual(seen["process_open_fds"], len(os.listdir(f"/proc/{server.process.pid}/fd")))
        began = float(subprocess.run(["stat", "-c", "%Y", f"/proc/{server.process.pid}"], capture_output=True, text=True).stdout)
        self.assertLess(abs(seen["process_start_time_seconds"] - began), 60)
        self.assertGreater(seen["process_cpu_seconds_total"], 0)
        self.assertTrue(any(re.fullmatch(r'posse_build_info\{version="\d+\.\d+\.\d+"\}', key) for key in seen))

    def test_chosen_posses_are_there_by_name(self):
        (self.folder / "tokens").write_text("".join(f"{hashlib.sha256(token).hexdigest()} admin {name}\n" for token, name in ((b"all", "*"), (b"one", "ads"))))
        server = self.start("--metrics-of", "ads", "--metrics-of", "others", "--metrics-of", "absent", "--tokens", self.folder / "tokens")
        c = server.client("all")
        for name in ("ads", "others", "hidden"):
            c.post("/v1/posses", {**ADS, "name": name})
            play(c, 7, name)
        seen = samples(c)
        for name in ("ads", "others"):
            of = f'{{posse="{name}"}}'
            self.assertEqual((seen["posse_named_decisions_total" + of], seen["posse_named_rewards_total" + of], seen["posse_named_earned" + of], seen["posse_named_pending" + of]), (7, 7, 7, 0))
            plays = [value for key, value in seen.items() if key.startswith(f'posse_named_plays{{posse="{name}"')]
            self.assertEqual((len(plays), sum(plays)), (3, 7))
        self.assertFalse([key for key in seen if "hidden" in key or "absent" in key])
        self.assertFalse([key for key in samples(server.client("one")) if "others" in key])

    def test_the_rules_are_right(self):
        checked = promtool("check", "rules", FILES / "posse-alerts.yaml")
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        tested = promtool("test", "rules", FILES / "posse-alerts-test.yaml")
        self.assertEqual(tested.returncode, 0, tested.stdout + tested.stderr)
        names = re.findall(r"alert: (\w+)", (FILES / "posse-alerts.yaml").read_text())
        raised = set(re.findall(r'alertname="(\w+)"', (FILES / "posse-alerts-test.yaml").read_text()))
        self.assertEqual(set(names), raised, "an alert that no test raises")

    def test_the_dashboard_asks_in_promql(self):
        """Every expression of a panel is read by Prometheus: as a rule that records it. The dashboard's own variables stand
        in texts, where Prometheus does not care."""
        panels = json.loads((FILES / "posse-dashboard.json").read_text())["panels"]
        expressions = [target["expr"] for panel in panels for target in panel["targets"]]
        self.assertGreater(len(expressions), 10)
        rules = self.folder / "dashboard.yaml"
        for wrong in ("", ")"):
            recorded = [{"record": f"panel:{i}", "expr": e + wrong} for i, e in enumerate(expressions)]
            rules.write_text(json.dumps({"groups": [{"name": "dashboard", "rules": recorded}]}))  # JSON is YAML
            checked = promtool("check", "rules", rules)
            said = checked.stdout + checked.stderr
            self.assertEqual(said.count("could not parse expression"), len(expressions) if wrong else 0, said)
            self.assertEqual(checked.returncode == 0, not wrong, said)

    def test_the_files_name_metrics_that_exist(self):
        c = self.start("--metrics-of", "ads").client()
        c.post("/v1/posses", {**ADS, "prior": {"kind": "beta", "robust": True}})
        play(c, 3)
        exists = {re.match(r"\w+", key)[0] for key in samples(c)}
        for file in ("posse-alerts.yaml", "posse-dashboard.json"):
            text = (FILES / file).read_text()
            expressions = re.findall(r"expr: (.*)", text) if file.endswith("yaml") else [
                *(target["expr"] for panel in json.loads(text)["panels"] for target in panel["targets"]),
                *(v["query"]["query"] for v in json.loads(text)["templating"]["list"] if v["type"] == "query")]
            named = {name for e in expressions for name in re.findall(r"\b(?:posse|process)_\w+", e)}
            self.assertGreater(len(named), 10)
            self.assertEqual(named - exists, set(), file)


class AccessLogTest(unittest.TestCase):
    def setUp(self):
        self.folder = scratch(self)
        self.log = self.folder / "access"

    def lines(self):
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def test_each_answer_is_a_line(self):
        (self.folder / "tokens").write_text(f"{hashlib.sha256(b'my secret').hexdigest()} admin *\n")
        with Server(self.folder, "--access-log", self.log, "--tokens", self.folder / "tokens") as server:
            c = server.client("my secret")
            c.post("/v1/posses", ADS)
            answer = c.post("/v1/posses/ads/decide", {})[1]
            c.post("/v1/posses/ads/learn?token=my%20secret", {"token": answer["token"], "reward": 1})
            c.get("/v1/posses/my%20secret")
            c.get("/my%20secret")
            server.client().get("/v1/posses/ads")
            self.assertEqual(server.stop(), 0)
        seen = [(line["method"], line["route"], line["posse"], line["status"]) for line in self.lines()]
        self.assertEqual(seen, [("POST", "/v1/posses", None, 201), ("POST", "/v1/posses/{}/decide", "ads", 200), ("POST", "/v1/posses/{}/learn", "ads", 200),
                                ("GET", "/v1/posses/{}", None, 404), ("GET", None, None, 404), ("GET", "/v1/posses/{}", None, 401)])
        decided = self.lines()[1]
        self.assertEqual((decided["client"], decided["received"], decided["sent"]), ("127.0.0.1", 2, len(json.dumps(answer, separators=(",", ":"))) + 1))
        self.assertRegex(decided["at"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
        self.assertGreater(decided["seconds"], 0)
        for secret in ("my secret", "my%20secret", answer["token"]):
            self.assertNotIn(secret, self.log.read_text())

    def test_it_is_opened_again(self):
        with Server(self.folder, "--access-log", self.log) as server:
            c = server.client()
            c.get("/healthz")
            until(lambda: len(self.lines()) == 1)
            self.log.rename(self.folder / "old")
            server.process.send_signal(signal.SIGHUP)
            until(self.log.exists)
            c.get("/readyz")
            self.assertEqual(server.stop(), 0)
        self.assertEqual([line["route"] for line in self.lines()], ["/readyz"])

    def test_a_file_that_cannot_be_opened_ends_the_start(self):
        with self.assertRaisesRegex(RuntimeError, "No such file"):
            Server(self.folder, "--access-log", self.folder / "absent" / "access")

    def test_a_full_disk_stops_nothing(self):
        with SmallDisk(self.folder / "disk", "100k") as disk:
            log = disk.folder / "access"
            with Server(self.folder, "--access-log", log, within=disk.enter) as server:
                c = server.client()
                c.post("/v1/posses", ADS)
                while samples(c)["posse_access_log_dropped_total"] < 500:
                    for _ in range(200):
                        self.assertEqual(c.get("/healthz")[0], 200)
                play(c, 3)
                self.assertEqual(server.said().count("the access log cannot be written"), 1)
                disk.grow()
                asked = samples(c)["posse_http_requests_total"]
                dropped = samples(c)["posse_access_log_dropped_total"]
                read = lambda: subprocess.run([*disk.enter, "cat", log], capture_output=True, text=True).stdout.splitlines()
                until(lambda: len(read()) >= asked - dropped - 5)
                for line in read():
                    json.loads(line)
                self.assertEqual(server.stop(), 0)


if __name__ == "__main__":
    unittest.main()
