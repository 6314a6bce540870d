"""How often each reflex of a walk answered, and for how long."""

from typing import Any

import numpy as np

from equipoise.runs.walk.numbers.spells import beginnings, lasting
from equipoise.sim.run import Run

__all__ = ["reflex_numbers"]

ENDING = "_active"
"""Of the signals by which reflexes tell that they answer."""


def reflex_numbers(run: Run) -> dict[str, dict[str, Any]]:
    """Return ``count`` and ``seconds`` of each reflex that tells ``NAME_active``.

    Args:
        run: what happened.
    """
    found: dict[str, dict[str, Any]] = {}
    for signal in run.signals:
        if signal.endswith(ENDING):
            answers = np.nan_to_num(run.said(signal)) > 0.0
            found[signal.removesuffix(ENDING)] = {
                "count": beginnings(answers),
                "seconds": lasting(run.time, answers),
            }
    return found
