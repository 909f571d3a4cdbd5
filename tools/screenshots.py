#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Takes the screenshots of the documents: docs/pictures/report.png, the page of an experiment, and board.png, the server's.

usage: tools/screenshots.py BUILD CHROMIUM [FOLDER], docs/pictures unless it is given

The experiment is experiments/paper/ucb.yaml as it is. The board shows a posse of five ads that a thread plays for a
minute, with click rates of 2 to 12%, as examples/hello.c has them.
"""
import base64
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests/system"), str(ROOT / "tests/python")]

RATES = (0.02, 0.05, 0.12, 0.04, 0.08)
ADS = {
    "name": "ads",
    "arms": ["red shoes", "blue shoes", "summer sale", "free delivery", "newsletter"],
    "prior": {"kind": "beta", "alpha": 1, "beta": 15},
    "learners": ["thompson", {"kind": "ucb", "name": "bold", "width": 0.1}, {"kind": "ucb", "name": "cautious"},
                 {"kind": "epsilon-greedy", "name": "dice"}],
}


def shoot(browser, file, height):
    """The top of the page, 1200 pixels wide."""
    clip = {"x": 0, "y": 0, "width": 1200, "height": height, "scale": 1}
    data = browser.call("Page.captureScreenshot", {"clip": clip, "captureBeyondViewport": True})["data"]
    file.write_bytes(base64.b64decode(data))
    print(f"{file}: {file.stat().st_size // 1000} KB")


def report(browser, posse, scratch, folder):
    subprocess.run([posse, "run", "-q", ROOT / "experiments/paper/ucb.yaml", "-o", scratch / "results"], check=True, stdout=subprocess.DEVNULL)
    browser.look(1200, 900, False)
    browser.open(str(scratch / "results/ucb/index.html"))
    browser.run("document.querySelectorAll('details').forEach(part => { part.open = false; })")
    browser.settle()
    shoot(browser, folder / "report.png", 1418)


def play(client, until):
    """Visitors who click by chance, a few at a time."""
    chance, rewards = random.Random(1), []
    while time.monotonic() < until:
        status, answer = client.post("/v1/posses/ads/turn", {"rewards": rewards, "n": 8})
        if status != 200:
            raise SystemExit(answer)
        rewards = [{"token": d["token"], "reward": int(chance.random() < RATES[d["arm"]])} for d in answer["decisions"]]
        time.sleep(0.04)
    client.post("/v1/posses/ads/learn", {"rewards": rewards})


def board(browser, server, folder, seconds=56):
    server.client().post("/v1/posses", ADS)
    player = threading.Thread(target=play, args=(server.client(), time.monotonic() + seconds))
    browser.look(1200, 900, False)
    browser.call("Page.navigate", {"url": f"http://{server.host}:{server.port}/#/ads"})
    player.start()
    player.join()
    time.sleep(1)
    shoot(browser, folder / "board.png", 1100)


def main():
    build, chromium = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    folder = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else ROOT / "docs/pictures"
    os.environ["POSSE_PROGRAM"] = str(build / "posse")
    from page_driver import Browser
    from serving import Server

    with tempfile.TemporaryDirectory() as scratch:
        browser = Browser(chromium)
        try:
            report(browser, build / "posse", pathlib.Path(scratch), folder)
            with Server(scratch) as server:
                board(browser, server, folder)
        finally:
            browser.close()


if __name__ == "__main__":
    main()
