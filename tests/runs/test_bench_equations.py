"""The benchmark measures what it says: same robot, same states, same numbers."""

import builtins
import json

import mujoco
import numpy as np
import pytest

from equipoise.cli.app import run
from equipoise.cli.bench import print_tables
from equipoise.core.errors import MissingToolError
from equipoise.equations.motion import derive
from equipoise.equations.tape.interpret import interpret
from equipoise.robots.load import load
from equipoise_lab.bench import derivations, dynamics, equations
from equipoise_lab.bench.clock import Runner, Timing, measured, measured_anew, ratio
from equipoise_lab.bench.counts import of_trees
from equipoise_lab.bench.dynamics import ABA
from equipoise_lab.bench.pinocchio import twin_of
from equipoise_lab.bench.pinocchio_cpp import CODEGEN, NATIVE, headers, numbers_of
from equipoise_lab.bench.states import random_states

# Both sides do some thousand operations in doubles; 1e-12 of the largest number is what
# the library promises, rounding is near 1e-15 and 1e-13 in Pinocchio.
AGREES = 1e-12


@pytest.fixture(scope="module")
def motion():
    return derive(load("warp1"), attitude="yaw-pitch-roll")


@pytest.mark.slow
def test_everybody_computes_the_same_accelerations(motion):
    pytest.importorskip("pinocchio", reason="the extra 'peers' brings pin")
    pytest.importorskip("casadi", reason="the extra 'peers' brings it")
    field = dynamics.contest(motion, 20, 3, has_casadi=True, has_builds=True)
    assert not field.missing
    assert field.errors.keys() >= {ABA, NATIVE, CODEGEN, "CasADi's C", "C"}
    assert max(field.errors.values()) < AGREES, field.errors


def test_the_reference_is_what_mujoco_says(motion):
    model = motion.robot.model
    states = random_states(model, 5, 1)
    x = np.hstack([states.q, states.v, states.tau])
    program = motion.functions.program("forward_dynamics")
    found = interpret(program, x, np.array(list(motion.parameters.values())))
    data = mujoco.MjData(model)
    off = mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_LIMIT
    model.opt.disableflags |= off  # neither ground nor stops are in the equations
    rates = []
    both = states.outside(states.v), states.outside(states.tau)
    for qpos, qvel, tau in zip(states.qpos, *both, strict=True):
        data.qpos, data.qvel, data.qfrc_applied = qpos, qvel, tau
        mujoco.mj_forward(model, data)
        rates.append(data.qacc.copy())
    wanted = states.inside(np.array(rates))
    np.testing.assert_allclose(found, wanted, atol=1e-9 * np.abs(wanted).max())


def test_rivals_count_as_the_thesis_does():
    sympy = pytest.importorskip("sympy", reason="the extra 'peers' brings it")
    x, y = sympy.symbols("x y")
    counted = of_trees([sympy.sin(x) * x - y * y + 1 / x, -x, 2 * x * y])
    assert counted == (2, 5, 1, 0)


def test_a_missing_rival_is_a_line_not_a_failure(monkeypatch):
    there = builtins.__import__

    def gone(name, *rest):
        if name in ("symengine", "casadi"):
            raise ImportError(name, name=name)
        return there(name, *rest)

    monkeypatch.setattr(builtins, "__import__", gone)
    missing = []
    rows = equations.derived(missing, True, lambda share: None)
    assert "equipoise, script" in rows
    assert "symengine" not in rows
    assert missing == [
        "symengine is not installed: pip install symengine",
        "casadi is not installed: pip install casadi",
    ]


def test_without_a_c_compiler_machine_code_still_takes_part(motion, monkeypatch):
    monkeypatch.setenv("PATH", "")
    field = dynamics.contest(motion, 4, 5, has_casadi=False)
    assert {"LLVM", "LLVM, legs side by side"} <= field.errors.keys()
    assert max(field.errors.values()) < AGREES, field.errors
    assert not any(name.startswith("C") for name in field.errors)
    assert sum("gcc" in line for line in field.missing) == 1


