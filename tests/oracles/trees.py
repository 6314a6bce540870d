"""Random trees of rigid bodies, as arrays for the library and as MJCF for MuJoCo."""

from dataclasses import dataclass

import mujoco
import numpy as np

from equipoise.spatial import MassProperties, matrix_from_axis_angle, random_rotation

__all__ = ["Tree", "chain_of_modules", "mujoco_model", "parents", "random_tree"]


@dataclass
class Tree:
    """Arrays that ``tree_mass`` takes, and the bodies they were made of."""

    parent: np.ndarray
    R_PC: np.ndarray
    p_PC: np.ndarray
    bodies: list[MassProperties]

    @property
    def own(self) -> np.ndarray:
        """Additive rows, (n, 10)."""
        return np.array([b.to_vector() for b in self.bodies])


def parents(kind: str, n: int, rng: np.random.Generator) -> np.ndarray:
    """Return parent indices of a chain, a star, or a tree with random parents."""
    if kind == "chain":
        return np.arange(-1, n - 1)
    if kind == "star":
        return np.array([-1] + [0] * (n - 1))
    return np.array([-1] + [int(rng.integers(0, k)) for k in range(1, n)])


def random_tree(kind: str, n: int, rng: np.random.Generator) -> Tree:
    """Return a tree with random places, turns and bodies."""
    bodies = []
    for _ in range(n):
        spread = rng.uniform(0.01, 1, 3)
        moments = spread.sum() - spread
        R = random_rotation(rng)
        inertia = R @ np.diag(moments) @ R.T
        bodies.append(MassProperties(rng.uniform(0.1, 3), rng.normal(size=3), inertia))
    turns = np.array([random_rotation(rng) for _ in range(n)])
    return Tree(parents(kind, n, rng), turns, rng.normal(size=(n, 3)), bodies)


def chain_of_modules(n: int, tilted: bool, rng: np.random.Generator) -> Tree:
    """Return a straight chain of 84 x 84 x 168 mm modules, frames at their centres.

    Args:
        n: how many modules.
        tilted: every frame tilted by one odd turn against the chain, or along it.
        rng: not used to place anything; keeps the signature of ``random_tree``.
    """
    w, length, mass = 0.084, 0.168, 0.0718
    R = matrix_from_axis_angle([1.0, 2.0, -0.5], 0.9 if tilted else 0.0)
    inertia = np.diag([2 * w * w, w * w + length**2, w * w + length**2]) * mass / 12
    body = MassProperties(mass, [0, 0, 0], inertia).transformed(R.T, [0, 0, 0])
    step = R.T @ [length, 0, 0]
    turns = np.tile(np.eye(3), (n, 1, 1))
    return Tree(parents("chain", n, rng), turns, np.tile(step, (n, 1)), [body] * n)


def mujoco_model(tree: Tree) -> mujoco.MjModel:
    """Return the tree as a MuJoCo model; node k is body "k" (MuJoCo renumbers)."""
    spec = mujoco.MjSpec()
    spec.compiler.balanceinertia = False
    made = [spec.worldbody]
    for k, body in enumerate(tree.bodies):
        up = made[tree.parent[k] + 1]
        quat = np.zeros(4)
        mujoco.mju_mat2Quat(quat, tree.R_PC[k].ravel())
        node = up.add_body(name=str(k), pos=tree.p_PC[k], quat=quat)
        node.explicitinertial = True
        node.mass, node.ipos = body.mass, body.com
        inertia = body.inertia
        node.fullinertia = inertia[(0, 1, 2, 0, 0, 1), (0, 1, 2, 1, 2, 2)]
        node.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0, 0, 1])
        made.append(node)
    return spec.compile()
