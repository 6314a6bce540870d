"""Modules that know each other by frames only, against MuJoCo and each other."""

import math

import mujoco
import numpy as np
import pytest

from equipoise.control.com.brain.brain import Brain, BrainConfig
from equipoise.control.com.gravity import add_gravity_torques
from equipoise.core.errors import ConfigError
from equipoise.modules import frame as fr
from equipoise.modules.rules import Rules
from oracles.brain_robots import Herd
from oracles.module_robots import KINDS, Engine, any_tree, random_state, upright_chain

SINGLE, HALF = 2.0**-24, 2.0**-11  # rounding of a float32 and of a half, relative
READY = 2 * (Rules().quarantine + Rules().listen)  # rounds; more than it takes to start


def settled(kind, ground, rng, still):
    """Return a robot with a free base in a random state, and brains that know it."""
    assembly = any_tree(6, rng, kind, ground, "free")
    q, v = random_state(assembly, rng)
    engine = Engine(assembly).set(q, v, rng)
    if still:
        engine.data.qvel[:] = 0.0
        v = np.zeros_like(v)
        mujoco.mj_forward(engine.model, engine.data)
    herd = Herd(assembly).sense(q, v, engine.pose(engine.base))
    # frames take a hop a round, pages four; the span needs another sweep
    herd.tick(READY + 20 * assembly.diameter)
    assert (herd.reports()["holds"] == 0).all()
    return engine, herd


def moments(engine):
    """Return mass, first and second moment of the robot in W, from MuJoCo's bodies."""
    model, data = engine.model, engine.data
    total = np.zeros((4, 4))
    for b in range(1, model.nbody):
        R, p, m = data.ximat[b].reshape(3, 3), data.xipos[b], model.body_mass[b]
        inertia = model.body_inertia[b]
        second = R @ np.diag(0.5 * inertia.sum() - inertia) @ R.T + m * np.outer(p, p)
        total += np.block([[second, m * p[:, None]], [m * p[None, :], np.array([[m]])]])
    return total


@pytest.mark.parametrize(("kind", "ground"), [(kind, 1) for kind in KINDS])
def test_every_module_knows_the_mass_of_the_whole_robot(kind, ground, rng):
    engine, herd = settled(kind, ground, rng, still=True)
    want = moments(engine)
    for m in range(6):
        R_WM = engine.data.xmat[engine.body(m, 1)].reshape(3, 3)
        p_WM = engine.data.xpos[engine.body(m, 1)]
        ten = herd.each("modules")["estimate"]["whole"][m, 0]
        S = np.zeros((4, 4))
        S[np.triu_indices(3)] = ten[4:]
        S[:3, :3] += np.triu(S[:3, :3], 1).T
        S[:3, 3] = S[3, :3] = ten[1:4]
        S[3, 3] = ten[0]
        X = np.block([[R_WM, p_WM[:, None]], [np.zeros((1, 3)), np.ones((1, 1))]])
        # rounding: a float32 at each of at most 5 hops, in moments about places up to
        # 3 m apart; 1e-6 of the largest is what is promised
        error = np.abs(X @ S @ X.T - want).max() / np.abs(want).max()
        assert error < 1e-6
        assert abs(ten[0] / want[3, 3] - 1.0) < 1e-6


def test_every_module_knows_where_the_centre_is_and_how_it_moves(rng):
    engine, herd = settled("superbot", 0, rng, still=False)
    rows = herd.each("rows").reshape(-1)
    p_WC, v_WC = engine.data.subtree_com[0], engine.data.subtree_linvel[0]
    assert np.linalg.norm(v_WC) > 0.1
    # rounding: float32 poses and sums over at most 5 hops and lengths of 3 m
    away = np.abs(rows["com"] - p_WC).max()
    assert away < 100 * SINGLE * 3
    # halves of twists up to 10 m/s and 10 rad/s on arms of 1 m, at most 5 hops
    assert np.abs(rows["velocity"] - v_WC).max() < 5 * 20 * HALF
    tau = np.zeros(len(rows))
    add_gravity_torques(rows, 9.81, tau)
    engine.data.qvel[:] = 0.0
    mujoco.mj_forward(engine.model, engine.data)
    # virtual work of the weight: what the joints must hold; float32, weight times arm
    want = engine.data.qfrc_bias[engine.v_at]
    assert np.abs(tau - want).max() < 100 * SINGLE * np.abs(want).max()


