"""The kernel of many robots on this machine, against NumPy's loop over the programs."""

import math

import numpy as np
import pytest

from equipoise.core.errors import ConfigError, ShapeError, UnknownNameError
from equipoise.equations.tape.interpret import interpret
from equipoise.sim.many.kernel_text import KernelPlan
from equipoise.sim.many.memory import expect_room
from equipoise.sim.many.philox import STREAMS, philox, shares
from equipoise.sim.many.pushes import PushPlan
from equipoise.sim.many.robots import ManyRobots
from oracles.many_hopper import hopper

PLAN = KernelPlan(precision="double", record=("z", "load"), watch=("z",))
PUSHED = PushPlan(impulse=(0.0, 5.0), heading=0.0, at=(0.2, 0.5))
SEED = (7 << 32) + 3
HOPPER = hopper()


def robots(count: int, plan: KernelPlan = PLAN, **given) -> ManyRobots:
    settings = given.pop("settings", {"mass": (1.0, 3.0)})
    return ManyRobots(
        HOPPER, count, seed=SEED, settings=settings, plan=plan, backend="host",
        **{"pushes": PUSHED, **given},
    )  # fmt: skip


def drawn(stream: str, robot: int, turn: int) -> np.ndarray:
    """Oracle: the numbers of a robot, began at tick 0."""
    counter = np.array([robot, turn, STREAMS[stream], 0], np.uint32)
    return shares(philox(counter, (SEED & 0xFFFFFFFF, SEED >> 32)))


def hopped(robot: int, ticks: int) -> tuple[np.ndarray, int, list[np.ndarray]]:
    """Oracle: state, tick of the fall and all states, by NumPy's loop."""
    p, tick = HOPPER, HOPPER.tick
    settings = np.array([s.value for s in p.settings])
    settings[0] = 1.0 + drawn("settings", robot, 0)[0] * 2.0
    impulse, _, at, _ = drawn("push", robot, 0) * [5.0, 0.0, 0.5 - 0.2, 0.0]
    start, x = 0.2 + at, np.array([s.value for s in p.state])
    seen = []
    for k in range(ticks):
        y = interpret(p.control, np.array([*x, *settings, k * tick]))
        x[4:], command = y[:1], y[1]
        begin = k * tick
        acts = min(begin + tick, start + 0.1) - max(begin, start)
        f = impulse * acts / (0.1 * tick) if acts > 0.0 else 0.0
        for _ in range(p.period):
            y = interpret(p.step, np.array([*x, *settings, command, f, 0.0, 0.0]))
            x[:4] = y[:4]
        seen.append(np.array([x[1], y[4]]))
        if y[5]:
            return x, k + 1, seen
    return x, -1, seen


def test_kernel_does_what_the_programs_say_bit_by_bit():
    many = robots(6)
    rows = many.memory.full((41, 2, 6), math.nan, "float64")
    many.run(400, rows, 10)
    fell = 0
    for robot in range(6):
        x, at, seen = hopped(robot, 400)
        np.testing.assert_array_equal(many.state[:, robot], x)  # exact
        assert many.fell[robot] == at
        kept = np.array(seen)
        whole = kept[9::10]
        np.testing.assert_array_equal(rows[1 : len(whole) + 1, :, robot], whole)
        assert np.isnan(rows[len(whole) + 1 :, :, robot]).all()
        low, high = kept[:, 0].min(), kept[:, 0].max()
        np.testing.assert_array_equal(many.extremes[:, robot], [low, high])
        fell += at > 0
    assert 0 < fell < 6  # both kinds were there


def test_numbers_depend_neither_on_the_cut_nor_on_the_others():
    whole, cut = robots(5), robots(5)
    whole.advance(300)
    for ticks in (1, 0, 99, 150, 50):
        cut.advance(ticks)
    others = robots(2, who=np.array([4, 1]))
    others.advance(300)
    for name in ("state", "telemetry", "fell", "settings", "extremes"):
        a, b, c = (getattr(one, name) for one in (whole, cut, others))
        np.testing.assert_array_equal(a, b, err_msg=name)
        np.testing.assert_array_equal(a[..., [4, 1]], c, err_msg=name)


def test_where_numbers_are_kept_does_not_matter():
    here = robots(4)
    here.advance(200)
    for memory in ("shared", "global"):
        plan = KernelPlan(precision="double", rereads=True, memory=memory)
        there = robots(4, plan)
        there.advance(60)
        there.advance(140)
        np.testing.assert_array_equal(here.state, there.state)
        np.testing.assert_array_equal(here.fell, there.fell)


