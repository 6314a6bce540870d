"""What chapter 5 of [Ridderstrom2003] sets and we use too: tables 5.1, 5.2, 6.1."""

import numpy as np

from equipoise.control.legs import EllipseConfig, EllipseMotion
from equipoise.control.records import LegAim
from equipoise.core.arrays import Array
from equipoise.core.setting import described_settings
from equipoise.robots.drives import Drive
from equipoise.robots.legs import leg_angles, leg_geometry
from equipoise.robots.warp1.options import Warp1Options
from equipoise.robots.warp1.warp1 import (
    FOOT_RADIUS,
    HIP_DRIVE,
    LIMB_DRIVE,
    SHANK,
    THIGH,
    warp1,
)
from equipoise.sim.ground import GROUNDS
from equipoise.sim.machine.bus import bus_figures
from equipoise.sim.machine.sensors import SensorConfig
from equipoise_lab.papers.ridderstrom2003.part2.bench import current_rise
from equipoise_lab.papers.ridderstrom2003.part2.setting import PRINTED, Joint
from equipoise_lab.papers.settings import Setting, setting

__all__ = ["shared_settings"]

JOINTS = ("hip_roll", "hip_pitch", "knee")
SAMPLES = 1000
"""Of an ellipse: speeds by differences are good to a thousandth."""


def shared_settings() -> list[Setting]:
    """Return every setting."""
    return [
        *_body_settings(),
        *_drive_settings("hip abduction", PRINTED.aside, HIP_DRIVE),
        *_drive_settings("hip flexion and knee", PRINTED.forward, LIMB_DRIVE),
        *_sensor_settings(),
        *_ground_settings(),
        setting("5.2.1, fig. 5.5", "bits of data in a sample", PRINTED.bits[0],
                bus_figures(PRINTED.full_rate).data_bits,
                "the messages' sizes are not printed; ours were chosen by this sum"),
        *_ellipse_settings(),
    ]  # fmt: skip


def _ellipse_settings() -> list[Setting]:
    """Return the speeds that the ellipse of section 5.4 was made from."""
    period = PRINTED.periods[0]
    why = "the ellipse's size is not printed; ours was chosen so that"
    return [
        setting("5.4, fig. 5.8", "speed of the foot below the hip, 1 s [m/s]",
                PRINTED.foot_speeds[0], round(asked_foot_speed(period), 3),
                f"{why} this comes out"),
        setting("5.4, fig. 5.8", "largest speed of the hip, 1 s [rad/s]",
                PRINTED.hip_speeds[0], round(asked_hip_speed(period), 3),
                f"{why} this comes out to half a unit"),
    ]  # fmt: skip


def asked_foot_speed(period: float) -> float:
    """Return the speed of the ellipse's reference at its lowest place [m/s].

    Args:
        period: of the ellipse [s].
    """
    places = _aims(period)
    speeds = np.linalg.norm(np.gradient(places, period / len(places), axis=0), axis=1)
    return float(speeds[1:-1][np.argmin(places[1:-1, 2])])


def asked_hip_speed(period: float) -> float:
    """Return the hip's largest speed along the ellipse's reference [rad/s].

    Args:
        period: of the ellipse [s].
    """
    legs, places = leg_geometry(warp1()), _aims(period)
    angles = np.zeros((len(places), 12))
    for place, row in zip(places, angles, strict=True):
        leg_angles(np.tile(place, (4, 1)), legs.lengths, legs.bend, row)
    rates = np.gradient(angles[:, 1], period / len(places))
    return float(np.abs(rates[1:-1]).max())


def _aims(period: float) -> Array:
    """Return where the front left foot should be over a period, (n, 3) [m]."""
    motion, aim = EllipseMotion(EllipseConfig(period=period)), LegAim.zeros(4, joints=3)
    places = []
    for time in np.arange(SAMPLES) * period / SAMPLES:
        motion.write(float(time), aim)
        places.append(np.array(aim["place"][0]))
    return np.array(places)


