"""What modules tell each other, against MuJoCo, closed forms and counting."""

from dataclasses import replace
from functools import cache

import mujoco
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equipoise.control.com.mass.learn import docks, learn_mass, sensed_modules
from equipoise.control.com.mass.program import MassProgram, MassShare, MassState
from equipoise.control.com.module_frames import MovingMass, module_frames
from equipoise.core.errors import ConfigError
from equipoise.core.seeds import stream
from equipoise.modules import (
    Delayed,
    Duplicated,
    InMemory,
    Reordered,
    VirtualClock,
    run_rounds,
)
from equipoise.robots.assembled import robot_from_assembly
from equipoise.robots.assembly.assembly import (
    Assembly,
    Connection,
    Ground,
    PlacedModule,
)
from equipoise.robots.assembly.module import SuperbotModule
from equipoise.robots.superbot.superbot import random_assembly

EPS = np.finfo(float).eps
# rounding: sums and frame changes over at most 200 modules, a few eps each; this is
# also what is asked for.
ENGINE = 1e-12


def any_tree(n: int, rng: np.random.Generator) -> Assembly:
    """Return a tree of modules with random docks and angles; they may collide."""
    free = [(0, c) for c in range(1, 6)]
    connections = []
    for k in range(1, n):
        a, c = free.pop(int(rng.integers(len(free))))
        used = int(rng.integers(6))
        connections.append(Connection(a, c, k, used, int(rng.integers(4))))
        free += [(k, other) for other in range(6) if other != used]
    placed = tuple(
        PlacedModule(f"m{k}", tuple(rng.uniform(-1.5, 1.5, 3).tolist()))
        for k in range(n)
    )
    return Assembly("any", SuperbotModule(), placed, tuple(connections), Ground(0, 0))


def chain(n: int, module: SuperbotModule | None = None) -> Assembly:
    """Return a straight chain standing on end, b_front to a_front."""
    placed = tuple(PlacedModule(f"m{k}", (0.0, 0.0, 0.0)) for k in range(n))
    joined = tuple(Connection(k, 3, k + 1, 0, 0) for k in range(n - 1))
    return Assembly("chain", module or SuperbotModule(), placed, joined, Ground(0, 0))


def tell(assembly: Assembly, program: MassProgram | None = None, **options):
    """Run one program on every module until all is quiet."""
    sensed = options.pop("sensed", sensed_modules(assembly))
    wires = options.pop("wires", InMemory(docks(assembly)))
    programs = [program or MassProgram(assembly.body)] * len(sensed)
    return run_rounds(programs, sensed, wires, **options)


def engine(assembly: Assembly, rates: np.ndarray):
    """Oracle: mass, p_WC, inertia about C and v_WC of the whole robot by MuJoCo."""
    model = robot_from_assembly(assembly).model
    data = mujoco.MjData(model)
    for module, row in zip(assembly.modules, rates, strict=True):
        for joint, angle, rate in zip(
            assembly.body.joints, module.angles, row, strict=True
        ):
            if joint.locked is None:
                at = model.joint(f"{module.name}_{joint.name}")
                data.qpos[at.qposadr], data.qvel[at.dofadr] = angle, rate
    mujoco.mj_forward(model, data)
    mujoco.mj_subtreeVel(model, data)
    p_WC = data.subtree_com[0]
    inertia = np.zeros((3, 3))
    for b in range(1, model.nbody):
        R, p = data.ximat[b].reshape(3, 3), data.xipos[b] - p_WC
        shift = p @ p * np.eye(3) - np.outer(p, p)
        inertia += R @ np.diag(model.body_inertia[b]) @ R.T
        inertia += model.body_mass[b] * shift
    return model.body_subtreemass[0], p_WC, inertia, data.subtree_linvel[0]


TREES = {
    "twenty": lambda: random_assembly(20, 4, 0, "random"),
    "straight": lambda: random_assembly(20, 4, 1, "zero"),
    "conro": lambda: random_assembly(20, 5, 2, "random", SuperbotModule(kind="conro")),
    "sixty": lambda: random_assembly(60, 12, 3, "random"),
    "one": lambda: any_tree(1, stream(0, "one")),
    "forty": lambda: any_tree(40, stream(0, "forty")),
    "two hundred": lambda: any_tree(200, stream(0, "two hundred")),
}


@cache
def tree(name: str) -> Assembly:
    """Return one of the trees; built once, as collision checks take a while."""
    return TREES[name]()


@pytest.mark.parametrize("name", TREES)
def test_every_module_agrees_with_the_engine(name, rng):
    assembly = tree(name)
    rates = rng.normal(size=(len(assembly.modules), 3))
    mass, p_WC, inertia, v_WC = engine(assembly, rates)
    learned = learn_mass(assembly, rates=rates)
    size, speed = np.linalg.norm(p_WC), np.linalg.norm(v_WC)
    assert speed > 0
    for whole in learned.whole_W:
        assert whole.mass == pytest.approx(mass, rel=ENGINE)
        np.testing.assert_allclose(whole.com, p_WC, rtol=0, atol=ENGINE * size)
        scale = np.abs(inertia).max()
        np.testing.assert_allclose(whole.inertia, inertia, rtol=0, atol=ENGINE * scale)
    np.testing.assert_allclose(
        learned.v_WC, np.tile(v_WC, (len(rates), 1)), rtol=0, atol=ENGINE * speed
    )
    assert learned.messages == 2 * (len(rates) - 1)
    assert learned.rounds == learned.diameter == assembly.diameter


