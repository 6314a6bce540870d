"""Chapter 3's walks: what each is asked to do, and how it is measured, without walking.

A made-up walk with a known path takes the place of a simulated one, so that every
number has a closed form. What is asked is a part of a claim: another speed, terrain or
seed would be another statement.
"""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from equipoise.core.constants import GRAVITY
from equipoise.core.errors import ConfigError
from equipoise.robots.load import load
from equipoise_lab.papers.ridderstrom2003.chapter3 import (
    asv_claims,
    hexapod_claims,
    sap_trials,
    thing_claims,
    titan_claims,
    walknet_claims,
    walks,
)

RATE = 100.0  # samples a second
SPEED, SIDE, TURN = 0.4, 0.3, 0.2  # [m/s], [m/s], [rad/s]
ROLL, PITCH, LEAN = 0.03, 0.05, 0.1  # [rad]


def quats(roll, pitch, yaw):
    """Return orientations about z, then y, then x, as a product of three."""
    parts = [
        (np.cos(0.5 * angle), np.sin(0.5 * angle)[:, None] * np.eye(3)[axis])
        for angle, axis in ((yaw, 2), (pitch, 1), (roll, 0))
    ]
    w, v = parts[0]
    for w2, v2 in parts[1:]:
        w, v = (
            w * w2 - (v * v2).sum(axis=1),
            w[:, None] * v2 + w2[:, None] * v + np.cross(v, v2),
        )
    return np.column_stack([w, v])


def summary(**other):
    """Return what a walk says of itself."""
    return {
        "fell": False,
        "controller": "own",
        "settings": {"speed": SPEED},
        "roll_max_deg": 3.0,
        "pitch_max_deg": 4.0,
        "attitude_rms_deg": 1.5,
        "mechanical_power_w": 70.0,
        "gait_found": {
            "in_the_air_share": [0.1, 0.2, 0.3, 0.25, 0.15],
            "duty": [0.5, 0.7],
        },
        "freeze": None,
        "mean_speed_mps": 0.31,
        "commanded_mps": 0.12,
        "slip_m": 0.7,
        "static_margin_min_m": 0.02,
        "way": {"arrived": True},
    } | other


def made(seconds=10.0, *, left=0.0, circle=False, **told):
    """Return a walk at SPEED from (2, 1), that swings in roll and pitch.

    It stands still for its first two seconds, and leans by as much all the time.
    """
    time = np.arange(0.0, seconds + 0.5 / RATE, 1.0 / RATE)
    gone = np.clip(time - 2.0, 0.0, None)
    yaw = TURN * time
    place = np.column_stack([2.0 + SPEED * gone, 1.0 + left * gone])
    if circle:  # of a metre of radius
        angle = SPEED * gone
        place = np.column_stack([2.0 + np.sin(angle), 1.0 - np.cos(angle)])
    # whole swings from the second second on
    roll = LEAN + ROLL * np.sin(2.0 * np.pi * time)
    pitch = -LEAN + PITCH * np.cos(2.0 * np.pi * time)
    pose = np.column_stack([place, 0.5 + 0 * time, quats(roll, pitch, yaw)])
    values = {"frame_time": time, "qpos": pose}
    dataset = {name: SimpleNamespace(values=value) for name, value in values.items()}
    run = SimpleNamespace(
        time=time,
        frame_time=time,
        p_WB=pose[:, :3],
        quat_WB=pose[:, 3:7],
        touches=np.ones((len(time), 6)),
    )
    return SimpleNamespace(summary=summary(**told), dataset=dataset, run=run)


@pytest.fixture
def walk(monkeypatch):
    """Return what a module is given for a walk, and the machines that were asked."""

    def give(module, result):
        asked = []

        def walking(robot, config):
            asked.append((robot, config))
            return result

        monkeypatch.setattr(module, "walk_robot", walking)
        return asked

    return give


# --- one walk -------------------------------------------------------------------------


