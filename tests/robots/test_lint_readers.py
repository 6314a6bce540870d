"""What lint reads from a file is what MuJoCo compiles: poses, masses, inertias, shapes.

Lint reads files by itself, so that one can be looked at that no engine accepts; of one
that MuJoCo accepts both must say the same.
"""

import math
from pathlib import Path
from xml.etree import ElementTree as ET

import mujoco
import numpy as np
import pytest

from equipoise.robots.files.places import mesh_places
from equipoise.robots.lint import shapes
from equipoise.robots.lint.body import LintBody, Reading
from equipoise.robots.lint.mjcf import read_mjcf_bodies
from equipoise.robots.lint.shapes import LintShape, mesh_shape, round_shape
from equipoise.robots.lint.sides import other_side, pairs
from equipoise.robots.lint.suggestions import box_guess, six, three
from equipoise.robots.lint.urdf import read_urdf_bodies

ROUND = 1e-9  # of compiled numbers of about one, some ten operations each
TURNS = [
    'quat="0.5 -0.1 0.7 0.3"',
    'quat="2 0 0 0.4"',  # not of unit length
    'euler="20 -35 50"',
    'axisangle="1 2 -2 40"',
    'xyaxes="1 1 0 -1 2 1"',  # not at right angles
    'zaxis="0.3 -0.4 0.5"',
    'zaxis="0 0 -1"',
    "",
]
"""Each turns about no axis of symmetry of the box below."""


def read(text: str, folder: Path) -> tuple[Reading, mujoco.MjModel]:
    """Return what lint reads in an MJCF text, and what MuJoCo compiles."""
    path = folder / "robot.xml"
    path.write_text(text)
    reading = read_mjcf_bodies(ET.fromstring(text), mesh_places(path))
    return reading, mujoco.MjModel.from_xml_path(str(path))


def world_poses(model: mujoco.MjModel) -> mujoco.MjData:
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    return data


def central(model: mujoco.MjModel, data: mujoco.MjData, body: int) -> np.ndarray:
    """Return a body's inertia about its centre of mass, along its own axes."""
    R_BI = data.xmat[body].reshape(3, 3).T @ data.ximat[body].reshape(3, 3)
    return R_BI @ np.diag(model.body_inertia[body]) @ R_BI.T


def assert_alike(reading: Reading, model: mujoco.MjModel, *, has_mass=True) -> None:
    """Expect the bodies of both to be the same, in the same order."""
    data = world_poses(model)
    names = [model.body(b).name for b in range(1, model.nbody)]
    assert [body.name for body in reading.bodies] == names
    for b, body in enumerate(reading.bodies, start=1):
        R, p = body.pose
        np.testing.assert_allclose(p, data.xpos[b], atol=ROUND)
        np.testing.assert_allclose(R.ravel(), data.xmat[b], atol=ROUND)
        parent = int(model.body_parentid[b])
        assert (body.parent.name if body.parent else "world") == (
            model.body(parent).name
        )
        assert body.moves is bool(model.body_jntnum[b])
        if has_mass:
            assert body.mass == pytest.approx(model.body_mass[b], rel=1e-9)
    assert reading.robot.mass == pytest.approx(model.body_mass.sum(), rel=1e-9) or (
        not has_mass
    )


INERTIAL = '<inertial pos="0.1 -0.2 0.3" mass="{}" diaginertia="0.3 0.4 0.5" {}/>'


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize(
    ("angle", "order"), [("degree", "xyz"), ("radian", "zyx"), ("degree", "XZy")]
)
def test_every_way_to_turn_a_body_turns_it_as_mujoco_does(tmp_path, turn, angle, order):
    text = (
        f'<mujoco><compiler angle="{angle}" eulerseq="{order}"/><worldbody>'
        f'<body name="one" pos="1 2 3" {turn}><freejoint/>{INERTIAL.format(2, "")}'
        f'<body name="two" pos="0.4 -0.5 0.6" {turn}><joint axis="0 0 1"/>'
        f'{INERTIAL.format(3, turn)}<body name="three" pos="0 0 0.2">'
        f"{INERTIAL.format(1, turn)}</body></body></body></worldbody></mujoco>"
    )
    reading, model = read(text, tmp_path)
    assert_alike(reading, model)
    data = world_poses(model)
    for b, body in enumerate(reading.bodies, start=1):
        np.testing.assert_allclose(body.com, model.body_ipos[b])
        np.testing.assert_allclose(body.inertia, central(model, data, b), atol=ROUND)
        assert not body.lacks_inertia
    # the longest step is one between bodies, not to the first
    assert reading.reach == pytest.approx(math.sqrt(0.16 + 0.25 + 0.36))
    steps = [reading.reach, 0.2]
    assert reading.robot.usual_step == pytest.approx(np.mean(steps))
    assert reading.findings == []


