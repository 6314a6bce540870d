"""Vukobratović's three tests on a walk that was pushed, as recorded.

What is judged is in ``stability.recovery``; here a run's signals are laid out for it.
The push is at half time unless told, as ``equipoise walk --push`` gives it.
"""

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.errors import BadFileError
from equipoise.sim.recording import open_run
from equipoise.stability.walks.gait_recovery import gait_recovery
from equipoise.stability.walks.recovery import (
    DisturbedWalk,
    Flags,
    Recovery,
    path_recovery,
    posture_recovery,
)

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = ["recovery_numbers", "walk_recovery"]

SETTLING = 1.0  # from the start of walking until it is steady [s]


def walk_recovery(run: "str | Path | xr.Dataset") -> dict[str, Any] | None:
    """Return how a recorded walk took its push, None where there was none.

    Args:
        run: a ``run.nc``, its folder, or a run from ``equipoise.open_run``.

    Returns:
        ``posture``, ``path`` and ``gait``, each with ``answer``, ``reason`` and
        ``after_s``: is it back for good, and how long after the push.

    Raises:
        BadFileError: a file that is no walk.
    """
    where = str(run) if isinstance(run, str | Path) else "the run"
    dataset = open_run(run) if isinstance(run, str | Path) else run
    try:
        summary = json.loads(dataset.attrs["summary"])
        settings = summary["settings"]
        return recovery_numbers(
            dataset["time"].values,
            dataset["attitude"].values,
            dataset["qpos"].values[:, :3],
            dataset["foot_touches"].values > 0.5,
            settings,
            fell=bool(summary["fell"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise BadFileError(
            f"{where}: it is not a recorded walk; {error} is missing or "
            "invalid. Record one with equipoise walk --out."
        ) from None


def recovery_numbers(
    time: Array,
    angles: Array,
    p_WB: Array,
    stands: Flags,
    settings: dict[str, Any],
    *,
    fell: bool,
    start: float = 1.0,
    lasts: float = 0.1,
) -> dict[str, Any] | None:
    """Return the three answers of a walk, None where it was not pushed.

    Args:
        time: (nt,) [s].
        angles: roll, pitch and yaw, (nt, 3) [rad].
        p_WB: of the trunk, (nt, 3) [m].
        stands: whether each foot stands, (nt, nl).
        settings: of the walk; ``push``, ``push_at``, ``seconds`` and ``cycle`` are
            read.
        fell: whether it fell, which no walk recovers from.
        start: when it begins to walk [s].
        lasts: how long the push does [s].
    """
    if not settings["push"] or settings.get("cycle") is None:
        return None
    begin = settings.get("push_at")
    begin = 0.5 * float(settings["seconds"]) if begin is None else float(begin)
    if fell:
        lost = Recovery(answer="no", reason="It fell.", after=math.nan)
        return {name: _told(lost) for name in ("posture", "path", "gait")}
    if begin <= start + SETTLING:
        early = Recovery(
            answer="unknown",
            reason=f"It was pushed at {begin:.3g} s, before it walked steadily, which "
            f"it does from {start + SETTLING:.3g} s on.",
            after=math.nan,
        )
        return {name: _told(early) for name in ("posture", "path", "gait")}
    walk = DisturbedWalk(
        time=np.asarray(time, np.float64),
        angles=np.asarray(angles, np.float64),
        p_WB=np.asarray(p_WB, np.float64),
        stands=stands,
        period=float(settings["cycle"]),
        steady=start + SETTLING,
        disturbed=(begin, begin + lasts),
    )
    return {
        "posture": _told(posture_recovery(walk)),
        "path": _told(path_recovery(walk)),
        "gait": _told(gait_recovery(walk)),
    }


def _told(found: Recovery) -> dict[str, Any]:
    """Return an answer as plain data."""
    after = found.after if math.isfinite(found.after) else None
    return {"answer": found.answer, "reason": found.reason, "after_s": after}
