"""Sections II and V: what a module and its motors can do."""

from itertools import product

import numpy as np

from equipoise.core.constants import GRAVITY
from equipoise.core.errors import EquipoiseError
from equipoise.robots.assembly.assembly import (
    Assembly,
    Connection,
    Ground,
    PlacedModule,
)
from equipoise.robots.assembly.module import SuperbotModule
from equipoise_lab.papers.check import at_least, below, near
from equipoise_lab.papers.claim import Claim, compared, not_checkable, shown
from equipoise_lab.papers.moll2006.setting import Printed

__all__ = ["module_claims", "strength_claim"]

FACES_MEET = 1e-12
"""Rounding: two frames put together from some ten products of unit size [m]."""
TURNS = 721  # of the roll joint, half a degree apart
ARCS = 1e-6
"""An arc cosine near 1 keeps half the digits [degrees]."""


def module_claims(printed: Printed) -> list[Claim]:
    """Return section II's claims about one module."""
    return [
        any_to_any_claim(printed),
        *emulation_claims(),
        not_checkable(
            "II",
            "processors a module, one in each half",
            2,
            "hardware; here each module is one program, which one processor can run",
        ),
    ]


def any_to_any_claim(printed: Printed) -> Claim:
    """Return the claim that any connector holds any other: build all pairs."""
    built = sum(
        _faces_meet(own, other, turn)
        for own, other, turn in product(
            range(printed.connectors), range(printed.connectors), range(4)
        )
    )
    return compared(
        "II",
        "pairs of modules joined by any connector, any connector, any rotation",
        printed.connectors**2 * printed.rotations,
        built,
        "a count, exact: every pair is built; faces must coincide and look at each"
        " other to 1e-12 m",
    )


def _faces_meet(own: int, other: int, turn: int) -> bool:
    """Return whether two modules so joined can be built with their faces together."""
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


def hinge_angles() -> np.ndarray:
    """Return the angle between both hinges over the range of the roll joint [°]."""
    body = SuperbotModule().body()
    roll = body.joints[1]
    found = []
    for turn in np.linspace(roll.lower, roll.upper, TURNS):
        poses = body.part_poses((0.0, float(turn), 0.0))
        cosine = poses[0].R @ body.joints[0].axis @ (poses[2].R @ body.joints[2].axis)
        found.append(np.degrees(np.arccos(np.clip(abs(cosine), 0.0, 1.0))))
    return np.array(found)


def emulation_claims() -> list[Claim]:
    """Return the claims that a fixed roll joint makes other robots' modules."""
    angles = hinge_angles()
    how = (
        f"the roll joint is tried at {TURNS} angles of its range. What the other"
        " robot's hinges make with each other is that robot's, the paper says only"
        " that a SuperBot module can be it; an arc cosine keeps half the digits"
    )
    return [
        shown(
            "II", "M-TRAN emulated: least angle between the hinges [degrees]",
            "parallel hinges", float(angles.min()), near(angles.min(), 0.0, ARCS), how,
            tolerance=ARCS,
        ),
        shown(
            "II", "CONRO emulated: largest angle between the hinges [degrees]",
            "crossed hinges", float(angles.max()), near(angles.max(), 90.0, ARCS), how,
            tolerance=ARCS,
        ),
    ]  # fmt: skip


def strength_claim(printed: Printed) -> Claim:
    """Return what the motors could lift without the cut of the mass."""
    light, real = SuperbotModule(), SuperbotModule(mass_scale=1.0)
    few, many = modules_lifted(real), modules_lifted(light)
    return shown(
        "V",
        "with the real mass the motors cannot lift long chains",
        "cannot",
        f"{few} modules in a level row with all of the mass, {many} with a tenth",
        [below(few, printed.branch_length), at_least(many, printed.branch_length)],
        "a joint's torque limit of 6.38 N m against the weight of a level row; the"
        " limit is an assumption, the paper gives none",
        tolerance="fewer than a branch of 5 lifted at full mass, 5 or more at a tenth",
    )


def modules_lifted(module: SuperbotModule, gravity: float = GRAVITY) -> int:
    """Return how many modules in a level row a joint at the row's end can hold."""
    weight = module.mass * module.mass_scale * gravity
    length = 2.0 * (module.hinge_offset + module.front_offset)
    return int(np.sqrt(2.0 * module.torque_limit / (weight * length)))
