"""What [Moll2006] sets and we use too: the module, trees, masses, gains, rate."""

import inspect
from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np

from equipoise.control.com.controller import ComController
from equipoise.control.com.laws.distance import DistanceConfig
from equipoise.control.com.laws.momentum import MomentumConfig
from equipoise.control.com.laws.pid import PidConfig
from equipoise.robots.assembly.assembly import Assembly
from equipoise.robots.assembly.module import SuperbotModule
from equipoise.robots.assembly.module_body import mating
from equipoise.robots.superbot.superbot import random_assembly, random_tree
from equipoise.sim.world import WorldConfig
from equipoise_lab.papers.moll2006.setting import Printed
from equipoise_lab.papers.settings import Setting, setting

__all__ = ["shared_settings"]

LEVEL = 1e-12  # rounding of a rotation


def shared_settings(printed: Printed, seeds: Sequence[int]) -> list[Setting]:
    """Return every setting.

    Args:
        printed: the paper's numbers.
        seeds: of the trees that ours are read off.
    """
    return [
        *_module_settings(printed),
        *_tree_settings(printed, seeds),
        *_law_settings(printed),
    ]


def _module_settings(printed: Printed) -> list[Setting]:
    """Return the module's joints and connectors, section II."""
    body = SuperbotModule().body()
    turns = [mating(k).R @ mating(0).R.T for k in range(printed.rotations)]
    angles = sorted(
        round(np.degrees(np.arctan2(R[1, 0], R[0, 0]))) % 360 for R in turns
    )
    hinges = sum(joint.kind == "hinge" for joint in body.joints)
    return [
        setting("II", "revolute joints a module", printed.joints, hinges),
        setting("II", "connectors a module", printed.connectors, len(body.connectors)),
        setting(
            "II",
            "rotations of a connector on another [degrees]",
            ", ".join(map(str, printed.rotation_deg)),
            ", ".join(map(str, angles)),
        ),
    ]


def _tree_settings(printed: Printed, seeds: Sequence[int]) -> list[Setting]:
    """Return the trees' shape, section V, read off the trees that are balanced."""
    robots = [random_tree(seed=seed) for seed in seeds[:20]]
    plans = [random_assembly(seed=seed) for seed in seeds[:20]]
    light, real = SuperbotModule(), SuperbotModule(mass_scale=1.0)
    share = light.body().mass((0.0,) * 3).mass / real.mass
    rooted = [
        _is_fixed(robot.model, robot.base)
        and abs(1.0 - plan.module_poses()[0].R[2, 2]) < LEVEL
        for robot, plan in zip(robots, plans, strict=True)
    ]
    branches = {_branches_of(plan, printed.branch_length) for plan in plans}
    return [
        setting("V", "modules a tree", printed.modules,
                _only({len(plan.modules) for plan in plans})),
        setting("V", f"branches of {printed.branch_length} modules", printed.branches,
                _only(branches)),
        setting("V", "degrees of freedom", printed.freedoms,
                _only({int(robot.model.nv) for robot in robots})),
        setting("V", "root vertical and fixed to the ground", "always",
                "always" if all(rooted) else "not always"),
        setting("V", "share of the real mass that is simulated", printed.mass_scale,
                float(share)),
        setting("V, Fig. 3", "trees that are tested", printed.trees, len(seeds),
                "theirs are a picture, without connectors or rotations; ours are"
                f" random ones of the same kind, seeds {min(seeds)} to {max(seeds)}"),
    ]  # fmt: skip


def _only(values: set[Any]) -> Any:
    """Return the one value of a set, or all of them in words."""
    return next(iter(values)) if len(values) == 1 else str(sorted(values, key=str))


def _branches_of(plan: Assembly, length: int) -> int | None:
    """Return into how many rows of ``length`` modules a plan falls; None for none.

    Modules are numbered in the order of growing: within a branch each hangs on the one
    before it.
    """
    holder = {c.b: c.a for c in plan.connections}
    count, rest = divmod(len(plan.modules), length)
    inside = [k for k in range(count * length) if k % length]
    is_row = rest == 0 and all(holder[k] == k - 1 for k in inside)
    return count if is_row else None


def _is_fixed(model: mujoco.MjModel, base: str) -> bool:
    """Return whether no joint lies between the world and a body."""
    body = model.body(base).id
    while body:
        if model.body_jntnum[body]:
            return False
        body = int(model.body_parentid[body])
    return True


def _law_settings(printed: Printed) -> list[Setting]:
    """Return gains and the rate of control, the laws' defaults."""
    pid, far, swing = PidConfig(), DistanceConfig(), MomentumConfig()
    names = ("proportional", "integral", "derivative")
    found = [
        setting("V", f"nominal {name} gain", gain, getattr(pid, name))
        for name, gain in zip(names, printed.gains, strict=True)
    ]
    for label, config, constants, unit in (
        ("distance", far, printed.distance, "1/module width"),
        ("momentum", swing, printed.momentum, "1/(kg m)"),
    ):
        first, slope = constants
        note = f"the unit, {unit}, is our reading, none is printed"
        found += [
            setting("V", f"{label} heuristic, c0", first, config.constant),
            setting("V", f"{label} heuristic, c1", slope, config.slope, note),
        ]
    period = inspect.signature(ComController).parameters["dt"].default
    rates = {round(1.0 / WorldConfig().timestep), round(1.0 / period)}
    found.append(
        setting("V", "desired torques a second", printed.rate_hz, _only(rates))
    )
    return found
