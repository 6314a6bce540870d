"""The compiled module network against MuJoCo, closed forms and the object programs."""

import mujoco
import numpy as np
import pytest

from equipoise.control.com.goal import line_goal
from equipoise.control.com.gravity import add_gravity_torques
from equipoise.control.com.joint_view import com_column
from equipoise.control.com.mass.learn import docks, learn_mass, sensed_modules
from equipoise.control.com.mass.program import MassProgram
from equipoise.control.com.module_frames import RelativeMotion
from equipoise.control.com.world_frame import Anchor, Placed, WorldFrame
from equipoise.core.seeds import stream
from equipoise.modules import InMemory, VirtualClock, run_round
from equipoise.robots.assembly.module_body import mating
from oracles.module_robots import (
    KINDS,
    Engine,
    Talk,
    any_tree,
    frame_numbers,
    free_joints,
    put_frame,
    random_state,
    upright_chain,
)

# rounding: chains of up to 12 modules (40 rotations, lengths to 3 m, rates to 100 m/s),
# some eps each on both sides
TIGHT = 1e-12
CASES = [(kind, ground) for kind in KINDS for ground in (0, 1, 5)]
each_case = pytest.mark.parametrize(("kind", "ground"), CASES)


def known(kind, ground, rng, still=False):
    """Return a robot with a free base in a random state, and modules that know it."""
    assembly = any_tree(12, rng, kind, ground, "free")
    q, v = random_state(assembly, rng)
    engine = Engine(assembly).set(q, v, rng)
    if still:
        engine.data.qvel[:] = 0.0
        v = np.zeros_like(v)
        mujoco.mj_forward(engine.model, engine.data)
    talk = Talk(assembly, goal=line_goal((0, 0), rng.normal(size=3)))
    put_frame(talk.base[0], engine.pose(engine.base))
    # masses take a diameter, then each joint's span takes another one
    talk.tick(q, v, 2 * assembly.diameter + 2)
    assert talk.state.rows["known"].all()
    return engine, talk, q, v


@each_case
def test_every_module_knows_the_whole_robot(kind, ground, rng):
    engine, talk, _, _ = known(kind, ground, rng)
    rows, data = talk.state.rows, engine.data
    mass = engine.model.body_subtreemass[0]
    np.testing.assert_allclose(rows["mass"], mass, rtol=TIGHT)
    p_WC, v_WC = data.subtree_com[0], data.subtree_linvel[0]
    assert np.linalg.norm(v_WC) > 0.1
    want = np.tile(p_WC, (len(rows), 1))
    np.testing.assert_allclose(rows["com"], want, rtol=0, atol=TIGHT)
    want = np.tile(v_WC, (len(rows), 1))
    seen = rows["velocity"]
    np.testing.assert_allclose(seen, want, rtol=0, atol=TIGHT)


@each_case
def test_every_module_knows_where_it_is_and_how_it_moves(kind, ground, rng):
    engine, talk, _, _ = known(kind, ground, rng)
    poses = frame_numbers(talk.state.modules["pose"])
    for module in range(12):
        want = engine.pose(engine.body(module, 1))
        # 100: rates of 1 rad/s add up along a chain, twists are that much larger
        atol = 100 * TIGHT
        np.testing.assert_allclose(poses[module], want, rtol=0, atol=atol)


@each_case
def test_columns_and_span_are_those_of_the_engine(kind, ground, rng):
    engine, talk, _, _ = known(kind, ground, rng)
    rows, J = talk.state.rows, engine.com_jacobian()
    free = free_joints(engine.assembly)
    columns = np.array([com_column(rows[j]) for j in free]).T
    np.testing.assert_allclose(columns, J, rtol=0, atol=TIGHT)
    flat = talk.goal.frame[:2] @ J
    xx, xy, _, yy = (flat @ flat.T).ravel()
    assert abs(xy) > 1e-6
    want = np.tile([xx, xy, yy], (len(rows), 1))
    np.testing.assert_allclose(rows["span"], want, rtol=0, atol=TIGHT)


@each_case
def test_gravity_compensation_is_the_engines_gravity_torque(kind, ground, rng):
    engine, talk, _, _ = known(kind, ground, rng, still=True)
    tau = np.zeros(len(talk.state.rows))
    add_gravity_torques(talk.state.rows, -engine.model.opt.gravity[2], tau)
    want = engine.data.qfrc_bias[engine.v_at]
    assert np.abs(want).max() > 0.01
    seen = tau[free_joints(engine.assembly)]
    np.testing.assert_allclose(seen, want, rtol=0, atol=TIGHT)