def test_a_walk_straight_ahead_is_measured_once_it_is_fast(walk):
    asked = walk(walks, made())
    found = walks.walked("warp1", settle=3.0, speed=SPEED, seconds=10.0, seed=7)
    ((robot, config),) = asked
    assert (robot.name, config.speed, config.seconds, config.seed) == (
        "warp1", SPEED, 10.0, 7,
    )  # fmt: skip
    assert (found.fell, found.controller) == (False, "own")
    # rounding of some hundred steps
    assert found.way == pytest.approx(SPEED * 7.0, abs=1e-9)
    assert found.speed == pytest.approx(SPEED, abs=1e-9)
    assert found.turn == pytest.approx(TURN, abs=1e-9)
    assert (found.tilt, found.rms, found.power) == (4.0, 1.5, 70.0)
    # A sine's rms is its size over √2; one sample more than whole swings, of 700.
    swing = math.degrees(math.hypot(ROLL, PITCH)) / math.sqrt(2.0)
    assert found.sway == pytest.approx(swing, rel=2e-3)
    assert found.aloft == (0.1, 0.2, 0.3, 0.25, 0.15)
    assert found.duty == pytest.approx(0.6)
    assert found.frozen == (0, 0)


def test_a_walk_that_fell_before_it_was_fast_has_its_last_two_samples(walk):
    walk(walks, made(2.5, fell=True, roll_max_deg=80.0))
    found = walks.walked("warp1", settle=3.0, speed=SPEED)
    assert found.fell and found.tilt == 80.0
    assert found.way == pytest.approx(SPEED / RATE, abs=1e-9)
    assert found.speed == pytest.approx(SPEED, abs=1e-9)


@pytest.mark.parametrize(
    ("settings", "way"),
    [
        ({}, (1.0, 0.0)),
        ({"heading": 90.0}, (0.0, 1.0)),
        ({"heading": -90.0}, (0.0, -1.0)),
        ({"heading": 30.0}, (math.sqrt(0.75), 0.5)),
        ({"left": SIDE}, (SPEED / 0.5, SIDE / 0.5)),
        ({"left": -SIDE}, (SPEED / 0.5, -SIDE / 0.5)),
    ],
)
def test_the_way_is_along_the_command(walk, settings, way):
    """It goes SPEED ahead and SIDE to the left."""
    walk(walks, made(left=SIDE))
    found = walks.walked("warp1", settle=2.0, speed=SPEED, **settings)
    wanted = 8.0 * (way[0] * SPEED + way[1] * SIDE)
    assert found.way == pytest.approx(wanted, abs=1e-9)
    assert found.speed == pytest.approx(wanted / 8.0, abs=1e-9)


@pytest.mark.parametrize(
    "settings", [{"speed": SPEED, "turn": 0.2}, {"command": (0.2, 0.0, 0.1)}]
)
def test_the_way_on_a_circle_is_its_length(walk, settings):
    walk(walks, made(circle=True))
    found = walks.walked("warp1", settle=2.0, **settings)
    # chords of 4 mm on a radius of 1 m: short by 4²/24 millionths
    assert found.way == pytest.approx(8.0 * SPEED, rel=1e-6)


def test_what_was_not_seen_is_empty_and_freezes_are_counted(walk):
    gait = {"in_the_air_share": None, "duty": None}
    stop = {"tried": 10, "stable": 8}
    walk(walks, made(gait_found=gait, freeze=stop))
    found = walks.walked("warp1", settle=2.0, speed=SPEED)
    assert (found.aloft, found.duty, found.frozen) == ((), 0.0, (10, 8))


def test_a_refusal_is_told_and_a_walk_is_none(walk, monkeypatch):
    walk(walks, made())
    assert walks.refused_walk("warp1", speed=0.3) == ""

    def refusing(*_):
        raise ConfigError("the walk", ["too fast", "too long"])

    monkeypatch.setattr(walks, "walk_robot", refusing)
    assert walks.refused_walk("warp1", speed=0.3) == "too fast"


@pytest.mark.parametrize("fell", [False, True])
def test_a_walk_in_words(fell):
    found = walks.Walked(
        fell, "own", 0.41236, 0.0, 12.34, 3.21, 1.0, 0.8, 70.0, (), 0.5, (0, 0)
    )
    end = "fell" if fell else "did not fall"
    assert found.how == f"0.412 m/s for 12.3 m at most 3.2°, {end}"


