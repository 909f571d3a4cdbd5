# SPDX-License-Identifier: MIT
"""Features of mixed kinds as a fixed number of floats."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Mapping
from numbers import Real

import numpy as np
from numpy.typing import NDArray

Feature = float | bool | str | Iterable[str] | None


def hashed(features: Mapping[str, Feature], dim: int) -> NDArray[np.float64]:
    """Named features as `dim` numbers, the same on every machine, for a context.

    ``hashed({"age": 0.3, "new": True, "country": "de", "words": ["red", "car"]}, 64)``. A number is added at the place
    that a hash of its name gives. A text is added as a 1 at the place of "name=text", and so is each text of a list.
    True is 1; False and None add nothing. Half of the names are added with a minus sign, so that features that meet at
    a place do not all add up. Scale numbers to about 1 in size. ValueError: a number is not finite. TypeError: a
    feature is neither a number nor a text."""
    if dim < 1:
        raise ValueError(f"dim is {dim}; it must be at least 1")
    sums = [0.0] * dim
    for name, feature in features.items():
        for key, number in _entries(name, feature):
            hash_ = _hash(key)
            sums[(hash_ >> 1) % dim] += number if hash_ & 1 else -number
    return np.array(sums)


def _entries(name, feature):
    """The names and numbers that a feature adds."""
    if feature is None:
        return
    if isinstance(feature, str):
        yield f"{name}={feature}", 1.0
    elif isinstance(feature, (Real, np.bool_)):
        number = float(feature)
        if not math.isfinite(number):
            raise ValueError(f"{name}: {number} is no feature; they must be finite")
        yield name, number
    elif isinstance(feature, Iterable) and not isinstance(feature, (bytes, Mapping)):
        for text in feature:
            if not isinstance(text, str):
                raise TypeError(f"{name}: a list of texts is needed, and {text!r} is none")
            yield f"{name}={text}", 1.0
    else:
        raise TypeError(f"{name}: {feature!r} is neither a number nor a text")


def _hash(key):
    """CRC-32 with its bits mixed, because the sums of names that differ in one character differ in a fixed pattern."""
    h = zlib.crc32(key.encode("utf-8", "surrogatepass"))
    h = (h ^ h >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    h = (h ^ h >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    return h ^ h >> 16
