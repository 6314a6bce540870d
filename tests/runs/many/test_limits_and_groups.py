"""Pushes on many robots at once, and walks of a table by their programs: by rules."""

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from equipoise.core.errors import ConfigError, EquipoiseError
from equipoise.runs.many import limits, planner, rows, simulate
from equipoise.runs.many.limits import PushTrial, _ends, _refined, coarse
from equipoise.runs.many.rows import WalkGroup, WalkRow, row_walk, walk_groups
from equipoise.runs.many.simulate import simulate_many
from equipoise.runs.many.walking_program import expect_plain_walk
from equipoise.runs.sweep import card as crew
from equipoise.runs.sweep.card import Card
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.resolved import ResolvedWalk
from equipoise.sim.terrain import Terrain

# --- pushes -----------------------------------------------------------------------


class Pushed:
    """A robot that survives pushes up to a limit and between two others."""

    def __init__(self, most, again=()):
        self.most, self.again, self.asked = np.asarray(most), again, []

    def survived(self, impulses, headings):
        self.asked.append(impulses)
        found = impulses <= self.most[:, None]
        for low, high in self.again:
            found |= (impulses > low) & (impulses < high)
        return found


HEADINGS = np.radians([0.0, 90.0, 180.0])


def test_a_grid_grows_by_its_factor_up_to_the_largest():
    trial = Pushed([50.0, 0.5, 1e9])
    low, high, above = coarse(trial, HEADINGS, 2.0)
    (grid,) = (row[0] for row in trial.asked)
    assert grid[0] == pytest.approx(2.0) and grid[-1] == pytest.approx(600.0)
    ratios = grid[1:] / grid[:-1]
    np.testing.assert_allclose(ratios[:-1], 1.15)
    assert 1.0 < ratios[-1] <= 1.15
    assert low[0] <= 50.0 < high[0] == pytest.approx(1.15 * low[0])
    assert (low[1], high[1]) == (0.0, pytest.approx(2.0))
    assert low[2] == high[2] == pytest.approx(600.0)
    assert np.isnan(above).all()


def test_what_is_survived_above_a_fall_is_told():
    trial = Pushed([50.0, 50.0, 50.0], again=[(100.0, 130.0)])
    _, high, above = coarse(trial, HEADINGS, 1.0)
    grid = trial.asked[0][0]
    wanted = grid[(grid > 100.0) & (grid < 130.0)].min()
    assert (above == wanted).all() and (above > high).all()


def test_the_limit_is_refined_to_a_hundredth_below_the_first_fall():
    trial = Pushed([47.3, 0.5, 40.0])
    low, high = np.array([46.0, 0.0, 40.0]), np.array([52.9, 2.0, 46.0])
    found = _refined(trial, HEADINGS, low, high)
    assert trial.asked[0].shape == (3, 14)
    step = (high - low) / 15
    for limit, most, width, least in zip(found, trial.most, step, low, strict=True):
        assert limit <= most < limit + width or limit == least
    assert found[0] == pytest.approx(46.0 + 2 * step[0])
    assert found[2] == 40.0


def test_ends_are_of_the_first_failure():
    tried = np.array([[1.0, 2.0, 3.0, 4.0]] * 4)
    survived = np.array([[1, 1, 0, 1], [0, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 0]], bool)
    low, high = _ends(tried, survived)
    assert low.tolist() == [2.0, 0.0, 4.0, 3.0]
    assert high.tolist() == [3.0, 1.0, 4.0, 4.0]


def test_every_instant_of_a_cycle_has_a_robot_and_all_must_stand(monkeypatch):
    seen = []

    def stands(self, plan, count, last):
        seen.append((plan, count, last))
        fell = (np.asarray(plan.impulse) > 20.0) & (np.asarray(plan.at) > 3.2)
        return ~fell

    monkeypatch.setattr(PushTrial, "stands", stands)
    trial = PushTrial(None, 0.8, 0, "host", 4)  # pyright: ignore
    impulses = np.array([[10.0, 30.0], [15.0, 25.0]])
    found = trial.survived(impulses, np.array([0.5, 1.5]))
    assert found.tolist() == [[True, False], [True, False]]
    ((plan, count, last),) = seen
    assert count == 16 and last == pytest.approx(3.6)
    np.testing.assert_allclose(plan.impulse, np.repeat(impulses.ravel(), 4))
    np.testing.assert_allclose(plan.heading, np.repeat([0.5, 1.5], 8))
    np.testing.assert_allclose(plan.at, np.tile([3.0, 3.2, 3.4, 3.6], 4))


