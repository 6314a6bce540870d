"""Parts of the benchmark: rivals' equations as numbers, the clock by a made-up one."""

import datetime
import itertools
import math
import os
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import SimpleNamespace

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import MissingToolError
from equipoise.equations.tape.program import Operations
from equipoise.robots.load import load
from equipoise.robots.warp1.warp1 import LEGS, SHANK
from equipoise.spatial.rotations import matrix_from_rpy
from equipoise_lab.bench import (
    calls,
    casadi_c,
    clock,
    dynamics,
    equations,
    rival_symbols,
)
from equipoise_lab.bench.clock import Runner, Timing, measured, measured_anew
from equipoise_lab.bench.counts import of_trees
from equipoise_lab.bench.derivations import Derivation
from equipoise_lab.bench.states import random_states

NEAR = 1e-9  # rounding of some thousand operations, over the largest acceleration


# --- WARP1 written for any symbols: here they are numbers -----------------------------


def names_of(has_pads):
    """Return the names of what is given at every step, and of the parameters."""
    counter, known = itertools.count(1), {}

    def symbol(name):
        value = 0.1 + 1e-3 * next(counter)
        known[value] = name
        return value

    algebra = rival_symbols.Algebra(symbol, math.sin, math.cos)
    rival_symbols.warp1(algebra, has_pads=has_pads)
    return [known[x] for x in algebra.inputs], [known[x] for x in algebra.parameters]


def model_of(values, has_pads):
    algebra = rival_symbols.Algebra(values.__getitem__, math.sin, math.cos)
    return rival_symbols.warp1(algebra, has_pads=has_pads)


@pytest.fixture(scope="module")
def engine():
    model = load("warp1").model
    off = mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_LIMIT
    model.opt.disableflags |= off  # neither ground nor stops are in the equations
    return model


def accelerations(model, states, k, forces=None):
    """Return MuJoCo's accelerations of a state, with forces on the pads, (4, 3)."""
    data = mujoco.MjData(model)
    data.qpos = states.qpos[k]
    data.qvel = states.outside(states.v)[k]
    data.qfrc_applied = states.outside(states.tau)[k]
    mujoco.mj_forward(model, data)
    if forces is not None:
        for leg, force in zip(LEGS, forces, strict=True):
            body = model.body(f"{leg}_shank").id
            pad = data.xpos[body] + data.xmat[body].reshape(3, 3) @ [0.0, 0.0, -SHANK]
            J = np.zeros((3, model.nv))
            mujoco.mj_jac(model, data, J, None, pad, body)
            data.qfrc_applied += J.T @ force
        mujoco.mj_forward(model, data)
    return data.qacc.copy()


def test_a_rivals_warp1_falls_as_mujocos_does(engine):
    states = random_states(engine, 4, 7)
    given, fixed = names_of(has_pads=False)
    rows = casadi_c._inputs(states)
    assert (len(given), len(fixed)) == (rows.shape[1], len(casadi_c._parameters()))
    wanted = states.inside(
        np.array([accelerations(engine, states, k) for k in range(4)])
    )
    for row, expected in zip(rows, wanted, strict=True):
        values = dict(zip(given, row, strict=True))
        values |= dict(zip(fixed, casadi_c._parameters(), strict=True))
        model = model_of(values, has_pads=False)
        found = np.array(rival_symbols.solved(model.M, model.F)) * casadi_c.SIGNS
        np.testing.assert_allclose(found, expected, atol=NEAR * np.abs(expected).max())


