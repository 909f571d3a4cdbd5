"""Writes posse/parts.py: a type for every kind, with its keys, from the library's declarations.

usage: declare.py FILE, with the module where it can be imported.
"""

import keyword
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


def main(path):
    text, unions = HEAD, []
    for family, kinds in _posse.kinds().items():
        names = []
        for kind, declared in kinds.items():
            name, body = class_of(family, kind, declared)
            names.append(name)
            text += "\n" + body.rstrip() + "\n\n"
        unions.append(f"{family.capitalize()}Part = Union[{', '.join(names)}]\n")
    text += "\n" + "".join(unions)
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)


if __name__ == "__main__":
    main(sys.argv[1])
