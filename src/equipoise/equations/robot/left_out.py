"""What of a robot's model its equations of motion refuse, and what they leave out."""

import mujoco
import numpy as np

__all__ = ["left_out", "refusals"]

LOOPS = (int(mujoco.mjtEq.mjEQ_CONNECT), int(mujoco.mjtEq.mjEQ_WELD))


def refusals(model: mujoco.MjModel) -> list[str]:
    """Return what of a model cannot be written as a tree of rigid links."""
    found: list[str] = []
    loops = [k for k in range(model.neq) if int(model.eq_type[k]) in LOOPS]
    if loops:
        name = model.eq(loops[0]).name or f"number {loops[0]}"
        found.append(
            f"the equality constraint {name} closes a loop, and a tree has none; "
            "remove it from the file"
        )
    if model.ntendon and np.any(model.tendon_armature):
        found.append("a tendon has armature; give it to the joints instead")
    if not model.nv:
        found.append("it has no joint, so nothing moves")
    return found


def left_out(model: mujoco.MjModel) -> tuple[str, ...]:
    """Return what of a model its equations do not have, in words."""
    limited = int(np.count_nonzero(model.jnt_limited))
    found = {
        "couplings of joints": model.neq,
        "springs at joints": int(np.count_nonzero(model.jnt_stiffness)),
        "dampers along speeds": int(np.count_nonzero(model.dof_damping)),
        "dry friction along speeds": int(np.count_nonzero(model.dof_frictionloss)),
        "limits of joints": limited,
        "tendons": model.ntendon,
        "bodies held up against gravity": int(np.count_nonzero(model.body_gravcomp)),
    }
    return tuple(f"{what}: {count}" for what, count in found.items() if count)