@each_case
def test_the_push_of_contacts_is_the_engines(kind, ground, rng):
    engine, talk, q, v = known(kind, ground, rng)
    model, data, want = engine.model, engine.data, np.zeros(engine.model.nv)
    for module, part in [(1, 0), (5, 3), (11, 0), (11, 3)]:
        body, f_W, arm = (
            engine.body(module, part),
            rng.normal(size=3),
            rng.normal(size=3),
        )
        R = data.xmat[body].reshape(3, 3)
        point = data.xpos[body] + R @ arm
        mujoco.mj_applyFT(model, data, f_W, np.zeros(3), point, body, want)
        row = module * 4 + part
        f = R.T @ f_W
        talk.skin[row].force[:], talk.skin[row].moment[:] = f, np.cross(arm, f)
    talk.tick(q, v, engine.assembly.diameter + 1)
    seen = talk.state.rows["touch"][free_joints(engine.assembly)]
    assert np.abs(want[engine.v_at]).max() > 0.1
    np.testing.assert_allclose(seen, want[engine.v_at], rtol=0, atol=10 * TIGHT)


def test_a_slide_moves_the_centre_by_its_share_of_the_mass():
    # closed form: the chain stands upright, so the first slide goes straight up and
    # carries everything but two parts of the first module
    assembly = upright_chain(3, "sliding")
    q, v = np.zeros((3, 3)), np.zeros((3, 3))
    talk = Talk(assembly)
    talk.tick(q, v, 2 * assembly.diameter + 2)
    before = talk.state.rows[0].com.copy()
    part = [m.mass for m in assembly.body.part_mass]
    share = 1.0 - (part[0] + part[1]) / (3 * sum(part))
    # rounding: a few roundings of numbers below 1, here and below
    column = com_column(talk.state.rows[1])
    np.testing.assert_allclose(column, [0, 0, share], rtol=0, atol=1e-15)
    q[0, 1], v[0, 1] = 0.03, 0.5
    talk.tick(q, v, 2 * assembly.diameter + 2)
    row, up = talk.state.rows[0], np.array([0.0, 0.0, 1.0])
    seen = row.com - before
    np.testing.assert_allclose(seen, 0.03 * share * up, rtol=0, atol=1e-15)
    seen = row.velocity
    np.testing.assert_allclose(seen, 0.5 * share * up, rtol=0, atol=1e-15)
    tau = np.zeros(9)
    add_gravity_torques(talk.state.rows, 9.81, tau)
    weight = 9.81 * share * 3 * sum(part)
    assert tau[1] == pytest.approx(weight, rel=1e-14)  # rounding


class Tapped(InMemory):
    """Perfect wires that remember what was sent in the present round, by end."""

    def __init__(self, links):
        super().__init__(links)
        self.sent = {}

    def send(self, end, message):
        self.sent[end] = message
        super().send(end, message)


def object_rounds(assembly, states):
    """Yield what MassProgram (echo) and WorldFrame send in each round, by end."""
    wires = Tapped(docks(assembly)), Tapped(docks(assembly))
    clocks = VirtualClock(), VirtualClock()
    nm = len(assembly.modules)
    programs = [MassProgram(assembly.body)] * nm, [WorldFrame(assembly.body)] * nm
    memory = [[p.init() for p in row] for row in programs]
    anchor = Anchor(assembly.ground.connector, RelativeMotion.still(mating(0)))
    for q, v in states:
        sensed = sensed_modules(assembly, q, v)
        placed = [
            Placed(s, anchor if k == assembly.ground.module else None)
            for k, s in enumerate(sensed)
        ]
        for k, inputs in enumerate((sensed, placed)):
            wires[k].sent.clear()
            memory[k], _ = run_round(
                programs[k], inputs, memory[k], wires[k], clocks[k]
            )
        yield dict(wires[0].sent), dict(wires[1].sent)


def rounds(assembly, states):
    """Yield what the compiled modules send in each round, by sender's end."""
    talk = Talk(assembly)
    faces = len(assembly.body.connectors)
    for q, v in states:
        talk.tick(q, v)
        ports = talk.state.ports
        docked = np.flatnonzero(talk.net.link >= 0)
        yield {
            divmod(int(end), faces): ports[end].said.copy()
            for end in docked
            if ports[end].arrives
        }


def motion_row(motion):
    X = motion.X_AB
    return np.r_[X.R.ravel(), X.p, motion.v_AB, motion.w_AB]


def test_messages_are_those_of_the_object_programs_while_nothing_moves(rng):
    # What differs: here masses and frame travel in one message, and it also carries
    # span and age, so an end speaks again when one of those changes. The first message
    # of an end goes out in the same round, and no message ever says another mass.
    assembly = any_tree(14, rng)
    q, v = random_state(assembly, rng)
    states = [(q, v)] * (assembly.diameter + 3)
    mass, frame, first, first_frame = {}, {}, {}, {}
    told_mass, told_frame = {}, {}
    pairs = zip(object_rounds(assembly, states), rounds(assembly, states), strict=True)
    for number, ((masses, frames), messages) in enumerate(pairs):
        mass.update(masses)
        frame.update(frames)
        told_mass.update({end: number for end in masses})
        told_frame.update({end: number for end in frames})
        for end, share in messages.items():
            first.setdefault(end, number)
            check_mass(share, mass[end])
            if share.knows:
                first_frame.setdefault(end, number)
                check_frame(share, frame[end])
    assert len(first) == 2 * 13 and first == told_mass
    # the frame waits until the echo rule lets the end speak
    assert len(first_frame) == 13
    assert first_frame == {
        end: max(number, told_mass[end]) for end, number in told_frame.items()
    }


