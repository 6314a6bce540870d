"""``equipoise.limits``: the largest pushes that a robot survives."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from equipoise.core.errors import ConfigError
from equipoise.runs.jobs.job import job_named
from equipoise.runs.sweep.given import dashed
from equipoise.runs.sweep.swept import SweptJob, request_of

if TYPE_CHECKING:
    from equipoise.runs.result import AbstractResult

__all__ = ["limits"]


def limits(
    robot: str | Path = "biped", *, seed: int = 0, **settings: Any
) -> "AbstractResult":
    """Return the largest pushes that a robot survives, by direction and at random.

        eq.limits("biped", pushes=20, quick=True).summary["impulse_ns_per_kg"]

    Args:
        robot: name or file of a robot that stands on feet, or of a machine that walks.
        seed: of the pushes, and the first of the instants of a walk.
        settings: options of ``equipoise limits`` and of the robot, by name, as
            ``pushes``, ``quick``, ``friction`` or ``payload``; a text may have a unit.

    Raises:
        EquipoiseError: a robot or settings that cannot be used; nothing has been
            simulated then.
    """
    if not isinstance(robot, str | Path):
        problem = f"a robot is given by name or file, got {type(robot).__name__}"
        raise ConfigError("limits", [problem])
    swept = SweptJob(job_named("limits"), str(robot), ())
    given = {dashed(name): value for name, value in settings.items()}
    swept.expect(given)
    job, asked = request_of(swept.row(given, seed, {}))
    return job.answer(asked)
