"""Recorded runs: every signal by its name, in one netCDF file (``run.nc``).

A file carries what is needed to read it years later: robot, controller, seed, resolved
configuration, versions and commit as attributes, and the robot itself as MJCF text, so
that a run can be replayed without the file that it came from.
"""

import gc
import json
import platform
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mujoco

from equipoise.core.errors import BadFileError
from equipoise.core.files import atomic_write
from equipoise.core.log import timed
from equipoise.robots.visuals.robot_looks import (
    robot_appearance,
    robot_mesh_shapes,
    robot_portrait,
)
from equipoise.robots.visuals.standalone import Portrait, portrait_of
from equipoise.sim.recorded_looks import looks_signals
from equipoise.sim.run import Run
from equipoise.sim.world import World

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = ["RunInfo", "open_run", "recorded", "write_netcdf", "write_run"]

FORMAT = "run/1"
ENGINE = "h5netcdf"
PACKAGES = ("equipoise", "mujoco", "numpy", "numba", "xarray")
PARTS_OF = {
    int(mujoco.mjtJoint.mjJNT_FREE): ("x", "y", "z", "qw", "qx", "qy", "qz"),
    int(mujoco.mjtJoint.mjJNT_BALL): ("qw", "qx", "qy", "qz"),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class RunInfo:
    """Description of a run beside its signals."""

    controller: str
    seed: int
    config: Mapping[str, Any]
    """The resolved configuration: plain values by name."""


def recorded(world: World, run: Run, info: RunInfo, every: int = 1) -> "xr.Dataset":
    """Return a run as a dataset, with one variable per signal and units as attributes.

    Signals of every sample lie along ``time``, poses and torques along ``frame_time``.
    A run that broke off also has its last finite states, along ``last_time``.

    Args:
        world: where it ran.
        run: what happened.
        info: what it was.
        every: samples and frames from one that is kept to the next; the last is kept.
    """
    from xarray import Dataset

    kept = {
        axis: sorted({*range(0, len(times), every), len(times) - 1})
        for axis, times in (("time", run.time), ("frame_time", run.frame_time))
    }
    signals: dict[str, Any] = {
        name: (signal.axes, signal.values[kept[signal.axes[0]]], {"units": signal.unit})
        for name, signal in run.named(run).items()
    }
    portrait = _portrait_in(world)
    signals["robot_mjcf"] = ((), portrait.text)
    signals |= looks_signals(portrait.looks)
    used = {axis for axes, *_ in signals.values() for axis in axes}
    names = {axis: labels for axis, labels in _labels_of(world).items() if axis in used}
    coords: dict[str, Any] = {
        "time": ("time", run.time[kept["time"]], {"units": "s"}),
        "frame_time": (
            "frame_time",
            run.frame_time[kept["frame_time"]],
            {"units": "s"},
        ),
        **{axis: (axis, labels) for axis, labels in names.items()},
    }
    if not run.is_finite:
        last: Any = run.last
        signals["last_qpos"] = (("last_time", "coordinate"), last["qpos"])
        signals["last_qvel"] = (("last_time", "velocity"), last["qvel"])
        coords["last_time"] = ("last_time", last["time"], {"units": "s"})
    return Dataset(signals, coords, _attributes(world, run, info))


def _labels_of(world: World) -> dict[str, list[str]]:
    """Return what the places along each axis are called."""
    model = world.model
    return {
        "axis": ["x", "y", "z"],
        "angle": ["roll", "pitch", "yaw"],
        "coordinate": _coordinate_names(model),
        "actuator": names(model, "actuator", model.nu),
        "foot": list(world.robot.feet),
    }


def _attributes(world: World, run: Run, info: RunInfo) -> dict[str, Any]:
    """Return what is written beside the signals, as text and numbers.

    Args:
        world: where it ran.
        run: what happened.
        info: what it was.
    """
    return {
        "equipoise": FORMAT,
        "robot": world.robot.name,
        "controller": info.controller,
        "seed": info.seed,
        "outcome": run.outcome.name.lower(),
        "outcome_sentence": str(run.outcome),
        "warnings": json.dumps(list(run.warnings)),
        "config": json.dumps(dict(info.config), sort_keys=True, allow_nan=False),
        "versions": json.dumps(_versions(), sort_keys=True),
        "commit": commit(),
        "timestep_s": world.config.timestep,
        "realtime_factor": run.realtime_factor,
        "control_share": run.cpu.control / max(run.cpu.total, 1e-9),
    }


def _versions() -> dict[str, str]:
    """Return the versions that the numbers depend on."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "unknown"
    return found


def commit() -> str:
    """Return the commit that the library's source stands at, or "unknown".

    Only a checkout counts: an installed copy inside another project has no commit.
    """
    try:
        root = Path(__file__).resolve().parents[3]
        head = (root / ".git" / "HEAD").read_text().strip()
        if not head.startswith("ref: "):
            return head
        ref = head.removeprefix("ref: ")
        loose = root / ".git" / ref
        if loose.is_file():
            return loose.read_text().strip()
        for line in (root / ".git" / "packed-refs").read_text().splitlines():
            if line.endswith(f" {ref}"):
                return line.split()[0]
    except (OSError, IndexError, UnicodeDecodeError):
        pass
    return "unknown"


def _portrait_in(world: World) -> Portrait:
    """Return what moves, as text, and what is drawn of it besides."""
    robot = world.robot
    if world.scene is robot.spec:
        return robot_portrait(robot)  # the same in every run of it
    looks, is_exact = robot_appearance(robot), bool(robot.source)
    return portrait_of(world.scene, robot_mesh_shapes(robot), looks, is_exact)


def names(model: mujoco.MjModel, kind: str, count: int) -> list[str]:
    """Return the names of a model's things; a nameless one gets its number."""
    of = getattr(model, kind)
    return [of(k).name or f"{kind}{k}" for k in range(count)]


def _coordinate_names(model: mujoco.MjModel) -> list[str]:
    """Return one name for each entry of ``qpos``."""
    labels = []
    for j, joint in enumerate(names(model, "joint", model.njnt)):
        parts = PARTS_OF.get(int(model.jnt_type[j]))
        labels += [f"{joint}.{part}" for part in parts] if parts else [joint]
    return labels


@timed("writing")
def write_run(dataset: "xr.Dataset", path: str | Path) -> Path:
    """Write a run as netCDF, completely or not at all, and return its path.

    Args:
        dataset: a run, see ``recorded``.
        path: the file to make or replace, usually ``run.nc``.

    Raises:
        BadFileError: the file cannot be written.
    """
    packing = {"zlib": True, "complevel": 4, "shuffle": True}
    encoding = {
        str(name): packing
        for name, signal in dataset.data_vars.items()
        if signal.ndim and signal.dtype.kind in "fi"
    }
    return write_netcdf(dataset, path, encoding)


def write_netcdf(
    dataset: "xr.Dataset",
    path: str | Path,
    encoding: Mapping[str, Mapping[str, Any]] | None = None,
) -> Path:
    """Write any dataset as netCDF, whole or not at all, and return its path.

    It is put together in memory: HDF5 ends the process with a segmentation fault when
    its own file cannot be written to the end.

    Args:
        dataset: what is written.
        path: the file to make or replace.
        encoding: how a variable is packed, by its name.

    Raises:
        BadFileError: the file cannot be written.
    """
    content = dataset.to_netcdf(engine=ENGINE, encoding=encoding)
    return atomic_write(path, content)


@timed("reading")
def open_run(path: str | Path) -> "xr.Dataset":
    """Read a recorded run into memory and return it as a dataset.

    Args:
        path: a ``run.nc``, or the folder that holds one.

    Raises:
        BadFileError: there is no such file, or it is not a recorded run.
    """
    from xarray import load_dataset

    path = Path(path)
    if path.is_dir():
        path = path / "run.nc"
    if not path.is_file():
        raise BadFileError(
            f"{path} does not exist; give a run.nc that --out has written."
        )
    dataset, reason = None, ""
    with _ends_unsaid():
        try:
            dataset = load_dataset(path, engine=ENGINE)
        except Exception as error:  # a damaged file fails in many ways, deep in HDF5
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        if dataset is None:
            gc.collect()  # its end comes now, not when the hook is back
    if dataset is None:
        raise BadFileError(f"{path} cannot be read as netCDF ({reason}).")
    if str(dataset.attrs.get("equipoise")) != FORMAT:  # a list has no one truth value
        raise BadFileError(
            f"{path} is not a recorded run; its attribute 'equipoise' should be "
            f"'{FORMAT}', got {dataset.attrs.get('equipoise')!r}."
        )
    return dataset


@contextmanager
def _ends_unsaid() -> Generator[None, None, None]:
    """Drop what a half-opened file would print when it is thrown away."""
    before, sys.unraisablehook = sys.unraisablehook, lambda _: None
    try:
        yield
    finally:
        sys.unraisablehook = before
