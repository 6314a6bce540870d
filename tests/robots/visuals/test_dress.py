"""What is drawn on a machine: bars, plates and balls where they are asked for.

A built-in machine's drawing is held to what is known of it without looking: that it is
as large as the machine was, that its parts meet, and that its truss is one.
"""

import math
from collections import Counter
from itertools import pairwise, product

import mujoco
import numpy as np
import pytest

from equipoise.robots.asv.build import BUILD as ASV
from equipoise.robots.load import load
from equipoise.robots.titan6.build import BUILD as TITAN6
from equipoise.robots.visuals import dress
from equipoise.robots.visuals.linkage import linkages_of
from equipoise.robots.visuals.robot_looks import robot_picture_model

G = mujoco.mjtGeom
START, END, RGBA = (0.1, -0.2, 0.3), (0.4, 0.2, 0.3), (0.1, 0.2, 0.3, 0.9)


def drawn(draw, *given):
    """Return the compiled shapes of a body at (1, 2, 3) on which something is drawn."""
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body(name="body", pos=[1.0, 2.0, 3.0])
    body.add_geom(name="core", type=G.mjGEOM_SPHERE, size=[0.01, 0, 0], mass=2.0)
    draw(body, *given)
    model = spec.compile()
    assert model.body("body").mass[0] == 2.0  # what is drawn has no mass
    shapes = [model.geom(k) for k in range(1, model.ngeom)]
    for shape in shapes:
        assert (shape.contype[0], shape.conaffinity[0], shape.group[0]) == (0, 0, 1)
    return shapes


def ends_of(shape):
    """Return the ends of a round shape's axis in its body, (2, 3)."""
    R = np.zeros(9)
    mujoco.mju_quat2Mat(R, shape.quat)
    half = shape.size[1] * R.reshape(3, 3)[:, 2]
    return np.array([shape.pos - half, shape.pos + half])


def assert_ends(shape, start, end):
    """Expect two ends, in either order."""
    found = sorted(np.round(ends_of(shape), 9).tolist())
    np.testing.assert_allclose(found, sorted([list(start), list(end)]), atol=1e-9)


@pytest.mark.parametrize(
    ("draw", "kind"), [(dress.bar, G.mjGEOM_CAPSULE), (dress.tube, G.mjGEOM_CYLINDER)]
)
def test_a_round_bar_goes_from_one_end_to_the_other(draw, kind):
    (shape,) = drawn(draw, START, END, 0.05, RGBA)
    assert shape.type[0] == int(kind)
    assert_ends(shape, START, END)
    assert shape.size[0] == pytest.approx(0.05)
    assert shape.size[1] == pytest.approx(0.25)  # half of 3, 4, 5
    np.testing.assert_allclose(shape.rgba, RGBA, rtol=1e-6)  # float32


def test_a_plate_has_its_whole_sides_about_its_centre():
    (shape,) = drawn(dress.plate, START, (0.2, 0.6, 1.0), RGBA)
    assert shape.type[0] == int(G.mjGEOM_BOX)
    assert shape.pos.tolist() == list(START)
    np.testing.assert_allclose(shape.size, [0.1, 0.3, 0.5])
    np.testing.assert_allclose(shape.rgba, RGBA, rtol=1e-6)


def test_a_ball_has_its_radius_about_its_centre():
    (shape,) = drawn(dress.ball, END, 0.07, RGBA)
    assert shape.type[0] == int(G.mjGEOM_SPHERE)
    assert shape.pos.tolist() == list(END)
    assert shape.size[0] == 0.07
    np.testing.assert_allclose(shape.rgba, RGBA, rtol=1e-6)


def test_a_frame_is_the_twelve_edges_of_a_box():
    low, high = np.array((-0.1, 0.2, 0.5)), np.array((0.3, 0.9, 1.7))
    shapes = drawn(dress.frame, low, high, 0.02, RGBA)
    found = {
        tuple(sorted(map(tuple, np.round(ends_of(shape), 9).tolist())))
        for shape in shapes
    }
    corners = list(product(*zip(low.tolist(), high.tolist(), strict=True)))
    edges = {
        (a, b)
        for a in corners
        for b in corners
        if a < b and sum(p != q for p, q in zip(a, b, strict=True)) == 1
    }
    assert len(shapes) == 12 and found == edges
    assert {shape.size[0] for shape in shapes} == {0.02}
    assert {shape.type[0] for shape in shapes} == {int(G.mjGEOM_CAPSULE)}


