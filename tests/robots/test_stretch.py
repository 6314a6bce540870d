"""A link that is stretched, all of it: turned parts, anchors, shapes and masses."""

import mujoco
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from equipoise.core.errors import ConfigError
from equipoise.robots.changes.numbers import changeable_numbers
from equipoise.robots.changes.stretch import link_length, stretched

MODEL = mujoco.MjModel.from_xml_string("""<mujoco><worldbody>
<body name="trunk"><freejoint/><geom size=".1" mass="1"/>
<body name="thigh" pos=".1 0 0" euler="10 20 30">
 <joint name="hip" axis="0 1 0" pos=".02 -.01 .03"/>
 <geom name="own" type="ellipsoid" size=".02 .03 .04" pos=".05 .1 -.1" mass="2"/>
 <body name="plate" pos=".04 -.05 -.1" euler="50 -20 70">
  <geom name="near" type="box" size=".02 .01 .03" pos=".1 .02 -.03" mass=".3"/>
  <body name="cap" pos=".03 .06 .02" euler="-40 10 130">
   <geom name="far" type="capsule" size=".01 .04" pos="-.05 .07 .01" mass=".2"/>
  </body></body>
 <body name="mount" pos=".02 .03 -.1" euler="0 35 15">
  <body name="shank" pos=".05 .02 -.2" euler="25 0 -60">
   <joint name="knee" axis="0 1 0" pos=".03 .01 .05"/>
   <geom name="tip" size=".03" pos="0 0 -.2" mass=".5"/>
  </body></body>
</body></body></worldbody></mujoco>""")
THIGH, SHANK = MODEL.body("thigh").id, MODEL.body("shank").id
START = np.array([0.02, -0.01, 0.03])
FIXED = ("thigh", "plate", "cap", "mount")


def frames(numbers):
    """Return attitude and place of each body below the thigh, in the thigh's frame."""
    found = {THIGH: (Rotation.identity(), np.zeros(3))}
    for body in range(THIGH + 1, MODEL.nbody):
        R, p = found[int(MODEL.body_parentid[body])]
        w, x, y, z = MODEL.body_quat[body]
        found[body] = (
            R * Rotation.from_quat([x, y, z, w]),
            p + R.apply(numbers.place[body]),
        )
    return found


def points(numbers):
    """Return where shapes and masses of what is fixed and the next joint are."""
    at, found = frames(numbers), {}
    for name in FIXED:
        body = MODEL.body(name).id
        R, p = at[body]
        found[f"{name}'s mass"] = p + R.apply(numbers.centre[body])
        first, count = MODEL.body_geomadr[body], MODEL.body_geomnum[body]
        for g in range(first, first + count):
            found[MODEL.geom(g).name] = p + R.apply(numbers.shape_place[g])
    R, p = at[SHANK]
    found["knee"] = p + R.apply(MODEL.jnt_pos[MODEL.joint("knee").id])
    return found


def second_moments(numbers):
    """Return Σ m p pᵀ about the joint, of all that is fixed to the thigh, (3, 3)."""
    at, total = frames(numbers), np.zeros((3, 3))
    for name in FIXED:
        body = MODEL.body(name).id
        R, p = at[body]
        inertia = numbers.inertia[body]
        own = R.as_matrix() @ (0.5 * np.trace(inertia) * np.eye(3) - inertia)
        c = p + R.apply(numbers.centre[body]) - START
        total += own @ R.as_matrix().T + MODEL.body_mass[body] * np.outer(c, c)
    return total


def longer(ratio):
    """Return numbers before and after, the link's way and the stretch S."""
    before, after = changeable_numbers(MODEL), changeable_numbers(MODEL)
    length = link_length(MODEL, THIGH, "x")
    stretched(MODEL, after, THIGH, ratio * length, "x")
    way = points(before)["knee"] - START
    assert length == pytest.approx(np.linalg.norm(way))
    d = way / length
    return before, after, np.eye(3) + (ratio - 1.0) * np.outer(d, d)


@pytest.mark.parametrize("ratio", [0.5, 1.0, 1.7])
def test_every_point_goes_along_the_link_by_its_way_from_the_joint(ratio):
    before, after, S = longer(ratio)
    moved = points(after)
    for name, p in points(before).items():
        # rounding: of rotations one in the other
        assert moved[name] == pytest.approx(START + S @ (p - START), abs=1e-14), name
    tip = MODEL.geom("tip").id
    assert (after.shape_place[tip] == before.shape_place[tip]).all()  # not the shank
    assert (after.inertia[SHANK] == before.inertia[SHANK]).all()


