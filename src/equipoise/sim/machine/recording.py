"""A walking machine's run as a recording, see ``sim.recording``."""

from typing import TYPE_CHECKING, Any

from equipoise.sim.machine.log import MachineRun
from equipoise.sim.machine.world import MachineWorld
from equipoise.sim.recording import (
    RunInfo,
    attributes,
    coordinate_names,
    mjcf_text,
    names,
)

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = ["recorded_machine"]


def recorded_machine(
    world: MachineWorld, run: MachineRun, info: RunInfo, every: int = 1
) -> "xr.Dataset":
    """Return a run as a dataset, one variable a signal, units as attributes.

    All signals have the same times, ``time`` and ``frame_time``. What the controller
    said about itself is there under ``said_`` and its name.

    Args:
        world: where it ran.
        run: what happened.
        info: what it was.
        every: samples of the run from one that is kept to the next; the last is kept.
    """
    from xarray import Dataset

    model, robot = world.model, world.robot
    keep = sorted({*range(0, len(run.time), every), len(run.time) - 1})
    said = {
        f"said_{name}": ("time", run.said(name)[keep], {"units": "1"})
        for name in run.signals
    }
    signals = {
        name: (dims, values[keep], {"units": unit})
        for name, (dims, values, unit) in machine_signals(run).items()
    }
    coords: dict[str, Any] = {
        "time": ("time", run.time[keep], {"units": "s"}),
        "frame_time": ("frame_time", run.time[keep], {"units": "s"}),
        "axis": ("axis", ["x", "y", "z"]),
        "angle": ("angle", ["roll", "pitch", "yaw"]),
        "coordinate": ("coordinate", coordinate_names(world.scene.copy().compile())),
        "actuator": ("actuator", names(model, "actuator", model.nu)),
        "foot": ("foot", list(robot.feet)),
    }
    mjcf = {"robot_mjcf": ((), mjcf_text(world.scene))}
    return Dataset(signals | said | mjcf, coords, attributes(world, run, info))


def machine_signals(run: MachineRun) -> dict[str, tuple[tuple[str, ...], Any, str]]:
    """Return axes, values and unit of every signal by its name."""
    joints, feet = ("frame_time", "actuator"), ("time", "foot")
    places = ("time", "foot", "axis")
    return {
        "com": (("time", "axis"), run.p_WC, "m"),
        "attitude": (("time", "angle"), run.attitude, "rad"),
        "qpos": (("frame_time", "coordinate"), run.qpos, "rad or m"),
        "joint_speed": (joints, run.v, "rad/s"),
        "tau": (joints, run.tau, "N m or N"),
        "volts": (joints, run.volts, "V"),
        "current": (joints, run.current, "A"),
        "foot_place": (places, run.foot_place, "m"),
        "foot_force": (places, run.foot_force, "N"),
        "foot_slip": (feet, run.slip, "m"),
        "foot_touches": (feet, run.touches.astype(float), "1"),
        "work_plus": (("time",), run.work_plus, "J"),
        "work_minus": (("time",), run.work_minus, "J"),
        "electric": (("time",), run.electric, "J"),
        "drawn": (("time",), run.drawn, "J"),
    }