def test_yaws_do_not_jump():
    yaw = np.linspace(-10.0, 10.0, 500)
    found = walks.yaws(quats(0.3 + 0 * yaw, -0.2 + 0 * yaw, yaw))
    # rounding of arcs and whole turns
    np.testing.assert_allclose(found - found[0], yaw - yaw[0], atol=1e-12)


# --- what is asked --------------------------------------------------------------------


@pytest.fixture
def asked(monkeypatch):
    """Return what titans and ASV are asked to walk, by machine."""
    calls = []
    good = walks.Walked(
        False, "titan6", 0.5, 0.3, 9.0, 3.0, 1.0, 0.8, 70.0, (0.1,) * 9, 0.7, (10, 10)
    )

    def walking(machine, *, settle, **settings):
        calls.append((machine, settle, settings))
        return good

    for module in (titan_claims, asv_claims):
        monkeypatch.setattr(module, "walked", walking)
    monkeypatch.setattr(titan_claims, "refused_walk", lambda *_, **__: "")
    return calls


def test_titans_walk_a_little_faster_than_printed(asked):
    found = titan_claims.titan_walks(5)
    assert list(found) == ["titan3", "titan4", "titan6"]
    assert asked == [
        ("titan3", 10.0, {"speed": 0.2, "seconds": 45.0, "seed": 5}),
        ("titan4", 6.0, {"speed": 0.42, "seconds": 28.0, "seed": 5}),
        ("titan6", 6.0, {"speed": 1.05, "seconds": 20.0, "seed": 5}),
    ]


def test_titan4_walks_slow_and_fast_bare_and_hung(asked):
    usual = titan_claims.titan_walks(5)["titan4"]
    del asked[:]
    titan_claims.titan4_claims(5, usual)
    own = {"seconds": 20.0, "seed": 5, "controller": "titan4"}
    hung = {"balance": "skyhook", "gains": titan_claims.suspension()}
    freeze = {"speed": 0.4, "seconds": 16.0, "seed": 5, "freeze": 10}
    assert asked == [
        ("titan4", 6.0, {"speed": 0.15, **own}),
        ("titan4", 6.0, {"speed": 0.6, **own}),
        ("titan4", 6.0, {"speed": 0.15, "balance": "none", **own}),
        ("titan4", 6.0, {"speed": 0.6, **hung, **own}),
        ("titan4", 6.0, freeze),
    ]


def test_titan6_walks_over_blocks_in_all_directions_at_all_duties(asked):
    titan_claims.titan6_claims(5)
    rough = {"seconds": 15.0, "terrain": "blocks:10", "seed": 5, "speed": 0.125}
    aside = {"seconds": 14.0, "seed": 5, "speed": 0.0}
    calm = {"speed": 0.6, "seconds": 14.0, "seed": 5}
    duty = {"speed": 0.3, "seconds": 9.0, "seed": 5}
    assert asked == [
        ("titan6", 8.0,
         {"speed": 0.125, "seconds": 30.0, "terrain": "blocks:10", "seed": 5}),
        ("titan6", 5.0, rough),
        ("titan6", 5.0, {**rough, "gains": {"skyhook.feedback": 0.0}}),
        ("titan6", 5.0, {**rough, "balance": "none"}),
        *(("titan6", 4.0, {**duty, "duty": d}) for d in (0.5, 0.6, 0.7, 0.8, 0.9)),
        ("titan6", 5.0, {**aside, "left": 0.3}),
        ("titan6", 5.0, {**aside, "turn": 0.3}),
        ("titan6", 4.0, {"speed": 0.3, "duty": 0.7, "seconds": 12.0, "seed": 5}),
        ("titan6", 6.0, calm),
        ("titan6", 6.0, {**calm, "controller": "titan4"}),
    ]  # fmt: skip


def test_a_duty_that_is_refused_is_told_and_not_walked(asked, monkeypatch):
    refused = lambda machine, **how: "" if how["duty"] < 0.85 else "no"  # noqa: E731
    monkeypatch.setattr(titan_claims, "refused_walk", refused)
    claim = titan_claims._duty_claim(5)
    assert [how["duty"] for _, _, how in asked] == [0.5, 0.6, 0.7, 0.8]
    assert claim.status == "missed"
    assert claim.ours == "walks at 0.5, 0.6, 0.7, 0.8; refused 0.9 (no)"