def test_a_full_inertia_has_its_products_where_they_belong(tmp_path):
    text = (
        '<mujoco><worldbody><body name="one"><freejoint/><inertial pos="0 0 0" mass="2"'
        ' fullinertia="3 4 5 0.1 0.2 0.3"/></body></worldbody></mujoco>'
    )
    reading, model = read(text, tmp_path)
    (body,) = reading.bodies
    found = central(model, world_poses(model), 1)
    np.testing.assert_allclose(body.inertia, found, atol=1e-8)
    assert body.inertia[0, 1] == 0.1 and body.inertia[1, 2] == 0.3


@pytest.mark.parametrize("turn", TURNS)
def test_frames_move_what_is_in_them(tmp_path, turn):
    geom = f'<geom type="box" size="0.1 0.2 0.3" pos="0.1 0 0.2" {turn}/>'
    text = (
        f'<mujoco><worldbody><frame pos="1 0 2" {turn}><body name="one" {turn}>'
        f"<freejoint/>{geom}"
        f'<frame pos="0.5 -0.1 0" {turn}><frame pos="0 0.3 0.1" {turn}>{geom}'
        f'<body name="two" pos="0 0 1"><joint/>{geom}</body></frame></frame></body>'
        "</frame></worldbody></mujoco>"
    )
    reading, model = read(text, tmp_path)
    assert_alike(reading, model)
    data = world_poses(model)
    shape_of = [s for body in reading.bodies for s in body.shapes]
    bodies = [body for body in reading.bodies for _ in body.shapes]
    assert len(shape_of) == model.ngeom == 3
    for geom_, (shape, body) in enumerate(zip(shape_of, bodies, strict=True)):
        R, p = body.pose
        corners = shape.points @ R.T + p
        size, Rg = model.geom_size[geom_], data.geom_xmat[geom_].reshape(3, 3)
        signs = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, -1).T
        wanted = (signs * size) @ Rg.T + data.geom_xpos[geom_]
        gaps = np.linalg.norm(corners[:, None] - wanted[None], axis=2)
        assert gaps.min(axis=0).max() < ROUND and gaps.min(axis=1).max() < ROUND


KINDS = [
    ("box", "0.1 0.2 0.3"),
    ("sphere", "0.2"),
    ("cylinder", "0.1 0.3"),
    ("capsule", "0.1 0.3"),
    ("ellipsoid", "0.1 0.2 0.3"),
]


@pytest.mark.parametrize(("kind", "size"), KINDS)
@pytest.mark.parametrize("says", ["", 'density="300"', 'mass="7"'])
def test_a_shape_weighs_as_much_as_mujoco_says(tmp_path, kind, size, says):
    text = (
        '<mujoco><worldbody><body name="one"><freejoint/>'
        f'<geom type="{kind}" size="{size}" {says} pos="0.1 0.2 0.3"/>'
        '<geom type="sphere" size="0.1"/></body></worldbody></mujoco>'
    )
    reading, model = read(text, tmp_path)
    assert_alike(reading, model)
    (body,) = reading.bodies
    volumes = {
        "box": 8 * 0.006, "sphere": 4 / 3 * math.pi * 0.008,
        "cylinder": math.pi * 0.01 * 0.6, "ellipsoid": 4 / 3 * math.pi * 0.006,
        "capsule": math.pi * 0.01 * 0.6 + 4 / 3 * math.pi * 0.001,
    }  # fmt: skip
    (shape,) = (s for s in body.shapes if s.centre[0] > 0.01)
    assert shape.volume == pytest.approx(volumes[kind])
    # the least usual density of its shapes
    wanted = {"": 1000.0, 'density="300"': 300.0}.get(says, 7.0 / volumes[kind])
    assert body.density == pytest.approx(wanted)
    assert body.volume == pytest.approx(volumes[kind] + 4 / 3 * math.pi * 1e-3)
    np.testing.assert_allclose(shape.centre, (0.1, 0.2, 0.3), atol=1e-12)
    half = [float(x) for x in size.split()]
    widest = {"cylinder": 0.3, "capsule": 0.4}.get(kind, max(half))
    assert shape.extent == pytest.approx(2 * widest)


