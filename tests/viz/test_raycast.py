"""Pictures against projections, areas and shadows worked out by hand."""

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import ConfigError, ShapeError
from equipoise.viz import raycast
from equipoise.viz.camera import Camera, camera_for
from equipoise.viz.markers import Markers
from equipoise.viz.raycast import camera_scene, draw, render

SIZE = (320, 240)
FLOOR = "<geom type='plane' size='0 0 1'/>"
SHAPES = {
    "sphere": ("type='sphere' size='.1'", (0.9, 0.2, 0.1)),
    "box": ("type='box' size='.1 .08 .12'", (0.2, 0.8, 0.3)),
    "capsule": ("type='capsule' size='.08 .1'", (0.1, 0.3, 0.9)),
    "cylinder": ("type='cylinder' size='.1 .1'", (0.8, 0.7, 0.1)),
    "ellipsoid": ("type='ellipsoid' size='.1 .06 .12'", (0.7, 0.2, 0.8)),
    "mesh": ("type='mesh' mesh='block'", (0.2, 0.7, 0.7)),
}
MESH = """<asset><mesh name="block" vertex="-.1 -.1 -.1  .1 -.1 -.1  -.1 .1 -.1
 .1 .1 -.1  -.1 -.1 .1  .1 -.1 .1  -.1 .1 .1  .1 .1 .1"/></asset>"""


def world(*geoms: str, asset: str = "") -> mujoco.MjModel:
    body = "".join(geoms)
    return mujoco.MjModel.from_xml_string(
        f"<mujoco>{asset}<worldbody>{body}</worldbody></mujoco>"
    )


def geom(shape: str, place: str, rgb: tuple[float, ...], more: str = "") -> str:
    colour = " ".join(map(str, (*rgb, 1.0)))
    return f"<geom {shape} pos='{place}' rgba='{colour}' {more}/>"


def pixel(camera: Camera, p_W: np.ndarray) -> tuple[int, int]:
    """Where a point lands, by a pinhole that shares no code with the camera."""
    along = np.subtract(camera.target, camera.eye)
    along = along / np.linalg.norm(along)
    side = np.array((along[1], -along[0], 0.0)) / np.hypot(along[0], along[1])
    top = np.cross(side, along)
    ray = p_W - np.array(camera.eye)
    scale = SIZE[1] / (2.0 * np.tan(np.radians(camera.fov_deg) / 2.0)) / (ray @ along)
    x, y = SIZE[0] / 2 + scale * (ray @ side), SIZE[1] / 2 - scale * (ray @ top)
    return int(y), int(x)


@pytest.fixture(scope="module")
def shelf() -> tuple[mujoco.MjModel, dict[str, np.ndarray]]:
    """All shapes side by side, and where each stands."""
    places = {
        name: np.array((0.1 * k, 0.35 * k - 0.9, 0.3 + 0.05 * k))
        for k, name in enumerate(SHAPES)
    }
    geoms = [
        geom(shape, "{} {} {}".format(*places[name]), rgb)
        for name, (shape, rgb) in SHAPES.items()
    ]
    return world(FLOOR, *geoms, asset=MESH), places


@pytest.mark.parametrize("name", SHAPES)
def test_colour_where_the_shape_is(shelf, name):
    model, places = shelf
    camera = camera_for(model, [np.zeros(0)], size=SIZE)
    image = draw(model, np.zeros(0), size=SIZE, camera=camera)
    assert image.shape == (240, 320, 3)
    assert image.dtype == np.uint8
    seen = image[pixel(camera, places[name])] / 255.0
    rgb = np.array(SHAPES[name][1])
    brightness = seen.max() / rgb.max()
    assert 0.35 < brightness <= 1.06  # least sky light, and the shader's own cap
    # rounding to 8 bits, half a step in each of the two colours compared
    assert np.abs(seen - brightness * rgb).max() <= 1.0 / 255.0


