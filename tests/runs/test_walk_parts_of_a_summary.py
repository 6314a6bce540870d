"""Parts of what is told of a walk, by hand; what is known of its ground; lost legs."""

from types import SimpleNamespace

import mujoco
import numpy as np
import pytest

from equipoise.control.signals import NO_MAP
from equipoise.core.errors import ConfigError
from equipoise.runs import linearize
from equipoise.runs.learn.seeds import _summed
from equipoise.runs.stand import stop_tests
from equipoise.runs.stand.stop_tests import stop_trial
from equipoise.runs.walk import known_ground as known
from equipoise.runs.walk import limping, summary
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.numbers.timing import timing_numbers
from equipoise.sim.terrain import parse_terrain, surface_of

# --- what is told -----------------------------------------------------------------


def test_a_fall_is_the_only_reason_that_counts():
    assert summary._reasons("no", 6.0, []) == []
    assert summary._reasons("no", 6.0, ["It came short."]) == ["It came short."]
    fell = summary._reasons("tilt", 2.5, ["It came short."])
    assert fell == ["It fell after 2.50 s (tilt)."]


def test_a_machine_waits_while_no_foot_is_let_lift():
    run = SimpleNamespace(
        signals=("speed", "waits"),
        time=np.array([0.0, 0.1, 0.3, 0.6, 1.0]),
        telemetry=np.array([[9, np.nan], [9, 1], [9, 0], [9, 1], [9, 1.0]]),
    )
    assert summary._waited(run) == pytest.approx(0.2 + 0.4)
    assert summary._waited(SimpleNamespace(signals=("speed",))) == 0.0


def walk_of(config, **parts):
    given = {
        "config": config, "controller": "walker", "turn": 0.0, "forward": 0.3,
        "aside": 0.1, "walking": SimpleNamespace(pilot="limits"),
    }  # fmt: skip
    return SimpleNamespace(**{**given, **parts})


@pytest.mark.parametrize(
    "config, parts, goals, stays",
    [
        ({}, {}, (0.3, 0.1, 0.0), 0.5),
        ({"push": 40.0}, {}, (0.3, 0.1, 0.0), None),
        ({"force": 5.0}, {}, (0.3, 0.1, 0.0), None),
        ({}, {"controller": ""}, (0.3, 0.1, 0.0), None),
        # told to turn only, the usual speed is no order
        ({"turn": 0.4, "left": 0.2}, {"turn": 0.4}, (0.0, 0.2, 0.4), 0.5),
        ({"turn": 0.4, "speed": 0.3}, {"turn": 0.4}, (0.3, 0.1, 0.4), 0.5),
        ({"turn": 0.4, "ramp": (0.1, 0.3)}, {"turn": 0.4}, (0.3, 0.1, 0.4), 0.5),
        ({"command": (0.3, 0.1, 0.4)}, {"turn": 0.4}, (0.3, 0.1, 0.4), 0.5),
    ],
)
def test_what_the_operator_wants(monkeypatch, config, parts, goals, stays):
    monkeypatch.setattr(summary, "operator_goals", lambda config, *told: told)
    walk = walk_of(WalkConfig(**config), **parts)
    found = summary._command_of(walk, None, 0.5)
    assert (found.goals, found.stays_within) == (goals, stays)
    assert (found.limits, found.place_reached) == ("limits", None)


@pytest.mark.parametrize("reached", [True, False])
def test_a_place_is_reached_or_not(reached):
    walk = walk_of(WalkConfig(), walking=None)
    found = summary._command_of(walk, {"reached": reached}, 0.5)
    assert (found.place_reached, found.limits) == (reached, None)


def test_how_it_fell_is_of_its_last_state():
    model = mujoco.MjModel.from_xml_string(
        "<mujoco><worldbody><body><freejoint/><geom size='0.1'/></body></worldbody>"
        "</mujoco>"
    )
    world = SimpleNamespace(model=model, start=lambda: mujoco.MjData(model))
    qpos = np.array([model.qpos0, model.qpos0])
    qpos[1, :3] = 0.1, 0.2, 0.3
    seen = []
    watch = SimpleNamespace(kind=lambda data: seen.append(data.xpos[1].copy()) or 2)
    run = SimpleNamespace(is_finite=True, qpos=qpos)
    assert summary.fallen(world, run, watch) == "tilt"
    np.testing.assert_allclose(seen[0], [0.1, 0.2, 0.3], atol=1e-15)
    run.is_finite = False
    assert summary.fallen(world, run, watch) == "numbers that are not finite"


