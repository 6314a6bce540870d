"""Section 4: what a control step and the simulation cost, then and here."""

from time import thread_time_ns
from typing import NamedTuple

import numpy as np

from equipoise.control.workspace.balancer import BalancerConfig, balancer
from equipoise.control.workspace.laws.workspace import paper_step
from equipoise.control.workspace.layout import legged_tree
from equipoise.control.workspace.scratch import Scratch
from equipoise.control.workspace.tree import TreeArrays
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled
from equipoise.core.records import Records, record_of
from equipoise.core.seeds import stream
from equipoise.robots.biped.biped import biped
from equipoise.runs.robot import find_robot
from equipoise.runs.stand.config import StandConfig
from equipoise.runs.stand.staged import staged_stand
from equipoise.spatial.rotations import matrix_from_quat
from equipoise_lab.papers.check import below
from equipoise_lab.papers.claim import Claim, beyond, not_checkable
from equipoise_lab.papers.wendlandt1997.held import random_state
from equipoise_lab.papers.wendlandt1997.setting import Printed

__all__ = ["Cost", "cost_claims", "measure_cost", "play"]

STEPS, ROUNDS, RUNS = 500, 40, 3


class Cost(NamedTuple):
    """Processor time on this machine, the best of several."""

    step_us: float
    """Of a control step called from a compiled loop [µs]."""
    simulation_s: float
    """Of the 3 s simulation at 0.5 ms [s]."""


@compiled(allocates=False)
def play(
    t: TreeArrays,
    s: Scratch,
    gains: Records[BalancerConfig],
    q: Array,
    v: Array,
    R_WB: Array,
    V_WB: Array,
) -> float:
    """Do control steps over states; returns a number that depends on all of them.

    The biped's frames lie at its centres of mass, so readings need only be laid out.

    Args:
        t: the biped.
        s: room for a step.
        gains: of the law.
        q: poses, (n, 19).
        v: joint rates, (n, 12).
        R_WB: the trunk's orientation, (n, 3, 3).
        V_WB: its twist in the world, (n, 6).
    """
    total = 0.0
    for i in range(q.shape[0]):
        for j in range(v.shape[1]):
            s.joints[j].q, s.joints[j].v = q[i, 7 + j], v[i, j]
        trunk, body = s.trunk[0], s.links[0]
        for a in range(3):
            trunk.p_WO[a] = q[i, a]
            for b in range(3):
                body.R_WL[a, b] = R_WB[i, a, b]
        for a in range(4):
            trunk.quat[a] = q[i, 3 + a]
        for a in range(6):
            body.V[a] = V_WB[i, a]
        paper_step(t, s, gains)
        total += s.joints[0].tau
    return total


def measure_cost(rounds: int = ROUNDS, runs: int = RUNS) -> Cost:
    """Return what a step and a simulation cost here, warm.

    Args:
        rounds: how often 500 steps are timed.
        runs: how often the simulation is.
    """
    robot = biped()
    rng, tree = stream(0, "readings"), legged_tree(robot).arrays
    poses, rates = zip(*(random_state(robot, rng) for _ in range(STEPS)), strict=True)
    q, v = np.array(poses), np.array(rates)
    R = np.array([matrix_from_quat(quat) for quat in q[:, 3:7]])
    V = np.hstack([v[:, :3], np.einsum("nij,nj->ni", R, v[:, 3:6])])
    scratch = balancer("workspace", robot).init().scratch
    readings = (q, np.ascontiguousarray(v[:, 6:]), R, V)
    times = []
    for _ in range(rounds + 1):
        began = thread_time_ns()
        play(tree, scratch, record_of(BalancerConfig()), *readings)
        times.append(thread_time_ns() - began)
    config = StandConfig(controller="workspace")
    staged = staged_stand(find_robot(config.robot), config)
    found = [staged.run().cpu.total for _ in range(runs)]
    return Cost(1e-3 * min(times[1:]) / STEPS, min(found))


def cost_claims(printed: Printed, ours: Cost) -> list[Claim]:
    """Return the costs, which belong to another machine, and what follows from them.

    Args:
        printed: the paper's numbers.
        ours: this machine's.
    """
    ticks = printed.simulated_s * printed.rate_hz
    share = 1e-3 * printed.step_ms * ticks / printed.simulation_s
    period_us = 1e6 / printed.rate_hz
    faster = 1e3 * printed.step_ms / ours.step_us
    old = "theirs was an SGI Indigo (R4000, 100 MHz), this is another machine"
    return [
        not_checkable("4", "cost of one control step [ms]", printed.step_ms,
            f"{old}. In a compiled loop {ours.step_us:.1f} µs of processor time from"
            f" readings to torques, best of {ROUNDS}: {faster:.0f} times less."
            f" {printed.step_ms:g} ms are {1e3 * printed.step_ms / period_us:g} periods"
            f" of {printed.rate_hz:g} Hz: theirs did not run in real time",
            ours=1e-3 * ours.step_us),
        not_checkable("4", "cost of the 3 s simulation [s]", printed.simulation_s,
            f"{old} and another simulator. Time steps of 0.5 ms,"
            f" processor time, best of {RUNS}:"
            f" {printed.simulation_s / ours.simulation_s:.0f} times less. The control"
            f" steps were {share:.1%} of theirs", ours=ours.simulation_s),
        beyond("beyond the paper", "the control step fits into its period",
            f"{ours.step_us:.1f} µs of {period_us:g} µs",
            below(ours.step_us, period_us),
            f"theirs took {printed.step_ms:g} ms, so that it could not; ours can run in"
            " real time", tolerance=period_us),
    ]  # fmt: skip
