"""Every limit of lint, from both sides: what is just credible, and what is not."""

import math
from pathlib import Path

import numpy as np
import pytest

from equipoise.robots.lint.lint import lint
from oracles.lint_robots import ball, link, linked, tetrahedron

SIDE = 0.2  # of the box that most links are
SIZE = SIDE * math.sqrt(3.0)  # its diagonal
SLACK = 0.05 * SIZE  # what shapes may leave out, a share of their size


def told(tmp_path: Path, *parts: str, body: str = "a") -> dict[str, str]:
    """Return level by what is said of one body of a URDF."""
    path = tmp_path / "robot.urdf"
    path.write_text(f'<robot name="r">{"".join(parts)}</robot>')
    return {f.what: f.level for f in lint(path).findings if f.body == body}


def box(mass: float, side: float = SIDE, **other: object) -> str:
    """Return a link that is an even box, unless told otherwise."""
    given = {"moments": (mass / 6.0 * side**2,) * 3, "box": (side,) * 3} | other
    return link("a", mass, **given)


LIMITS = [
    # of a mass, which count as credible themselves
    ("absurd mass", box(0.99e-6), "warning"),
    ("absurd mass", box(1e-6), None),
    ("absurd mass", box(1e4), None),
    ("absurd mass", box(1.01e4), "warning"),
    # 5 and 12000 kg/m³ of 0.008 m³
    ("absurd density", box(0.0396), "warning"),
    ("absurd density", box(0.0404), None),
    ("absurd density", box(95.0), None),
    ("absurd density", box(97.0), "warning"),
    # of the triangle inequality: rounding, and rounded digits
    *(
        ("inertia breaks the triangle inequality",
         box(8.0, moments=(0.05, 0.05, 0.1 / (1.0 - excess))), level)
        for excess, level in (
            (0.9e-9, None), (1.1e-9, "warning"), (0.0099, "warning"), (0.0101, "error")
        )
    ),
    # of the least moment, over the largest
    ("inertia is not positive definite", box(8.0, moments=(-1.1e-9, 1, 1)), "error"),
    ("inertia is not positive definite", box(8.0, moments=(-0.9e-9, 1, 1)), None),
    ("inertia is zero about an axis", box(8.0, moments=(-0.9e-9, 1, 1)), "warning"),
    ("inertia is zero about an axis", box(8.0, moments=(0.9e-9, 1, 1)), "warning"),
    ("inertia is zero about an axis", box(8.0, moments=(1.2e-9, 1, 1)), None),
    # radius of gyration √(3 I / 2 m) of a fiftieth of the size
    *(
        ("inertia is small for its size",
         box(8.0, moments=(8.0 / 1.5 * (share * 0.02 * SIZE) ** 2,) * 3), level)
        for share, level in ((0.99, "warning"), (1.01, None))
    ),
    # variance I / 2 m of as much as all mass at the walls, which are a bit farther out
    *(
        ("inertia is too large for its size",
         box(8.0, moments=(16.0 * share * (0.5 * SIDE + SLACK) ** 2,) * 3), level)
        for share, level in ((0.99, None), (1.01, "warning"))
    ),
    # of a small one by five millimetres
    *(
        ("inertia is too large for its size",
         box(0.05, 0.02, moments=(0.1 * share * 0.015**2,) * 3), level)
        for share, level in ((0.99, None), (1.01, "warning"))
    ),
    # a centre of mass outside of the hull: by a tenth of the size, or a centimetre
    *(
        ("centre of mass is outside the body's hull",
         box(8.0, com=f"0 0 {0.1 + away}"), level)
        for away, level in (
            (0.099 * SIZE, None), (0.101 * SIZE, "warning"),
            (2.99 * SIZE, "warning"), (3.01 * SIZE, "error"),
        )
    ),
    *(
        ("centre of mass is outside the body's hull",
         box(0.05, 0.02, com=f"0 0 {0.01 + away}"), level)
        for away, level in ((0.0099, None), (0.0101, "warning"))
    ),
]  # fmt: skip


@pytest.mark.parametrize(("what", "text", "level"), LIMITS)
def test_one_body_at_a_limit(tmp_path: Path, what: str, text: str, level):
    assert told(tmp_path, text).get(what) == level


