"""The float programs of the firmware against double precision and by hand."""

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from equipoise.control.com.small import texts
from equipoise.control.com.small.float_program import mass_update, sine_cosine
from equipoise.control.com.small.float_steering import (
    Aim,
    FloatSteeringConfig,
    holding_torques,
    steer,
)
from equipoise.control.com.small.small_module import small_module
from equipoise.control.com.small.texts import firmware_texts, module_header
from equipoise.control.com.small.twin import stuffed, unstuffed
from equipoise.core.errors import ConfigError
from equipoise.modules.frame import VERSION
from equipoise.modules.member.state import SLOTS
from equipoise.robots.assembly.module import SuperbotModule
from equipoise.robots.assembly.module_body import mating
from equipoise.runs.firmware.states import random_states
from equipoise.spatial.mass.mass import MassProperties

EPS = 2.0**-24
ODD = SuperbotModule(
    hinge_offset=0.043,
    front_offset=0.052,
    side_offset=0.041,
    side_forward=0.015,
    mass_scale=1.0,
)


@pytest.fixture(params=["lattice", "odd"])
def built(request):
    """Return a module's body and its numbers."""
    body = (SuperbotModule() if request.param == "lattice" else ODD).body()
    return body, small_module(body)


def lump(row):
    """Return ten numbers as mass properties in double precision."""
    return MassProperties.from_vector(np.asarray(row, np.float64))


def part_loads(body, states, n):
    """Return each part with what hangs on it, seen from M, in double precision."""
    angles = states.floats[n, :3].astype(np.float64)
    X_MP = body.part_poses(angles)
    loads = [m.transformed(X.R, X.p) for m, X in zip(body.part_mass, X_MP, strict=True)]
    came = {}
    for p, c in enumerate(body.connectors):
        if states.heard[n] >> p & 1:
            X = X_MP[c.part] @ c.X_PC @ mating(int(states.quarter[n, p]))
            came[p] = lump(states.incoming[n, p]).transformed(X.R, X.p)
            loads[c.part] = loads[c.part] + came[p]
    return X_MP, loads, came


def test_sums_are_those_of_double_precision(built):
    body, module = built
    states = random_states(module, 40, seed=11)
    q = states.floats[:, :3]
    ours = mass_update(module, q, states.heard, states.quarter, states.incoming)
    assert ours.out.dtype == ours.total_M.dtype == np.float32
    for n in range(40):
        X_MP, loads, came = part_loads(body, states, n)
        whole = sum(loads[1:], start=loads[0])
        # rounding: each number passes some 40 sums and products of this size
        allowed = 40 * EPS * np.abs(whole.to_vector()).max()
        assert np.abs(ours.total_M[n] - whole.to_vector()).max() < allowed
        for p, c in enumerate(body.connectors):
            others = [v for k, v in came.items() if k != p]
            own = [
                m.transformed(X.R, X.p)
                for m, X in zip(body.part_mass, X_MP, strict=True)
            ]
            X = (X_MP[c.part] @ c.X_PC).inverse()
            told = sum([*own, *others], start=MassProperties.zero())
            wanted = told.transformed(X.R, X.p).to_vector()
            assert np.abs(ours.out[n, p] - wanted).max() < allowed


def aim_of(states):
    """Return the rows of the states that say where to steer."""
    f = states.floats
    return Aim(
        R_WM=f[:, 9:18],
        p_WM=f[:, 18:21],
        target=f[:, 21:24],
        v_WC=f[:, 24:27],
        held=states.held,
    )


