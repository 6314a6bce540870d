"""What the rows of a campaign say together, with how sure one can be."""

from collections.abc import Sequence
from math import inf, isfinite, sqrt
from typing import Any

import numpy as np

from equipoise.core.errors import ConfigError
from equipoise.runs.balance.free import BALANCED_W

__all__ = ["TALL", "is_near", "is_tall", "share_with_interval", "tally", "wilson"]

Row = dict[str, Any]
TALL = 0.8
"""Share of the first height that a robot must keep."""
TWO_SIDED_95 = 1.959963984540054  # quantile of the normal distribution


def wilson(count: int, of: int, z: float = TWO_SIDED_95) -> tuple[float, float]:
    """Return the score interval of a share, 95 % by default [Wilson1927].

    Unlike the textbook's plus and minus it stays inside [0, 1], also for 0 and all.

    Args:
        count: successes.
        of: trials, >= 1.
        z: quantile of the normal distribution.

    Raises:
        ConfigError: counts that do not fit.
    """
    if not 0 <= count <= of or of < 1:
        raise ConfigError("wilson", [f"0 <= count <= of, of >= 1, got {count}, {of}"])
    share, square = count / of, z * z
    middle = (share + square / (2 * of)) / (1 + square / of)
    reach = (
        z / (1 + square / of) * sqrt(share * (1 - share) / of + square / (4 * of**2))
    )
    low = 0.0 if count == 0 else max(0.0, middle - reach)
    high = 1.0 if count == of else min(1.0, middle + reach)
    return low, high


def share_with_interval(count: int, of: int) -> dict[str, Any]:
    """Return a share with its 95 % interval, as plain data."""
    low, high = wilson(count, of)
    return {"count": count, "of": of, "share": count / of, "low": low, "high": high}


def is_near(row: Row, width: float = BALANCED_W) -> bool:
    """Return whether a run ended within ``width`` module widths without a fall."""
    return row["error"] is None and not row["fell"] and row["distance_final_w"] < width


def is_tall(row: Row) -> bool:
    """Return whether a run kept 0.8 of its height."""
    if row["error"] is not None or row["fell"] or row["height_ratio"] is None:
        return False
    return row["height_ratio"] >= TALL


def tally(rows: Sequence[Row]) -> dict[str, Any]:
    """Return shares with intervals, and quantiles, over all rows; JSON-safe.

    A run that never settled counts as settling after infinite time, one without a
    result as a miss. Where a quantile falls among those, it is None.

    Args:
        rows: of ``run_trees``, at least one.

    Raises:
        ConfigError: no rows.
    """
    if not rows:
        raise ConfigError("tally", ["there must be at least one row"])
    n = len(rows)
    known = [row for row in rows if row["error"] is None]
    near = [is_near(row) for row in rows]
    tall = [is_tall(row) for row in rows]
    both = [a and b for a, b in zip(near, tall, strict=True)]
    stays = [
        a and row["distance_tail_w"] < BALANCED_W
        for a, row in zip(near, rows, strict=True)
    ]
    never = [inf] * (n - len(known))
    settled = [_known_or_never(row["settling_time_s"]) for row in known] + never
    saturation = [row["saturation"] for row in known]
    finals = [row["distance_final_w"] for row in known]
    return {
        "trees": n,
        "near": share_with_interval(sum(near), n),
        "near_all_last_second": share_with_interval(sum(stays), n),
        "tall": share_with_interval(sum(tall), n),
        "near_and_tall": share_with_interval(sum(both), n),
        "settling_median_s": _quantile(settled, 0.5),
        "settling_p90_s": _quantile(settled, 0.9),
        "saturation_median": _quantile(saturation, 0.5),
        "saturation_max": max(saturation, default=None),
        "distance_median_w": _quantile(finals, 0.5),
        "distance_max_w": max(finals, default=None),
        "realtime_factor_median": _quantile([r["realtime_factor"] for r in known], 0.5),
        "misses": [r["tree"] for r, good in zip(rows, both, strict=True) if not good],
        "fallen": [row["tree"] for row in known if row["fell"]],
        "lost": {row["tree"]: row["error"] for row in rows if row["error"] is not None},
    }


def _known_or_never(time: float | None) -> float:
    """Return a settling time; infinite where there is none."""
    return inf if time is None else time


def _quantile(values: Sequence[float], share: float) -> float | None:
    """Return the smallest value that this share of them does not exceed, or None."""
    if not len(values):
        return None
    value = float(np.quantile(np.array(values), share, method="inverted_cdf"))
    return value if isfinite(value) else None