OUTSIDE = "centre of mass is outside the robot"
LARGE = "inertia is too large for its size"


@pytest.mark.parametrize(
    ("what", "bare", "level"),
    [
        (OUTSIDE, {"com": f"{0.99 * SIZE} 0 0"}, None),
        (OUTSIDE, {"com": f"{1.01 * SIZE} 0 0"}, "warning"),
        (OUTSIDE, {"com": f"{2.99 * SIZE} 0 0"}, "warning"),
        (OUTSIDE, {"com": f"{3.01 * SIZE} 0 0"}, "error"),
        (LARGE, {"moments": (2.0 / 3.0 * (0.99 * SIZE) ** 2,) * 3}, None),
        (LARGE, {"moments": (2.0 / 3.0 * (1.01 * SIZE) ** 2,) * 3}, "warning"),
    ],
)
def test_a_body_without_shapes_is_compared_with_the_robot(tmp_path, what, bare, level):
    """The other link is all that is known of the robot's size."""
    given = {"moments": (0.01, 0.01, 0.01)} | bare
    other = box(8.0).replace('name="a"', 'name="b"')
    assert told(tmp_path, link("a", 1.0, **given), other).get(what) == level


@pytest.mark.parametrize(
    ("density", "said"),
    [
        (0.99, "inertia is too large for its mass"),
        (1.01, None),
        (11_900.0, None),
        (12_100.0, "inertia is too small for its mass"),
    ],
)
@pytest.mark.parametrize("radius", [0.03, 0.4])
def test_an_inertia_is_that_of_a_ball_of_a_density(tmp_path, radius, density, said):
    """Without a shape nothing but mass and inertia say how dense a body is."""
    mass, moment = ball(radius, density)
    found = told(tmp_path, link("a", mass, (moment,) * 3))
    assert set(found) == ({said} if said else set())
    assert set(found.values()) <= {"warning"}


@pytest.mark.parametrize(("density", "is_told"), [(11_900.0, False), (12_100.0, True)])
def test_a_flat_body_counts_as_a_tenth_as_thick_as_wide(tmp_path, density, is_told):
    """An ellipsoid with half axes r, r, r / 10, whose thickness its inertia denies."""
    r = 0.1
    mass = density * 4.0 / 3.0 * math.pi * 0.1 * r**3
    across = 0.2 * mass * r**2
    thin = 1e-6 * across  # more than rounding of the triangle inequality
    found = told(tmp_path, link("a", mass, (across, across, 2.0 * across - thin)))
    assert ("inertia is too small for its mass" in found) is is_told


@pytest.mark.parametrize(("density", "is_told"), [(0.99, True), (1.01, False)])
def test_a_sheet_has_some_thickness_all_the_same(tmp_path, density, is_told):
    """A radius of gyration of a tenth of a millimetre: √5 of that is its half axis."""
    r, half = 0.5, math.sqrt(5.0) * 1e-4
    mass = density * 4.0 / 3.0 * math.pi * half * r**2
    across = 0.2 * mass * r**2
    found = told(tmp_path, link("a", mass, (across, across, 2.0 * across)))
    assert ("inertia is too large for its mass" in found) is is_told


@pytest.mark.parametrize(
    ("mass", "is_told"),
    # two dice 0.9 m apart fill 0.002 m³ of a hull of 0.01 m³
    [(0.0099, True), (0.0101, False), (119.0, False), (121.0, True)],
)
def test_thin_is_of_the_shapes_and_dense_of_their_hull(tmp_path, mass, is_told):
    dice = "".join(
        f'<collision><origin xyz="{x} 0 0"/><geometry><box size="0.1 0.1 0.1"/>'
        "</geometry></collision>"
        for x in (-0.45, 0.45)
    )
    far = mass * 0.45**2
    text = link("a", mass, (mass / 600, far, far), shape=dice)
    assert ("absurd density" in told(tmp_path, text)) is is_told


