"""The world in which a machine on four legs learns to turn to the left.

[Ridderstrom2003] section 3.3.3. It is kinematic: an action is a composition of contact
and posture controllers, run on a stance until it has converged; its reward is by how
much the trunk has turned. Predicates p1 to p4 say which tripods are stable, p5 that the
heading is the best for all legs.

It is safe by construction. A leg may be lifted only where the three others are stable,
and an action after which no tripod would be is not carried out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from equipoise.control.basis.build import BasisConfig, basis_parts, home_stance
from equipoise.control.basis.compose import Instance, bind, subject_to
from equipoise.control.basis.predicates import TRIPODS, margins, predicates
from equipoise.control.basis.stance import BasisParts, BasisStance
from equipoise.control.basis.supervisor import Supervisor, SupervisorState
from equipoise.control.learning.compositions import (
    LEGS,
    Chain,
    admissible_chains,
    all_chains,
    lifted_legs,
    turn_controllers,
)
from equipoise.control.learning.qualities import Qualities
from equipoise.control.learning.world import AbstractWorld, state_name
from equipoise.control.machine import LeggedMachine
from equipoise.control.scaling import scaled_settings
from equipoise.core.arrays import Ints
from equipoise.core.errors import ConfigError
from equipoise.core.records import Records
from equipoise.robots.thing.options import SIZE as THING

__all__ = [
    "THING_TURNS",
    "TurningWorld",
    "chain_name",
    "supervisor_of",
    "turning_settings",
    "turning_world",
]

THING_TURNS = BasisConfig(margin=0.025, spare=0.05, yields=True, inner=0.13, outer=0.22)
"""Contact controllers go far beyond a stable tripod, as far as the trunk's heading then
lets them; feet stand clear of the trunk, and near enough that steps turn it far."""
STABLE = (1 << len(TRIPODS)) - 1  # p1 to p4 as bits of a state
STANDS = 0.18  # Thing's feet from the middle of its trunk [m]
STRAY = 0.03  # of feet at the start, in heights of the hips
WORDS = tuple(
    f"feet {', '.join(str(leg) for leg in feet)} carry alone" for feet in TRIPODS
)


@final
@dataclass(frozen=True, eq=False)
class TurningWorld(AbstractWorld[Records[BasisStance]]):
    """World of a machine that learns to turn."""

    parts: BasisParts
    """Of the machine."""
    chains: tuple[Chain, ...]
    """Of the actions."""
    offered: Mapping[int, Ints]
    """Actions that are admissible, by state."""
    least: float
    """Margin over the feet that stand below which no leg is lifted [m]."""
    spread: float
    """By which feet stand about at the start, each way [m]."""
    predicates: tuple[str, ...] = (*WORDS, "the heading is the best for all legs")
    actions: tuple[str, ...] = ()

    def init(self, rng: np.random.Generator) -> Records[BasisStance]:
        """Return a stance in which some tripod is stable.

        Feet stand about at home, and one is set so that it is.

        Args:
            rng: draws where feet stand, and the tripod.
        """
        stance = home_stance(self.parts)
        legs, feet = self.parts[1], stance["feet"][0, :, :2]
        if np.isfinite(legs["outer"]).all():  # on the middle of the ring
            middle = 0.5 * (legs["inner"] + legs["outer"])
            feet *= (middle / np.hypot(feet[:, 0], feet[:, 1]))[:, None]
        stray = rng.uniform(-self.spread, self.spread, (len(LEGS), 2))
        for foot in rng.permutation(len(LEGS)):
            begun = stance.copy()
            begun["feet"][0, :, :2] += stray
            for tripod in rng.permutation(TRIPODS).tolist():
                if int(foot) + 1 not in tripod:
                    continue
                one = Instance("phi1", tuple(tripod), int(foot) + 1)
                after, _ = subject_to(bind([one]), begun, self.parts)
                if self.is_safe(self.state(after)):
                    return after
        problem = (
            "no foot can be placed so that three feet are stable; give a smaller margin"
        )
        raise ConfigError("the world of turning", [problem])

    def state(self, at: Records[BasisStance]) -> int:
        """Return p1 to p5 as bits 0 to 4.

        Args:
            at: a stance.
        """
        return sum(
            1 << k for k, holds in enumerate(predicates(at, self.parts)) if holds
        )

    def admissible(self, state: int) -> Ints:
        """Return the actions that lift no leg but one without which the others stand.

        Args:
            state: which predicates hold.
        """
        return self.offered[state]

    def is_safe(self, state: int) -> bool:
        """Return whether p1 ∨ p2 ∨ p3 ∨ p4, ¬(p1 ∧ p3) and ¬(p2 ∧ p4).

        Args:
            state: which predicates hold.
        """
        p = [bool(state >> k & 1) for k in range(len(TRIPODS))]
        return any(p) and not (p[0] and p[2]) and not (p[1] and p[3])

    def step(
        self, at: Records[BasisStance], action: int
    ) -> tuple[Records[BasisStance], float]:
        """Return the stance to which an action leads, and by how much it turned [rad].

        Args:
            at: a stance.
            action: one that is admissible there.
        """
        chain = self.chains[action]
        after, _ = subject_to(bind(chain), at, self.parts)
        if not (self.is_safe(self.state(after)) and self.carries(chain, after)):
            return at, 0.0
        return after, float(after["yaw"][0] - at["yaw"][0])

    def carries(self, chain: Chain, after: Records[BasisStance]) -> bool:
        """Return whether the feet that stood throughout still carry in the end.

        Args:
            chain: the composition that was run.
            after: where it led.
        """
        has = margins(after, self.parts)
        for feet, margin in zip(TRIPODS, has, strict=True):
            if _lacked(feet) in lifted_legs(chain) and margin <= self.least:
                return False
        return True


def turning_world(
    machine: LeggedMachine, config: BasisConfig | None = None
) -> TurningWorld:
    """Return the world in which a machine learns to turn.

    Args:
        machine: with four legs of three joints.
        config: of the controllers; None for Thing's, by the machine's size.

    Raises:
        ConfigError: other legs.
    """
    config = config or turning_settings(machine)
    chains = admissible_chains(all_chains(turn_controllers()))
    lifts = [next(iter(lifted_legs(chain)), 0) for chain in chains]
    spared = {
        leg: k for k, feet in enumerate(TRIPODS) for leg in LEGS if leg not in feet
    }
    offered = {
        state: np.array(
            [k for k, leg in enumerate(lifts) if not leg or state >> spared[leg] & 1]
        )
        for state in range(1 << (len(TRIPODS) + 1))
    }
    return TurningWorld(
        basis_parts(machine, config),
        chains,
        offered,
        config.least,
        STRAY * machine.height,
        actions=tuple(chain_name(chain) for chain in chains),
    )


def turning_settings(machine: LeggedMachine) -> BasisConfig:
    """Return Thing's settings of the controllers, by a machine's size.

    Args:
        machine: that learns; feet of another shape stand in a ring of their own.
    """
    config = scaled_settings(THING_TURNS, machine.scale.over(THING))
    if machine.name == "thing":
        return config
    feet = machine.geometry.hips[:, :2]
    by = float(np.hypot(feet[:, 0], feet[:, 1]).mean()) / STANDS
    names = ("margin", "spare", "inner", "outer", "step", "least")
    return replace(config, **{name: by * getattr(THING_TURNS, name) for name in names})


def _lacked(feet: tuple[int, ...]) -> int:
    """Return the leg that is not in a tripod.

    Args:
        feet: of the tripod.
    """
    return next(leg for leg in LEGS if leg not in feet)


def chain_name(chain: Chain) -> str:
    """Return a composition as it is written: ``phi2 1234 yaw <| phi1 124 1``.

    Args:
        chain: the composition.
    """
    return " <| ".join(str(one) for one in chain)


def supervisor_of(world: TurningWorld, known: Qualities, name: str) -> Supervisor:
    """Return what was learned as a table: the best composition of each state.

    Where no tripod is stable, as when the machine begins, its trunk goes over one.

    Args:
        world: in which it was learned.
        known: what was learned.
        name: of the supervisor.
    """
    states: dict[str, SupervisorState] = {}
    for x in range(world.states):
        label = state_name(x, len(world.predicates))
        if not x & STABLE:
            states[label] = SupervisorState((Instance("phi1", TRIPODS[1], "xy"),))
        if not (world.is_safe(x) and known.counts[x].any()):
            continue
        offered = world.admissible(x)
        chain = world.chains[int(offered[known.quality[x, offered].argmax()])]
        lifts = next(iter(lifted_legs(chain)), 0)
        states[label] = SupervisorState(chain, lifts=lifts)
    return Supervisor(name, states)