@pytest.mark.parametrize("kind", ["box", "cylinder", "capsule", "ellipsoid"])
def test_a_shape_between_two_points_reaches_from_one_to_the_other(tmp_path, kind):
    ends = (0.1, -0.2, 0.3, 0.5, 0.2, 0.5)
    words = " ".join(map(str, ends))
    text = (
        '<mujoco><worldbody><body name="one"><freejoint/>'
        f'<geom type="{kind}" size="0.1" fromto="{words}"/></body></worldbody></mujoco>'
    )
    reading, model = read(text, tmp_path)
    assert_alike(reading, model)
    ((shape,),) = [body.shapes for body in reading.bodies]
    np.testing.assert_allclose(shape.centre, model.geom_pos[0], atol=ROUND)
    way = np.subtract(ends[3:], ends[:3])
    far = (shape.points - shape.centre) @ way / np.linalg.norm(way)
    half = 0.3 + (0.1 if kind == "capsule" else 0.0)
    assert far.max() == pytest.approx(half) and far.min() == pytest.approx(-half)
    rest = shape.points - shape.centre - np.outer(far, way / np.linalg.norm(way))
    # corners of a square, or points of a circle
    most = 0.1 * (math.sqrt(2.0) if kind == "box" else 1.0)
    assert np.linalg.norm(rest, axis=1).max() == pytest.approx(most)
    if kind == "box":  # a square across, turned as MuJoCo turns it
        R = np.zeros(9)
        mujoco.mju_quat2Mat(R, model.geom_quat[0])
        own = (shape.points - shape.centre) @ R.reshape(3, 3)
        np.testing.assert_allclose(np.abs(own), [[0.1, 0.1, 0.3]] * 8, atol=ROUND)


def test_classes_settings_and_groups_are_followed(tmp_path):
    text = """<mujoco><compiler angle="radian" boundmass="0.5" settotalmass="30"
     inertiagrouprange="0 1"/>
     <default><geom density="500" type="box" size=".1 .2 .3"/>
      <default class="light"><geom density="200"/>
       <default class="thin"><geom size=".1 .2 .05"/></default></default>
      <default class="ghost"><geom group="3"/></default></default>
     <worldbody><body name="a"><freejoint/><geom/><geom class="ghost"/>
      <body name="b" childclass="light" pos="0 0 1"><joint/><geom/>
       <body name="c" pos="0 1 0"><joint/><geom class="thin"/>
        <geom type="sphere" size="0.1" contype="0" conaffinity="0"/></body>
       <body name="d" pos="0 2 0"><joint/><geom class="main" size=".01 .01 .01"/></body>
      </body></body></worldbody></mujoco>"""
    reading, model = read(text, tmp_path)
    assert_alike(reading, model)
    assert model.body_mass.sum() == pytest.approx(30.0)
    bodies = {body.name: body for body in reading.bodies}
    assert sorted(s.is_drawn for s in bodies["c"].shapes) == [False, True]
    # what is drawn beside what touches does not count twice
    assert bodies["c"].volume == pytest.approx(8 * 0.001)
    assert bodies["a"].carried_mass == pytest.approx(30.0 - bodies["a"].mass)
    assert bodies["b"].carried_mass == pytest.approx(
        bodies["c"].mass + bodies["d"].mass
    )
    assert bodies["d"].root is bodies["a"]
    scale = 30.0 / (
        0.048 * 500 + 0.048 * 200 + (0.008 + 4e-3 / 3 * math.pi) * 200 + 0.5
    )
    assert bodies["b"].density == pytest.approx(200 * scale)


@pytest.mark.parametrize("word", ["true", "false", "auto"])
def test_inertias_of_shapes_are_taken_where_the_file_says_so(tmp_path, word):
    own = INERTIAL.format(1, "") if word == "false" else ""
    text = (
        f'<mujoco><compiler inertiafromgeom="{word}"/><worldbody>'
        f'<body name="a"><freejoint/>{INERTIAL.format(2, "")}<geom size="0.1"/></body>'
        f'<body name="b"><freejoint/>{own}'
        '<geom size="0.2"/></body></worldbody></mujoco>'
    )
    reading, model = read(text, tmp_path)
    assert_alike(reading, model)
    assert (reading.bodies[0].inertia is None) is (word == "true")


