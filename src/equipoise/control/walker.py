"""A whole walking controller from a gait's name and the names of its parts.

Settings are kept by gait, for WARP1: what moves on two feet at a time must step quickly
and to where it falls, what stands on three can take its time and sways.
"""

from dataclasses import dataclass, field, replace
from typing import Any, final

import equipoise.control.parts as parts
from equipoise.control.balance.capture import CaptureConfig
from equipoise.control.balance.posture import PostureBalanceConfig
from equipoise.control.joints.motor import motors
from equipoise.control.legs.law import LegLawConfig, leg_law
from equipoise.control.legs.steps import StepConfig, Steps
from equipoise.control.machine import Machine
from equipoise.control.motion.stride import StrideConfig
from equipoise.control.observer.trunk import TrunkConfig, TrunkObserver
from equipoise.control.pilot import Goal, Pilot, PilotConfig
from equipoise.control.reflexes.elevate import ElevateConfig
from equipoise.control.reflexes.reach import ReachConfig
from equipoise.control.reflexes.withdraw import WithdrawConfig
from equipoise.control.support.clocked import ClockedConfig
from equipoise.control.walking import WalkingController

__all__ = ["WalkerConfig", "walker", "walker_config"]

HEAVY = 15.0  # from which on a payload asks for other settings [kg]
STIFF = LegLawConfig(
    stiffness=(4000.0, 4000.0, 20_000.0),
    damping=(700.0, 700.0, 1600.0),
    inertia_share=0.5,
)


@final
@dataclass(frozen=True, kw_only=True)
class WalkerConfig:
    """Parts by name and their settings; defaults are WARP1's trot."""

    support: str = "clocked"
    motion: str = "stride"
    balance: str = "capture"
    reflexes: tuple[str, ...] = ("reach", "elevate", "withdraw")
    height: float = 0.5
    """Of the hips over the foot points [m]."""
    pilot: PilotConfig = field(default_factory=lambda: PilotConfig(lead=0.3))
    clocked: ClockedConfig = field(default_factory=ClockedConfig)
    stride: StrideConfig = field(default_factory=StrideConfig)
    capture: CaptureConfig = field(default_factory=CaptureConfig)
    posture: PostureBalanceConfig = field(default_factory=PostureBalanceConfig)
    reach: ReachConfig = field(default_factory=ReachConfig)
    elevate: ElevateConfig = field(default_factory=ElevateConfig)
    withdraw: WithdrawConfig = field(default_factory=WithdrawConfig)
    steps: StepConfig = field(default_factory=StepConfig)
    law: LegLawConfig = STIFF
    observer: TrunkConfig = field(default_factory=TrunkConfig)

    def settings(self, name: str) -> Any:
        """Return the settings of a part, or None if it has none here.

        Args:
            name: of the part.
        """
        return getattr(self, name, None)


def walker_config(
    gait: str,
    duty: float | None = None,
    *,
    payload: float = 0.0,
    is_soft: bool = False,
) -> WalkerConfig:
    """Return WARP1's settings for a gait.

    Args:
        gait: a name that ``control.gaits`` knows.
        duty: share of a cycle for which a leg stands; None for the gait's own.
        payload: that it carries [kg]; from 15 on it crawls in shorter strides on
            straighter legs, for its knees' sake.
        is_soft: whether the ground is soft: it then goes lower, and crawls slowly.

    Raises:
        UnknownNameError: no such gait.
        ConfigError: a duty factor that the gait cannot have.
    """
    if gait in ("crawl", "wave"):
        usual = 0.88 if is_soft else 0.83
        config = creeping(gait, usual if duty is None else duty)
        if is_soft:
            return sinking(config)
        return config if payload < HEAVY else laden(config)
    height = 0.45 if is_soft else 0.5
    return WalkerConfig(height=height, clocked=ClockedConfig(gait=gait, duty=duty))


def creeping(gait: str, duty: float) -> WalkerConfig:
    """Return the settings of a gait that stands on three feet or more."""
    return WalkerConfig(
        height=0.475,
        pilot=PilotConfig(
            acceleration=0.1, turn_acceleration=0.1, lead=0.6, settle=2.0
        ),
        clocked=ClockedConfig(gait=gait, duty=duty, cycle=2.0, start="slowly"),
        stride=StrideConfig(sway=0.075, sway_phase=0.0, forward=0.0, slope_time=0.8),
        capture=CaptureConfig(integral=0.0),
        steps=StepConfig(lift=0.055, soft_landing=1.0),
        law=replace(STIFF, inertia_share=0.0),
    )


def laden(config: WalkerConfig) -> WalkerConfig:
    """Return the settings of a crawl with a heavy payload."""
    posture = PostureBalanceConfig(
        roll_stiffness=2000.0,
        roll_damping=400.0,
        pitch_stiffness=2000.0,
        pitch_damping=400.0,
    )
    return replace(
        config,
        height=0.54,
        clocked=replace(config.clocked, cycle=1.2),
        stride=replace(config.stride, sway=0.04, forward=-0.01),
        capture=replace(config.capture, posture=posture),
    )


def sinking(config: WalkerConfig) -> WalkerConfig:
    """Return the settings of a crawl on soft ground, where loads shift slowly."""
    soft = LegLawConfig(
        stiffness=(4000.0, 4000.0, 8000.0), damping=(700.0, 700.0, 1600.0)
    )
    return replace(
        config,
        height=0.45,
        clocked=replace(config.clocked, cycle=3.0),
        stride=replace(config.stride, spread=0.06, slope_time=5.0),
        law=soft,
    )


def walker(
    machine: Machine,
    goals: tuple[Goal, ...],
    config: WalkerConfig,
    *,
    drives_motors: bool = True,
) -> WalkingController:
    """Return a controller.

    Args:
        machine: that it walks.
        goals: of the operator, in time.
        config: parts and their settings.
        drives_motors: whether it sends voltages; else torques.

    Raises:
        UnknownNameError: no such part.
        ConfigError: settings that do not fit.
    """

    def part(cls: type, name: str) -> Any:
        settings = config.settings(name)
        return cls() if settings is None else cls(settings)

    law = leg_law(machine.geometry, machine.drives, config.law)
    return WalkingController(
        observer=TrunkObserver(machine, config.observer),
        pilot=Pilot(goals, config.pilot),
        support=part(parts.SUPPORTS.find(config.support), config.support),
        motion=part(parts.MOTIONS.find(config.motion), config.motion),
        balance=part(parts.BALANCES.find(config.balance), config.balance),
        reflexes=tuple(part(parts.REFLEXES.find(n), n) for n in config.reflexes),
        steps=Steps(law, config.steps),
        motors=motors(machine.drives) if drives_motors else None,
    )