def test_times_of_the_loop_and_of_a_tick():
    cpu = SimpleNamespace(total=3.0, physics=1.5, sensing=0.25, control=1.0)
    run = SimpleNamespace(time=np.array([0.0, 4.0]), period=0.002, cpu=cpu)
    assert timing_numbers(run) == {
        "loop_s": 3.0, "physics_s": 1.5, "sensing_s": 0.25, "control_s": 1.0,
        "control_tick_us": pytest.approx(1e6 / 2000.0),
    }  # fmt: skip
    run.time = np.array([0.0])
    assert timing_numbers(run)["control_tick_us"] == pytest.approx(1e6)


# --- known ground -----------------------------------------------------------------


def machine(*, height=1.0, tracks=(0.2, 0.3, -0.2, -0.4), is_scaled=True):
    hips = np.array([[0.1 * k, y, 0.0] for k, y in enumerate(tracks)])
    return SimpleNamespace(
        height=height, is_scaled=is_scaled, side=np.sign(tracks),
        geometry=SimpleNamespace(hips=hips),
    )  # fmt: skip


def test_a_size_is_that_of_heights():
    usual = known.WARP1.height
    assert known.size_over_warp1(machine(height=0.5 * usual)) == pytest.approx(0.5)
    assert known.size_over_warp1(machine(height=0.5 * usual, is_scaled=False)) == 1.0


@pytest.mark.parametrize(
    "left, is_beside",
    [(0.25, False), (0.5499, False), (0.5501, True), (-0.0499, False), (0.9, True)],
)
def test_a_track_beside_the_usual_one_is_told(left, is_beside):
    """A block is 0.25 m to the left, for WARP1's size, and 0.3 m to each side."""
    size = 2.0
    own = machine(
        height=size * known.WARP1.height,
        tracks=(size * left - 0.1, size * left + 0.1, -3.0, -4.0),
    )
    own.side = np.array([1.0, 1.0, -1.0, -1.0])
    found = known.track_of(own)
    assert found == (pytest.approx(size * left) if is_beside else None)


def test_forbidden_cells_are_a_map_without_heights():
    own = machine(height=0.5 * known.WARP1.height)
    config = WalkConfig(terrain="banned:0.2", seed=3)
    terrain = parse_terrain("banned:0.2", own.height)
    found = known.known_ground(own, config, terrain)
    cells = known.forbidden_cells(terrain, 3, 0.5)
    np.testing.assert_array_equal(found.banned, cells.banned)
    assert np.isnan(found.height).all()
    frame = found.frame[0]
    assert (frame.west, frame.south) == tuple(cells.corner)
    assert frame.cell == cells.cell
    flat = parse_terrain("flat", own.height)
    assert known.known_ground(own, WalkConfig(terrain="flat"), flat) is NO_MAP


def test_a_wall_that_is_known_is_a_map_of_its_tiles():
    own = machine(height=0.5 * known.WARP1.height)
    config = WalkConfig(terrain="wall", seed=2, mapped=True, goal=(3.0, 1.0))
    terrain = parse_terrain("wall", own.height)
    found = known.known_ground(own, config, terrain)
    surface = surface_of(terrain, 2, 0.5)
    np.testing.assert_array_equal(found.height, surface.tiles)
    assert found.height is not surface.tiles
    assert found.banned.shape == surface.tiles.shape and not found.banned.any()
    frame, plane = found.frame[0], surface.plane[0]
    assert (frame.west, frame.south) == tuple(plane.corner)
    assert frame.cell == plane.edge
    assert plane.corner[0] != plane.corner[1]


# --- lost legs --------------------------------------------------------------------


@pytest.mark.parametrize(
    "planner, support, said",
    [
        (True, True, []),
        (False, True, ["planner 'p' must"]),
        (True, False, ["support 's' must"]),
        (False, False, ["planner 'p' and support 's' must"]),
    ],
)
def test_parts_that_need_all_legs_are_named(monkeypatch, planner, support, said):
    def catalogue(wanted, limps):
        def find(name):
            assert name == wanted
            return SimpleNamespace(limps=limps)

        return SimpleNamespace(find=find)

    monkeypatch.setattr(limping.parts, "PLANNERS", catalogue("p", planner))
    monkeypatch.setattr(limping.parts, "SUPPORTS", catalogue("s", support))
    found = limping._parts_that_need_all(SimpleNamespace(planner="p", support="s"))
    assert len(found) == len(said)
    assert all(line.startswith(part) for line, part in zip(found, said, strict=True))