def test_the_span_and_the_push_come_through(rng):
    assembly = upright_chain(6)
    q, v = random_state(assembly, rng)
    engine = Engine(assembly).set(q, v)
    herd = Herd(assembly).sense(q, v, engine.pose(engine.base))
    pushes = rng.normal(size=(6, 4, 3))
    herd.brains[0].senses.skin["force"] = pushes.reshape(24, 3)
    herd.tick(READY + 30 * assembly.diameter)
    J = engine.com_jacobian()[:2]
    rows = herd.each("rows").reshape(-1)
    span = (J @ J.T)[np.triu_indices(2)]
    # FADE leaves joints out that are near a limit; none is within 0.15 of one
    np.testing.assert_allclose(rows["span"], np.tile(span, (len(rows), 1)), rtol=1e-4)
    want = np.zeros(engine.model.nv)
    for module, part in np.ndindex(6, 4):
        body = engine.body(module, part)
        force = engine.data.xmat[body].reshape(3, 3) @ pushes[module, part]
        jacobian = np.zeros((3, engine.model.nv))
        mujoco.mj_jacBody(engine.model, engine.data, jacobian, None, body)
        want += jacobian.T @ force
    assert np.abs(want).max() > 1.0
    # halves over at most 5 hops: pushes add up to 10 N on arms up to 1 m
    assert np.abs(rows["touch"] - want[engine.v_at]).max() < 5 * 10 * HALF


def test_nobody_steers_before_the_robot_is_known():
    herd = Herd(upright_chain(3))
    for _ in range(Rules().quarantine + Rules().listen):
        herd.tick()
        report = herd.reports()
        assert (report["holds"] == 1).all()
        assert (report["known"] == 0).all()
        assert (report["verdict"] == -1).all()
        assert np.isnan(report["com"]).all()
    herd.tick(30)
    assert (herd.reports()["holds"] == 0).all()
    assert herd.reports()["count"].tolist() == [3, 3, 3]
    assert herd.reports()["leader"].tolist() == [1, 1, 1]


def test_whoever_runs_a_module_it_says_the_same(rng):
    assembly = any_tree(5, rng)
    q, v = random_state(assembly, rng)
    one = Herd(assembly, seed=7).sense(q, v)
    many = Herd(assembly, groups=[[3], [0, 4], [2, 1]], seed=7).sense(q, v)
    for _ in range(120):
        one.tick()
        many.tick()
        for (end, frame), (other_end, other) in zip(
            one.sent(), many.sent(), strict=True
        ):
            assert end == other_end
            assert bytes(frame) == bytes(other)
    assert (one.reports()["holds"] == 0).all()
    taus = {m: b.tau[k] for m, (b, k) in many.seat.items()}
    for m in range(5):
        assert (one.brains[0].tau[m] == taus[m]).all()


def test_frames_that_are_no_frames_are_refused(rng):
    herd = Herd(upright_chain(2)).tick(READY)
    brain, good = herd.brains[0], bytes(dict(herd.sent())[3])
    before = [array.tobytes() for array in (*brain.seats, *brain.memory)]
    bad = bytearray(good)
    bad[30] ^= 4
    assert not brain.take(1, 0, bytes(bad))
    assert not brain.take(1, 0, good[:63])
    assert not brain.take(1, 0, b"")
    assert not brain.take(0, 3, good)  # its own
    for _ in range(20):
        assert not brain.take(1, 0, rng.integers(0, 256, 64, np.uint8))
    where = np.array([[7, 0], [-1, 0], [1, 6], [1, -1]])
    four = np.tile(np.frombuffer(good, np.uint8), (4, 1))
    assert brain.take_many(four, where) == 0
    after = [array.tobytes() for array in (*brain.seats, *brain.memory)]
    # the last row of a table is room to read news
    assert before == after
    assert brain.take(1, 0, good)
    assert not brain.take(1, 0, good)  # a second time


