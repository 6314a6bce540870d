"""Scripts against Pinocchio, which shares no code with them."""

import itertools

import numpy as np
import pytest

from equipoise.equations.mechanism.arms import arm, scara
from equipoise.equations.mechanism.legged import Leg, Limb, legged, warp1_system
from equipoise.equations.tape.interpret import interpret
from equipoise.equations.tape.program import program

pin = pytest.importorskip("pinocchio", reason="the extra 'peers' brings pin")

STATES = 1000
# Both sides do some thousand operations in doubles; 1e-12 of the largest entry is the
# agreement the library promises, rounding is near 1e-15.
AGREES = 1e-12


def spin(axis, angle):
    return pin.AngleAxis(angle, np.eye(3)[axis]).toRotationMatrix()


def inertia_of(p, label):
    """A limb's inertia from parameters by name, zero where there is none."""

    def get(name):
        return p.get(f"{name}", 0.0)

    centre = np.array([get(f"c_{label}_{c}") for c in "xyz"])
    xx, yy, zz, xy, xz, yz = (
        get(f"I_{label}_{e}") for e in ("x", "y", "z", "xy", "xz", "yz")
    )
    matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return pin.Inertia(p[f"m_{label}"], centre, matrix)


def peer(p, joints):
    """The robot of ``legged`` with relative joint angles, in Pinocchio."""
    model = pin.Model()
    model.gravity.linear = np.array([0.0, 0.0, -p["g"]])
    base = model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "base")
    trunk = pin.Inertia(p["m"], np.zeros(3), np.diag([p["Ix"], p["Iy"], p["Iz"]]))
    model.appendBodyToJoint(base, trunk, pin.SE3.Identity())
    down = np.array([[0, 1, 0], [0, 0, -1], [-1, 0, 0]], dtype=float)  # h1, h2, h3
    for leg, count in enumerate(joints, start=1):
        hip = np.array([p[f"hip_{leg}_{c}"] for c in "xyz"])
        at = model.addJoint(base, pin.JointModelRY(), pin.SE3(down, hip), f"aa{leg}")
        place = pin.SE3.Identity()
        for k in range(max(1, count - 1)):
            label = f"{('thigh', 'shank', 'foot')[k]}_{leg}"
            if count > 1:
                at = model.addJoint(at, pin.JointModelRZ(), place, label)
            model.appendBodyToJoint(at, inertia_of(p, label), pin.SE3.Identity())
            end = np.array([p.get(f"r_{label}_{c}", 0.0) for c in "xyz"])
            place = pin.SE3(np.eye(3), end)
        frame = pin.Frame(f"pad{leg}", at, place, pin.FrameType.OP_FRAME)
        model.addFrame(frame)
    return model


def relative(joints):
    """Rates of relative angles from those of angles counted from the hip's frame."""
    blocks = []
    for count in joints:
        block = np.eye(count)
        for k in range(2, count):
            block[k, k - 1] = -1.0
        blocks.append(block)
    n = sum(joints)
    T = np.eye(6 + n)
    at = 6
    for block in blocks:
        T[at : at + len(block), at : at + len(block)] = block
        at += len(block)
    return T


def symmetric(keys, values, n):
    M = np.zeros((n, n))
    for (i, j), value in zip(keys, values, strict=True):
        M[i, j] = M[j, i] = value
    return M


def compare(robot, joints, values, form, rng, states):
    """Largest errors of M and F relative to their largest entries."""
    S = robot.system
    e = S.kane(form)
    assert e.form == form
    x = [*e.coordinates, *e.speeds, *S.input_symbols.values()]
    made = program([*e.M.values(), *e.F, *e.kde], x, list(map(S.tape.find, values)))
    X = rng.uniform(-1.2, 1.2, (states, len(x)))
    out = interpret(made, X, np.array(list(values.values())))
    model, T = peer(values, joints), relative(joints)
    data = model.createData()
    n, worst = len(e.speeds), 0.0
    legs = list(itertools.accumulate([0, *joints]))
    inputs = list(S.input_symbols)
    for row, y in zip(X, out, strict=True):
        q, v = row[:n], T @ row[n : 2 * n]
        R = spin(2, q[3]) @ spin(1, q[4]) @ spin(0, q[5])
        quat = pin.Quaternion(R).coeffs()
        full = np.concatenate([q[:3], quat, (T @ q)[6:]])
        M = pin.crba(model, data, full).copy()
        M = np.triu(M) + np.triu(M, 1).T
        tau = np.zeros(n)
        given = dict(zip(inputs, row[2 * n :], strict=True))
        for k, count in enumerate(joints):
            for i, joint in enumerate(("aa", "fe", "k", "a")[:count]):
                tau[6 + legs[k] + i] = given[f"u_{joint}_{k + 1}"]
        F = tau - pin.nonLinearEffects(model, data, full, v)
        pin.computeJointJacobians(model, data, full)
        pin.updateFramePlacements(model, data)
        for k in range(len(joints)):
            frame = model.getFrameId(f"pad{k + 1}")
            J = pin.getFrameJacobian(model, data, frame, pin.LOCAL_WORLD_ALIGNED)
            F += J[:3].T @ [given[f"f{c}_{k + 1}"] for c in "xyz"]
        mine = symmetric(list(e.M), y[: len(e.M)], n)
        M, F = T.T @ M @ T, T.T @ F
        worst = max(
            worst,
            np.abs(mine - M).max() / np.abs(M).max(),
            np.abs(y[len(e.M) : len(e.M) + n] - F).max() / np.abs(F).max(),
        )
    return worst