def test_what_is_not_followed_is_a_note(tmp_path):
    text = (
        '<mujoco><worldbody><replicate count="2"><body><freejoint/>'
        "<geom size='.1'/></body></replicate></worldbody></mujoco>"
    )
    found = read_mjcf_bodies(ET.fromstring(text), mesh_places(tmp_path / "r.xml"))
    ((finding,),) = [found.findings]
    assert (finding.level, finding.what) == ("note", "<replicate> is not followed")


@pytest.mark.parametrize("suffix", [".stl", ".obj"])
def test_a_mesh_is_as_large_as_its_file_and_scale_say(tmp_path, suffix):
    points = [(0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 0, 3)]
    faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    path = tmp_path / f"part{suffix}"
    if suffix == ".obj":
        rows = [f"v {x} {y} {z}" for x, y, z in points]
        # texture and normal numbers, and one face counted from the end
        rows += ["f " + " ".join(f"{k + 1}/7/9" for k in f) for f in faces[:3]]
        rows += ["f " + " ".join(str(k - 4) for k in faces[3])]
        path.write_text("\n".join(rows))
    else:
        rows = ["solid part"]
        for face in faces:
            rows += ["facet normal 0 0 1", "outer loop"]
            rows += ["vertex {} {} {}".format(*points[k]) for k in face]
            rows += ["endloop", "endfacet"]
        path.write_text("\n".join([*rows, "endsolid"]))
    shape = mesh_shape(path, np.array([1.0, 0.5, -2.0]), "part")
    assert shape.volume == pytest.approx(1.0)  # 1 2 3 / 6, by 1/2 and 2
    corners = {tuple(p) for p in np.round(shape.points, 9).tolist()}
    assert corners == {(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, -6)}
    assert (shape.mesh, shape.is_drawn) == ("part", False)
    path.write_bytes(b"v 1 2\nf 1 2 3\n" if suffix == ".obj" else b"vertex 1 2")
    assert mesh_shape(path, np.ones(3), "part") is None
    assert mesh_shape(tmp_path / "part.dae", np.ones(3), "part") is None
    assert mesh_shape(None, np.ones(3), "part") is None


def test_a_square_of_an_obj_file_is_two_triangles():
    text = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvn 0 0 1\nf 1 2 3 4\nf 4 3 2\n"
    found = shapes._obj_triangles(text)
    assert found[:, :, :2].tolist() == [
        [[0, 0], [1, 0], [1, 1]], [[0, 0], [1, 1], [0, 1]], [[0, 1], [1, 1], [1, 0]],
    ]  # fmt: skip


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_binary_stl_file_has_its_triangles(count):
    rows = np.zeros(count, [("n", "<f4", 3), ("at", "<f4", (3, 3)), ("more", "<u2")])
    rows["at"] = np.arange(9.0 * count).reshape(-1, 3, 3)
    content = b"x" * 80 + count.to_bytes(4, "little") + rows.tobytes()
    np.testing.assert_array_equal(shapes._stl_triangles(content), rows["at"])


def test_points_of_round_shapes_are_on_them():
    ball = round_shape("ellipsoid", np.array([1.0, 2.0, 3.0])).points / [1.0, 2.0, 3.0]
    np.testing.assert_allclose(np.linalg.norm(ball, axis=1), 1.0)
    rows = {tuple(p) for p in (np.round(ball, 9) + 0.0).tolist()}
    for axis in np.eye(3).tolist():
        assert tuple(axis) in rows and tuple(-x + 0.0 for x in axis) in rows
    can = round_shape("cylinder", np.array([0.5, 2.0])).points
    np.testing.assert_allclose(np.hypot(can[:, 0], can[:, 1]), 0.5)
    assert sorted(np.unique(can[:, 2]).tolist()) == [-2.0, 2.0]
    pill = round_shape("capsule", np.array([0.5, 2.0])).points
    off = np.abs(pill[:, 2]) - 2.0
    reach = np.hypot(np.hypot(pill[:, 0], pill[:, 1]), np.maximum(off, 0.0))
    assert reach.max() == pytest.approx(0.5) and off.max() == pytest.approx(0.5)
    for kind, size in (("cylinder", [0.1]), ("box", [0.1, 0.2]), ("plane", [1, 1, 1]),
                       ("sphere", []), ("box", [1.0, np.nan, 1.0])):  # fmt: skip
        assert round_shape(kind, np.array(size)) is None