def test_who_has_fallen_rests_until_started_anew():
    many = robots(
        4, pushes=PushPlan(impulse=np.array([0.0, 9.0, 0.0, 9.0]), heading=0.0)
    )
    many.advance(700)
    assert (many.fell > 0).tolist() == [False, True, False, True]
    lay = many.state[:, 1].copy()
    many.advance(10)
    np.testing.assert_array_equal(many.state[:, 1], lay)
    mass = many.settings[0].copy()
    many.restart(many.fell > 0)
    assert (many.fell == -1).all()
    assert many.began.tolist() == [0, 710, 0, 710]
    np.testing.assert_array_equal(many.state[:, 1], [0.0, 0.1, 0.0, 0.0, 0.0])
    assert (many.settings[0] != mass).tolist() == [False, True, False, True]
    many.advance(700)
    assert (many.fell > 0).tolist() == [False, True, False, True]
    assert 710 + 250 < many.fell[1] < 710 + 700  # pushed 1 s after it began


def test_starts_of_each_robots_own_are_come_back_to():
    begins = np.array([0.1, 0.2, 0.3])
    many = robots(3, start={"z": begins, "vx": (0.1, 0.2)})
    first = many.state.copy()
    assert (first[1] == begins).all() and len(set(first[2])) == 3
    many.advance(20)
    many.restart(np.array([True, False, True]))
    np.testing.assert_array_equal(many.state[1, [0, 2]], begins[[0, 2]])
    assert (many.state[2, [0, 2]] != first[2, [0, 2]]).all()  # drawn anew
    assert (many.state[2] >= 0.1).all() and (many.state[2] < 0.2).all()


def test_no_room_is_a_sentence():
    def none():
        raise MemoryError

    with pytest.raises(ConfigError, match=r"no memory is left for 2 GB more"):
        expect_room(none, 2_000_000_000)
    with pytest.raises(ZeroDivisionError):
        expect_room(lambda: 1 // 0, 1)


def test_pushes_bring_their_impulse_whenever_they_come():
    heading, every = np.linspace(0.0, 6.0, 7), 0.7031
    plan = PushPlan(
        impulse=0.01, heading=heading, at=(0.11, 0.5), duration=0.0707, every=every
    )
    many = robots(7, pushes=plan, settings={"mass": 2.0})
    many.advance(round(3 * every / HOPPER.tick))
    wanted = 3 * 0.01 * np.cos(heading) / 2.0
    # rounding: 3 x 18 ticks of 4 steps, each some roundings of the largest speed
    np.testing.assert_allclose(many.state[2], wanted, rtol=0.0, atol=1e-15)


def test_held_forces_have_their_spread():
    count = 4000
    plan = PushPlan(force=np.full(count, 0.3), force_from=0.0, hold=0.02)
    many = robots(count, pushes=plan, settings={"mass": 2.0})
    many.advance(round(0.2 / HOPPER.tick))  # ten forces
    speed = many.state[2] / (0.02 / 2.0 * 0.3)
    # statistical: sums of ten normal numbers; 5 sigma of mean and of variance
    assert abs(speed.mean()) < 5.0 * math.sqrt(10.0 / count)
    assert abs(speed.var() / 10.0 - 1.0) < 5.0 * math.sqrt(2.0 / count)


def test_what_cannot_be_is_said_in_a_sentence():
    with pytest.raises(UnknownNameError, match=r"Did you mean 'mass'\?"):
        robots(2, settings={"mas": 1.0})
    with pytest.raises(ConfigError, match="mass has 3 numbers for 2 robots"):
        robots(2, settings={"mass": [1.0, 2.0, 3.0]})
    with pytest.raises(ConfigError, match=r"mass must be a finite number"):
        robots(2, settings={"mass": math.nan})
    with pytest.raises(ConfigError, match="1 to 134,217,728 robots, got 0"):
        robots(0)
    with pytest.raises(UnknownNameError, match="no quantity 'height'"):
        robots(2, KernelPlan(record=("height",)))
    with pytest.raises(ConfigError, match=r"impulse must be \(least, most\)"):
        PushPlan(impulse=(2.0, 1.0))
    with pytest.raises(ConfigError, match=r"every must be at least 1\.1 s"):
        PushPlan(every=1.0)


def test_what_the_kernel_would_read_or_write_beyond_its_end_is_refused():
    for who in ([4], [1, 2, 3], [[0, 1]]):
        with pytest.raises(ShapeError, match=r"who must have shape \(2,\)"):
            robots(2, who=np.array(who))
    many = robots(3)
    before = many.state.copy()
    for chosen in (np.ones(2, bool), np.ones(4, bool), np.ones((3, 1), bool), True):
        with pytest.raises(ShapeError, match=r"chosen must have shape \(3,\)"):
            many.restart(chosen)
    for shape in ((4, 2, 3), (5, 1, 3), (5, 2, 2)):  # rows 1 to 4, z and load, of three
        with pytest.raises(ShapeError, match="records must have shape"):
            many.advance(43, np.zeros(shape), 10)
    np.testing.assert_array_equal(many.state, before)
    rows = np.zeros((5, 2, 3))
    many.advance(43, rows, 10)
    assert (rows[1:, 0] != 0.0).all() and (rows[0] == 0.0).all()
    with pytest.raises(ShapeError, match="records must have shape"):
        many.advance(7, rows, 10)
    many.advance(6, rows, 10)
