"""Reflexes as straight lines: ``reach``, ``elevate`` and ``withdraw``."""

import math
from collections.abc import Sequence

from equipoise.control.reflexes.elevate import ElevateConfig
from equipoise.control.reflexes.reach import ReachConfig
from equipoise.control.reflexes.withdraw import WithdrawConfig
from equipoise.control.straight.clock import LegStep
from equipoise.control.straight.known import KnownLeg
from equipoise.control.straight.memory import TickMemory
from equipoise.control.straight.steps import FootAim
from equipoise.control.walker import WalkerConfig
from equipoise.equations.tape.functions import less, maximum, minimum, sin, where
from equipoise.equations.tape.tape import Expr

__all__ = ["REFLEXES", "answered"]

REFLEXES = ("reach", "elevate", "withdraw")
"""Those that there are as straight lines."""


def answered(
    config: WalkerConfig,
    legs: list[KnownLeg],
    steps: list[LegStep],
    aims: list[FootAim],
    dt: float,
    memory: TickMemory,
) -> list[FootAim]:
    """Return what legs are told after the reflexes, in their order.

    Args:
        config: which there are, and their settings.
        legs: what is known of them.
        steps: who stands.
        aims: what they are told.
        dt: control period [s].
        memory: of the reflexes.
    """
    found: list[FootAim] = []
    for k, (leg, step, aim) in enumerate(zip(legs, steps, aims, strict=True)):
        x, y, z = aim.place
        vx, vy, vz = aim.velocity
        flies = (1.0 - step.stands) * (1.0 - less(0.0, step.late))
        bump = where(flies, sin(math.pi * step.progress), 0.0)
        for name in config.reflexes:
            if name == "reach":
                z, vz = _reached(config.reach, step, z, vz)
            elif name == "elevate":
                z = z + bump * _elevated(config.elevate, k, leg, step, dt, memory)
            else:
                z = z + bump * _sunk(config.withdraw, k, leg, step, memory)
        found.append(aim._replace(place=(x, y, z), velocity=(vx, vy, vz)))
    return found


def _reached(config: ReachConfig, step: LegStep, z: Expr, vz: Expr) -> Sequence[Expr]:
    """Return height and speed of a foot that goes on down where it is late."""
    deep = config.speed * step.late  # 0 unless it swings and is late
    late = less(0.0, step.late)
    goes = late * less(deep, config.depth)
    return z - minimum(deep, config.depth), vz - config.speed * goes


def _elevated(
    config: ElevateConfig,
    k: int,
    leg: KnownLeg,
    step: LegStep,
    dt: float,
    memory: TickMemory,
) -> Expr:
    """Return how much higher a foot goes that has hit something."""
    before, u = memory.read(f"elevated.{k}", "m"), step.progress
    hits = less(config.load, leg.load) * less(0.1, u) * less(u, 0.75)
    more = minimum(config.height, before + config.height * dt / config.time)
    extra = where(step.stands, 0.0, where(hits, more, before))
    memory.write(f"elevated.{k}", extra)
    return extra


def _sunk(
    config: WithdrawConfig, k: int, leg: KnownLeg, step: LegStep, memory: TickMemory
) -> Expr:
    """Return by how much a foot is lifted higher for having stood deep."""
    landed, depth = memory.read(f"landed.{k}", "m"), memory.read(f"depth.{k}", "m")
    begun = memory.given.symbol("stride.begun")
    landed = where(step.before * begun, landed, leg.foothold[2])
    deep = landed - leg.foothold[2] - config.firm
    depth = where(step.stands, minimum(maximum(deep, 0.0), config.most), depth)
    memory.write(f"landed.{k}", landed)
    memory.write(f"depth.{k}", depth)
    return depth
