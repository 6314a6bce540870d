"""What [Wendlandt1997] sets and we use too: the model's counts, start, gains, block."""

import math

import numpy as np

from equipoise.control.workspace.balancer import BalancerConfig
from equipoise.robots.biped.biped import BipedSize, biped, set_point
from equipoise.runs.stand.config import PERIOD, StandConfig
from equipoise.runs.stand.staged import thrown_blocks
from equipoise.sim.restitution import contact_damping, measured_restitution
from equipoise_lab.papers.settings import Setting, setting
from equipoise_lab.papers.wendlandt1997.setting import Printed

__all__ = ["shared_settings"]

LB_KG, MPH_M_S = 0.45359237, 0.44704  # exact by definition
LEG = ("hip", "knee", "ankle")


def shared_settings(printed: Printed) -> list[Setting]:
    """Return every setting.

    Args:
        printed: the paper's numbers.
    """
    return [
        *_model_settings(printed),
        *_world_settings(printed),
        *_start_settings(printed),
        *_gain_settings(printed),
        *_block_settings(printed),
    ]


def _model_settings(printed: Printed) -> list[Setting]:
    """Return what section 2 counts."""
    robot = biped()
    model = robot.model
    names = [model.joint(j).name for j in range(1, model.njnt)]
    first = [model.body(body).id for body in robot.legs]
    return [
        setting("2", "rigid bodies", printed.bodies, model.nbody - 1),
        setting("2", "degrees of freedom", printed.freedoms, model.nv),
        *(
            setting("2", f"joints of the {part}", int(want),
                    sum(f"left_{part}" in name for name in names))
            for part, want in zip(LEG, printed.joints_a_leg, strict=True)
        ),
        *(
            setting("2", f"number of the first link of the {side} leg", want, have)
            for side, want, have in zip(
                ("left", "right"), printed.first_link, first, strict=True
            )
        ),
    ]  # fmt: skip


def _world_settings(printed: Printed) -> list[Setting]:
    """Return restitution, friction, gravity and rate."""
    step = StandConfig().timestep
    ratio = contact_damping(printed.restitution, step)[1]
    bounce = measured_restitution(ratio, step)
    return [
        setting("4", "coefficient of restitution", printed.restitution,
                round(bounce, 4), "the engine has damped springs, no restitution: their"
                " damping was searched until the mean over 32 arrivals is this"),
        setting("4", "coefficient of friction", printed.friction,
                StandConfig().friction),
        setting("4", "gravity [m/s²]", printed.gravity,
                float(-biped().model.opt.gravity[2])),
        setting("4", "calls of the controller a second", printed.rate_hz,
                round(1.0 / PERIOD, 9)),
    ]  # fmt: skip


def _start_settings(printed: Printed) -> list[Setting]:
    """Return where the biped starts."""
    qpos = np.array(biped().model.key("start").qpos)
    lean = -2.0 * math.degrees(math.atan2(qpos[5], qpos[3]))
    angles = np.degrees(qpos[7:])[-len(printed.angles_deg) :]
    listed = ", ".join(f"{a:g}" for a in printed.angles_deg)
    return [
        setting("4", "height of the central body at the start [cm]", printed.start[2],
                round(100.0 * float(qpos[2]), 2), "the body height of 1.72 m was chosen"
                " so that soles 1.7 mm up give the printed millimetre"),
        setting("4", "its lean at the start [degrees about -y]",
                printed.start_lean_deg, lean),
        setting("4", "joint angles at the start that are left of the list [degrees]",
                listed, ", ".join(f"{a:g}" for a in np.round(angles, 9) + 0.0),
                "the list's beginning is lost; the two legs being alike fills it up"),
    ]  # fmt: skip


def _gain_settings(printed: Printed) -> list[Setting]:
    """Return gains and set point."""
    config = BalancerConfig()
    place, _ = set_point(BipedSize())
    rows = [
        ("K_p of x, y, z", printed.position_gain, config.position_gain),
        ("K_v of x, y, z", printed.position_damping, config.position_damping),
        ("K_p of the orientation", (printed.turning_gain,) * 3, config.turning_gain),
        ("K_v of the orientation", (printed.turning_damping,) * 3,
         config.turning_damping),
        ("set point [cm]", printed.set_point, tuple(100.0 * place)),
    ]  # fmt: skip
    found = [
        setting("4", name, _told(theirs), _told(ours)) for name, theirs, ours in rows
    ]
    angle = math.degrees(2.0 * math.acos(printed.set_quat[0]))
    found.append(
        setting("4", "angle of the set orientation [degrees]", printed.set_lean_deg,
                _turn_of_set_point(), f"the printed quaternion turns by {angle:.5f}")
    )  # fmt: skip
    return found


def _turn_of_set_point() -> float:
    """Return by how much our set orientation is turned [degrees]."""
    quat = set_point(BipedSize())[1]
    return round(math.degrees(2.0 * math.acos(quat[0])), 9)


def _told(values: tuple[float, ...]) -> str:
    """Return numbers in a row."""
    return ", ".join(f"{float(x):g}" for x in values)


def _block_settings(printed: Printed) -> list[Setting]:
    """Return the block."""
    (block,) = thrown_blocks(biped(), StandConfig())
    pounds, miles = printed.block_kg / LB_KG, printed.speed / MPH_M_S
    return [
        setting("4", "mass of the block [kg]", printed.block_kg, block.mass,
                f"{pounds:.2f} lb, printed as approximately {printed.block_lb:g}"),
        setting("4", "its start [cm]", _told(printed.block_from),
                _told(tuple(100.0 * x for x in block.position))),
        setting("4", "its velocity [cm/s]", _told(printed.block_velocity),
                _told(tuple(100.0 * x for x in block.velocity)),
                f"{miles:.2f} mph, printed as approximately {printed.block_mph:g}"),
    ]  # fmt: skip