def test_a_push_is_watched_for_four_seconds(monkeypatch):
    seen = []
    monkeypatch.setattr(limits, "ManyRobots", lambda *given, **named: (given, named))

    def walked(robots, seconds):
        seen.append((robots, seconds))
        return SimpleNamespace(fell=np.array([True, False]))

    monkeypatch.setattr(limits, "walk_outcomes", walked)
    trial = PushTrial("program", 0.8, 7, "host", 4)  # pyright: ignore
    assert trial.stands("pushes", 2, 3.5).tolist() == [False, True]  # pyright: ignore
    ((given, named), seconds) = seen[0]
    assert given == ("program", 2) and seconds == 7.5
    assert (named["seed"], named["pushes"], named["backend"]) == (7, "pushes", "host")


# --- walks of a table -------------------------------------------------------------


def plan(**parts) -> Any:
    given = {
        "config": WalkConfig(),
        "robot": SimpleNamespace(name="dog"),
        "machine": None,
        "terrain": Terrain(),
        "plant": None,
        "walking": "parts",
        "speed": 0.3,
        "gait": "trot",
    }
    return ResolvedWalk(**{**given, **parts})


PARTS = plan()


def walk(place=0, apart=(), plan=PARTS, **settings) -> Any:
    config = WalkConfig(ground="weak", **settings)
    return WalkRow(place, row_walk(plan, config), tuple(apart))


def test_a_row_s_command_is_its_own_or_the_plan_s():
    assert walk().command == (0.3, 0.0, 0.0)
    forward, left, turn = walk(speed=0.4, heading=90.0, left=0.1, turn=0.2).command
    assert forward == pytest.approx(0.0, abs=1e-12)
    assert (left, turn) == (pytest.approx(0.5), 0.2)


def test_walks_share_a_program_where_only_numbers_differ():
    same = [
        walk(0, speed=0.1), walk(1, speed=0.2, seed=4), walk(2, push=3.0, heading=9.0),
        walk(3, friction=0.5, left=0.1, turn=0.2, force=1.0, push_at=2.0),
    ]  # fmt: skip
    (group,) = walk_groups(same, 10)
    assert [one.place for one in group.walks] == [0, 1, 2, 3]
    assert [len(g.walks) for g in walk_groups(same, 3)] == [3, 1]
    other = [
        *same,
        walk(4, terrain="slope:5"),
        walk(5, seconds=5.0),
        walk(6, gait="walk"),
    ]
    assert [g.walks[0].place for g in walk_groups(other, 10)] == [0, 4, 5, 6]
    parts = [walk(0), walk(1, plan=plan(walking="others"))]
    assert len(walk_groups(parts, 10)) == 2
    gains = {"capture.gain": 1.0}
    varied = [walk(0, ["capture.gain"], gains=gains),
              walk(1, ["capture.gain"], gains={"capture.gain": 2.0})]  # fmt: skip
    assert len(walk_groups(varied, 10)) == 1
    fixed = [walk(0, gains=gains), walk(1, gains={"capture.gain": 2.0})]
    assert len(walk_groups(fixed, 10)) == 2


def test_a_group_is_run_with_each_walk_s_numbers(monkeypatch):
    seen = {}

    def robots(program, count, **named):
        seen.update(named, program=program, count=count)
        return "robots"

    n = 3
    did = SimpleNamespace(
        fell=np.array([False, True, False]),
        fell_at=np.array([math.nan, 4.0, math.nan]),
        simulated=np.array([10.0, 4.0, 10.0]), distance=np.array([3.0, 0.4, 1.0]),
        speed=np.array([0.33, math.nan, 0.2]), tilt=np.radians([1.0, 40.0, 2.0]),
        height=np.array([0.5, 0.1, 0.4]),
    )  # fmt: skip
    monkeypatch.setattr(rows, "program_of", lambda walk, varied: (walk, varied))
    monkeypatch.setattr(rows, "ManyRobots", robots)
    monkeypatch.setattr(rows, "walk_outcomes", lambda *a, progress: did)
    monkeypatch.setattr(rows, "_commanded_way", lambda walk: 4.0)
    walks = [
        walk(k, ["capture.gain"], speed=0.1 * (k + 1), left=0.1, turn=0.01 * k, seed=k,
             friction=0.5 + 0.1 * k, push=2.0 * k, push_heading=90.0 * k, force=k,
             gains={"capture.gain": 1.0 + k, "stride.sway": 0.1})
        for k in range(n)
    ]  # fmt: skip
    told = WalkGroup(tuple(walks)).run(backend="host")
    walked, varied = seen["program"]
    assert walked is walks[0].resolved and varied[-1] == "capture.gain"
    assert seen["count"] == 3 and seen["backend"] == "host"
    np.testing.assert_allclose(seen["settings"]["speed"], [0.1, 0.2, 0.3])
    np.testing.assert_allclose(seen["settings"]["left"], 0.1)
    np.testing.assert_allclose(seen["settings"]["turn"], [0.0, 0.01, 0.02])
    np.testing.assert_allclose(seen["settings"]["friction"], [0.5, 0.6, 0.7])
    np.testing.assert_allclose(seen["settings"]["capture.gain"], [1.0, 2.0, 3.0])
    assert seen["who"].tolist() == [0, 1, 2]
    pushes = seen["pushes"]
    np.testing.assert_allclose(pushes.impulse, [0.0, 2.0, 4.0])
    np.testing.assert_allclose(pushes.heading, [0.0, math.pi / 2, math.pi])
    np.testing.assert_allclose(pushes.at, 5.0)
    np.testing.assert_allclose(pushes.force, [0.0, 1.0, 2.0])
    assert (pushes.duration, pushes.force_from) == (0.1, 1.0)
    first, second, third = told
    assert (first["fell"], first["arrived"], third["arrived"]) == (False, True, False)
    assert (second["fell"], second["fell_at_s"]) == (True, 4.0)
    assert first["fell_at_s"] is None and second["mean_speed_mps"] is None
    commanded = math.hypot(0.1, 0.1)
    assert first["commanded_mps"] == pytest.approx(commanded)
    assert first["speed_error"] == pytest.approx(0.33 / commanded - 1.0)
    assert third["tilt_max_deg"] == pytest.approx(2.0)
    assert (first["machine"], first["gait"], first["terrain"]) == (
        "dog",
        "trot",
        "flat",
    )


