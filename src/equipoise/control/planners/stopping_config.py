"""Settings of plans that end at rest; see ``planners.stopping``."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, final

from equipoise.control.modes import expect_mode
from equipoise.control.support.temporal import FreeRule, Margin
from equipoise.core.setting import Setting

__all__ = ["StoppingConfig"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class StoppingConfig(FreeRule):
    """Settings of the plans; the defaults are the ASV's."""

    mode: Annotated[str, Setting("Mode that the operator wants")] = "tripod"
    gait: Annotated[str, Setting("Gait by which legs step")] = "tripod"
    duty: Annotated[
        float | None,
        Setting("Share of a cycle during which a leg stands", usual="the gait's own"),
    ] = None
    cycle: Annotated[
        float, Setting("Duration of a cycle of the gait", "s", above=0.0)
    ] = 1.0
    period: Annotated[float, Setting("Time between plans", "s", above=0.0)] = 0.1
    segment: Annotated[
        float, Setting("Duration of a plan's first segment", "s", above=0.0)
    ] = 0.5
    sample: Annotated[
        float, Setting("Sampling period of the point model", "s", above=0.0)
    ] = 0.05
    acceleration: Annotated[
        float, Setting("Acceleration towards the commanded velocity", "m/s²", above=0.0)
    ] = 1.0
    turn_acceleration: Annotated[
        float,
        Setting(
            "Angular acceleration towards the commanded turn rate", "rad/s²", above=0.0
        ),
    ] = 0.3
    stop: Annotated[
        float, Setting("Deceleration of the second segment", "m/s²", above=0.0)
    ] = 1.0
    turn_stop: Annotated[
        float,
        Setting("Angular deceleration of the second segment", "rad/s²", above=0.0),
    ] = 0.3
    margin: Margin = 0.1
    friction: Annotated[
        float,
        Setting("Coefficient of friction that feet are trusted to have", above=0.0),
    ] = 0.55
    most: Annotated[
        float, Setting("Largest share of the weight on one foot", above=0.0)
    ] = 0.9
    short: Annotated[
        float,
        Setting(
            "Share of the weight by which planned forces may fall short", above=0.0
        ),
    ] = 0.05
    tilt_rate: Annotated[
        float,
        Setting("Largest tilt rate that missing moments may leave", "rad/s", above=0.0),
    ] = 0.15
    workspace: Annotated[
        float, Setting("Share of a leg's reach that plans use", least=0.1, most=1.0)
    ] = 0.97
    slack: Annotated[
        float,
        Setting(
            "Distance by which a standing foot may leave that workspace", "m", above=0.0
        ),
    ] = 0.05
    keeps_margin: Annotated[
        bool,
        Setting(
            "Whether the margin is kept on the way too, without strides beyond "
            "static balance"
        ),
    ] = False
    is_limited: Annotated[
        bool,
        Setting("Whether the command is limited to what the legs can keep up with"),
    ] = True
    settle: Annotated[
        float,
        Setting("Time the machine steps on the spot before it rests", "s", above=0.0),
    ] = 1.0

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the mode, which is a catalogue's name."""
        expect_mode(self.mode)
        yield ""
