"""Random mechanisms with servos, and what their step does by finite differences.

Nothing of ``equipoise`` is used here: the step's matrix is MuJoCo's own
``mjd_transitionFD``, or central differences of ``mj_step`` for Runge-Kutta, which that
function refuses. Gravity is off and so are contacts and limits, so that the step alone
brings an eigenvalue outside of the unit circle.
"""

import mujoco
import numpy as np

__all__ = ["largest_gain", "servo_mjcf", "step_is_unstable", "with_gain"]

OPTIONS = (
    ("Euler", ""),
    ("Euler", '<flag eulerdamp="disable"/>'),
    ("implicit", ""),
    ("implicitfast", ""),
    ("RK4", ""),
)
NUDGE = 1e-6


def servo_mjcf(rng: np.random.Generator, servos: int) -> str:
    """Return a chain or tree of one to six bodies, free or fixed, with servos."""
    integrator, flag = OPTIONS[int(rng.integers(len(OPTIONS)))]
    count = int(rng.integers(max(1, servos), 7))
    parents = [int(rng.integers(-1, k)) if k else -1 for k in range(count)]
    made = {-1: ""}

    def body(k: int) -> str:
        size = rng.uniform(0.02, 0.2, 3)
        inside = "".join(body(c) for c in range(count) if parents[c] == k)
        axis = " ".join(f"{x:.4f}" for x in rng.normal(size=3))
        kind = "hinge" if rng.random() < 0.8 else "slide"
        armature = float(rng.choice([0.0, 0.001, 0.05]))
        damping = float(rng.choice([0.0, 0.1, 1.0]))
        return (
            f'<body pos="{rng.uniform(-0.3, 0.3):.4f} 0.1 {rng.uniform(0, 0.4):.4f}">'
            f'<joint name="j{k}" type="{kind}" axis="{axis}" damping="{damping}" '
            f'armature="{armature}" stiffness="{rng.choice([0.0, 3.0])}"/>'
            f'<geom type="box" size="{size[0]:.4f} {size[1]:.4f} {size[2]:.4f}" '
            f'pos="0.05 0 0.1" mass="{rng.uniform(0.05, 3):.4f}"/>{inside}</body>'
        )

    made = "".join(body(k) for k in range(count) if parents[k] < 0)
    base = '<geom size="0.1" mass="4"/>'
    free = '<freejoint name="base"/>' if rng.random() < 0.4 else ""
    tendon = ""
    if count > 1 and rng.random() < 0.3:
        tendon = (
            f'<tendon><fixed name="t" damping="{rng.choice([0, 0.3])}">'
            '<joint joint="j0" coef="1"/><joint joint="j1" coef="-0.5"/>'
            "</fixed></tendon>"
        )
    actuators = "".join(servo(rng, f'joint="j{k}"') for k in range(servos))
    return (
        f'<mujoco><option timestep="{rng.choice([0.001, 0.002, 0.005])}" '
        f'integrator="{integrator}" gravity="0 0 0">{flag}</option><worldbody>'
        f"<body>{free}{base}{made}</body></worldbody>{tendon}"
        f"<actuator>{actuators}</actuator></mujoco>"
    )


def servo(rng: np.random.Generator, at: str) -> str:
    """Return a position servo, one with a rate, or a general one."""
    kp, kv = 10.0 ** rng.uniform(0, 5), float(rng.choice([0.0, 1.0, 5.0]))
    gear, kind = f'{at} gear="{rng.choice([1.0, 3.0])}"', int(rng.integers(3))
    if kind == 0:
        return f'<position {gear} kp="{kp:.5g}" kv="{kv}"/>'
    if kind == 1:
        return f'<velocity {gear} kv="{10.0 ** rng.uniform(-1, 3):.5g}"/>'
    return (
        f'<general {gear} gainprm="{kp:.5g}" biastype="affine" '
        f'biasprm="0 {-kp:.5g} {-kv}"/>'
    )


def step_matrix(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    """Return the derivative of the next state by this one."""
    size = 2 * model.nv
    A = np.zeros((size, size))
    if model.opt.integrator != mujoco.mjtIntegrator.mjINT_RK4:
        mujoco.mjd_transitionFD(model, data, NUDGE, True, A, None, None, None)
        return A
    q, after = data.qpos.copy(), []
    for k in range(2 * model.nv):
        ends = []
        for sign in (1.0, -1.0):
            start = mujoco.MjData(model)
            start.qpos[:], start.ctrl[:] = q, data.ctrl
            if k < model.nv:
                nudge = sign * np.eye(model.nv)[k]
                mujoco.mj_integratePos(model, start.qpos, nudge, NUDGE)
            else:
                start.qvel[k - model.nv] = sign * NUDGE
            mujoco.mj_step(model, start)
            ends.append((start.qpos.copy(), start.qvel.copy()))
        moved = np.zeros(model.nv)
        mujoco.mj_differentiatePos(model, moved, 2 * NUDGE, ends[1][0], ends[0][0])
        after.append(np.r_[moved, (ends[0][1] - ends[1][1]) / (2 * NUDGE)])
    return np.array(after).T


def step_is_unstable(model: mujoco.MjModel, data: mujoco.MjData) -> bool:
    """Say whether a step at rest makes some motion larger.

    Without gravity the free motions have eigenvalues of 1, double, so that differences
    of 1e-6 may show 1 + 1e-3 there; an unstable servo's is away from 1.
    """
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
    mujoco.mj_forward(model, data)
    for k in range(model.nu):
        gain = model.actuator_gainprm[k, 0]
        if model.actuator_biastype[k] == mujoco.mjtBias.mjBIAS_AFFINE and gain:
            held = -model.actuator_biasprm[k, 1] * data.actuator_length[k]
            data.ctrl[k] = held / gain  # at rest where it is
    values = np.linalg.eigvals(step_matrix(model, data))
    return bool((np.abs(values) > 1.0 + 1e-6)[np.abs(values - 1.0) > 0.005].any())


def with_gain(model: mujoco.MjModel, actuator: int, gain: str, value: float) -> None:
    """Set a servo's gain in a compiled model."""
    slot = 1 if gain == "kp" else 2
    old = -model.actuator_biasprm[actuator, slot]
    if gain == "kv" and model.actuator_biasprm[actuator, 1]:  # both lowered alike
        model.actuator_biasprm[actuator, 1] *= value / old
    model.actuator_biasprm[actuator, slot] = -value
    model.actuator_gainprm[actuator, 0] = -model.actuator_biasprm[actuator, slot]


def largest_gain(
    model: mujoco.MjModel, data: mujoco.MjData, actuator: int, gain: str
) -> float:
    """Return by halving the largest gain of one servo that the step holds."""
    slot = 1 if gain == "kp" else 2
    low, high = 0.0, -float(model.actuator_biasprm[actuator, slot])
    for _ in range(30):
        middle = 0.5 * (low + high)
        with_gain(model, actuator, gain, middle)
        if step_is_unstable(model, data):
            high = middle
        else:
            low = middle
    return low
