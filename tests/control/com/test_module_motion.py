"""Frames of a module's parts and connectors, against matrices of four by four."""

from types import SimpleNamespace

import numpy as np
import pytest

from equipoise.control.com import loads, module_motion
from equipoise.control.com.geometry import vectors
from equipoise.control.com.loads import CarriedLoad, MovingFrame
from equipoise.control.com.module_motion import FaceState, PartState
from equipoise.control.com.network import FaceShape, JointShape
from equipoise.spatial.rotations import matrix_from_axis_angle, random_rotation

STEP = 1e-6


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    """Let the kernels run as Python: nothing is compiled for a few frames."""
    for module in (module_motion, loads, vectors):
        for name, kernel in list(vars(module).items()):
            if hasattr(kernel, "py_func"):
                monkeypatch.setattr(module, name, kernel.py_func)


def pose(R: np.ndarray, p: np.ndarray) -> np.ndarray:
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = R, p
    return X


def rates(at) -> tuple[np.ndarray, np.ndarray]:
    """Return v and w of a path of poses at time 0, by central differences."""
    before, here, after = at(-STEP), at(0.0), at(STEP)
    v = (after - before)[:3, 3] / (2 * STEP)
    turning = (after - before)[:3, :3] / (2 * STEP) @ here[:3, :3].T
    return v, np.array([turning[2, 1], turning[0, 2], turning[1, 0]])


def check(frame: MovingFrame, at) -> None:
    """Compare a frame with a path of poses; differences are right to about 1e-9."""
    X, (v, w) = at(0.0), rates(at)
    np.testing.assert_allclose(frame.R, X[:3, :3], atol=1e-12)
    np.testing.assert_allclose(frame.p, X[:3, 3], atol=1e-12)
    np.testing.assert_allclose(frame.v, v, atol=1e-8)
    np.testing.assert_allclose(frame.w, w, atol=1e-8)