def _body_settings() -> list[Setting]:
    """Return lengths, workspaces and where the legs hang."""
    p, model = PRINTED, warp1().model
    ranges = np.degrees([model.joint(f"front_left_{name}").range for name in JOINTS])
    hips = described_settings(Warp1Options)["leg_spacing"]
    spaced = f"{hips.about.least:g} to {hips.about.most:g}, usually {hips.default:g}"
    return [
        setting("5.1.2, table 5.1", "thigh and shank [m]",
                f"{p.lengths[1]:g}, {p.lengths[2]:g}", f"{THIGH:g}, {SHANK:g}"),
        setting("5.1.4", "diameter of a foot's pad [m]", p.pad_diameter,
                2.0 * FOOT_RADIUS),
        setting("5.1.1", "from front to rear legs [m]",
                f"{p.spacing[0]:g} to {p.spacing[1]:g}, usually as far as possible",
                spaced, "table 6.4 has 0.62 m, which is usual here"),
        *(
            setting("5.1.3, table 5.2", f"workspace of the {name} [°]",
                    f"{low:g} to {high:g}", f"{ours[0]:g} to {ours[1]:g}")
            for name, (low, high), ours in zip(
                ("hip, abduction", "hip, flexion", "knee"), p.workspaces,
                np.round(ranges, 9), strict=True
            )
        ),
    ]  # fmt: skip


def _drive_settings(name: str, joint: Joint, drive: Drive) -> list[Setting]:
    """Return a column of table 5.2 beside our drive."""
    place = f"5.1.3, table 5.2, {name}"
    rise = drive.resistance * drive.inertia / drive.torque_constant**2
    fast = "48 V over K; K is taken from the torque"
    return [
        setting(place, "torque at 5 A [N m]", joint.torque, drive.torque),
        setting(place, "speed at 48 V [rad/s]", joint.speed, round(drive.speed, 3),
                fast if round(drive.speed, 3) != joint.speed else ""),
        setting(place, "inertia of motor and gear [kg m²]", joint.inertia,
                drive.inertia),
        setting(place, "rise time of the speed at constant voltage [ms]",
                joint.speed_rise, round(1e3 * rise, 2),
                "R is not printed and was chosen for this time, to two digits"),
        setting(place, "rise time of the current [ms]", joint.current_rise,
                round(1e3 * current_rise(drive), 2)),
        setting(place, "joint stiffness without rubber spring [N m/rad]",
                PRINTED.stiffness, drive.stiffness,
                "used where drives are simulated as elastic"),
    ]  # fmt: skip


def _sensor_settings() -> list[Setting]:
    """Return the encoders' steps."""
    p, sensors = PRINTED, SensorConfig()

    def steps(values: tuple[float, ...]) -> str:
        return ", ".join(f"{1e3 * x:g}" if x else "none" for x in values)

    return [
        setting("5.1.3, table 5.2", "encoder steps, motor shaft [mrad]",
                steps(p.motor_encoder), steps(sensors.motor_encoder)),
        setting("5.1.3, table 5.2", "encoder steps, joint shaft [mrad]",
                steps(p.joint_encoder), steps(sensors.joint_encoder)),
    ]  # fmt: skip


def _ground_settings() -> list[Setting]:
    """Return both rows of table 6.1."""
    return [
        setting("6.1.2, table 6.1", f"{name}: k_z, d_z, friction, d_h",
                ", ".join(f"{x:g}" for x in theirs),
                ", ".join(f"{x:g}" for x in (law.stiffness, law.damping, law.friction,
                                             law.creep)))
        for name, theirs, law in (
            ("weakly damped", PRINTED.weak, GROUNDS["weak"]),
            ("heavily damped", PRINTED.heavy, GROUNDS["heavy"]),
        )
    ]  # fmt: skip