@pytest.mark.parametrize("rule", ["printed", "echo"])
@pytest.mark.parametrize("name", TREES)
def test_exact_in_iteration_d_plus_1_and_silent_from_then_on(name, rule):
    assembly = tree(name)
    d = assembly.diameter
    if d == 0:  # a single module: nothing to tell
        assert tell(assembly, MassProgram(assembly.body, rule=rule)).messages == 0
        return
    program, wires, clock = (
        MassProgram(assembly.body, rule=rule),
        InMemory(docks(assembly)),
        VirtualClock(),
    )
    early = tell(assembly, program, wires=wires, clock=clock, limit=d)
    late = tell(assembly, program, wires=wires, clock=clock, states=early.states)
    assert all(early.sent)
    assert late.sent == (0,)  # iteration d + 1 computes, and nobody has anything to say
    total = len(assembly.modules) * assembly.body.mass((0.0, 0.0, 0.0)).mass
    # rounding: 200 sums
    known = [abs(s.whole.mass.mass - total) < 200 * EPS * total for s in late.states]
    assert all(known)
    assert not all(s.whole.mass.mass > 0.999 * total for s in early.states)
    # exact: one message each way a link with the echo rule; as printed at least that
    least = 2 * (len(assembly.modules) - 1)
    messages = early.messages
    assert messages == least if rule == "echo" else messages >= least


def test_the_printed_rule_takes_every_ordered_pair_on_a_chain():
    outcome = tell(chain(12), MassProgram(SuperbotModule().body(), rule="printed"))
    assert outcome.messages == 12 * 11


def test_both_rules_end_in_the_same_numbers():
    assembly = tree("twenty")
    one, two = (learn_mass(assembly, rule=rule) for rule in ("printed", "echo"))
    assert one.whole_M == two.whole_M
    assert one.behind_M == two.behind_M
    assert one.messages > two.messages


def test_a_moved_joint_is_told_once_over_every_link():
    assembly = tree("twenty")
    wires, clock = InMemory(docks(assembly)), VirtualClock()
    before = tell(assembly, wires=wires, clock=clock)
    angles = np.array([m.angles for m in assembly.modules])
    angles[7, 2] *= 0.5
    sensed = sensed_modules(assembly, angles)
    after = tell(
        assembly, sensed=sensed, wires=wires, clock=clock, states=before.states
    )
    assert after.messages == len(assembly.modules) - 1
    assert after.is_quiet
    assert [s.whole.mass for s in after.states] == list(
        learn_mass(assembly, angles).whole_M
    )


def test_relabelled_modules_and_shuffled_mail_give_the_same_numbers(rng):
    assembly = tree("twenty")
    n = len(assembly.modules)
    new = rng.permutation(n)  # new[k] is the number that module k gets
    renamed = replace(
        assembly,
        modules=tuple(assembly.modules[k] for k in np.argsort(new)),
        connections=tuple(
            replace(c, a=int(new[c.a]), b=int(new[c.b])) for c in assembly.connections
        ),
        ground=Ground(int(new[0]), 0),
    )
    plain = tell(assembly).states
    wires = Reordered(InMemory(docks(renamed)), rng)
    shuffled = tell(renamed, wires=wires, order=rng).states
    for k, state in enumerate(plain):
        assert shuffled[new[k]].whole.mass == state.whole.mass
        assert np.array_equal(shuffled[new[k]].whole.rate, state.whole.rate)


def test_late_and_doubled_messages_change_nothing(rng):
    assembly = tree("twenty")
    clock = VirtualClock()
    late = Delayed(InMemory(docks(assembly)), clock, 0, jitter=6, rng=rng)
    wires = Duplicated(late, 0.5, rng)
    program = MassProgram(assembly.body, rule="printed")
    spoiled = tell(assembly, program, wires=wires, clock=clock, limit=5000)
    assert spoiled.is_quiet
    expected = learn_mass(assembly).whole_M
    assert tuple(s.whole.mass for s in spoiled.states) == expected


def test_undocking_leaves_two_robots_that_know_themselves():
    assembly = chain(9)
    wires, clock = InMemory(docks(assembly)), VirtualClock()
    before = tell(assembly, wires=wires, clock=clock)
    cut = assembly.connections[3]
    wires.undock(docks(assembly)[3])
    sensed = list(sensed_modules(assembly))
    for k, connector in ((cut.a, cut.a_connector), (cut.b, cut.b_connector)):
        turns = list(sensed[k].turns)
        turns[connector] = None
        sensed[k] = replace(sensed[k], turns=tuple(turns))
    after = tell(
        assembly, sensed=sensed, wires=wires, clock=clock, states=before.states
    )
    each = assembly.body.mass((0.0, 0.0, 0.0)).mass
    found = [s.whole.mass.mass / each for s in after.states]
    # rounding: a handful of sums
    np.testing.assert_allclose(found, [4] * 4 + [5] * 5, rtol=64 * EPS)
    assert after.is_quiet


