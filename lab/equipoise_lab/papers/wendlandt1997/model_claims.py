"""Section 2 and the set-up of section 4: what follows from what is given."""

import math

import mujoco
import numpy as np

from equipoise.robots.biped.biped import BipedSize, biped, set_point
from equipoise.robots.robot import Robot
from equipoise_lab.papers.check import above, below, same
from equipoise_lab.papers.claim import Claim, compared, not_checkable, refuted, shown
from equipoise_lab.papers.wendlandt1997.held import held_at
from equipoise_lab.papers.wendlandt1997.setting import Printed

__all__ = ["model_claims", "start_claims"]

FULL = 1e-9  # least over largest singular value of a full rank; rounding is below 1e-14
LEVEL = 1e-6
"""Soles: four printed digits of a degree are 1e-6 rad, and three angles are added."""


def model_claims(printed: Printed) -> list[Claim]:
    """Return section 2's claims about the biped."""
    robot = biped()
    model = robot.model
    held = held_at(robot, np.array(model.key("start").qpos), np.zeros(model.nv))
    singular = np.linalg.svd(held.J_f, compute_uv=False)
    rank = int((singular > FULL * singular[0]).sum())
    return [
        compared(
            "2", "degrees of freedom with both feet on the ground",
            printed.freedoms_standing, model.nv - rank,
            "a count, exact: all freedoms less the rank of both feet's velocities, in"
            " the printed posture",
        ),
        not_checkable("2, Fig. 1", "masses, lengths, inertias, feet, axes", None,
            "none is printed. Ours are a human's of 1.72 m and 70 kg [Winter2009]. The"
            " mass was fitted: seven were tried and the one kept whose heels come down"
            " nearest to the printed times", ours="1.72 m, 70 kg"),
    ]  # fmt: skip


def start_claims(printed: Printed) -> list[Claim]:
    """Return what follows from section 4's set-up."""
    return [
        _soles_claim(printed, biped()),
        _axis_claim(printed),
        not_checkable(
            "4",
            "the vertical gain follows experiments on astronauts",
            "[9]",
            "a paper submitted in 1996 that gives no number here",
        ),
    ]


def _soles_claim(printed: Printed, robot: Robot) -> Claim:
    """Return that the printed angles and the printed lean put the soles level."""
    model = robot.model
    data = mujoco.MjData(model)
    data.qpos[:] = np.array(model.key("start").qpos)
    data.qpos[7:] = np.radians(_leg_angles(printed))
    half = 0.5 * math.radians(printed.start_lean_deg)
    data.qpos[3:7] = math.cos(half), 0.0, -math.sin(half), 0.0
    mujoco.mj_kinematics(model, data)
    feet = [data.xmat[b].reshape(3, 3) for b in (7, 13)]
    tilt = max(float(np.abs(R - np.eye(3)).max()) for R in feet)
    bottom = min(data.geom(name).xpos[2] for name in robot.feet)
    gap = 1e3 * float(bottom - 0.5 * BipedSize().length(0.039))
    return shown(
        "4",
        "it starts slightly above the ground with the printed angles and lean",
        "slightly above",
        f"soles level to {tilt:.0e}, {gap:.2f} mm up",
        below(tilt, LEVEL),
        "with pitch axes along +y the printed angles of a leg sum up to the printed"
        " lean, so both soles are level; the knees point to -x, and that is where it"
        " looks. How high is a matter of the body height, 1.72 m, which was chosen",
        tolerance=f"level to {LEVEL:g}; how high is not judged",
    )


def _leg_angles(printed: Printed) -> tuple[float, ...]:
    """Return both legs' angles: the right one's are printed, the left one is alike."""
    leg = (0.0, printed.angles_deg[4], *printed.angles_deg[5:])
    return (*leg, *leg)


def _axis_claim(printed: Printed) -> Claim:
    """Return the axis of the set quaternion, which contradicts the text."""
    quat = set_point(BipedSize())[1]
    given = np.array(printed.set_quat)
    axis = given[1:] / np.linalg.norm(given[1:])
    alike = float(np.abs(np.sort(np.abs(quat)) - np.sort(np.abs(given))).max())
    words = "+x -x +y -y +z -z".split()
    along = words[int(np.argmax([s * a for a in axis for s in (1, -1)]))]
    start = np.array(biped().model.key("start").qpos)[3:7]
    turned = float(np.abs(axis @ start[1:] / np.linalg.norm(start[1:])))
    return refuted(
        "4", "axis of the set quaternion", "-Y", along,
        [same(along != "-y", True), below(alike, 1e-8), above(1.0 - turned, 0.5)],
        f"({', '.join(f'{x:g}' for x in given)}) turns about {along}; about -Y the"
        " number stands one place further. The text says -Y, and the biped starts with"
        " a lean about -y", tolerance="-Y",
    )  # fmt: skip