def test_a_rivals_pads_are_pushed_and_its_coordinates_go_by_its_speeds(engine, rng):
    states = random_states(engine, 1, 8)
    states.tau[:, :6] = 0.0  # what would act on the trunk alone
    given, fixed = names_of(has_pads=True)
    forces = rng.normal(size=(4, 3)) * 30.0
    known = dict(
        zip(names_of(has_pads=False)[0], casadi_c._inputs(states)[0], strict=True)
    )
    known |= {f"f{k}{i}": forces[k, i] for k in range(4) for i in range(3)}
    values = {name: known[name] for name in given}
    values |= dict(zip(fixed, casadi_c._parameters(), strict=True))
    model = model_of(values, has_pads=True)
    found = np.array(rival_symbols.solved(model.M, model.F)) * casadi_c.SIGNS
    expected = states.inside(accelerations(engine, states, 0, forces)[None])[0]
    np.testing.assert_allclose(found, expected, atol=NEAR * np.abs(expected).max())
    rates, v, R = np.array(model.rates), states.v[0], states.R_WB[0]
    np.testing.assert_allclose(rates[:3], R @ v[:3], atol=1e-12)
    np.testing.assert_allclose(rates[6:], (states.v * casadi_c.SIGNS)[0, 6:])
    step = 1e-6
    moved = [
        matrix_from_rpy((states.angles[0] + sign * step * rates[3:6])[::-1])
        for sign in (1, -1)
    ]
    spin = R.T @ (moved[0] - moved[1]) / (2.0 * step)
    # truncation and rounding of differences
    np.testing.assert_allclose([spin[2, 1], spin[0, 2], spin[1, 0]], v[3:6], atol=1e-8)


def test_solving_keeps_to_entries_that_are_there(rng):
    """A matrix of six and three pairs that do not touch one another."""
    n = 12
    A = np.zeros((n, n))
    for pair in range(3):
        rows = [*range(6), 6 + 2 * pair, 7 + 2 * pair]
        L = rng.normal(size=(8, 8))
        A[np.ix_(rows, rows)] += L @ L.T + np.eye(8)
    M = {(i, j): A[i, j] for i in range(n) for j in range(i, n) if A[i, j] != 0.0}
    b = rng.normal(size=n)
    found = rival_symbols.solved(M, list(b))
    np.testing.assert_allclose(found, np.linalg.solve(A, b), rtol=1e-9)


def test_states_are_those_of_everybodys_layout(engine):
    states = random_states(engine, 6, 9)
    assert np.abs(states.angles).max() <= 1.2 and np.abs(states.joints).max() <= 1.2
    for k in range(6):
        np.testing.assert_allclose(
            states.R_WB[k], matrix_from_rpy(states.angles[k][::-1]), atol=1e-15
        )
        R = np.zeros(9)
        mujoco.mju_quat2Mat(R, states.qpos[k, 3:7])
        np.testing.assert_allclose(R.reshape(3, 3), states.R_WB[k], atol=1e-12)
        outside = states.outside(states.v)[k]
        np.testing.assert_allclose(outside[:3], states.R_WB[k] @ states.v[k, :3])
        np.testing.assert_array_equal(outside[3:], states.v[k, 3:])
    np.testing.assert_array_equal(states.q[:, :3], states.place)
    np.testing.assert_array_equal(states.q[:, 3:6], states.angles)
    np.testing.assert_array_equal(states.q[:, 6:], states.joints)
    same = random_states(engine, 6, 9)
    np.testing.assert_array_equal(states.tau, same.tau)
    assert np.abs(states.tau).std() == pytest.approx(6.0, rel=0.5)  # 10 N m by ten
    arm = mujoco.MjModel.from_xml_string(
        "<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>"
    )
    bare = random_states(arm, 2, 1)
    assert not bare.floats and bare.q is bare.joints and bare.qpos is bare.joints
    assert bare.outside(bare.v) is bare.v and bare.inside(bare.v) is bare.v


# --- the clock ------------------------------------------------------------------------


@pytest.fixture
def ticking(monkeypatch):
    """Return a clock [ns] that only what is timed moves on."""
    now = SimpleNamespace(ns=0)
    monkeypatch.setattr(clock.time, "thread_time_ns", lambda: now.ns)
    monkeypatch.setattr(clock.time, "process_time", lambda: 1e-9 * now.ns)
    return now


def test_each_batch_is_as_long_as_a_quarter_of_a_millisecond(ticking):
    batches = {"slow": [], "fast": [], "idle": []}

    def runner(name, each, per_call):
        def run(times):
            batches[name].append(times)
            ticking.ns += each * times

        return Runner(name, run, per_call)

    shares = []
    runners = [
        runner("slow", 400_000, 4),
        runner("fast", 1000, 2),
        runner("idle", 0, 1),
    ]
    found = measured(runners, 6, shares.append)
    # once to be warm, five times to be judged, then by turns
    assert batches["slow"] == [1] * 12
    assert batches["fast"] == [1] * 6 + [250] * 6
    assert batches["idle"] == [1] * 6 + [250_000] * 6
    assert found["slow"] == Timing(1e5, 1e5, (1e5, 1e5), (1e5,) * 3)
    assert found["fast"].median == 500.0 and found["idle"].median == 0.0
    assert shares == pytest.approx([k / 6 for k in range(1, 7)])