def test_messages_are_those_of_the_object_programs_while_all_moves(rng):
    # All joints move at every round, so every end that may speak does.
    assembly = any_tree(10, rng)
    states = [random_state(assembly, rng) for _ in range(assembly.diameter + 8)]
    compared = frames_seen = 0
    pairs = zip(object_rounds(assembly, states), rounds(assembly, states), strict=True)
    for (masses, frames), messages in pairs:
        assert masses.keys() == messages.keys()
        for end, share in messages.items():
            check_mass(share, masses[end])
            compared += 1
            if share.knows:
                check_frame(share, frames[end])
                frames_seen += 1
    assert compared > 8 * 18 and frames_seen > 8 * 9


def check_mass(share, message):
    want = message.mass.to_vector()
    np.testing.assert_allclose(share.load.lump, want, rtol=0, atol=TIGHT)
    np.testing.assert_allclose(share.load.rate, message.rate, rtol=0, atol=TIGHT)


def check_frame(share, message):
    seen = frame_numbers(np.array([share.world]))[0]
    np.testing.assert_allclose(seen, motion_row(message.W_C), rtol=0, atol=100 * TIGHT)


def error_of(talk, want):
    """Return how far the worst module is off the whole robot's ten numbers."""
    return np.abs(talk.state.modules["whole"] - want).max()


def exact_whole(assembly, q):
    return np.array([m.to_vector() for m in learn_mass(assembly, q).whole_M])


@pytest.mark.parametrize("hop_ticks", [1, 3])
def test_values_are_exact_after_d_deliveries_and_not_before(hop_ticks, rng):
    assembly = any_tree(15, rng)
    q, v = random_state(assembly, rng)
    talk, want = Talk(assembly, hop_ticks=hop_ticks), exact_whole(assembly, q)
    d = assembly.diameter
    for tick in range(d * hop_ticks):
        talk.tick(q, v)
        assert error_of(talk, want) > 1e-3, tick  # a whole module is missing somewhere
    talk.tick(q, v)
    assert error_of(talk, want) < TIGHT


def test_without_delay_one_tick_is_enough(rng):
    assembly = any_tree(15, rng)
    talk = Talk(assembly, hop_ticks=0)
    for _ in range(3):  # also when the robot has moved since
        q, v = random_state(assembly, rng)
        talk.tick(q, v)
        assert error_of(talk, exact_whole(assembly, q)) < TIGHT
        assert talk.state.rows["known"].all()


@pytest.mark.parametrize(("hop_ticks", "rounds"), [(0, 2), (1, 1)])
def test_nobody_speaks_while_nothing_moves_but_for_the_heartbeat(
    hop_ticks, rounds, rng
):
    assembly = any_tree(15, rng)
    q, v = random_state(assembly, rng)
    talk = Talk(assembly, hop_ticks=hop_ticks)
    talk.tick(q, v, 3 * assembly.diameter + 40)
    sent = np.array([talk.tick(q, v) for _ in range(63)])  # three heartbeats long
    # one message an end a heartbeat, no more; without delay a tick is two rounds
    assert sent.sum() == rounds * 3 * 2 * 14
    assert sent.max() <= 2 * 14  # and none that says the same twice in a tick
    assert (sent == 0).any()


@pytest.mark.parametrize("seed", range(3))
def test_half_of_the_messages_lost_only_takes_longer(seed):
    rng = stream(seed, "lossy")
    assembly = any_tree(10, rng)
    q, v = random_state(assembly, rng)
    talk, want = Talk(assembly, loss=0.5, rng=rng), exact_whole(assembly, q)
    talk.tick(q, v, assembly.diameter + 1)
    assert error_of(talk, want) > 1e-3
    # statistical: an end repeats itself each 21 ticks; 30 tries all fail with 1e-9
    talk.tick(q, v, 21 * 30)
    assert error_of(talk, want) < TIGHT


def test_the_age_of_news_is_the_way_it_came(rng):
    # closed form: hops to the furthest module times the delay, nothing moving or not
    assembly = any_tree(12, rng)
    q, v = random_state(assembly, rng)
    talk = Talk(assembly, hop_ticks=2)
    talk.tick(q, v, 4 * assembly.diameter + 4)
    furthest = hops(assembly).max(axis=1)
    ages = talk.state.rows["age"].reshape(12, 3)
    want = np.repeat(0.002 * furthest[:, None], 3, axis=1)
    np.testing.assert_allclose(ages, want, rtol=1e-14)  # rounding of a dozen sums


def hops(assembly):
    """Return the distances between all modules, by Floyd and Warshall."""
    n = len(assembly.modules)
    far = np.where(np.eye(n) > 0, 0.0, np.inf)
    for c in assembly.connections:
        far[c.a, c.b] = far[c.b, c.a] = 1.0
    for k in range(n):
        far = np.minimum(far, far[:, k, None] + far[None, k])
    return far
