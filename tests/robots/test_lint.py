"""Lint: each finding on a tiny file, none on a sound one, and files of others."""

import struct
from pathlib import Path
from xml.etree import ElementTree as ET

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import BadFileError
from equipoise.robots.lint.extent import outside_by
from equipoise.robots.lint.lint import lint
from equipoise.robots.lint.shapes import mesh_shape, round_shape
from equipoise.robots.lint.sides import other_side
from oracles.robot_files import example_urdfs, gymnasium_mjcfs

FACES = ((0, 2, 1), (0, 3, 2), (0, 1, 3), (1, 2, 3))
BOX = '<collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision>'
SOUND = (0.0533, 0.0533, 0.0533)  # of the box with 8 kg, m/6 a²


def link(
    name: str = "a",
    mass: object = 8.0,
    moments: tuple[object, ...] = SOUND,
    com: str = "0 0 0",
    shape: str = BOX,
) -> str:
    """Return a link, sound unless told otherwise."""
    ixx, iyy, izz = moments
    return f"""<link name="{name}"><inertial><origin xyz="{com}"/>
    <mass value="{mass}"/><inertia ixx="{ixx}" iyy="{iyy}" izz="{izz}"
    ixy="0" ixz="0" iyz="0"/></inertial>{shape}</link>"""


def found(tmp_path: Path, *links: str) -> list:
    """Return the findings about a URDF of some links."""
    path = tmp_path / "robot.urdf"
    path.write_text(f'<robot name="r">{"".join(links)}</robot>')
    return list(lint(path).findings)


def mesh(path: Path, size: float) -> None:
    """Write a tetrahedron as binary STL."""
    corners = size * np.vstack([np.zeros(3), np.eye(3)])
    faces = [corners[list(face)].ravel() for face in FACES]
    body = b"".join(struct.pack("<12fH", 0, 0, 0, *face, 0) for face in faces)
    path.write_bytes(b"\0" * 80 + struct.pack("<I", 4) + body)


def test_a_sound_robot_has_no_findings(tmp_path: Path):
    path = tmp_path / "robot.urdf"
    path.write_text(f'<robot name="r">{link("l_leg")}{link("r_leg")}</robot>')
    report = lint(path)
    assert report.findings == ()
    assert (report.kind, report.bodies, report.total_mass) == ("urdf", 2, 16.0)


def test_an_effort_of_zero_is_a_warning_and_mimics_need_none(tmp_path: Path):
    joint = (
        '<joint name="{name}" type="{kind}"><parent link="a"/><child link="{child}"/>'
        '<limit lower="-1" upper="1" velocity="1" {effort}/>{more}</joint>'
    )
    links = [link(name) for name in "abcdefg"]
    given = [
        ("zero", "revolute", 'effort="0"', ""),
        ("nothing", "prismatic", 'effort="0.0"', ""),
        ("some", "revolute", 'effort="3"', ""),
        ("none", "revolute", "", ""),
        ("follower", "revolute", 'effort="0"', '<mimic joint="some"/>'),
        ("rigid", "fixed", 'effort="0"', ""),
    ]
    joints = [
        joint.format(name=name, kind=kind, child=child, effort=effort, more=more)
        for child, (name, kind, effort, more) in zip("bcdefg", given, strict=True)
    ]
    said = [f for f in found(tmp_path, *links, *joints) if "effort" in f.what]
    assert [(f.level, f.value) for f in said] == [
        ("warning", "2 joints (zero, nothing)")
    ]
    assert not any(
        "effort" in f.what for f in found(tmp_path, *links, joints[2], joints[4])
    )


@pytest.mark.parametrize("moments", [(-1, -1, -1), (0, 0, 0), (0, 0, 2), (1, -3, 1)])
@pytest.mark.parametrize("shape", [BOX, "", BOX.replace("0.2 0.2 0.2", "0 0 0")])
def test_no_suggestion_is_an_inertia_of_zero(tmp_path: Path, moments, shape):
    told = [f for f in found(tmp_path, link(moments=moments, shape=shape))
            if "inertia" in f.what]  # fmt: skip
    assert told
    for finding in told:
        words = finding.suggestion.split()
        values = [float(w[4:]) for w in words if w[:4] in ("ixx=", "iyy=", "izz=")]
        assert not values or min(values) > 0.0, finding