def test_a_timing_has_its_least_its_quartiles_and_its_thirds(ticking):
    costs = iter([1] * 6 + [3, 1, 2, 9, 5, 6, 7, 8, 4])

    def run(times):
        ticking.ns += next(costs) * 1_000_000

    (found,) = measured([Runner("x", run, 1)], 9).values()
    assert found == Timing(1e6, 5e6, (3e6, 7e6), (2e6, 6e6, 7e6))


def test_three_placements_are_one_timing():
    times = [
        Timing(2.0, 5.0, (4.0, 6.0), (1, 1, 1)),
        Timing(1.5, 3.0, (2.5, 9.0), (1, 1, 1)),
        Timing(2.5, 4.0, (3.0, 7.0), (1, 1, 1)),
    ]
    assert clock._together(times) == Timing(1.5, 4.0, (2.5, 9.0), (5.0, 3.0, 4.0))


def test_everybody_runs_a_third_of_the_rounds_each_time(ticking):
    counts, shares = [], []

    def make():
        counts.append(0)

        def run(times):
            counts[-1] += 1
            ticking.ns += 300_000

        return [Runner("x", run, 1)]

    found = measured_anew(make, 12, shares.append)
    assert counts == [6 + 4] * 3
    assert shares == pytest.approx([k / 12 for k in range(1, 13)])
    assert found["x"].median == 300_000.0
    del counts[:]
    measured_anew(make, 3)
    assert counts == [6 + 3] * 3


def test_processor_time_is_the_least_of_some_times(ticking):
    costs = iter([5, 3, 4])

    def work():
        ticking.ns += next(costs) * 1_000_000_000

    assert clock.processor_seconds(work, 3) == pytest.approx(3.0)
    costs = iter([7])
    assert clock.processor_seconds(work) == pytest.approx(7.0)


def test_the_processors_name_is_the_first_that_is_told(monkeypatch):
    text = "processor: 0\nmodel name : Some (R) CPU: 2 GHz\nmodel name : other\n"
    monkeypatch.setattr(Path, "read_text", lambda self, **_: text)
    assert clock.processor() == "Some (R) CPU: 2 GHz"
    monkeypatch.setattr(clock.platform, "machine", lambda: "arm")
    monkeypatch.setattr(Path, "read_text", lambda self, **_: "processor: 0\n")
    assert clock.processor() == "arm"

    def gone(self, **_):
        raise OSError

    monkeypatch.setattr(Path, "read_text", gone)
    assert clock.processor() == "arm"


def test_calls_are_made_fifty_at_a_time():
    made = []
    runner = calls._repeated("x", lambda *given: made.append(given), 1, 2)
    assert (runner.name, runner.calls) == ("x", 50)
    runner.run(3)
    assert made == [(1, 2)] * 150


# --- the tables -----------------------------------------------------------------------


def timing(median, least=None, thirds=None):
    least = 0.5 * median if least is None else least
    return Timing(least, median, (0.9 * median, 1.1 * median), thirds or (median,) * 3)


def test_a_row_compares_with_a_rival_and_with_ours():
    times = {
        "x": timing(6.0, 2.0, (4.0, 6.0, 9.0)),
        "aba": timing(12.0, 10.0),
        "C": timing(3.0, 1.0, (2.0, 2.0, 2.0)),
    }
    row = equations._row(times["x"], times, "aba", "C")
    assert row == {
        "ns_min": 2.0,
        "ns_median": 6.0,
        "ns_quartiles": pytest.approx([5.4, 6.6]),
        "times_faster": 5.0,
        "times_faster_by_medians": 2.0,
        "times_ours": 2.0,
        "times_ours_spread": [2.0, 4.5],
    }
    bare = equations._row(times["x"], {}, "aba", "C")
    assert [bare[key] for key in list(bare)[3:]] == [None] * 4


def table(**medians):
    return {"rows": {name: {"ns_median": value} for name, value in medians.items()}}


