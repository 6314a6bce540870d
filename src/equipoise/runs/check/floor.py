"""Will it stand on the floor of its own simulator: the part of a check about contacts.

The engine's contacts give way, so that a robot leans on them; a small foot under a tall
robot may not hold it at all although hard ground would. ``stability.engine_floor``
finds out; here it is put into a sentence and into the numbers of ``--json``.
"""

import math
from typing import Any, NamedTuple

from equipoise.core.arrays import VecN
from equipoise.robots.scene.engine_contacts import EngineContacts, engine_doubts
from equipoise.runs.check.verdict import Answer
from equipoise.sim.let_go import SINKS
from equipoise.stability.engine.floor import EngineFloor, engine_floor

__all__ = ["FloorAnswer", "floor_answer", "judged_on_floor"]

ANSWERS: dict[str, Answer] = {
    "stands": "yes",
    "falls": "no",
    "sinks": "no",
    "unknown": "unknown",
}


class FloorAnswer(NamedTuple):
    """Answer on a simulator's own contacts."""

    stands: Answer
    """Put down gently, on the contacts of its file."""
    sentence: str
    """One line that says so, beginning with "on this file's contacts"."""
    summary: dict[str, Any]
    """The numbers of the command's ``engine_floor``."""
    floor: EngineFloor | None
    """None where contacts of this kind are not understood."""


def floor_answer(
    model: Any,
    qpos: VecN,
    root: int,
    given: VecN | None = None,
    height: float = math.inf,
) -> FloorAnswer:
    """Return how a robot stands on the contacts of its file, joints held.

    Args:
        model: the scene, compiled.
        qpos: pose in which hard ground bears the robot, of the scene, (nq,).
        root: body of the robot that carries its free joint.
        given: pose from which it is let go, (nq,); None for the same.
        height: of its centre of mass above what it stands on; of that it may sink a
            share [m].

    Raises:
        ConfigError: the root has no free joint.
    """
    doubts = engine_doubts(model)
    if doubts:
        reason = f"not understood: {', '.join(doubts)}"
        return FloorAnswer("unknown", _told_unknown(reason), {"reason": reason}, None)
    body = EngineContacts(model, qpos, root)
    before = None if given is None else EngineContacts(model, given, root)
    floor = engine_floor(body, before, SINKS * height)
    step = float(model.opt.timestep)
    sentence = {
        "stands": _told_standing,
        "falls": _told_falling,
        "sinks": lambda floor, step: _told_sinking(floor, height, step),
        "unknown": lambda floor, step: _told_unknown(floor.reason),
    }[floor.how](floor, step)
    return FloorAnswer(ANSWERS[floor.how], sentence, _numbers(floor), floor)


def judged_on_floor(
    stands: Answer, reasons: list[str], floor: FloorAnswer, *, decides: bool
) -> tuple[Answer, list[str]]:
    """Return the answer of hard ground after the file's contacts were asked.

    They only take a yes away: it is a no where they decide, else not known.

    Args:
        stands: on hard ground.
        reasons: why.
        floor: on the contacts of the file.
        decides: whether it was asked about these contacts.
    """
    if stands != "yes":
        return stands, [*reasons, floor.sentence]
    if decides:
        return floor.stands, [floor.sentence, *reasons]
    if floor.stands == "no":
        return "unknown", [f"balanced on hard ground; {floor.sentence}", *reasons]
    return stands, [*reasons, floor.sentence]


def _told_standing(floor: EngineFloor, timestep: float) -> str:
    """Return the sentence about a robot that stands."""
    energy = math.inf if floor.barrier is None else floor.barrier.energy
    left = "nothing tips it over"
    if math.isfinite(energy):
        left = f"{energy:.3g} J tip it over"
    elif math.isnan(energy):
        left = "it has too many contacts to find what tips it over"
    said = (
        f"on this file's contacts it leans by {math.degrees(floor.lean):.2g} degrees "
        f"and {left}; {_would_do(floor, timestep)}"
    )
    if floor.holds_let_go or math.isnan(energy):
        return said
    return f"{said}; let go from here, {floor.released:.3g} J above rest, it may tip"


def _told_falling(floor: EngineFloor, timestep: float) -> str:
    """Return the sentence about a robot that tips."""
    return f"on this file's contacts it tips over; {_would_do(floor, timestep)}"


def _told_sinking(floor: EngineFloor, height: float, timestep: float) -> str:
    """Return the sentence about a robot that sinks too deep into its contacts."""
    share = 100.0 * floor.sink / height
    return (
        f"on this file's contacts it sinks by {share:.3g} % of its height; "
        f"{_would_do(floor, timestep)}"
    )


def _told_unknown(reason: str) -> str:
    """Return the sentence about a robot of which nothing is known."""
    return f"on this file's contacts it is not known whether it stands: {reason}"


def _would_do(floor: EngineFloor, timestep: float) -> str:
    """Return which contacts would hold the robot."""
    if math.isnan(floor.factor):
        return "the required stiffness would take too long to find"
    if math.isinf(floor.factor):
        return "no stiffness of its contacts would do"
    if floor.factor == 0.0:
        return "a hundredth of the contacts' stiffness would do"
    limit = floor.solref
    if math.isnan(limit):  # several time constants, or stiffness given directly
        return f"contacts {floor.factor:.3g} times as stiff would do"
    if limit < 2 * timestep:
        return (
            f"solref of at most {limit:.3g} would do, for which the timestep must be "
            f"at most {limit / 2:.3g} s"
        )
    return f"solref of at most {limit:.3g} would do"


def _numbers(floor: EngineFloor) -> dict[str, Any]:
    """Return the numbers of an answer, None where there are none."""
    barrier = floor.barrier
    return {
        "reason": floor.reason or None,
        "lean_deg": _number(math.degrees(floor.lean)),
        "sink_m": _number(floor.sink),
        "stiffness_factor": _number(floor.factor),
        "solref": sorted({float(time) for time in floor.references[:, 0]}),
        "solref_limit": _number(floor.solref),
        "energy_left_j": None if barrier is None else _number(barrier.energy),
        "tips_towards": None
        if barrier is None or math.isnan(barrier.energy)
        else barrier.direction.tolist(),
        "released_j": _number(floor.released),
        "holds_let_go": None
        if barrier is None or math.isnan(barrier.energy)
        else floor.holds_let_go,
        "contacts": [
            {"position": p.tolist(), "force": float(f), "stiffness": float(k)}
            for p, f, k in zip(floor.points, floor.forces, floor.stiffness, strict=True)
        ]
        if barrier is not None
        else [],
    }


def _number(value: float) -> float | None:
    """Return a number, None where it is not finite."""
    return value if math.isfinite(value) else None
