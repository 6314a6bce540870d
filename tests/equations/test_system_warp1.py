"""The script of WARP1 has the numbers of the robot ``warp1``: they move alike."""

import mujoco
import numpy as np

from equipoise.equations.mechanism.legged import warp1_system
from equipoise.equations.tape.interpret import interpret
from equipoise.equations.tape.program import program
from equipoise.robots.warp1.warp1 import LEGS, warp1


def rotation(yaw, pitch, roll):
    quat = np.zeros(4)
    mujoco.mju_euler2Quat(quat, np.array([yaw, pitch, roll]), "zyx")
    R = np.zeros(9)
    mujoco.mju_quat2Mat(R, quat)
    return quat, R.reshape(3, 3)


def test_the_script_falls_as_the_robot_does_in_mujoco(rng):
    robot, script = warp1(), warp1_system()
    model = robot.model
    off = mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_LIMIT
    model.opt.disableflags |= off  # the script knows neither ground nor stops
    data = mujoco.MjData(model)
    S = script.system
    e = S.kane()
    x = [*e.coordinates, *e.speeds, *S.input_symbols.values()]
    wanted = [*e.accelerations(), *script.pads[0].in_(script.world)]
    wanted += S.centre_of_mass().in_(script.world)
    made = program(wanted, x, [S.tape.find(n) for n in S.values])
    joints = [f"{leg}_{j}" for leg in LEGS for j in ("hip_roll", "hip_pitch", "knee")]
    at = [model.joint(name).qposadr[0] for name in joints]
    of = [model.joint(name).dofadr[0] for name in joints]
    X = rng.uniform(-0.8, 0.8, (100, len(x)))
    outs = interpret(made, X, np.array(list(S.values.values())))
    for row, out in zip(X, outs, strict=True):
        q, w, u = (
            row[:18],
            row[18:36],
            dict(zip(S.input_symbols, row[36:], strict=True)),
        )
        quat, R = rotation(*q[3:6])
        relative = np.kron(np.eye(4), [[1, 0, 0], [0, 1, 0], [0, -1, 1]])
        data.qpos[:7] = [*q[:3], *quat]
        data.qpos[at] = relative @ q[6:]
        data.qvel[:6] = [*(R @ w[:3]), *w[3:6]]
        data.qvel[of] = relative @ w[6:]
        torques = [u[f"u_{j}_{k}"] for k in range(1, 5) for j in ("aa", "fe", "k")]
        data.qfrc_applied[:] = 0.0
        data.qfrc_applied[of] = torques
        data.xfrc_applied[:] = 0.0
        mujoco.mj_kinematics(model, data)
        for k, leg in enumerate(LEGS, start=1):
            pad = data.geom(f"{leg}_foot").xpos
            body = model.body(f"{leg}_shank").id
            force = np.array([u[f"f{c}_{k}"] for c in "xyz"])
            arm = pad - data.xipos[body]
            data.xfrc_applied[body] = [*force, *np.cross(arm, force)]
        mujoco.mj_forward(model, data)
        base = R.T @ data.qacc[:3] - np.cross(w[3:6], w[:3])
        legs = np.linalg.solve(relative, data.qacc[of])
        expected = np.concatenate([base, data.qacc[3:6], legs])
        # MuJoCo's accelerations carry about 1e-12 of relative error here; the numbers
        # of the legs differ in the third digit if one of them has a wrong sign.
        scale = np.abs(expected).max()
        np.testing.assert_allclose(out[:18], expected, rtol=0, atol=1e-10 * scale)
        # Places of about 1 m after some twenty operations.
        foot = data.geom(f"{LEGS[0]}_foot").xpos
        np.testing.assert_allclose(out[18:21], foot, rtol=0, atol=1e-14)
        np.testing.assert_allclose(out[21:], data.subtree_com[1], rtol=0, atol=1e-14)