def test_the_suspension_is_titan6s_by_mass():
    """Stiffness and damping in proportion: 160 of 195 kg, as the claim says by mass."""
    own = titan_claims.Titan6Recipe().config(titan_claims.AskedWalk()).skyhook
    share = load("titan4").model.body_mass.sum() / load("titan6").model.body_mass.sum()
    found = titan_claims.suspension()
    wanted = {
        "skyhook.stiffness": own.stiffness,
        "skyhook.damping": own.damping,
        "skyhook.posture.roll_stiffness": own.posture.roll_stiffness,
        "skyhook.posture.roll_damping": own.posture.roll_damping,
        "skyhook.posture.pitch_stiffness": own.posture.pitch_stiffness,
        "skyhook.posture.pitch_damping": own.posture.pitch_damping,
    }
    assert found == pytest.approx({k: share * v for k, v in wanted.items()}, rel=1e-9)


def test_the_asv_is_asked_for_what_is_printed(asked):
    asv_claims.asv_walks(5)
    weight = GRAVITY * float(load("asv").model.body_mass.sum())
    soft = next(how["terrain"] for _, _, how in asked if "soft" in str(how))
    # six feet sink by a tenth of a metre under the weight; to the newton per metre
    assert float(soft.removeprefix("soft:")) == pytest.approx(weight / 0.6, abs=0.5)
    late = {"two_step.period": 0.06}
    wanted = [
        (7.0, {"speed": 3.7, "seconds": 17.0}),
        (6.0, {"speed": 0.7, "seconds": 16.0, "terrain": "slope:35"}),
        (6.0, {"speed": 0.7, "seconds": 16.0, "terrain": "slope:-35"}),
        (5.0, {"speed": 1.0, "seconds": 12.0}),
        (5.0, {"speed": 1.0, "seconds": 14.0, "terrain": soft}),
        (6.0, {"speed": 3.4, "seconds": 14.0, "gains": late}),
        (5.0, {"command": (10.0, 0.0, 3.0), "seconds": 10.0}),
        *((4.0, {"speed": 0.6, "seconds": 9.0, "duty": d}) for d in (0.5, 0.67, 0.83)),
    ]
    assert asked == [("asv", settle, {"seed": 5, **how}) for settle, how in wanted]


@pytest.mark.parametrize("name", ["thing_claims", "hexapod_claims", "walknet_claims"])
def test_walks_that_claims_are_about_are_all_there(monkeypatch, name):
    """By settings, where they differ from one another."""
    module = {m.__name__.rpartition(".")[2]: m for m in MODULES}[name]
    asked = []

    def keep(*given, **settings):
        asked.append((given, settings))
        return None

    monkeypatch.setattr(module, WALKED[name][0], keep)
    loaded = object()
    if name == "hexapod_claims":
        monkeypatch.setattr(module, "laden", lambda mass: (loaded, mass))
    found = getattr(module, WALKED[name][1])(5)
    wanted = ASKED[name]
    assert list(found) == list(wanted)
    if name == "hexapod_claims":
        wanted = wanted | {"laden": ((5, (loaded, 5.0)), {"speed": 0.3})}
    assert asked == list(wanted.values())


MODULES = (thing_claims, hexapod_claims, walknet_claims)
WALKED = {
    "thing_claims": ("crept", "thing_walks"),
    "hexapod_claims": ("_hexapod", "hexapod_walks"),
    "walknet_claims": ("strode", "walknet_walks"),
}
BLIND = {"basis.uneven": False, "basis.clearance": 0.025}
OVER = {"seconds": 12.0, "speed": 0.15, "terrain": "bump:17.1"}
ASKED = {
    "thing_claims": {
        "flat": ((5, 1.0), {"seconds": 90.0}),
        "plates": ((5, 1.1), {"terrain": "plates", "seconds": 100.0}),
        "wall": ((5, 1.0), {"terrain": "wall", "goal": (1.0, 0.0)}),
        "unchanged": (
            (5, 1.1),
            {
                "terrain": "plates",
                "seconds": 60.0,
                "reflexes": ("plant",),
                "gains": BLIND,
            },
        ),
    },
    "hexapod_claims": {
        "belly": ((5,), {"speed": 0.3, "seconds": 6.0, "start": "belly"}),
        "phases": ((5,), {"speed": 0.3, "mode": "phases"}),
        "over": ((5,), OVER),
        "against": ((5,), {**OVER, "gains": hexapod_claims.NO_REFLEX}),
        "laden": None,
    },
    "walknet_claims": {
        "fast": ((5,), {"speed": 0.4}),
        "slow": ((5,), {"speed": 0.17}),
        "slower": ((5,), {"speed": 0.1}),
        "limp": ((5,), {"speed": 0.17, "gains": {"nets.height_rate": 0.5}}),
        "shy": ((5,), {"speed": 0.17, "gains": {"nets.least": 0.0}}),
        "steep": ((5,), {"speed": 0.2, "terrain": "slope:20"}),
    },
}


