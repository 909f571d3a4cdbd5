# SPDX-License-Identifier: MIT
"""`pip install ./bindings/python`: what it installs works away from the sources."""

import os
import shutil
import subprocess
import sys
import unittest

import posse
from support import EXPERIMENT, ROOT, program, scratch


class Installation(unittest.TestCase):
    def test_by_pip_without_a_network(self):
        folder = scratch(self)
        # setuptools builds beside setup.py. A copy keeps that away from the sources, which other tests read meanwhile.
        sources = scratch(self) / "sources"
        shutil.copytree(ROOT, sources, ignore=shutil.ignore_patterns(".git", "build", "results", "__pycache__"))
        before = set((ROOT / "bindings/python").iterdir())
        install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
        done = subprocess.run(
            [*install, "--root-user-action=ignore", "--target", folder, sources / "bindings/python"],
            capture_output=True,
            text=True,
            env={**os.environ, "CMAKE_BUILD_TYPE": "None", "CFLAGS": "-O0"},  # which is built sooner
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(set((ROOT / "bindings/python").iterdir()), before)
        self.assertTrue((folder / "posse/py.typed").exists())
        libraries = subprocess.run(["ldd", *(folder / "posse").glob("*.so")], capture_output=True, text=True).stdout
        self.assertIn("libc.so", libraries)
        self.assertNotRegex(libraries, "lib(mpi|hdf5|hwloc)")
        # -P: not from the folder that it is called in.
        code = f"import posse; print(posse.__file__, posse.__version__, posse.run({str(EXPERIMENT)!r}, runs=5).hash)"
        environment = dict(os.environ, PYTHONPATH=str(folder))
        answer = subprocess.run(
            [sys.executable, "-BPc", code], env=environment, capture_output=True, text=True, cwd="/"
        )
        self.assertEqual(answer.stderr, "")
        expected = [str(folder / "posse/__init__.py"), posse.__version__, posse.run(EXPERIMENT, runs=5).hash]
        self.assertEqual(answer.stdout.split(), expected)
        script = subprocess.run([folder / "bin/posse", "--version"], env=environment, capture_output=True, text=True)
        self.assertEqual(script.stdout, program("--version").stdout)


if __name__ == "__main__":
    unittest.main()
