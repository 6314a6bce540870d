"""Equations of robots of any joints against MuJoCo, which shares no code with them."""

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import ConfigError, ShapeError, UnknownNameError
from equipoise.equations.motion import derive
from equipoise.equations.robot.named_tree import FootPoint, pose_in
from equipoise.robots.load import load
from equipoise.robots.robot import Robot
from oracles.random_trees import random_robot

FEET = ("s3", "s7")
# A few thousand roundings of 1e-16 on the way, and mass matrices of condition up to
# 1e3 where equations are solved.
CLOSE = 1e-12


def derived(robot, **choices):
    """Return equations that need no compiling, since each is called once or twice."""
    return derive(robot, engine="numpy", **choices)


def off(found, wanted):
    """Return the largest error, relative to the largest entry."""
    found, wanted = np.asarray(found), np.asarray(wanted)
    assert found.shape == wanted.shape
    return np.abs(found - wanted).max() / np.abs(wanted).max()


def random_state(model, rng):
    """Return data with random position, velocity and acceleration."""
    data = mujoco.MjData(model)
    data.qpos[:] = rng.normal(size=model.nq)
    mujoco.mj_normalizeQuat(model, data.qpos)
    data.qvel[:] = rng.normal(size=model.nv)
    data.qacc[:] = rng.normal(size=model.nv)
    mujoco.mj_inverse(model, data)
    mujoco.mj_comPos(model, data)
    return data


def mujoco_mass_matrix(model, data):
    full = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, full)
    return full


@pytest.mark.parametrize(
    ("seed", "parameters"),
    [(seed, "sparse") for seed in range(8)]
    + [(seed, "general") for seed in range(3)]
    + [(seed, "numbers") for seed in range(3, 5)],
)
def test_any_tree_moves_as_in_mujoco(seed, parameters, rng):
    robot = random_robot(seed, bases=1 + seed % 2)
    motion = derived(robot, parameters=parameters, feet=FEET)
    model, data = robot.model, random_state(robot.model, rng)
    q, v, a = data.qpos.copy(), data.qvel.copy(), data.qacc.copy()
    sites = [model.site(s).id for s in FEET]
    jacobians = np.zeros((2, 3, model.nv))
    for J, site in zip(jacobians, sites, strict=True):
        mujoco.mj_jacSite(model, data, J, None, site)
    forces = rng.normal(size=(2, 3))
    tau = data.qfrc_inverse - np.einsum("kin,ki->n", jacobians, forces)
    M = mujoco_mass_matrix(model, data)
    assert off(motion.mass_matrix(q), M) < CLOSE
    assert off(motion.inverse_dynamics(q, v, a), data.qfrc_inverse) < CLOSE
    assert off(motion.inverse_dynamics(q, v, a, forces), tau) < CLOSE
    assert off(motion.forward_dynamics(q, v, tau, forces), a) < CLOSE
    assert off(motion.bias(q, v), data.qfrc_bias) < CLOSE
    assert off(motion.foot_positions(q), data.site_xpos[sites]) < CLOSE
    assert off(motion.foot_velocities(q, v), jacobians @ v) < CLOSE
    assert off(motion.foot_jacobians(q), jacobians) < CLOSE
    assert off(motion.kinetic_energy(q, v), 0.5 * v @ M @ v) < CLOSE


def test_the_random_trees_have_every_kind_of_joint():
    kinds, several, weld = set(), 0, 0
    for seed in range(8):
        model = random_robot(seed, bases=1 + seed % 2).model
        kinds |= set(model.jnt_type.tolist())
        several += int((model.body_jntnum > 1).sum())
        weld += int((model.body_jntnum[1:] == 0).sum())
    assert kinds == {0, 1, 2, 3}
    assert several > 5
    assert weld > 5


@pytest.mark.parametrize("seed", range(6))
def test_centre_of_mass_and_energy_are_mujocos(seed, rng):
    robot = random_robot(seed)
    model, data = robot.model, random_state(robot.model, rng)
    motion = derived(robot)
    q, v = data.qpos.copy(), data.qvel.copy()
    moving = [b for b in range(1, model.nbody) if model.body_weldid[b]]
    m = model.body_mass[moving]
    centre = m @ data.xipos[moving] / m.sum()
    jacobian = np.zeros((3, model.nv))
    for body in moving:
        J = np.zeros((3, model.nv))
        mujoco.mj_jacBodyCom(model, data, J, None, body)
        jacobian += model.body_mass[body] / m.sum() * J
    assert off(motion.centre_of_mass(q), centre) < CLOSE
    assert off(motion.com_jacobian(q), jacobian) < CLOSE
    weight = -m.sum() * model.opt.gravity @ centre
    assert off(motion.potential_energy(q), weight) < CLOSE
    assert off(motion.functions.call("com_velocity", q, v), jacobian @ v) < CLOSE


