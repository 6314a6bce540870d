"""What no stance can have, given to every public function: one sentence, or a reason.

Each row is a call and the start of what it says. Functions that answer instead of
refusing are in the second table; none of them may say that anything stands.
"""

import math

import numpy as np
import pytest

import equipoise.stability as st
from equipoise.core.errors import EquipoiseError

NAN, INF = math.nan, math.inf
UP = (0.0, 0.0, 1.0)
SQUARE = np.array([[1, 1, 0], [-1, 1, 0], [-1, -1, 0], [1, -1, 0]]) * 0.3
NORMALS = np.tile(UP, (4, 1))
FEET = [st.Foot((x, y, -0.5), 5000.0) for x, y, _ in SQUARE]
SKEW = np.array([[1e4, 5e3, 0], [0, 1e4, 0], [0, 0, 1e4]])
PUSHES = np.diag([1e4, 1e4, -1.0])
P, EYE = np.array([0.0, 0.0, 1.0]), np.eye(3)
TRIAL = dict(mass=10.0, stiffness=5e3, damping=10.0, half_width=0.2, height=0.5)


def planar(**changes):
    return st.planar_stance(**(TRIAL | {"inertia": 1.0} | changes))


def radial(legs=4, **changes):
    given = TRIAL | {"inertia": 1.0, "radius": 0.2} | changes
    given.pop("half_width")
    return st.radial_stance(legs, **given)


def trial(**changes):
    given = dict(
        time=np.arange(3.0),
        p_WC=np.zeros((3, 3)),
        speed=np.zeros(3),
        supports=[SQUARE] * 3,
        is_on_feet=np.ones(3, dtype=bool),
    )
    return st.StopTrial(**(given | changes))


def region(points=SQUARE, normals=NORMALS, frictions=0.6, **more):
    return st.equilibrium_region(points, normals, frictions, **more)


def soft(feet, mass=10.0, **more):
    return st.compliant_stance(mass, feet, **more)


def spread(feet=FEET, mass=10.0, **more):
    return st.multiplier_interval(mass, feet, **more)