# --- URDF -----------------------------------------------------------------------------


def test_a_urdf_is_read_as_mujoco_reads_it(tmp_path):
    text = """<robot name="r"><link name="a"><inertial><mass value="2"/>
     <origin xyz="0.1 0.2 0.3"/><inertia ixx="3" iyy="4" izz="5" ixy="0.1" ixz="0.2"
     iyz="0.3"/></inertial></link>
     <link name="b"><inertial><mass value="3"/><origin xyz="0 0.1 0"
     rpy="0.2 -0.3 0.4"/><inertia ixx="1" iyy="2" izz="2.5"
     ixy="0" ixz="0" iyz="0"/></inertial>
     <collision><origin xyz="1 2 3" rpy="0.3 0.2 0.1"/><geometry>
     <cylinder radius="0.1" length="0.6"/></geometry></collision>
     <visual><geometry><box size="0.2 0.4 0.6"/></geometry></visual></link>
     <link name="c"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0"
     ixz="0" iyz="0"/>
     </inertial></link>
     <joint name="j" type="revolute"><parent link="a"/><child link="b"/>
     <origin xyz="0.3 0.4 0" rpy="0.5 0.6 0.7"/><limit effort="0" velocity="1"
     lower="-1" upper="1"/></joint>
     <joint name="k" type="prismatic"><parent link="b"/><child link="c"/>
     <origin xyz="0 0 0.7" rpy="0 0 1"/><limit effort="5" velocity="1" lower="-1"
     upper="1"/></joint></robot>"""
    path = tmp_path / "r.urdf"
    path.write_text(text)
    reading = read_urdf_bodies(ET.fromstring(text), mesh_places(path))
    spec = mujoco.MjSpec.from_file(str(path))
    spec.compiler.fusestatic = False
    spec.compiler.discardvisual = False
    data = world_poses(model := spec.compile())
    bodies = {body.name: body for body in reading.bodies}
    R_WA, p_WA = np.eye(3), np.zeros(3)
    for name in "bc":
        R, p = bodies[name].pose
        np.testing.assert_allclose(R_WA @ p + p_WA, data.body(name).xpos, atol=ROUND)
        np.testing.assert_allclose(R.ravel(), data.body(name).xmat, atol=ROUND)
    # rpy about fixed axes: turned by roll, then pitch, then yaw
    r, q, y = 0.2, -0.3, 0.4
    X = np.array([[1, 0, 0], [0, math.cos(r), -math.sin(r)],
                  [0, math.sin(r), math.cos(r)]])  # fmt: skip
    Y = np.array([[math.cos(q), 0, math.sin(q)], [0, 1, 0],
                  [-math.sin(q), 0, math.cos(q)]])  # fmt: skip
    Z = np.array([[math.cos(y), -math.sin(y), 0], [math.sin(y), math.cos(y), 0],
                  [0, 0, 1]])  # fmt: skip
    R = Z @ Y @ X
    np.testing.assert_allclose(bodies["b"].inertia, R @ np.diag([1, 2, 2.5]) @ R.T)
    assert bodies["a"].inertia.tolist() == [
        [3, 0.1, 0.2], [0.1, 4, 0.3], [0.2, 0.3, 5],
    ]  # fmt: skip
    assert [body.mass for body in reading.bodies] == [2.0, 3.0, 1.0]
    np.testing.assert_array_equal(bodies["b"].com, [0.0, 0.1, 0.0])
    assert [body.moves for body in reading.bodies] == [False, True, True]
    assert (reading.reach, model.nbody) == (0.7, 4 if model.nbody == 4 else 3)
    solid, drawn = bodies["b"].shapes
    assert (solid.is_drawn, drawn.is_drawn) == (False, True)
    np.testing.assert_allclose(solid.centre, (1, 2, 3), atol=0.02)
    assert solid.volume == pytest.approx(math.pi * 0.006)
    assert (drawn.volume, drawn.extent) == pytest.approx((0.048, 0.6))
    (finding,) = reading.findings
    assert (finding.level, finding.what, finding.value) == (
        "warning", "effort of 0: no torque limit is known", "1 joint (j)",
    )  # fmt: skip


