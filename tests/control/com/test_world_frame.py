"""The world frame handed out by a leader, and the speed of the whole robot."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equipoise.control.com.mass.learn import docks, learn_mass, sensed_modules
from equipoise.control.com.module_frames import RelativeMotion
from equipoise.control.com.world_frame import Anchor, Placed, WorldFrame
from equipoise.core.seeds import stream
from equipoise.modules import (
    Candidate,
    Election,
    InMemory,
    VirtualClock,
    run_rounds,
)
from equipoise.robots.assembly.assembly import Assembly
from equipoise.robots.superbot.superbot import random_assembly
from equipoise.spatial.poses import Pose
from equipoise.spatial.rotations import matrix_from_axis_angle, random_rotation

EPS = np.finfo(float).eps
# rounding: up to 20 products of poses with lengths below 4 m
ROUNDING = 20 * 8 * EPS * 4


@pytest.fixture(scope="module")
def assembly() -> Assembly:
    return random_assembly(20, 4, 5, "random")


def placed(assembly: Assembly, leader: int | None, **options) -> list[Placed]:
    """Let one module know where its connector 0 is; the others know nothing."""
    sensed = sensed_modules(assembly, **options)
    anchors: list[Anchor | None] = [None] * len(sensed)
    if leader is not None:
        X_WM = assembly.module_poses()[leader]
        X_MC = assembly.body.connector_poses(sensed[leader].angles)[0]
        anchors[leader] = Anchor(0, RelativeMotion.still(X_WM @ X_MC))
    return [Placed(s, a) for s, a in zip(sensed, anchors, strict=True)]


def hand_out(assembly: Assembly, inputs: list[Placed], **options):
    wires = options.pop("wires", InMemory(docks(assembly)))
    programs = [WorldFrame(assembly.body)] * len(inputs)
    return run_rounds(programs, inputs, wires, **options)


@pytest.mark.parametrize("leader", [0, 7, 19])
def test_whoever_leads_every_module_finds_its_place(assembly, leader):
    outcome = hand_out(assembly, placed(assembly, leader))
    for state, X_WM in zip(outcome.states, assembly.module_poses(), strict=True):
        np.testing.assert_allclose(
            state.W_M.X_AB.matrix, X_WM.matrix, rtol=0, atol=ROUNDING
        )
    assert outcome.is_quiet
    assert outcome.messages == len(outcome.states) - 1


def test_without_a_leader_nobody_knows_and_nobody_speaks(assembly):
    outcome = hand_out(assembly, placed(assembly, None))
    assert all(state.W_M is None for state in outcome.states)
    assert outcome.messages == 0


def test_only_those_beyond_a_moved_joint_are_told_anew(assembly):
    wires, clock = InMemory(docks(assembly)), VirtualClock()
    first = hand_out(assembly, placed(assembly, 0), wires=wires, clock=clock)
    link = next(m for m in reversed(assembly.walk) if m.parent > 0)
    angles = np.array([m.angles for m in assembly.modules])
    angles[link.parent] *= 0.5
    moved = placed(assembly, 0, angles=angles)
    second = hand_out(assembly, moved, wires=wires, clock=clock, states=first.states)
    below = {link.parent}
    for other in assembly.walk:
        below |= {other.module} if other.parent in below else set()
    assert second.messages == len(below) - 1
    for state, X_WM in zip(second.states, assembly.module_poses(angles), strict=True):
        np.testing.assert_allclose(
            state.W_M.X_AB.matrix, X_WM.matrix, rtol=0, atol=ROUNDING
        )


def test_the_elected_module_leads(assembly):
    """Election among three modules that touch, then the frame from the one elected."""
    n, touching = len(assembly.modules), {0, 7, 19}
    sensed = sensed_modules(assembly)
    elected = run_rounds(
        [Election(seed=k) for k in range(n)],
        [Candidate(k in touching, s.docked) for k, s in enumerate(sensed)],
        InMemory(docks(assembly)),
    )
    leaders = [k for k, s in enumerate(elected.states) if s.is_leader]
    assert len(leaders) == 1
    outcome = hand_out(assembly, placed(assembly, leaders[0]))
    assert leaders[0] in touching
    assert all(state.W_M is not None for state in outcome.states)


@settings(max_examples=10)
@given(seed=st.integers(0, 10**6))
def test_one_known_velocity_gives_everyone_the_speed_of_the_whole(assembly, seed):
    """Oracle: central difference of the centre of mass on a moving base."""
    rng = stream(seed, "speed")
    n = len(assembly.modules)
    angles, rates = (rng.normal(size=(n, 3)) for _ in range(2))
    base = RelativeMotion(
        Pose(random_rotation(rng), rng.normal(size=3)),
        rng.normal(size=3),
        rng.normal(size=3),
    )

    def p_WC(time: float) -> np.ndarray:
        rate = float(np.linalg.norm(base.w_AB))
        turn = matrix_from_axis_angle(base.w_AB / rate, rate * time)
        X_WG = Pose(turn @ base.X_AB.R, base.X_AB.p + base.v_AB * time)
        q = angles + rates * time
        poses = [X_WG @ X for X in assembly.module_poses(q)]
        coms = [
            X @ assembly.body.mass(row).com for X, row in zip(poses, q, strict=True)
        ]
        return np.mean(coms, axis=0)  # all modules have one mass

    step = EPS ** (1 / 3)
    expected = (p_WC(step) - p_WC(-step)) / (2 * step)
    learned = learn_mass(assembly, angles, rates, W_G=base)
    # truncation: eps^(2/3) times the third derivative, rates of up to 60 joints in a
    # row and lengths of 2 m: below 1e4
    np.testing.assert_allclose(
        learned.v_WC, np.tile(expected, (n, 1)), rtol=0, atol=1e4 * EPS ** (2 / 3)
    )
    np.testing.assert_allclose(
        [whole.com for whole in learned.whole_W],
        np.tile(p_WC(0.0), (n, 1)),
        rtol=0,
        atol=ROUNDING,
    )