@pytest.mark.parametrize("seed", [1, 2, 4, 5])  # those with a floating body
def test_yaw_pitch_roll_tells_the_same(seed, rng):
    robot = random_robot(seed, bases=2)
    model, data = robot.model, random_state(robot.model, rng)
    by_quat = derived(robot, feet=FEET)
    by_angle = derived(robot, feet=FEET, attitude="yaw-pitch-roll")
    qpos, v, tau = data.qpos.copy(), data.qvel.copy(), rng.normal(size=model.nv)
    force = rng.normal(size=(2, 3))
    vdot = by_quat.forward_dynamics(qpos, v, tau, force)
    R = data.xmat[1].reshape(3, 3)
    q = np.concatenate([qpos[:3], angles_of(R), qpos[7:]])
    u, tau_b = v.copy(), tau.copy()
    u[:3], tau_b[:3] = R.T @ v[:3], R.T @ tau[:3]
    udot = by_angle.forward_dynamics(q, u, tau_b, force)
    udot[:3] = R @ (udot[:3] + np.cross(u[3:6], u[:3]))
    assert model.nq == by_angle.nq + 1
    assert off(udot, vdot) < CLOSE
    assert off(by_angle.foot_velocities(q, u), by_quat.foot_velocities(qpos, v)) < CLOSE
    assert off(by_angle.kinetic_energy(q, u), by_quat.kinetic_energy(qpos, v)) < CLOSE
    np.testing.assert_allclose(pose_in("yaw-pitch-roll", model, qpos), q, atol=1e-14)
    wanted = by_quat.foot_positions(by_quat.start)
    assert off(by_angle.foot_positions(by_angle.start), wanted) < CLOSE


def angles_of(R):
    """Return yaw, pitch, roll with R = Rz(yaw) Ry(pitch) Rx(roll)."""
    yaw, roll = np.arctan2(R[1, 0], R[0, 0]), np.arctan2(R[2, 1], R[2, 2])
    return np.array([yaw, np.arcsin(-R[2, 0]), roll])


@pytest.mark.parametrize("attitude", ["quaternion", "yaw-pitch-roll"])
def test_rates_of_the_block_are_those_of_integration(attitude, rng):
    robot = random_robot(2)
    motion = derived(robot, attitude=attitude, feet=FEET)
    block = motion.block_with("com", "feet")
    q = pose_in(attitude, robot.model, random_state(robot.model, rng).qpos)  # turned
    x = np.concatenate([q, rng.normal(size=motion.nv)])
    u = rng.normal(size=sum(s.width for s in block.inputs))
    from equipoise.equations.tape.interpret import interpret

    results = interpret(block.program, np.concatenate([x, u]), block.values)
    qdot = results[: motion.nq]
    step = 1e-6
    up, down = x[: motion.nq] + step * qdot, x[: motion.nq] - step * qdot
    slope = (motion.foot_positions(up) - motion.foot_positions(down)) / (2 * step)
    wanted = motion.foot_velocities(x[: motion.nq], x[motion.nq :])
    # the error of central differences, 1e-12 and 1e-16 / 1e-6
    np.testing.assert_allclose(slope, wanted, rtol=1e-8, atol=1e-8)
    np.testing.assert_array_equal(block.initial[: motion.nq], motion.start)
    free = motion.nv - block.inputs[0].width
    tau = np.concatenate([np.zeros(free), u[: block.inputs[0].width]])
    forces = u[block.inputs[0].width :].reshape(2, 3)
    vdot = motion.forward_dynamics(x[: motion.nq], x[motion.nq :], tau, forces)
    rates = results[motion.nq : motion.nq + motion.nv]
    assert off(rates, vdot) < CLOSE
    after = motion.nq + 2 * motion.nv
    assert (
        off(results[after : after + 3], motion.centre_of_mass(x[: motion.nq])) < CLOSE
    )


