# SPDX-License-Identifier: MIT
"""Kinds from shared objects."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable

from posse import _posse

_loaded: set[str] = set()


def load_plugins(paths: Iterable[str | os.PathLike[str]]) -> None:
    """Registers the kinds that shared objects export, each object once in a process. SpecificationError."""
    for path in paths:
        real = os.path.realpath(path)
        if real in _loaded:
            continue
        # A plugin calls functions of the library, which is in the module, so its symbols must be global.
        ctypes.CDLL(_posse.__file__, mode=os.RTLD_NOW | os.RTLD_GLOBAL)
        _posse._plugin(real)
        _loaded.add(real)