def test_a_pantograph_is_two_pairs_of_bars_beside_the_plane_of_its_knee():
    spec = mujoco.MjSpec()
    for name in ("trunk", "leg_up"):
        body = spec.worldbody.add_body(name=name)
        body.add_geom(type=G.mjGEOM_SPHERE, size=[0.01, 0, 0])
    hip, foot, bend = (0.5, 0.2, 0.1), (0.0, 0.3, -0.9), (3.0, 4.0, 7.0)
    dress.pantograph(spec, "leg", hip, foot, (0.6, 0.8), bend, 0.05, RGBA)
    links = {entry.name: np.array(entry.data) for entry in spec.numerics}
    assert set(links) == {"linkage:leg_a", "linkage:leg_b"}
    # level, and at right angles to where the knee points: 1.6 radii to either side
    aside = 1.6 * 0.05 * np.array((4.0, -3.0, 0.0)) / 5.0
    for name, way in (("a", 1.0), ("b", -1.0)):
        numbers = links[f"linkage:leg_{name}"]
        np.testing.assert_allclose(numbers[:3], hip + way * aside, atol=1e-12)
        np.testing.assert_allclose(numbers[3:6], foot + way * aside, atol=1e-12)
        assert numbers[6:].tolist() == [0.6, 0.8, *bend, 0.05, *RGBA]
    assert {text.data for text in spec.texts} == {"trunk|leg_up"}


def test_a_person_stands_on_the_ground_and_is_as_tall_as_stated():
    spec = mujoco.MjSpec()
    dress.add_person(spec, 2.0, -1.0)
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    low, high = spans(model, data)
    assert dress.PERSON_HEIGHT == 1.8
    assert low[2] == pytest.approx(0.0, abs=1e-9)
    assert high[2] == pytest.approx(1.8, abs=1e-9)
    np.testing.assert_allclose(0.5 * (low + high)[:2], [2.0, -1.0], atol=1e-9)
    # an adult's shoulders: about half a metre, and far less from front to back
    assert 0.45 < high[1] - low[1] < 0.65 and 0.2 < high[0] - low[0] < 0.35
    places = np.round(data.geom_xpos - [2.0, -1.0, 0.0], 9)
    mirrored = places * [1.0, -1.0, 1.0]
    assert Counter(map(tuple, places + 0.0)) == Counter(map(tuple, mirrored + 0.0))
    # legs, arms and trunk overlap their neighbours: nothing hangs in the air
    assert_in_one_piece(model, data, range(model.ngeom))


def spans(model, data, geoms=None):
    """Return the lowest and the highest corner of shapes, (3,) each."""
    lows, highs = [], []
    for geom in range(model.ngeom) if geoms is None else geoms:
        R, size = data.geom_xmat[geom].reshape(3, 3), model.geom_size[geom]
        kind = int(model.geom_type[geom])
        if kind == int(G.mjGEOM_BOX):
            half = np.abs(R) @ size
        elif kind == int(G.mjGEOM_CYLINDER):
            half = np.abs(R[:, 2]) * size[1]
            half = half + size[0] * np.sqrt(np.maximum(1.0 - R[:, 2] ** 2, 0.0))
        else:
            half = np.full(3, size[0])
            if kind == int(G.mjGEOM_CAPSULE):
                half = half + np.abs(R[:, 2]) * size[1]
        lows.append(data.geom_xpos[geom] - half)
        highs.append(data.geom_xpos[geom] + half)
    return np.min(lows, axis=0), np.max(highs, axis=0)


def assert_in_one_piece(model, data, geoms, gap=0.02):
    """Expect every shape to be joined to the first one, by others or directly."""
    geoms, way = list(geoms), np.zeros(6)
    joined, left = [geoms[0]], geoms[1:]
    for one in joined:
        near = [
            other
            for other in left
            if mujoco.mj_geomDistance(model, data, one, other, 1.0, way) < gap
        ]
        joined += near
        left = [other for other in left if other not in near]
    assert not left


def shown(name):
    """Return the model of a machine's picture as it stands, and its data."""
    robot = load(name)
    model = robot_picture_model(robot)
    data = mujoco.MjData(model)
    key = robot.model.key_qpos[0]
    data.qpos[: len(key)] = key
    mujoco.mj_kinematics(model, data)
    linkages_of(model).place(model, data)
    return model, data


def of_body(model, *names):
    """Return the shapes that a picture shows of some bodies."""
    bodies = {model.body(name).id for name in names}
    return [
        geom
        for geom in range(model.ngeom)
        if int(model.geom_bodyid[geom]) in bodies and model.geom_group[geom] == 1
    ]


