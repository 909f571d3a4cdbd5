# SPDX-License-Identifier: MIT
"""Every block of Python in the documents runs and prints the block below it. Examples print their .out files."""

import contextlib
import io
import os
import re
import shutil
import unittest

import redising
import serving
import posse
from support import ROOT, python, scratch

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

# A block of Python and its output, which is a block without a language right behind it.
BLOCK = re.compile(r"(<!-- source of [^\n]*\n)?^```python\n(.*?)^```\n(?:```\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)

# The addresses of the guides, which are replaced by those of servers that the test starts.
HTTP, REDIS = "127.0.0.1:7677", "127.0.0.1:6379"


def blocks(document):
    """Line, code and output, or None, of each block. Sources of examples are run as examples instead."""
    text = document.read_text()
    for match in BLOCK.finditer(text):
        if match[1] is None:
            yield text.count("\n", 0, match.start(2)) + 1, match[2], match[3]


class Documents(unittest.TestCase):
    def servers(self, found):
        """Starts the servers that these blocks connect to. Returns the addresses that replace those of the guides."""
        code = "".join(code for _, code, _ in found)
        addresses = {}
        if HTTP in code:
            server = serving.Server(scratch(self))
            self.addCleanup(server.stop)
            addresses[HTTP] = f"127.0.0.1:{server.port}"
        if REDIS in code:
            server = redising.Server(scratch(self))
            self.addCleanup(server.stop)
            addresses[REDIS] = f"127.0.0.1:{server.port}"
        return addresses

    def test_blocks_print_what_is_shown(self):
        """The blocks of a document run as one session, in a folder with an experiment file."""
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        played = []
        for document in DOCUMENTS:
            found = list(blocks(document))
            if not found:
                continue
            folder = scratch(self)
            shutil.copy(ROOT / "experiments/paper/ucb.yaml", folder)
            os.chdir(folder)
            addresses = self.servers(found)
            session = {}
            for line, code, shown in found:
                with self.subTest(block=f"{document.name}:{line}"):
                    for address, mine in addresses.items():
                        code = code.replace(address, mine)
                    printed = io.StringIO()
                    with contextlib.redirect_stdout(printed):
                        exec(compile("\n" * (line - 1) + code, document, "exec"), session)
                    # Blocks for a server may print more than the guide shows.
                    if not (addresses and shown is None):
                        self.assertEqual(printed.getvalue(), shown or "")
            for value in session.values():
                if addresses and type(value).__module__.startswith("posse.") and hasattr(value, "close"):
                    value.close()
            played.append(document.name)
        self.assertLessEqual({"README.md", "python.md", "embedding.md", "own-models.md"}, set(played))

    def test_examples_print_what_is_shown(self):
        for file in sorted((ROOT / "examples/python").glob("*.py")):
            shown = file.with_suffix(".out")
            if not shown.exists():
                continue
            with self.subTest(example=file.name):
                answer = python("-B", file, cwd=scratch(self))
                self.assertEqual((answer.returncode, answer.stderr), (0, ""))
                self.assertEqual(answer.stdout, shown.read_text())

    def test_defaults_are_those_of_the_kinds(self):
        """docs/defaults.md: the table of B-MS and B-MS+, and what it names of other kinds."""
        text = (ROOT / "docs/defaults.md").read_text()
        kinds = posse.kinds()

        def default(family, kind, key):
            return next(p["default"] for p in kinds[family][kind]["params"] if p["name"] == key)

        def words(value):
            return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)

        for key in ("patience", "commitment", "budget", "share"):
            row = re.search(rf"^\| `{key}` \| (.*?) \| (.*?) \|$", text, re.MULTILINE)
            for kind, cell in zip(("bms", "bms-plus"), row.groups()):
                shown = cell.split(" ")[0].strip("`")
                self.assertEqual(shown, words(default("selector", kind, key)), (kind, key))
        found = 0
        for family, kind, cell in re.findall(r"^\| (belief|learner) `([\w-]+)` \| (`.*?) \|$", text, re.MULTILINE):
            for key, shown in re.findall(r"`(\w+)` ([\d.]+)", cell):
                self.assertEqual(float(shown), default(family, kind, key), (kind, key))
                found += 1
        self.assertGreaterEqual(found, 8)

    def test_hello_is_that_of_c(self):
        self.assertEqual((ROOT / "examples/python/hello.out").read_text(), (ROOT / "examples/hello.out").read_text())

    def test_the_learning_rate_is_found(self):
        folder = scratch(self)
        os.environ["MPLBACKEND"] = "Agg"
        answer = python("-B", ROOT / "examples/python/learning_rate.py", cwd=folder)
        self.assertEqual((answer.returncode, answer.stderr), (0, ""))
        self.assertGreater((folder / "learning_rate.png").stat().st_size, 10_000)
        # The last digits of a network depend on the BLAS, but the result in the picture does not.
        lines = re.findall(r"alone +([0-9.]+)% +asked by B-MS\+ +(\d+)", answer.stdout)
        alone, asked = [float(a) for a, _ in lines], [int(b) for _, b in lines]
        together, at_the_end = map(float, re.search(r"all +([0-9.]+)% .* ([0-9.]+)%", answer.stdout).groups())
        self.assertGreater(alone[asked.index(max(asked))], max(alone) - 3)
        self.assertGreater(max(asked), 0.8 * sum(asked))
        self.assertGreater(together, max(alone) - 10)
        self.assertGreater(together, sorted(alone)[len(alone) // 2] + 10)
        self.assertGreater(at_the_end, 90)


if __name__ == "__main__":
    unittest.main()
