# SPDX-License-Identifier: MIT
"""What a saved posse is made of: the library's bytes, and behind them the learners in Python, if there are any."""

import copy
import hashlib
import pickle

from posse.errors import DamagedError

# The library's header has the number of bytes that follow it.
HEADER = 32
LENGTH = slice(16, 24)

MAGIC = b"posse.py"
CHECK = 32


def pack(snapshot):
    """The bytes of a snapshot, which is a tuple: the library's bytes, the numbers of the places, the learners in
    Python."""
    data, numbers, learners = snapshot
    if not learners:
        return data
    tail = pickle.dumps((numbers, learners))
    return b"".join((data, MAGIC, hashlib.sha256(tail).digest(), tail))


def unpack(data):
    """The snapshot of such bytes. DamagedError. The library itself detects damage to its part."""
    data = memoryview(data).tobytes()
    length = HEADER + int.from_bytes(data[LENGTH], "little")
    if length >= len(data):
        return data, None, []
    own, tail = data[:length], data[length:]
    check, tail = tail[len(MAGIC) : len(MAGIC) + CHECK], tail[len(MAGIC) + CHECK :]
    if data[length : length + len(MAGIC)] != MAGIC or hashlib.sha256(tail).digest() != check:
        raise DamagedError("not a saved posse, or one that was cut short or altered")
    return own, *pickle.loads(tail)


def twin(snapshot, memo=None):
    """A snapshot that shares nothing with this one."""
    data, numbers, learners = snapshot
    return data, numbers, copy.deepcopy(learners, memo)
