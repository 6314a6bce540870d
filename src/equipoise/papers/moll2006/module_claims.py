"""Sections II and V: the module, and the setting of the simulations."""

import inspect
from collections.abc import Sequence
from itertools import product
from typing import Any

import mujoco
import numpy as np

from equipoise.control.com.controller import ComController
from equipoise.control.com.laws.distance import DistanceConfig
from equipoise.control.com.laws.momentum import MomentumConfig
from equipoise.control.com.laws.pid import PidConfig
from equipoise.core.errors import EquipoiseError
from equipoise.papers.claim import Claim, compared, not_checkable, shown
from equipoise.papers.moll2006.setting import Printed
from equipoise.robots.assembly import Assembly, Connection, Ground, PlacedModule
from equipoise.robots.module_body import mating
from equipoise.robots.superbot import random_assembly, random_tree
from equipoise.robots.superbot_module import SuperbotModule
from equipoise.sim.world import WorldConfig

__all__ = ["module_claims", "setting_claims"]

EXACT = "a count, exact"
FACES_MEET = 1e-12
"""Rounding: two frames put together from some ten products of unit size [m]."""


def module_claims(printed: Printed) -> list[Claim]:
    """Return section II's claims about one module."""
    body = SuperbotModule().body()
    hinges = sum(joint.kind == "hinge" for joint in body.joints)
    return [
        compared("II", "revolute joints a module", printed.joints, hinges, EXACT),
        compared(
            "II", "connectors a module", printed.connectors, len(body.connectors), EXACT
        ),
        rotations_claim(printed),
        any_to_any_claim(printed),
        emulation_claim("M-TRAN", "mtran", 0.0),
        emulation_claim("CONRO", "conro", 90.0),
        not_checkable(
            "II",
            "processors a module, one in each half",
            2,
            "hardware; here each module is one program, which one processor can run",
        ),
    ]


def rotations_claim(printed: Printed) -> Claim:
    """Return the claim about the ways to put one connector on another."""
    turns = [mating(k).R @ mating(0).R.T for k in range(4)]
    angles = sorted(
        round(np.degrees(np.arctan2(R[1, 0], R[0, 0]))) % 360 for R in turns
    )
    return shown(
        "II",
        "rotations of a connector on another [degrees]",
        ", ".join(map(str, printed.rotation_deg)),
        ", ".join(map(str, angles)),
        tuple(angles) == printed.rotation_deg and len(angles) == printed.rotations,
        "read off the rotation matrices, whose entries are exact 0 and 1",
        tolerance=0.0,
    )


def any_to_any_claim(printed: Printed) -> Claim:
    """Return the claim that any connector holds any other: build all pairs."""
    built = sum(
        faces_meet(own, other, turn)
        for own, other, turn in product(
            range(printed.connectors), range(printed.connectors), range(4)
        )
    )
    return compared(
        "II",
        "pairs of modules joined by any connector, any connector, any rotation",
        printed.connectors**2 * printed.rotations,
        built,
        "every pair is built; faces must coincide and look at each other to 1e-12",
    )


def faces_meet(own: int, other: int, turn: int) -> bool:
    """Say whether two modules so joined can be built with their faces together."""
    straight = (0.0, 0.0, 0.0)
    stand = 0 if own != 0 else 3  # the face that stands on the ground is taken
    try:
        pair = Assembly(
            "pair",
            SuperbotModule(),
            (PlacedModule("one", straight), PlacedModule("two", straight)),
            (Connection(0, own, 1, other, turn),),
            Ground(0, stand),
        )
    except EquipoiseError:
        return False
    faces = pair.body.connector_poses(straight)
    X_WM = pair.module_poses()
    X_WC, X_WD = X_WM[0] @ faces[own], X_WM[1] @ faces[other]
    is_there = np.abs(X_WC.p - X_WD.p).max() < FACES_MEET
    return bool(is_there and np.abs(X_WC.R[:, 2] + X_WD.R[:, 2]).max() < FACES_MEET)


def emulation_claim(name: str, kind: str, expected: float) -> Claim:
    """Return the claim that a fixed roll joint makes another robot's module."""
    module = SuperbotModule(kind=kind)  # type: ignore[arg-type]
    body = module.body()
    poses = body.part_poses((0.0, body.joints[1].locked or 0.0, 0.0))
    first = poses[0].R @ body.joints[0].axis
    last = poses[2].R @ body.joints[2].axis
    between = float(np.degrees(np.arccos(np.clip(abs(first @ last), 0.0, 1.0))))
    left = sum(joint.locked is None for joint in body.joints)
    return compared(
        "II",
        f"angle between the hinges of an emulated {name} module [degrees]",
        expected,
        between,
        f"roll joint fixed, {left} joints left; an arc cosine near 1 keeps half the"
        " digits. The angle is that of the other robot, the paper says only that it"
        " can be emulated",
        tolerance=1e-6,
    )


def setting_claims(printed: Printed, seeds: Sequence[int]) -> list[Claim]:
    """Return section V's claims about what is simulated, checked on trees."""
    return [
        *tree_claims(printed, seeds),
        *mass_claims(printed),
        *law_claims(printed),
        not_checkable(
            "V, Fig. 3",
            "trees that were tested",
            printed.trees,
            "they are given as a picture, without connectors or rotations; ours are"
            f" random ones of the same kind, seeds {min(seeds)} to {max(seeds)}",
            ours=len(seeds),
        ),
    ]