MM = '<collision><geometry><mesh filename="big.stl"/></geometry></collision>'
TINY = '<visual><geometry><mesh filename="big.stl" scale="1e-6 1e-6 1e-6"/>'
HULL = "centre of mass is outside the body's hull"
CASES = {
    "negative mass": (link(mass=-8), "error", "-8 kg", "8 kg"),
    "mass not finite": (link(mass="nan"), "error", "nan", "finite"),
    "mass endless": (link(mass="1e999"), "error", "1e999", "finite"),
    "mass a word": (link(mass="${m}"), "error", "${m}", "write 1 number"),
    "moment not finite": (link(moments=("inf", 1, 1)), "error", "inf", "finite"),
    "heavy": (link(mass=8e5), "warning", "800000 kg", "about 8 kg"),
    "light": (link(mass=8e-8), "warning", "8e-08 kg", "about 8 kg"),
    "dense": (link(mass=800), "warning", "1e+05 kg/m³", "about 8 kg"),
    "thin": (link(mass=0.004), "warning", "0.5 kg/m³", "about 8 kg"),
    "triangle": (link(moments=(0.01, 0.02, 0.05)), "error", "0.05", "ixx=0.02"),
    "rounded": (link(moments=(0.0266, 0.0267, 0.0534)), "warning", "0.0534", "izz="),
    "indefinite": (link(moments=(-0.01, 0.05, 0.05)), "error", "-0.01", "ixx="),
    "zeros": (link(moments=(0, 0, 0)), "error", "0, 0, 0", "ixx=0.0533333"),
    "no inertia": (
        link(shape="").split("<inertia ")[0] + "</inertial></link>",
        "error",
        "8 kg",
        "box of its size",
    ),
    "place holder": (link(moments=(1, 1, 1)), "warning", "gyration", "ixx=0.0533"),
    "large": (link(moments=(5, 5, 5)), "warning", "0.968 m", "ixx=0.0533"),
    "small": (link(moments=(1e-6, 1e-6, 1e-6)), "warning", "0.000433 m", "ixx=0.0533"),
    "com": (link(com="0 0 0.3"), "warning", "0.2 m outside", "near (0, 0, 0) m"),
    "millimetres": (link(shape=MM), "error", "big.stl is 200 m", "scale it by 0.001"),
    "scaled twice": (
        link(shape=f"{TINY}</geometry></visual>"),
        "warning",
        "big.stl is 0.0002 m",
        "scale it by 1000",
    ),
}
WHAT = {
    "negative mass": "negative mass",
    "mass not finite": "<mass value> is not finite",
    "mass endless": "<mass value> is not finite",
    "mass a word": "<mass value> is not a number",
    "moment not finite": "<inertia ixx> is not finite",
    "heavy": "absurd mass",
    "light": "absurd mass",
    "dense": "absurd density",
    "thin": "absurd density",
    "triangle": "inertia breaks the triangle inequality",
    "rounded": "inertia breaks the triangle inequality",
    "indefinite": "inertia is not positive definite",
    "zeros": "inertia is not positive definite",
    "no inertia": "mass without inertia",
    "place holder": "inertia is 1, 1, 1, a place holder",
    "large": "inertia is too large for its size",
    "small": "inertia is small for its size",
    "com": HULL,
    "millimetres": "mesh units are off by 1000",
    "scaled twice": "mesh units may be off by 1000",
}


@pytest.mark.parametrize("name", CASES)
def test_each_finding(tmp_path: Path, name: str):
    text, level, value, suggestion = CASES[name]
    mesh(tmp_path / "big.stl", 200.0)
    findings = found(tmp_path, text, link("other"))
    mine = [f for f in findings if f.what == WHAT[name]]
    assert len(mine) == 1, findings
    assert (mine[0].level, mine[0].body) == (level, "a")
    assert value in mine[0].value
    assert suggestion in mine[0].suggestion
    assert all(f.body != "other" for f in findings)


