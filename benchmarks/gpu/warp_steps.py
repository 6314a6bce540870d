"""Steps a second of MuJoCo Warp: the rival of benchmarks/gpu/walking.py, on one card.

    python benchmarks/gpu/warp_steps.py SCENE.xml [ROBOTS ...]

The scene is WARP1 on a plane, as ``equipoise walk`` builds it for MuJoCo's contacts,
written by ``World.scene.to_xml()``. Joints are held to the pose of keyframe ``start``
by servos of 2 kN m/rad and 100 N m s/rad, so that the feet stand; that is all the
control there is. The time step is 2 ms, and a step is captured in a CUDA graph, as the
project's own benchmark does. Needs warp-lang, mujoco-warp and mujoco; nothing of
equipoise.
"""

import sys
import time
from importlib.metadata import version

import mujoco
import mujoco_warp as mjw
import numpy as np
import warp as wp

TIMESTEP = 0.002
STEPS = 100
REPEATS = 5
STIFFNESS, DAMPING = 2000.0, 100.0  # of what holds each joint


def held(path: str) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """Return the scene with a servo on each joint, at its keyframe."""
    spec = mujoco.MjSpec.from_file(path)
    for actuator in list(spec.actuators):
        spec.delete(actuator)
    for joint in spec.joints:
        if joint.type in (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE):
            servo = spec.add_actuator(name=f"hold {joint.name}", target=joint.name)
            servo.trntype = mujoco.mjtTrn.mjTRN_JOINT
            servo.set_to_position(kp=STIFFNESS, kv=DAMPING)
    spec.option.timestep = TIMESTEP
    for key in spec.keys:
        key.ctrl = []
    model = spec.compile()
    model.opt.iterations, model.opt.ls_iterations = 4, 8  # as for MJX
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    for k in range(model.nu):
        joint = model.actuator_trnid[k, 0]
        data.ctrl[k] = data.qpos[model.jnt_qposadr[joint]]
    mujoco.mj_forward(model, data)
    return model, data


def timed(model: mujoco.MjModel, data: mujoco.MjData, robots: int) -> str:
    """Return a line about so many robots."""
    there = mjw.put_model(model)
    worlds = mjw.put_data(model, data, nworld=robots, nconmax=4 * 4, njmax=4 * 4 * 4)
    noise = np.random.default_rng(robots).normal(0.0, 0.01, (robots, model.nv))
    worlds.qvel.assign(noise.astype(np.float32))
    mjw.step(there, worlds)  # compiles
    with wp.ScopedCapture() as capture:
        mjw.step(there, worlds)
    taken: list[float] = []
    for _ in range(REPEATS):
        wp.synchronize()
        began = time.perf_counter()
        for _ in range(STEPS):
            wp.capture_launch(capture.graph)
        wp.synchronize()
        taken.append(time.perf_counter() - began)
    rate = [robots * STEPS / t for t in sorted(taken)]
    height = worlds.qpos.numpy()[:, 2]
    return (
        f"{robots} robots: {rate[REPEATS // 2]:.3g} steps/s "
        f"({rate[-1]:.3g} to {rate[0]:.3g}), {TIMESTEP * rate[REPEATS // 2]:.3g} "
        f"simulated s/s, trunk at {height.min():.3f} to {height.max():.3f} m"
    )


def main() -> None:
    """Print a table."""
    wp.init()
    model, data = held(sys.argv[1])
    card = wp.get_device().name
    print(f"warp {version('warp-lang')}, mujoco-warp {version('mujoco-warp')}, {card}")
    for robots in [int(x) for x in sys.argv[2:]] or [8192, 32768, 131072]:
        print(timed(model, data, robots), flush=True)


if __name__ == "__main__":
    main()