def test_the_clock_tells_slow_from_fast():
    def work(turns):
        return lambda times: sum(range(turns * times)) and None

    found = measured([Runner("slow", work(20000), 1), Runner("fast", work(2000), 1)], 9)
    # ten times the work; half of that is left for interpreter start-up and noise
    assert found["slow"].least > 5 * found["fast"].least
    times = ratio(found["slow"], found["fast"])
    assert 5 < times.least <= times.most
    low, high = found["slow"].quartiles
    assert found["slow"].least <= low <= found["slow"].median <= high


def test_a_ratio_is_of_medians_with_the_thirds_as_its_spread():
    slow = Timing(2.0, 6.0, (5.0, 7.0), (4.0, 6.0, 9.0))
    fast = Timing(1.0, 2.0, (1.5, 2.5), (2.0, 2.0, 2.0))
    assert ratio(slow, fast) == (3.0, 2.0, 4.5)


def test_everybody_is_made_anew_for_each_placement():
    made = []

    def make():
        turns = 2000 * (1 + len(made))
        made.append(lambda times: sum(range(turns * times)) and None)
        return [Runner("grows", made[-1], 1)]

    found = measured_anew(make, 9)["grows"]
    assert len(made) == 3
    first, second, last = found.thirds
    assert first < second < last
    assert found.median == second
    assert found.least <= first
    assert found.quartiles[0] <= first and last <= found.quartiles[1]


def test_pinocchio_is_told_each_joint_as_it_is(motion):
    pin = pytest.importorskip("pinocchio", reason="the extra 'peers' brings pin")
    model = twin_of(pin, motion.robot.model).model
    told = numbers_of(model)
    assert told.kinds.tolist() == [0, *[1, 2, 2] * 4]
    assert told.parents.tolist() == list(model.parents)[1:]
    for j, row in enumerate(told.numbers, start=1):
        X, body = model.jointPlacements[j], model.inertias[j]
        assert row[:9].reshape(3, 3) == pytest.approx(X.rotation)
        assert row[9:12] == pytest.approx(X.translation)
        assert row[15] == body.mass
        assert row[16:19] == pytest.approx(body.lever)
        assert row[19:].reshape(3, 3) == pytest.approx(body.inertia)


def test_a_package_without_headers_is_one_sentence():
    with pytest.raises(MissingToolError, match="'json' has no headers"):
        headers("json", "include:pinocchio/algorithm/aba.hpp")


@pytest.mark.slow
def test_the_command_prints_one_table_or_json(monkeypatch, capsys, tmp_path):
    quick = {k: v for k, v in derivations.DERIVATIONS.items() if not k.strip()}
    monkeypatch.setattr(equations, "DERIVATIONS", quick)
    monkeypatch.setattr(equations, "MODULES", 4)
    monkeypatch.setattr(equations, "STATES", 8)
    monkeypatch.setattr(equations, "ROBOTS", {"go2": equations.ROBOTS["go2"]})
    typed = ["bench", "equations", "--quick", "--rounds", "3", "--out", str(tmp_path)]
    assert run([*typed, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["ratios"].keys() >= {"aba_over_c", "python_aba_over_ours"}
    assert found["derivation"]["equipoise, script"]["operations"]["trig"] == 30
    assert found["robots"]["go2"]["speeds"] == 18
    row = found["robots"]["go2"]["rows"][ABA]
    ours = found["robots"]["go2"]["rows"]["C"]
    assert row["times_ours"] == pytest.approx(row["ns_median"] / ours["ns_median"])
    least, most = row["times_ours_spread"]
    assert 0 < least <= most
    assert ours["times_ours_spread"] == [1, 1]
    assert json.loads((tmp_path / "bench_equations.json").read_text()) == found
    print_tables(found)
    shown = capsys.readouterr().out
    assert "equipoise, script" in shown
    assert "side by side" in shown


@pytest.mark.parametrize(
    ("typed", "said"),
    [(["everything"], "everything"), (["equations", "--rounds", "0"], "1 to 2000")],
)
def test_a_wrong_order_is_one_sentence(typed, said, capsys):
    assert run(["bench", *typed]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
