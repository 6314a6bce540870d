"""Who does the rows: this process, a pool on this machine, or a cluster of Dask's.

Rows are independent and carry their own seeds, so that whoever does them gives the same
numbers. A worker that dies loses nothing but the row that it held, which is done again;
one that kills two workers is a row with the reason.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, final

from equipoise.core.checks import is_whole
from equipoise.core.errors import ConfigError
from equipoise.runs.process_map import Lost, process_map

__all__ = ["AbstractCrew", "Pool"]

Ask = Callable[[Any], Any]
Done = Callable[[int, Any], None]


class AbstractCrew(ABC):
    """Does rows and tells of each when it is done."""

    @abstractmethod
    def work(self, ask: Ask, rows: Sequence[Any], done: Done) -> None:
        """Do all rows.

        Args:
            ask: does one; a function that another process can import.
            rows: what it is called with.
            done: called with a row's place and its answer, or ``Lost``, in any order.
        """


@final
@dataclass(frozen=True)
class Pool(AbstractCrew):
    """Processes on this machine; one for no process but this.

    Raises:
        ConfigError: less than one.
    """

    workers: int

    def __post_init__(self) -> None:
        """Refuse an empty crew."""
        if not (is_whole(self.workers) and 1 <= self.workers <= 1024):
            problem = f"workers must be 1 to 1024, got {self.workers!r}"
            raise ConfigError("the sweep", [problem])

    def work(self, ask: Ask, rows: Sequence[Any], done: Done) -> None:
        """Do all rows; those that a dying process held once more."""
        lost = self.once(ask, rows, range(len(rows)), done, is_last=False)
        if lost:
            self.once(ask, rows, lost, done, is_last=True)

    def once(
        self,
        ask: Ask,
        rows: Sequence[Any],
        places: Sequence[int],
        done: Done,
        *,
        is_last: bool,
    ) -> list[int]:
        """Do the rows at some places and return those that were lost.

        Args:
            ask: does one.
            rows: all there are.
            places: of those that are to be done.
            done: called with place and answer.
            is_last: whether a lost row is an answer too.
        """
        lost: list[int] = []
        alive = 0

        def came(k: int, answer: Any) -> None:
            nonlocal alive
            if isinstance(answer, Lost) and answer.died and not is_last:
                lost.append(places[k])
                if not alive:
                    _expect_life(len(lost), self.workers, answer.reason)
            else:
                alive += 1
                done(places[k], answer)

        todo = [rows[place] for place in places]
        process_map(ask, todo, processes=self.workers, done=came, is_apart=True)
        return lost


def _expect_life(deaths: int, workers: int, reason: str) -> None:
    """Refuse to start ever new workers that die before the first answer.

    Args:
        deaths: so far, without any answer.
        workers: how many there are.
        reason: of the last one.

    Raises:
        ConfigError: all died twice.
    """
    if deaths > 2 * workers:
        problem = f"workers die before the first answer: {reason}"
        hint = (
            'in a script, call sweep below if __name__ == "__main__", or use workers=1'
        )
        raise ConfigError("the sweep", [f"{problem}; {hint}"])
