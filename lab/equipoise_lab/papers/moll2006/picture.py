"""Figures 3 and 4 of [Moll2006]: four random trees, and how three schemes steer them.

The paper's four trees are a picture without connectors, so these are four of ours; the
curves are of the same kind, the distance of the centre of mass from the support line in
module widths. Ours is drawn besides.
"""

from collections.abc import Sequence
from pathlib import Path

import mujoco
import numpy as np
from matplotlib.axes import Axes

from equipoise.control.com.law import RECOMMENDED
from equipoise.core.arrays import Array
from equipoise.robots.superbot.superbot import random_tree
from equipoise.runs.balance.campaign import PATH_STEP, TreeRun, run_trees
from equipoise.runs.balance.compare import PAPER_SCHEMES
from equipoise.runs.balance.config import SteerConfig
from equipoise.viz.plots import PALETTE, new_figure, save_figure
from equipoise_lab.papers.moll2006.setting import tree_seeds

__all__ = ["draw_trees"]

SHOWN = (*((scheme, False) for scheme in PAPER_SCHEMES), (RECOMMENDED, True))
"""Controllers, and whether gravity is compensated."""
FLOOR = 1e-3  # below this a curve is cut off [w]


def draw_trees(path: str | Path, seeds: Sequence[int] = tree_seeds(4, 0)) -> Path:
    """Balance four trees with each scheme and draw them as PNG.

    Args:
        path: the file to make or replace.
        seeds: which trees.

    Raises:
        BadFileError: the file cannot be written.
    """
    plan = [
        TreeRun(seed=seed, steer=SteerConfig(controller=law, gravity_compensation=on))
        for seed in seeds
        for law, on in SHOWN
    ]
    rows = run_trees(plan)
    figure = new_figure(3.3 * len(seeds), 6.2)
    grid = figure.add_gridspec(2, len(seeds), height_ratios=(1.0, 1.1))
    for k, seed in enumerate(seeds):
        _draw_tree(figure.add_subplot(grid[0, k], projection="3d"), seed)
        axes = figure.add_subplot(grid[1, k])
        mine = rows[k * len(SHOWN) : (k + 1) * len(SHOWN)]
        _draw_paths(axes, [row["distance_path_w"] or [] for row in mine])
        if k == 0:
            axes.set_ylabel("distance [module widths]")
            figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center",
                          ncols=len(SHOWN))  # fmt: skip
    figure.suptitle(
        "Four random trees of 20 modules and their centre of mass (Moll et al. 2006,"
        " figs 3 and 4)",
        fontsize=11,
    )
    return save_figure(figure, path)


def _draw_tree(axes: Axes, seed: int) -> None:
    """Draw a tree's modules as lines from hinge to hinge, and the support line."""
    model = random_tree(seed=seed).model
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    for body in range(1, model.nbody):
        parent = int(model.body_parentid[body])
        if parent:
            ends: Array = np.array([data.xpos[parent], data.xpos[body]])
            axes.plot(*ends.T, color=PALETTE[0], linewidth=3.0, solid_capstyle="round")
    com = data.subtree_com[0]
    top = float(data.xpos[:, 2].max())
    axes.plot([0, 0], [0, 0], [0, top], color="0.5", linestyle="--", linewidth=1.0)
    axes.plot(*com[:, None], marker="o", color=PALETTE[1], markersize=6)
    axes.set_aspect("equal")
    axes.set_box_aspect(None, zoom=1.35)  # type: ignore[call-arg]
    axes.set_axis_off()
    axes.set_title(f"tree {seed}", fontsize=9)


def _draw_paths(axes: Axes, paths: Sequence[Sequence[float]]) -> None:
    """Draw the distances over time, a curve a controller."""
    for k, ((law, on), path) in enumerate(zip(SHOWN, paths, strict=True)):
        time = PATH_STEP * np.arange(len(path))
        label = f"{law} (ours)" if on else law
        axes.plot(time, np.maximum(path, FLOOR), color=PALETTE[k], label=label)
    axes.set_yscale("log")
    axes.set_xlabel("time [s]")
    axes.set_xlim(0.0, 5.0)
    axes.grid(alpha=0.3)
