"""What of a file decides whether its robot stands: scenes by hand, one trap each."""

import numpy as np
import pytest

import equipoise as eq

FLOOR = '<geom name="floor" type="plane" size="0 0 1"/>'
FOOT = '<geom name="foot" type="box" size=".1 .1 .02" mass="1"/>'


def lamp(reach=0.05, foot=FOOT, more="", words=""):
    """Return a lamp of 3 kg whose centre of mass is 2/3 of its reach ahead."""
    return (
        f'<body name="lamp" pos="0 0 0.02" {words}><freejoint/>{foot}{more}'
        f'<geom name="head" size=".03" pos="{reach} 0 .4" mass="2"/></body>'
    )


def check(tmp_path, *world, option="", more="", floor=FLOOR, **settings):
    """Return the check of a scene."""
    path = tmp_path / "scene.xml"
    path.write_text(
        f"<mujoco>{option}<worldbody>{floor}{''.join(world)}</worldbody>{more}</mujoco>"
    )
    return eq.check(eq.load(path), **settings)


def test_a_lamp_stands_by_its_own_mass(tmp_path):
    steady = check(tmp_path, lamp())
    assert steady.stands == "yes"
    assert steady.summary["static_margin_m"] == pytest.approx(0.1 - 2 / 3 * 0.05)
    assert check(tmp_path, lamp(0.3)).stands == "no"


@pytest.mark.parametrize(
    "beside",
    [
        '<body name="ball" pos="-1 0 .1"><freejoint/><geom size=".1" mass="9"/></body>',
        '<body name="block" pos="-1.5 0 .1"><geom size=".1" mass="9"/></body>',
        '<body name="sign" pos="-1 0 .1" mocap="true"><geom size=".1" mass="9" '
        'contype="0" conaffinity="0"/></body>',
    ],
)
def test_what_is_beside_it_is_not_its_mass(tmp_path, beside):
    falls = check(tmp_path, beside, lamp(0.3))
    assert (falls.stands, falls.summary["mass"]) == ("no", pytest.approx(3.0))
    ahead = beside.replace('"-1', '"1')
    stands = check(tmp_path, ahead, lamp())
    assert (stands.stands, stands.summary["mass"]) == ("yes", pytest.approx(3.0))


PAD = '<geom name="pad" type="box" size=".5 .5 .01" pos="0 0 -.01" {} mass="0"/>'


@pytest.mark.parametrize(
    ("words", "stands"),
    [
        ("", "yes"),
        ('contype="2" conaffinity="2"', "no"),
        ('contype="0" conaffinity="0"', "no"),
        ('contype="0" conaffinity="1"', "yes"),
    ],
)
def test_a_pad_counts_only_if_it_can_touch(tmp_path, words, stands):
    assert check(tmp_path, lamp(0.3, more=PAD.format(words))).stands == stands


def test_excluded_feet_fall_through_and_pairs_hold(tmp_path):
    apart = '<contact><exclude body1="lamp" body2="world"/></contact>'
    found = check(tmp_path, lamp(), more=apart)
    assert found.stands == "no"
    assert "can touch the ground" in found.summary["reasons"][0]
    bare = FOOT.replace("/>", ' contype="0" conaffinity="0"/>')
    pair = (
        '<contact><pair geom1="foot" geom2="floor" friction=".7 .7 0 0 0"/></contact>'
    )
    held = check(tmp_path, lamp(foot=bare), more=pair)
    assert held.stands == "yes"
    assert (held.summary["friction"], held.summary["friction_from"]) == (0.7, "file")


def test_gravity_of_the_file_decides(tmp_path):
    tilted = check(tmp_path, lamp(), option='<option gravity="5 0 -8"/>')
    assert tilted.stands == "no"
    held = '<option gravity="-1 0 -9.7" noslip_iterations="20"/>'
    away = check(tmp_path, lamp(0.1), option=held)
    # the centre of mass is at (0.0667, 0.2867): seen along gravity it is closer
    assert away.stands == "yes"
    height = away.summary["com"][2] - min(
        c["position"][2] for c in away.summary["contacts"]
    )
    assert height > 0.2
    lost = check(tmp_path, lamp(), option='<option gravity="5 0 -8"/>', floor="")
    assert lost.stands == "unknown"
    assert "its file has no ground, and gravity is not" in lost.summary["reasons"][0]
    alone = check(tmp_path, lamp(), floor="")
    assert alone.stands == "yes"  # on ground that is assumed
    none = check(tmp_path, lamp(), option='<option gravity="0 0 0"/>')
    assert (none.stands, "no gravity" in none.summary["reasons"][0]) == (
        "unknown",
        True,
    )