def test_the_commanded_way_has_the_pilot_s_ramp():
    still = walk(plan=plan(walking=None), speed=0.4, seconds=5.0)
    # from one second on, at once where no pilot ramps
    assert rows._commanded_way(still) == pytest.approx(0.4 * 4.0, rel=0.01)
    pilot = SimpleNamespace(lead=0.0, acceleration=0.2, turn_acceleration=1.0)
    ramped = walk(
        plan=plan(walking=SimpleNamespace(pilot=pilot)), speed=0.4, seconds=5.0
    )
    # two seconds of ramp cost half of what they would be
    assert rows._commanded_way(ramped) == pytest.approx(0.4 * 3.0, rel=0.02)


def test_a_row_slides_for_itself():
    steep = plan(terrain=Terrain("slope", 50.0))
    assert row_walk(steep, WalkConfig(seed=3)).friction >= 0.6
    with pytest.raises(ConfigError, match="slope must be within 40 % with friction"):
        row_walk(steep, WalkConfig(friction=0.4))


def test_a_machine_that_is_told_to_stand_has_arrived():
    did: Any = SimpleNamespace(
        fell=[False], fell_at=[math.nan], simulated=[5.0], distance=[-0.01],
        speed=[0.0], tilt=[0.0], height=[0.5],
    )  # fmt: skip
    found = rows._numbers_of(walk(speed=0.0), did, 0, 0.0)
    assert found["speed_error"] is None
    assert found["arrived"] is (-0.01 >= 0.0)


# --- who finds controllers --------------------------------------------------------


def test_a_speed_between_two_of_one_controller_is_not_asked_for(monkeypatch):
    asked = []

    def planned(robot, config):
        asked.append(config.speed)
        fast = config.speed is not None and config.speed > 0.5
        return plan(walking="fast" if fast else "slow")

    monkeypatch.setattr(planner, "resolved_walk", planned)
    monkeypatch.setattr(
        planner, "find_robot", lambda choice: SimpleNamespace(name="dog")
    )
    known = planner.WalkPlanner()

    def found(speed, **more):
        one = known.plan(0, WalkConfig(speed=speed, **more))
        assert isinstance(one, WalkRow)
        return one.resolved.walking

    assert [found(0.1), found(0.4), found(0.2), found(0.3)] == ["slow"] * 4
    assert asked == [0.1, 0.4]
    assert found(0.8) == "fast" and found(0.6) == "fast" and asked[2:] == [0.8, 0.6]
    assert found(0.7) == "fast" and len(asked) == 4  # between 0.6 and 0.8
    assert found(0.2, terrain="slope:5") == "slow" and len(asked) == 5
    assert found(None) == "slow" and len(asked) == 6
    assert known.plan(3, "no such row") == "no such row"


def test_rows_are_walked_on_weak_ground_unless_told(monkeypatch):
    monkeypatch.setattr(planner, "resolved_walk", lambda robot, config: plan())
    monkeypatch.setattr(
        planner, "find_robot", lambda choice: SimpleNamespace(name="dog")
    )
    known = planner.WalkPlanner()
    usual, heavy = (
        known.plan(0, WalkConfig()),
        known.plan(1, WalkConfig(ground="heavy")),
    )
    assert isinstance(usual, WalkRow) and isinstance(heavy, WalkRow)
    assert (usual.config.ground, heavy.config.ground) == ("weak", "heavy")
    assert usual.config.sensors == "ideal" and usual.place == 0
    assert usual.resolved.walking is heavy.resolved.walking

    def refused(robot, config):
        raise ConfigError("the walk", ["no legs"])

    monkeypatch.setattr(planner, "resolved_walk", refused)
    assert "no legs" in planner.WalkPlanner().plan(0, WalkConfig())


