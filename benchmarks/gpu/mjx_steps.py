"""Steps a second of MJX: the rival of benchmarks/gpu/walking.py, on the same card.

    python benchmarks/gpu/mjx_steps.py SCENE.xml

The scene is WARP1 on a plane, as ``equipoise walk`` builds it for MuJoCo's contacts,
written by ``World.scene.to_xml()``. Joints are held by a spring and a damper to the
pose of keyframe ``start``, so that the feet stand; that is all the control there is.
MJX takes the scene as it is but for two settings that it advises: few iterations of
Newton's solver, and as many contacts as there can be. Needs jax, mujoco 3.17 and
mujoco-mjx 3.17; nothing of equipoise.
"""

import sys
import time

import jax
import jax.numpy as jnp
import mujoco
from mujoco import mjx

STEPS = 100
REPEATS = 5


def main() -> None:
    """Print a table."""
    model = mujoco.MjModel.from_xml_path(sys.argv[1])
    model.opt.iterations, model.opt.ls_iterations = 4, 8
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    on_card, first = mjx.put_model(model), mjx.put_data(model, data)
    kinds = (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE)
    joints = [j for j in range(model.njnt) if model.jnt_type[j] in kinds]
    q_at = jnp.array(model.jnt_qposadr[joints])
    v_at = jnp.array(model.jnt_dofadr[joints])
    held = jnp.array(data.qpos)[q_at]

    def step(state, _):
        pull = 2000.0 * (held - state.qpos[q_at]) - 100.0 * state.qvel[v_at]
        force = jnp.zeros(model.nv).at[v_at].set(pull)
        return mjx.step(on_card, state.replace(qfrc_applied=force)), None

    @jax.jit
    def run(states):
        return jax.vmap(lambda one: jax.lax.scan(step, one, None, length=STEPS)[0])(
            states
        )

    print(f"jax {jax.__version__}, mujoco {mujoco.__version__}, {jax.devices()[0]}")
    for robots in [int(x) for x in sys.argv[2:]] or [4096, 16384]:
        key = jax.random.PRNGKey(robots)
        noise = 0.01 * jax.random.normal(key, (robots, model.nv))
        states = jax.vmap(lambda v: first.replace(qvel=v))(noise)
        jax.block_until_ready(run(states))
        taken = []
        for _ in range(REPEATS):
            began = time.perf_counter()
            after = jax.block_until_ready(run(states))
            taken.append(time.perf_counter() - began)
        rate = [robots * STEPS / t for t in sorted(taken)]
        height = after.qpos[:, 2]
        print(
            f"{robots} robots: {rate[REPEATS // 2]:.3g} steps/s "
            f"({rate[-1]:.3g} to {rate[0]:.3g}), trunk at "
            f"{float(height.min()):.3f} to {float(height.max()):.3f} m"
        )


if __name__ == "__main__":
    main()