@pytest.mark.parametrize(("mu", "stands"), [(0.05, "no"), (0.2, "no"), (0.5, "yes")])
def test_friction_of_the_file_decides_on_a_slope(tmp_path, mu, stands):
    slick = FOOT.replace("/>", f' friction="{mu}"/>')
    floor = FLOOR.replace("/>", f' friction="{mu}"/>')
    world = {"floor": floor, "slope_deg": 15.0}
    assert check(tmp_path, lamp(0.0, slick), **world).stands == stands
    # an option counts before the file
    assert check(tmp_path, lamp(0.0, slick), friction=0.5, **world).stands == "yes"


def test_the_larger_friction_counts_as_in_the_engine(tmp_path):
    slick = FOOT.replace("/>", ' friction="0.05"/>')
    found = check(tmp_path, lamp(0.0, slick), slope_deg=15.0)
    assert (found.stands, found.summary["friction"]) == ("yes", 1.0)


def test_without_friction_nothing_keeps_it_from_sliding(tmp_path):
    slick = FOOT.replace("/>", ' condim="1"/>')
    floor = FLOOR.replace("/>", ' condim="1"/>')
    assert check(tmp_path, lamp(foot=slick), floor=floor).stands == "unknown"
    down = check(tmp_path, lamp(0.0, slick), floor=floor, slope_deg=5.0)
    assert down.stands == "no"


def table(x=0.0, half=0.3):
    """Return a table of 0.5 m height whose middle is at x."""
    return f'<geom name="table" type="box" size="{half} .3 .25" pos="{x} 0 .25"/>'


@pytest.mark.parametrize(("x", "stands"), [(0.0, "yes"), (-0.29, "no"), (-0.24, "yes")])
def test_the_edge_of_a_table_ends_the_support(tmp_path, x, stands):
    """The foot reaches to 0.1, the centre of mass is at 0.033, the table to x + 0.3."""
    body = lamp().replace('pos="0 0 0.02"', 'pos="0 0 0.52"')
    found = check(tmp_path, table(x), body)
    assert found.stands == stands
    if stands == "yes":
        edge = min(0.1, x + 0.3)
        # the engine's contact points, where it is let down into them
        expected = edge - 2 / 3 * 0.05
        assert found.summary["static_margin_m"] == pytest.approx(expected, abs=1e-4)


def test_on_a_slippery_table_that_slopes_it_slides_away(tmp_path):
    tilted = table(half=9.0).replace("/>", ' euler="0 12 0" friction=".05"/>')
    slick = FOOT.replace("/>", ' friction=".05"/>')
    body = lamp(0.0, slick).replace('pos="0 0 0.02"', 'pos="0 0 0.53" euler="0 12 0"')
    found = check(tmp_path, tilted, body)
    assert found.stands == "no"
    assert "slides or rolls away" in " ".join(found.summary["reasons"])


def test_it_may_stand_on_steps_of_different_height(tmp_path):
    stilts = "".join(
        f'<geom name="stilt{k}" type="box" size=".02 .1 {h}" '
        f'pos="{x} 0 {h - 0.02 - low}" mass="0"/>'
        for k, (x, h, low) in enumerate([(-0.2, 0.02, 0.0), (0.2, 0.07, 0.1)])
    )
    step = '<geom name="step" type="box" size=".1 .3 .05" pos="-.2 0 .05"/>'
    body = lamp(0.05, "", stilts).replace('pos="0 0 0.02"', 'pos="0 0 0.12"')
    found = check(tmp_path, step, body)
    assert found.stands == "yes"
    assert {c["geom"] for c in found.summary["contacts"]} == {"stilt0", "stilt1"}


