# SPDX-License-Identifier: MIT
"""What the documents show: every block of Python runs and prints what is shown below it; so do the examples."""

import contextlib
import io
import os
import re
import shutil
import unittest

from support import ROOT, python, scratch

DOCUMENTS = [ROOT / "docs/python.md", ROOT / "docs/embedding.md", ROOT / "docs/contexts.md", ROOT / "README.md"]

# A block of Python, and the block of no language right behind it, if there is one: what it prints.
BLOCK = re.compile(r"(<!-- source of [^\n]*\n)?^```python\n(.*?)^```\n(?:```\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)


def blocks(document):
    """Line, code and output of each block that is not an example's source, which is run as an example."""
    text = document.read_text()
    for match in BLOCK.finditer(text):
        if match[1] is None:
            yield text.count("\n", 0, match.start(2)) + 1, match[2], match[3] or ""


class Documents(unittest.TestCase):
    def test_blocks_print_what_is_shown(self):
        """Those of a document are one session, in a folder with an experiment file."""
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        for document in DOCUMENTS:
            folder = scratch(self)
            shutil.copy(ROOT / "experiments/paper/ucb.yaml", folder)
            os.chdir(folder)
            session = {}
            found = list(blocks(document))
            self.assertTrue(found, document)
            for line, code, shown in found:
                with self.subTest(block=f"{document.name}:{line}"):
                    printed = io.StringIO()
                    with contextlib.redirect_stdout(printed):
                        exec(compile("\n" * (line - 1) + code, document, "exec"), session)
                    self.assertEqual(printed.getvalue(), shown)

    def test_examples_print_what_is_shown(self):
        for file in sorted((ROOT / "examples/python").glob("*.py")):
            shown = file.with_suffix(".out")
            if not shown.exists():
                continue
            with self.subTest(example=file.name):
                answer = python("-B", file, cwd=scratch(self))
                self.assertEqual((answer.returncode, answer.stderr), (0, ""))
                self.assertEqual(answer.stdout, shown.read_text())

    def test_hello_is_that_of_c(self):
        self.assertEqual((ROOT / "examples/python/hello.out").read_text(), (ROOT / "examples/hello.out").read_text())

    def test_the_learning_rate_is_found(self):
        try:
            import matplotlib  # noqa: F401
            import sklearn  # noqa: F401
        except ImportError as error:
            self.skipTest(str(error))
        folder = scratch(self)
        os.environ["MPLBACKEND"] = "Agg"
        answer = python("-B", ROOT / "examples/python/learning_rate.py", cwd=folder)
        self.assertEqual((answer.returncode, answer.stderr), (0, ""))
        self.assertGreater((folder / "learning_rate.png").stat().st_size, 10_000)
        # The last digits of a network are another BLAS's; what the picture says is not.
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
