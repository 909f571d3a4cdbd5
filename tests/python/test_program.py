# SPDX-License-Identifier: MIT
"""`python -m posse` is the program."""

import json
import pathlib
import unittest

from support import EXPERIMENT, ROOT, program, python, scratch

QUESTIONS = [
    [],
    ["--help"],
    ["--version"],
    ["--usage"],
    ["list"],
    ["list", "learner"],
    ["list", "ucb"],
    ["list", "nothing"],
    ["check", EXPERIMENT],
    ["check", ROOT / "tests/wrong/many-at-once.yaml"],
    ["check", "no-such-file.yaml"],
    ["check"],
    ["run", "--help"],
    ["check", "--help"],
    ["report", "--help"],
    ["prior", "--help"],
    ["prior", "fit"],
    ["rnu"],
    ["run", "--no-such-option"],
    ["run", EXPERIMENT, "--runs", "none"],
]


class Program(unittest.TestCase):
    def test_the_server_is_not_part_of_the_package(self):
        for command in ("serve", "export"):
            said = python("-m", "posse", command)
            self.assertEqual((said.returncode, said.stdout), (3, ""))
            self.assertEqual(said.stderr, f"posse {command} is not part of the Python package; install the program\n")
            self.assertIn("not part of the Python package", python("-m", "posse", command, "--help").stdout)

    def test_answers_alike(self):
        for question in QUESTIONS:
            with self.subTest(question=question):
                theirs, ours = program(*question), python("-m", "posse", *question)
                self.assertEqual(ours.returncode, theirs.returncode, ours.stderr)
                self.assertEqual(ours.stdout, theirs.stdout)
                self.assertEqual(ours.stderr, theirs.stderr)

    def test_runs_alike(self):
        folder = scratch(self)
        answers = []
        for name, run in ("program", program), ("package", lambda *a: python("-m", "posse", *a)):
            answer = run("run", EXPERIMENT, "-q", "-o", folder / name)
            answers.append((answer.returncode, answer.stdout.replace(f"/{name}/", "/"), answer.stderr))
        self.assertEqual(*answers)
        ours, theirs = folder / "package/small", folder / "program/small"
        self.assertEqual({p.name for p in ours.iterdir()}, {p.name for p in theirs.iterdir()})
        for path in filter(pathlib.Path.is_file, theirs.iterdir()):
            if path.name == "manifest.json":
                one, other = (json.loads((f / path.name).read_text()) for f in (ours, theirs))
                for key in ("seconds", "threads"):
                    one.pop(key), other.pop(key)
                self.assertEqual(one, other)
            elif path.name != "index.html":  # it has the seconds, too
                self.assertEqual((ours / path.name).read_bytes(), path.read_bytes(), path.name)


if __name__ == "__main__":
    unittest.main()