@pytest.mark.parametrize(
    ("steps", "is_told"),
    [
        ((0.05, 0.05, 2.99), False),
        ((0.05, 0.05, 3.01), True),
        ((0.1, 0.1, 4.99), False),  # fifty times as far as others
        ((0.1, 0.1, 5.01), True),
        ((0.1, 0.1, 0.0, 0.0, 0.0, 5.01), True),  # those at no distance do not count
        ((4.0, 4.0, 4.0), False),
    ],
)
def test_a_body_that_is_far_from_its_parent(tmp_path, steps, is_told):
    """Each link hangs on the first, so far along x; the last is looked at."""
    text = linked([(f"{step} 0 0", "revolute") for step in steps], SIDE)
    found = told(tmp_path, text, body=f"l{len(steps)}")
    assert ("it is far from its parent" in found) is is_told


@pytest.mark.parametrize(
    ("size", "step", "mass", "said"),
    [
        (19.9, 0.1, 8.0, None),
        (20.1, 0.1, 8.0, "mesh units are off by 1000"),
        (49.0, 1.0, 8.0, None),  # fifty times the longest step
        (51.0, 1.0, 8.0, "mesh units are off by 1000"),
        (2.1e-3, 0.1, 8.0, None),
        (1.9e-3, 0.1, 8.0, "mesh units may be off by 1000"),
        (1.9e-3, 0.1, 0.1, None),  # so light a part may be that small
        (1.9e-3, 0.1, 0.11, "mesh units may be off by 1000"),
    ],
)
def test_meshes_in_other_units(tmp_path, size, step, mass, said):
    tetrahedron(tmp_path / "part.stl", size)
    mesh = '<visual><geometry><mesh filename="part.stl"/></geometry></visual>'
    part = link("a", mass, (1e-3,) * 3, shape=mesh)
    other = box(8.0).replace('name="a"', 'name="b"')
    joint = (
        '<joint name="j" type="revolute"><parent link="a"/><child link="b"/>'
        f'<origin xyz="{step} 0 0"/></joint>'
    )
    units = {w for w in told(tmp_path, part, other, joint) if "mesh units" in w}
    assert units == ({said} if said else set())


@pytest.mark.parametrize(
    ("total", "level"),
    [
        (0.99e-3, "warning"),
        (1e-3, None),
        (1e5, None),
        (1.01e5, "warning"),
    ],
)
def test_the_mass_of_the_whole(tmp_path, total, level):
    text = [box(total / 16).replace('name="a"', f'name="{k}"') for k in range(16)]
    found = told(tmp_path, *text, body="")
    assert found == ({"the whole mass is unusual": level} if level else {})


# --- two bodies -----------------------------------------------------------------------


def sides(tmp_path: Path, left: str, right: str) -> dict[str, str]:
    """Return what is said of a left-hand link, less the name of its partner."""
    found = told(
        tmp_path,
        left.replace('name="a"', 'name="left"'),
        right.replace('name="a"', 'name="right"'),
        body="left",
    )
    return {what.partition(" 'right'")[0]: level for what, level in found.items()}


@pytest.mark.parametrize(
    ("share", "level"),
    [(0.0099, None), (0.0102, "note"), (0.0495, "note"), (0.0505, "warning")],
)
@pytest.mark.parametrize("is_left_heavy", [False, True])
def test_sides_of_other_masses(tmp_path, share, level, is_left_heavy):
    """A share of the heavier one; their inertias are the same."""
    heavy = box(8.0)
    light = link("a", 8.0 * (1.0 - share), (8.0 / 6.0 * SIDE**2,) * 3, box=(SIDE,) * 3)
    pair = (heavy, light) if is_left_heavy else (light, heavy)
    found = sides(tmp_path, *pair)
    assert found.get("mass differs from") == level
    assert set(found) <= {"mass differs from", "inertia is a place holder"}


@pytest.mark.parametrize(
    ("share", "level"),
    [(0.049, None), (0.051, "note"), (0.299, "note"), (0.301, "warning")],
)
def test_sides_of_other_moments(tmp_path, share, level):
    """A share of the largest, by the principal moments."""
    moment = 8.0 / 6.0 * SIDE**2
    other = box(8.0, moments=(moment, moment, moment * (1.0 - share)))
    found = sides(tmp_path, box(8.0), other)
    assert found.get("inertia differs from") == level
    assert "inertia is not the mirror image of" not in found