@pytest.mark.parametrize("form", ["composite", "literal"])
def test_warp1_agrees_over_a_thousand_states(form, rng):
    robot = warp1_system()
    worst = compare(robot, [3] * 4, robot.system.values, form, rng, STATES)
    assert worst < AGREES


@pytest.mark.parametrize("form", ["composite", "literal"])
def test_warp1_with_every_component_its_own_parameter(form, rng):
    robot = warp1_system("general")
    values = {n: x + rng.uniform(0.01, 0.05) for n, x in robot.system.values.items()}
    worst = compare(robot, [3] * 4, values, form, rng, STATES)
    assert worst < AGREES


LIMB = Limb(2.0, (0.1, 0.02, 0.03), (0.01, 0.02, 0.03), (0.3, 0.01, 0.02))


@pytest.mark.parametrize("joints", [(), (1,), (2,), (4,), (1, 2, 3, 4), (3, 3, 3)])
def test_any_number_of_legs_of_one_to_four_joints(joints, rng):
    legs = [Leg((0.2, 0.1, -0.1), (LIMB,) * max(1, n - 1), n) for n in joints]
    robot = legged("robot", 10.0, (0.1, 0.2, 0.25), legs)
    for form in ("composite", "literal"):
        worst = compare(robot, joints, robot.system.values, form, rng, 50)
        assert worst < AGREES


def arm_peer(p):
    model = pin.Model()
    model.gravity.linear = np.array([0.0, 0.0, -p["g"]])
    joints = [pin.JointModelRZ(), pin.JointModelRY(), pin.JointModelRY()]
    places = [(0.0, 0.0, p["z0"]), (0.0, 0.0, 0.0), (p["L"], 0.0, 0.0)]
    at = 0
    for k in range(3):
        place = pin.SE3(np.eye(3), np.array(places[k]))
        at = model.addJoint(at, joints[k], place, f"J{k + 1}")
        centre = np.array([(0.0, p["l2"], p["l3"])[k], 0.0, 0.0])
        about = np.diag([p[f"I{k + 1}{c}"] for c in "xyz"])
        body = pin.Inertia(p[f"m{k + 1}"], centre, about)
        model.appendBodyToJoint(at, body, pin.SE3.Identity())
    return model


def scara_peer(p):
    model = pin.Model()
    model.gravity.linear = np.array([0.0, 0.0, -p["g"]])
    joints = [pin.JointModelRZ(), pin.JointModelRZ(), pin.JointModelPZ()]
    places = [(0.0, 0.0, p["h"]), (p["a1"], 0.0, 0.0), (p["a2"], 0.0, 0.0)]
    centres = [(p["l1"], 0.0, 0.0), (p["l2"], 0.0, 0.0), (0.0, 0.0, 0.0)]
    at = 0
    for k in range(3):
        place = pin.SE3(np.eye(3), np.array(places[k]))
        at = model.addJoint(at, joints[k], place, f"J{k + 1}")
        about = np.diag([0.0, 0.0, p[f"I{k + 1}"]])
        body = pin.Inertia(p[f"m{k + 1}"], np.array(centres[k]), about)
        model.appendBodyToJoint(at, body, pin.SE3.Identity())
    return model


@pytest.mark.parametrize("form", ["composite", "literal"])
@pytest.mark.parametrize(
    ("make", "build", "sign"),
    [(arm, arm_peer, (1, 1, 1)), (scara, scara_peer, (1, 1, -1))],
    ids=["arm", "scara"],
)
def test_arms_move_as_pinocchio_says(make, build, sign, form, rng):
    robot = make()
    S = robot.system
    values = {name: rng.uniform(0.3, 1.5) for name in S.values}
    e = S.kane(form)
    assert e.form == form
    x = [*e.coordinates, *e.speeds, *S.input_symbols.values()]
    made = program(e.accelerations(), x, [S.tape.find(name) for name in values])
    X = rng.uniform(-1.5, 1.5, (STATES, 9))
    mine = interpret(made, X, np.array(list(values.values())))
    model = build(values)
    data = model.createData()
    s = np.array(sign, dtype=float)  # the quill counts downwards
    for row, found in zip(X, mine, strict=True):
        q, v, u = s * row[:3], s * row[3:6], s * row[6:]
        expected = s * pin.aba(model, data, q, v, u)
        scale = np.abs(expected).max()
        np.testing.assert_allclose(found, expected, rtol=0.0, atol=AGREES * scale)
