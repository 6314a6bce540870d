"""What is told of a walk: its settings and its numbers."""

import math
from typing import Any

import mujoco
import numpy as np

from equipoise.core.arrays import VecN
from equipoise.core.constants import GRAVITY
from equipoise.runs.walk.contacts import gait_from_contacts
from equipoise.runs.walk.effort import (
    effort,
    odometry_error,
    percentiles,
    torque_peak,
    walking_from,
)
from equipoise.runs.walk.fall import FALLS, FallWatch
from equipoise.runs.walk.goal_watch import goal_tolerance
from equipoise.runs.walk.goals import START, operator_goals
from equipoise.runs.walk.judge import WalkMargins, walk_numbers
from equipoise.runs.walk.numbers.control import control_numbers
from equipoise.runs.walk.numbers.identity import used_settings
from equipoise.runs.walk.numbers.way import WalkCommand, shortfalls, way_numbers
from equipoise.runs.walk.recovery import recovery_numbers
from equipoise.runs.walk.resolved import ResolvedWalk
from equipoise.runs.walk.staged import PUSH_LASTS
from equipoise.sim.run import Run
from equipoise.sim.world import World

__all__ = ["walk_summary"]


def walk_summary(
    walk: ResolvedWalk,
    world: World,
    run: Run,
    watch: FallWatch,
    margins: WalkMargins,
) -> dict[str, Any]:
    """Return all numbers of a walk, and the settings that were used.

    Args:
        walk: what was asked for, machine and controller.
        world: where it walked.
        run: what happened.
        watch: that says whether it fell.
        margins: at each sample.
    """
    config, machine, normal = walk.config, walk.machine, world.surface.normal
    how = fallen(world, run, watch)
    numbers = walk_numbers(
        run,
        margins,
        normal,
        forward=walk.forward,
        left=walk.aside,
        mass=machine.mass,
        torque=np.array([drive.torque for drive in machine.drives]),
        walks_until=config.walks_until,
        has_ramp=walk.has_ramp,
    )
    settings = config.settings_record() | {
        "machine": world.robot.name,
        "gait": walk.gait,
        "controller": walk.controller or walk.gait,
        "speed": walk.speed,
        **walk.parts(),
        "friction": world.config.friction,
        "payload": world.robot.payload,
        "mass": machine.mass,
    }
    if walk.walking is not None:
        settings["controller_settings"] = used_settings(walk.walking)
    if walk.settings:
        settings["controller_settings"] = dict(walk.settings)
        settings["tracking"] = walk.settings["tracking"]
    controlled = control_numbers(run, walk, settings, goal_tolerance(world))
    command = _command_of(walk, controlled["goal"], goal_tolerance(world))
    way = way_numbers(run, command, int(np.searchsorted(run.time, START - 1e-9)))
    return {
        "machine": world.robot.name,
        "gait": walk.gait,
        "terrain": str(world.terrain),
        "feet": list(world.robot.feet),
        "seed": config.seed,
        "fell": how != "no",
        "fell_how": None if how == "no" else how,
        "fell_at_s": None if how == "no" else float(run.time[-1]),
        "simulated_s": float(run.time[-1]),
        "way": way,
        "reasons": _reasons(how, float(run.time[-1]), shortfalls(way, command)),
        **numbers,
        "torque_peak": torque_peak(run, world, walking_from(run)),
        **_more_numbers(run, margins, walk, normal),
        "recovery": recovery_numbers(
            run.time,
            run.attitude,
            run.p_WB,
            run.touches,
            settings,
            fell=how != "no",
            start=START,
            lasts=PUSH_LASTS,
        ),
        **controlled,
        "settings": settings,
    }


def _command_of(
    walk: ResolvedWalk, goal: dict[str, Any] | None, near: float
) -> WalkCommand:
    """Return what the operator wants of a walk.

    Args:
        walk: what was asked for, machine and controller.
        goal: what is told of the place it was sent to; None for none.
        near: within which a machine told to stay has to stay [m].
    """
    config = walk.config
    is_pushed = config.push != 0.0 or config.force != 0.0
    says_itself = not walk.controller  # the caller's own controller
    is_told_speed = any(x is not None for x in (config.speed, config.ramp))
    only_turns = walk.turn != 0.0 and config.command is None and not is_told_speed
    forward = 0.0 if only_turns else walk.forward  # the usual speed is no order then
    left = config.left if only_turns else walk.aside
    return WalkCommand(
        goals=operator_goals(config, forward, left, walk.turn),
        limits=None if walk.walking is None else walk.walking.pilot,
        stays_within=None if is_pushed or says_itself else near,
        place_reached=None if goal is None else bool(goal["reached"]),
    )


def _reasons(how: str, end: float, short: list[str]) -> list[str]:
    """Return why a walk is not well, a sentence each; nothing where it is.

    Args:
        how: it fell, "no" if it did not.
        end: of the run [s].
        short: why it did not go where it was told.
    """
    return short if how == "no" else [f"It fell after {end:.2f} s ({how})."]


def fallen(world: World, run: Run, watch: FallWatch) -> str:
    """Return how a run's last state has fallen, "no" if it has not."""
    if not run.is_finite:
        return "numbers that are not finite"
    data = world.start()
    data.qpos[:] = run.qpos[-1]
    mujoco.mj_forward(world.model, data)
    return FALLS[watch.kind(data)]


def _more_numbers(
    run: Run, margins: WalkMargins, walk: ResolvedWalk, normal: VecN
) -> dict[str, Any]:
    """Return percentiles, effort, dead reckoning, size and the gait as feet had it."""
    machine = walk.machine
    speeds = np.array([drive.speed for drive in machine.drives])
    torques = np.array([drive.torque for drive in machine.drives])
    root = math.sqrt(GRAVITY * machine.height)
    begun = walking_from(run)
    return {
        "controller": walk.controller or walk.gait,
        "state": "sensors" if walk.config.sensors == "real" else "ideal",
        "assumed": list(walk.assumed),
        "warnings": list(walk.warnings),
        "loop_margin": walk.loop_margin,
        "waited_s": _waited(run),
        "unfit": [],
        "scale": {
            "mass_kg": machine.mass,
            "height_m": machine.height,
            "reach_m": float(machine.geometry.lengths.sum(axis=1).min()),
            "froude": (walk.speed / root) ** 2,
            "speed_star": walk.speed / root,
        },
        **percentiles(run, margins, normal, begun),
        **effort(run, torques, speeds, begun),
        "odometry_error_m": odometry_error(run, walk.forward, walk.aside),
        "gait_found": gait_from_contacts(run.time, run.touches, begun, machine.places),
    }


def _waited(run: Run) -> float:
    """Return for how long no foot was let lift, ground being too soft [s]."""
    if "waits" not in run.signals:
        return 0.0
    waits = np.nan_to_num(run.telemetry[:-1, run.signals.index("waits")])
    return float(np.diff(run.time) @ waits)
