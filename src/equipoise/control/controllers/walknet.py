"""Walknet on six-legged machines: the gait emerges from the speed.

[Ridderstrom2003] section 3.4: legs decide for themselves when to step, and small nets
in each of them say how fast its joints go. Nothing keeps the balance of the whole.
"""

from typing import ClassVar, final

from equipoise.control.balance.posture import PostureBalanceConfig
from equipoise.control.fit import Fit
from equipoise.control.leg_programs.nets import NetsConfig
from equipoise.control.leg_programs.phases import PhasesConfig
from equipoise.control.leg_programs.steps import StepConfig
from equipoise.control.legs.law import LegLawConfig
from equipoise.control.motion.stride import StrideConfig
from equipoise.control.pilot import PilotConfig
from equipoise.control.recipe import CONTROLLERS, AbstractRecipe, AskedWalk
from equipoise.control.reflexes.coactivate import CoactivateConfig
from equipoise.control.reflexes.surmount import SurmountConfig
from equipoise.control.support.clocked import ClockedConfig
from equipoise.control.support.cruse import CruseConfig
from equipoise.control.walker import WalkerConfig
from equipoise.robots.size import Scale
from equipoise.robots.tum.options import SIZE, SPEED

__all__ = ["WalknetRecipe"]

START = 0.1  # acceleration of machines that ask for no other [m/s²]


@final
@CONTROLLERS.register("walknet")
class WalknetRecipe(AbstractRecipe):
    """Parts and settings at the size of the TUM hexapod."""

    fit: ClassVar[Fit] = Fit(legs=(6,), joints=3)
    size: ClassVar[Scale] = SIZE
    speed: ClassVar[float] = SPEED
    gait: ClassVar[str] = "by Cruse's rules"
    pattern: ClassVar[str] = "tripod"
    modes: ClassVar[tuple[str, ...]] = ("feedback", "ik", "springs", "phases")

    def config(self, asked: AskedWalk) -> WalkerConfig:
        """Return the settings."""
        stepping, mode = CruseConfig(), asked.mode or "feedback"
        has_nets = mode in ("feedback", "ik")
        springs = "phases" if mode == "phases" else "steps"
        return WalkerConfig(
            support="cruse",
            motion="stride",
            balance="none" if has_nets else "posture",
            legs="nets" if has_nets else springs,
            reflexes={"springs": ("reach", "surmount"), "phases": ("reach",)}.get(
                mode, ()
            ),
            height=self.size.height,
            pilot=PilotConfig(
                acceleration=asked.acceleration or START,
                turn_acceleration=0.2,
                settle=1.0,
            ),
            clocked=ClockedConfig(
                gait="tripod", legs=asked.legs, cycle=2.0 * stepping.swing
            ),
            cruse=stepping,
            nets=NetsConfig(
                stance="ik" if mode == "ik" else "feedback",
                stride=stepping.stride,
            ),
            posture=PostureBalanceConfig(
                roll_stiffness=300.0,
                roll_damping=20.0,
                pitch_stiffness=300.0,
                pitch_damping=20.0,
            ),
            stride=StrideConfig(forward=0.0, leash=0.03, rise=0.2),
            steps=StepConfig(lift=0.05, lands_where_seen=True),
            phases=PhasesConfig(),
            surmount=SurmountConfig(),
            coactivate=CoactivateConfig(),
            law=LegLawConfig(
                stiffness=(4000.0, 4000.0, 8000.0),
                damping=(200.0, 200.0, 300.0),
                inertia_share=0.5,
            ),
        )