def test_the_length_of_a_quaternion_does_not_matter(rng):
    robot = random_robot(1)
    motion = derived(robot)
    q, v = robot.model.qpos0.copy(), rng.normal(size=motion.nv)
    longer = q.copy()
    longer[3:7] *= 3.0
    assert off(motion.bias(longer, v), motion.bias(q, v)) < CLOSE
    assert off(motion.centre_of_mass(longer), motion.centre_of_mass(q)) < CLOSE


def test_energy_changes_by_the_power_put_in(rng):
    robot = random_robot(4)
    motion = derived(robot, parameters="numbers")
    data = random_state(robot.model, rng)
    q, v, tau = data.qpos.copy(), data.qvel.copy(), rng.normal(size=motion.nv)
    vdot = motion.forward_dynamics(q, v, tau)
    step, energies = 1e-5, []
    for sign in (1.0, -1.0):
        there = q.copy()
        mujoco.mj_integratePos(robot.model, there, v, sign * step)
        u = v + sign * step * vdot
        energies.append(
            motion.kinetic_energy(there, u) + motion.potential_energy(there)
        )
    # central differences: 1e-10 of truncation, 1e-16 / 1e-5 of rounding, energies ~ 1e2
    slope = (energies[0] - energies[1]) / (2 * step)
    np.testing.assert_allclose(slope, v @ tau, rtol=1e-6, atol=1e-7)


def test_parameters_have_names_and_can_be_changed(rng):
    robot = load("warp1")
    motion = derived(robot)
    assert len(motion.parameters) == 73
    assert motion.parameters["front_left_shank.mass"] == 2.0
    changed = motion.with_parameters({"front_left_shank.mass": 5.0})
    spec = robot.spec.copy()
    spec.body("front_left_shank").mass = 5.0
    heavier = derived(Robot("heavier", spec, base="trunk", feet=robot.feet))
    q, v = motion.start, rng.normal(size=motion.nv)
    assert off(changed.bias(q, v), heavier.bias(q, v)) < CLOSE
    assert off(changed.bias(q, v), motion.bias(q, v)) > 1e-3
    with pytest.raises(UnknownNameError, match=r"front_left_shank\.mass"):
        motion.with_parameters({"front_left_shank.mas": 1.0})


def test_many_states_at_once(rng):
    motion = derived(load("warp1"))
    q = np.tile(motion.start, (3, 4, 1))
    v, tau = rng.normal(size=(3, 4, 18)), rng.normal(size=18)
    found = motion.forward_dynamics(q, v, tau)
    assert found.shape == (3, 4, 18)
    one = motion.forward_dynamics(q[1, 2], v[1, 2], tau)
    np.testing.assert_allclose(found[1, 2], one, rtol=1e-13)
    assert motion.mass_matrix(q).shape == (3, 4, 18, 18)
    assert motion.foot_positions(q).shape == (3, 4, 4, 3)


@pytest.mark.parametrize("name", ["warp1", "biped"])
def test_compiled_functions_are_those_of_numpy(name, rng):
    """WARP1 has four equal legs, which get computed side by side; the biped has two."""
    robot = load(name)
    plain, fast = derived(robot), derive(robot)
    q, v, tau = plain.start, rng.normal(size=18), rng.normal(size=18)
    forces = rng.normal(size=(len(robot.feet), 3))
    for given in ((q, v, tau), (list(q), list(v), list(tau)), (q, [v, -v], tau)):
        found = fast.forward_dynamics(*given)
        assert off(found, plain.forward_dynamics(*given)) < CLOSE
    wanted = plain.forward_dynamics(q, v, tau, forces)
    assert off(fast.forward_dynamics(q, v, tau, forces), wanted) < CLOSE
    assert off(fast.mass_matrix(q), plain.mass_matrix(q)) < CLOSE
    with pytest.raises(ShapeError, match=r"q must have shape \(\.\.\., 19\)"):
        fast.forward_dynamics(v, q, tau)


def test_equal_legs_are_found():
    four, two = derived(load("warp1")), derived(load("biped"))
    assert [len(leg) for leg in four.functions.lanes] == [29] * 4  # 3 q, v, tau, f; 17
    assert len(two.functions.lanes) == 2
    names = {i: name for name, i in four.expressions.robot.tape.names.items()}
    legs = [[names[i] for i in leg] for leg in four.functions.lanes]
    for roles in zip(*legs, strict=True):
        assert len({name.split("_", 2)[2] for name in roles}) == 1
    assert four.block.lanes == four.functions.lanes


