"""Speed, heading and turn of a walk, changed while it walks."""

import math
from typing import Any, final

from equipoise.control.pilots.ramped import RampedPilot
from equipoise.control.walking import WalkingController
from equipoise.runs.live.world_knobs import rounded
from equipoise.viz.live.knobs import Knob

__all__ = ["PilotKnobs"]

GROUP = "Walk"
MOST = 2.0  # of the speed that it was planned for
MOST_TURN = 0.6  # [rad/s]


@final
class PilotKnobs:
    """Sliders for the operator's commands.

    The pilot still ramps: the machine takes its time to follow.

    Args:
        speed: planned [m/s].
        heading: of it, 90 to the left [degrees].
        turn: planned, to the left [rad/s].
        turns: whether the controller can be told to.
        stands: whether it begins by standing, at speed 0.
    """

    def __init__(
        self, speed: float, heading: float, turn: float, *, turns: bool, stands: bool
    ) -> None:
        self.most = max(rounded(MOST * abs(speed)), 0.05)
        self.turns = turns
        self.wanted = {
            "speed": 0.0 if stands else speed,
            "heading": heading,
            "turn": 0.0 if stands else turn,
        }
        self.is_touched = stands
        """Whether it goes by these; before, by what was planned."""

    @property
    def knobs(self) -> tuple[Knob, ...]:
        """As sliders."""
        speed = Knob(
            name="speed",
            label="speed [m/s]",
            low=0.0,
            high=self.most,
            step=self.most / 100.0,
            value=min(max(self.wanted["speed"], 0.0), self.most),
            group=GROUP,
            hint="Along the heading.",
        )
        heading = Knob(
            name="heading",
            label="heading [deg]",
            low=-180.0,
            high=180.0,
            step=5.0,
            value=self.wanted["heading"],
            group=GROUP,
            hint="Direction of the speed, while the trunk keeps its yaw: 90 is "
            "to the left.",
        )
        turn = Knob(
            name="turn",
            label="turn [rad/s]",
            low=-MOST_TURN,
            high=MOST_TURN,
            step=0.02,
            value=min(max(self.wanted["turn"], -MOST_TURN), MOST_TURN),
            group=GROUP,
            hint="To the left.",
        )
        return (speed, heading, turn) if self.turns else (speed, heading)

    def turn(self, name: str, value: float, controller: Any) -> bool:
        """Change one of them; False where it is none of these.

        Args:
            name: of the knob.
            value: its new value.
            controller: that walks.
        """
        if name not in self.wanted:
            return False
        self.wanted[name], self.is_touched = value, True
        self.apply(controller)
        return True

    def apply(self, controller: Any) -> None:
        """Tell a controller, once anything was touched.

        Args:
            controller: that walks, with a pilot that ramps.
        """
        if not self.is_touched or not has_ramped_pilot(controller):
            return
        rows: Any = controller.pilot.rows
        speed, angle = self.wanted["speed"], math.radians(self.wanted["heading"])
        rows["velocity"] = (
            speed * math.cos(angle),
            speed * math.sin(angle),
            self.wanted["turn"],
        )
        rows["walks"] = float(speed != 0.0 or self.wanted["turn"] != 0.0)


def has_ramped_pilot(controller: Any) -> bool:
    """Return whether a controller's speed can be changed while it walks.

    Args:
        controller: any.
    """
    return isinstance(controller, WalkingController) and isinstance(
        controller.pilot, RampedPilot
    )
