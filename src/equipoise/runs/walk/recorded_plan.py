"""What a recorded walk has beside its signals: plan, contacts, forbidden ground.

With these a walk's numbers can be computed from its file alone: where each foot was
bound for and what it should carry, every instant at which a foot came down or left the
ground, not only those of the samples, and which cells were forbidden.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from equipoise.control.ground_map import GroundMap
from equipoise.control.report import LEG_SIGNALS, leg_signals
from equipoise.sim.run import Run

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = ["with_contacts", "with_map", "with_plan"]

FRAME = "by the machine's own reckoning"


def with_plan(dataset: "xr.Dataset", legs: int) -> "xr.Dataset":
    """Return a recording with what is told of each leg as arrays, foot by foot.

    ``foot_goal`` (time, foot, axis), where each foot is bound for, and ``asked_load``
    (time, foot), what it shall carry; ``plan_trunk`` (time, pose), where the trunk
    shall be. They take the place of the signals of each leg.

    Args:
        dataset: the recording.
        legs: how many.
    """
    names = ("ref_x", "ref_y", "ref_z", "ref_yaw")
    if all(f"said_{name}" in dataset for name in names):
        values = np.stack([dataset[f"said_{name}"].values for name in names], axis=1)
        about = {"units": "m, m, m, rad", "frame": FRAME}
        dataset["plan_trunk"] = (("time", "pose"), values, about)
        dataset.coords["pose"] = ["x", "y", "z", "yaw"]
    said = [f"said_{name}" for name in leg_signals(legs)]
    if not all(name in dataset for name in said):
        return dataset
    told = np.stack([dataset[name].values for name in said], axis=1)
    told = told.reshape(-1, legs, len(LEG_SIGNALS))
    about = {"units": "m", "frame": FRAME}
    dataset["foot_goal"] = (("time", "foot", "axis"), told[:, :, :3], about)
    dataset["asked_load"] = (("time", "foot"), told[:, :, 3], {"units": "N"})
    return dataset.drop_vars(said)


def with_contacts(dataset: "xr.Dataset", run: Run) -> "xr.Dataset":
    """Return a recording with every contact that began or ended, along ``contact``.

    Args:
        dataset: the recording.
        run: all samples of it.
    """
    touches = run.touches
    at, foot = np.nonzero(touches[1:] != touches[:-1])
    is_down = touches[at + 1, foot]
    dataset["contact_time"] = ("contact", run.time[at + 1], {"units": "s"})
    dataset["contact_foot"] = ("contact", foot.astype(np.int64))
    dataset["contact_begins"] = ("contact", is_down.astype(float))
    first = touches[0].astype(float)
    dataset["contact_first"] = ("foot", first, {"about": "at the first sample"})
    return dataset


def with_map(dataset: "xr.Dataset", ground: GroundMap) -> "xr.Dataset":
    """Return a recording with the forbidden cells; as it is where there is no map.

    Args:
        dataset: the recording.
        ground: what the machine knew.
    """
    if not ground.banned.size:
        return dataset
    frame: Any = ground.frame[0]
    about = {
        "west_m": float(frame.west),
        "south_m": float(frame.south),
        "cell_m": float(frame.cell),
    }
    cells: NDArray[Any] = ground.banned
    dataset["banned"] = (("cell_x", "cell_y"), cells.astype(np.float64), about)
    return dataset
