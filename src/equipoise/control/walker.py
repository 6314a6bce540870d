"""A whole walking controller from a gait's name and the names of its parts.

Settings by gait are the robot's, see ``robots.warp1.walking``.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from types import MappingProxyType
from typing import Annotated, Any, final

import numpy as np

import equipoise.control.parts as parts
from equipoise.control.basis.supervisor import Supervisor
from equipoise.control.ground_map import GroundMap
from equipoise.control.joints.motor import motors
from equipoise.control.leg_programs.nets import NetsConfig
from equipoise.control.legs.law import LegLawConfig, leg_law
from equipoise.control.legs.sampled_gains import (
    FIRM_SHARE,
    SHARE,
    largest_sampled_gains,
)
from equipoise.control.machine import LeggedMachine
from equipoise.control.observer.trunk import TrunkConfig, TrunkObserver
from equipoise.control.pilot import PilotConfig, PilotTask, WalkingGoal
from equipoise.control.scaling import scaled_settings
from equipoise.control.signals import NO_MAP
from equipoise.control.support.clocked import ClockedConfig
from equipoise.control.walking import WalkingController
from equipoise.core.arrays import Array
from equipoise.core.catalogue import Catalogue
from equipoise.core.setting import Setting, expect_usable
from equipoise.core.settings import with_settings
from equipoise.robots.builtin import builtin, builtin_names, size_of
from equipoise.robots.size import Scale
from equipoise.robots.warp1.options import SIZE as WARP1

__all__ = [
    "WARP1",
    "WalkerConfig",
    "carried_over",
    "part_settings",
    "walker",
    "walker_config",
]

USUAL = "warp1"
"""The robot whose settings count for one that has none of its own."""
CALM, PAIR = 0.5, 2  # damping ratio of the trunk on so many feet
HALF_WIDTH = 0.25  # of its stance [m]
STIFF = LegLawConfig(
    stiffness=(4000.0, 4000.0, 20_000.0),
    damping=(700.0, 700.0, 1600.0),
    inertia_share=0.5,
)
UNHURRIED, BY_FEET = PilotConfig(lead=0.3), TrunkConfig()


CATALOGUES: tuple[Catalogue[Any], ...] = (
    parts.PILOTS,
    parts.PLANNERS,
    parts.SUPPORTS,
    parts.MOTIONS,
    parts.BALANCES,
    parts.REFLEXES,
    parts.LEG_PROGRAMS,
)
"""All kinds of parts."""


def part_settings() -> dict[str, Any]:
    """Return the default settings of every part that has some, at WARP1's size."""
    return {name: _default_settings(part) for name, part in _parts_with_settings()}


def _parts_with_settings() -> Iterator[tuple[str, Any]]:
    """Yield the class of every part that has settings, with its name."""
    for kind in CATALOGUES:
        for name in kind.names():
            part: Any = kind.find(name)
            if any(one.name == "config" for one in fields(part)):
                yield name, part


def _default_settings(part: Any) -> Any:
    """Return the default settings of a part, at WARP1's size."""
    made: Any = next(one for one in fields(part) if one.name == "config")
    config = made.default_factory()
    if part.made_for in (None, USUAL):
        return config
    return scaled_settings(config, WARP1.over(size_of(part.made_for)))


@final
@dataclass(frozen=True, kw_only=True, init=False)
class WalkerConfig:
    """Parts by name and their settings; the defaults are WARP1's trot.

    Settings of a part are given, replaced and read under the part's own name, as
    ``WalkerConfig(skyhook=SkyhookConfig(stiffness=4000.0)).skyhook``; those that are
    not given are the part's defaults. A part is found by its file.
    """

    guide: Annotated[str, Setting("Pilot, which chooses the velocity command")] = (
        "ramped"
    )
    planner: Annotated[
        str, Setting("Planner, which plans footholds and the trunk's motion ahead")
    ] = "none"
    support: Annotated[
        str, Setting("Part which decides which feet stand and when they step")
    ] = "clocked"
    motion: Annotated[str, Setting("Part which decides where the trunk goes")] = (
        "stride"
    )
    balance: Annotated[
        str, Setting("Part which decides how the trunk is kept upright")
    ] = "capture"
    legs: Annotated[
        str, Setting("Leg program, which decides how feet stand and swing")
    ] = "steps"
    reflexes: Annotated[tuple[str, ...], Setting("Reflexes, in their order")] = (
        "reach",
        "elevate",
        "withdraw",
    )
    height: Annotated[
        float, Setting("Height of the hips over the foot points", "m", above=0.0)
    ] = 0.5
    pilot: PilotConfig = UNHURRIED
    law: LegLawConfig = STIFF
    observer: TrunkConfig = BY_FEET
    learned: Supervisor | None = None
    """Supervisor of the planner ``basis``; None for its own."""
    parts: Mapping[str, Any] = field(default_factory=part_settings)
    """Settings by the name of the part."""

    def __init__(self, **given: Any) -> None:
        """Take what is given; all else is the default.

        Args:
            given: fields, and settings of parts by the part's name.

        Raises:
            TypeError: no field and no part with settings has such a name.
        """
        own = {name: given.pop(name) for name in FIELDS if name in given}
        chosen = {**own.pop("parts", _defaults())}
        unknown = sorted(given.keys() - chosen.keys())
        if unknown:
            raise TypeError(f"no part with settings is called '{unknown[0]}'")
        for name in FIELDS:
            value = chosen | given if name == "parts" else own.get(name, FIELDS[name])
            object.__setattr__(self, name, value)
        expect_usable(self, "WalkerConfig")

    def __getattr__(self, name: str) -> Any:
        """Return the settings of a part, by its name."""
        if name in vars(self).get("parts", ()):
            return self.parts[name]
        raise AttributeError(f"a walking controller has no part '{name}' with settings")


FIELDS = {one.name: one.default for one in fields(WalkerConfig)}
"""Fields of a ``WalkerConfig`` with their defaults."""


@cache
def _defaults() -> Mapping[str, Any]:
    """Return ``part_settings``, made once."""
    return MappingProxyType(part_settings())


@cache
def _unsized() -> tuple[str, ...]:
    """Return the parts whose settings are the same for machines of all sizes."""
    return tuple(name for name, part in _parts_with_settings() if part.made_for is None)


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
    own = scaled_settings(config, machine.scale.over(size))
    own = replace(own, **{name: config.parts[name] for name in _unsized()})
    stiffness, damping = largest_sampled_gains(
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
    ground: GroundMap = NO_MAP,
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
        settings = config.parts.get(name)
        return cls(*given) if settings is None else cls(*given, settings)

    planner = part(parts.PLANNERS, config.planner)
    if config.learned is not None:
        planner = replace(planner, learned=config.learned)
    errand = PilotTask(goals=goals, place=place, turns=turns, limits=config.pilot)
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
