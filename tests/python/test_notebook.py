# SPDX-License-Identifier: MIT
"""The notebooks among the examples run, and their outputs are those in the files. To write new outputs:
PYTHONPATH=$PWD/build/python /usr/bin/python3 -B tests/python/test_notebook.py --write"""

import sys
import tempfile
import unittest

import nbformat
from nbclient import NotebookClient
from patience import PATIENCE
from support import ROOT

NOTEBOOKS = sorted((ROOT / "examples/python").glob("*.ipynb"))


def played(file):
    """The notebook with the outputs that it has now."""
    notebook = nbformat.read(file, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(notebook, timeout=PATIENCE, record_timing=False, resources={"metadata": {"path": folder}})
        return client.execute()


def shown(output):
    """What an output shows. A picture is only there: its bytes are those of a version of Matplotlib."""
    data = {kind: "a picture" if kind == "image/png" else text for kind, text in output.get("data", {}).items()}
    return output.output_type, output.get("name"), output.get("text"), data


class Notebooks(unittest.TestCase):
    def test_show_what_is_in_their_files(self):
        self.assertTrue(NOTEBOOKS)
        for file in NOTEBOOKS:
            cells = zip(nbformat.read(file, as_version=4).cells, played(file).cells, strict=True)
            for place, (old, new) in enumerate(cells):
                if old.cell_type == "code":
                    with self.subTest(notebook=file.name, cell=place):
                        self.assertEqual([shown(output) for output in new.outputs], [shown(output) for output in old.outputs])

    def test_outputs_are_tables_and_a_picture(self):
        """So that the comparison above compares something."""
        kinds = [kind for file in NOTEBOOKS for cell in nbformat.read(file, as_version=4).cells
                 for output in cell.get("outputs", []) for kind in output.get("data", {})]
        self.assertGreaterEqual(kinds.count("text/html"), 3)
        self.assertEqual(kinds.count("image/png"), 1)


def write():
    for file in NOTEBOOKS:
        notebook = played(file)
        notebook.metadata.language_info = {"name": "python"}  # the kernel adds its version
        nbformat.write(notebook, file)


if __name__ == "__main__":
    write() if sys.argv[1:] == ["--write"] else unittest.main()
