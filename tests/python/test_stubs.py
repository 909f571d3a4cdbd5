# SPDX-License-Identifier: MIT
"""The stubs and the docstrings: every public name is in the stubs, typed and documented."""

import ast
import inspect
import re
import typing
import unittest

import posse
import posse.parts
from posse import _posse
from support import PACKAGE


def public(thing):
    return sorted(name for name in vars(thing) if not name.startswith("_"))


def stub():
    """The content of the stub: functions and classes with their members, as syntax trees."""
    tree = ast.parse((PACKAGE / "_posse.pyi").read_text())
    return {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}


class Stubs(unittest.TestCase):
    def test_the_package_lists_its_public_names_alone(self):
        self.assertEqual(sorted(dir(posse)), sorted([*posse.__all__, "__version__"]))

    def test_name_every_public_thing_of_the_module(self):
        here, there = public(_posse), sorted(name for name in stub() if not name.startswith("_"))
        self.assertEqual([name for name in here if name not in there], [])
        self.assertEqual([name for name in there if not hasattr(_posse, name)], [])

    def test_name_every_member(self):
        for name, node in stub().items():
            if not isinstance(node, ast.ClassDef) or not hasattr(_posse, name):
                continue
            with self.subTest(name=name):
                told = {entry.name for entry in node.body if isinstance(entry, ast.FunctionDef)}
                told |= {entry.target.id for entry in node.body if isinstance(entry, ast.AnnAssign)}
                told = sorted(entry for entry in told if not entry.startswith("_"))
                self.assertEqual(public(getattr(_posse, name)), told)

    def test_signatures_agree(self):
        for name, node in stub().items():
            members = {name: node} if isinstance(node, ast.FunctionDef) else {}
            if isinstance(node, ast.ClassDef):
                members = {
                    f"{name}.{e.name}": e for e in node.body if isinstance(e, ast.FunctionDef) and not e.decorator_list
                }
            for path, function in members.items():
                if path.endswith("__"):
                    continue
                with self.subTest(function=path):
                    thing = _posse
                    for part in path.split("."):
                        thing = getattr(thing, part)
                    here = [p.name for p in inspect.signature(thing).parameters.values()]
                    arguments = function.args.posonlyargs + function.args.args + function.args.kwonlyargs
                    arguments += [function.args.kwarg] if function.args.kwarg else []
                    self.assertEqual(
                        [name for name in here if name != "self"], [a.arg for a in arguments if a.arg != "self"]
                    )

    def test_types_of_the_python_part(self):
        self.assertTrue((PACKAGE / "py.typed").exists())
        for name in posse.__all__:
            self.assertTrue(hasattr(posse, name), name)
        self.assertEqual(sorted(posse.__all__), sorted(set(public(posse)) - modules()))

    def test_everything_has_a_docstring(self):
        self.assertTrue(posse.__doc__)
        for name in posse.__all__:
            thing = getattr(posse, name)
            with self.subTest(name=name):
                self.assertTrue(inspect.getdoc(thing))
            if not inspect.isclass(thing):
                continue
            for member in public(thing):
                value = inspect.getattr_static(thing, member)
                if callable(value) or isinstance(value, property) or inspect.isdatadescriptor(value):
                    with self.subTest(name=f"{name}.{member}"):
                        self.assertTrue(inspect.getdoc(getattr(thing, member, value) if callable(value) else value))

    def test_docstrings_of_the_stub_are_those_of_the_module(self):
        for name, node in stub().items():
            thing = getattr(_posse, name, None)
            if thing is None or name.startswith("_"):
                continue
            with self.subTest(name=name):
                self.assertEqual(words(inspect.getdoc(thing)), words(ast.get_docstring(node)))

    def test_the_kinds_of_the_stubs_are_those_of_the_library(self):
        parts = (PACKAGE / "parts.pyi" if (PACKAGE / "parts.pyi").exists() else PACKAGE / "parts.py").read_text()
        for family in ("belief", "learner", "selector"):
            for kind, told in posse.kinds()[family].items():
                self.assertIn(f'"{kind}"', parts)
                self.assertTrue(told["help"])
                keys = typing.get_type_hints(part_of(family, kind), vars(posse.parts))
                self.assertEqual({p["name"].split(".")[0] for p in told["params"]} - set(keys), set())
                for parameter in told["params"]:
                    self.assertRegex(parts, rf"\b{re.escape(parameter['name'].split('.')[0])}\b")
                    self.assertTrue(parameter["help"])


def part_of(family, kind):
    name = "".join(word.capitalize() for word in kind.split("-"))
    return getattr(posse.parts, name + family.capitalize())


def words(text):
    return (text or "").split()


def modules():
    return {name for name in public(posse) if inspect.ismodule(getattr(posse, name))}


if __name__ == "__main__":
    unittest.main()
