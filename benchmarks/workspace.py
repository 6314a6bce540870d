"""Cost of one control step of every balance law against Pinocchio's forward dynamics.

    python benchmarks/workspace.py [--rounds 60] [--laws a,b] [--out workspace.json]

Every law stands on the ground in its own closed loop for a second, rising to the
paper's set point and pushed on the way. Those readings are then played back in a
compiled loop: what is timed is all of a control step, from readings to torques, warm,
as it comes. ``aba`` is timed on the same model in the same states, called one by one
from Python and in Pinocchio's own C++ loop. One round times everything once, so that
what disturbs the machine disturbs all; ratios are taken within a round.

Needs the extra ``peers``. Exits 1 when a number to reach is missed.
"""

import argparse
import json
import os
import platform
import sys
import time
from pathlib import Path

import mujoco
import numba
import numpy as np
import pinocchio as pin

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from equipoise.control.workspace.balancer import (
    balance_law_names,
    balancer,
    find_balance_law,
)
from equipoise.control.workspace.readings import lay_out_readings
from equipoise.robots.biped.biped import biped
from oracles.held_feet import PinocchioTwin, sensed_of

PAPER_MS = 7.0  # a loop of the paper's controller on its workstation
GOALS = {"workspace": 1.2}  # of aba
GOAL = 5.0  # of aba, for laws with constraints
TIMESTEP, TICKS, EVERY = 0.0005, 500, 4
PUSH = (0.3, 0.4, np.array([-60.0, 40.0, 0.0]))  # from, to [s], on the trunk [N]


def grounded(robot):
    """Return the robot on a floor, as a model; contacts as in the paper."""
    spec = robot.spec.copy()
    spec.worldbody.add_geom(
        name="floor", type=mujoco.mjtGeom.mjGEOM_PLANE, size=[5, 5, 1]
    )
    for geom in spec.geoms:
        geom.friction[0] = 0.3
    spec.option.timestep = TIMESTEP
    return spec.compile()


def recorded(robot, name):
    """Return a second of readings of a law in its own loop: arrays by reading."""
    model = grounded(robot)
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, model.key("start").id)
    controller = balancer(name, robot)
    state, trunk, rows = controller.init(), model.body(robot.base).id, []
    for k in range(TICKS):
        sensed = sensed_of(robot, data.qpos, data.qvel, data.time)
        command, state = controller.step(sensed, state)
        data.ctrl[:] = command.tau
        rows.append((sensed, data.qpos.copy(), data.qvel.copy(), command.tau.copy()))
        data.xfrc_applied[trunk, :3] = PUSH[2] * (PUSH[0] <= data.time < PUSH[1])
        mujoco.mj_step(model, data, EVERY)
        if not (np.isfinite(data.qpos).all() and data.qpos[2] > 0.8):
            raise SystemExit(f"{name} fell after {k} ticks: nothing to measure.")
    return rows


class Recorder:
    """Stands in for a compiled function and keeps what it is called with."""

    def __init__(self, kernel, calls):
        self.kernel, self.calls = kernel, calls

    def __call__(self, *args):
        """Note the call and do it."""
        self.calls.append((self.kernel, args))
        return self.kernel(*args)


def kernel_of(robot, name):
    """Return a balancer's setting and state, and the one kernel call of its law."""
    controller = balancer(name, robot)
    state = controller.init()
    module = sys.modules[find_balance_law(name).__module__]
    calls, kept = [], dict(vars(module))
    for key, value in kept.items():
        if isinstance(value, numba.core.dispatcher.Dispatcher):
            setattr(module, key, Recorder(value, calls))
    try:
        qpos = np.array(robot.model.key("start").qpos)
        sensed = sensed_of(robot, qpos, np.zeros(robot.model.nv))
        controller.step(sensed, state)
    finally:
        for key, value in kept.items():
            setattr(module, key, value)
    if len(calls) != 1:
        raise SystemExit(f"{name} calls {len(calls)} kernels from Python, not one.")
    return controller, state, *calls[0]


@numba.njit
def play(kernel, args, tree, s, q, v, p_WB, R_WB, V_WB):
    """Run a law over recorded readings; returns a number that depends on all."""
    total = 0.0
    for i in range(q.shape[0]):
        lay_out_readings(tree, s, q[i], v[i], p_WB[i], R_WB[i], V_WB[i])
        kernel(*args)
        total += s.joints[0].tau
    return total


def player(robot, name, rows):
    """Return a function that plays the recorded second of a law once."""
    _, state, kernel, args = kernel_of(robot, name)
    tree = next(a for a in args if hasattr(a, "gravity"))
    names = ("q", "v", "p_WB", "R_WB", "V_WB")
    arrays = [np.array([getattr(row[0], n) for row in rows]) for n in names]
    return lambda: play(kernel, args, tree, state.scratch, *arrays)


