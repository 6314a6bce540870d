"""Supervisors: which composition is run in which state, and what follows.

A table. A state follows where its composition has converged, another where it has not;
where none is told, the next state is what the predicates say then, as of a policy that
was learned. Tables are written and read as JSON.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, final

from equipoise.control.basis.compose import Instance
from equipoise.core.errors import ConfigError

__all__ = [
    "AROUND",
    "FLAT",
    "TURN",
    "UNEVEN",
    "Supervisor",
    "SupervisorState",
    "relabelled",
]

BY_SIGHT = ""
"""In place of a state that follows: what the predicates say."""


@final
@dataclass(frozen=True, slots=True)
class SupervisorState:
    """Action of the supervisor in a state."""

    chain: tuple[Instance, ...]
    """The composition: each controller is subject to those that follow it."""
    then: str = BY_SIGHT
    """State that follows where it has converged."""
    otherwise: str = BY_SIGHT
    """State that follows where it has not."""
    lifts: int = 0
    """Leg that is in the air meanwhile, 1 to 4; 0 for none."""


@final
@dataclass(frozen=True)
class Supervisor:
    """Feedback map from states to compositions.

    Raises:
        ConfigError: no states, or one that leads to a state that there is not.
    """

    name: str
    states: Mapping[str, SupervisorState]
    """By name; the first is where it begins."""

    def __post_init__(self) -> None:
        problems = [
            f"state '{name}' leads to '{to}', which does not exist"
            for name, state in self.states.items()
            for to in (state.then, state.otherwise)
            if to not in (BY_SIGHT, *self.states)
        ]
        if not self.states:
            problems.append("it has no states")
        if problems:
            raise ConfigError(f"supervisor '{self.name}'", problems)

    @property
    def first(self) -> str:
        """Name of the state where it begins."""
        return next(iter(self.states))

    def as_table(self) -> dict[str, Any]:
        """Return it for a JSON file."""
        return {
            "supervisor": self.name,
            "states": {
                name: {
                    "chain": [str(one) for one in state.chain],
                    "then": state.then,
                    "otherwise": state.otherwise,
                    "lifts": state.lifts,
                }
                for name, state in self.states.items()
            },
        }

    @classmethod
    def from_table(cls, table: Mapping[str, Any], where: str) -> "Supervisor":
        """Return a supervisor from what a JSON file holds.

        Args:
            table: as ``as_table`` writes it.
            where: it was read, for messages.

        Raises:
            ConfigError: it is no supervisor.
        """
        try:
            states = {
                str(name): SupervisorState(
                    tuple(Instance.read(str(one)) for one in state["chain"]),
                    str(state.get("then", BY_SIGHT)),
                    str(state.get("otherwise", BY_SIGHT)),
                    int(state.get("lifts", 0)),
                )
                for name, state in table["states"].items()
            }
            return cls(str(table["supervisor"]), states)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            problem = f"it holds no supervisor: {type(error).__name__} at {error}"
            raise ConfigError(where, [problem]) from None


def _state(text: str, then: str, otherwise: str, lifts: int = 0) -> SupervisorState:
    """Return a state from its composition as it is written, parted by ``<|``."""
    chain = tuple(Instance.read(one) for one in text.split("<|"))
    return SupervisorState(chain, then, otherwise, lifts)


FLAT = Supervisor(
    "flat",
    {
        "0": _state("phi2 1234 yaw <| phi1 124 xy", "1", "1"),
        "1": _state("phi2 1234 yaw <| phi2 3 3 <| phi1 234 3", "2", "2", 3),
        "2": _state("phi2 1234 yaw <| phi2 1234 xy <| phi1 234 xy", "3", "3"),
        "3": _state("phi2 1 1 <| phi0 yaw <| phi0 xy <| phi1 234 xy", "4", "4", 1),
        "4": _state("phi2 1234 yaw <| phi1 123 xy", "5", "5"),
        "5": _state("phi2 1234 yaw <| phi2 4 4 <| phi1 134 4", "6", "6", 4),
        "6": _state("phi2 1234 yaw <| phi2 1234 xy <| phi1 134 xy", "7", "7"),
        "7": _state("phi2 2 2 <| phi0 yaw <| phi0 xy <| phi1 134 xy", "0", "0", 2),
    },
)
"""Walks over flat ground, [Ridderstrom2003] table 3.1, legs LR, LF, RR, RF."""

UNEVEN = Supervisor(
    "uneven",
    {
        name: replace(
            one,
            chain=one.chain
            if one.lifts
            else (Instance("phi2", (1, 2, 3, 4), "height"), *one.chain),
        )
        for name, one in FLAT.states.items()
    },
)
"""The same where the ground may be uneven, [Ridderstrom2003] figure 3.20: on four feet
the trunk's height is optimised too. What else is different there is the planner's."""
TURN = Supervisor(
    "turn",
    {
        "0": _state("phi2 1234 xy <| phi1 124 xy", "1", "1"),
        "1": _state("phi2 3 3 <| phi0 yaw <| phi2 1234 xy <| phi1 124 xy", "2", "2", 3),
        "2": _state("phi2 1234 xy <| phi1 234 xy", "3", "3"),
        "3": _state("phi2 1 1 <| phi0 yaw <| phi2 1234 xy <| phi1 234 xy", "4", "4", 1),
        "4": _state("phi2 1234 xy <| phi1 123 xy", "5", "5"),
        "5": _state("phi2 4 4 <| phi0 yaw <| phi2 1234 xy <| phi1 123 xy", "6", "6", 4),
        "6": _state("phi2 1234 xy <| phi1 134 xy", "7", "7"),
        "7": _state("phi2 2 2 <| phi0 yaw <| phi2 1234 xy <| phi1 134 xy", "0", "0", 2),
    },
)
"""Turns on the spot: the trunk turns over three feet while the fourth is set anew."""
AROUND: tuple[Mapping[int, int], ...] = (
    {1: 1, 2: 2, 3: 3, 4: 4},
    {1: 3, 2: 1, 3: 4, 4: 2},
    {1: 4, 2: 3, 3: 2, 4: 1},
    {1: 2, 2: 4, 3: 1, 4: 3},
)
"""Which leg does what on the way forward, to the left, backward, to the right."""


def relabelled(supervisor: Supervisor, legs: Mapping[int, int]) -> Supervisor:
    """Return the supervisor for other legs: what leg 1 did does ``legs[1]`` now.

    Args:
        supervisor: of which it is made.
        legs: by leg, 1 to 4.
    """

    def other(one: Instance) -> Instance:
        inputs = tuple(sorted(legs[leg] for leg in one.inputs))
        output = legs[one.output] if isinstance(one.output, int) else one.output
        return Instance(one.kind, inputs, output)

    states = {
        name: SupervisorState(
            tuple(other(one) for one in state.chain),
            state.then,
            state.otherwise,
            legs.get(state.lifts, 0),
        )
        for name, state in supervisor.states.items()
    }
    return Supervisor(supervisor.name, states)
