"""Controllers that act together: each is subject to those that follow it.

φ_a ◁ φ_b means that a may act only where it does not undo b, [Ridderstrom2003] section
3.3.1, figure 3.17: one step of a, then b until it has converged, again and again until
nothing changes. A step after which b cannot get back what it had is taken back.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from string import digits
from typing import Literal, final

import numpy as np

from equipoise.control.basis.elemental import (
    CONTACT,
    HEIGHT,
    POSITION,
    POSTURE,
    TRUNK,
    YAW,
    Bound,
    error_of,
    step_once,
)
from equipoise.control.basis.stance import BasisParts, BasisStance
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled
from equipoise.core.records import Records

__all__ = ["Ending", "Instance", "bind", "run_composition", "subject_to"]

ROUNDS = 40  # of a dominated controller
STEPS = 200  # of one that stands alone
LONGEST = 4  # composition
KINDS = {"phi0": POSITION, "phi1": CONTACT, "phi2": POSTURE}
OUTPUTS = {"xy": TRUNK, "yaw": YAW, "height": HEIGHT}
ALL = (1, 2, 3, 4)


class Ending(Enum):
    """Outcome of a composition."""

    CONVERGED = "converged: nothing changes any more"
    FAILED = "did not converge: its dominant contact is not stable"
    UNSETTLED = "did not settle within its rounds"


@final
@dataclass(frozen=True, slots=True)
class Instance:
    """A controller bound to resources, φ with inputs above and an output below.

    Raises:
        ConfigError: inputs or an output that it cannot have.
    """

    kind: Literal["phi0", "phi1", "phi2"]
    inputs: tuple[int, ...]
    """Legs, 1 LF, 2 RF, 3 LR, 4 RR; none of position."""
    output: int | Literal["xy", "yaw", "height"]
    """A leg's foot, or what moves of the trunk."""

    def __post_init__(self) -> None:
        problems: list[str] = []
        if self.kind not in KINDS:
            problems.append(f"a controller is phi0, phi1 or phi2, got {self.kind!r}")
        if self.output not in (*ALL, *OUTPUTS):
            problems.append(
                f"an output is a leg 1 to 4, xy, yaw or height, got {self.output!r}"
            )
        known = set(self.inputs) <= set(ALL) and len(set(self.inputs)) == len(
            self.inputs
        )
        if not known or (self.kind == "phi1" and len(self.inputs) != 3):
            problems.append(f"{self.kind} cannot have the inputs {self.inputs!r}")
        moves = {"phi0": ("xy", "yaw"), "phi1": ("xy",), "phi2": OUTPUTS}
        if isinstance(self.output, str) and self.output not in moves.get(self.kind, ()):
            problems.append(f"{self.kind} cannot move {self.output!r}")
        if problems:
            raise ConfigError("a controller of the basis", problems)

    def __str__(self) -> str:
        """Return it as it is written in tables: ``phi1 124 xy``."""
        legs = "".join(str(leg) for leg in self.inputs)
        return " ".join(word for word in (self.kind, legs, str(self.output)) if word)

    @classmethod
    def read(cls, text: str) -> "Instance":
        """Return a controller from how it is written.

        Args:
            text: such as ``phi1 124 xy``, ``phi2 1234 yaw`` or ``phi0 xy``.

        Raises:
            ConfigError: no such controller.
        """
        words = text.split()
        numbers = "".join(words[1:-1])
        if len(words) not in (2, 3) or not set(numbers) <= set(digits):
            problem = f"a controller is written as 'phi1 124 xy', got {text!r}"
            raise ConfigError("a controller of the basis", [problem])
        inputs = tuple(int(c) for c in words[1]) if len(words) == 3 else ()
        last = words[-1]
        output = int(last) if set(last) <= set(digits) else last
        return cls(words[0], inputs, output)  # type: ignore[arg-type]  # checked there


def bind(
    chain: Sequence[Instance],
    direction: tuple[float, float] = (1.0, 0.0),
    until: float = math.inf,
    heading: float = 0.0,
) -> Records[Bound]:
    """Return a composition as kernels take it, (n,).

    Args:
        chain: each subject to those that follow it.
        direction: in W, of position controllers.
        until: how far along it from W's origin they go [m].
        heading: to which they turn the trunk [rad].

    Raises:
        ConfigError: none, or too many.
    """
    if not 1 <= len(chain) <= LONGEST:
        problem = f"a composition has 1 to {LONGEST} controllers, got {len(chain)}"
        raise ConfigError("the control basis", [problem])
    bound, size = Bound.zeros(len(chain)), math.hypot(*direction)
    for row, one in zip(bound, chain, strict=True):
        row.kind = KINDS[one.kind]
        row.output = (
            one.output - 1 if isinstance(one.output, int) else OUTPUTS[one.output]
        )
        if one.kind == "phi1":
            row.feet[:] = np.array(one.inputs) - 1
        row.until, row.heading = until, heading
        row.direction[:] = np.array(direction) / max(size, 1e-12)
    return bound