def test_a_sum_that_is_not_finite_is_refused():
    herd = Herd(upright_chain(2)).tick(READY)
    brain = herd.brains[0]
    frame = dict(herd.sent())[3]
    if not frame[0] & fr.SUM:  # every second one is a page
        frame = dict(herd.tick().sent())[3]
    assert frame[0] & fr.SUM
    payload = np.full(10, np.nan, np.float32).tobytes()
    assert not brain.take(1, 0, repacked(frame, payload))
    assert brain.take(1, 0, bytes(frame))


def repacked(frame, payload):
    """Return a frame with another payload and a checksum that fits."""
    raw = bytearray(bytes(frame)[:24] + payload)
    crc = fr.crc16(bytes(raw[:22] + raw[24:]))
    raw[22:24] = crc.to_bytes(2, "little")
    return bytes(raw)


def test_a_deaf_dock_makes_all_hold():
    herd = Herd(upright_chain(4)).tick(READY)
    assert (herd.reports()["holds"] == 0).all()
    herd.cut = {1 * 6 + 3, 2 * 6 + 0}
    herd.tick(100)
    report = herd.reports()
    assert (report["holds"] == 1).all()
    assert (report["known"][:2] == 1).all()
    assert (report["open"] == 1).all()
    assert report["count"].tolist() == [2, 2, 2, 2]
    herd.cut = set()
    herd.tick(100)
    assert (herd.reports()["holds"] == 0).all()


def test_parts_that_dock_know_each_other_and_forget_when_they_part():
    engine = Engine(upright_chain(4)).set(np.zeros((4, 3)), np.zeros((4, 3)))
    herd = Herd(upright_chain(4))
    brain, ends = herd.brains[0], {1 * 6 + 3, 2 * 6 + 0}
    brain.undock(1, 3)
    brain.undock(2, 0)
    herd.cut = ends
    herd.tick(READY)
    report = herd.reports()
    assert report["count"].tolist() == [2, 2, 2, 2]
    assert report["open"].tolist() == [0, 0, 0, 0]
    assert report["holds"].tolist() == [0, 0, 1, 1]  # no foot, no world frame
    brain.dock(1, 3, 0)
    brain.dock(2, 0, 0)
    herd.cut = set()
    herd.tick(READY)
    report = herd.reports()
    assert report["count"].tolist() == [4, 4, 4, 4]
    assert report["holds"].tolist() == [0, 0, 0, 0]
    # rounding of float32 over three hops and lengths below 1 m
    want = np.tile(engine.data.subtree_com[0], (4, 1))
    np.testing.assert_allclose(report["com"], want, atol=1e-6)
    brain.undock(1, 3)
    brain.undock(2, 0)
    herd.cut = ends
    herd.tick(READY)
    assert herd.reports()["count"].tolist() == [2, 2, 2, 2]


def test_a_world_frame_that_is_too_old_makes_a_module_hold():
    config = BrainConfig(trust=0.004)  # the far end of five is more rounds away
    herd = Herd(upright_chain(5), config=config).tick(3 * READY)
    report = herd.reports()
    assert (report["known"] == 1).all()
    assert report[4].holds == 1


def test_a_module_that_starts_anew_has_forgotten_everything():
    herd = Herd(upright_chain(3)).tick(READY)
    brain = herd.brains[0]
    brain.stop(1)
    herd.tick(30)
    assert not brain.sends[1].any()
    assert not brain.tau[1].any()
    assert (herd.reports()["open"][[0, 2]] == 1).all()
    brain.boot(1)
    herd.tick(5)
    assert not brain.sends[1].any()  # it keeps silent so that all forget it
    herd.tick(2 * READY)
    assert (herd.reports()["holds"] == 0).all()