REFUSED = {
    # feet
    "foot: stiffness not symmetric": lambda: st.Foot((0, 0, -1), SKEW),
    "foot: negative eigenvalue": lambda: st.Foot((0, 0, -1), PUSHES),
    "foot: stiffness nan": lambda: st.Foot((0, 0, -1), NAN),
    "foot: stiffness 0": lambda: st.Foot((0, 0, -1), 0.0),
    "foot: stiffness -1": lambda: st.Foot((0, 0, -1), -1.0),
    "foot: stiffness inf": lambda: st.Foot((0, 0, -1), INF),
    "foot: stiffness all zero": lambda: st.Foot((0, 0, -1), np.zeros((3, 3))),
    "foot: stiffness with nan": lambda: st.Foot((0, 0, -1), np.full((3, 3), NAN)),
    "foot: stiffness of two rows": lambda: st.Foot((0, 0, -1), np.eye(2)),
    "foot: stiffness a word": lambda: st.Foot((0, 0, -1), "soft"),
    "foot: compliance not symmetric": lambda: st.Foot((0, 0, -1), 1e4, SKEW / 1e8),
    "foot: compliance pushes": lambda: st.Foot((0, 0, -1), 1e4, PUSHES / 1e8),
    "foot: compliance a number": lambda: st.Foot((0, 0, -1), 1e4, 1e-4),
    "foot: position nan": lambda: st.Foot((0, NAN, -1), 1e4),
    "foot: position of two": lambda: st.Foot((0, -1), 1e4),
    "foot: normal not unit": lambda: st.Foot((0, 0, -1), 1e4, normal=(0, 0, 2)),
    "foot: normal zero": lambda: st.Foot((0, 0, -1), 1e4, normal=(0, 0, 0)),
    "foot: normal nan": lambda: st.Foot((0, 0, -1), 1e4, normal=(0, 0, NAN)),
    # soft stances
    "soft: no feet": lambda: soft([]),
    "soft: coincident feet": lambda: soft([FEET[0], FEET[1], FEET[0]]),
    "soft: mass 0": lambda: soft(FEET, 0.0),
    "soft: mass nan": lambda: soft(FEET, NAN),
    "soft: gravity -1": lambda: soft(FEET, gravity=-1.0),
    "soft: not a foot": lambda: soft([(0, 0, -1)]),
    "spread: no feet": lambda: spread([]),
    "spread: coincident feet": lambda: spread([FEET[0], FEET[1], FEET[0]]),
    "spread: mass nan": lambda: spread(mass=NAN),
    "spread: mass known to 100 %": lambda: spread(mass_tolerance=1.0),
    "spread: stiffness tolerance nan": lambda: spread(stiffness_tolerance=NAN),
    "spread: centre of mass nan": lambda: spread(com_tolerance=NAN),
    "spread: centre of mass -1": lambda: spread(com_tolerance=-1.0),
    # closed forms
    "planar: mass 0": lambda: planar(mass=0.0),
    "planar: stiffness nan": lambda: planar(stiffness=NAN),
    "planar: stiffness -1": lambda: planar(stiffness=-1.0),
    "planar: width inf": lambda: planar(half_width=INF),
    "planar: damping -1": lambda: planar(damping=-1.0),
    "planar: inertia 0": lambda: planar(inertia=0.0),
    "planar: height 0": lambda: planar(height=0.0),
    "planar: gravity 0": lambda: planar(gravity=0.0),
    "radial: two legs": lambda: radial(2),
    "radial: 3.5 legs": lambda: radial(3.5),
    "radial: mass 0": lambda: radial(mass=0.0),
    "radial: stiffness -1": lambda: radial(stiffness=-1.0),
    "radial: damping -1": lambda: radial(damping=-1.0),
    "radial: radius 0": lambda: radial(radius=0.0),
    "radial: height nan": lambda: radial(height=NAN),
    "radial: inertia 0": lambda: radial(inertia=0.0),
    "radial: gravity 0": lambda: radial(gravity=0.0),
    "fold: a = 0": lambda: st.fold_offset(0.0),
    "fold: a nan": lambda: st.fold_offset(NAN),
    "equilibria: a = -1": lambda: st.planar_equilibria(-1.0, 0.1),
    "equilibria: R nan": lambda: st.planar_equilibria(0.5, NAN),
    "tilt: nan": lambda: st.is_tilt_stable(0.5, NAN),
    "attraction: width 0": lambda: st.attraction_limit(0.0, 1.0, 0.5),
    "attraction: a nan": lambda: st.attraction_limit(0.1, 1.0, NAN),
    "barrier: a = 0": lambda: st.energy_barrier(0.0, 0.1),
    "barrier: slenderness nan": lambda: st.energy_barrier(0.5, NAN),
    "cartesian: k1 = 0": lambda: st.cartesian_critical_width(0.0, 7.0),
    "cartesian: k3 nan": lambda: st.cartesian_critical_width(7.0, NAN),
    "posture: mass 0": lambda: st.posture_critical_stiffness(0.0, 0.5, 1e4),
    "posture: stiffness nan": lambda: st.posture_critical_stiffness(9.0, 0.5, NAN),
    "series: ground 0": lambda: st.series_critical_width(9, 0.5, 1e4, 1e4, 0.0),
    "series: one foot": lambda: st.series_critical_width(9, 0.5, 1e4, 1e4, 1e4, feet=1),
    "shrunken: a nan": lambda: st.shrunken_support(NAN, 0.2),
    "shrunken: slenderness 0": lambda: st.shrunken_support(0.5, 0.0),
    # contacts with friction
    "region: no contacts": lambda: region(np.zeros((0, 3)), np.zeros((0, 3))),
    "region: normals not unit": lambda: region(normals=2 * NORMALS),
    "region: normal zero": lambda: region(normals=0 * NORMALS),
    "region: friction -0.1": lambda: region(frictions=-0.1),
    "region: friction nan": lambda: region(frictions=NAN),
    "region: points nan": lambda: region(points=SQUARE * NAN),
    "region: a normal short": lambda: region(normals=NORMALS[:3]),
    "region: weight 0": lambda: region(weight=0.0),
    "region: limit 0": lambda: region(max_normal=0.0),
    "region: gap 0": lambda: region(gap=0.0),
    "region: direction zero": lambda: region().support((0, 0)),
    "region: place nan": lambda: region().contains((NAN, 0)),
    "region margins: tolerance nan": lambda: st.region_margin_interval(
        region(), (0, 0), NAN
    ),
    # rigid ground
    "static: nan": lambda: st.static_margin((NAN, 0), SQUARE),
    "static: points nan": lambda: st.static_margin((0, 0), SQUARE * NAN),
    "static margins: nan": lambda: st.static_margin_interval((NAN, 0), SQUARE, 0.1),
    "polygon: inf": lambda: st.support_polygon([[INF, 0], [0, 0]]),
    "polygon: four columns": lambda: st.support_polygon(np.zeros((3, 4))),
    "weakest: nan": lambda: st.weakest_direction((0, NAN), SQUARE),
    "longitudinal: heading zero": lambda: st.longitudinal_margin(
        (0, 0), SQUARE, (0, 0)
    ),
    "longitudinal: heading nan": lambda: st.longitudinal_margin(
        (0, 0), SQUARE, (NAN, 0)
    ),
    "energy: mass 0": lambda: st.energy_margin((0, 0, 1), SQUARE, 0.0),
    "energy: mass nan": lambda: st.energy_margin((0, 0, 1), SQUARE, NAN),
    "energy: p nan": lambda: st.energy_margin((0, 0, NAN), SQUARE, 1.0),
    "energy margins: mass 0": lambda: st.energy_margin_interval((0, 0, 1), SQUARE, 0.0),
    "capture: height 0": lambda: st.pendulum_rate(0.0),
    "capture: nan": lambda: st.pendulum_rate(NAN),
    "pressure: force nan": lambda: st.centre_of_pressure(SQUARE, SQUARE * NAN),
    "pressure: no contact": lambda: st.centre_of_pressure(SQUARE[:0], SQUARE),
    "capture: speed nan": lambda: st.capture_point((0, 0), (0, NAN), 3.0),
    "capture: rate 0": lambda: st.capture_point((0, 0), (0, 0), 0.0),
    "moments: force nan": lambda: st.edge_moments(P, (0, 0, NAN), P, SQUARE),
    "moments: points nan": lambda: st.edge_moments(P, -P, P, SQUARE * NAN),
    "wrench: mass -1": lambda: st.effective_wrench([-1.0], [P], [P]),
    "wrench: mass nan": lambda: st.effective_wrench([NAN], [P], [P]),
    "wrench: acceleration nan": lambda: st.effective_wrench([1.0], [P], [P * NAN]),
    "wrench: a place short": lambda: st.effective_wrench([1.0, 1.0], [P], [P, P]),
    "pressure margin: nan": lambda: st.pressure_margin(P * NAN, -P, P, SQUARE),
    "spin: inertia nan": lambda: st.spin_rate(np.eye(3) * NAN, P, P),
    "spin: inertia of two rows": lambda: st.spin_rate(np.eye(2), P, P),
    "tipping: weight 0": lambda: st.tipping_margin(P, -P, P, SQUARE, 0.0),
    "tipping: weight nan": lambda: st.tipping_margin(P, -P, P, SQUARE, NAN),
    "zero moment point: nan": lambda: st.zero_moment_point(P, -P, P * NAN),
    "conservative: nan": lambda: st.conservative_polygon([SQUARE * NAN]),
    "gait: no sample": lambda: st.gait_longitudinal_margin(
        np.zeros((0, 2)), [], (1, 0)
    ),
    "gait: a support short": lambda: st.gait_longitudinal_margin(
        np.zeros((2, 2)), [SQUARE], (1, 0)
    ),
    "stop: no sample": lambda: trial(supports=[]),
    "stop: time falls": lambda: trial(time=np.array([0.0, 1.0, 0.5])),
    "stop: still 0": lambda: st.is_safe_walk(trial(), still=0.0),
    "stop: hold nan": lambda: st.is_safe_walk(trial(), hold=NAN),
    "stop: slack -1": lambda: st.passes_stop_test(trial(), slack=-1.0),
    "stop: support nan": lambda: st.is_safe_walk(trial(supports=[SQUARE * NAN] * 3)),
    "virtual: no contact": lambda: st.virtual_support(np.zeros((0, 3)), P),
    "virtual: a normal zero": lambda: st.virtual_support(
        SQUARE, P, normals=0 * NORMALS
    ),
    "virtual: nan": lambda: st.virtual_support(SQUARE * NAN, P),
    "virtual: height nan": lambda: st.virtual_support(SQUARE, P, height=NAN),
    "limits: rows without bounds": lambda: region(force_rows=np.zeros((1, 12))),
    # more on soft feet
    "height: no feet": lambda: st.critical_height(10.0, []),
    "height: coincident feet": lambda: st.critical_height(10.0, [FEET[0]] * 2),
    "height: mass nan": lambda: st.critical_height(NAN, FEET),
    "width: no feet": lambda: st.critical_width(10.0, []),
    "width: mass 0": lambda: st.critical_width(0.0, FEET),
    "mode: no feet": lambda: st.softest_mode(10.0, EYE, []),
    "mode: inertia not symmetric": lambda: st.softest_mode(10.0, SKEW, FEET),
    "mode: inertia pushes": lambda: st.softest_mode(10.0, PUSHES, FEET),
    "mode: inertia nan": lambda: st.softest_mode(10.0, EYE * NAN, FEET),
    "barrier in space: no feet": lambda: st.tipping_barrier(10.0, []),
    "barrier in space: mass -1": lambda: st.tipping_barrier(-1.0, FEET),
    # loops and control
    "loop: mass singular": lambda: st.closed_loop(0 * EYE, EYE, EYE),
    "loop: stiffness nan": lambda: st.closed_loop(EYE, EYE, EYE * NAN),
    "loop: other sizes": lambda: st.closed_loop(EYE, EYE, np.eye(2)),
    "loop: delay -1": lambda: st.closed_loop(EYE, EYE, EYE, delay=-1.0),
    "delay: stiffness nan": lambda: st.critical_delay(EYE, EYE, EYE * NAN),
    "sampled: period 0": lambda: st.sampled_loop(EYE, EYE, EYE, period=0.0),
    "sampled: period nan": lambda: st.sampled_loop(EYE, EYE, EYE, period=NAN),
    "lean: k1 = 0": lambda: st.cartesian_lean(0.0, 7.0, 0.25),
    "lean: slenderness nan": lambda: st.cartesian_lean(17.0, 7.0, NAN),
    "transfer: mass 0": lambda: st.zmp_transfer(0.0, 5e3, 1.0, 0.2, 0.5, 1.0),
    "transfer: stiffness nan": lambda: st.zmp_transfer(9.0, NAN, 1.0, 0.2, 0.5, 1.0),
    # kinds of values
    "soft: mass a word": lambda: soft(FEET, "heavy"),
    "soft: mass True": lambda: soft(FEET, True),
    "soft: mass nothing": lambda: soft(FEET, None),
    "planar: mass a word": lambda: planar(mass="heavy"),
    "region: friction a word": lambda: region(frictions="rough"),
    "energy: mass a word": lambda: st.energy_margin((0, 0, 1), SQUARE, "heavy"),
    "energy: mass True": lambda: st.energy_margin((0, 0, 1), SQUARE, True),
    "capture: height a word": lambda: st.pendulum_rate("high"),
    "tipping: weight a word": lambda: st.tipping_margin(P, -P, P, SQUARE, "heavy"),
    "stop: still a word": lambda: st.is_safe_walk(trial(), still="slow"),
}