def test_asv_is_drawn_as_long_and_as_high_as_it_was():
    model, data = shown("asv")
    length, width, tall = ASV.outside
    trunk = of_body(model, "trunk")
    low, high = spans(model, data, trunk)
    assert high[0] - low[0] == pytest.approx(length, abs=0.05)  # a bar is round
    assert high[2] == pytest.approx(tall, abs=1e-9)
    assert high[1] == pytest.approx(-low[1], abs=1e-9)
    assert high[1] - low[1] < width + 0.3
    # boxes hang between the truss's bars, a hand's breadth from them at most
    assert_in_one_piece(model, data, trunk, gap=0.16)
    # engine, pumps and cabin follow one another without touching
    boxes = [g for g in trunk if int(model.geom_type[g]) == int(G.mjGEOM_BOX)]
    inner = sorted(
        (spans(model, data, [g]) for g in boxes if abs(data.geom_xpos[g][1]) < 1e-9),
        key=lambda span: (span[0][0], span[0][2]),
    )
    rows = [(span[0][0], span[1][0]) for span in inner[:3]]
    assert all(a[1] < b[0] + 1e-9 < a[1] + 0.6 for a, b in pairwise(rows))
    # floor, glass, roof and scanner of the cabin stand on one another
    cabin = sorted((span[0][2], span[1][2]) for span in inner[3:])
    assert len(cabin) == 4
    assert all(abs(b[0] - a[1]) < 0.02 for a, b in pairwise(cabin))


def test_asv_has_a_truss_of_five_bays_whose_slants_go_up_and_down():
    model, data = shown("asv")
    bars = [
        geom
        for geom in of_body(model, "trunk")
        if int(model.geom_type[geom]) == int(G.mjGEOM_CAPSULE)
    ]
    ways = np.array(
        [
            2.0 * model.geom_size[geom, 1] * data.geom_xmat[geom].reshape(3, 3)[:, 2]
            for geom in bars
        ]
    )
    places = data.geom_xpos[bars]
    is_slanted = (np.abs(ways[:, 0]) > 0.1) & (np.abs(ways[:, 2]) > 0.1)
    slants, middles = ways[is_slanted], places[is_slanted]
    assert len(slants) == 10
    low, high = places[:, 2].min(), places[:, 2].max()
    for side in (-1.0, 1.0):
        own = np.flatnonzero(side * middles[:, 1] > 0.0)
        own = own[np.argsort(middles[own, 0])]
        rise = np.sign(slants[own, 2] * slants[own, 0])
        assert rise.tolist() == [1.0, -1.0, 1.0, -1.0, 1.0]
        np.testing.assert_allclose(np.abs(slants[own, 2]), high - low, atol=1e-9)
        bay = np.abs(slants[own, 0])
        np.testing.assert_allclose(bay, bay[0], atol=1e-9)
        np.testing.assert_allclose(np.diff(middles[own, 0]), bay[0], atol=1e-9)
    # edges along the machine are as long as all bays, uprights stand between bays
    along = np.abs(ways[np.abs(ways[:, 0]) == np.abs(ways).max(axis=1)])
    assert along.max() == pytest.approx(5.0 * np.abs(slants[0, 0]))
    upright = places[(np.abs(ways[:, :2]).max(axis=1) < 1e-9)]
    assert len(np.unique(np.round(upright[:, 0], 6))) == 6
    assert len(upright) == 12


@pytest.mark.parametrize("name", ["asv", "titan3", "titan4", "titan6"])
def test_feet_are_drawn_on_the_ground_below_what_carries_them(name):
    model, data = shown(name)
    legs = [word for word in map(lambda k: model.body(k).name, range(model.nbody))
            if word.endswith("_up")]  # fmt: skip
    assert legs
    for leg in legs:
        own = of_body(model, leg)
        low, _ = spans(model, data, own)
        # into the ball of its foot, which touches the ground, and no deeper
        radius = model.geom(leg.removesuffix("up") + "foot").size[0]
        assert 0.0 < low[2] < 2.0 * radius, leg
        # a pad of 8 cm about the ball's middle; a ball of 0.72 radii on its top
        wanted = {"asv": radius - 0.04, "titan6": radius}.get(name, 1.28 * radius)
        assert low[2] == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("name", ["titan3", "titan4"])