def test_a_load_is_on_the_trunk_and_touches_nothing():
    bare, laden = load("tum").model, hexapod_claims.laden(5.0).model
    assert laden.body_mass.sum() - bare.body_mass.sum() == pytest.approx(5.0)
    at = laden.body("trunk").id
    assert laden.body_mass[at] - bare.body("trunk").mass[0] == pytest.approx(5.0)
    geoms = [g for g in range(laden.ngeom) if laden.geom_bodyid[g] == at]
    (box,) = [g for g in geoms if laden.geom_pos[g][2] == 0.08]
    assert laden.geom_contype[box] == laden.geom_conaffinity[box] == 0
    assert laden.geom_size[box].tolist() == [0.1, 0.06, 0.03]
    assert hexapod_claims.NO_REFLEX == {"nets.retract": 0.0, "nets.elevate": 0.0}


# --- the other machines' measures -----------------------------------------------------


def test_a_creep_is_measured_by_its_way(walk, monkeypatch):
    monkeypatch.setattr(thing_claims, "_used_workspace", lambda run: 0.6)
    asked = walk(thing_claims, made(30.0))
    found = thing_claims.crept(7, 4.0, seconds=30.0)
    ((robot, config),) = asked
    assert (robot.name, config.seed, config.seconds) == ("thing", 7, 30.0)
    assert found.fell is False
    assert found.way == pytest.approx(SPEED * 28.0, abs=1e-9)
    # 4 m are gone ten seconds after it began; a sample at most later
    assert found.took == pytest.approx(12.0, abs=1.01 / RATE)
    assert found.lately == pytest.approx(SPEED * 15.0, abs=1e-9)
    assert found.aloft == pytest.approx(0.3 + 0.25 + 0.15)  # two feet or more
    assert (found.margin, found.tilt, found.reach) == (0.02, 4.0, 0.6)
    assert found.arrived is True
    assert thing_claims.crept(7, 11.3).took == math.inf  # 11.2 m are walked


def test_a_workspace_is_used_as_far_as_feet_move_in_it():
    """One foot goes up and down by 2 cm under a trunk that is rolled and moves."""
    geometry = thing_claims.leg_geometry(load("thing"))
    machine = thing_claims.legged_machine(load("thing"))
    under = np.array([[*h[:2], -machine.height] for h in geometry.hips])
    lift = np.zeros((50, len(under), 3))
    lift[:, 2, 2] = 0.02 * np.linspace(0.0, 1.0, 50) ** 3
    roll = np.linspace(0.0, 0.3, 50)
    turns = np.array(
        [
            [[1, 0, 0], [0, math.cos(a), -math.sin(a)], [0, math.sin(a), math.cos(a)]]
            for a in roll
        ]
    )
    trunk = np.column_stack([0.1 * roll, 0.2 * roll, 0.3 + 0 * roll])
    feet = trunk[:, None] + np.einsum("nij,nkj->nki", turns, under + lift)
    still = np.zeros(50)
    run = SimpleNamespace(
        p_WB=trunk, quat_WB=quats(roll, still, still), foot_place=feet
    )
    median = under[2] + np.median(lift[:, 2], axis=0) - geometry.hips[2]
    low, high = thing_claims.vertical_workspace(geometry, 2, median)
    # rounding of the turns
    assert thing_claims._used_workspace(run) == pytest.approx(
        0.02 / (high - low), rel=1e-9
    )


