"""What every job gives: numbers, signals, a verdict, something to look at, files."""

import os
import sys
import tempfile
import webbrowser
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from equipoise.core.errors import ConfigError
from equipoise.core.kinds import Verdict
from equipoise.core.text import shown

__all__ = ["AbstractResult", "yes_or_no"]

SHOWN = (".html", ".png", ".json")
"""What is looked at, the best first."""


class AbstractResult(ABC):
    """What a job gave.

    ``summary`` holds the numbers of the command's ``--json``; ``dataset`` every signal
    by name, see ``equipoise.open_run``, or None where nothing moved.
    """

    summary: dict[str, Any]
    dataset: Any = None

    @property
    @abstractmethod
    def verdict(self) -> Verdict:
        """The answer to what the job asks: "yes", "no", or "unknown"."""

    @property
    def report(self) -> dict[str, Any]:
        """The numbers of the command's ``--json``."""
        return self.summary

    def __str__(self) -> str:
        """Return the answer on a line: of what, yes or no, and why."""
        about = self.summary.get("robot") or self.summary.get("machine")
        name = f"{shown(about)}: " if isinstance(about, str) else ""
        why = "; ".join(shown(why, 300) for why in self.summary.get("reasons") or ())
        return f"{name}{self.verdict}{', ' if why else ''}{why}"

    def __repr__(self) -> str:
        """Return kind and answer, on a line."""
        return f"<{type(self).__name__} {shown(AbstractResult.__str__(self), 200)}>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: a picture, the answer, the main numbers."""
        from equipoise.runs.notebook import result_html  # brings pictures

        about = self.summary.get("robot") or self.summary.get("machine") or ""
        reason = AbstractResult.__str__(self)  # the short one
        return result_html(
            about if isinstance(about, str) else type(self).__name__,
            self.verdict,
            "" if reason.endswith(f": {self.verdict}") else reason,
            self.summary,
            self.picture,
        )

    def picture(self, path: Path) -> Path | None:
        """Draw one picture of the result as PNG; None where there is nothing to see.

        Args:
            path: the file to make or replace.

        Raises:
            BadFileError: the file cannot be written.
        """
        if self.dataset is None or "qpos" not in self.dataset:
            return None
        from equipoise.runs.movie import write_last_frame  # above results

        return write_last_frame(self.dataset, path)

    @abstractmethod
    def save(self, out: str | Path) -> list[Path]:
        """Write everything into a folder and return the files.

        Args:
            out: the folder, made if needed.

        Raises:
            BadFileError: a file cannot be written; none is.
        """

    def show(self) -> Path:
        """Write everything into a new folder and open the best of it, if there is one.

        Where there is no screen nothing is opened.

        Returns:
            The replay, else the first picture, else the numbers.
        """
        files = self.save(tempfile.mkdtemp(prefix="equipoise-"))
        best = min(files, key=lambda path: _rank(path.suffix))
        if has_screen():
            webbrowser.open(best.as_uri())
        return best

    def movie(
        self,
        path: str | Path = "run.gif",
        *,
        span: tuple[float, float] | None = None,
        speed: float | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> Path:
        """Write the run as a moving picture (GIF below 1.5 MB) and return its path.

        Args:
            path: the file to make or replace.
            span: from when to when [s]; None for the seconds that matter.
            speed: of the motion, 1 for real time; None for less where all is over in a
                moment.
            progress: called with the share done, in [0, 1].

        Raises:
            ConfigError: nothing moved, or a span or speed that is none.
            BadFileError: the file cannot be written.
        """
        from equipoise.runs.movie import write_run_movie  # above results

        if self.dataset is None:
            problem = "it has no motion; give a run of simulate, walk or balance"
            raise ConfigError("a moving picture", [problem])
        return write_run_movie(
            self.dataset, path, span=span, speed=speed, progress=progress
        )


def _rank(suffix: str) -> int:
    """Return how much a kind of file is worth a look, 0 the most."""
    return SHOWN.index(suffix) if suffix in SHOWN else len(SHOWN)


def has_screen(environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether somebody can see a window.

    Args:
        environment: of the process.
    """
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def yes_or_no(is_so: bool) -> Verdict:
    """Return yes or no.

    Args:
        is_so: which.
    """
    return "yes" if is_so else "no"