def test_a_box_frame_is_about_as_large_as_its_trunk(name):
    model, data = shown(name)
    build = __import__(f"equipoise.robots.{name}.build", fromlist=["BUILD"]).BUILD
    length, width, tall = build.trunk_size
    trunk = of_body(model, "trunk")
    boxes = [g for g in trunk if int(model.geom_type[g]) == int(G.mjGEOM_BOX)]
    low, high = spans(model, data, boxes)
    base = data.body("trunk").xpos
    # the lid, 2 cm thick, is its upper side
    assert high[2] - base[2] == pytest.approx(tall + 0.01, abs=1e-9)
    assert high[0] - low[0] == pytest.approx(0.8 * length)
    assert low[2] > base[2]
    assert 0.5 * width < high[1] - low[1] < width
    sides = np.sort([2.0 * model.geom_size[g] for g in boxes], axis=0)
    assert len(boxes) == 2 and (sides[1] < [length, width, tall]).all()
    assert (sides[:, :2] > 0.45 * np.array([length, width])).all()
    bars = [g for g in trunk if int(model.geom_type[g]) == int(G.mjGEOM_CAPSULE)]
    assert_in_one_piece(model, data, bars, gap=0.01)  # frame, and arms to the hips
    least, most = spans(model, data, bars)
    assert least[2] < low[2]
    far = 2.0 * np.abs(np.array(build.hips)).max(axis=0)
    assert (np.abs(most - least)[:2] - far < 0.15).all()
    assert (np.abs(most - least)[:2] - far > 0.0).all()
    tubes = [g for g in trunk if int(model.geom_type[g]) == int(G.mjGEOM_CYLINDER)]
    places = sorted(map(tuple, np.round(data.geom_xpos[tubes][:, :2], 9).tolist()))
    assert places == sorted(map(tuple, np.array(build.hips, float).tolist()))
    # knees point away from the middle, half of the bars' bends forward
    links = linkages_of(model)
    hips = links.ends[:, 0, 0]
    assert (np.sign(links.bend[:, 0]) == np.sign(hips)).all()
    assert (links.bend[:, 2] > 0.0).all() and (links.bend[:, 1] == 0.0).all()


def test_titan_vi_s_columns_slide_in_their_sleeves_and_rails_carry_them():
    model, data = shown("titan6")
    reach = np.ptp(TITAN6.forward)
    trunk = of_body(model, "trunk")
    rails = [g for g in trunk if int(model.geom_type[g]) == int(G.mjGEOM_CYLINDER)]
    assert len(rails) == 8  # two for each leg
    for rail in rails:
        # a tenth of a metre beyond the stroke at both ends
        assert 2.0 * model.geom_size[rail, 1] == pytest.approx(reach + 0.2)
    middles = {round(float(x), 6) for x in data.geom_xpos[rails][:, 0]}
    wanted = {round(x + 0.5 * sum(TITAN6.forward), 6) for x, _ in TITAN6.hips}
    assert middles == wanted
    for k, hip in enumerate(TITAN6.hips):
        leg = load("titan6").feet[k].removesuffix("_foot")
        sleeve, column = of_body(model, f"{leg}_aside"), of_body(model, f"{leg}_up")
        round_ = [g for g in (*sleeve, *column)
                  if int(model.geom_type[g]) == int(G.mjGEOM_CYLINDER)]  # fmt: skip
        np.testing.assert_allclose(
            data.geom_xpos[round_][:, :2], [hip] * len(round_), atol=1e-9
        )
        widths = [model.geom_size[g, 0] for g in round_]
        assert widths[1] < widths[0] < widths[2]  # column, sleeve, pad
        carriage = of_body(model, f"{leg}_forward")
        both = [*carriage, *sleeve]
        assert_in_one_piece(model, data, both, gap=0.05)
        assert_in_one_piece(model, data, [*rails, *carriage, *trunk], gap=0.05)
    low, high = spans(model, data, [g for g in trunk if g not in rails])
    length, width, tall = TITAN6.trunk_size
    assert high[2] - data.body("trunk").xpos[2] == pytest.approx(tall + 0.025)
    assert high[0] - low[0] == pytest.approx(length + 0.05)
    assert high[1] - low[1] == pytest.approx(0.8 * width + 0.05)


def test_colours_are_colours():
    every = [getattr(dress, name) for name in dress.__all__ if name.isupper()]
    every = [one for one in every if isinstance(one, tuple)]
    assert len(set(every)) == len(every) == 8
    for red, green, blue, alpha in every:
        assert alpha == 1.0 and max(red, green, blue) <= 1.0
        assert math.isfinite(red + green + blue) and min(red, green, blue) > 0.0
    # what their names say: which part is the strongest, and how grey they are
    red, yellow, orange, glass = dress.RED, dress.YELLOW, dress.ORANGE, dress.GLASS
    assert red[0] > 2.0 * max(red[1:3])
    assert yellow[0] > yellow[1] > 2.0 * yellow[2] > 0.0
    assert orange[0] > 1.5 * orange[1] > 1.5 * orange[2]
    assert glass[2] > glass[1] > glass[0]
    for grey in (dress.STEEL, dress.DARK, dress.WHITE):
        assert np.ptp(grey[:3]) < 0.07
    assert max(dress.DARK[:3]) < 0.3 < min(dress.STEEL[:3])
    assert max(dress.STEEL[:3]) < 0.75 < min(dress.WHITE[:3])
