#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Opens the dashboard of a server in headless Chromium and uses it as an operator would: board_driver.py CHROMIUM SHOTS

Prints problems, and exits with 1 if it finds any."""
import hashlib
import json
import os
import pathlib
import sqlite3
import sys
import tempfile
import time

from page_driver import PATIENCE, VIEWS, Browser
from serving import Server

HOSTILE = '<img src=x onerror=alert(1)>"\'&amp;'
SECRET = "an operator's secret"


class BoardBrowser(Browser):
    """It may send requests to its server only."""

    def visit(self, url):
        self.events, self.home = [], url
        self.call("Page.navigate", {"url": url})
        self.wait("Page.loadEventFired")
        self.settle()

    def troubles(self):
        kept = [e for e in self.events if not self.is_expected(e)]
        before, self.events = self.events, kept
        found = super().troubles()
        self.events = before
        return found

    def is_expected(self, event):
        """Requests to the server, and refused ones, which the browser writes to the console."""
        parameters = event.get("params", {})
        asked = parameters.get("request", {}).get("url", "")
        entry = parameters.get("entry", {})
        return asked.startswith(self.home.split("#")[0]) or entry.get("source") == "network"

    def type(self, selector, text):
        self.run(f"""(() => {{
            const e = document.querySelector({json.dumps(selector)});
            e.value = {json.dumps(text)};
            e.dispatchEvent(new Event("input", {{bubbles: true}}));
        }})()""")

    def text(self, selector):
        return self.run(f"document.querySelector({json.dumps(selector)})?.textContent")

    def many(self, selector):
        return self.run(f"document.querySelectorAll({json.dumps(selector)}).length")


class Board:
    def __init__(self, browser, shots):
        self.browser, self.shots, self.problems = browser, shots, []

    def expect(self, good, what):
        if not good:
            self.problems.append(what)

    def until(self, what, look):
        """Waits until look() is true."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if look():
                return True
            self.browser.settle()
            time.sleep(0.05)
        self.problems.append(what)
        return False

    def fits(self, where):
        wide = self.browser.run("document.documentElement.scrollWidth - innerWidth")
        self.expect(wide <= 0, f"{where}: the page is {wide} pixels wider than the screen")

    def drawn(self, chart, name):
        """How long the path of a line is."""
        lines = f"[...document.querySelectorAll('#{chart} path.line')]"
        return self.browser.run(f"{lines}.find(line => line.textContent === '{name}')?.getAttribute('d').length ?? 0")

    def shoot(self, name):
        for view, look in VIEWS.items():
            self.browser.look(*look)
            time.sleep(0.1)
            self.fits(f"{name}, {view}")
            self.browser.shot(f"{self.shots}/{name}-{view}.png")
        self.browser.look(*VIEWS["light"])

    def sign_in(self):
        b = self.browser
        self.until("without a token none is asked for", lambda: b.run("document.getElementById('token-dialog').open"))
        b.type("#token", "wrong")
        b.click("#token-dialog button.main")
        self.until("a wrong token is taken", lambda: b.run("document.getElementById('token-dialog').open"))
        b.type("#token", SECRET)
        b.click("#token-dialog button.main")
        self.until("the token is not taken", lambda: b.text("#pulse") == "live")
        kept = b.run("[localStorage.length, document.cookie, location.href, sessionStorage.length]")
        self.expect(kept[:2] == [0, ""] and SECRET not in kept[2] and kept[3] == 1, f"the token is kept elsewhere: {kept}")

    def create(self, client):
        b = self.browser
        self.until("an empty list has no hint", lambda: b.run("!document.getElementById('none').hidden"))
        b.click("#create-open")
        b.type("#new-name", "a/b")
        b.click("#new-make")
        self.until("a wrong name is taken", lambda: "name" in b.text("#new-wrong"))
        b.shot(f"{self.shots}/create-light.png")
        b.type("#new-name", "trial")
        b.click("#new-make")
        self.until("no posse is shown", lambda: b.text("#name") == "trial" and b.text("#pulse") == "live")
        status, state = client.get("/v1/posses/trial")
        self.expect(status == 200 and state["arms"] == 5, f"it was not created: {state}")

    def drive(self, client):
        b = self.browser
        self.until("nothing can be driven", lambda: b.many("#means input") == 5)
        self.expect(b.run("document.getElementById('drive-start').disabled"), "it drives without being asked twice")
        for arm, mean in enumerate((0.2, 0.3, 0.9, 0.4, 0.1)):
            b.type(f"#means label:nth-child({arm + 1}) input", str(mean))
        b.run("document.getElementById('speed').value = '1000'")
        b.click("#drive-sure")
        b.click("#drive-start")
        decided = lambda: client.get("/v1/posses/trial")[1]["decisions"]
        self.until("it does not drive", lambda: decided() > 3000)
        self.until("the best arm is not found", lambda: b.text(".arm.best .label") == "Arm 2")
        self.until("no shares are drawn", lambda: b.many("#shares path") >= 4)
        self.until("no reward is drawn", lambda: self.drawn("rewards", "mean reward") > 30)
        self.expect(b.many("#learners tbody tr") == 4, "a learner is missing")
        # Of 20 learners, the eight that are played most have a colour each, and the others are grey.
        colours = b.run("looksOf(Array.from({length: 20}, (_, i) => ({plays: i}))).map(look => look.style.light)")
        self.expect(len(set(colours[12:])) == 8 and len(set(colours[:12])) == 1, f"colours of 20 learners: {colours}")
        self.expect(not set(colours[:12]) & set(colours[12:]), "a coloured learner is grey")
        self.shoot("posse")
        b.click("#drive-start")
        self.until("decisions are left pending", lambda: client.get("/v1/posses/trial")[1]["pending"] == 0)
        self.until("the page is behind", lambda: b.text("#figures div:first-child dd").replace("\u202f", "") == str(decided()))
        self.until("the best arm has no name", lambda: "Best: arm 2" in b.text("#figures"))

    def count(self, client):
        """A posse whose rewards are counts can be driven too. A refusal is shown until the next action."""
        b = self.browser
        b.run("location.hash = '#/'")
        b.click("#create-open")
        b.type("#new-name", "counts")
        b.run("document.getElementById('new-prior').value = 'gamma'")
        b.type("#new-arms", "3")
        b.click("#new-make")
        self.until("no counts are shown", lambda: b.text("#name") == "counts" and b.many("#means input") == 3)
        state = lambda: client.get("/v1/posses/counts")[1]
        b.click("#drive-sure")
        b.click("#drive-start")
        self.until("counts are not driven", lambda: state()["decisions"] > 200)
        b.click("#drive-start")
        self.until("counts are left pending", lambda: state()["pending"] == 0)
        wrong = "watched.last.reward_low = -1e100; watched.means = [-9, -9, -9]"  # wrong limits and means of the posse
        b.run(f"{wrong}; document.getElementById('drive-start').click()")  # before the next frame
        self.until("a refusal is not shown", lambda: "reward" in b.text("#trouble") and not b.run("document.getElementById('trouble').hidden"))
        self.until("refused rewards are left pending", lambda: state()["pending"] == 0)
        time.sleep(1.2)  # until more frames have arrived
        self.expect(not b.run("document.getElementById('trouble').hidden"), "a refusal is hidden too early")
        b.run("location.hash = '#/'")
        b.run("location.hash = '#/counts'")
        self.until("past decisions are denied", lambda: "none in the last" in (b.text("#shares .empty") or ""))
        self.until("past rewards are denied", lambda: "Mean reward so far" in b.text("#figures"))
        self.expect(client.ask("DELETE", "/v1/posses/counts?confirm=counts")[0] == 200, "counts are not deleted")
        b.run("location.hash = '#/trial'")
        self.until("the first is not shown", lambda: b.text("#name") == "trial" and b.text("#pulse") == "live")

    def doubt(self, client):
        """The page and the list show if rewards contradict the prior of a watched posse, and otherwise do not."""
        b = self.browser
        self.expect(b.run("document.getElementById('surprise').hidden"), "a belief that is not watched surprises")
        prior = {"kind": "beta", "alpha": 50, "beta": 50}
        description = {"arms": 3, "learners": ["ucb", "thompson"], "selector": {"kind": "bms", "watch": True}}
        for name, reward in (("doubtful", 0), ("right", 0.5)):
            self.expect(client.post("/v1/posses", {"name": name, "prior": prior, **description})[0] == 201, name)
            decisions = client.post(f"/v1/posses/{name}/decide", {"n": 100})[1]["decisions"]
            client.post(f"/v1/posses/{name}/learn", {"rewards": [{"token": d["token"], "reward": reward} for d in decisions]})
        b.run("location.hash = '#/doubtful'")
        self.until("no doubt is shown", lambda: "contradict the prior" in (b.text("#surprise.high") or ""))
        for _ in range(9):
            client.post("/v1/posses/doubtful/learn", {"token": "of nobody", "reward": 1})
        self.until("no alarm is shown", lambda: "rewards are refused" in (b.text("#alarms") or "") and b.many("#alarms li") == 1)
        self.shoot("doubtful")
        b.run("location.hash = '#/right'")
        self.until("the right prior is not shown", lambda: "fit the prior" in b.text("#surprise") and b.many("#surprise.high") == 0)
        b.run("location.hash = '#/'")
        self.until("the list has no doubt", lambda: b.run("[...document.querySelectorAll('#posses .doubt')].map(e => e.parentNode.firstChild.textContent)") == ["doubtful", "doubtful"])
        for name in ("doubtful", "right"):
            client.ask("DELETE", f"/v1/posses/{name}?confirm={name}")
        b.run("location.hash = '#/trial'")
        self.until("the first is not shown", lambda: b.text("#name") == "trial" and b.text("#pulse") == "live")
        self.expect(b.run("document.getElementById('surprise').hidden"), "the surprise of another stays")

    def verdict(self, client):
        """A posse whose arms have names shows them, and the verdict of its report."""
        b = self.browser
        colours = {"name": "colours", "arms": ["red", "blue"], "prior": "beta", "learners": ["ucb", "thompson"],
                   "selector": {"kind": "bms-plus", "floor": 0.3}}  # fmt: skip
        self.expect(client.post("/v1/posses", colours)[0] == 201, "colours")
        b.run("location.hash = '#/colours'")
        self.until("there is no verdict", lambda: b.text("#verdict") == "not yet: too few: there is no reward yet")
        decisions = client.post("/v1/posses/colours/decide", {"n": 900})[1]["decisions"]
        rewards = [{"token": d["token"], "reward": float(d["name"] == "red")} for d in decisions]
        client.post("/v1/posses/colours/learn", {"rewards": rewards})
        self.until("it is not decided", lambda: b.text("#verdict").startswith("decided: red is the best"))
        self.expect("red" in b.text("#arms") and "Best: red" in b.text("#figures"), "the arms have no names")
        self.findings(client)
        self.modes(client)
        self.name_an_arm(client)
        self.shoot("named")
        client.ask("DELETE", "/v1/posses/colours?confirm=colours")
        b.run("location.hash = '#/trial'")
        self.until("the first is not shown", lambda: b.text("#name") == "trial" and b.text("#pulse") == "live")

    def findings(self, client):
        """The tables have what the report has: intervals that hold at all times, the probability of being the best, the
        lift over the control, the mean of each learner, and what stopping now costs."""
        b = self.browser
        self.expect(client.post("/v1/posses/colours/modes", {"control": "red", "holdback": 0.25})[0] == 200, "modes")
        decisions = client.post("/v1/posses/colours/decide", {"n": 300})[1]["decisions"]
        rewards = [{"token": d["token"], "reward": float(d["name"] == "red")} for d in decisions]
        client.post("/v1/posses/colours/learn", {"rewards": rewards})
        report = client.get("/v1/posses/colours/report")[1]
        shown = lambda x: b.run(f"number({json.dumps(x)}, 3)")
        ends = lambda low, high: f"{shown(low)} to {shown(high)}"
        blue = report["arms"][1]
        line = f"{ends(blue['low'], blue['high'])} at all times · best with {shown(100 * blue['best'])} % · lift {shown(blue['lift'])} ({ends(blue['lift_low'], blue['lift_high'])})"
        self.until(f"an arm has not {line}", lambda: b.text(".arm:last-child .found") == line)
        self.expect((b.text(".arm .found") or "").endswith(" · the control"), "the control is not named")
        rows = [[shown(one["mean"]), ends(one["low"], one["high"])] for one in report["learners"]]
        cells = b.run("[...document.querySelectorAll('#learners tbody tr')].map(row => [...row.cells].slice(2, 4).map(cell => cell.textContent))")
        self.expect(cells == rows, f"learners have {cells}, and not {rows}")
        found, held = b.text("#found") or "", report["holdback"]
        self.expect(f"costs {shown(report['regret'])} in each round" in found, f"no cost of stopping: {found}")
        lift = f"lift {shown(held['posse']['lift'])}, at all times {ends(held['posse']['lift_low'], held['posse']['lift_high'])}"
        self.expect(f"the posse earns {shown(held['posse']['mean'])} and the control {shown(held['control']['mean'])}; {lift}." in found, f"no holdback: {found}")

    def modes(self, client):
        """A mode is beside the verdict and in the list, and goes away with the mode."""
        b = self.browser
        set_modes = lambda **modes: self.expect(client.post("/v1/posses/colours/modes", modes)[0] == 200, str(modes))
        self.until("no holdback is shown", lambda: b.text("#modes") == "holdback 25 %")
        set_modes(paused=True, holdback=0)
        self.until("no pause is shown", lambda: b.text("#modes") == "paused")
        self.shoot("paused")
        b.run("location.hash = '#/'")
        self.until("the list has no pause", lambda: b.run("[...document.querySelectorAll('#posses .doubt')].map(e => e.textContent)") == ["paused"])
        b.run("location.hash = '#/colours'")
        set_modes(paused=False, control=None, shadow=True)
        self.until("no shadow mode is shown", lambda: b.text("#name") == "colours" and b.text("#modes") == "shadow mode")
        decision = client.post("/v1/posses/colours/decide", {})[1]
        client.post("/v1/posses/colours/acted", {"token": decision["token"], "arm": "blue"})
        client.post("/v1/posses/colours/learn", {"token": decision["token"], "reward": 1})
        agreed = f"both agreed in {int(decision['name'] == 'blue')} of 1 rounds; the rule earns {b.run('number(1, 3)')}"
        self.until("no comparison of shadow mode", lambda: agreed in (b.text("#found") or ""))
        set_modes(shadow=False)
        self.until("shadow mode stays", lambda: b.text("#modes") == "")

    def name_an_arm(self, client):
        """In a posse whose arms have names a new one is named, and the dialog shows why a name is refused."""
        b = self.browser
        b.click("#arm-add")
        self.until("no name is asked for", lambda: b.run("document.getElementById('arm-dialog').open"))
        b.type("#arm-name", "red")
        b.click("#arm-make")
        self.until("a name is taken twice", lambda: "red" in b.text("#arm-wrong") and not b.run("document.getElementById('arm-wrong').hidden"))
        b.shot(f"{self.shots}/arm-light.png")
        b.type("#arm-name", HOSTILE)
        b.click("#arm-make")
        self.until("the named arm is not shown", lambda: HOSTILE in b.text("#arms") and not b.run("document.getElementById('arm-dialog').open"))
        self.expect([a["name"] for a in client.get("/v1/posses/colours/arms")[1]["arms"]] == ["red", "blue", HOSTILE], "another name")

    def long_names(self, client):
        """Names of 255 bytes, in one word and in many, are cut: they cover nothing, and no row becomes tall."""
        b = self.browser
        arms = ["x" * 255, ("one two three " * 19)[:255], "short"]
        self.expect(client.post("/v1/posses", {"name": "long", "arms": arms, "prior": "beta", "learners": ["ucb"]})[0] == 201, "long")
        b.run("location.hash = '#/long'")
        self.until("it is not shown", lambda: b.text("#name") == "long" and b.many("#means label") == 3 and "Best" in b.text("#figures"))
        self.fits("long names")
        tall = b.run("Math.max(...[...document.querySelectorAll('#means label, #figures dt, .arm')].map(e => e.getBoundingClientRect().height))")
        self.expect(tall < 50, f"a row is {tall} pixels tall")
        beyond = b.run("[...document.querySelectorAll('#means label, #figures div')].filter(e => e.scrollWidth > e.clientWidth).length")
        self.expect(beyond == 0, f"{beyond} names are wider than their place")
        self.shoot("long names")
        client.ask("DELETE", "/v1/posses/long?confirm=long")
        b.run("location.hash = '#/trial'")
        self.until("the first is not shown", lambda: b.text("#name") == "trial" and b.text("#pulse") == "live")

    def reshape(self, client):
        b = self.browser
        b.click("#learner-open")
        b.type("#learner-text", '{"kind": "ubc"}')
        b.click("#learner-make")
        self.until("a wrong learner is taken", lambda: "kind" in b.text("#learner-wrong"))
        b.type("#learner-text", json.dumps({"kind": "ucb", "name": HOSTILE}))
        b.click("#learner-make")
        self.until("the learner is not shown", lambda: HOSTILE in (b.text("#learners tbody tr:last-child td") or ""))
        b.click("#learners tbody tr:last-child button")
        self.expect(HOSTILE in b.text("#sure-title"), "the question does not name it")
        b.click("#sure-yes")
        self.until("it is not retired", lambda: b.many("#learners tr.retired") == 1)
        b.click("#arm-add")
        self.until("no arm is added", lambda: b.many(".arm") == 6)
        b.click(".arm:last-child button")
        b.click("#sure-yes")
        self.until("no arm is retired", lambda: b.many(".arm.retired") == 1)
        self.expect([a["active"] for a in client.get("/v1/posses/trial/arms")[1]["arms"]] == [True] * 5 + [False], "another arm")

    def hostile(self, client):
        """Names that would be markup, in the list and in a posse with many arms, features and a foreign learner."""
        b = self.browser
        learners = [{"kind": "ucb", "name": f"{i}{HOSTILE}"} for i in range(30)]
        names = [HOSTILE.replace("/", ""), "späť", "x" * 100]
        for name in names:
            status, answer = client.post("/v1/posses", {"name": name, "arms": [f"{i}{HOSTILE}" for i in range(60)], "prior": "gaussian", "learners": learners})
            if status != 201:
                self.expect(status == 400, f"{name}: {answer}")  # a name that the server itself refuses
        pages = {"name": "pages", "arms": 3, "context": 2, "prior": "linear", "learners": ["linear-ucb", {"kind": "external", "name": HOSTILE}]}
        self.expect(client.post("/v1/posses", pages)[0] == 201, "pages")
        rules = {"name": "rules", "rewards": "clicks", "learners": [{"kind": "external", "name": name} for name in ("old", "new")]}
        self.expect(client.post("/v1/posses", rules)[0] == 201, "rules")
        shown = [p["name"] for p in client.get("/v1/posses")[1]["posses"]]
        b.run("location.hash = '#/'")
        self.until("the list is not whole", lambda: b.run("[...document.querySelectorAll('#posses a')].map(a => a.textContent)") == shown)
        self.shoot("list")
        b.type("#filter", "pag")
        self.until("nothing is found", lambda: b.many("#posses a") == 1)
        b.type("#filter", "")
        for name in shown:
            b.run(f"location.hash = '#/' + encodeURIComponent({json.dumps(name)})")
            self.until(f"{name} is not shown", lambda: b.text("#name") == name and b.text("#pulse") == "live" and b.many("#learners tbody tr") > 0)
            self.fits(name)
            visible = b.run("['arm-add', 'regret'].map(id => document.getElementById(id).getClientRects().length > 0)")
            self.expect(visible == [name != "rules"] * 2, f"{name}: regret and arms are for posses with arms")
            if name == "rules":
                self.shoot("rules")
            if len(name) == 100:
                self.shoot("hostile")
        self.expect(b.many("body b, body img") == 0, "a name was read as markup")

    def remembers(self, folder, restart):
        """After a week the page opens with what has happened: a day of decisions is written into the past."""
        b = self.browser
        b.run("location.hash = '#/'")

        def age():
            with sqlite3.connect(folder / "posse.db") as database:
                (number,) = database.execute("SELECT id FROM posse WHERE name = 'trial'").fetchone()
                learners = len(json.loads(database.execute("SELECT plays FROM history WHERE posse = ? ORDER BY at DESC", [number]).fetchone()[0]))
                (decisions,) = database.execute("SELECT decides FROM mark WHERE posse = ?", [number]).fetchone()
                database.execute("DELETE FROM history WHERE posse = ?", [number])
                now = int(time.time())
                # The first learner's share falls from 1 to 0 over a day; then two days without a decision.
                for i in range(97):
                    n, part = decisions * i // 96, i / 96
                    plays = [round(decisions * (part - part**2 / 2) * 2), round(decisions * part**2)] + [0] * (learners - 2)
                    row = (number, now - 3 * 86400 + 900 * i, n, n, n * (0.3 + 0.3 * part), 40 * part**0.5, 0.8 + 0.1 * part, json.dumps(plays))
                    database.execute("INSERT INTO history VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)

        restart(age)
        b.run("location.hash = '#/trial'")
        pressed = lambda: b.run("[...document.querySelectorAll('#spans [aria-pressed=true]')].map(e => e.value).join()")
        self.until("it does not open with its history", lambda: pressed() == "week")
        self.until("no past shares are drawn", lambda: b.many("#shares path") >= 2)
        self.until("no past rewards are drawn", lambda: self.drawn("rewards", "mean reward") > 300)
        self.until("no past regret is drawn", lambda: self.drawn("regret", "regret") > 150)
        self.expect("3.5 days ago" in b.text("#shares") and "7 days ago" in b.text("#shares"), f"the axis says {b.text('#shares')}")
        self.shoot("history")
        b.click("#spans [value=hour]")
        self.until("a quiet hour is not shown", lambda: pressed() == "hour" and "none in this time" in (b.text("#shares .empty") or ""))
        b.click("#spans [value=all]")
        self.until("all is not shown", lambda: pressed() == "all" and b.many("#shares path") >= 2 and "3 days ago" in b.text("#shares"))
        b.click("#spans [value=live]")
        self.until("live is not shown", lambda: pressed() == "live" and "none in the last" in (b.text("#shares .empty") or ""))

    def comes_back(self, restart):
        """The server stops and starts again: the page shows it, and reconnects."""
        b = self.browser
        b.run("location.hash = '#/trial'")
        self.until("it is not watched", lambda: b.text("#name") == "trial" and b.text("#pulse") == "live")
        restart(lambda: self.until("the page does not show that the server has stopped", lambda: b.text("#pulse") != "live"))
        self.until("it does not connect again", lambda: b.text("#pulse") == "live")

    def delete(self, client):
        b = self.browser
        b.click("#drop-open")
        self.expect(b.run("document.getElementById('sure-yes').disabled"), "it is deleted without its name")
        b.type("#sure-name", "trial")
        b.click("#sure-yes")
        self.until("it is not deleted", lambda: client.get("/v1/posses/trial")[0] == 404)
        self.until("the list is not shown", lambda: not b.run("document.getElementById('all').hidden"))


def run(program, shots, folder):
    os.makedirs(shots, exist_ok=True)
    tokens = folder / "tokens"
    tokens.write_text(f"{hashlib.sha256(SECRET.encode()).hexdigest()} admin *\n")
    server = Server(folder, "--tokens", tokens)
    where = f"{server.host}:{server.port}"
    board = Board(BoardBrowser(program), shots)

    def restart(gone):
        nonlocal server
        server.stop()
        gone()
        server = Server(folder, "--tokens", tokens, listen=where)

    try:
        board.browser.look(*VIEWS["light"])
        board.browser.visit(f"http://{where}/")
        board.sign_in()
        board.create(server.client(SECRET))
        board.drive(server.client(SECRET))
        board.count(server.client(SECRET))
        board.doubt(server.client(SECRET))
        board.verdict(server.client(SECRET))
        board.long_names(server.client(SECRET))
        board.reshape(server.client(SECRET))
        board.hostile(server.client(SECRET))
        board.remembers(folder, restart)
        board.comes_back(restart)
        board.delete(server.client(SECRET))
        board.problems += board.browser.troubles()
    finally:
        board.browser.close()
        server.stop()
    return board.problems


def main():
    with tempfile.TemporaryDirectory() as folder:
        problems = run(sys.argv[1], sys.argv[2], pathlib.Path(folder))
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(problems)} problems; screenshots in {sys.argv[2]}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