def test_lines_draw_the_robot_between_its_joints():
    robot = load("warp1")
    motion = derived(robot)
    q = motion.start
    lines = dict(zip(motion.line_names, motion.lines(q), strict=True))
    data = mujoco.MjData(robot.model)
    data.qpos[:] = q
    mujoco.mj_kinematics(robot.model, data)
    trunk, knee = data.body("trunk").xpos, data.body("rear_left_shank").xpos
    hip, foot = data.body("rear_left_thigh").xpos, data.geom("rear_left_foot").xpos
    wanted = {
        "rear_left_hip_roll": (trunk, hip),
        "rear_left_knee": (hip, knee),
        "rear_left_foot": (knee, foot),
    }
    for name, ends in wanted.items():
        np.testing.assert_allclose(lines[name], ends, rtol=0, atol=1e-15)
    assert len(lines) == 12  # hip, thigh and shank of each leg; none of no length


def test_what_cannot_be_written_is_refused_in_one_sentence():
    def robot(extra="", joint="<joint/>"):
        body = f'<body name="b">{joint}<geom size=".1"/></body>'
        text = f"<mujoco><worldbody>{body}</worldbody>{extra}</mujoco>"
        return Robot("odd", mujoco.MjSpec.from_string(text), base="b")

    loop = '<equality><connect name="pin" body1="b" anchor="0 0 0"/></equality>'
    with pytest.raises(ConfigError, match="constraint pin closes a loop"):
        derived(robot(loop))
    with pytest.raises(ConfigError, match="no joint, so nothing moves"):
        derived(robot(joint=""))
    with pytest.raises(ConfigError, match="no geom, site or body 'paw'"):
        derived(robot(), feet=["paw"])
    with pytest.raises(ConfigError, match="the foot 'b' is named twice"):
        derived(robot(), feet=["b", "b"])
    with pytest.raises(UnknownNameError, match="has no body 'c'"):
        derived(robot(), feet=[FootPoint("toe", "c", (0.0, 0.0, 0.0))])
    damped = derived(robot(joint='<joint damping="2" stiffness="3"/>'))
    assert damped.left_out == ("springs at joints: 1", "dampers along speeds: 1")
    with pytest.raises(
        ShapeError, match=r"q must have shape \(\.\.\., 1\), got \(2,\)"
    ):
        damped.bias([0.0, 1.0], [0.0])
    with pytest.raises(
        ShapeError, match=r"tau must have shape \(\.\.\., 1\), got \(2,\)"
    ):
        damped.forward_dynamics([0.0], [0.0], [0.0, 1.0])
    with pytest.raises(ShapeError, match=r"\(3, 1\), \(2, 1\) are not as many states"):
        damped.bias(np.zeros((3, 1)), np.zeros((2, 1)))
    with pytest.raises(ConfigError, match="it has no feet in the world"):
        damped.foot_positions([0.0])
    with pytest.raises(UnknownNameError, match="no output 'height'"):
        damped.block_with("height")


def test_feet_may_be_points_or_belong_to_bodies_without_a_name(rng):
    text = (
        "<mujoco><worldbody><body><joint/><geom size='.1'/>"
        "<body pos='0.3 0 0'><joint axis='0 1 0'/>"
        "<geom name='g' pos='0 0 1' size='.1'/></body></body></worldbody></mujoco>"
    )
    robot = Robot("bare", mujoco.MjSpec.from_string(text), base="world")
    place = tuple(rng.normal(size=3))
    motion = derived(robot, feet=["g", FootPoint("toe", 2, place)])
    assert list(motion.parameters)[:3] == [
        "gravity.z",
        "body1.mass",
        "body1.inertia.xx",
    ]
    q = rng.normal(size=2)
    data = mujoco.MjData(robot.model)
    data.qpos[:] = q
    mujoco.mj_kinematics(robot.model, data)
    toe = data.xpos[2] + data.xmat[2].reshape(3, 3) @ place
    wanted = [data.geom("g").xpos, toe]
    assert off(motion.foot_positions(q), wanted) < CLOSE


def test_names_that_collide_are_told_apart():
    """A joint 'a.centre' that floats has coordinates named like a body's centre."""
    text = (
        '<mujoco><worldbody><body name="a"><freejoint name="a.centre"/>'
        '<inertial mass="1" pos=".1 .2 .3" diaginertia="1 1 1"/></body></worldbody>'
        "</mujoco>"
    )
    robot = Robot("twice", mujoco.MjSpec.from_string(text), base="a")
    block = derived(robot).block
    assert "a.centre.x (2)" in [p.name for p in block.parameters]
