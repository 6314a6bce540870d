"""Moving frames and moving lumps against finite differences."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from equipoise.control.com.module_frames import (
    ModuleSensed,
    MovingMass,
    RelativeMotion,
    module_frames,
    part_motions,
)
from equipoise.core.seeds import stream
from equipoise.robots.assembly.module import SuperbotModule
from equipoise.spatial.mass.mass import MassProperties
from equipoise.spatial.poses import Pose
from equipoise.spatial.rotations import matrix_from_axis_angle, random_rotation

EPS = np.finfo(float).eps
STEP = EPS ** (1 / 3)  # best step of a central difference of quantities near 1
# truncation: central differences with that step are right to about eps^(2/3) times the
# third derivative; rates up to about 4 rad/s cubed, on lengths below 2 m, give 1e2.
DIFFERENCE = 1e3 * EPS ** (2 / 3)


def random_motion(rng: np.random.Generator) -> RelativeMotion:
    pose = Pose(random_rotation(rng), rng.uniform(-1, 1, 3))
    return RelativeMotion(pose, rng.normal(size=3), rng.normal(size=3))


def after(motion: RelativeMotion, time: float) -> Pose:
    """Return where a frame is a moment later at constant velocity."""
    rate = np.linalg.norm(motion.w_AB)
    turn = matrix_from_axis_angle(motion.w_AB / rate, float(rate * time))
    return Pose(turn @ motion.X_AB.R, motion.X_AB.p + time * motion.v_AB)


def velocity(path) -> tuple[np.ndarray, np.ndarray]:
    """Return v and w of a path of poses at time 0, by central differences."""
    one, two = path(-STEP), path(STEP)
    Rdot = (two.R - one.R) / (2 * STEP)
    W = Rdot @ path(0.0).R.T
    return (two.p - one.p) / (2 * STEP), np.array([W[2, 1], W[0, 2], W[1, 0]])


@given(seed=st.integers(0, 10**6))
def test_composed_motion_is_the_derivative_of_composed_poses(seed):
    rng = stream(seed, "motion")
    A_B, B_C = random_motion(rng), random_motion(rng)
    A_C = A_B @ B_C
    v, w = velocity(lambda t: after(A_B, t) @ after(B_C, t))
    np.testing.assert_allclose(A_C.v_AB, v, rtol=0, atol=DIFFERENCE)
    np.testing.assert_allclose(A_C.w_AB, w, rtol=0, atol=DIFFERENCE)


@given(seed=st.integers(0, 10**6))
def test_motion_there_and_back_is_rest(seed):
    motion = random_motion(stream(seed, "back"))
    both = motion @ motion.inverse()
    # rounding: two dozen operations on numbers below 10
    tol = 32 * EPS * 10
    np.testing.assert_allclose(both.X_AB.matrix, np.eye(4), rtol=0, atol=tol)
    np.testing.assert_allclose(both.v_AB, 0, rtol=0, atol=tol)
    np.testing.assert_allclose(both.w_AB, 0, rtol=0, atol=tol)


@given(seed=st.integers(0, 10**6))
def test_a_lump_seen_from_another_frame_has_the_derivative_of_its_first_moment(seed):
    rng = stream(seed, "lump")
    motion, rate = random_motion(rng), rng.normal(size=3)
    mass, com = float(rng.uniform(0.1, 5.0)), rng.uniform(-1, 1, 3)
    lump = MovingMass(MassProperties(mass, com, np.eye(3)), rate)

    def first_moment(t: float) -> np.ndarray:
        return mass * (after(motion, t) @ (com + rate / mass * t))

    expected = (first_moment(STEP) - first_moment(-STEP)) / (2 * STEP)
    seen = lump.seen_from(motion)
    # truncation as above; masses up to 5 kg
    np.testing.assert_allclose(seen.rate, expected, rtol=0, atol=5 * DIFFERENCE)
    np.testing.assert_allclose(
        seen.mass.com, motion.X_AB @ com, rtol=0, atol=8 * EPS * 4
    )


@given(seed=st.integers(0, 10**6))
def test_parts_move_as_the_module_says_they_are_placed(seed):
    rng = stream(seed, "parts")
    body = SuperbotModule().body()
    angles, rates = rng.uniform(-1.5, 1.5, 3), rng.normal(size=3)
    for k, motion in enumerate(part_motions(body, angles, rates)):

        def path(t: float, k: int = k) -> Pose:
            return body.part_poses(angles + rates * t)[k]

        v, w = velocity(path)
        # rounding: three products of rotations
        np.testing.assert_allclose(
            motion.X_AB.matrix, path(0.0).matrix, rtol=0, atol=32 * EPS
        )
        np.testing.assert_allclose(motion.v_AB, v, rtol=0, atol=DIFFERENCE)
        np.testing.assert_allclose(motion.w_AB, w, rtol=0, atol=DIFFERENCE)


def test_a_locked_joint_has_no_rate_whatever_is_said():
    body = SuperbotModule(kind="conro").body()
    angles = (0.3, np.pi / 2, -0.2)
    said, true = (
        module_frames(body, body.part_mass, ModuleSensed(angles, rates, (None,) * 6))
        for rates in ((1.0, 9.0, 2.0), (1.0, 0.0, 2.0))
    )
    assert np.array_equal(said.own.rate, true.own.rate)
    assert np.abs(true.own.rate).max() > 0