def tree_claims(printed: Printed, seeds: Sequence[int]) -> list[Claim]:
    """Return the claims about the trees' shape, over all trees."""
    robots = [random_tree(seed=seed) for seed in seeds[:20]]
    plans = [random_assembly(seed=seed) for seed in seeds[:20]]
    modules = {len(plan.modules) for plan in plans}
    branches = {branches_of(plan, printed.branch_length) for plan in plans}
    freedoms = {int(robot.model.nv) for robot in robots}
    leans = [abs(1.0 - plan.module_poses()[0].R[2, 2]) for plan in plans]
    rooted = [is_fixed(robot.model, robot.base) for robot in robots]
    on_all = f"the same in {len(plans)} trees"
    return [
        compared("V", "modules a tree", printed.modules, only(modules), on_all),
        compared(
            "V", f"branches of {printed.branch_length} modules", printed.branches,
            only(branches), f"{on_all}; the first one begins with the root",
        ),
        compared("V", "degrees of freedom", printed.freedoms, only(freedoms), on_all),
        shown(
            "V",
            "root vertical and fixed to the ground",
            "always",
            f"{sum(rooted)} of {len(rooted)} fixed, lean up to {max(leans):.0e}",
            all(rooted) and max(leans) < FACES_MEET,
            "no joint between world and root, its long axis along z to rounding",
            tolerance=FACES_MEET,
        ),
    ]  # fmt: skip


def only(values: set[Any]) -> float:
    """Return the one value of a set; NaN, which equals nothing, if they differ."""
    return next(iter(values)) if len(values) == 1 else float("nan")


def branches_of(plan: Assembly, length: int) -> float:
    """Return into how many rows of ``length`` modules a plan falls; NaN if it does not.

    Modules are numbered in the order of growing: within a branch each hangs on the one
    before it.
    """
    holder = {c.b: c.a for c in plan.connections}
    count, rest = divmod(len(plan.modules), length)
    inside = [k for k in range(count * length) if k % length]
    is_row = rest == 0 and all(holder[k] == k - 1 for k in inside)
    return count if is_row else float("nan")


def is_fixed(model: mujoco.MjModel, base: str) -> bool:
    """Say whether no joint lies between the world and a body."""
    body = model.body(base).id
    while body:
        if model.body_jntnum[body]:
            return False
        body = int(model.body_parentid[body])
    return True


def mass_claims(printed: Printed) -> list[Claim]:
    """Return the claims about mass, and what motors could lift without the cut."""
    light, real = SuperbotModule(), SuperbotModule(mass_scale=1.0)
    share = light.body().mass((0.0,) * 3).mass / real.mass
    lifted = {m.mass_scale: modules_lifted(m) for m in (light, real)}
    return [
        compared(
            "V", "share of the real mass that is simulated", printed.mass_scale,
            float(share), "rounding of a sum of four parts", tolerance=1e-12,
        ),
        shown(
            "V",
            "with the real mass the motors cannot lift long chains",
            "cannot",
            f"{lifted[1.0]} modules in a level row with all of the mass, "
            f"{lifted[0.1]} with a tenth",
            lifted[1.0] < printed.branch_length <= lifted[0.1],
            "a joint's torque limit of 6.38 N m against the weight of a level row; the"
            " limit is an assumption, the paper gives none",
            tolerance="fewer than a branch of 5 lifted at full mass, 5 or more at a"
            " tenth",
        ),
    ]  # fmt: skip


def modules_lifted(module: SuperbotModule, gravity: float = 9.81) -> int:
    """Return how many modules in a level row a joint at the row's end can hold."""
    weight = module.mass * module.mass_scale * gravity
    length = 2.0 * (module.hinge_offset + module.front_offset)
    return int(np.sqrt(2.0 * module.torque_limit / (weight * length)))


def law_claims(printed: Printed) -> list[Claim]:
    """Return the claims about gains and the rate of control."""
    pid, far, swing = PidConfig(), DistanceConfig(), MomentumConfig()
    why = "the law's default, exact"
    names = ("proportional", "integral", "derivative")
    claims = [
        compared("V", f"nominal {name} gain", gain, getattr(pid, name), why)
        for name, gain in zip(names, printed.gains, strict=True)
    ]
    for label, config, constants, unit in (
        ("distance", far, printed.distance, "1/module width"),
        ("momentum", swing, printed.momentum, "1/(kg m)"),
    ):
        ours = (config.constant, config.slope)
        for name, theirs, own in zip(("c0", "c1"), constants, ours, strict=True):
            how = f"{why}; the unit, {unit}, is our reading, none is printed"
            claims.append(
                compared(
                    "V", f"{label} heuristic, {name}", theirs, own,
                    why if name == "c0" else how,
                )
            )  # fmt: skip
    period = inspect.signature(ComController).parameters["dt"].default
    rates = {round(1.0 / WorldConfig().timestep), round(1.0 / period)}
    claims.append(
        compared(
            "V", "desired torques a second", printed.rate_hz, only(rates),
            "period of the loop and of the simulation, both 1 ms",
        )
    )  # fmt: skip
    return claims
