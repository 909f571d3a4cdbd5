# SPDX-License-Identifier: MIT
"""Learners and environments written in Python, as they join an experiment or a posse."""

import re
import reprlib
import sys
from collections.abc import Mapping

from posse.bandit import Bandit

# The remark on an object in Python in the text of an experiment has at most this length, which is one line. Objects are
# written whole at first, so that no address in them is cut in two before it is removed.
REMARK = 240
BRIEF = reprlib.Repr()
BRIEF.maxstring = 60
BRIEF.maxother = sys.maxsize


def hire(value):
    """Makes a learner or a bandit from an instance, a class, or a dict whose kind is a class. Returns the object, its
    name (None for a bandit), its kind in the library, and a remark on it for the text of the experiment."""
    options = dict(value) if isinstance(value, Mapping) else {"kind": value}
    kind = options.pop("kind")
    bandit = issubclass(kind if isinstance(kind, type) else type(kind), Bandit)
    name = None if bandit else options.pop("name", None)
    if isinstance(kind, type):
        made = kind(**options)
    elif options:
        raise TypeError(f"an instance of {type(kind).__name__} takes no keys ({', '.join(options)}); its class does")
    else:
        made = kind
    remark = _remark(made, options if isinstance(kind, type) else getattr(kind, "__dict__", {}))
    if bandit:
        return made, None, _kind(made), remark
    return made, name or made.name or type(made).__name__, "python", remark


def _kind(bandit):
    """The kind of an environment in the library (stage.h)."""
    if bandit.features or bandit.context:
        return "python-rounds"
    return "python-moving" if bandit.moves else "python"


def _remark(made, arguments):
    """A comment on an object in Python: its class with its arguments or, of an instance, its attributes. Addresses of
    objects are removed, so that the text is always the same."""
    given = ", ".join(f"{key}={BRIEF.repr(entry)}" for key, entry in arguments.items())
    text = re.sub(r" at 0x[0-9a-fA-F]+", "", f"{type(made).__module__}.{type(made).__qualname__}({given})")
    text = "".join(character if character.isprintable() else "?" for character in " ".join(text.split()))
    return "  # " + (text if len(text) <= REMARK else text[: REMARK - 3] + "...")
