# SPDX-License-Identifier: MIT
"""Posses that a server keeps: `posse serve`, or Redis."""

from __future__ import annotations

import urllib.parse
from typing import Any


def connect(url: str, **options: Any) -> Any:
    """A posse that a server keeps, with the methods of `posse.Posse`. connect("http://127.0.0.1:7677/ads") is a posse
    of `posse serve`, and connect("redis://127.0.0.1:6379/ads") is a posse in a Redis with the module. The last part of
    the URL is the name of the posse.

    create: the arguments of posse.Posse, which create the posse if it does not exist; an existing posse must have the
    same definition. timeout: the seconds that an
    answer may take. retries: how often a request is tried again. backoff: the seconds before the first retry; they
    double each time. unix_socket: the path of the server's socket, with any host in the URL. token: the bearer token,
    for HTTP. A URL of Redis may have a user, a password and ?db=N instead.

    SpecificationError: `create` is wrong, or the posse has another definition. UnreachableError: no such server answers. MissingError: the server has no
    such posse. ForbiddenError: the token or user does not have the right."""
    scheme = urllib.parse.urlsplit(url).scheme
    if scheme in ("http", "https"):
        from posse.http_client import connect_http

        return connect_http(url, **options)
    if scheme in ("redis", "rediss"):
        from posse.redis_client import connect_redis

        return connect_redis(url, **options)
    raise ValueError(f"a posse to connect to is http://HOST:PORT/NAME or redis://HOST:PORT/KEY, not {url!r}")