def test_ratios_are_of_medians_by_robot():
    aba, cpp, gen = dynamics.ABA, equations.NATIVE, equations.CODEGEN
    shortest, side = equations.minimal_mujoco.NAME, "legs side by side"
    rows = {
        aba: 60.0, cpp: 48.0, gen: 36.0, shortest: 90.0, "C": 12.0, f"C, {side}": 6.0,
        "C, many states at once": 4.0, "LLVM": 15.0, f"LLVM, {side}": 5.0,
        "CasADi's C": 18.0,
    }  # fmt: skip
    tables = {
        "forward_dynamics": table(**rows),
        "superbot": table(**{aba: 70.0, "C": 10.0, "LLVM": 14.0}),
        "robots": {"go2": table(**{aba: 33.0, "C": 11.0})},
        "derivation": {"sympy, KanesMethod": {"of_ours": 123.0}},
        "from_python": {
            name: {"ns_median": v}
            for name, v in ((calls.THEIRS, 8.0), (calls.OURS, 2.0))
        },
    }
    found = equations.ratios(tables)
    assert found.pop("robots") == {
        "aba_over_c": {"warp1": 5.0, "go2": 3.0, "superbot": 7.0},
        "aba_in_cpp_over_c": {"warp1": 4.0, "go2": None, "superbot": None},
        "aba_codegen_over_c": {"warp1": 3.0, "go2": None, "superbot": None},
        "mujoco_over_c": {"warp1": 7.5, "go2": None, "superbot": None},
    }
    assert found == {
        "sympy_over_script": 123.0,
        "aba_over_c": 5.0,
        "aba_over_c_simd": 10.0,
        "aba_over_c_batch": 15.0,
        "aba_over_llvm": 4.0,
        "aba_over_llvm_simd": 12.0,
        "mujoco_over_c": 7.5,
        "casadi_over_c": 1.5,
        "aba_over_c_superbot": 7.0,
        "aba_over_llvm_superbot": 5.0,
        "python_aba_over_ours": 4.0,
    }
    del tables["derivation"]["sympy, KanesMethod"]
    assert equations.ratios(tables)["sympy_over_script"] is None


def test_derivations_are_told_in_multiples_of_ours(monkeypatch):
    def missing():
        raise ImportError("x", name="casadi.tools")

    made = {
        "": lambda: Derivation("ours", 2.0, Operations(1, 2, 3)),
        "symengine": lambda: Derivation("theirs", 7.0, Operations(4, 5, 6), "note"),
        "casadi": missing,
        "sympy": lambda: Derivation("slow", 80.0, Operations(7, 8, 9)),
    }
    monkeypatch.setattr(equations, "DERIVATIONS", made)
    lines, shares = [], []
    found = equations.derived(lines, False, shares.append)
    assert list(found) == ["thesis, Maple with Sophia", "ours", "theirs", "slow"]
    assert [row["of_ours"] for row in found.values()] == [None, 1.0, 3.5, 40.0]
    assert [row["seconds"] for row in found.values()] == [None, 2.0, 7.0, 80.0]
    assert found["theirs"]["operations"] == Operations(4, 5, 6)._asdict()
    assert found["theirs"]["note"] == "note"
    assert lines == ["casadi is not installed: pip install casadi"]
    assert shares == [0.25, 0.5, 0.75, 1.0]
    quick = equations.derived([], True, lambda share: None)
    assert "slow" not in quick and "theirs" in quick


def test_what_is_missing_says_how_to_get_it():
    told = dynamics.failure_text
    assert told(ImportError("x", name="pinocchio")) == (
        "pinocchio is not installed: pip install pin"
    )
    assert told(ImportError("x", name="sympy.core")) == (
        "sympy is not installed: pip install sympy"
    )
    problem = MissingToolError("a C compiler", "gcc")
    assert told(problem) == str(problem)


def test_robots_of_others_are_found_by_their_files(monkeypatch):
    class File(str):
        def locate(self):
            return f"/there/{self}"

    listed = [
        File("a/go2_description/urdf/go2.urdf"),
        File("b/talos_data/robots/other.urdf"),
        File("c/talos_data/robots/talos_reduced.urdf"),
    ]
    monkeypatch.setattr(equations, "files", lambda package: listed)
    monkeypatch.setattr(equations, "load", lambda path: path)
    assert equations._robots_of_others([]) == {
        "go2": Path("/there/a/go2_description/urdf/go2.urdf"),
        "talos": Path("/there/c/talos_data/robots/talos_reduced.urdf"),
    }

    def gone(package):
        raise PackageNotFoundError(package)

    monkeypatch.setattr(equations, "files", gone)
    missing = []
    assert equations._robots_of_others(missing) == {}
    assert "pip install example-robot-data" in missing[0]