def test_held_joints_pull_towards_the_angle_they_had():
    config = BrainConfig(hold_stiffness=50.0, hold_damping=2.0)
    brain = Brain(upright_chain(2), [1], config)
    brain.tick()
    assert not brain.tau.any()
    brain.senses.q[0, 0] += 0.01
    brain.senses.rate[0, 2] = 0.1
    brain.tick()
    np.testing.assert_allclose(brain.tau[0], [-0.5, 0.0, -0.2], rtol=1e-12)


def torques(assembly, rng, config, rounds, event):
    """Return the torques of every round around an event, (rounds, nm, joints)."""
    q, v = random_state(assembly, rng)
    herd = Herd(assembly, config=config).sense(q, 0.0 * v).tick(3 * READY)
    event(herd)
    seen = []
    for _ in range(rounds):
        herd.tick()
        seen.append(herd.brains[0].tau.copy())
    return np.array(seen), herd


def test_the_way_back_to_steering_has_no_jump(rng):
    assembly = any_tree(4, rng)

    def cut(herd):
        end = int(np.flatnonzero(herd.link >= 0)[0])
        herd.cut = {end, int(herd.link[end])}
        herd.tick(60)
        assert (herd.reports()["holds"] == 1).all()
        herd.cut = set()

    config = BrainConfig(blend=0.05)
    taus, herd = torques(assembly, rng, config, 200, cut)
    assert (herd.reports()["holds"] == 0).all()
    assert np.abs(taus[-1] - taus[0]).max() > 0.1  # they hold, then they steer
    # the share of steering grows by 1/50 a round, motors give at most 6.38 N m either
    # way; that the first half of the way is taken while spans still arrive allows for
    # as much again
    assert np.abs(np.diff(taus, axis=0)).max() < 2 * 2 * 6.38 / 50


def test_kept_and_faded_weight(rng):
    assembly = upright_chain(3)
    bent = np.zeros((3, 3))
    bent[0, 0] = 0.5
    kept = {}
    for fade in (math.inf, 0.02):
        herd = Herd(assembly, config=BrainConfig(fade=fade)).sense(bent).tick(2 * READY)
        weight = herd.brains[0]._holds["weight"].copy()
        assert abs(weight[0]) > 0.1
        herd.cut = {3, 6}
        herd.tick(100)
        assert (herd.reports()["holds"] == 1).all()
        kept[fade] = herd.brains[0].tau[0, 0] / weight[0]
    assert kept[math.inf] == pytest.approx(1.0, rel=1e-12)
    assert abs(kept[0.02]) < 0.1


def test_readings_that_are_not_numbers_pass():
    bent = np.zeros((4, 3))
    bent[0, 0] = 0.4
    herd = Herd(upright_chain(4)).sense(bent).tick(2 * READY)
    brain = herd.brains[0]
    before = brain.tau.copy()
    assert np.abs(before).max() > 0.1
    brain.senses.q[2, 1] = np.nan
    brain.senses.skin[0].force[2] = np.inf
    for _ in range(300):
        herd.tick()
        assert np.isfinite(brain.tau).all()
        assert (np.abs(brain.tau) <= 6.38).all()
    assert (herd.reports()["holds"][[0, 1, 3]] == 1).all()  # too long without news
    brain.senses.q[2, 1] = 0.0
    brain.senses.skin[0].force[2] = 0.0
    herd.tick(2 * READY)
    assert (herd.reports()["holds"] == 0).all()
    assert np.abs(brain.tau[2]).max() > 0.0
    rows = herd.each("rows")
    assert all(np.isfinite(rows[name]).all() for name in rows.dtype.names)


@pytest.mark.parametrize(
    ("mine", "words"),
    [([], "empty"), ([0, 0], "twice"), ([3], "module 3"), ([-1], "module -1")],
)
def test_modules_that_are_not_there_are_refused(mine, words):
    with pytest.raises(ConfigError, match=words):
        Brain(upright_chain(3), mine)


def test_all_bad_settings_are_reported_together():
    with pytest.raises(ConfigError) as caught:
        BrainConfig(dt=0.0, trust=-1.0, hold_stiffness=math.inf, gravity=math.nan)
    for name in ("dt", "trust", "hold_stiffness", "gravity"):
        assert name in str(caught.value)