def torques_by_work(body, states, n, gains):
    """Return torques as virtual work: turn what moves a little, look at the work done.

    Exact in the turn's first order: the centre's path is a circle about the axis.
    """
    X_MP, loads, _ = part_loads(body, states, n)
    f = states.floats[n].astype(np.float64)
    R_WM, p_WM, target, v_WC = f[9:18].reshape(3, 3), f[18:21], f[21:24], f[24:27]
    whole = sum(loads[1:], start=loads[0])
    away = R_WM @ whole.com + p_WM - target
    k = np.array([gains.stiffness, gains.stiffness, gains.stiffness_z])
    force = -(k * away + gains.damping * v_WC)
    torques = []
    for j, joint in enumerate(body.joints):
        outwards = states.held[n] <= j
        moved = [load for part, load in enumerate(loads) if (part > j) == outwards]
        side = sum(moved[1:], start=moved[0])
        axis = X_MP[j].R @ joint.axis * (1.0 if outwards else -1.0)
        way = R_WM @ np.cross(axis, side.com - X_MP[j + 1].p)
        work = force @ way * side.mass / whole.mass + gains.gravity * side.mass * way[2]
        torques.append(np.clip(work, -joint.effort, joint.effort))
    return np.array(torques)


@pytest.mark.parametrize("stiffness", [1.0, 3000.0])  # within the limits; beyond them
def test_torques_are_the_work_of_spring_and_weight(built, stiffness):
    body, module = built
    gains = FloatSteeringConfig(stiffness=stiffness, stiffness_z=2.0, damping=0.5)
    states = random_states(module, 40, seed=12)
    states.incoming[:] *= 0.05  # light enough to be carried
    q = states.floats[:, :3]
    sums = mass_update(module, q, states.heard, states.quarter, states.incoming)
    ours = steer(module, q, sums, gains, aim_of(states))
    wanted = np.array([torques_by_work(body, states, n, gains) for n in range(40)])
    # rounding: some 60 operations on terms of this size [N m]
    terms = 2.0 * stiffness + gains.gravity * sums.total_M[:, 0].max()
    assert np.abs(ours - wanted).max() < 60 * EPS * terms
    is_cut = np.abs(wanted) == body.joints[0].effort
    assert is_cut.any() == (stiffness > 10.0)


def test_holding_pulls_back_and_stays_within_the_limit(built):
    _, module = built
    gains = FloatSteeringConfig(hold=50.0, hold_damping=0.5)
    torque = holding_torques(
        module, gains, [[0.1, 0, 0]], [[0.2, 0, 9.0]], [[0, 2.0, 0]]
    )
    # by hand, exact but for rounding: 50 (0.1 - 0.2), -0.5 * 2, cut
    assert torque[0] == pytest.approx([-5.0, -1.0, -6.38], rel=4 * EPS)


def test_what_is_not_a_number_gives_no_torque(built):
    _, module = built
    states = random_states(module, 3, seed=13)
    states.incoming[:, :, 1] = np.nan
    q = states.floats[:, :3]
    sums = mass_update(module, q, [63] * 3, states.quarter, states.incoming)
    assert np.isnan(sums.total_M).any()
    assert np.all(steer(module, q, sums, FloatSteeringConfig(), aim_of(states)) == 0.0)


def test_sine_and_cosine_are_good_to_an_ulp():
    a = np.random.default_rng(0).uniform(-7, 7, 20_000).astype(np.float32)
    s, c = sine_cosine(a)
    # an ulp at 1 is 1.2e-7
    assert np.abs(s - np.sin(a.astype(np.float64))).max() < 1.2e-7
    assert np.abs(c - np.cos(a.astype(np.float64))).max() < 1.2e-7


def test_a_locked_joint_gets_no_torque_and_stays_where_it_is():
    module = small_module(SuperbotModule(kind="conro").body())
    assert module.efforts == (6.38, 0.0, 6.38)
    assert module.rest == (0.0, np.pi / 2, 0.0)
    assert module.limits[1] == 0.0


