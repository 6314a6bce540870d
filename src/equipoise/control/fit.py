"""Why a controller does not go with a machine, or one of its parts with the others."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import equipoise.control.parts as parts
from equipoise.control.machine import LeggedMachine

__all__ = ["Fit", "unfit_machine", "unfit_parts"]

REMEDIES: Mapping[str, str] = {
    "plan": "a plan of when legs step and where the trunk goes; give a --planner",
    "heeded plan": "legs that follow its plan; give --support planned",
    "followed plan": "a trunk that follows its plan; give --motion follow",
    "forces": "feet that follow force commands; give another --balance",
}
"""What a part may need of the others, and what would help."""


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class Fit:
    """Requirements of a controller on a machine."""

    legs: tuple[int, ...] = (4, 6, 8)
    """How many legs it can walk on."""
    joints: int = 2
    """How many each must have at least."""
    by_force: bool = False
    """Whether it tells feet forces alone, which geared drives do not let through."""
    senses: frozenset[str] = frozenset()
    """Sensors that it cannot do without, by the names of ``LeggedMachine.senses``."""


def unfit_machine(machine: LeggedMachine, fit: Fit, name: str) -> list[str]:
    """Return why a controller does not go with a machine, a sentence each.

    Args:
        machine: that shall walk.
        fit: what the controller needs.
        name: of the controller.
    """
    problems: list[str] = []
    if machine.legs not in fit.legs:
        known = " or ".join(str(legs) for legs in fit.legs)
        problems.append(
            f"controller '{name}' walks on {known} legs, '{machine.name}' has "
            f"{machine.legs}"
        )
    if machine.joints < fit.joints:
        problems.append(
            f"controller '{name}' puts each foot where it chooses, which takes "
            f"{fit.joints} joints a leg, '{machine.name}' has {machine.joints}"
        )
    if fit.by_force and not machine.is_backdrivable:
        problems.append(
            f"controller '{name}' tells feet forces alone, which the gears of "
            f"'{machine.name}' do not let through: its feet weigh more than "
            f"{machine.mass / (2.0 * machine.legs):.3g} kg with them"
        )
    lacking = sorted(fit.senses - machine.senses)
    if lacking:
        problems.append(
            f"controller '{name}' needs sensors of {', '.join(lacking)}, which "
            f"'{machine.name}' does not have"
        )
    return problems


def unfit_parts(chosen: Mapping[str, Any], legs: int) -> list[str]:
    """Return why parts do not go together or with a machine, a sentence each.

    Args:
        chosen: names of the parts by what they decide: ``planner``, ``support``,
            ``motion``, ``balance``, ``legs`` and ``reflexes``, a tuple.
        legs: of the machine.

    Raises:
        UnknownNameError: no such part.
    """
    catalogues = {
        "planner": parts.PLANNERS,
        "support": parts.SUPPORTS,
        "motion": parts.MOTIONS,
        "balance": parts.BALANCES,
        "legs": parts.LEG_PROGRAMS,
    }
    found: list[tuple[str, Any]] = [
        (f"{kind} '{chosen[kind]}'", catalogue.find(chosen[kind]))
        for kind, catalogue in catalogues.items()
    ]
    found += [(f"reflex '{n}'", parts.REFLEXES.find(n)) for n in chosen["reflexes"]]
    given = frozenset[str]().union(*(part.gives for _, part in found))
    problems = [
        f"{words} is for {part.legs_taken} legs, the machine has {legs}"
        for words, part in found
        if part.legs_taken not in (0, legs)
    ]
    problems += [
        f"{words} needs {REMEDIES.get(need, need)}"
        for words, part in found
        for need in sorted(part.needs - given)
    ]
    return problems
