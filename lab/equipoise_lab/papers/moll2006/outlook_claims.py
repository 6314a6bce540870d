"""Section VI: what a module's three joints, or a pair's six, can do together."""

from collections.abc import Sequence

import mujoco
import numpy as np

from equipoise.core.arrays import Array
from equipoise.robots.robot import Robot
from equipoise.robots.superbot.superbot import random_tree
from equipoise.runs.balance.staged import expect_modules
from equipoise_lab.papers.check import between, same
from equipoise_lab.papers.claim import Claim, refuted, shown

__all__ = ["outlook_claims"]

FULL = 1e-9
"""Least over largest singular value from which a matrix has full rank; rounding of its
entries is below 1e-14, so a smaller ratio is noise."""


def outlook_claims(seeds: Sequence[int]) -> list[Claim]:
    """Return the claims about degrees of freedom, on the first few trees."""
    robots = [random_tree(seed=seed, angles="random") for seed in seeds[:6]]
    straight = [random_tree(seed=seed) for seed in seeds[:6]]
    bent, flat = (
        [s for r in group for s in _module_ratios(r)] for group in (robots, straight)
    )
    pairs = [(s > FULL, fits) for r in robots for s, fits in _pair_ratios(r)]
    able, able_flat = (int(np.sum(np.array(x) > FULL)) for x in (bent, flat))
    six = sum(is_free for is_free, _ in pairs)
    return [
        shown(
            "VI", "with three joints a module can move the centre of mass in any line",
            "can", f"{able} of {len(bent)} modules at random angles",
            same(able, len(bent)),
            "rank 3 of the centre's Jacobian over the module's joints. With all joints"
            f" at zero, as the trees start, only {able_flat} of {len(flat)} have it",
            tolerance="every module at a random pose",
        ),
        refuted(
            "VI",
            "each pair has six degrees of freedom: position and orientation",
            "each",
            f"{six} of {len(pairs)} pairs of neighbours",
            [
                between(six, 1, len(pairs) - 1),
                same(sum(is_free != fits for is_free, fits in pairs), 0),
            ],
            "rank of the Jacobian of the outer module's far end over both modules'"
            " joints, random angles. It is 6 exactly where the modules are joined end"
            " to end by a front. Joined side to side, two hinges share one axis; where"
            " the outer one hangs on the end by which its holder is held, the holder's"
            " joints do not move it",
            tolerance="rank 6 in every pair",
        ),
    ]  # fmt: skip


def _posed(robot: Robot) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """Return a robot in its start pose with all that Jacobians need."""
    model = robot.model
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    return model, data


def _joint_columns(model: mujoco.MjModel) -> Array:
    """Return the columns of each module's joints, (modules, 3)."""
    return np.asarray(model.jnt_dofadr[model.actuator_trnid[:, 0]]).reshape(-1, 3)


def _ratio(matrix: Array) -> float:
    """Return the least over the largest singular value."""
    values = np.linalg.svd(matrix, compute_uv=False)
    return float(values[-1] / values[0]) if values[0] > 0.0 else 0.0


def _module_ratios(robot: Robot) -> list[float]:
    """Return how far each module's columns of the centre's Jacobian span space."""
    model, data = _posed(robot)
    jacobian = np.zeros((3, model.nv))
    mujoco.mj_jacSubtreeCom(model, data, jacobian, 0)
    return [_ratio(jacobian[:, columns]) for columns in _joint_columns(model)]


def _pair_ratios(robot: Robot) -> list[tuple[float, bool]]:
    """Return for each module how freely it and its holder move its far end.

    Also whether they are joined end to end, all six joints below that far end, and by
    at least one front face, so that no two hinges share an axis.
    """
    model, data = _posed(robot)
    plan, columns = expect_modules(robot), _joint_columns(model)
    part = [connector.part for connector in plan.body.connectors]
    fronts = [plan.body.connector_index[name] for name in ("a_front", "b_front")]
    held = {link.module: part[link.connector] for link in plan.walk}
    found = []
    for link in plan.walk[1:]:
        far = "outer_b" if held[link.module] == 0 else "outer_a"
        body = model.body(f"{plan.modules[link.module].name}_{far}").id
        jacobian = np.zeros((6, model.nv))
        mujoco.mj_jacBody(model, data, jacobian[:3], jacobian[3:], body)
        both = np.concatenate([columns[link.parent], columns[link.module]])
        is_through = part[link.parent_connector] != held[link.parent]
        has_front = link.connector in fronts or link.parent_connector in fronts
        found.append((_ratio(jacobian[:, both]), is_through and has_front))
    return found
