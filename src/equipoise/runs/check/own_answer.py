"""What the engine says of a robot that is let go, beside what its equilibrium says."""

import copy
import math
from typing import Any, NamedTuple

from equipoise.core.arrays import Vec3
from equipoise.robots.scene.scene import Scene
from equipoise.runs.check.own_joints import DrivesAnswer
from equipoise.runs.check.verdict import Answer
from equipoise.sim.let_go import (
    ASIDE,
    CREEPS,
    LEANS,
    MINUTE,
    LetGo,
    OwnJoints,
    release_outcome,
)

__all__ = ["EngineAnswer", "engine_answer", "joined_answer"]

MOST_STEPS = 120_000
"""Of a trial over a minute; robots whose time step asks for more are not watched so
long."""
BRACED = (
    "its feet brace each other by friction, and their creep is too slow to simulate"
)


class EngineAnswer(NamedTuple):
    """Result of releasing a robot in the engine."""

    stands: Answer
    """"unknown" where it creeps, where something met it, or where it was not tried."""
    sentence: str
    """What was seen, where it does not stand."""
    trial: LetGo
    creeps: bool = False
    """Whether it stands but for creeping, as the engine's friction lets it."""

    @property
    def summary(self) -> dict[str, Any]:
        """The numbers of ``--json``."""
        found = self.trial
        return {
            "seconds": found.seconds,
            "sinks_m": _finite(found.sunk),
            "turns_deg": _finite(math.degrees(found.turned)),
            "aside_m": _finite(found.aside),
            "sinks_mm_per_minute": _finite(6e4 * found.rates[2]),
            "aside_mm_per_minute": _finite(6e4 * found.rates[1]),
        }


def _finite(value: float) -> float | None:
    """Return a number, None where it is not finite."""
    return value if math.isfinite(value) else None


def engine_answer(
    scene: Scene,
    data: Any,
    size: float,
    height: float,
    *,
    friction: float | None,
    own: OwnJoints | None,
    is_braced: bool = False,
    normal: Vec3 | None = None,
) -> EngineAnswer:
    """Return what becomes of a robot that is let go where it rests.

    One that still moves in the end is watched for a minute.

    Args:
        scene: its world, with ground of its own.
        data: of ``scene.model``, in the pose at the start; left as it is.
        size: of the robot [m].
        height: of its centre of mass above what it stands on [m].
        friction: of all contacts; None for the scene's own.
        own: joints that act by themselves; None where all are held.
        is_braced: whether it stands only while its feet brace each other by friction,
            which creeps slowly at first: it is watched for a minute in any case.
        normal: out of the ground, unit, (3,); None for up.
    """

    def tried(seconds: float | None) -> LetGo:
        return release_outcome(
            scene,
            copy.copy(data),
            size,
            height,
            friction=friction,
            own=own,
            seconds=seconds,
            normal=normal,
        )

    trial = tried(None)
    is_short = MINUTE / float(scene.model.opt.timestep) <= MOST_STEPS
    may_go = bool(trial.seconds) and not trial.falls
    may_go = may_go and (is_braced or not trial.is_still)
    longer = tried(MINUTE) if may_go and is_short else trial
    watched = longer if longer.seconds else trial
    stands, said = _said(trial, watched)
    if stands == "yes" and is_braced and watched is trial:
        stands, said = "unknown", BRACED
    is_up = bool(trial.seconds) and not (trial.met or trial.falls)
    creeps = is_up and stands == "unknown" and said != BRACED
    return EngineAnswer(stands, said, trial, creeps=creeps)


def _said(trial: LetGo, watched: LetGo) -> tuple[Answer, str]:
    """Return the answer of a trial and of a longer one, and a sentence."""
    if not trial.seconds:
        return "unknown", trial.untried
    if trial.met:
        return "unknown", f"when released, it meets '{trial.met}', which moves"
    if trial.diverged:
        return "no", "let go on its file's contacts, the simulation diverges"
    if trial.falls:
        return "no", _fallen(trial)
    if watched.falls and not _is_creeping(watched):
        return "no", f"{_fallen(watched)} within a minute"
    if watched.falls or watched.may_creep:
        return "unknown", _creeping(trial, watched)
    return "yes", ""


def _fallen(trial: LetGo) -> str:
    """Return the sentence about a robot that fell."""
    onto = f", onto {', '.join(trial.touching[:4])}" if trial.touching else ""
    if not trial.is_over:
        share = 100.0 * trial.sunk / trial.height
        return f"let go, it sinks by {share:.3g} % of its height{onto}"
    if trial.turned > trial.aside / max(trial.size, 1e-9):
        return f"let go, it turns by {math.degrees(trial.turned):.0f} degrees{onto}"
    return f"let go, it slides {trial.aside:.3g} m aside{onto}"


def _is_creeping(watched: LetGo) -> bool:
    """Return whether a robot went away but for creeping still stands."""
    is_up = not watched.diverged and watched.turned <= LEANS
    return (
        is_up and watched.aside > ASIDE * watched.size and watched.sunk <= watched.aside
    )


def _creeping(trial: LetGo, watched: LetGo) -> str:
    """Return the sentence about a robot that stands now but not after a minute."""
    if _is_creeping(watched):
        return (
            f"on this file's contacts it creeps {1e3 * watched.aside:.3g} mm in "
            f"{watched.seconds:.0f} s"
        )
    turns, goes, sinks = watched.a_minute
    if goes > CREEPS * trial.size:
        return f"on this file's contacts it creeps {1e3 * goes:.3g} mm a minute"
    if sinks > 0.0 and sinks / trial.height >= turns:
        return (
            f"on its file's drives and contacts it sinks {1e3 * sinks:.3g} mm a minute"
        )
    return f"on its file's contacts it turns {math.degrees(turns):.2g} degrees a minute"


def joined_answer(rest: DrivesAnswer, trial: EngineAnswer) -> tuple[Answer, list[str]]:
    """Return the answer of both ways of asking, and its reasons.

    Args:
        rest: what equilibrium and stiffness say.
        trial: what the engine says.
    """
    if rest.stands == trial.stands == "yes":
        return "yes", []
    reasons = [s for s in (trial.sentence, rest.sentence) if s]
    if trial.stands == "no" and rest.stands != "yes":
        return "no", [rest.sentence, trial.sentence]
    if trial.stands == "yes":
        return "unknown", [f"{rest.sentence}, but in the engine it stays up"]
    if rest.stands == "yes" and trial.stands == "no":
        found = [f"{trial.sentence}; by equilibrium and stiffness it would stand"]
        return "unknown", found
    return "unknown", reasons
