"""Which body of a file is the robot: others are named, left out, and choosable."""

import pytest

import equipoise as eq
from equipoise.core.errors import BadFileError, UnknownNameError

LAMP = (
    '<body name="lamp"><freejoint/><geom size=".1" mass="2"/><body pos="0 0 1">'
    '<joint name="neck"/><geom size=".05" mass="1"/></body></body>'
)
BALL = '<body name="ball" pos="3 0 0"><freejoint/><geom size=".1" mass="7"/></body>'
TABLE = (
    '<body name="table" pos="0 5 0"><geom type="box" size="1 1 .1" mass="50"/></body>'
)
DOOR = (
    '<body name="door" pos="9 0 0"><joint name="hinge"/><geom size=".1" mass="4"/>'
    "</body>"
)
ARM = (
    '<body name="pillar"><geom size=".1" mass="5"/><body name="arm">'
    '<joint name="elbow"/><geom size=".1" mass="1"/></body></body>'
)


def write(tmp_path, *bodies, more=""):
    """Return a file with some bodies."""
    path = tmp_path / "scene.xml"
    path.write_text(
        f'<mujoco><worldbody><geom type="plane" size="0 0 1"/>{"".join(bodies)}'
        f"</worldbody>{more}</mujoco>"
    )
    return path


@pytest.mark.parametrize("bodies", [(BALL, LAMP, TABLE), (LAMP, DOOR, BALL)])
def test_the_free_body_with_joints_is_the_robot(tmp_path, bodies):
    robot = eq.load(write(tmp_path, *bodies))
    assert robot.base == "lamp"
    assert "ball" in robot.others and "table" not in robot.others
    assert robot.model.nv == 7  # the others are left out
    mass = eq.check(robot).summary["mass"]
    assert mass == pytest.approx(3.0)


def test_a_file_of_too_many_loose_things_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("equipoise.robots.which_robot.MOST_LOOSE", 2)
    balls = [BALL.replace("ball", f"ball{k}") for k in range(3)]
    assert eq.load(write(tmp_path, LAMP, *balls[:2])).base == "lamp"
    with pytest.raises(BadFileError, match="3 things that move beside 'lamp'"):
        eq.load(write(tmp_path, LAMP, *balls))


def test_another_base_can_be_chosen(tmp_path):
    robot = eq.load(write(tmp_path, BALL, LAMP), base="ball")
    assert (robot.base, robot.others) == ("ball", ("lamp",))
    assert eq.check(robot).summary["mass"] == pytest.approx(7.0)
    with pytest.raises(UnknownNameError, match=r"no moving base 'bal'.*Did you mean"):
        eq.load(write(tmp_path, BALL, LAMP), base="bal")


def test_two_robots_are_both_named_with_the_option(tmp_path):
    twin = LAMP.replace('"lamp"', '"lantern"').replace('"neck"', '"nape"')
    with pytest.raises(BadFileError, match=r"'lamp', 'lantern'.*--base lamp"):
        eq.load(write(tmp_path, LAMP, twin))


def test_an_arm_on_a_pillar_is_a_robot_and_a_ball_beside_it_is_not(tmp_path):
    motor = '<actuator><motor joint="elbow"/></actuator>'
    robot = eq.load(write(tmp_path, BALL, ARM, more=motor))
    assert (robot.base, robot.others) == ("pillar", ("ball",))
    assert robot.model.body_mass.sum() == pytest.approx(6.0)


def test_what_refers_to_a_body_goes_with_it_and_keyframes_fit(tmp_path):
    more = (
        '<actuator><motor joint="neck"/></actuator>'
        '<contact><exclude body1="ball" body2="lamp"/></contact>'
        '<sensor><framepos objtype="body" objname="ball"/></sensor>'
        '<keyframe><key name="up" qpos="3 0 0 1 0 0 0  1 2 3 1 0 0 0 0.5"/></keyframe>'
    )
    robot = eq.load(write(tmp_path, BALL, LAMP, more=more))
    model = robot.model
    assert (model.nu, model.nsensor, model.nexclude) == (1, 0, 0)
    assert model.key("up").qpos.tolist() == [1, 2, 3, 1, 0, 0, 0, 0.5]


def test_a_body_without_a_name_can_be_the_robot(tmp_path):
    robot = eq.load(write(tmp_path, LAMP.replace(' name="lamp"', ""), BALL))
    assert (robot.base, robot.others) == ("base", ("ball",))


def test_a_camera_that_looked_at_a_body_stays_where_it_is(tmp_path):
    eye = '<camera name="eye" mode="targetbody" target="ball"/>'
    light = '<light mode="targetbodycom" target="ball"/>'
    robot = eq.load(write(tmp_path, BALL, LAMP, eye, light))
    assert (robot.model.ncam, robot.model.nlight) == (1, 1)


def test_a_rope_to_a_body_goes_with_it(tmp_path):
    pull = (
        '<tendon><spatial name="rope"><site site="knot"/><site site="hook"/></spatial>'
        '</tendon><actuator><motor tendon="rope"/></actuator>'
    )
    ball = BALL.replace("<freejoint/>", '<freejoint/><site name="knot"/>')
    robot = eq.load(write(tmp_path, ball, LAMP, '<site name="hook"/>', more=pull))
    assert (robot.model.ntendon, robot.model.nu) == (0, 0)


INERTIA = '<inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/>'


BOX = '<collision><geometry><box size=".4 .3 .1"/></geometry></collision>'


def link(name, looks=BOX):
    """Return a link of a URDF."""
    inertial = f'<inertial><mass value="2"/>{INERTIA}</inertial>'
    return f'<link name="{name}">{inertial}{looks}</link>'


def test_a_link_that_no_joint_connects_is_another_body_of_the_scene(tmp_path):
    held = '<joint name="j" type="fixed"><parent link="a"/><child link="c"/></joint>'
    links = link("a") + link("b", looks="") + link("c", looks="") + held
    path = tmp_path / "two.urdf"
    path.write_text(f'<robot name="two">{links}</robot>')
    robot = eq.load(path)
    assert (robot.base, robot.others) == ("a", ("b",))
    assert (robot.model.nv, robot.scene_model.nv) == (6, 12)
    found = eq.check(robot, remedies=False)
    assert found.summary["left_out"] == ["b"]
    assert found.stands == "yes"  # a ghost that touches nothing


def test_a_link_at_no_angle_is_refused_by_the_name_of_its_file(tmp_path):
    joint = (
        '<joint name="j" type="revolute"><parent link="a"/><child link="b"/>'
        '<origin rpy="inf 0 0"/><axis xyz="0 1 0"/>'
        '<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>'
    )
    path = tmp_path / "bent.urdf"
    path.write_text(f'<robot name="bent">{link("a")}{link("b")}{joint}</robot>')
    with pytest.raises(BadFileError, match=r"bent\.urdf.* in its body quat"):
        eq.load(path)
