"""Section 2 and the set-up of section 4: the model, its start, gains and block."""

import math

import mujoco
import numpy as np

from equipoise.control.workspace.balancer import BalancerConfig
from equipoise.papers.claim import Claim, compared, not_checkable, refuted, shown
from equipoise.papers.wendlandt1997.held import held_at
from equipoise.papers.wendlandt1997.setting import Printed
from equipoise.robots.biped import BipedSize, biped, set_point
from equipoise.robots.robot import Robot
from equipoise.runs.stand import PERIOD, StandConfig, thrown_blocks
from equipoise.sim.restitution import contact_damping, measured_restitution

__all__ = ["model_claims", "setting_claims"]

LB_KG, MPH_M_S = 0.45359237, 0.44704  # exact by definition
FULL = 1e-9  # least over largest singular value of a full rank; rounding is below 1e-14
LEG = ("hip", "knee", "ankle")
STEPS = (0.001, 0.0005, 0.0001)
"""Time steps at which restitution is measured [s]."""


def model_claims(printed: Printed) -> list[Claim]:
    """Return section 2's claims about the biped."""
    robot = biped()
    model = robot.model
    names = [model.joint(j).name for j in range(1, model.njnt)]
    held = held_at(robot, np.array(model.key("start").qpos), np.zeros(model.nv))
    singular = np.linalg.svd(held.J_f, compute_uv=False)
    rank = int((singular > FULL * singular[0]).sum())
    counts = [sum(f"left_{part}" in name for name in names) for part in LEG]
    first = [model.body(body).id for body in robot.legs]
    lead = [
        compared("2", "rigid bodies", printed.bodies, model.nbody - 1, "counted"),
        compared("2", "degrees of freedom", printed.freedoms, model.nv, "counted"),
        compared(
            "2", "degrees of freedom with both feet on the ground",
            printed.freedoms_standing, model.nv - rank,
            "18 less the rank of both feet's velocities, in the printed posture",
        ),
    ]  # fmt: skip
    legs = [
        compared("2", f"joints of the {part}", int(want), have, "counted")
        for part, want, have in zip(LEG, printed.joints_a_leg, counts, strict=True)
    ]
    numbers = [
        compared("2", f"number of the first link of the {side} leg", want, have, "same")
        for side, want, have in zip(
            ("left", "right"), printed.first_link, first, strict=True
        )
    ]
    absent = [
        not_checkable("2, Fig. 1", "masses, lengths, inertias, feet, axes", None,
            "none is printed. Ours are a human's of 1.72 m and 70 kg [Winter2009]. The"
            " mass was fitted: seven were tried and the one kept whose heels come down"
            " nearest to the printed times", ours="1.72 m, 70 kg"),
    ]  # fmt: skip
    return [*lead, *legs, *numbers, *absent]


def setting_claims(printed: Printed) -> list[Claim]:
    """Return section 4's claims about what is given, and what follows from it."""
    return [
        *world_claims(printed),
        *start_claims(printed, biped()),
        *gain_claims(printed),
        *set_point_claims(printed),
        *block_claims(printed),
    ]


def world_claims(printed: Printed) -> list[Claim]:
    """Return friction, restitution, gravity and rate."""
    config = StandConfig()
    found = [
        measured_restitution(contact_damping(printed.restitution, dt)[1], dt)
        for dt in STEPS
    ]
    told = ", ".join(
        f"{1e3 * dt:g} ms {e:.4f}" for dt, e in zip(STEPS, found, strict=True)
    )
    return [
        compared("4", "coefficient of friction", printed.friction, config.friction,
            "the default of a throw"),
        compared("4", "coefficient of restitution", printed.restitution,
            max(found, key=lambda e: abs(e - printed.restitution)),
            "the engine has damped springs, no restitution: their damping is found by"
            f" trial at each time step, the mean over arrivals; measured: {told}. One"
            " arrival at 0.5 ms can be 0.03 off. 1e-3: the search ends at 1e-4, and"
            " what it depends on is a mean over 32 arrivals", tolerance=1e-3),
        compared("4", "gravity [m/s²]", printed.gravity,
            float(-biped().model.opt.gravity[2]), "the engine's own"),
        compared("4", "calls of the controller a second", printed.rate_hz,
            round(1.0 / PERIOD, 9), "its period is 2 ms"),
    ]  # fmt: skip


def start_claims(printed: Printed, robot: Robot) -> list[Claim]:
    """Return where the biped starts."""
    model = robot.model
    qpos = np.array(model.key("start").qpos)
    lean = -2.0 * math.degrees(math.atan2(qpos[5], qpos[3]))
    angles = np.degrees(qpos[7:])[-len(printed.angles_deg) :]
    off = float(np.abs(angles - printed.angles_deg).max())
    data = mujoco.MjData(model)
    data.qpos[:] = qpos
    mujoco.mj_kinematics(model, data)
    feet = [data.xmat[b].reshape(3, 3) for b in (7, 13)]
    tilt = max(float(np.abs(R - np.eye(3)).max()) for R in feet)
    bottom = min(data.geom(name).xpos[2] for name in robot.feet)
    gap = 1e3 * float(bottom - 0.5 * BipedSize().length(0.039))
    return [
        compared("4", "height of the central body at the start [cm]", printed.start[2],
            100.0 * float(qpos[2]), "the body height of 1.72 m was chosen so that soles"
            " 1.7 mm up give the printed millimetre; no evidence of anything",
            tolerance=0.05),
        compared("4", "its lean at the start [degrees about -y]",
            printed.start_lean_deg, lean, "rounding of a sine", tolerance=1e-9),
        shown("4", "joint angles at the start [degrees]",
            "nine are left: " + ", ".join(f"{a:g}" for a in printed.angles_deg),
            "two legs of 0, 40, 0, -77.4595, 0, 42.4595", off < 1e-9,
            "the list's beginning is lost; the two legs being alike fills it up",
            tolerance="the nine that are left, to rounding"),
        shown("4", "the system is slightly above the ground", "slightly",
            f"{gap:.2f} mm, soles level to {tilt:.0e}", 0.0 < gap < 5.0 and tilt < 1e-6,
            "with pitch axes along +y the angles of a leg sum up to the lean; so the"
            " knees point to -x, and that is where it looks", tolerance="0 to 5 mm"),
    ]  # fmt: skip


