"""How well feet gave the forces that a walk's balance part asked of them."""

from typing import Any

import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.runs.walk.numbers.spells import beginnings, longest
from equipoise.sim.run import Run

__all__ = ["force_error", "force_numbers"]

AXES = ("wrench_miss_x", "wrench_miss_y", "wrench_miss_z")
WHOLE = "wrench_miss"
SETTLED = 5.0  # after which legs have learnt what they can [s]


def force_numbers(run: Run, weight: float, begun: int) -> dict[str, Any] | None:
    """Return what is told of forces; None of a balance part that asks for none.

    A balance part tells ``wrench_miss_x``, ``_y`` and ``_z``, by how much what feet
    give misses what the trunk was to get, as shares, or ``wrench_miss`` of all in one;
    ``infeasible`` while feet cannot give it, and ``friction_cut`` while a force was cut
    to the friction cone. Of a machine that plans, ``asked_load_K`` is what foot K shall
    carry where no spring leads it; its error is told over the weight, and from 5 s on
    over a leg's share of it. What is not told is None.

    Args:
        run: what happened.
        weight: of the machine [N].
        begun: first sample that counts.
    """
    asked = asked_loads(run)
    loads = None if asked is None else asked[begun:]
    late = run.time >= SETTLED
    known = any(name in run.signals for name in (*AXES, WHOLE, "infeasible"))
    if not known and (loads is None or not np.isfinite(loads).any()):
        return None
    names = AXES if AXES[0] in run.signals else (WHOLE,)
    miss = [_high(run.said(name)[begun:]) for name in names]
    cannot = _flags(run, "infeasible", begun)
    cut = _flags(run, "friction_cut", begun)
    pulls = None
    if loads is not None:
        pulls = sum(beginnings(own < 0.0) for own in loads.T)
    return {
        "wrench_miss_p95": None if None in miss else miss,
        "infeasible_share": None if cannot is None else float(cannot.mean()),
        "longest_infeasible_s": None
        if cannot is None
        else longest(run.time[begun:], cannot),
        "pulls": pulls,
        "friction_cut_share": None if cut is None else float(cut.mean()),
        "force_error_rms_share": None
        if loads is None
        else _shares(force_error(loads, run.foot_force[begun:, :, 2]) / weight),
        "force_error_rms_leg_share": None
        if asked is None
        else _shares(
            force_error(asked[late], run.foot_force[late, :, 2])
            * asked.shape[1]
            / weight
        ),
    }


def asked_loads(run: Run) -> Array | None:
    """Return what each foot shall carry, (nt, nl) [N]; None where it is not told."""
    legs = run.foot_force.shape[1]
    names = [f"asked_load_{leg}" for leg in range(legs)]
    if names[0] not in run.signals:
        return None
    return np.stack([run.said(name) for name in names], axis=1)


def force_error(asked: Array, given: Array) -> VecN:
    """Return the root of the mean squared error of each foot's load, (nl,) [N].

    Args:
        asked: of each foot, (nt, nl) [N]; NaN where nothing is.
        given: by the ground upwards, (nt, nl) [N].
    """
    known = np.isfinite(asked)
    squares = np.where(known, np.nan_to_num(asked) - given, 0.0) ** 2
    with np.errstate(invalid="ignore"):
        return np.sqrt(squares.sum(axis=0) / known.sum(axis=0))


def _shares(errors: VecN) -> list[float | None]:
    """Return numbers as a list, None where there is none."""
    return [float(x) if np.isfinite(x) else None for x in errors]


def _high(values: VecN) -> float | None:
    """Return the 95th percentile of sizes; None where there is none."""
    known = np.abs(values[np.isfinite(values)])
    return float(np.percentile(known, 95.0)) if len(known) else None


def _flags(run: Run, name: str, begun: int) -> Any:
    """Return when a signal is above zero, (nt,); None where nobody says it."""
    if name not in run.signals:
        return None
    return np.nan_to_num(run.said(name)[begun:]) > 0.0
