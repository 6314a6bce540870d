"""Gains and rules of the posture controller."""

from dataclasses import dataclass, field
from typing import Annotated, Literal, final

from equipoise.control.joints.motor import MotorConfig
from equipoise.control.observer.attitude import AttitudeConfig
from equipoise.core.setting import Setting, Settings

__all__ = ["HIPS", "PLUMB", "SHARED", "PostureControllerConfig"]

Sharing = Literal["printed", "consistent"]
Weight = Literal["printed", "plumb"]
HeightOf = Literal["trunk", "hips"]
Feet = Literal["printed", "plumb"]
Axis = tuple[float, float, float]
SHARED = PLUMB = HIPS = 1
"""Places of "consistent", "plumb" and "hips" among their choices."""


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