@pytest.mark.parametrize("offset", [(0.0, 0.0), (0.5, 0.2)])
def test_area_of_a_spheres_silhouette(offset):
    model = world(geom("type='sphere' size='.3'", "0 0 1", (1.0, 0.0, 0.0)))
    target = (0.0, offset[0], 1.0 + offset[1])
    camera = Camera(eye=(3.0, offset[0], 1.0 + offset[1]), target=target, fov_deg=35.0)
    image = draw(model, np.zeros(0), size=SIZE, camera=camera) / 255.0
    # Share of the pixel that is red: the sphere has no green, all else has r = g.
    share = 1.0 - image[..., 1] / image[..., 0]
    f = SIZE[1] / 2.0 / np.tan(np.radians(35.0) / 2.0)
    # The image of a sphere (centre c, depth z, radius r) is an ellipse with half axes
    # f r / sqrt(z² - r²) and f r sqrt(c² - r²) / (z² - r²).
    z, r, c2 = 3.0, 0.3, 9.0 + offset[0] ** 2 + offset[1] ** 2
    small = f * r / np.sqrt(z**2 - r**2)
    large = f * r * np.sqrt(c2 - r**2) / (z**2 - r**2)
    area = np.pi * small * large
    # truncation: counting lattice points of an ellipse errs by about its radius^(2/3),
    # and rims are mixed by brightness, not area: a third of a pixel along the rim
    allowed = large ** (2 / 3) + 2.0 * np.pi * large / 3.0
    assert allowed < 0.02 * area
    assert abs((share > 0.5).sum() - area) <= allowed


def test_shadow_falls_where_the_light_says():
    ball = geom("type='sphere' size='.2'", "0 0 .8", (1.0, 0.0, 0.0))
    camera = Camera(eye=(4.0, 1.0, 2.0), target=(0.0, 0.0, 0.4))
    with_ball = draw(world(FLOOR, ball), np.zeros(0), size=SIZE, camera=camera)
    hidden = geom("type='sphere' size='.2'", "0 0 -9", (1.0, 0.0, 0.0))
    without = draw(world(FLOOR, hidden), np.zeros(0), size=SIZE, camera=camera)
    scene = camera_scene(world(FLOOR, ball), np.zeros(0), camera)
    lamp = scene.p_WLight
    ray = np.array((0.0, 0.0, 0.8)) - lamp
    spot = lamp - ray * lamp[2] / ray[2]
    row, column = pixel(camera, spot)
    kept = with_ball[row, column] / without[row, column]
    # rounding to 8 bits; the floor is not yet fading here (brightness ratio is exact)
    assert np.abs(kept - (1.0 - raycast.SHADOW_FLOOR)).max() <= 1.0 / 200.0
    beside = pixel(camera, np.add(spot, (0.0, 0.5, 0.0)))
    assert (with_ball[beside] == without[beside]).all()


def test_things_beside_the_picture_cast_shadows_into_it():
    # A box half way to the lamp, which the eye does not see.
    camera = Camera(eye=(1.0, 0.1, 0.6), target=(0.0, 0.0, 0.1))
    lamp = camera_scene(world(FLOOR), np.zeros(0), camera).p_WLight
    between = 0.5 * lamp
    wall = geom(
        "type='box' size='.1 .1 .1'", "{} {} {}".format(*between), (1.0, 0.0, 0.0)
    )
    wide = draw(world(FLOOR, wall), np.zeros(0), size=SIZE, camera=camera)
    bare = draw(world(FLOOR), np.zeros(0), size=SIZE, camera=camera)
    origin = pixel(camera, np.zeros(3))
    assert (wide[origin] < bare[origin]).all()


def test_own_floor_equals_the_models_plane():
    ball = geom("type='sphere' size='.2'", "0 0 .3", (0.2, 0.4, 0.9))
    camera = Camera(eye=(3.0, 1.0, 1.5), target=(0.0, 0.0, 0.2), ground=0.0)
    spare = draw(world(ball), np.zeros(0), size=SIZE, camera=camera)
    plane = draw(world(FLOOR, ball), np.zeros(0), size=SIZE, camera=camera)
    # exact up to squares whose border falls on a pixel's middle by rounding
    assert (spare != plane).any(axis=2).sum() <= 5
    assert len(np.unique(plane.reshape(-1, 3), axis=0)) > 50  # not an empty picture


def test_a_small_plane_ends():
    ball = geom("type='sphere' size='.2'", "0 0 .3", (0.2, 0.4, 0.9))
    small = world("<geom type='plane' size='.4 .3 1'/>", ball)
    camera = Camera(eye=(3.0, 1.0, 1.5), target=(0.0, 0.0, 0.2))
    image = draw(small, np.zeros(0), size=SIZE, camera=camera)
    assert (image[pixel(camera, np.array((0.3, -0.25, 0.0)))] < 250).all()
    assert (image[pixel(camera, np.array((0.3, 0.35, 0.0)))] == 255).all()


