# SPDX-License-Identifier: MIT
"""Completes a package with the declarations of its module. It writes parts.py, which has a type for every kind with its
keys, and copies the docstrings of the module into the stub _posse.pyi.

usage: declare.py PACKAGE, the folder of the package posse that is imported here.
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
    "part": "BeliefPart | str",
    "parts": "Sequence[Component]",
    "range": "tuple[float, float] | list[float]",
    "text": "str",
    "names": "str | Sequence[str]",
}

HEAD = '''"""The parts of a posse and of an experiment, by kind: what keys each has. Made from the library's declarations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NotRequired, Required, TypedDict, Union

if TYPE_CHECKING:
    from posse.bandit import Bandit
    from posse.learner import Learner


class PriorFile(TypedDict):
    """A belief that is read from a file (`posse prior fit`)."""

    file: str
    robust: NotRequired[bool]

'''

TAIL = '''

class PythonLearner(TypedDict, total=False):
    """A learner in Python by its class. Arguments of the class are not known here: give an instance to have them checked."""

    kind: Required[type[Learner]]
    name: NotRequired[str]


class Component(TypedDict):
    """Of a mixture."""

    weight: float
    belief: BeliefPart | str


class Says(TypedDict):
    """A claim, and the comparison that decides on it."""

    says: str
    holds: str


class PythonBandit(TypedDict, total=False):
    """An environment in Python by its class. Arguments of the class are not known here: give an instance to have them checked."""

    kind: Required[type[Bandit]]


AnyEnvironment = Union[EnvironmentPart, PythonBandit, str, "Bandit", "type[Bandit]"]
AnyLearner = Union[LearnerPart, PythonLearner, str, "Learner", "type[Learner]"]


class Experiment(TypedDict, total=False):
    """An experiment, with the keys of an experiment file."""

    name: Required[str]
    title: NotRequired[str]
    rounds: Required[int]
    runs: Required[int]
    seed: Required[int]
    environment: Required[AnyEnvironment]
    learners: Required[Sequence[AnyLearner]]
    selectors: NotRequired[Sequence[SelectorPart | str]]
    solo: NotRequired[bool]
    claims: NotRequired[Sequence[Says]]
'''


def words_of(param):
    return "Literal[" + ", ".join(f'"{word}"' for word in param["words"].split("|")) + "]"


def type_of(param):
    if param["type"] == "word":
        return words_of(param)
    known = TYPES[param["type"]]
    return f"{known} | {words_of(param)}" if param["words"] else known


def camel(text):
    return "".join(word.capitalize() for word in text.split("-"))


def is_name(key):
    return key.isidentifier() and not keyword.iskeyword(key)


def class_text(name, help_, lines):
    """The text of a class. Keys that are no names in Python, like `hold-most`, are in a base that a call makes."""
    odd = {key: kind for key, kind in lines.items() if not is_name(key)}
    base, text = (f"_{name}", f'\n_{name} = TypedDict("_{name}", {odd!r}, total=False)\n\n') if odd else ("TypedDict", "")
    body = [f'    """{help_}"""', ""] + [f"    {key}: {kind}" for key, kind in lines.items() if is_name(key)]
    return f"{text}\nclass {name}({base}, total=False):\n" + "\n".join(body) + "\n\n"


def fields(params):
    """Keys without a dot and their types."""
    for param in params:
        wrap = "Required" if param["required"] else "NotRequired"
        yield param["name"], f"{wrap}[{type_of(param)}]"


def one_of(types):
    """A type, or the union of several."""
    return types[0] if len(types) == 1 else f"Union[{', '.join(types)}]"


def class_of(family, kind, declared):
    """The class of a kind, after those of the maps within it: `prior.mean` is the key `mean` of a map `prior`."""
    name, text = camel(kind) + family.capitalize(), ""
    lines = {"kind": f'Required[Literal["{kind}"]]'}
    if family in ("learner", "selector"):
        lines["name"] = "NotRequired[str]"
    if family == "selector":
        lines["learners"] = "NotRequired[Sequence[str]]"
    lines.update(fields(param for param in declared["params"] if "." not in param["name"]))
    nested = {}
    for param in declared["params"]:
        outer, dot, inner = param["name"].partition(".")
        if dot:
            nested.setdefault(outer, []).append({**param, "name": inner})
    for outer, params in nested.items():
        text += class_text(name + camel(outer), f"`{outer}` of {kind}", dict(fields(params)))
        plain = [type_of(param) for param in declared["params"] if param["name"] == outer]
        lines[outer] = f"NotRequired[{one_of([*plain, name + camel(outer)])}]"
    return name, text + class_text(name, declared["help"], lines)


def parts():
    """The text of parts.py."""
    text, unions = HEAD, []
    for family, kinds in _posse.kinds().items():
        names = []
        for kind, declared in kinds.items():
            name, body = class_of(family, kind, declared)
            names.append(name)
            text += body
        if family == "belief":
            names.append("PriorFile")
        unions.append(f"{family.capitalize()}Part = Union[{', '.join(names)}]\n")
    return text + "\n" + "".join(unions) + TAIL


def join_docstrings(node, thing):
    """Copies docstrings of a module or class into the definitions of its stub."""
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
