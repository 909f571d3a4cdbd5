#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Opens report pages in headless Chromium and uses them as a reader would: page_driver.py CHROMIUM SHOTS PAGE...

Uses the DevTools protocol over a pipe (file descriptors 3 and 4), so that Python's standard library is enough. Writes
screenshots to the folder SHOTS. Prints problems, and exits with 1 if it finds any.
"""
import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time

OPTIONS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
    --disable-component-update --disable-sync --disable-extensions --disable-dev-shm-usage --hide-scrollbars
    --allow-file-access-from-files --remote-debugging-pipe""".split()
PATIENCE = 1800  # seconds, for an answer of a browser that hangs
VIEWS = {"light": (1200, 900, False), "dark": (1200, 900, True), "phone": (390, 844, False)}


class Browser:
    def __init__(self, program, options=OPTIONS):
        self.profile = tempfile.mkdtemp(prefix="posse-page-")
        there, self.send_end = os.pipe()
        self.read_end, back = os.pipe()

        def connect():
            # Copies with high numbers are made first, because the ends of the pipes may be 3 or 4 themselves.
            a, b = os.dup2(there, 63), os.dup2(back, 64)
            os.dup2(a, 3), os.dup2(b, 4)

        self.process = subprocess.Popen(
            [program, *options, "--user-data-dir=" + self.profile], preexec_fn=connect, close_fds=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(there)
        os.close(back)
        self.count, self.buffer, self.events = 0, b"", []
        target = self.call("Target.createTarget", {"url": "about:blank"}, None)["targetId"]
        self.session = None
        self.session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True}, None)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def message(self):
        end = time.monotonic() + PATIENCE
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.read_end], [], [], max(0, end - time.monotonic()))
            piece = os.read(self.read_end, 1 << 16) if ready else b""
            if not piece:
                raise SystemExit("the browser gives no answer")
            self.buffer += piece
        text, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(text)

    def call(self, method, parameters=None, session=...):
        self.count += 1
        request = {"id": self.count, "method": method, "params": parameters or {}}
        if session is ...:
            request["sessionId"] = self.session
        data = json.dumps(request).encode() + b"\0"
        while data:
            data = data[os.write(self.send_end, data):]
        while True:
            answer = self.message()
            if answer.get("id") != self.count:
                self.events.append(answer)
                continue
            if "error" in answer:
                raise SystemExit(f"{method}: {answer['error']}")
            return answer["result"]

    def wait(self, event):
        while not any(e.get("method") == event for e in self.events):
            self.events.append(self.message())

    def run(self, script):
        """The value of an expression in the page; a promise is waited for."""
        result = self.call("Runtime.evaluate", {"expression": script, "awaitPromise": True, "returnByValue": True})
        if "exceptionDetails" in result:
            raise SystemExit(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def settle(self):
        self.run("new Promise(done => requestAnimationFrame(() => setTimeout(done, 20)))")

    def look(self, width, height, dark):
        """The size of the window and the system's theme, also while a page is open."""
        self.call("Emulation.setDeviceMetricsOverride",
                  {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", {"features": scheme})
        self.settle()

    def open(self, path):
        self.events = []
        self.call("Page.navigate", {"url": "file://" + path})
        self.wait("Page.loadEventFired")
        self.settle()

    def mouse(self, kind, x, y, buttons=0):
        self.call("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, "buttons": buttons, "clickCount": 1,
                                               "button": "left" if buttons or kind == "mouseReleased" else "none"})

    def click(self, selector):
        """Clicks an element, and again if the page has moved it away in between. A disabled one hears no click."""
        for _ in range(20):
            self.run(f"""(() => {{
                window.heard = false;
                const hear = () => {{ window.heard = true; }};
                document.querySelector({json.dumps(selector)}).addEventListener("click", hear, {{once: true, capture: true}});
            }})()""")
            x, y = self.place(selector)[:2]
            self.mouse("mouseMoved", x, y)
            self.mouse("mousePressed", x, y, 1)
            self.mouse("mouseReleased", x, y)
            self.settle()
            if self.run("window.heard !== false || document.querySelector(%s)?.disabled === true" % json.dumps(selector)):
                return

    def place(self, selector):
        """Centre, width and height of an element, after it is scrolled to."""
        return self.run(f"""(() => {{
            const e = document.querySelector({json.dumps(selector)});
            e.scrollIntoView({{block: "center", behavior: "instant"}});
            const r = e.getBoundingClientRect();
            return [r.x + r.width / 2, r.y + r.height / 2, r.width, r.height];
        }})()""")

    def shot(self, file):
        """The whole page, not only what fits the window."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 9000), "scale": 1}
        how = {"captureBeyondViewport": True, "optimizeForSpeed": True, "clip": clip}
        data = self.call("Page.captureScreenshot", how)["data"]
        with open(file, "wb") as out:
            out.write(base64.b64decode(data))

    def troubles(self):
        found = []
        for e in self.events:
            method, p = e.get("method"), e.get("params", {})
            if method == "Runtime.exceptionThrown":
                details = p["exceptionDetails"]
                found.append(details.get("exception", {}).get("description") or details["text"])
            elif method == "Runtime.consoleAPICalled" and p["type"] in ("error", "warning", "assert"):
                found.append("console: " + " ".join(str(a.get("value", a.get("description"))) for a in p["args"]))
            elif method == "Log.entryAdded" and p["entry"]["level"] in ("error", "warning"):
                found.append("log: " + p["entry"]["text"])
            elif method == "Page.javascriptDialogOpening":
                raise SystemExit("the page opened a dialog: a name was read as markup")
            elif method == "Network.requestWillBeSent" and not p["request"]["url"].startswith(("file:", "data:")):
                found.append("asks the network for " + p["request"]["url"])
        return found

    def close(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


# Pixels of a chart that are not transparent, and a number that changes when the picture does.
INK = """(name => {
    const canvas = document.querySelector(`[data-chart="${name}"] canvas`), n = {ink: 0, sum: 0};
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", {willReadFrequently: true});
    copy.drawImage(canvas, 0, 0);
    const pixels = copy.getImageData(0, 0, canvas.width, canvas.height).data;
    for (let i = 0; i < pixels.length; i += 4)
        if (pixels[i + 3]) { n.ink++; n.sum = (n.sum * 31 + pixels[i] + 7 * pixels[i + 1] + i) % 1000003; }
    return n;
})"""


class Page:
    def __init__(self, browser, path, problems):
        self.browser, self.path, self.problems = browser, path, problems

    def expect(self, good, what):
        if not good:
            self.problems.append(f"{self.path}: {what}")

    def eventually(self, look, good):
        """The value of look() once it is good, because a busy machine draws late."""
        end = time.monotonic() + PATIENCE
        seen = look()
        while not good(seen) and time.monotonic() < end:
            self.browser.settle()
            seen = look()
        return seen

    def ink(self, chart):
        return self.browser.run(f"{INK}('{chart}')")

    def changes(self, chart, what, action):
        before = self.ink(chart)
        action()
        after = self.eventually(lambda: self.ink(chart), lambda now: now["sum"] != before["sum"])
        self.expect(before["sum"] != after["sum"], f"{what}: the chart {chart} stays as it was")
        self.expect(after["ink"] > 500, f"{what}: the chart {chart} is empty")

    def fits(self):
        wide = self.eventually(lambda: self.browser.run("document.documentElement.scrollWidth - innerWidth"),
                               lambda now: now <= 0)
        self.expect(wide <= 0, f"the page is {wide} pixels wider than the screen")

    def quiet(self):
        for trouble in self.browser.troubles():
            self.expect(False, trouble)
        tags = self.browser.run("document.querySelectorAll('body b, body img').length")
        self.expect(tags == 0, "a name was read as markup")

    def zoom(self):
        b = self.browser
        x, y, w, _ = b.place('[data-chart="regret"]')
        b.mouse("mouseMoved", x - w / 6, y)
        b.mouse("mousePressed", x - w / 6, y, 1)
        for step in range(5):
            b.mouse("mouseMoved", x - w / 6 + (step + 1) * w / 15, y, 1)
        b.mouse("mouseReleased", x + w / 6, y)
        b.settle()

    def hover(self):
        b = self.browser
        x, y, w, _ = b.place('[data-chart="regret"]')
        read = lambda: b.run("document.getElementById('round-shown').textContent")
        before = read()
        b.mouse("mouseMoved", x - w / 5, y)
        self.expect(self.eventually(read, lambda now: now != before) != before, "hovering shows no values")

    def press_space(self):
        key = {"key": " ", "code": "Space", "windowsVirtualKeyCode": 32, "text": " "}
        self.browser.call("Input.dispatchKeyEvent", {"type": "keyDown", **key})
        self.browser.call("Input.dispatchKeyEvent", {"type": "keyUp", **key})
        self.browser.settle()

    def try_experiment(self):
        warned = self.browser.run("""(manifest.clipped || []).filter(c => c.clipped > 0.01 * c.rewards).length +
            (manifest.surprise || []).filter(s => s.limit && s.surprise * s.runs > s.limit).length""")
        self.expect(self.count("#results .warning") == warned, "a warning is missing: clipped rewards, contradicted beliefs")
        for chart in self.browser.run("[...document.querySelectorAll('[data-chart]')].map(e => e.dataset.chart)"):
            self.expect(self.ink(chart)["ink"] > 500, f"the chart {chart} is empty")
        self.try_description()
        self.hover()
        self.changes("regret", "competitor toggled", lambda: self.browser.click("[data-competitor='0']"))
        self.changes("regret", "competitor toggled by key", self.press_space)
        self.changes("regret", "zoom", self.zoom)
        self.changes("regret", "log scale", lambda: self.browser.click("[data-toggle='logY']"))

    def try_description(self):
        """The page begins with what the description shows, and draws every point of every sweep."""
        first, many, others, points = self.browser.run("""[
            [...document.querySelectorAll('[data-competitor]')].every((box, i) => box.checked === data.competitors[i].shown),
            data.names.length > 12, (data.charts.find(c => c.name === 'selection') || data.charts[0]).others,
            data.charts.filter(c => c.name === 'sweep').flatMap(c => c.panels).flatMap(p => p.series)
                .filter(s => s.marked).flatMap(s => s.mean).filter(x => x !== null).length]""")
        self.expect(first, "the curves shown first are not those of the description")
        self.expect(many == bool(others), "of more than a dozen learners none is grey, or some of fewer are")
        self.expect(self.count("#sweep circle") == points, "a point of a sweep is missing")
        self.expect(self.count("#sweep") == (points > 0), "there is a sweep without data")
        if others:
            self.expect(others in self.browser.run("document.getElementById('selection').textContent"), "the key lacks the others")
            self.changes("regret", "others hidden", lambda: self.browser.click("[data-toggle='grey']"))

    def try_more(self):
        self.changes("regret", "bands", lambda: self.browser.click("[data-toggle='bands']"))
        self.changes("regret", "log rounds", lambda: self.browser.click("[data-toggle='logX']"))
        self.changes("regret", "theme", lambda: (self.browser.click("#theme"), self.browser.click("#theme")))
        self.browser.run("localStorage.clear()")

    def count(self, selector):
        return self.browser.run(f"document.querySelectorAll({json.dumps(selector)}).length")

    def try_front(self):
        """The page draws exactly the parts that its data has. A click on a heading sorts. Links lead to existing files."""
        self.expect(self.count("svg.thumbnail path.line") > 0, "no thumbnail is drawn")
        rows, panels, families = self.browser.run(
            "[data.comparison?.rows.length, data.comparison?.experiments.length, data.families.length].map(n => n || 0)")
        self.expect(self.count("#comparison .panels figure") == panels, "a panel is missing")
        self.expect(self.count("#comparison .panels circle") == rows * panels, "a selector's mark is missing")
        self.expect(self.count("#comparison tbody tr") == rows, "a selector's row is missing")
        self.expect(self.count("#comparison") == (rows > 0), "there is a comparison without data")
        self.expect(self.count("#scaling") == (families > 0), "there is a scaling section without data")
        self.expect(self.count("#families > details") == families, "the cards of a family are missing")
        abouts = self.browser.run("data.cards.map(card => card.about).filter(about => about)")
        self.expect(self.browser.run("[...document.querySelectorAll('.about')].map(p => p.textContent).sort()") == sorted(abouts),
                    "a card lacks the comment of its file")
        self.expect(self.count("#notes article") == self.browser.run("data.notes.length"), "a note is missing")
        if rows > 0:
            self.browser.click("#comparison th:nth-child(3) button")
            self.expect(self.count("#comparison th[aria-sort]") == 1, "a heading does not sort")
        for link in self.browser.run("[...document.links].map(a => decodeURIComponent(a.getAttribute('href')))"):
            self.expect(os.path.exists(os.path.join(os.path.dirname(self.path), link)), f"{link} does not exist")

    def visit(self, shots, name, thorough):
        """Tries one page; parts that all pages share are tried if `thorough`. Then, or with EVERY=1, there are pictures."""
        self.browser.look(*VIEWS["light"])
        self.browser.open(self.path)
        for view, look in VIEWS.items():
            if view != "light":
                self.browser.look(*look)
            wanted = "dark" if look[2] else "light"
            shown = self.eventually(lambda: self.browser.run("document.documentElement.dataset.theme"),
                                    lambda now: now == wanted)
            self.expect(shown == wanted, f"{view}: the theme is {shown}")
            self.fits()
            if thorough or os.environ.get("EVERY"):
                self.browser.shot(f"{shots}/{name}-{view}.png")
        self.browser.look(*VIEWS["light"])
        if self.browser.run("document.getElementById('curves') !== null"):
            self.try_experiment()
            if thorough:
                self.try_more()
        else:
            self.try_front()
        self.quiet()


def main():
    program, shots, *paths = sys.argv[1:]
    os.makedirs(shots, exist_ok=True)
    problems, browser = [], Browser(program)
    try:
        for i, path in enumerate(paths):
            name = os.path.dirname(path).strip("/").replace("/", "-")
            Page(browser, os.path.abspath(path), problems).visit(shots, name, i < 2)
    finally:
        browser.close()
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(paths)} pages, {len(problems)} problems; screenshots in {shots}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