@pytest.mark.parametrize(
    ("off", "level"),
    # credible up to a tenth of the size, which is 0.0346 m; small ones up to 1 cm
    [
        (1.9e-3, None),
        (2.1e-3, "note"),
        (0.099 * SIZE, "note"),
        (0.101 * SIZE, "warning"),
    ],
)
def test_sides_with_other_centres_of_mass(tmp_path, off, level):
    found = sides(tmp_path, box(8.0), box(8.0, com=f"0 {off} 0"))
    assert found.get("centre of mass is not the mirror image of") == level


@pytest.mark.parametrize(("off", "level"), [(9.9e-3, "note"), (10.1e-3, "warning")])
def test_small_sides_with_other_centres_of_mass(tmp_path, off, level):
    small = {"side": 0.04, "mass": 0.3}
    found = sides(tmp_path, box(**small), box(**small, com=f"0 {off} 0"))
    assert found.get("centre of mass is not the mirror image of") == level


def test_sides_whose_products_have_the_same_sign_are_not_mirrored(tmp_path):
    """Mirrored at y = 0 the products with y turn over, and xz stays as it is."""
    legs = (
        '<joint name="{n}" type="revolute"><parent link="trunk"/><child link="{n}"/>'
        '<origin xyz="0 {y} 0"/></joint>'
    )
    joints = legs.format(n="left", y=0.3) + legs.format(n="right", y=-0.3)
    trunk = box(8.0).replace('name="a"', 'name="trunk"')
    plate = {"mass": 8.0, "box": (0.4, 0.2, 0.1), "moments": (0.033, 0.113, 0.133)}

    def said(one: str, two: str) -> set[str]:
        pair = [
            link(n, products=products, **plate)
            for n, products in (("left", one), ("right", two))
        ]
        found = told(tmp_path, trunk, *pair, joints, body="left")
        return {w for w in found if "mirror" in w or "differs" in w}

    wrong = {"inertia is not the mirror image of 'right'"}
    assert said("0.01 0.01 0.01", "-0.01 0.01 -0.01") == set()
    assert said("0.01 0 0", "0.01 0 0") == wrong
    assert said("0 0.01 0", "0 -0.01 0") == wrong
    assert said("0 0 0.01", "0 0 0.01") == wrong


@pytest.mark.parametrize(
    ("mass", "away", "is_told"),
    # as heavy as a thousandth of the robot, and as near as a hundredth of a millimetre
    [(8.0, 0.0, True), (8.0, 0.9e-5, True), (8.0, 1.1e-5, False), (0.0079, 0.0, False),
     (0.0082, 0.0, True)],
)  # fmt: skip
def test_a_body_that_is_there_twice(tmp_path, mass, away, is_told):
    heavy = box(8.0).replace('name="a"', 'name="trunk"')
    if mass == 8.0:
        heavy = box(16.0).replace('name="a"', 'name="trunk"')
    joint = (
        '<joint name="{n}" type="fixed"><parent link="trunk"/><child link="{n}"/>'
        '<origin xyz="{x} 0 0.5"/></joint>'
    )
    one = box(mass, com="0.01 0.02 0.03").replace('name="a"', 'name="one"')
    two = one.replace('name="one"', 'name="two"')
    joints = joint.format(n="one", x=0.0) + joint.format(n="two", x=away)
    found = told(tmp_path, heavy, one, two, joints, body="two")
    assert ("the same mass as 'one' at the same place" in found) is is_told


@pytest.mark.parametrize(("share", "is_told"), [(0.049, False), (0.051, True)])
def test_an_inertia_that_bodies_of_other_masses_share(tmp_path, share, is_told):
    """And that is not nearly the one that their shapes have."""
    moments = (0.02, 0.03, 0.04)
    heavy = box(8.0, moments=moments)
    light = box(8.0 * (1.0 - share), moments=moments).replace('name="a"', 'name="b"')
    assert ("inertia is a place holder" in told(tmp_path, heavy, light)) is is_told


