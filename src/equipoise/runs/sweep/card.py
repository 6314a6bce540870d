"""A graphics card as the crew of a sweep: all walks of a table at once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, final

from equipoise.core.errors import EquipoiseError
from equipoise.equations.cuda.module import chosen_backend
from equipoise.runs.many.planner import WalkPlanner
from equipoise.runs.many.rows import WalkGroup, WalkRow, walk_groups
from equipoise.runs.sweep.crew import AbstractCrew
from equipoise.runs.sweep.sweep import Answer
from equipoise.runs.walk.config import WalkConfig

__all__ = ["Card"]

MOST = 2**18
"""Robots that are walked at once."""


@final
@dataclass(frozen=True)
class Card(AbstractCrew):
    """Walks rows on a card, program by program.

    Raises:
        MissingExtraError: no card is seen, or nothing that could use it.
    """

    read: Callable[[Any], "WalkConfig | str"]
    """Returns the walk of a row, or why there is none."""
    backend: str = "auto"
    """See ``cuda_module``."""
    on_progress: Callable[[float], None] | None = field(default=None, compare=False)
    """Called with the share done of all rows."""

    def __post_init__(self) -> None:
        """Refuse to begin without a card."""
        chosen_backend(self.backend)

    def work(
        self,
        ask: Callable[[Any], Any],
        rows: Sequence[Any],
        done: Callable[[int, Any], None],
    ) -> None:
        """Walk all rows.

        Args:
            ask: not needed; rows are walked together.
            rows: what ``read`` takes.
            done: called with a row's place and its answer.

        Raises:
            EquipoiseError: no row can be walked so, all for one reason.
        """
        del ask
        known = WalkPlanner()
        found = [known.plan(place, self.read(row)) for place, row in enumerate(rows)]
        walks = [walk for walk in found if isinstance(walk, WalkRow)]
        failed = {k: why for k, why in enumerate(found) if isinstance(why, str)}
        before = len(failed)
        for group in walk_groups(walks, MOST):
            part = before / len(rows), len(group.walks) / len(rows)
            try:
                self.walk(group, done, part)
            except EquipoiseError as error:
                failed |= {walk.place: str(error) for walk in group.walks}
            before += len(group.walks)
        if rows and len(failed) == len(rows) and len(set(failed.values())) == 1:
            raise EquipoiseError(failed[0])
        for place, why in failed.items():
            done(place, Answer("", error=why))

    def walk(
        self,
        group: WalkGroup,
        done: Callable[[int, Any], None],
        part: tuple[float, float],
    ) -> None:
        """Walk a group and tell of each of its rows.

        Args:
            group: of rows that one program does.
            done: called with a row's place and its answer.
            part: share of rows that were done before, and of these.
        """
        tell, (before, own) = self.on_progress, part
        progress = None if tell is None else lambda share: tell(before + own * share)
        numbers = group.run(backend=self.backend, progress=progress)
        for walk, row in zip(group.walks, numbers, strict=True):
            is_well = row["arrived"] and not row["fell"]
            done(walk.place, Answer("yes" if is_well else "no", row))
