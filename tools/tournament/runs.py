# SPDX-License-Identifier: MIT
"""Plays the problems that have not been played yet with `posse run`.

posse keeps the finished runs of an experiment, so that a stopped tournament continues where it stopped.
"""
import json
import shutil
import signal
import subprocess
import sys
import time

TOGETHER = 5  # problems of one call: enough to keep all processors busy, few enough to see progress
KEPT = ("summary.csv", "pairs.csv", "learners.csv", "manifest.json")  # curves over rounds would take gigabytes


class Stopped(Exception):
    pass


def is_played(problem, folder):
    """Whether the manifest, which is written last, has this text as its experiment."""
    manifest = folder / problem.stem / "manifest.json"
    return manifest.exists() and json.loads(manifest.read_text())["source"] == problem.read_text()


def play(command, problems, folder, name="tournament"):
    """Plays the experiment files `problems` by `command`, to which -o is added. Their results are below `folder`.
    `name` is for messages."""
    folder.mkdir(parents=True, exist_ok=True)
    waiting = [problem for problem in problems if not is_played(problem, folder)]
    for problem in waiting:  # results of a problem that has changed since; posse does not replace them
        shutil.rmtree(folder / problem.stem, ignore_errors=True)
    with Calls(name) as calls, Progress(len(problems), len(waiting)) as progress:
        for first in range(0, len(waiting), TOGETHER):
            some = waiting[first : first + TOGETHER]
            progress.show(first, some[0].stem)
            calls.call([*command, "--output", str(folder), *map(str, some)])
            for problem in some:
                tidy(folder, problem.stem)
    for problem in problems:  # problems that an interrupted call finished
        tidy(folder, problem.stem)


def tidy(folder, name):
    shutil.rmtree(folder / f".{name}.unfinished", ignore_errors=True)
    shutil.rmtree(folder / name / ".runs", ignore_errors=True)
    for file in (folder / name).iterdir():
        if file.name not in KEPT:
            file.unlink()


class Calls:
    """Calls posse, one call after another. Passes Ctrl-C and SIGTERM on once, so that posse keeps the finished runs."""

    def __init__(self, name):
        self.name, self.process, self.stopped = name, None, False

    def __enter__(self):
        self.before = {number: signal.signal(number, self.stop) for number in (signal.SIGINT, signal.SIGTERM)}
        return self

    def __exit__(self, *_):
        for number, handler in self.before.items():
            signal.signal(number, handler)

    def stop(self, *_):
        if self.process is not None and not self.stopped:
            self.process.send_signal(signal.SIGINT)
        self.stopped = True

    def call(self, command):
        """In a new session, because a terminal would send posse the signal a second time."""
        if self.stopped:  # since the last call
            raise Stopped
        self.process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        errors = self.process.communicate()[1]
        if self.stopped:
            raise Stopped
        if self.process.returncode != 0:
            print(f"{errors}{self.name}: posse run ended with status {self.process.returncode}", file=sys.stderr)
            sys.exit(self.process.returncode)


class Progress:
    """A line that is written over, on a terminal only."""

    def __init__(self, problems, waiting):
        self.problems, self.waiting, self.began = problems, waiting, time.monotonic()
        self.shown = sys.stderr.isatty()

    def show(self, done, name):
        if not self.shown:
            return
        left = (time.monotonic() - self.began) / done * (self.waiting - done) if done else None
        guess = "" if left is None else f", {left:.0f} s left" if left < 100 else f", {left / 60:.0f} min left"
        played = self.problems - self.waiting + done
        sys.stderr.write(f"\r\033[K{played} of {self.problems} problems played, {name}{guess}")
        sys.stderr.flush()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.shown:
            sys.stderr.write("\r\033[K")
