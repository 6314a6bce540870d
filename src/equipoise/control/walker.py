"""A whole walking controller from a gait's name and the names of its parts.

Settings by gait are the robot's, see ``robots.warp1.walking``.
"""

from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, final

import numpy as np

import equipoise.control.parts as parts
from equipoise.control.balance.capture import CaptureConfig
from equipoise.control.balance.level import LevelConfig
from equipoise.control.balance.posture import PostureBalanceConfig
from equipoise.control.balance.skyhook import SkyhookConfig
from equipoise.control.balance.two_step import TwoStepConfig
from equipoise.control.balance.vertical import VerticalConfig
from equipoise.control.basis.build import BasisConfig
from equipoise.control.basis.supervisor import Supervisor
from equipoise.control.crab.gait import CrabConfig
from equipoise.control.ground_map import GroundMap
from equipoise.control.joints.motor import motors
from equipoise.control.legs.held import FIRM_SHARE, SHARE, held_gains
from equipoise.control.legs.law import LegLawConfig, leg_law
from equipoise.control.legs.programs.cycloid import CycloidConfig
from equipoise.control.legs.programs.nets import NetsConfig
from equipoise.control.legs.programs.phases import PhasesConfig
from equipoise.control.legs.programs.quintic import QuinticConfig
from equipoise.control.legs.programs.steps import StepConfig
from equipoise.control.machine import LeggedMachine
from equipoise.control.motion.jog import JogConfig
from equipoise.control.motion.stride import StrideConfig
from equipoise.control.observer.trunk import TrunkConfig, TrunkObserver
from equipoise.control.pilot import Errand, PilotConfig, WalkingGoal
from equipoise.control.pilots.harmonic import HarmonicConfig
from equipoise.control.planners.intermittent import IntermittentConfig
from equipoise.control.planners.pacing import ExpandedConfig
from equipoise.control.planners.stopping import StoppingConfig
from equipoise.control.reflexes.coactivate import CoactivateConfig
from equipoise.control.reflexes.elevate import ElevateConfig
from equipoise.control.reflexes.plant import PlantConfig
from equipoise.control.reflexes.reach import ReachConfig
from equipoise.control.reflexes.relent import RelentConfig
from equipoise.control.reflexes.retract import RetractConfig
from equipoise.control.reflexes.seek import SeekConfig
from equipoise.control.reflexes.surmount import SurmountConfig
from equipoise.control.reflexes.tread import TreadConfig
from equipoise.control.reflexes.wary import WaryConfig
from equipoise.control.reflexes.withdraw import WithdrawConfig
from equipoise.control.scaling import scaled
from equipoise.control.support.clocked import ClockedConfig
from equipoise.control.support.cruse import CruseConfig
from equipoise.control.support.free import FreeConfig
from equipoise.control.support.planned import PlannedConfig
from equipoise.control.walking import WalkingController
from equipoise.core.arrays import Array
from equipoise.core.catalogue import Catalogue
from equipoise.core.checks import expect_positive
from equipoise.core.settings import with_settings
from equipoise.robots.asv.options import SIZE as ASV
from equipoise.robots.builtin import builtin, builtin_names
from equipoise.robots.ralphy.options import SIZE as RALPHY
from equipoise.robots.size import Scale
from equipoise.robots.thing.options import SIZE as THING
from equipoise.robots.tum.options import SIZE as TUM
from equipoise.robots.warp1.options import SIZE as WARP1

__all__ = [
    "WARP1",
    "WalkerConfig",
    "carried_over",
    "walker",
    "walker_config",
]

T = TypeVar("T")
USUAL = "warp1"
"""The robot whose settings count for one that has none of its own."""
CALM, PAIR = 0.5, 2  # damping ratio of the trunk on so many feet
HALF_WIDTH = 0.25  # of its stance [m]
STIFF = LegLawConfig(
    stiffness=(4000.0, 4000.0, 20_000.0),
    damping=(700.0, 700.0, 1600.0),
    inertia_share=0.5,
)


def _of_asv(config: T) -> T:
    """Return the ASV's settings at WARP1's size, as all that are kept here.

    Args:
        config: as the ASV has it.
    """
    return scaled(config, WARP1.over(ASV))


def _of_tum(config: T) -> T:
    """Return the TUM hexapod's settings at WARP1's size.

    Args:
        config: as the TUM hexapod has it.
    """
    return scaled(config, WARP1.over(TUM))


