# SPDX-License-Identifier: MIT
"""How probable each learner and each arm is in the next round."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Propensities(NamedTuple):
    """The probability with which each learner, and each arm, would be chosen next, as Posse.propensities estimates it,
    and the standard errors of the estimates."""

    learners: NDArray[np.float64]
    """The probability of each learner, by place."""

    learner_errors: NDArray[np.float64]
    """The standard errors of `learners`."""

    arms: NDArray[np.float64] | None
    """The probability of each arm; None on the continuous ball, and if there are no arms."""

    arm_errors: NDArray[np.float64] | None
    """The standard errors of `arms`."""