@pytest.mark.parametrize(("count", "said"), [
    (3, "3 joints (j0, j1, j2)"), (4, "4 joints (j0, j1, j2, ...)"),
])  # fmt: skip
def test_efforts_of_zero_are_listed_up_to_three(tmp_path, count, said):
    joint = (
        '<joint name="j{0}" type="{1}"><parent link="a"/><child link="b{0}"/>'
        '<limit effort="{2}"/>{3}</joint>'
    )
    rows = [joint.format(k, ("revolute", "continuous", "prismatic")[k % 3], 0, "")
            for k in range(count)]  # fmt: skip
    rows.append(joint.format(9, "fixed", 0, ""))  # these ask for none
    rows.append(joint.format(8, "revolute", 0, '<mimic joint="j0"/>'))
    rows.append(joint.format(7, "revolute", "1e-9", ""))
    root = ET.fromstring(f'<robot name="r"><link name="a"/>{"".join(rows)}</robot>')
    found = read_urdf_bodies(root, mesh_places(tmp_path / "r.urdf")).findings
    assert [finding.value for finding in found] == [said]


# --- numbers, names, suggestions ------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "count", "what", "better"),
    [
        ("1 two 3", 3, "is not a number", "write 3 numbers"),
        ("one", 1, "is not a number", "write 1 number"),
        ("one", 0, "is not a number", "write plain numbers"),
        ("1 nan", 2, "is not finite", "write a finite number"),
        ("1 2", 3, "has 2 numbers", "write 3"),
        ("-1e300", 1, "is too large to compute", "write a number below"),
    ],
)
def test_numbers_that_are_none_are_findings(text, count, what, better):
    reading = Reading("mjcf")
    assert reading.numbers(ET.Element("geom", size=text), "size", count, "b") is None
    (finding,) = reading.findings
    assert (finding.level, finding.body, finding.what) == (
        "error", "b", f"<geom size> {what}",
    )  # fmt: skip
    assert finding.suggestion.startswith(better) and finding.value == text
    good = reading.numbers(ET.Element("geom", size="1 -2 3"), "size", 0, "b")
    assert good.tolist() == [1.0, -2.0, 3.0]
    assert reading.numbers(None, "size", 3, "b") is None
    assert reading.number(ET.Element("geom", mass="7"), "mass", "b") == 7.0
    assert len(reading.findings) == 1


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("left_foot", "right_foot"), ("LeftFoot", "RightFoot"), ("A_LEFT", "A_RIGHT"),
        ("l_foot", "r_foot"), ("foot_l", "foot_r"), ("foot_L1", "foot_R1"),
        ("FL_hip", "FR_hip"), ("hip_lf", "hip_rf"), ("RL_hip", "RR_hip"),
        ("LHipYaw", "RHipYaw"), ("lFoot", "rFoot"), ("bl2", "br2"),
    ],
)  # fmt: skip
def test_a_left_hand_name_has_a_right_hand_one(left, right):
    assert list(other_side(left)) == [right]
    assert list(other_side(right)) == []


def test_words_that_only_hold_the_letters_have_no_partner():
    for name in ("shoulder", "flow", "world", "Link", "ball", "hlx"):
        assert list(other_side(name)) == []
    bodies = [LintBody(name) for name in ("l_leg", "r_leg", "l_arm", "left", "x")]
    assert [(a.name, b.name) for a, b in pairs(bodies)] == [("l_leg", "r_leg")]


def test_a_better_inertia_is_that_of_a_box_of_its_size():
    corners = np.array([[0.0, 0.0, 0.0], [1.0, 2.0, 4.0], [0.5, 0.1, 0.2]])
    body = LintBody("b", mass=6.0)
    body.shapes = [LintShape(corners[:1], 0.0), LintShape(corners[1:], 1.0)]
    # 6/12 (b² + c²) and so on
    assert box_guess(body) == (
        "that of a box of its size: ixx=10 iyy=8.5 izz=2.5 ixy=0 ixz=0 iyz=0"
    )
    for bad in (None, 0.0, -1.0):
        body.mass = bad
        assert box_guess(body).startswith("that of a box of its size, m/12")
    body.mass, body.shapes = 6.0, [LintShape(corners[:1], 0.0)]
    assert box_guess(body).startswith("that of a box of its size, m/12")
    matrix = np.array([[1.0, 0.25, -1e-16], [0.25, 2.0, 0.5], [-1e-16, 0.5, 3.0]])
    assert six(matrix) == "ixx=1 iyy=2 izz=3 ixy=0.25 ixz=0 iyz=0.5"
    assert three(np.array([0.123456, 1.0, -2.5])) == "(0.1235, 1, -2.5) m"
