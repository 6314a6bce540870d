"""Posture controller: hold a legged machine's height, roll and pitch on any ground.

Force control along the trunk's upright axis, position control of the feet across it,
[Ridderstrom2003] section 11.2. It knows nothing of the ground, which may be tilted or
even rock, and reads the machine's own sensors only. A planar model of the same law and
the gains at which it falls are in ``stability.posture``.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Literal, NamedTuple, final

import numpy as np

from equipoise.control.joints.motor import JointMotors, MotorConfig, motor_volts, motors
from equipoise.control.legs.law import LegLaw, LegLawConfig, leg_law
from equipoise.control.observer.attitude import AttitudeConfig, AttitudeObserver
from equipoise.control.observer.inertial import read_trunk
from equipoise.control.observer.legs import first_estimate, read_legs
from equipoise.control.posture.tick import (
    PostureMemory,
    PostureReport,
    PostureSettings,
    find_wrench,
    press_feet,
    report_posture,
    share_wrench,
)
from equipoise.control.records import (
    LegAim,
    LegEstimate,
    SharedLoad,
    TrunkEstimate,
)
from equipoise.core.arrays import VecN
from equipoise.core.bound import cached_dispatch
from equipoise.core.constants import GRAVITY
from equipoise.core.contracts import Command, Readings
from equipoise.core.records import Records, copied, pooled_empty_like
from equipoise.core.setting import Setting, Settings
from equipoise.robots.legs import LegGeometry, leg_geometry
from equipoise.robots.robot import Robot

__all__ = [
    "PostureController",
    "PostureControllerConfig",
    "PostureReference",
    "PostureState",
    "posture_controller",
]

TRUNK, REPORT = TrunkEstimate.zeros(), PostureReport.zeros()
"""Whose like is made at every tick."""
PostureReference = Callable[[float], tuple[float, float, float]]
"""From time [s] to roll, pitch [rad] and rise above the height at the start [m]."""
Sharing = Literal["printed", "consistent"]
Weight = Literal["printed", "plumb"]
HeightOf = Literal["trunk", "hips"]
Feet = Literal["printed", "plumb"]
Axis = tuple[float, float, float]


def _slow_start() -> AttitudeConfig:
    """Return an attitude observer that is not misled while it finds offsets."""
    return AttitudeConfig(start_rate=2.0, start_bias_rate=1.0)


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class PostureControllerConfig(Settings):
    """Gains and rules; defaults suit WARP1 with its drives, at 500 Hz and 2 ms late.

    Raises:
        ConfigError: a gain that is negative or not finite, or a rule that there is not.
    """

    height: Annotated[
        Axis,
        Setting("Gains k_P, k_D and k_I of the height", "N/m,N s/m,N/(m s)", least=0.0),
    ] = (40_000.0, 8000.0, 10_000.0)
    roll: Annotated[
        Axis,
        Setting(
            "Gains k_α, d_α and k_I of roll", "N m/rad,N m s/rad,N m/(rad s)", least=0.0
        ),
    ] = (4000.0, 600.0, 1000.0)
    pitch: Annotated[
        Axis,
        Setting(
            "Gains k_α, d_α and k_I of pitch",
            "N m/rad,N m s/rad,N m/(rad s)",
            least=0.0,
        ),
    ] = (9000.0, 1200.0, 2000.0)
    most: Annotated[
        Axis,
        Setting(
            "Largest effect of the integrals of height, roll and pitch",
            "N,N m,N m",
            least=0.0,
        ),
    ] = (200.0, 60.0, 60.0)
    leg_stiffness: Annotated[
        float,
        Setting(
            "Stiffness k_L of a foot across the trunk's upright axis", "N/m", least=0.0
        ),
    ] = 4000.0
    leg_damping: Annotated[
        float,
        Setting(
            "Damping d_L of a foot across the trunk's upright axis", "N s/m", least=0.0
        ),
    ] = 700.0
    sharing: Annotated[
        Sharing,
        Setting(
            "Rule by which legs share force and moment, see "
            "`control.forces.distribution`"
        ),
    ] = "consistent"
    weight: Annotated[
        Weight,
        Setting(
            "Direction in which the weight is carried: the trunk's own axis, as "
            "printed, or the true vertical"
        ),
    ] = "plumb"
    height_of: Annotated[
        HeightOf,
        Setting(
            "Height that is controlled: that of the trunk over the mean of the feet "
            "along its own axis, or that of the hips"
        ),
    ] = "trunk"
    feet: Annotated[
        Feet,
        Setting(
            "Place where feet are held: straight below the hips along the trunk's own "
            "axis, as printed, or where those of a level trunk are, see "
            "`control.posture.reference`"
        ),
    ] = "plumb"
    reference_rate: Annotated[
        float,
        Setting(
            "Rate p at which references are followed; 0 takes them as they come",
            "1/s",
            least=0.0,
        ),
    ] = 8.0
    least_load: Annotated[
        float,
        Setting(
            "Load that no foot goes below where legs share consistently", "N", least=0.0
        ),
    ] = 5.0
    knock_amplitude: Annotated[
        float,
        Setting(
            "Amplitude of the torque that shakes static friction loose",
            "N m",
            least=0.0,
        ),
    ] = 1.0
    knock_frequency: Annotated[
        float, Setting("Frequency of that torque", "1/s", above=0.0)
    ] = 40.0
    attitude: AttitudeConfig = field(default_factory=_slow_start)
    """Settings of the attitude observer; its start is slow, because the ground may
    move from the first moment on."""
    motor: MotorConfig = field(default_factory=MotorConfig)
    """Settings of the joint level."""


def _stay(_time: float) -> tuple[float, float, float]:
    """Return the reference of a trunk that stays level and as high as it was."""
    return 0.0, 0.0, 0.0


class PostureState(NamedTuple):
    """State of the controller between ticks."""

    memory: Records[PostureMemory]
    """(1,)."""
    legs: Records[LegEstimate]
    """What was known of the legs, (nl,)."""
    integrals: VecN
    """Of the current controllers, (nu,) [V]."""


@final
@dataclass(frozen=True, eq=False)
class PostureController:
    """Controller of a machine's posture; see ``posture_controller``.

    A reading that is not a number is replaced by the last one that was; telemetry
    ``skipped`` counts them.
    """

    config: PostureControllerConfig
    geometry: LegGeometry = field(repr=False)
    settings: Records[PostureSettings] = field(repr=False)
    law: LegLaw = field(repr=False)
    motors: JointMotors = field(repr=False)
    reference: PostureReference = _stay
    blank: Records[LegAim] = field(init=False, repr=False)
    """Commands to the legs beside forces, (nl,)."""
    loads: Records[SharedLoad] = field(init=False, repr=False)
    """Template of the loads of every tick, (nl,)."""
    _find_wrench = cached_dispatch(lambda: find_wrench)
    _share_wrench = cached_dispatch(lambda: share_wrench)
    _press_feet = cached_dispatch(lambda: press_feet)
    _motor_volts = cached_dispatch(lambda: motor_volts)
    _report_posture = cached_dispatch(lambda: report_posture)

    def __post_init__(self) -> None:
        object.__setattr__(self, "blank", self.law.aim())
        object.__setattr__(self, "loads", SharedLoad.zeros(len(self.blank)))

    def init(self) -> PostureState:
        """Return the state before the first tick: all feet stand."""
        memory = PostureMemory.zeros()
        memory[0].quat_WB[0] = 1.0
        legs = first_estimate(self.geometry.legs, self.law.joints)
        legs["stood"] = 1.0
        return PostureState(memory, legs, self.motors.init())

    def step(
        self, sensed: Readings, state: PostureState
    ) -> tuple[Command, PostureState]:
        """Return this tick's torques and volts, and the next state.

        Args:
            sensed: the readings.
            state: of the last tick; left as it is.
        """
        r, settings, built, law = sensed, self.settings, self.geometry, self.law
        roll, pitch, rise = self.reference(r.time)
        target = float(roll), float(pitch), float(rise)
        memory, legs = pooled_empty_like(state.memory), pooled_empty_like(state.legs)
        integrals, aims = state.integrals.copy(), copied(self.blank)
        trunk, loads, report = (
            pooled_empty_like(TRUNK),
            pooled_empty_like(self.loads),
            pooled_empty_like(REPORT),
        )
        tau, volts = np.empty_like(integrals), np.empty_like(integrals)
        read_trunk(
            r.gyro, r.acceleration, r.inclination, r.time, r.dt, state.memory, memory
        )
        skipped = read_legs(r.q, r.v, r.current, r.limit, r.load, state.legs, legs)
        self._find_wrench(
            target, built.trunk, built.legs, settings, memory, trunk, legs
        )
        self._share_wrench(settings, memory, trunk, legs, loads, aims)
        limited = self._press_feet(settings, memory, legs, aims, law.guards, tau)
        limited += self._motor_volts(
            legs, tau, self.motors.each, r.dt, integrals, volts
        )
        self._report_posture(memory, trunk, limited, skipped, report)
        telemetry = dict(zip(PostureReport.entries, report.item(), strict=True))
        command = Command(tau=tau, telemetry=telemetry, volts=volts)
        return command, PostureState(memory, legs, integrals)


def posture_controller(
    robot: Robot,
    config: PostureControllerConfig | None = None,
    reference: PostureReference = _stay,
    *,
    gravity: float = GRAVITY,
) -> PostureController:
    """Return a posture controller for a machine with legs of three hinges.

    Feet are to stay straight below their hips, as seen from the trunk.

    Args:
        robot: with legs, feet and drives.
        config: gains and rules.
        reference: roll, pitch and rise over time.
        gravity: [m/s²].

    Raises:
        ConfigError: legs of another kind, or joints without drives.
    """
    c = config or PostureControllerConfig()
    legs = leg_geometry(robot)
    stiffness = LegLawConfig(
        stiffness=(c.leg_stiffness, c.leg_stiffness, 0.0),
        damping=(c.leg_damping, c.leg_damping, 0.0),
    )
    law = leg_law(legs, robot.drives, stiffness)
    settings = _settings_of(c, legs.mass * gravity)
    drives = motors(robot.drives, c.motor)
    return PostureController(c, legs, settings, law, drives, reference)


def _settings_of(
    config: PostureControllerConfig, weight: float
) -> Records[PostureSettings]:
    """Return gains and rules as the kernels take them.

    Args:
        config: gains and rules.
        weight: of the machine [N].
    """
    c, settings = config, PostureSettings.zeros()
    one = settings[0]
    AttitudeObserver(c.attitude).fill(one)
    for i, (axis, most) in enumerate(
        zip((c.height, c.roll, c.pitch), c.most, strict=True)
    ):
        one.gains.stiffness[i], one.gains.damping[i], one.gains.integral[i] = axis
        one.gains.most[i] = most
    one.weight, one.least_load = weight, c.least_load
    one.knock_frequency, one.knock_amplitude = c.knock_frequency, c.knock_amplitude
    one.reference_rate = c.reference_rate
    one.shares_consistently = float(c.sharing == "consistent")
    one.carries_plumb = float(c.weight == "plumb")
    one.height_of_hips = float(c.height_of == "hips")
    one.feet_plumb = float(c.feet == "plumb")
    return settings