def test_a_card_tells_of_every_row(monkeypatch):
    monkeypatch.setattr(crew, "chosen_backend", lambda backend: backend)
    group = SimpleNamespace(
        walks=[SimpleNamespace(place=0), SimpleNamespace(place=2)],
        run=lambda backend, progress: [
            progress(0.5),
            {"arrived": True, "fell": False},
            {"arrived": True, "fell": 1},
        ][1:],
    )  # fmt: skip
    broken = SimpleNamespace(walks=[SimpleNamespace(place=3)], run=refuse)
    monkeypatch.setattr(crew, "walk_groups", lambda walks, most: [group, broken])
    shares, done = [], {}
    card = Card(read=lambda row: row, backend="host", on_progress=shares.append)
    monkeypatch.setattr(
        crew, "WalkPlanner",
        lambda: SimpleNamespace(plan=lambda k, row: walk(k) if row == "w" else row),
    )  # fmt: skip
    card.work(None, ["w", "bad row", "w", "w"], lambda k, one: done.update({k: one}))
    assert [done[k].verdict for k in range(4)] == ["yes", "", "no", ""]
    assert (done[0].error, done[1].error) == (None, "bad row")
    assert shares == [pytest.approx(0.25 + 0.5 * 0.5)]
    assert "card is on fire" in done[3].error
    with pytest.raises(EquipoiseError, match="bad"):
        card_of_bad_rows(monkeypatch).work(None, ["bad", "bad"], done.get)


def refuse(**_):
    raise ConfigError("many", ["the card is on fire"])


def card_of_bad_rows(monkeypatch):
    monkeypatch.setattr(crew, "walk_groups", lambda walks, most: [])
    return Card(read=lambda row: row, backend="host")


# --- one door ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "given, count",
    [
        ({"seconds": 0.0}, 1), ({"seconds": 3600.1}, 1), ({"every": 0.0}, 1),
        ({"every": math.inf}, 1), ({"seconds": -1.0, "every": math.nan}, 2),
    ],
)  # fmt: skip
def test_times_that_are_none_are_refused(given, count):
    with pytest.raises(ConfigError) as caught:
        simulate_many(None, 1, **given)  # pyright: ignore
    assert len(caught.value.problems) == count


def test_rows_of_a_recording_are_a_step_apart():
    state = [SimpleNamespace(name="x"), SimpleNamespace(name="z")]
    memory = SimpleNamespace(
        full=lambda shape, value, kind: np.full(shape, value), take=lambda rows: rows
    )
    many: Any = SimpleNamespace(
        plan=SimpleNamespace(record=("z", "torque")),
        robots=2, memory=memory, real=float,
        program=SimpleNamespace(tick=0.004, state=state),
        state=np.array([[1.0, 2.0], [3.0, 4.0]]),
    )  # fmt: skip
    there, step = simulate.recording(many, 1.0, 0.02)
    assert step == 5 and there.shape == (51, 2, 2)
    assert there[0, 0].tolist() == [3.0, 4.0] and np.isnan(there[0, 1]).all()
    assert simulate.recording(many, 1.0, 1e-9)[1] == 1
    found = simulate._recorded(many, there, step)
    np.testing.assert_allclose(found.time, 0.02 * np.arange(51))
    many.plan.record = ()
    assert simulate.recording(many, 1.0, 0.02) == (None, 0)


@pytest.mark.parametrize(
    "settings, said",
    [
        ({"ground": "mujoco"}, "ground must be weak or heavy"),
        ({"actuators": "elastic"}, "actuators must be ideal or motor"),
        ({"stop_at": 5.0}, "stop-at must be None, got 5.0"),
        ({"freeze": 3}, "freeze must be 0, got 3"),
        ({"start": "belly"}, "start must be 'stand', got 'belly'"),
        ({"adapt": True}, "adapt must be False, got True"),
    ],
)
def test_walks_that_straight_lines_do_not_have_are_refused(settings, said):
    robot: Any = SimpleNamespace(name="dog")
    with pytest.raises(ConfigError) as caught:
        expect_plain_walk(robot, WalkConfig(**{"ground": "weak", **settings}))
    assert [p.startswith(said) for p in caught.value.problems] == [True]
    expect_plain_walk(robot, replace(WalkConfig(ground="heavy"), actuators="ideal"))