def _of_ralphy(config: T) -> T:
    """Return RALPHY's settings at WARP1's size.

    Args:
        config: as RALPHY has it.
    """
    return scaled(config, WARP1.over(RALPHY))


@final
@dataclass(frozen=True, kw_only=True)
class WalkerConfig:
    """Parts by name and their settings; defaults are WARP1's trot."""

    guide: str = "ramped"
    """Which pilot."""
    planner: str = "none"
    support: str = "clocked"
    motion: str = "stride"
    balance: str = "capture"
    legs: str = "steps"
    reflexes: tuple[str, ...] = ("reach", "elevate", "withdraw")
    height: float = 0.5
    """Of the hips over the foot points [m]."""
    pilot: PilotConfig = field(default_factory=lambda: PilotConfig(lead=0.3))
    harmonic: HarmonicConfig = field(default_factory=HarmonicConfig)
    crab: CrabConfig = field(default_factory=CrabConfig)
    basis: BasisConfig = field(
        default_factory=lambda: scaled(BasisConfig(), WARP1.over(THING))
    )
    intermittent: IntermittentConfig = field(default_factory=IntermittentConfig)
    stopping: StoppingConfig = field(default_factory=lambda: _of_asv(StoppingConfig()))
    clocked: ClockedConfig = field(default_factory=ClockedConfig)
    free: FreeConfig = field(default_factory=lambda: _of_asv(FreeConfig()))
    planned: PlannedConfig = field(default_factory=PlannedConfig)
    cruse: CruseConfig = field(default_factory=CruseConfig)
    expanded: ExpandedConfig = field(default_factory=ExpandedConfig)
    stride: StrideConfig = field(default_factory=StrideConfig)
    jog: JogConfig = field(default_factory=lambda: _of_asv(JogConfig()))
    follow: StrideConfig = field(default_factory=StrideConfig)
    level: LevelConfig = field(default_factory=LevelConfig)
    capture: CaptureConfig = field(default_factory=CaptureConfig)
    posture: PostureBalanceConfig = field(default_factory=PostureBalanceConfig)
    skyhook: SkyhookConfig = field(default_factory=SkyhookConfig)
    two_step: TwoStepConfig = field(default_factory=lambda: _of_asv(TwoStepConfig()))
    vertical: VerticalConfig = field(
        default_factory=lambda: _of_ralphy(VerticalConfig())
    )
    plant: PlantConfig = field(default_factory=PlantConfig)
    retract: RetractConfig = field(default_factory=RetractConfig)
    seek: SeekConfig = field(default_factory=SeekConfig)
    surmount: SurmountConfig = field(default_factory=lambda: _of_tum(SurmountConfig()))
    tread: TreadConfig = field(default_factory=TreadConfig)
    reach: ReachConfig = field(default_factory=ReachConfig)
    relent: RelentConfig = field(default_factory=RelentConfig)
    coactivate: CoactivateConfig = field(
        default_factory=lambda: _of_tum(CoactivateConfig())
    )
    elevate: ElevateConfig = field(default_factory=ElevateConfig)
    withdraw: WithdrawConfig = field(default_factory=WithdrawConfig)
    wary: WaryConfig = field(default_factory=WaryConfig)
    steps: StepConfig = field(default_factory=StepConfig)
    nets: NetsConfig = field(default_factory=lambda: _of_tum(NetsConfig()))
    phases: PhasesConfig = field(default_factory=lambda: _of_tum(PhasesConfig()))
    quintic: QuinticConfig = field(default_factory=lambda: _of_asv(QuinticConfig()))
    cycloid: CycloidConfig = field(default_factory=lambda: _of_ralphy(CycloidConfig()))
    law: LegLawConfig = STIFF
    observer: TrunkConfig = field(default_factory=TrunkConfig)
    learned: Supervisor | None = None
    """What planner ``basis`` turns by in place of its own supervisor."""

    def __post_init__(self) -> None:
        expect_positive(self, "height")

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
    ground: str = "mujoco",
    actuators: str = "motor",
    robot: str = USUAL,
) -> WalkerConfig:
    """Return a machine's settings for a gait, as its robot's folder has them.

    Args:
        gait: a name that ``control.gaits`` knows.
        duty: share of a cycle for which a leg stands; None for the gait's own.
        payload: that it carries [kg].
        is_soft: whether the ground is soft.
        ground: what carries the feet, as the operator names it.
        actuators: which drives it has.
        robot: name of a robot; one without settings of its own walks as WARP1 does.

    Raises:
        UnknownNameError: no such gait.
        ConfigError: a duty factor that the gait cannot have.
    """
    own = builtin(robot).walking if robot in builtin_names() else None
    walking = own or builtin(USUAL).walking
    config = WalkerConfig(clocked=ClockedConfig(gait=gait, duty=duty))
    if walking is None:
        return config
    known = {"is_soft": is_soft, "ground": ground, "actuators": actuators}
    settings = dict(walking(gait, payload=payload, **known))
    reflexes = settings.pop("reflexes", config.reflexes)  # as many as it likes
    config = replace(config, reflexes=reflexes)
    if duty is not None:
        settings["clocked.duty"] = duty
    return with_settings(config, settings, f"gait '{gait}'")