def test_the_suggested_inertia_is_sound(tmp_path: Path):
    """What lint suggests, lint accepts."""
    bad = found(tmp_path, link(moments=(0.01, 0.02, 0.05)))
    words = dict(w.split("=") for w in bad[0].suggestion.split() if "=" in w)
    better = tuple(words[k] for k in ("ixx", "iyy", "izz"))
    assert found(tmp_path, link(moments=better)) == []


def test_a_link_that_moves_without_mass(tmp_path: Path):
    joint = """<joint name="j" type="{}"><parent link="a"/><child link="b"/></joint>"""
    bare = f'{link()}<link name="b"/>'
    (finding,) = found(tmp_path, bare, joint.format("revolute"))
    assert (finding.level, finding.body) == ("warning", "b")
    assert finding.what == "a joint moves it and it has no mass"
    assert found(tmp_path, bare, joint.format("fixed")) == []


def test_a_robot_without_mass(tmp_path: Path):
    (finding,) = found(tmp_path, '<link name="a"/>')
    assert (finding.level, finding.what) == ("error", "the robot has no mass")


def test_nan_anywhere(tmp_path: Path):
    joint = '<joint name="j"><axis xyz="0 nan 1"/><limit upper="inf"/></joint>'
    (finding,) = found(tmp_path, link(), joint)
    assert (finding.level, finding.what) == ("error", "<axis xyz> is not finite")
    assert found(tmp_path, link("nan")) == []  # a name


def test_left_and_right(tmp_path: Path):
    right = link("right_foot", com="0 0.05 0")
    assert found(tmp_path, link("left_foot", com="0 -0.05 0"), right) == []
    (mass,) = found(tmp_path, link("left_foot", 8.5, com="0 -0.05 0"), right)
    assert (mass.level, mass.body) == ("warning", "left_foot")
    assert mass.what == "mass differs from 'right_foot'"
    assert mass.suggestion == "8.25 kg on both sides"
    (place,) = found(tmp_path, link("left_foot", com="0 -0.06 0"), right)
    assert place.what == "centre of mass is not the mirror image of 'right_foot'"
    other = link("left_foot", moments=(0.05, 0.05, 0.06), com="0 -0.05 0")
    (turned,) = found(tmp_path, other, right)
    assert turned.what == "inertia differs from 'right_foot'"


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("left_foot", "right_foot"),
        ("LeftFoot", "RightFoot"),
        ("l_foot", "r_foot"),
        ("foot_l", "foot_r"),
        ("arm_L_2", "arm_R_2"),
        ("LHipYaw", "RHipYaw"),
        ("lFoot", "rFoot"),
        ("FL_calf", "FR_calf"),
        ("RL_calf", "RR_calf"),
        ("LF_SHANK", "RF_SHANK"),
        ("lh_lowerleg", "rh_lowerleg"),
    ],
)
def test_names_of_the_other_side(left: str, right: str):
    assert right in other_side(left)


@pytest.mark.parametrize("name", ["wheel", "Link", "calf", "shell_1", "pelvis", "Lid"])
def test_names_without_a_side(name: str):
    assert list(other_side(name)) == []


def mjcf(body: str, head: str = "") -> str:
    """Return an MJCF file with one body called a."""
    return f"""<mujoco>{head}<worldbody><geom type="plane" size="9 9 1"/>
    <body name="a">{body}</body></worldbody></mujoco>"""


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ('<inertial pos="0 0 0" mass="2" diaginertia="1 2 4"/>', "triangle"),
        ('<inertial pos="0 0 0" mass="2" fullinertia="1 1 1 2 0 0"/>', "definite"),
        ('<inertial pos="0 0 9" mass="2" diaginertia="1 1 1.1"/><geom size="1"/>',
         "hull"),
        ('<inertial pos="0 0 0" mass="-2" diaginertia="1 1 1"/>', "negative mass"),
        ('<geom size="0.1" density="1e6"/>', "absurd density"),
        ('<geom size="0.1" mass="nan"/>', "not finite"),
        ('<freejoint/><body name="b"><geom size="0.1"/></body>', "has no mass"),
    ],
)  # fmt: skip
def test_findings_in_mjcf(tmp_path: Path, body: str, what: str):
    path = tmp_path / "robot.xml"
    path.write_text(mjcf(body))
    assert [f.body for f in lint(path).findings if what in f.what][:1] == ["a"]