@pytest.mark.parametrize("call", REFUSED.values(), ids=REFUSED.keys())
def test_is_refused_in_one_sentence(call):
    with pytest.raises(EquipoiseError) as caught:
        call()
    said = str(caught.value)
    assert said.endswith(".") and "\n" not in said and len(said) < 300
    assert any(word in said for word in ("must", "is", "are", "has"))


def test_a_vertical_spring_is_the_normal_case():
    semidefinite = [st.Foot(f.position, np.diag([0, 0, 5000.0])) for f in FEET]
    one, other = soft(semidefinite), soft(FEET)
    assert one.stable and one.multiplier == other.multiplier


def test_what_is_answered_is_never_a_yes():
    only = [FEET[0]]
    assert not soft(only).stable and soft(only).multiplier == INF
    assert not soft(FEET[:2]).stable
    assert st.multiplier_interval(1.0, only, com_tolerance=0.01).below(1) != "yes"
    assert st.static_margin((0, 0), np.zeros((0, 3))) == -INF
    assert st.static_margin((0, 0), [[0, 0, 0]]) <= 0
    assert st.energy_margin((0, 0, 1), [], 1.0).energy == -INF
    assert not st.support_polygon([]).size
    assert not st.conservative_polygon([SQUARE[:1]]).size
    # coincident contacts are one
    twice = region(np.vstack([SQUARE] * 2), np.vstack([NORMALS] * 2))
    assert twice.area == pytest.approx(region().area, rel=1e-6)
    assert region(SQUARE[[0, 0, 0]], NORMALS[:3]).kind is st.RegionKind.POINT
    # a frictionless wall holds nothing up
    wall = region([[0, 0, 0]], [[1, 0, 0]], 0.0)
    assert wall.kind is st.RegionKind.EMPTY and not wall.contains((0, 0))
