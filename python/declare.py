# SPDX-License-Identifier: MIT
"""Completes a package from what its module declares: parts.py, a type for every kind with its keys, and the docstrings
of the module in the stub _posse.pyi.

usage: declare.py PACKAGE, which is where posse is imported from.
"""

import ast
import inspect
import keyword
import pathlib
import sys

from posse import _posse

TYPES = {
    "real": "float",
    "count": "int",
    "flag": "bool",
    "reals": "float | Sequence[float]",
    "table": "Sequence[Sequence[float]]",
    "part": 'BeliefPart | Literal["environment"]',
    "parts": "Sequence[Mapping[str, Any]]",
    "range": "tuple[float, float] | list[float]",
}

HEAD = '''"""The parts of a posse and of an experiment, by kind: what keys each has. Made from the library's declarations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, Required, TypedDict, Union

'''


def words_of(param):
    return "Literal[" + ", ".join(f'"{word}"' for word in param["words"].split("|")) + "]"


def type_of(param):
    if param["type"] == "word":
        return words_of(param)
    known = TYPES[param["type"]]
    return f"{known} | {words_of(param)}" if param["words"] else known


def fields(params):
    """Keys and their types; `prior.mean` is a map within a map."""
    for param in params:
        if "." not in param["name"]:
            wrap = "Required" if param["required"] else "NotRequired"
            yield param["name"], f"{wrap}[{type_of(param)}]"
    for outer in dict.fromkeys(param["name"].split(".")[0] for param in params if "." in param["name"]):
        yield outer, "NotRequired[Mapping[str, Any]]"


def class_of(family, kind, declared):
    name = "".join(word.capitalize() for word in kind.split("-")) + family.capitalize()
    lines = {"kind": f'Required[Literal["{kind}"]]'}
    if family in ("learner", "selector"):
        lines["name"] = "NotRequired[str]"
    lines.update(fields(declared["params"]))
    assert not any(keyword.iskeyword(key) for key in lines)
    body = [f'    """{declared["help"]}"""', ""] + [f"    {key}: {text}" for key, text in lines.items()]
    return name, f"class {name}(TypedDict, total=False):\n" + "\n".join(body) + "\n\n\n"


def parts():
    """The text of parts.py."""
    text, unions = HEAD, []
    for family, kinds in _posse.kinds().items():
        names = []
        for kind, declared in kinds.items():
            name, body = class_of(family, kind, declared)
            names.append(name)
            text += "\n" + body.rstrip() + "\n\n"
        unions.append(f"{family.capitalize()}Part = Union[{', '.join(names)}]\n")
    return text + "\n" + "".join(unions)


def join_docstrings(node, thing):
    """Gives every definition of a stub that has none the docstring of what it is about."""
    for entry in node.body:
        if not isinstance(entry, (ast.ClassDef, ast.FunctionDef)):
            continue
        about = getattr(thing, entry.name)
        if isinstance(entry, ast.ClassDef):
            join_docstrings(entry, about)
        elif entry.name.startswith("__"):
            continue
        docstring = ast.Expr(ast.Constant(inspect.getdoc(about)))
        entry.body = [docstring] + [line for line in entry.body if not is_ellipsis(line)]


def is_ellipsis(line):
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) and line.value.value is ...


def main(package):
    (package / "parts.py").write_text(parts(), encoding="utf-8")
    stub = package / "_posse.pyi"
    tree = ast.parse(stub.read_text(encoding="utf-8"))
    join_docstrings(tree, _posse)
    stub.write_text(ast.unparse(ast.fix_missing_locations(tree)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