def test_skipping_empty_pixels_changes_nothing(arm, monkeypatch):
    qpos = np.array([0.5, -0.9, 1.2])
    quick = draw(arm, qpos, size=SIZE)
    skipped = []

    def everywhere(scene, camera, size):
        skipped.append(True)
        return np.ones((size[1], size[0]), dtype=bool)

    monkeypatch.setattr(raycast.RayScene, "cover", everywhere)
    slow = draw(arm, qpos, size=SIZE)
    assert skipped
    # exact, but MuJoCo and we may round a floor's distance differently at a border
    assert (quick != slow).any(axis=2).sum() <= 5


@pytest.mark.parametrize("unseen", ["group='3'", "group='5'", "rgba='1 0 1 0'"])
def test_invisible_geoms_are_not_drawn(unseen):
    ball = geom("type='sphere' size='.2'", "0 0 .3", (0.2, 0.4, 0.9))
    camera = Camera(eye=(3.0, 1.0, 1.5), target=(0.0, 0.0, 0.2))
    more = f"<geom type='box' size='.3 .3 .3' pos='.5 0 .3' {unseen}/>"
    plain = draw(world(FLOOR, ball), np.zeros(0), size=SIZE, camera=camera)
    same = draw(world(FLOOR, ball, more), np.zeros(0), size=SIZE, camera=camera)
    assert (plain == same).all()


def test_material_colours_count():
    asset = "<asset><material name='m' rgba='.1 .9 .2 1'/></asset>"
    model = world("<geom size='.2' material='m'/>", asset=asset)
    middle = draw(model, np.zeros(0), size=SIZE)[120, 160] / 255.0
    assert middle[1] > 3.0 * middle[0]
    assert middle[1] > 3.0 * middle[2]


def test_a_world_without_a_robot_is_only_floor():
    camera = Camera(eye=(3.0, 1.0, 1.5), target=(0.0, 0.0, 0.2))
    image = draw(world(), np.zeros(0), size=SIZE, camera=camera)
    assert (image[..., 0] == image[..., 1]).all()
    assert len(np.unique(image)) > 2  # squares, fading


def test_one_camera_keeps_what_does_not_move(arm):
    poses = [np.array([0.5, -0.9, 1.2]), np.array([0.5, -0.9, 0.2])]
    camera = camera_for(arm, poses, size=SIZE)
    start, end = (draw(arm, q, size=SIZE, camera=camera) for q in poses)
    block = pixel(camera, np.array((0.08, 0.06, 0.1)))
    assert (start[block] == end[block]).all()
    assert (start != end).any(axis=2).sum() > 500


def test_ghost_shows_palely_only_where_the_robot_is_not(arm):
    poses = [np.array([0.5, -0.9, 1.2]), np.array([0.9, -0.7, 0.9])]
    camera = camera_for(arm, poses, size=SIZE)
    (_, _, is_ghost), (_, _, is_robot) = (
        render(camera_scene(arm, q, camera), SIZE) for q in poses
    )
    alone = draw(arm, poses[1], size=SIZE, camera=camera)
    ghostly = draw(
        arm, poses[1], size=SIZE, camera=camera, markers=Markers(ghost=poses[0])
    )
    solid = draw(arm, poses[0], size=SIZE, camera=camera)
    overlap = is_ghost & is_robot & (alone != solid).any(axis=2)
    assert overlap.sum() > 300  # the two do cross, in different colours
    assert (alone[is_robot] == ghostly[is_robot]).all()
    only = is_ghost & ~is_robot
    assert only.sum() > 1000
    # rounding to 8 bits, once in each of the three pictures
    mixed = 0.7 * alone[only] + 0.3 * solid[only]
    assert np.abs(ghostly[only] - mixed).max() <= 1.0


def test_inputs_are_left_alone_and_runs_repeat(arm):
    qpos = np.array([0.5, -0.9, 1.2])
    before, colours = qpos.copy(), arm.geom_rgba.copy()
    first, second = (draw(arm, qpos, size=(80, 60)) for _ in range(2))
    assert (first == second).all()
    assert (qpos == before).all()
    assert (arm.geom_rgba == colours).all()


def test_bad_input_is_one_sentence(arm):
    with pytest.raises(ShapeError, match="qpos must have shape"):
        draw(arm, np.zeros(2))
    with pytest.raises(ShapeError, match="qpos must be finite"):
        draw(arm, np.array([0.0, np.nan, 0.0]))
    with pytest.raises(ConfigError, match="size must be"):
        draw(arm, np.zeros(3), size=(0, 100))
    with pytest.raises(ConfigError, match="size must be"):
        draw(arm, np.zeros(3), size=(100_000, 100_000))