def stepping(seconds=14.0, cycle=1.0, duty=0.7, lag=0.3):
    """Return contacts of a wave gait, legs in pairs from front to rear, and its lag.

    A leg follows the one behind it by ``lag``, a right leg the left one by
    half a cycle.
    """
    time = np.arange(0.0, seconds, 2e-3)
    phases = [(2 - leg // 2) * lag + 0.5 * (leg % 2) for leg in range(6)]
    return time, np.stack(
        [((time / cycle - phase) % 1.0) < duty for phase in phases], axis=1
    )


def test_a_hexapods_walk_is_measured(walk):
    result = made(14.0)
    time, stands = stepping()
    early = time < 7.0 - 1e-9  # gaits are judged from then on
    stands[early] = stepping(lag=0.1, duty=0.9)[1][early]
    place = np.column_stack([2.0 + SPEED * time, 0 * time, 0.2 + 0 * time])
    place[time <= 1.0, 2] = 0.05  # on its belly at first
    place[3500, 2] = 0.17
    result.run = SimpleNamespace(
        time=time,
        p_WB=place,
        quat_WB=quats(0 * time, 0 * time, 0.1 * np.sin(time)),
        touches=stands,
    )
    asked = walk(hexapod_claims, result)
    found = hexapod_claims._hexapod(7, speed=0.3)
    ((robot, config),) = asked
    assert (robot.name, config.controller, config.seed, config.speed) == (
        "tum", "walknet", 7, 0.3,
    )  # fmt: skip
    assert (found.fell, found.speed, found.up, found.tilt) == (False, 0.31, 0.17, 4.0)
    assert found.way == pytest.approx(SPEED * (time[-1] - time[0]), abs=1e-9)
    # lags and duty to a sample of 500 in a cycle
    assert found.lag == pytest.approx(0.3 - (1.0 - 0.7), abs=5e-3)
    asked = walk(walknet_claims, result)
    strode = walknet_claims.strode(7, speed=0.3)
    ((robot, config),) = asked
    assert (robot.name, config.controller, config.seed, config.seconds) == (
        "tum", "walknet", 7, 14.0,
    )  # fmt: skip
    assert (strode.fell, strode.speed) == (False, 0.31)
    assert strode.way == pytest.approx(found.way)
    assert strode.heading == pytest.approx(math.degrees(0.1), rel=1e-5)
    assert strode.duty == pytest.approx(0.7, abs=5e-3)
    assert strode.lag == pytest.approx(0.3, abs=5e-3)
    assert len(strode.up) == 7 and sum(strode.up) == pytest.approx(1.0)
    # Six phases, a share of 0.3 each: 1.8 legs are up on average.
    up = sum(k * share for k, share in enumerate(strode.up))
    assert up == pytest.approx(6 * 0.3, abs=0.02)


def test_bounces_are_no_steps(walk):
    """Gaps of nine samples do not count."""
    result = made(14.0)
    time, stands = stepping()
    noisy = stands.copy()
    for k in range(200, len(time) - 20, 333):
        noisy[k : k + 9] = ~noisy[k : k + 9]
    place = np.zeros((len(time), 3))
    found = []
    for touches in (stands, noisy):
        result.run = SimpleNamespace(
            time=time,
            p_WB=place,
            quat_WB=quats(*(0 * time,) * 3),
            touches=touches,
        )
        walk(walknet_claims, result)
        found.append(walknet_claims.strode(7))
    assert found[1].duty == pytest.approx(found[0].duty, abs=0.01)
    assert found[1].lag == pytest.approx(found[0].lag, abs=0.02)


def test_saps_trials_are_one_for_each_way_to_track(walk):
    result = made(10.0, pitch_max_deg=6.5)
    asked = walk(sap_trials, result)
    found = sap_trials.trials(7)
    assert list(found) == ["position", "rotated", "force"]
    assert [(r.name, c.tracking, c.seconds, c.seed) for r, c in asked] == [
        ("sap", name, 10.0, 7) for name in found
    ]
    one = found["force"]
    assert (one.fell, one.speed, one.told, one.slip, one.pitch) == (
        False, 0.31, 0.12, 0.7, 6.5,
    )  # fmt: skip
    assert np.array_equal(one.way, result.run.p_WB[:, 0])
    assert np.array_equal(one.time, result.run.time)
    assert one.how == "0.310 m/s, feet slip 0.70 m, did not fall"