class Module:
    """Three joints between four parts, of whatever kinds."""

    def __init__(self, kinds: tuple[int, ...], seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.joint, self.kinds = JointShape.zeros(3), kinds
        for k, kind in enumerate(kinds):
            axis = rng.normal(size=3)
            self.joint[k].axis[:] = axis / np.linalg.norm(axis)
            self.joint[k].origin[:] = rng.normal(size=3)
            self.joint[k].hinge = kind
        self.q, self.rate = rng.uniform(-1.5, 1.5, 3), rng.normal(size=3)
        self.parts = PartState.zeros(4)
        module_motion.place_parts(self.joint, self.q, self.rate, self.parts)

    def by_joint(self, k: int, time: float) -> np.ndarray:
        """Return where part k + 1 is in part k."""
        one, value = self.joint[k], self.q[k] + time * self.rate[k]
        axis = np.array(one.axis)
        if self.kinds[k]:
            return pose(matrix_from_axis_angle(axis, float(value)), one.origin)
        return pose(np.eye(3), one.origin + value * axis)

    def part(self, k: int, time: float) -> np.ndarray:
        """Return where part k is, seen from part 1."""
        if k == 0:
            return np.linalg.inv(self.by_joint(0, time))
        X = np.eye(4)
        for j in range(1, k):
            X = X @ self.by_joint(j, time)
        return X


@pytest.mark.parametrize("kinds", [(1, 1, 1), (0, 1, 0), (1, 0, 1), (0, 0, 0)])
def test_parts_are_where_their_joints_put_them(kinds):
    module = Module(kinds, seed=sum(kinds))
    for k in range(4):
        check(module.parts[k].frame, lambda time, k=k: module.part(k, time))


@pytest.mark.parametrize("part", range(4))
def test_a_connector_and_its_mate_move_with_their_part(part, rng):
    module = Module((1, 0, 1), seed=7)
    shape, face = FaceShape.zeros(1)[0], FaceState.zeros(1)[0]
    shape.R[:], shape.p[:], shape.part = random_rotation(rng), rng.normal(size=3), part
    R_mate = random_rotation(rng)
    module_motion.place_face(shape, R_mate, module.parts, face)
    fixed = pose(shape.R, shape.p)
    check(face.frame, lambda time: module.part(part, time) @ fixed)
    turned = fixed @ pose(R_mate, np.zeros(3))
    check(face.mate, lambda time: module.part(part, time) @ turned)


def drawn(rng) -> tuple[MovingFrame, SimpleNamespace]:
    """Return a moving frame and its path."""
    frame = MovingFrame.zeros(1)[0]
    R, p, v, w = random_rotation(rng), *rng.normal(size=(3, 3))
    frame.R[:], frame.p[:], frame.v[:], frame.w[:] = R, p, v, w
    size = float(np.linalg.norm(w))

    def at(time: float) -> np.ndarray:
        turn = matrix_from_axis_angle(w / size, size * time)
        return pose(turn @ R, p + time * v)

    return frame, SimpleNamespace(at=at)


def test_a_module_is_in_the_world_where_one_of_its_frames_says(rng):
    in_module, inner = drawn(rng)
    in_world, outer = drawn(rng)
    found = MovingFrame.zeros(1)[0]
    module_motion.find_world(in_module, in_world, found)
    check(found, lambda time: outer.at(time) @ np.linalg.inv(inner.at(time)))
    # and back again
    again = MovingFrame.zeros(1)[0]
    module_motion.face_in_world(found, in_module, again)
    for name in ("R", "p", "v", "w"):
        np.testing.assert_allclose(getattr(again, name), getattr(in_world, name),
                                   atol=1e-12)  # fmt: skip


def test_a_frame_of_a_module_moves_with_both(rng):
    module, outer = drawn(rng)
    frame, inner = drawn(rng)
    found = MovingFrame.zeros(1)[0]
    module_motion.face_in_world(module, frame, found)
    check(found, lambda time: outer.at(time) @ inner.at(time))


def test_the_whole_moves_with_its_module_and_by_itself(rng):
    module, outer = drawn(rng)
    total = CarriedLoad.zeros(1)[0]
    centre, drift, mass = rng.normal(size=3), rng.normal(size=3), 2.5
    total.lump[0], total.lump[1:4] = mass, mass * centre
    total.rate[:] = mass * drift
    com, velocity = module_motion.whole_motion(total, module)

    def place(time: float) -> np.ndarray:
        return (outer.at(time) @ [*(centre + time * drift), 1.0])[:3]

    np.testing.assert_allclose(com, place(0.0), atol=1e-12)
    wanted = (place(STEP) - place(-STEP)) / (2 * STEP)
    np.testing.assert_allclose(velocity, wanted, atol=1e-8)


def masses(rng, count: int = 5):
    """Return point masses: how heavy, where, how fast."""
    return rng.uniform(0.1, 2.0, count), *rng.normal(size=(2, count, 3))


def load_of(m, p, v, force=0.0, moment=0.0) -> CarriedLoad:
    """Return the load of point masses that are pushed at the origin."""
    load = CarriedLoad.zeros(1)[0]
    S = np.einsum("k,ki,kj->ij", m, p, p)
    load.lump[:] = [m.sum(), *(m @ p), *S[np.triu_indices(3)]]
    load.rate[:], load.force[:], load.moment[:] = m @ v, force, moment
    return load


def test_a_load_is_seen_from_where_its_frame_moves_and_back(rng):
    frame, path = drawn(rng)
    m, p, v = masses(rng)
    force, moment = rng.normal(size=(2, 3))
    inner = load_of(m, p, v, force, moment)
    found, again = CarriedLoad.zeros(1)[0], CarriedLoad.zeros(1)[0]
    loads.load_into(frame, inner, found)
    R, t = path.at(0.0)[:3, :3], path.at(0.0)[:3, 3]
    places = p @ R.T + t
    speeds = v @ R.T + np.array(frame.v) + np.cross(np.array(frame.w), p @ R.T)
    wanted = load_of(m, places, speeds, R @ force, R @ moment + np.cross(t, R @ force))
    for name in ("lump", "rate", "force", "moment"):
        np.testing.assert_allclose(getattr(found, name), getattr(wanted, name),
                                   atol=1e-10)  # fmt: skip
    loads.load_out_of(frame, found, again)
    for name in ("lump", "rate", "force", "moment"):
        np.testing.assert_allclose(getattr(again, name), getattr(inner, name),
                                   atol=1e-10)  # fmt: skip


@pytest.mark.parametrize("pushed", ["force", "moment", "nothing"])
def test_a_part_is_a_load_that_moves_as_it_does(pushed, rng):
    frame, path = drawn(rng)
    m, p, _ = masses(rng)
    force = rng.normal(size=3) if pushed == "force" else np.zeros(3)
    moment = rng.normal(size=3) if pushed == "moment" else np.zeros(3)
    lump = load_of(m, p, 0.0 * p).lump
    found = CarriedLoad.zeros(1)[0]
    found.force[:] = found.moment[:] = 9.0
    loads.load_from_part(frame, lump, (tuple(force), tuple(moment)), found)
    R, t = path.at(0.0)[:3, :3], path.at(0.0)[:3, 3]
    speeds = np.array(frame.v) + np.cross(np.array(frame.w), p @ R.T)
    wanted = load_of(m, p @ R.T + t, speeds, R @ force,
                     R @ moment + np.cross(t, R @ force))  # fmt: skip
    for name in ("lump", "rate", "force", "moment"):
        np.testing.assert_allclose(getattr(found, name), getattr(wanted, name),
                                   atol=1e-10)  # fmt: skip


def test_loads_of_one_frame_add_up_and_are_cleared(rng):
    one, other = (load_of(*masses(rng), *rng.normal(size=(2, 3))) for _ in range(2))
    both = CarriedLoad.zeros(1)[0]
    loads.put_load(both, one)
    loads.add_load(both, other)
    for name in ("lump", "rate", "force", "moment"):
        total = np.array(getattr(one, name)) + np.array(getattr(other, name))
        np.testing.assert_allclose(getattr(both, name), total)
    loads.clear_load(both)
    assert not any(
        np.any(getattr(both, n)) for n in ("lump", "rate", "force", "moment")
    )