def test_modules_of_another_build_are_refused_with_all_reasons():
    body = SuperbotModule().body()
    joint = replace(body.joints[1], kind="slide")
    mass = MassProperties(0.1, np.array([0.01, 0.0, 0.0]), 1e-4 * np.eye(3))
    wrong = replace(
        body,
        joints=(body.joints[0], joint, body.joints[2]),
        part_mass=(mass, *body.part_mass[1:]),
    )
    with pytest.raises(ConfigError, match=r"'roll' must turn.*'outer_a' must lie"):
        small_module(wrong)


def test_only_numbers_get_from_a_module_into_c():
    header = module_header(small_module(ODD.body()))
    number = r"-?\d+(\.\d+)?(e[+-]\d+)?f?"
    rest = re.sub(rf"#define MODULE_[A-Z_]+ \\\n  |{number}|[{{}}, \n]", "", header)
    assert re.sub(r"/\*.*?\*/|#(ifndef|define|endif)|MODULE_H", "", rest) == ""
    assert set(firmware_texts(small_module(ODD.body()))) >= {"mass.c", "Makefile"}


def test_a_line_has_no_zero_but_its_end_and_garbage_is_refused():
    rng = np.random.default_rng(5)
    for _ in range(200):
        frame = (rng.integers(0, 256, 64) * (rng.random(64) < 0.7)).astype(np.uint8)
        line = stuffed(frame.tobytes())
        assert len(line) == 66 and 0 not in line[:-1] and line[-1] == 0
        assert unstuffed(line[:-1]) == frame.tobytes()
    assert unstuffed(b"\x05\x01\x01") is None  # points beyond the end
    assert unstuffed(b"\x01\x00\x01") is None


def told(header, name):
    """Return the numbers in a header's line of a name."""
    (row,) = re.findall(rf"#define {name} \\\n  (.*)", header)
    return [float(x.rstrip("f")) for x in re.findall(r"-?\d[\de.+-]*f?", row)]


def test_a_header_has_the_modules_numbers_by_name():
    """Single precision; ranges are those of a step, of which a sensor has 512 a way."""
    k = FloatSteeringConfig(
        stiffness=1.0, stiffness_z=2.0, damping=3.0, gravity=4.0, hold=5.0,
        hold_damping=6.0,
    )  # fmt: skip
    plain = small_module(ODD.body())
    module = replace(plain, limits=(1.5, 0.75, 2.25), rest=(0.1, 0.2, 0.3))
    header = module_header(module, k)
    inner = [row[:2] for row in module.inner]
    wanted = {
        "OUTER_A": module.outer[0],
        "OUTER_B": module.outer[1],
        "INNER": np.sum(module.inner, axis=0),
        "INNER_A": inner[0],
        "INNER_B": inner[1],
        "LENGTH": module.pivots[2:],
        "PIVOTS": module.pivots,
        "EFFORT": module.efforts,
        "SPAN": (1.5 / 512, 0.75 / 512, 2.25 / 512),
        "REST": (0.1, 0.2, 0.3),
        "REACH": np.ravel(module.reach),
        "GAINS": (1.0, 2.0, 3.0, 4.0, 5.0, 6.0),
        "FACES": [x for axis, minus in module.faces for x in (*axis, minus)],
    }
    for name, numbers in wanted.items():
        found = told(header, f"MODULE_{name}")
        assert found == pytest.approx(list(numbers), rel=2.0**-23, abs=1e-12), name
    usual = told(module_header(module), "MODULE_GAINS")
    assert usual[0] == pytest.approx(FloatSteeringConfig().stiffness, rel=2.0**-23)


def test_rules_are_told_by_name(monkeypatch):
    names = "silence echo quarantine listen join bump hops memory window leap most"
    rules = {name: 100 + k for k, name in enumerate(names.split())}
    monkeypatch.setattr(texts, "Rules", lambda: SimpleNamespace(**rules))
    found = dict(re.findall(r"#define ([A-Z]+) (\d+)\n", texts.rules_header()))
    assert found == {
        **{name.upper(): str(value) for name, value in rules.items()},
        "VERSION": str(VERSION),
        "SLOTS": str(SLOTS),
    }
