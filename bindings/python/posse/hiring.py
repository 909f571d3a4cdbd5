# SPDX-License-Identifier: MIT
"""Learners written in Python, as they join an experiment or a posse."""

import re
import reprlib
import sys
from collections.abc import Mapping

# The remark on a learner in Python in the text of an experiment has at most this length, which is one line. Objects are
# written whole at first, so that no address in them is cut in two before it is removed.
REMARK = 240
BRIEF = reprlib.Repr()
BRIEF.maxstring = 60
BRIEF.maxother = sys.maxsize


def hire(value):
    """Makes a learner from an instance, a class, or a dict whose kind is a class. Returns the learner, its name, and a
    remark on it for the text of the experiment."""
    options = dict(value) if isinstance(value, Mapping) else {"kind": value}
    kind, name = options.pop("kind"), options.pop("name", None)
    if isinstance(kind, type):
        learner = kind(**options)
    elif options:
        raise TypeError(f"an instance of {type(kind).__name__} takes no keys ({', '.join(options)}); its class does")
    else:
        learner = kind
    remark = _remark(learner, options if isinstance(kind, type) else getattr(kind, "__dict__", {}))
    return learner, name or learner.name or type(learner).__name__, remark


def _remark(learner, arguments):
    """A comment on a learner in Python: its class with its arguments or, of an instance, its attributes. Addresses of
    objects are removed, so that the text is always the same."""
    given = ", ".join(f"{key}={BRIEF.repr(entry)}" for key, entry in arguments.items())
    text = re.sub(r" at 0x[0-9a-fA-F]+", "", f"{type(learner).__module__}.{type(learner).__qualname__}({given})")
    text = "".join(character if character.isprintable() else "?" for character in " ".join(text.split()))
    return "  # " + (text if len(text) <= REMARK else text[: REMARK - 3] + "...")
