# SPDX-License-Identifier: MIT
"""Experiments that are written while they run: a stopped one continues, and ends with the same bytes."""

import json
import os
import shutil
import subprocess
import sys
import unittest

import posse
from support import PACKAGE, Ucb, scratch, small

LONG = small(runs=1500, rounds=3000)  # takes longer than it takes until progress is reported


class Stop(Exception):
    pass


def stopped(experiment, folder, share=0.1, **changes):
    """Runs it until this share of the rounds is played."""

    def tell(rounds, total):
        if rounds >= share * total:
            raise Stop

    posse.run(experiment, folder=folder, progress=tell, threads=1, **changes)


def contents(folder, name="small"):
    """The files; of the manifest what does not depend on the time."""
    files = {file.name: file.read_bytes() for file in (folder / name).iterdir() if file.is_file()}
    manifest = json.loads(files.pop("manifest.json"))
    return files, {key: value for key, value in manifest.items() if key not in ("seconds", "threads")}


class Continuing(unittest.TestCase):
    def kept(self, folder):
        """How many rounds of a stopped run need not be played again."""
        told = []
        r = posse.run(LONG, folder=folder, progress=lambda rounds, total: told.append(rounds), threads=1)
        return r, told[0]

    def test_files_are_those_of_save(self):
        folder, saved = scratch(self), scratch(self)
        r = posse.run(small(), folder=folder)
        posse.run(small()).save(saved)
        self.assertEqual(contents(folder), contents(saved))
        self.assertEqual(posse.open(folder / "small").hash, r.hash)

    def test_a_stopped_run_continues(self):
        folder, whole = scratch(self), scratch(self)
        with self.assertRaises(Stop):
            stopped(LONG, folder)
        self.assertFalse((folder / "small").exists())
        self.assertTrue((folder / ".small.unfinished").exists())
        r, first = self.kept(folder)
        self.assertGreater(first, 0)
        expected = posse.run(LONG, folder=whole)
        self.assertEqual((r.hash, str(r)), (expected.hash, str(expected)))
        self.assertEqual(contents(folder), contents(whole))
        for c in expected:
            self.assertEqual(r[c.name].run_regret.tobytes(), c.run_regret.tobytes())
        self.assertFalse((folder / ".small.unfinished").exists())

    def test_more_runs_continue_after_finished_ones(self):
        folder, whole = scratch(self), scratch(self)
        posse.run(LONG, folder=folder, runs=500)
        r = posse.run(LONG, folder=folder)
        self.assertEqual(r.hash, posse.run(LONG, folder=whole).hash)
        self.assertEqual(contents(folder), contents(whole))

    def test_another_build_does_not_continue(self):
        """A copy of the package whose module has one more byte."""
        folder = scratch(self)
        with self.assertRaises(Stop):
            stopped(LONG, folder)
        for more, answer in ((b" ", "another build of posse"), (b"", str(LONG["runs"]))):
            home = scratch(self)
            shutil.copytree(PACKAGE, home / "posse")
            with open(home / "posse" / "_posse.abi3.so", "ab") as module:
                module.write(more)
            code = f"import posse; print(posse.run({LONG!r}, folder={str(folder)!r}).runs)"
            environment = {**os.environ, "PYTHONPATH": str(home)}
            said = subprocess.run([sys.executable, "-B", "-c", code], env=environment, capture_output=True, text=True)
            self.assertIn(answer, said.stdout + said.stderr)

    def test_what_is_wrong_is_refused(self):
        folder = scratch(self)
        posse.run(small(), folder=folder)
        before = contents(folder)
        with self.assertRaisesRegex(posse.RunError, "fresh=True replaces it"):
            posse.run(small(seed=9), folder=folder)
        self.assertEqual(contents(folder), before)
        posse.run(small(seed=9), folder=folder, fresh=True)
        self.assertEqual(posse.open(folder / "small").seed, 9)
        with self.assertRaisesRegex(posse.SpecificationError, "^folder: learners and environments in Python"):
            posse.run(small(learners=[Ucb()]), folder=folder)
        with self.assertRaisesRegex(posse.SpecificationError, "^fresh: "):
            posse.run(small(), fresh=True)
        with self.assertRaises(posse.RunError):
            posse.run(small(), folder=folder / "small" / "summary.csv")


if __name__ == "__main__":
    unittest.main()
