# SPDX-License-Identifier: MIT
"""Frames of pandas, where it is installed."""

from __future__ import annotations

from typing import Any


def frame(columns: dict[str, Any]) -> Any:
    """A pandas.DataFrame of these columns. ImportError: there is no pandas."""
    try:
        import pandas
    except ImportError:
        raise ImportError("to_frame() needs pandas, which is not installed (Debian: python3-pandas)") from None
    return pandas.DataFrame(columns)