@pytest.mark.parametrize("again", [0, 1])
def test_what_was_docked_before_is_forgotten(again):
    assembly = chain(2)
    program, (sensed, _) = MassProgram(assembly.body), sensed_modules(assembly)
    state = tell(assembly).states[0]
    assert state.is_complete
    if again == 0:  # off and on again; otherwise only turned round
        alone = replace(sensed, turns=(None,) * 6)
        _, state = program.step([], alone, state)
        assert state.is_complete
        assert state.whole.mass == state.frames.own.mass
    turns = tuple(again if turn is not None else None for turn in sensed.turns)
    _, state = program.step([], replace(sensed, turns=turns), state)
    assert not state.is_complete
    assert state.whole.mass == state.frames.own.mass


@settings(max_examples=40)
@given(n=st.integers(2, 9), seed=st.integers(0, 10**6))
def test_the_two_messages_over_a_link_make_up_the_whole(n, seed):
    rng = stream(seed, "cut")
    assembly = any_tree(n, rng)
    sensed = sensed_modules(assembly, rates=rng.normal(size=(n, 3)))
    states = tell(assembly, sensed=sensed).states
    for c in assembly.connections:
        a = states[c.a]
        frames = module_frames(assembly.body, assembly.body.part_mass, sensed[c.a])
        heard = states[c.b].heard[c.b_connector]  # a's side, in a's connector frame
        own_side = MovingMass(heard.mass, heard.rate).seen_from(
            frames.outwards[c.a_connector].inverse()
        )
        both = own_side + a.behind[c.a_connector]
        # rounding: a dozen frame changes of lengths below 2 m and rates below 20 kg m/s
        tol = 512 * EPS * 20
        np.testing.assert_allclose(both.mass.com, a.whole.mass.com, rtol=0, atol=tol)
        np.testing.assert_allclose(both.rate, a.whole.rate, rtol=0, atol=tol)
        np.testing.assert_allclose(
            both.mass.inertia, a.whole.mass.inertia, rtol=0, atol=tol
        )


@settings(max_examples=25)
@given(n=st.integers(1, 6), seed=st.integers(0, 10**6))
def test_a_step_is_pure(n, seed):
    assembly = any_tree(n, stream(seed, "pure"))
    outcome = tell(assembly)
    program = MassProgram(assembly.body)
    for state, sensed in zip(outcome.states, sensed_modules(assembly), strict=True):
        inbox = [(k, m) for k, m in enumerate(state.heard) if m is not None]
        one = program.step(inbox, sensed, program.init())
        two = program.step(inbox, sensed, program.init())
        assert one[0].keys() == two[0].keys()
        assert all(one[0][k].mass == two[0][k].mass for k in one[0])
        assert one[1].whole.mass == two[1].whole.mass == state.whole.mass
        assert program.init() == MassState(heard=(None,) * 6, behind=(None,) * 6)


@pytest.mark.parametrize("n", [200, pytest.param(1000, marks=pytest.mark.slow)])
def test_a_long_chain_in_float32(n):
    width, length = 0.084, 0.168
    assembly = chain(n)
    states = tell(assembly, MassProgram(assembly.body, dtype=np.float32)).states
    message = states[-2].heard[3]
    assert isinstance(message, MassShare)
    assert message.mass.com.dtype == message.rate.dtype == np.float32
    # asked for: 1e-6 module widths; the leaf is a symmetric bar, seen from its end
    leaf = np.array([0.0, 0.0, -length / 2])
    assert np.abs(message.mass.com - leaf).max() < 1e-6 * width
    # Closed form: the middle of the bar, from the hinge of module k nearest the ground.
    p_MC = n * length / 2 - (np.arange(n) * length + 0.042)
    found = np.array([s.whole.mass.com for s in states], dtype=np.float64)
    error = np.linalg.norm(found - np.outer(p_MC, [0, 0, 1]), axis=1)
    assert (error < 2e-5 * np.abs(p_MC)).all()  # asked for
    for state in states[::50]:
        moments = np.linalg.eigvalsh(state.whole.mass.inertia.astype(np.float64))
        assert moments[0] >= 0.0


def test_refuses_what_does_not_fit():
    assembly = chain(3)
    with pytest.raises(ConfigError, match=r"'printed' or 'echo', got 'loud'"):
        learn_mass(assembly, rule="loud")
    with pytest.raises(ConfigError, match=r"angles must have shape \(3, 3\)"):
        learn_mass(assembly, [[0.0, 0.0, 0.0]])
    robot = robot_from_assembly(assembly)
    assert learn_mass(robot).whole_W == learn_mass(assembly).whole_W
    with pytest.raises(ConfigError, match=r"not made of modules"):
        learn_mass(replace(robot, assembly=None))
