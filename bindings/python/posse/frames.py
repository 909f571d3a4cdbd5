# SPDX-License-Identifier: MIT
"""Frames of pandas, where it is installed."""

from __future__ import annotations

import sys
from typing import Any


def frame(columns: dict[str, Any]) -> Any:
    """A pandas.DataFrame of these columns. ImportError: there is no pandas."""
    try:
        import pandas
    except ImportError:
        raise ImportError("to_frame() needs pandas, which is not installed (Debian: python3-pandas)") from None
    return pandas.DataFrame(columns)


def is_na(value: Any) -> bool:
    """Whether it is pandas.NA, which a nullable column has where something is missing."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and value is pandas.NA
