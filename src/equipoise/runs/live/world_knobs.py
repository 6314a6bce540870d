"""What can be changed of a world while it is simulated: load, friction, stiffness.

The controller is told of none of it: that is what one wants to see.
"""

from typing import final

import mujoco

from equipoise.sim.machine.scene import soften
from equipoise.sim.world import World
from equipoise.viz.live.knobs import Knob

__all__ = ["WorldKnobs"]

GROUP = "Load and ground"
MOST_SHARE = 0.5
"""Largest payload, of the robot's mass."""
SOFTEST, FIRMEST = 2.0, 200.0
"""Of the ground under a foot; the firmest stands for what it was [kN/m]."""
KILO = 1e3


@final
class WorldKnobs:
    """A world's knobs.

    Args:
        world: whose model is changed.
        mass: of the robot [kg].
        body: that carries the payload, its number.
    """

    def __init__(self, world: World, mass: float, body: int) -> None:
        self.world, self.model, self.mass = world, world.model, mass
        model = self.model
        self.body, self.own_mass = body, float(model.body_mass[body])
        self.own_contacts = (
            model.geom_solref.copy(),
            model.geom_solimp.copy(),
            model.geom_priority.copy(),
            float(model.opt.impratio),
        )
        self.spare = mujoco.MjData(model)

    @property
    def knobs(self) -> tuple[Knob, ...]:
        """As sliders."""
        friction = float(self.world.config.friction)
        where = f"'{self.model.body(self.body).name}'"
        load = Knob(
            name="payload",
            label="payload [kg]",
            low=0.0,
            high=rounded(MOST_SHARE * self.mass),
            step=rounded(MOST_SHARE * self.mass) / 50.0,
            value=0.0,
            group=GROUP,
            hint=f"On {where}, at its centre of mass; the controller does not "
            "know of it.",
        )
        if self.world.ground is not None:  # it has a law of its own
            return (load,)
        grip = Knob(
            name="friction",
            label="friction",
            low=0.02,
            high=1.5,
            step=0.01,
            value=min(max(round(friction, 2), 0.02), 1.5),
            group=GROUP,
            hint="Friction of every contact; the controller does not know of it.",
        )
        if not self.world.robot.feet:
            return load, grip
        soft = Knob(
            name="stiffness",
            label="ground stiffness [kN/m]",
            low=SOFTEST,
            high=FIRMEST,
            step=2.0,
            value=FIRMEST,
            group=GROUP,
            hint="Stiffness under each point of a foot; at the right end the "
            "ground is rigid.",
        )
        return load, grip, soft

    def turn(self, name: str, value: float) -> bool:
        """Change one of them; False where it is none of these.

        Args:
            name: of the knob.
            value: its new value.
        """
        if name not in [knob.name for knob in self.knobs]:
            return False
        if name == "payload":
            self.model.body_mass[self.body] = self.own_mass + value
            mujoco.mj_setConst(self.model, self.spare)
        elif name == "friction":
            self.model.geom_friction[:, 0] = value
        else:
            self.soften(value)
        return True

    def soften(self, stiffness: float) -> None:
        """Make the ground soft, or as firm as it was [kN/m]."""
        model, (solref, solimp, priority, impratio) = self.model, self.own_contacts
        model.geom_solref[:], model.geom_solimp[:] = solref, solimp
        model.geom_priority[:], model.opt.impratio = priority, impratio
        if stiffness < FIRMEST:
            soften(model, self.world.robot, KILO * stiffness)


def rounded(value: float) -> float:
    """Return a number with two digits, above zero."""
    return float(f"{max(value, 1e-3):.2g}")
