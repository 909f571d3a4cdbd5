"""A dict as the text of an experiment file, and the way back from places in that text to paths in the dict.

The C reader then does all the checking: there is one set of rules and one set of messages.
"""

import bisect
import json
import math
import os
import re
import reprlib
import sys
from collections.abc import Mapping

from posse.errors import SpecificationError
from posse.learner import Learner

# What YAML, or an older one, reads as something else than a word is quoted.
PLAIN = re.compile(r"(?!(?:true|false|null|yes|no|on|off|y|n)$)[A-Za-z][A-Za-z0-9_-]*(?: [A-Za-z0-9_-]+)*", re.IGNORECASE)

# Beyond what the reader takes: it refuses these in its own words.
TOO_DEEP = 40
HUGE = 10**400

# What a learner in Python was made with, in the text: no more of it than a line. Objects are written whole first, so that
# no address in them is cut in two.
REMARK = 240
BRIEF = reprlib.Repr()
BRIEF.maxstring = 60
BRIEF.maxother = sys.maxsize


class Document:
    """The text, in YAML's flow style: there every list and map has a place of its own. And the Python learners that the
    text refers to by number."""

    def __init__(self, tree):
        self.learners = []
        self._remark = ""  # on the learner in Python that was written last
        self._pieces = []
        self._line = self._column = 1
        self._places = []  # (line, column) of what begins there, ascending, and the path to it
        self._paths = []
        self._write(tree, "", 0)
        self.text = "".join(self._pieces) + "\n"

    def relocate(self, problems):
        """Problems of the reader, ":LINE:COLUMN: message" each, at paths of the dict."""
        return "\n".join(map(self._relocate_one, problems.rstrip("\n").split("\n")))

    def _relocate_one(self, problem):
        place, message = re.fullmatch(r":(?:(\d+:\d+):)? (.*)", problem, re.DOTALL).groups()
        message = re.sub(r"\bin line (\d+)", lambda line: f"at {self._path_at(int(line[1]), 1, after=True)}", message)
        path = self._path_at(*map(int, place.split(":"))) if place else ""
        key = path.rpartition(".")[2] + ": "
        return f"{path}: {message.removeprefix(key)}" if path else message

    def _path_at(self, line, column, after=False):
        """The path of the last place up to there, or of the first one after."""
        return self._paths[bisect.bisect_right(self._places, (line, column)) - (0 if after else 1)]

    # ---- writing ----

    def _mark(self, path):
        self._places.append((self._line, self._column))
        self._paths.append(path)

    def _put(self, text):
        self._pieces.append(text)
        self._column += len(text)

    def _break(self, depth):
        self._pieces.append("\n" + "  " * depth)
        self._line += 1
        self._column = 2 * depth + 1

    def _write(self, value, path, depth):
        if depth > TOO_DEEP:  # the reader will say so; what contains itself has no end
            self._put("null")
            return
        if isinstance(value, Mapping) and value.get("kind") == "python":
            raise SpecificationError(f"{path}.kind: a learner in Python is given as an object, or by its class")
        value = self._hire(value, path) if _is_class_or_learner(value) else _plain(value)
        self._mark(path)
        if isinstance(value, Mapping):
            self._write_map(value, path, depth)
        elif isinstance(value, list):
            self._write_list(value, path, depth)
        else:
            self._put(_scalar(value, path))

    def _write_map(self, value, path, depth):
        """A line for each key of the experiment; what is deeper stays on one."""
        self._put("{")
        for place, (key, entry) in enumerate(value.items()):
            if not isinstance(key, str):
                raise SpecificationError(f"{path or 'the experiment'}: the key {key!r} is not a text")
            named = key or '""'  # an empty key has a place, too
            inner = f"{path}.{named}" if path else named
            self._put(", " if place > 0 and depth > 0 else "," if place > 0 else "")
            if depth == 0:
                self._break(1)
            self._mark(inner)
            self._put(_spell(key, inner) + ": ")
            self._write(entry, inner, depth + 1)
        if depth == 0:
            self._break(0)
        self._put("}")

    def _write_list(self, value, path, depth):
        """A line for each learner, selector and claim."""
        lines = depth == 1 and any(isinstance(entry, (Mapping, Learner, type)) for entry in value)
        self._put("[")
        for place, entry in enumerate(value):
            self._put(", " if place > 0 and not lines else "," if place > 0 else "")
            if lines:
                self._put_remark()
                self._break(2)
            self._write(entry, f"{path}[{place}]", depth + 1)
        if lines:
            self._put_remark()
            self._break(1)
        self._put("]")

    def _put_remark(self):
        self._put(self._remark)
        self._remark = ""

    # ---- learners in Python ----

    def _hire(self, value, path):
        """The description of a learner in Python, which joins the others."""
        options = dict(value) if isinstance(value, Mapping) else {"kind": value}
        kind, name = options.pop("kind"), options.pop("name", None)
        if isinstance(kind, type) and not issubclass(kind, Learner):
            raise SpecificationError(f"{path}: {kind.__name__} is no posse.Learner; derive it from that")
        if isinstance(kind, type):
            learner = kind(**options)
        elif options:
            raise TypeError(f"an instance of {type(kind).__name__} takes no keys ({', '.join(options)}); its class does")
        else:
            learner = kind
        self._remark = _remark(learner, options if isinstance(kind, type) else getattr(kind, "__dict__", {}))
        self.learners.append(learner)
        name = name or learner.name or type(learner).__name__
        return {"name": name, "kind": "python", "object": len(self.learners) - 1}


def describe(selector, learners, prior):
    """The document of a posse's parts. A kind's name stands for a part without options."""
    if isinstance(learners, (str, Mapping, Learner, type)):
        raise TypeError("learners must be a list")
    parts = {
        "prior": _part(prior),
        "selector": _part(selector),
        "learners": [_part(learner) for learner in learners or ()],
    }
    return Document({key: part for key, part in parts.items() if part is not None})


def _part(part):
    return {"kind": part} if isinstance(part, str) else part


def _is_class_or_learner(value):
    """Whether it describes a learner in Python, or what should be one."""
    return isinstance(value.get("kind") if isinstance(value, Mapping) else value, (Learner, type))


def _remark(learner, arguments):
    """A comment on a learner in Python: its class with its arguments or, of an instance, its attributes. Where an object
    lies in memory is left out, so that the text repeats."""
    given = ", ".join(f"{key}={BRIEF.repr(entry)}" for key, entry in arguments.items())
    text = re.sub(r" at 0x[0-9a-fA-F]+", "", f"{type(learner).__module__}.{type(learner).__qualname__}({given})")
    text = "".join(character if character.isprintable() else "?" for character in " ".join(text.split()))
    return "  # " + (text if len(text) <= REMARK else text[: REMARK - 3] + "...")


def _plain(value):
    """NumPy's numbers and arrays, tuples and paths as Python's own."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return value


def _scalar(value, path):
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, int):
        return str(max(-HUGE, min(value, HUGE)))
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else {"inf": ".inf", "-inf": "-.inf"}.get(str(value), ".nan")
    if isinstance(value, str):
        return _spell(value, path)
    raise SpecificationError(f"{path or 'the experiment'}: a {type(value).__name__} is nothing that it can hold")


def _spell(text, path):
    """As it is, or in quotes."""
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise SpecificationError(f"{ascii(path)[1:-1]}: {ascii(text)} is no text, it has half of a character")
    return text if PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)