def carried_over(
    config: WalkerConfig,
    machine: LeggedMachine,
    mobility: Array,
    late: float,
    size: Scale = WARP1,
) -> WalkerConfig:
    """Return settings of one machine for another, with gains that it can hold.

    Args:
        config: as the machine of the given size walks.
        machine: that shall walk alike.
        mobility: of its feet, see ``control.machine.foot_mobility``, (nl, 3, 3).
        late: time from its sensors to its feet, hold included [s].
        size: of the machine whose settings they are.
    """
    own = scaled(config, machine.scale.over(size))
    stiffness, damping = held_gains(
        mobility, np.array(own.law.stiffness), np.array(own.law.damping), late
    )
    law = replace(own.law, stiffness=tuple(stiffness), damping=tuple(damping))
    width = machine.half_width / HALF_WIDTH  # sway has to do with width, not height
    calm = np.sqrt(PAIR * stiffness * machine.mass) * CALM  # two feet, so damped
    steady = np.maximum(np.minimum(own.law.damping, calm) - damping, 0.0)
    return replace(
        own,
        law=law,
        nets=_held_nets(own.nets, late),
        steps=replace(own.steps, lands_where_seen=True, steady=tuple(steady)),
        phases=replace(own.phases, steady=tuple(steady)),
        stride=replace(own.stride, sway=config.stride.sway * width),
    )


def _held_nets(nets: NetsConfig, late: float) -> NetsConfig:
    """Return nets whose joints take on speeds as fast as a sampled loop holds.

    Args:
        nets: as wanted.
        late: time from reading a speed to its torque, hold included [s].
    """
    return replace(
        nets,
        servo=min(nets.servo, SHARE / late),
        firm=min(nets.firm, FIRM_SHARE / late),
    )


def walker(
    machine: LeggedMachine,
    goals: tuple[WalkingGoal, ...],
    config: WalkerConfig,
    *,
    drives_motors: bool = True,
    ground: GroundMap = parts.NO_MAP,
    place: tuple[float, float] | None = None,
    turns: bool = True,
) -> WalkingController:
    """Return a controller.

    Args:
        machine: that it walks.
        goals: of the operator, in time.
        config: parts and their settings.
        drives_motors: whether it sends voltages, where its drives take them; else
            torques.
        ground: what it knows of the ground beforehand.
        place: that it shall get to, if its pilot knows how [m].
        turns: whether it may be told to turn.

    Raises:
        UnknownNameError: no such part.
        ConfigError: settings that do not fit.
    """

    def part(kind: Catalogue[Any], name: str, *given: Any) -> Any:
        cls: Any = kind.find(name)
        settings = config.settings(name)
        return cls(*given) if settings is None else cls(*given, settings)

    planner = part(parts.PLANNERS, config.planner)
    if config.learned is not None:
        planner = replace(planner, learned=config.learned)
    errand = Errand(goals=goals, place=place, turns=turns, limits=config.pilot)
    law = leg_law(machine.geometry, machine.drives, config.law)
    has_motors = all(drive.kind == "motor" for drive in machine.drives)
    return WalkingController(
        observer=TrunkObserver(machine, config.observer),
        pilot=part(parts.PILOTS, config.guide, errand),
        planner=planner,
        support=part(parts.SUPPORTS, config.support),
        motion=part(parts.MOTIONS, config.motion),
        balance=part(parts.BALANCES, config.balance),
        reflexes=tuple(part(parts.REFLEXES, name) for name in config.reflexes),
        program=part(parts.LEG_PROGRAMS, config.legs, law),
        motors=motors(machine.drives) if drives_motors and has_motors else None,
        ground=ground,
        tells_legs=config.planner != "none" or config.balance == "vertical",
    )
