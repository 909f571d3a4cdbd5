"""A dict as the text of an experiment file, and the way back from places in that text to paths in the dict.

The C reader then does all the checking: there is one set of rules and one set of messages.
"""

import bisect
import json
import os
import re
from collections.abc import Mapping

from posse.learner import Learner

# What YAML, or an older one, reads as something else than a word is quoted.
PLAIN = re.compile(r"(?!(?:true|false|null|yes|no|on|off|y|n)$)[A-Za-z][A-Za-z0-9_-]*(?: [A-Za-z0-9_-]+)*", re.IGNORECASE)


class Document:
    """The text, and the Python learners that it refers to by number."""

    def __init__(self, tree):
        self.learners = []
        self._lines = [""]
        self._places = []  # (line, column) of what begins there, ascending, and the path to it
        self._paths = []
        self._write(tree, "", 0)
        self.text = "\n".join(self._lines) + "\n"

    def path_at(self, line, column):
        """The path to what is at a place of the text."""
        return self._paths[bisect.bisect_right(self._places, (line, column)) - 1]

    # ---- writing ----

    def _mark(self, path):
        self._places.append((len(self._lines), len(self._lines[-1]) + 1))
        self._paths.append(path)

    def _put(self, text):
        self._lines[-1] += text

    def _break(self, indent):
        if self._lines[-1].strip(" -"):
            self._lines.append(" " * indent)

    def _write(self, value, path, indent):
        value = _plain(value)
        if isinstance(value, Learner) or (isinstance(value, Mapping) and _is_class(value.get("kind"))):
            value = self._hire(value)
        if isinstance(value, Mapping) and value:
            self._write_map(value, path, indent)
        elif isinstance(value, list) and any(isinstance(_plain(entry), (Mapping, Learner)) for entry in value):
            self._write_list(value, path, indent)
        else:
            self._mark(path)
            self._put(self._flow(value, path))

    def _write_map(self, value, path, indent):
        for key, entry in value.items():
            if not isinstance(key, str):
                raise TypeError(f"{path or 'the experiment'}: the key {key!r} is not a text")
            inner = f"{path}.{key}" if path else key
            self._break(indent)
            self._mark(inner)
            self._put(_spell(key) + ":")
            entry = _plain(entry)
            nested = isinstance(entry, (Mapping, Learner)) and not _is_empty(entry)
            nested = nested or (isinstance(entry, list) and any(isinstance(_plain(e), (Mapping, Learner)) for e in entry))
            if nested:
                self._lines.append(" " * (indent + 2))
            else:
                self._put(" ")
            self._write(entry, inner, indent + 2)

    def _write_list(self, value, path, indent):
        for place, entry in enumerate(value):
            self._break(indent)
            self._put("- ")
            self._write(entry, f"{path}[{place}]", indent + 2)

    def _flow(self, value, path):
        if isinstance(value, list):
            entries = (self._flow(_plain(entry), f"{path}[{i}]") for i, entry in enumerate(value))
            return "[" + ", ".join(entries) + "]"
        if isinstance(value, Mapping):
            return "{}"
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, int):
            return str(value)
        if isinstance(value, float):
            return _spell_number(value)
        if isinstance(value, str):
            return _spell(value)
        raise TypeError(f"{path or 'the experiment'}: {type(value).__name__} is nothing that an experiment can hold")

    # ---- learners in Python ----

    def _hire(self, value):
        """The description of a learner in Python, which joins the others."""
        if isinstance(value, Learner):
            learner, name = value, value.name
        else:
            kind, arguments = value["kind"], {key: entry for key, entry in value.items() if key not in ("kind", "name")}
            if isinstance(kind, type):
                learner = kind(**arguments)
            elif arguments:
                raise TypeError(f"an instance of {type(kind).__name__} takes no keys; its class would: {', '.join(arguments)}")
            else:
                learner = kind
            name = value.get("name", learner.name)
        self.learners.append(learner)
        return {"name": name or type(learner).__name__, "kind": "python", "object": len(self.learners) - 1}


def _is_empty(value):
    return isinstance(value, Mapping) and not value


def _is_class(kind):
    return isinstance(kind, Learner) or (isinstance(kind, type) and issubclass(kind, Learner))


def _plain(value):
    """NumPy's numbers and arrays, tuples and paths as Python's own."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return value


def _spell(text):
    return text if PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def _spell_number(value):
    if value != value:
        return ".nan"
    if value in (float("inf"), float("-inf")):
        return ".inf" if value > 0 else "-.inf"
    return repr(value)
