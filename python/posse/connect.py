# SPDX-License-Identifier: MIT
"""Posses that somebody else keeps: a server, or Redis."""

from __future__ import annotations

import urllib.parse
from typing import Any


def connect(url: str, **options: Any) -> Any:
    """A posse that somebody else keeps, with the verbs of `posse.Posse`: connect("http://127.0.0.1:7677/ads") is one of
    `posse serve`, connect("redis://127.0.0.1:6379/ads") one of a Redis with the module. The last part of the URL is its name.

    create: the arguments that posse.Posse would have, for when there is no such posse yet. timeout, retries, backoff: how
    long an answer may take, how often a request is tried again, and after how many seconds first. See `posse.connect_http`
    and `posse.connect_redis`."""
    scheme = urllib.parse.urlsplit(url).scheme
    if scheme in ("http", "https"):
        from posse.http_client import connect_http

        return connect_http(url, **options)
    if scheme in ("redis", "rediss"):
        from posse.redis_client import connect_redis

        return connect_redis(url, **options)
    raise ValueError(f"a posse to connect to is http://HOST:PORT/NAME or redis://HOST:PORT/KEY, not {url!r}")
