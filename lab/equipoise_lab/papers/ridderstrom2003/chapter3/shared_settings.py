"""What chapter 3 of [Ridderstrom2003] says of how machines are built, and ours."""

import numpy as np

from equipoise.control.balance.two_step import TwoStepConfig
from equipoise.control.balance.vertical import VerticalConfig
from equipoise.control.leg_programs.quintic import QuinticConfig
from equipoise.control.modes import MODES
from equipoise.robots.load import load
from equipoise.runs.about import about
from equipoise.sim.machine.foot_sensors import FootSensorConfig
from equipoise.sim.machine.plant import MachineConfig
from equipoise_lab.papers.ridderstrom2003.chapter3.setting import NAMES, PRINTED
from equipoise_lab.papers.settings import Setting, setting

__all__ = ["shared_settings"]

RATE = 1.0 / MachineConfig().period
"""At which our controllers run [1/s]."""


def shared_settings() -> list[Setting]:
    """Return every setting."""
    servo, piece, leg = PRINTED.periods
    period, planning = MachineConfig().period, QuinticConfig().piece
    size = about("asv")["size_m"]
    return [
        *_mass_settings(),
        *_leg_settings(),
        setting(
            "3.1", "length of a TITAN's leg [m]", PRINTED.leg, _longest_leg("titan6"),
            "from hip to foot as far as it reaches; with linkages for slides there is"
            " no other length",
        ),
        setting(
            "3.1.1", "rate of TITAN III's references [1/s]", PRINTED.level_c, RATE,
            "all our controllers run at one rate",
        ),
        setting(
            "3.2, fig. 3.9", "length, width and height of the ASV [m]",
            _said(PRINTED.outside), _said(size),
            "its pictures are as large; what touches the ground is smaller",
        ),
        *_small_settings(),
        setting("3.2.1", "scans of the ground ahead [1/s]", PRINTED.scans,
                FootSensorConfig().scan_rate),
        setting(
            "3.2.1", "time in which a drive responds [s]", PRINTED.response,
            load("asv").drives[0].current_rise,
            f"motors stand for hydraulics, printed are also {PRINTED.bandwidth:g} Hz of"
            " velocity control",
        ),
        setting(
            "3.2.1", "resonance of the trunk about some axis [1/s]", PRINTED.resonance,
            None, "our legs do not give way",
        ),
        setting("3.2.2", "operating modes", PRINTED.modes, len(MODES)),
        setting("3.2.2", "period of the trunk servo [s]", servo, TwoStepConfig().period,
                "it can be as slow, see the claim"),
        setting("3.2.2", "period of leg trajectories [s]", piece, planning),
        setting("3.2.2", "period of the leg servo [s]", leg, period,
                "all our controllers run at one rate"),
        *_ralphy_settings(),
    ]  # fmt: skip


def _small_settings() -> list[Setting]:
    """Return the sizes of SAP, Thing and the TUM hexapod."""
    sizes = {name: about(name)["size_m"] for name in ("sap", "thing", "tum")}
    thing, tum = load("thing"), load("tum")
    other = "legs and hips are not printed, so that ours are of this size roughly"
    return [
        setting("3.2.2, fig. 3.12", "length, width and height of SAP [m]",
                _said(PRINTED.sap_size), _said(sizes["sap"]), other),
        setting("3.3", "height of Thing [m]", PRINTED.thing_size[0],
                round(sizes["thing"][2], 9), other),
        setting("3.3", "mass of Thing, about [kg]", PRINTED.thing_size[1],
                round(float(thing.model.body_mass.sum()), 9)),
        setting("3.3", "servos of Thing", PRINTED.servos, thing.model.nu),
        setting("3.4, fig. 3.24", "length, width and height of the TUM hexapod, about"
                " [m]", _said(PRINTED.tum_size), _said(sizes["tum"]), other),
        setting("3.4", "mass of the TUM hexapod, about [kg]", PRINTED.tum_mass,
                round(float(tum.model.body_mass.sum()), 9)),
    ]  # fmt: skip


def _ralphy_settings() -> list[Setting]:
    """Return how RALPHY is built."""
    robot, (length, mass) = load("ralphy"), PRINTED.ralphy_leg
    torque, valve = PRINTED.ralphy_bandwidths
    drive, q = robot.drives[0], VerticalConfig().dip
    limbs = [
        f"{robot.legs[0].removesuffix('hip')}{limb}" for limb in ("thigh", "shank")
    ]
    model = robot.model
    ours = float(model.body_subtreemass[model.body(robot.legs[0]).id])
    far = -float(model.body(limbs[1]).pos[2] + model.geom(robot.feet[0]).pos[2])
    return [
        setting("3.2.3", "length of a leg of RALPHY [m]", length, round(far, 9)),
        setting("3.2.3", "mass of a leg of RALPHY [kg]", mass, round(ours, 9)),
        setting("3.2.4", "bandwidth of its torques [Hz]", torque, drive.bandwidth),
        setting("3.2.4", "bandwidth of its valves [Hz]", valve, drive.valve,
                "a part of the torques'"),
        setting("3.2.4", "q of its force references", PRINTED.ralphy_dip, q),
    ]  # fmt: skip


def _mass_settings() -> list[Setting]:
    """Return what each machine weighs."""
    return [
        setting(
            "3.2, fig. 3.9" if name == "asv" else "3.1",
            f"mass of {NAMES[name]} [kg]",
            printed,
            round(float(load(name).model.body_mass.sum()), 9),
        )
        for name, printed in PRINTED.masses
    ]


def _leg_settings() -> list[Setting]:
    """Return how many legs each has, and how many joints a leg of the ASV."""
    counts = [
        setting(
            "3.2" if name == "asv" else "3.1",
            f"legs of {NAMES[name]}",
            printed,
            len(load(name).legs),
        )
        for name, printed in PRINTED.legs
    ]
    joints = about("asv")["legs"]["joints_each"]
    where, what = "3.2.1", "degrees of freedom of a leg of the ASV"
    return [*counts, setting(where, what, PRINTED.freedom, joints)]


def _longest_leg(name: str) -> float:
    """Return how far a foot goes down from its hip [m]."""
    robot = load(name)
    start = np.array(robot.model.key("start").qpos)
    return float(start[2] - robot.model.joint("front_left_up").range[0])


def _said(values: tuple[float, ...] | list[float]) -> str:
    """Return numbers with crosses between them."""
    return " x ".join(f"{value:.1f}" for value in values)