NOT_FOLLOWED = {
    "equality constraint 'glue'": {
        "world": '<body name="hand" mocap="true" pos="0 0 3"/>',
        "more": '<equality><weld name="glue" body1="lamp" body2="hand"/></equality>',
    },
    "touches 'hand'": {
        "world": '<body name="hand" mocap="true" pos="0 0 .4"><geom size=".1"/></body>'
    },
    "contact margin of 0.02 m": {"floor": FLOOR.replace("/>", ' margin="0.02"/>')},
    "gravcomp": {"words": 'gravcomp="1"'},
    "flag override": {"option": '<option><flag override="enable"/></option>'},
    "actuator 'wind' on its base": {
        "inside": '<site name="sail"/>',
        "more": '<actuator><general name="wind" site="sail" gear="1 0 0 0 0 0" '
        'biastype="affine" biasprm="5 0 0"/></actuator>',
    },
    "dry friction in its free": {"joint": '<joint type="free" frictionloss="9"/>'},
    "adhesion": {"floor": FLOOR.replace("/>", ' adhesion="5"/>')},
    "moving surface": {"floor": FLOOR.replace("/>", ' surfacevel="1 0 0 0 0 0"/>')},
}


@pytest.mark.parametrize("said", NOT_FOLLOWED)
def test_what_is_not_understood_is_unknown_by_name(tmp_path, said):
    given = dict(NOT_FOLLOWED[said])
    body = lamp(more=given.pop("inside", ""), words=given.pop("words", ""))
    body = body.replace("<freejoint/>", given.pop("joint", "<freejoint/>"))
    found = check(tmp_path, given.pop("world", ""), body, **given)
    assert found.stands == "unknown"
    assert said in " ".join(found.summary["reasons"])


ROPE = (
    '<tendon><spatial name="rope" stiffness="{}" springlength=".1"><site site="hook"/>'
    '<site site="eye"/></spatial></tendon>'
)


@pytest.mark.parametrize(
    ("given", "stands"),
    [
        # weight is 29 N: gravity taken off half of it leaves it standing, all does not
        ({"words": 'gravcomp=".5"'}, "yes"),
        ({"option": '<option density="1.2" wind="1 0 0"/>'}, "yes"),
        ({"option": '<option density="1000" wind="30 0 0"/>'}, "no"),
        ({"more": ROPE.format(0.5)}, "yes"),
        ({"more": ROPE.format(60)}, "no"),  # lifted
        ({"floor": FLOOR.replace("/>", ' margin="0.002"/>')}, "yes"),
        ({"more": '<equality><weld body1="lamp"/></equality>'}, "yes"),
        (
            {
                "beside": '<body name="hand" mocap="true" pos="1 0 .5"><geom '
                'size=".1"/></body>'
            },
            "yes",
        ),
    ],
)
def test_what_pulls_by_the_pose_alone_is_followed(tmp_path, given, stands):
    given = dict(given)
    words, beside = given.pop("words", ""), given.pop("beside", "")
    hook = '<site name="hook" pos="0 0 3"/>'
    body = lamp(more='<site name="eye" pos="0 0 .4"/>', words=words)
    found = check(tmp_path, hook, beside, body, **given)
    assert found.stands == stands
    for joints in ("own", "held"):
        assert check(tmp_path, hook, beside, body, joints=joints, **given).stands == (
            stands
        )


def test_a_spring_on_the_free_joint_is_told(tmp_path):
    spring = '<joint type="free" stiffness="9"/>'
    found = check(tmp_path, lamp().replace("<freejoint/>", spring))
    assert "a spring on its free joint" in " ".join(found.summary["reasons"])


def test_what_pulls_inside_the_robot_changes_nothing(tmp_path):
    arm = '<body name="arm"><joint name="swing"/><geom size=".01" mass="0"/></body>'
    inside = '<equality><joint joint1="swing"/></equality>'
    found = check(
        tmp_path, lamp(more=arm.replace('mass="0"', 'mass="1e-6"')), more=inside
    )
    assert found.stands == "yes"


def test_on_a_free_cart_it_is_not_followed(tmp_path):
    cart = (
        '<body name="cart" pos="0 0 .05"><freejoint/><geom type="box" size=".2 .2 .05" '
        'mass="5"/></body>'
    )
    arm = '<body name="arm"><joint/><geom size=".01" mass="1e-6"/></body>'
    body = lamp(more=arm).replace('pos="0 0 0.02"', 'pos="0 0 0.12"')
    found = check(tmp_path, cart, body)
    assert found.stands == "unknown"
    assert "touches 'cart'" in found.summary["reasons"][0]
    # and not even from a little above
    body = body.replace("0 0 0.12", "0 0 0.121")
    assert check(tmp_path, cart, body).stands != "yes"