@pytest.mark.parametrize(("off", "is_told"), [(0.19, False), (0.21, True)])
def test_a_shared_inertia_that_could_be_computed_is_none(tmp_path, off, is_told):
    """Variances within a fifth of the even box's; the other body makes it shared."""
    even = 8.0 / 6.0 * SIDE**2
    moments = tuple(even * (1.0 + off) for _ in range(3))
    one = box(8.0, moments=moments)
    other = box(40.0, moments=moments).replace('name="a"', 'name="b"')
    assert ("inertia is a place holder" in told(tmp_path, one, other)) is is_told


@pytest.mark.parametrize(("length", "is_told"), [(1.79, False), (1.81, True)])
def test_three_equal_moments_of_a_long_body(tmp_path, length, is_told):
    shape = box(8.0, moments=(0.05,) * 3, box=(SIDE, SIDE, length * SIDE))
    assert ("inertia is a place holder" in told(tmp_path, shape)) is is_told


def test_what_has_next_to_no_mass_is_a_note_where_it_is_fixed(tmp_path):
    """A ten-thousandth of the robot's mass; a joint makes it a part of its own."""
    joint = '<joint name="j" type="{}"><parent link="trunk"/><child link="a"/></joint>'
    trunk = box(10.0).replace('name="a"', 'name="trunk"')
    levels = {}
    for share in (0.99e-4, 1.02e-4):
        bad = box(10.0 * share, moments=(1e-9, 1e-9, 1e-8))
        for kind in ("fixed", "revolute"):
            found = told(tmp_path, trunk, bad, joint.format(kind))
            levels[share, kind] = found["inertia breaks the triangle inequality"]
    assert levels == {
        (0.99e-4, "fixed"): "note",
        (0.99e-4, "revolute"): "error",
        (1.02e-4, "fixed"): "error",
        (1.02e-4, "revolute"): "error",
    }


def test_what_the_numbers_say_is_what_is_shown(tmp_path):
    """By hand, of an even plate of 6 kg with sides of 0.2, 0.3 and 0.4 m."""
    path = tmp_path / "robot.urdf"
    sides_m = np.array([0.2, 0.3, 0.4])
    text = link("a", 6.0, (1.0, 1.0, 1.0), box=tuple(sides_m))
    path.write_text(f'<robot name="r">{text}</robot>')
    (found,) = lint(path).findings
    b2 = sides_m**2
    moments = 0.5 * (b2.sum() - b2)
    words = [
        f"{n}={m:.6g}" for n, m in zip(("ixx", "iyy", "izz"), moments, strict=True)
    ]
    assert found.suggestion.endswith(f"{' '.join(words)} ixy=0 ixz=0 iyz=0")
    # √(tr(I) / 2m)
    assert found.value == "radius of gyration 0.5 m"


def test_a_side_without_a_mass_has_no_centre_to_compare(tmp_path):
    bare = (
        '<link name="left"><collision><geometry><box size="0.2 0.2 0.2"/></geometry>'
        "</collision></link>"
    )
    heavy = box(8.0, com="0 0.05 0").replace('name="a"', 'name="right"')
    for parts in ((bare, heavy), (bare.replace("left", "right"),
                                  heavy.replace("right", "left"))):  # fmt: skip
        found = told(tmp_path, *parts, body="left")
        assert found.pop("mass differs from 'right'") == "warning"
        assert not any("mirror" in what or "inertia" in what for what in found)


@pytest.mark.parametrize("side", [SIDE, 2.0 * SIDE])
def test_an_inertia_may_be_computed_from_what_is_drawn_or_from_what_touches(
    tmp_path, side
):
    """Two boxes of one body, one drawn; another body has the same inertia."""
    shapes = "".join(
        f'<{kind}><geometry><box size="{size} {size} {size}"/></geometry></{kind}>'
        for kind, size in (("collision", SIDE), ("visual", 2.0 * SIDE))
    )
    moments = (8.0 / 6.0 * side**2,) * 3
    one = link("a", 8.0, moments, shape=shapes)
    other = link("b", 40.0, moments, shape=shapes)
    assert "inertia is a place holder" not in told(tmp_path, one, other)
    assert "inertia is a place holder" in told(tmp_path, one, other, body="b")
