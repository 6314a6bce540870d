"""The runs that section V's claims rest on, and how their rows are read."""

from collections.abc import Sequence
from typing import Any

from equipoise.control.com.law import RECOMMENDED
from equipoise.robots.assembly.module import SuperbotModule
from equipoise.runs.balance.campaign import TreeRun
from equipoise.runs.balance.compare import PAPER_SCHEMES
from equipoise.runs.balance.config import SteerConfig
from equipoise.runs.balance.tally import is_near
from equipoise_lab.papers.moll2006.setting import BARE_PLANT, tree_seeds

__all__ = [
    "LIGHT", "NEARLY_ALL", "P2", "TOGETHER", "Results", "Row", "counted", "final",
    "known", "ours_said", "planned_runs", "seconds",
]  # fmt: skip

Row = dict[str, Any]
Results = dict[tuple[str, str, bool], list[Row]]
"""Rows by plant, controller and gravity compensation."""
P2 = "P2"
LIGHT = {f"b = {b:g}": SuperbotModule(damping=b) for b in (0.05, 0.2, 0.8)}
"""Less joint damping [N m s/rad] than P2's 1.6."""
LIGHT_TREES = 4
NEARLY_ALL = 0.9
"""Share of the trees that "always" and "consistently" stand for, so that no verdict
hangs on a single tree."""
TOGETHER = "module"
"""Our law that moves a module's three joints together."""
OURS = (RECOMMENDED, TOGETHER)


def planned_runs(trees: int, seed: int) -> list[tuple[tuple[str, str, bool], TreeRun]]:
    """Return every run that the claims need, each with the key of its group."""
    seeds = tree_seeds(trees, seed)
    plan = [(P2, None, s, on) for s in PAPER_SCHEMES for on in (False, True)]
    plan += [(P2, None, s, True) for s in OURS]
    plan += [("bare", BARE_PLANT, s, on) for s in PAPER_SCHEMES for on in (False, True)]
    groups = [(name, plant, law, on, seeds) for name, plant, law, on in plan]
    few = tree_seeds(LIGHT_TREES, seed)
    for name, plant in LIGHT.items():
        groups += [(name, plant, scheme, False, few) for scheme in PAPER_SCHEMES]
    return [
        (
            (name, law, on),
            TreeRun(
                seed=tree,
                module=plant,
                steer=SteerConfig(controller=law, gravity_compensation=on),
            ),
        )
        for name, plant, law, on, chosen in groups
        for tree in chosen
    ]


def known(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of runs that have a result."""
    return [row for row in rows if row["error"] is None]


def counted(rows: Sequence[Row], width: float = 0.1) -> str:
    """Return in how many runs the distance ended below a width."""
    return f"{sum(is_near(row, width) for row in rows)} of {len(rows)}"


def seconds(time: float | None) -> str:
    """Return a settling time in words."""
    return "never" if time is None else f"{time:.2f} s"


def final(row: Row) -> float:
    """Return where a run ended; infinitely far if it fell or has no result [w]."""
    if row["error"] is not None or row["fell"]:
        return float("inf")
    return float(row["distance_final_w"])


def ours_said(results: Results) -> str:
    """Return how the recommended controller did on the same trees."""
    return f"('{RECOMMENDED}') {counted(results[P2, RECOMMENDED, True])}"