def subject_to(
    chain: Records[Bound], stance: Records[BasisStance], parts: BasisParts
) -> tuple[Records[BasisStance], Ending]:
    """Return the stance to which a composition leads, and how it ended.

    Args:
        chain: of ``bind``, each subject to those that follow it.
        stance: where it begins, (1,).
        parts: of the machine, see ``basis_parts``.
    """
    after = stance.copy()
    rooms = BasisStance.zeros(LONGEST, legs=4, joints=3)
    settled = run_composition(chain, after, rooms, parts)
    if _error_of_last(chain, after, parts) > 0.0:
        return after, Ending.FAILED
    return after, Ending.CONVERGED if settled else Ending.UNSETTLED


@compiled(allocates=False)
def _error_of_last(
    chain: Records[Bound], stance: Records[BasisStance], parts: BasisParts
) -> float:
    """Return what the controller that dominates all others still misses."""
    body = parts[2][0]
    return error_of(stance, chain[chain.shape[0] - 1], parts, body.margin + body.spare)


@compiled(allocates=False)
def run_composition(
    chain: Records[Bound],
    stance: Records[BasisStance],
    rooms: Records[BasisStance],
    parts: BasisParts,
) -> bool:
    """Run a composition until it has converged; say whether it has.

    Args:
        chain: each subject to those that follow it, (n,), n at most 4.
        stance: changed, (1,).
        rooms: to take steps back from, (4,); overwritten.
        parts: of the machine.
    """
    many = chain.shape[0]
    if many == 1:
        return _settle_last(chain, stance, parts)
    if many == 2:
        return _settle_two(chain, stance, rooms, parts)
    if many == 3:
        return _settle_three(chain, stance, rooms, parts)
    return _settle_four(chain, stance, rooms, parts)


@compiled(allocates=False)
def _settle_last(
    chain: Records[Bound], stance: Records[BasisStance], parts: BasisParts
) -> bool:
    """Run the last controller until it has converged."""
    for _ in range(STEPS):
        if step_once(stance, chain[chain.shape[0] - 1], parts) == 0.0:
            return True
    return False


@compiled(allocates=False)
def _is_worse(
    chain: Records[Bound],
    first: int,
    had: float,
    stance: Records[BasisStance],
    parts: BasisParts,
) -> bool:
    """Return whether what the controllers from one on miss has become more."""
    return _missed(chain, first, stance, parts) > had + 1e-9


@compiled(allocates=False)
def _missed(
    chain: Records[Bound], first: int, stance: Records[BasisStance], parts: BasisParts
) -> float:
    """Return what the controllers from one on miss, the dominant one before all."""
    body = parts[2][0]
    worth, out = 1.0, 0.0
    for back in range(chain.shape[0] - first):
        k = chain.shape[0] - 1 - back
        out += worth * error_of(stance, chain[k], parts, body.kept)
        worth *= 1e-3
    return out


@compiled(allocates=False)
def _has_moved(before: BasisStance, after: BasisStance, parts: BasisParts) -> bool:
    """Return whether feet or trunk have moved by more than a controller's stillness."""
    body = parts[2][0]
    if abs(after.yaw - before.yaw) > body.steady:
        return True
    for i in range(3):
        if abs(after.p_WB[i] - before.p_WB[i]) > body.still:
            return True
        for one in range(after.feet.shape[0]):
            if abs(after.feet[one, i] - before.feet[one, i]) > body.still:
                return True
    return False


@compiled(allocates=False)
def _settle_two(
    chain: Records[Bound],
    stance: Records[BasisStance],
    rooms: Records[BasisStance],
    parts: BasisParts,
) -> bool:
    """Run the last but one controller subject to the last."""
    own = chain.shape[0] - 2
    _settle_last(chain, stance, parts)
    for _ in range(ROUNDS):
        had = _missed(chain, own + 1, stance, parts)
        rooms[0] = stance[0]
        if step_once(stance, chain[own], parts) == 0.0:
            return True
        _settle_last(chain, stance, parts)
        if _is_worse(chain, own + 1, had, stance, parts):
            stance[0] = rooms[0]
            return True
        if not _has_moved(rooms[0], stance[0], parts):
            return True
    return False


@compiled(allocates=False)
def _settle_three(
    chain: Records[Bound],
    stance: Records[BasisStance],
    rooms: Records[BasisStance],
    parts: BasisParts,
) -> bool:
    """Run the last but two subject to the two that follow it."""
    own = chain.shape[0] - 3
    _settle_two(chain, stance, rooms, parts)
    for _ in range(ROUNDS):
        had = _missed(chain, own + 1, stance, parts)
        rooms[1] = stance[0]
        if step_once(stance, chain[own], parts) == 0.0:
            return True
        _settle_two(chain, stance, rooms, parts)
        if _is_worse(chain, own + 1, had, stance, parts):
            stance[0] = rooms[1]
            return True
        if not _has_moved(rooms[1], stance[0], parts):
            return True
    return False


@compiled(allocates=False)
def _settle_four(
    chain: Records[Bound],
    stance: Records[BasisStance],
    rooms: Records[BasisStance],
    parts: BasisParts,
) -> bool:
    """Run the first of four subject to the three that follow it."""
    _settle_three(chain, stance, rooms, parts)
    for _ in range(ROUNDS):
        had = _missed(chain, 1, stance, parts)
        rooms[2] = stance[0]
        if step_once(stance, chain[0], parts) == 0.0:
            return True
        _settle_three(chain, stance, rooms, parts)
        if _is_worse(chain, 1, had, stance, parts):
            stance[0] = rooms[2]
            return True
        if not _has_moved(rooms[2], stance[0], parts):
            return True
    return False