def test_four_legs_are_needed():
    left, own = SimpleNamespace(lost=(1, 4, 5)), SimpleNamespace(legs=6)
    said = limping._tips_over(left, None, own)  # nobody asks where its feet are
    assert said == ["walking takes 4 legs, got 3"]


# --- poles, learning, stops -------------------------------------------------------


def test_which_speeds_are_shifts_and_how_far_mass_lies():
    spec = mujoco.MjSpec.from_string(
        "<mujoco><worldbody><body name='a' pos='0 0 1'><freejoint/><geom size='0.1' "
        "mass='1'/><body name='b' pos='2 0 0'><joint type='slide'/><geom size='0.1' "
        "mass='3'/><body name='c'><joint type='hinge'/><geom size='0.1' mass='0'/>"
        "</body></body></body></worldbody></mujoco>"
    )
    for geom in spec.geoms:
        geom.mass = max(geom.mass, 1e-9)
    robot = SimpleNamespace(model=spec.compile())
    shifts = [linearize._is_shift(robot, k) for k in range(8)]
    assert shifts == [True] * 3 + [False] * 3 + [True, False]
    # 1 and 3 kg, 2 m apart: (1 * 1.5² + 3 * 0.5²) / 4
    size = linearize._size_of(robot, robot.model.qpos0)
    assert size == pytest.approx(np.sqrt(0.75), rel=1e-6)
    ball = mujoco.MjModel.from_xml_string(
        "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>"
    )
    ball.body_mass[:] = 2.0
    assert linearize._size_of(SimpleNamespace(model=ball), ball.qpos0) == 1.0


def test_modes_are_of_speeds_and_shifts_are_measured_by_the_size(monkeypatch):
    monkeypatch.setattr(linearize, "modes", lambda *given: given)
    monkeypatch.setattr(linearize, "_is_shift", lambda robot, k: k == 1)
    monkeypatch.setattr(linearize, "_size_of", lambda robot, q: 4.0)
    found = SimpleNamespace(A="A", states=["x", "y", "z", "dx", "dy", "dz"], q=None)
    A, speeds, scales = linearize._found_modes(None, found)
    assert (A, speeds) == ("A", ["dx", "dy", "dz"])
    assert scales.tolist() == [1.0, 0.25, 1.0]


def test_what_many_seeds_learned_is_the_first_s_and_the_spread_of_all():
    def learned(seed, verdict, rate, unsafe):
        learning = {
            "rad_per_step_last50": rate, "greedy_rad_per_step": 2 * rate,
            "fresh_rad_per_step": None, "unsafe": unsafe,
        }  # fmt: skip
        numbers = {"seed": seed, "learning": learning, "cycle": [seed], "more": seed}
        return SimpleNamespace(verdict=verdict, summary=numbers)

    results = [
        learned(5, "no", 0.3, 2), learned(6, "yes", 0.1, 0), learned(7, "yes", 0.2, 1),
    ]  # fmt: skip
    found = _summed(results)
    assert (found["seed"], found["more"], found["seeds"]) == (5, 5, 3)
    assert (found["learned"], found["unsafe"]) == (2, 3)
    spread = found["spread"]
    assert spread["rad_per_step_last50"]["median"] == pytest.approx(0.2)
    assert spread["greedy_rad_per_step"]["most"] == pytest.approx(0.6)
    assert spread["fresh_rad_per_step"]["least"] is None
    assert [row["seed"] for row in found["runs"]] == [5, 6, 7]
    assert set(found["runs"][0]) == {"seed", "learning", "cycle"}


@pytest.mark.parametrize(
    "settings, said",
    [
        ({"friction": 0.0}, "friction must be > 0"),
        ({"friction": np.inf}, "friction must be > 0"),
        ({"seconds": 0.0}, "seconds must be > 0"),
        ({"seconds": 60.001}, "up to 60"),
        ({"seconds": 60.0, "friction": 1e-3}, None),
        ({"seconds": 1e-3, "friction": 1e3}, None),
    ],
)
def test_a_stop_is_watched_for_a_minute_at_most(monkeypatch, settings, said):
    reached = []

    def stance_of(robot, pose):
        reached.append(pose)
        return SimpleNamespace(is_level=False)

    model = mujoco.MjModel.from_xml_string("<mujoco/>")
    monkeypatch.setattr(stop_tests, "is_free", lambda robot: True)
    monkeypatch.setattr(stop_tests, "stance_of", stance_of)
    robot = SimpleNamespace(name="r", model=model)
    with pytest.raises(ConfigError, match=said or "level ground only"):
        stop_trial(robot, np.zeros(0), **settings)
    assert bool(reached) is (said is None)