def aba_players(robot, rows):
    """Return functions that run ``aba`` over the states, from Python and from C++."""
    twin = PinocchioTwin(pin, robot)
    model, data = twin.model, twin.data
    kinds = {model.joints[k].shortname() for k in range(2, model.njoints)}
    assert kinds <= {f"JointModelR{axis}" for axis in "XYZ"}, kinds
    states = [twin.state(q, v) for _, q, v, _ in rows]
    taus = [np.hstack([np.zeros(6), tau]) for *_, tau in rows]
    Q, V = (np.array(x).T.copy(order="F") for x in zip(*states, strict=True))
    T = np.array(taus).T.copy(order="F")
    pool = pin.ModelPool(model, 1)
    found = pin.abaInParallel(1, pool, Q, V, T)
    one = pin.aba(model, data, *states[7], taus[7])
    np.testing.assert_allclose(found[:, 7], one, rtol=0, atol=1e-9 * np.abs(one).max())

    def from_python():
        for (q, v), tau in zip(states, taus, strict=True):
            pin.aba(model, data, q, v, tau)

    return from_python, lambda: pin.abaInParallel(1, pool, Q, V, T)


def measured(players, rounds):
    """Return microseconds a step, (players, rounds), everything once a round."""
    times = np.zeros((len(players), rounds))
    for r in range(rounds):
        for k, run in enumerate(players):
            start = time.thread_time_ns()
            run()
            times[k, r] = (time.thread_time_ns() - start) / TICKS / 1000.0
    return times


def told(times, aba, aba_cpp):
    """Return one player's cost and its ratios to aba, with spread."""
    low, middle, high = np.percentile(times, [25, 50, 75])
    ratio, ratio_cpp = times / aba, times / aba_cpp
    return {
        "us_min": float(times.min()),
        "us_median": float(middle),
        "us_quartiles": [float(low), float(high)],
        "of_aba": float(np.median(ratio)),
        "of_aba_quartiles": [float(x) for x in np.percentile(ratio, [25, 75])],
        "of_aba_in_cpp_loop": float(np.median(ratio_cpp)),
        "times_faster_than_the_paper": float(1000.0 * PAPER_MS / middle),
    }


def show(report):
    """Print the table."""
    print(
        f"{'':24s}{'min':>8s}{'median':>8s}  {'of aba':>7s} {'quartiles':>13s}", end=""
    )
    print(f"{'of aba in C++':>15s}{'goal':>6s}")
    for name, row in report["steps"].items():
        low, high = row["of_aba_quartiles"]
        goal = report["goals"].get(name)
        print(f"{name:24s}{row['us_min']:8.2f}{row['us_median']:8.2f}  ", end="")
        print(f"{row['of_aba']:7.2f} {low:6.2f}-{high:6.2f}", end="")
        print(f"{row['of_aba_in_cpp_loop']:15.2f}", end="")
        print(f"{goal:6.1f}" if goal else "")
    print(f"microseconds a step, {report['rounds']} rounds of {TICKS} steps", end="; ")
    print(f"paper {PAPER_MS:g} ms; missed: {', '.join(report['missed']) or 'none'}")


def main():
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--out", type=Path, default=Path("workspace.json"))
    parser.add_argument("--laws", default=",".join(balance_law_names()))
    args = parser.parse_args()
    robot, names = biped(), args.laws.split(",")
    rows = {name: recorded(robot, name) for name in names}
    laws = [player(robot, name, rows[name]) for name in names]
    players = [*aba_players(robot, rows[names[0]]), *laws]
    for run in players:
        run()  # compiles before anything is timed
    if not all(np.isfinite(law()) for law in laws):
        raise SystemExit("a law gave up on its own readings: nothing to measure.")
    times = measured(players, args.rounds)
    labels = ["aba from Python", "aba in C++ loop", *names]
    goals = {name: GOALS.get(name, GOAL) for name in names}
    steps = {
        label: told(row, times[0], times[1])
        for label, row in zip(labels, times, strict=True)
    }
    report = {
        "steps": steps,
        "goals": goals,
        "missed": [n for n in names if steps[n]["of_aba"] > goals[n]],
        "rounds": args.rounds,
        "robot": "biped",
        "pinocchio": pin.__version__,
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
    }
    show(report)
    args.out.write_text(json.dumps(report, indent=2))
    return 1 if report["missed"] else 0


if __name__ == "__main__":
    sys.exit(main())