def test_the_whole_is_made_of_its_tables(monkeypatch):
    raced = []

    def race(robot, states, rounds, seed, missing, say, *, has_builds):
        raced.append((robot, states, rounds, seed, has_builds))
        say(1.0)
        missing.append("gcc is missing")
        return table(C=10.0)

    monkeypatch.setattr(equations, "_raced", race)
    monkeypatch.setattr(
        equations, "derived", lambda missing, quick, say: {"quick": quick}
    )
    monkeypatch.setattr(
        equations, "_robots_of_others", lambda missing: {"go2": "GO2", "talos": "TALOS"}
    )
    monkeypatch.setattr(equations, "load", lambda name, **how: (name, how))
    monkeypatch.setattr(equations, "python_runners", lambda robot, seed: ["runner"])
    times = {calls.THEIRS: timing(8.0), calls.OURS: timing(2.0)}
    monkeypatch.setattr(equations, "measured", lambda runners, rounds, say: times)
    monkeypatch.setattr(equations, "seconds_to_callable", lambda robot: 0.5)
    shares = []
    found = equations.bench_equations(20, 3, shares.append, is_quick=True)
    assert raced == [
        (("warp1", {}), 128, 20, 3, False),
        ("GO2", 128, 10, 3, False),
        ("TALOS", 128, 10, 3, False),
        (("superbot", {"modules": 20}), 16, 10, 3, False),
    ]
    assert shares == pytest.approx([0.5, 0.6, 0.7, 0.9])
    assert found["missing"] == ["gcc is missing"]
    assert (found["rounds"], found["seconds_to_callable"]) == (20, 0.5)
    assert found["derivation"] == {"quick": True}
    assert list(found["robots"]) == ["go2", "talos"]
    assert found["from_python"][calls.OURS]["times_faster_by_medians"] == 4.0
    assert found["machine"].endswith(f", {os.cpu_count()} cores")
    assert datetime.date.fromisoformat(found["date"])
    assert found["versions"]["numpy"] == np.__version__
    raced.clear()
    equations.bench_equations(4, 3)
    assert [(one[2], one[4]) for one in raced] == [
        (4, True),
        (3, True),
        (3, True),
        (3, True),
    ]


def test_a_part_of_the_whole_is_told_as_such():
    shares = []
    tell = equations._part(shares.append, 0.4, 0.6)
    tell(0.0), tell(0.5), tell(1.0)
    assert shares == pytest.approx([0.4, 0.5, 0.6])
    assert equations._installed("numpy") == np.__version__
    assert equations._installed("no-such-package-at-all") is None


class Node:
    """An expression as sympy has them: a kind, and what it is made of."""

    def __init__(self, *args):
        self.args = args


def kind(name):
    return type(name, (Node,), {})


def test_operations_of_trees_are_counted_by_kind():
    x = SimpleNamespace(name="x", args=())
    add, mul, power = kind("Add"), kind("Mul"), kind("Pow")
    cases = [
        (add(x, x, x), (2, 0, 0, 0)),
        (mul(x, x), (0, 1, 0, 0)),
        (mul(-1, x, x), (0, 1, 0, 0)),
        (power(x, 2), (0, 1, 0, 0)),
        (power(x, -1), (0, 1, 0, 0)),
        (power(x, 4), (0, 3, 0, 0)),
        (kind("sin")(x), (0, 0, 1, 0)),
        (kind("Cos")(x), (0, 0, 1, 0)),
        (kind("tan")(x), (0, 0, 0, 1)),
        (add(mul(x, kind("sin")(x)), x), (1, 1, 1, 0)),
        (x, (0, 0, 0, 0)),
    ]
    for tree, wanted in cases:
        assert of_trees([tree]) == wanted
    assert of_trees([tree for tree, _ in cases]) == tuple(
        sum(column) for column in zip(*(w for _, w in cases), strict=True)
    )