WEIGHTS = {
    "shapes": mjcf("""<geom size="0.1"/><geom type="box" size="0.1 0.2 0.3"/>
    <geom type="capsule" fromto="0 0 0 0.3 0 0.4" size="0.05"/>
    <geom type="cylinder" size="0.1 0.2" mass="3"/>
    <geom type="ellipsoid" size="0.1 0.2 0.3" density="300"/>"""),
    "classes": mjcf(
        '<geom size="0.1"/><body childclass="y"><geom/><geom class="x"/></body>',
        """<default><geom density="70"/><default class="x"><geom type="box"
        size="1 1 1"/><default class="y"><geom density="5"/></default></default>
        </default>""",
    ),
    "inertial": mjcf(
        '<inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/><geom size="1"/>'
    ),
    "from geoms": mjcf(
        '<inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/><geom size="1"/>',
        '<compiler inertiafromgeom="true"/>',
    ),
    "groups": mjcf(
        '<geom size="0.1" group="1"/><geom size="0.2" group="3"/>',
        '<compiler inertiagrouprange="2 4"/>',
    ),
    "total": mjcf('<geom size="0.1"/>', '<compiler settotalmass="14"/>'),
    "frame": mjcf(
        '<frame pos="0 0 1"><geom size="0.1"/><body><geom size="0.2"/></body></frame>'
    ),
}


@pytest.mark.parametrize("name", WEIGHTS)
def test_an_mjcf_file_weighs_what_mujoco_says(tmp_path: Path, monkeypatch, name: str):
    monkeypatch.chdir(tmp_path)  # MuJoCo logs a warning about an old setting
    path = tmp_path / "robot.xml"
    path.write_text(WEIGHTS[name])
    engine = mujoco.MjModel.from_xml_path(str(path)).body_mass.sum()
    assert lint(path).total_mass == pytest.approx(engine, rel=1e-12)  # rounding


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (b"", "is empty"),
        (b"<svg/>", "has the root element <svg>"),
        (b"<robot>", "is not complete XML"),
        (b'<robot name="a"/>', "has no bodies"),
        (b"<mujoco/>", "has no bodies"),
        (b'<!DOCTYPE robot [<!ENTITY a "b">]><robot/>', "has a DOCTYPE"),
        (b"<robot>" + b"<a>" * 2000 + b"</a>" * 2000 + b"</robot>", "nested deeper"),
        (bytes(range(256)), "is not complete XML"),
    ],
)
def test_what_is_no_robot_file_is_refused(tmp_path: Path, content: bytes, match: str):
    path = tmp_path / "robot.urdf"
    path.write_bytes(content)
    with pytest.raises(BadFileError, match=match) as caught:
        lint(path)
    assert str(caught.value).startswith(f"{path}: ")


@pytest.mark.parametrize("number", ["1e308", "-1e308", "1e-320", "0", "", "1 2"])
def test_odd_numbers_are_findings_never_a_crash(tmp_path: Path, number: str):
    text = link(mass=number, moments=(number,) * 3, com=f"0 0 {number}")
    shape = f'<collision><geometry><box size="0 0 {number}"/></geometry></collision>'
    findings = found(tmp_path, text, link("b", moments=(number,) * 3, shape=shape))
    assert any(f.level in ("error", "warning") for f in findings)