def test_contacts_that_are_switched_off_hold_nothing(tmp_path):
    off = check(tmp_path, lamp(), option='<option><flag contact="disable"/></option>')
    assert off.stands == "no"
    assert "disables contacts" in off.summary["reasons"][0]


def test_a_plane_that_is_only_painted_is_no_ground(tmp_path):
    paint = FLOOR.replace("/>", ' contype="0" conaffinity="0"/>')
    solid = '<geom name="solid" type="plane" size="0 0 1" pos="0 0 -.1"/>'
    found = check(tmp_path, solid, lamp(), floor=paint)
    assert found.stands == "yes"
    assert found.summary["settled_m"] == pytest.approx(0.1)
    assert check(tmp_path, lamp(), floor=paint).stands == "no"


def test_a_tolerance_is_no_larger_than_the_robot_allows(tmp_path):
    """Two centimetres across, one foot 1 mm short: that foot does not touch."""
    feet = "".join(
        f'<geom name="f{k}" size=".001" pos="{x} {y} {z}" mass="0"/>'
        for k, (x, y, z) in enumerate(
            [(0.01, 0.01, 0.001), (0.01, -0.01, 0), (-0.01, 0.01, 0), (-0.01, -0.01, 0)]
        )
    )
    body = (
        f'<body name="bug" pos="0 0 .001"><freejoint/>{feet}<inertial '
        'pos=".006 .006 .02" mass=".01" diaginertia="1e-6 1e-6 1e-6"/></body>'
    )
    found = check(tmp_path, body, settle=False)
    assert (found.stands, len(found.summary["contacts"])) == ("no", 3)


def test_a_robot_on_slides_is_not_said_to_be_unable_to_fall(tmp_path):
    body = lamp().replace("<freejoint/>", '<joint name="rail" type="slide"/>')
    found = check(tmp_path, body)
    assert found.stands == "unknown"
    assert "moves on rail and not freely" in found.summary["reasons"][0]


def test_joints_beyond_their_range_get_a_word(tmp_path):
    arm = (
        '<body name="arm"><joint name="swing" range="-10 10"/><geom size=".01" '
        'mass=".001"/></body>'
    )
    path = tmp_path / "scene.xml"
    path.write_text(f"<mujoco><worldbody>{FLOOR}{lamp(more=arm)}</worldbody></mujoco>")
    robot = eq.load(path)
    pose = np.array(robot.model.qpos0)
    assert eq.check(robot, qpos=pose).summary["joints"]["beyond_range"] == []
    pose[7] = 1.0
    (said,) = eq.check(robot, qpos=pose).summary["joints"]["beyond_range"]
    assert said == "swing is at 1, its range is -0.1745 to 0.1745"


def tower(half, solref):
    """Return a tower on a light foot with an ankle, its mass 0.9 m above it.

    The engine takes a foot on a joint for as light as it is, and so the floor is soft.
    """
    return (
        '<body name="tower" pos="0 0 .02"><freejoint/><inertial pos="0 0 .9" mass="50" '
        'diaginertia="5 5 5"/><body name="foot"><joint axis="0 1 0"/><geom name="foot" '
        f'type="box" size="{half} .3 .02" mass=".3" solref="{solref} 1"/></body></body>'
    )


def test_the_files_own_contacts_are_told_and_decide_if_asked(tmp_path):
    firm = check(
        tmp_path,
        tower(0.03, 0.008),
        floor=FLOOR.replace("/>", ' solref=".008 1"/>'),
        joints="held",
    )
    assert firm.stands == "yes"
    assert "on this file's contacts it leans by" in firm.summary["reasons"][-1]
    limit = firm.summary["engine_floor"]["solref_limit"]
    for share, stands in ((0.9, "yes"), (1.1, "no")):
        time = share * limit
        floor = FLOOR.replace("/>", f' solref="{time} 1"/>')
        given = {"floor": floor, "ground": "engine", "joints": "held"}
        assert check(tmp_path, tower(0.03, time), **given).stands == stands
    # without being asked for it is a reason to doubt
    soft = check(tmp_path, tower(0.03, time), floor=floor, joints="held")
    assert soft.stands == "unknown"
    assert "on this file's contacts it tips over" in " ".join(soft.summary["reasons"])