@pytest.mark.parametrize("ratio", [0.5, 1.7])
def test_masses_are_stretched_with_it(ratio):
    before, after, S = longer(ratio)
    wanted = S @ second_moments(before) @ S
    assert second_moments(after) == pytest.approx(wanted, abs=1e-14)
    assert after.mass.tolist() == before.mass.tolist()


SHAPES = """<mujoco><worldbody><body><freejoint/><geom size=".1"/><body name="link">
<joint axis="0 1 0"/>{shapes}<body name="next" pos="0 0 -.4"><joint axis="0 1 0"/>
<geom size=".01"/></body></body></body></worldbody></mujoco>"""


@pytest.mark.parametrize(
    ("shape", "ratios"),
    [
        ('type="capsule" size=".01 .2"', (1, 2, 1)),
        ('type="capsule" size=".01 .2" euler="180 0 0"', (1, 2, 1)),
        ('type="cylinder" size=".01 .2"', (1, 2, 1)),
        ('type="cylinder" size=".01 .2" euler="90 0 0"', (1, 1, 1)),
        ('type="capsule" size=".01 .2" euler="3 0 0"', (1, 1, 1)),
        ('type="box" size=".1 .2 .3"', (1, 1, 2)),
        ('type="box" size=".1 .2 .3" euler="90 0 0"', (1, 2, 1)),
        ('type="box" size=".1 .2 .3" euler="0 -90 0"', (2, 1, 1)),
        ('type="ellipsoid" size=".1 .2 .3" euler="-90 0 0"', (1, 2, 1)),
        ('size=".2"', (1, 1, 1)),
    ],
)
def test_a_shape_is_longer_along_the_axis_that_is_the_links(shape, ratios):
    text = SHAPES.format(shapes=f"<geom {shape} mass='1'/>")
    model = mujoco.MjModel.from_xml_string(text)
    numbers = changeable_numbers(model)
    stretched(model, numbers, 2, 0.8, "x")
    assert numbers.shape_size[1] == pytest.approx(model.geom_size[1] * ratios)


ENDS = """<mujoco><worldbody><body><freejoint/><geom size=".1"/>
<body name="link"><joint axis="0 1 0" pos="0 0 .1"/>
<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>{end}</body></body></worldbody>
</mujoco>"""
NEXT = '<body pos="{x} 0 -.2"><joint axis="0 1 0"/><geom size=".1"/></body>'


@pytest.mark.parametrize(
    ("end", "length"),
    [
        (NEXT.format(x=0), 0.3),
        (NEXT.format(x=0.4), 0.5),
        (NEXT.format(x=0) * 2, 0.3),  # two at one place
        ('<geom size=".1" pos="0 0 -.4"/><geom size=".1" pos="0 0 -.1"/>', 0.5),
        ('<geom size=".1" pos="0 0 .4"/><geom size=".1" pos="0 0 -.1"/>', 0.3),
        ('<geom size=".1"/><body pos="0 .3 -.3"><geom size=".1"/></body>', 0.5),
        ('<geom size=".1"/><body pos="0 .3 0" euler="90 0 0"><geom size=".1"/>'
         + NEXT.format(x=0) + "</body>", (0.5**2 + 0.1**2) ** 0.5),
    ],
)  # fmt: skip
def test_a_link_goes_from_its_joint_to_the_next_or_to_its_farthest_part(end, length):
    model = mujoco.MjModel.from_xml_string(ENDS.format(end=end))
    assert link_length(model, 2, "x") == pytest.approx(length)


@pytest.mark.parametrize(
    ("end", "said"),
    [
        (NEXT.format(x=0) + NEXT.format(x=1e-3), "it has joints in 2 places"),
        ('<geom size=".1" pos="0 0 .1"/>', "it ends where it begins"),
    ],
)
def test_what_has_no_length_says_so(end, said):
    model = mujoco.MjModel.from_xml_string(ENDS.format(end=end))
    with pytest.raises(ConfigError, match=said):
        link_length(model, 2, "x")
    with pytest.raises(
        ConfigError, match="only links that a joint moves have a length"
    ):
        link_length(model, 1, "x")