def gain_claims(printed: Printed) -> list[Claim]:
    """Return the gains and the damping ratio that they are said to have."""
    config, z = BalancerConfig(), printed.damping_ratio
    pairs = list(zip(printed.position_gain, printed.position_damping, strict=True))
    ratios = [0.5 * k_v / math.sqrt(k_p) for k_p, k_v in pairs]
    # for a small turn by theta the error quaternion's vector is theta / 2
    w_n = math.sqrt(0.5 * printed.turning_gain)
    turning = 0.5 * printed.turning_damping / w_n
    is_same = (
        config.position_gain == printed.position_gain
        and config.position_damping == printed.position_damping
        and set(config.turning_gain) == {printed.turning_gain}
        and set(config.turning_damping) == {printed.turning_damping}
    )
    return [
        shown("4", "gains K_p and K_v", "50, 50, 200, 50; 7.07, 7.07, 14.142, 7.07",
            "the same" if is_same else "others", is_same, "the controller's defaults",
            tolerance=0),
        compared("4", "damping ratio of x, y and z", z,
            max(ratios, key=lambda r: abs(r - z)),
            "K_v / (2 √K_p); 7.07 for √50 is 1e-4 off", tolerance=1e-4),
        refuted("4", "damping ratio of the orientation", z, turning,
            abs(turning - z) > 0.2,
            "the error is the quaternion's vector, which is half of a small angle, so"
            f" the stiffness is K_p / 2 = {0.5 * printed.turning_gain:g}: natural"
            f" frequency {w_n:g} rad/s and K_v / (2 √(K_p / 2)) = {turning:.3f}",
            tolerance=1e-3),
        not_checkable("4", "the vertical gain follows experiments on astronauts", "[9]",
            "a paper submitted in 1996 that gives no number here"),
    ]  # fmt: skip


def set_point_claims(printed: Printed) -> list[Claim]:
    """Return the set point, whose quaternion contradicts the text."""
    place, quat = set_point(BipedSize())
    printed_quat = np.array(printed.set_quat)
    angle = math.degrees(2.0 * math.acos(printed_quat[0]))
    axis = printed_quat[1:] / np.linalg.norm(printed_quat[1:])
    off = float(np.abs(100.0 * place - printed.set_point).max())
    same = float(np.abs(np.sort(np.abs(quat)) - np.sort(np.abs(printed_quat))).max())
    words = "+x -x +y -y +z -z".split()
    along = words[int(np.argmax([s * a for a in axis for s in (1, -1)]))]
    return [
        compared("4", "set point, largest difference [cm]", 0.0, off,
            "rounding", tolerance=1e-9),
        compared("4", "angle of the set orientation [degrees]", printed.set_lean_deg,
            angle, "eight digits of a cosine near 0.99 leave 1e-5 degrees",
            tolerance=1e-5),
        refuted("4", "axis of the set quaternion", "-Y", along,
            along != "-y" and same < 1e-8,
            f"({', '.join(f'{x:g}' for x in printed_quat)}) turns about {along}; about"
            " -Y the number stands one place further. The text says -Y, and the biped"
            " starts with a lean about -y", tolerance="-Y"),
    ]  # fmt: skip


def block_claims(printed: Printed) -> list[Claim]:
    """Return the block."""
    (block,) = thrown_blocks(biped(), StandConfig())
    place = np.abs(100.0 * np.array(block.position) - printed.block_from).max()
    speed = np.abs(100.0 * np.array(block.velocity) - printed.block_velocity).max()
    minutes, seconds = printed.simulation_min_s
    return [
        compared("4", "mass of the block [kg]", printed.block_kg, block.mass, "given"),
        compared("4", "its start, largest difference [cm]", 0.0, float(place),
            "rounding", tolerance=1e-9),
        compared("4", "its velocity, largest difference [cm/s]", 0.0, float(speed),
            "rounding", tolerance=1e-9),
        compared("4", "its mass [lb]", printed.block_lb, printed.block_kg / LB_KG,
            "'approximately', and no decimals", tolerance=0.5),
        compared("4", "its speed [mph]", printed.block_mph, printed.speed / MPH_M_S,
            "'approximately', and no decimals", tolerance=0.5),
        compared("4", "34 minutes 26 seconds in seconds", printed.simulation_s,
            60 * minutes + seconds, "arithmetic"),
    ]  # fmt: skip