def test_shapes_against_closed_forms(tmp_path: Path):
    mesh(tmp_path / "t.stl", 0.3)
    lines = ["v 0 0 0", "v 1 0 0", "v 0 1 0", "v 0 0 1"]
    lines += ["f " + " ".join(f"{k + 1}//1" for k in face) for face in FACES]
    (tmp_path / "t.obj").write_text("\n".join(lines))
    stl = mesh_shape(tmp_path / "t.stl", np.ones(3), "t")
    obj = mesh_shape(tmp_path / "t.obj", np.array([1.0, 2.0, 3.0]), "t")
    assert stl is not None and obj is not None
    assert stl.volume == pytest.approx(0.3**3 / 6, rel=1e-6)  # STL has float32
    assert obj.volume == pytest.approx(1.0, rel=1e-14)  # 1 x 2 x 3 / 6, rounding
    assert mesh_shape(tmp_path / "none.stl", np.ones(3), "t") is None
    box = round_shape("box", np.array([1.0, 2.0, 3.0]))
    assert box is not None and box.volume == 48.0
    # rounding of the hull's normals
    assert outside_by(np.array([0.5, 1.0, 5.0]), box.points) == pytest.approx(
        2.0, rel=1e-12
    )
    assert outside_by(np.zeros(3), box.points) == pytest.approx(-1.0, rel=1e-12)
    assert outside_by(np.zeros(3), np.zeros((9, 3))) is None


@pytest.mark.skipif(not example_urdfs(), reason="example-robot-data is not installed")
@pytest.mark.parametrize(
    "largest, count",
    [(30_000, 30), pytest.param(100_000, 50, marks=pytest.mark.slow)],
)
def test_public_urdfs_are_weighed_and_known_mistakes_found(largest: int, count: int):
    tried = {}
    for path in example_urdfs():
        root = ET.parse(path).getroot()
        if root.find("link") is None or path.stat().st_size > largest:
            continue
        report = lint(path)
        stated = sum(float(m.get("value", "")) for m in root.iter("mass"))
        assert report.total_mass == pytest.approx(stated, rel=1e-12)  # order of sums
        tried[path.name] = report
    assert len(tried) >= count
    wanted = {  # MuJoCo's compiler refuses exactly these links, at the least
        "allegro_left_hand.urdf": "link_11.0",
        "allegro_right_hand.urdf": "link_3.0",
    }
    for name, body in wanted.items():
        errors = {f.body for f in tried[name].findings if f.level == "error"}
        assert body in errors


@pytest.mark.skipif(not gymnasium_mjcfs(), reason="gymnasium is not installed")
@pytest.mark.parametrize("path", gymnasium_mjcfs(), ids=lambda p: p.name)
def test_gymnasium_weighs_what_mujoco_says(path: Path, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    engine = mujoco.MjModel.from_xml_path(str(path)).body_mass.sum()
    report = lint(path)
    assert report.total_mass == pytest.approx(engine, rel=1e-12)  # order of sums
    assert report.count("error") == 0


PART = """<mujocoinclude><body name="b"><freejoint/><inertial pos="0 0 0" mass="2"
diaginertia="-1 1 1"/></body></mujocoinclude>"""


def test_included_files_are_read_in_their_place(tmp_path: Path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "arm.xml").write_text(PART)
    (tmp_path / "robot.xml").write_text(
        '<mujoco><worldbody><include file="parts/arm.xml"/></worldbody></mujoco>'
    )
    scene = tmp_path / "scene.xml"
    scene.write_text(
        '<mujoco><include file="robot.xml"/><worldbody><geom type="plane" '
        'size="0 0 1"/></worldbody></mujoco>'
    )
    report = lint(scene)
    assert (report.bodies, report.total_mass) == (1, 2.0)
    assert [f.body for f in report.findings if f.level == "error"] == ["b"]


@pytest.mark.parametrize(
    ("part", "said"),
    [
        (None, "includes part.xml, which does not exist"),
        ("<svg/>", "includes part.xml, which has the root element <svg>"),
        ("<mujoco><a>", "includes part.xml, which is not complete XML"),
        ('<mujoco><include file="scene.xml"/></mujoco>', "more than once"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><mujoco/>', "has a DOCTYPE"),
    ],
)
def test_an_include_that_cannot_be_used_is_named(tmp_path: Path, part, said):
    if part is not None:
        (tmp_path / "part.xml").write_text(part)
    scene = tmp_path / "scene.xml"
    scene.write_text('<mujoco><include file="part.xml"/></mujoco>')
    with pytest.raises(BadFileError, match=r"scene\.xml: ") as error:
        lint(scene)
    assert said in str(error.value)
