"""What else acts on a robot in a file, where it touches, and how WARP1 is warned."""

from types import SimpleNamespace

import mujoco
import numpy as np
import pytest

import equipoise as eq
from equipoise.robots.found.nature import (
    base_motion,
    coupled_joints,
    driven_joints,
    loops_of,
)
from equipoise.robots.scene.floored import NAME, floored
from equipoise.robots.scene.forces import (
    equality_bodies,
    foreign_forces,
    pulls,
    tendon_bodies,
)
from equipoise.robots.scene.scene import robot_scene
from equipoise.robots.stance.terrain import (
    contacts_between,
    foreign_touch,
    near_model,
    touches,
)
from equipoise.robots.warp1.limits import walking_warnings
from equipoise.robots.warp1.options import ROBOT as WARP1
from equipoise.robots.warp1.walking import walking_settings

FILE = """<mujoco>{head}<worldbody><site name="w" pos="0 0 3"/>
<geom name="ground" type="plane" size="9 9 1"/>
<body name="post" pos="2 0 0"><site name="p"/><geom name="drum" size=".1"/></body>
<body name="cart" pos="5 0 0"><joint name="rail" type="slide" axis="1 0 0"/>
<site name="c"/><geom name="tub" size=".1"/></body>
<body name="hand" mocap="true" pos="0 5 0"><site name="h"/></body>
<body name="trunk" pos="0 0 1" {trunk}><freejoint name="root"/><site name="t"/>
<geom name="hull" size=".1"/><body name="leg" pos="0 0 -.3" {leg}>
<joint name="hip" axis="0 1 0"/><site name="l"/><geom name="shin" size=".1"/>
<body name="toe" pos="0 0 -.3"><joint name="ankle" axis="0 1 0"/><site name="o"/>
<geom name="pad" size=".1"/></body></body></body></worldbody>{rest}</mujoco>"""
OWN = ("trunk", "leg", "toe")


def model_of(rest="", head="", trunk="", leg=""):
    text = FILE.format(rest=rest, head=head, trunk=trunk, leg=leg)
    model = mujoco.MjModel.from_xml_string(text)
    own = np.array([model.body(b).name in OWN for b in range(model.nbody)])
    return model, own


def spatial(*sites, name="rope"):
    points = "".join(f'<site site="{site}"/>' for site in sites)
    return f'<tendon><spatial name="{name}">{points}</spatial></tendon>'


def names(model, bodies):
    return [model.body(body).name for body in bodies]


def test_a_robot_by_itself_has_nothing_else_on_it():
    model, own = model_of(spatial("t", "l") + "<equality><joint joint1='hip'"
                          " joint2='ankle'/></equality>")  # fmt: skip
    assert foreign_forces(model, own) == () and pulls(model, own) == ()


@pytest.mark.parametrize(
    ("sites", "moving", "still"),
    [
        (("t", "w"), False, True), (("l", "p"), False, True), (("l", "c"), True, False),
        (("t", "h"), True, False), (("t", "w", "c"), True, False),
        (("p", "c"), False, False), (("t", "o"), False, False),
    ],
)  # fmt: skip
def test_tendons_reach_out_to_what_is_still_or_moves(sites, moving, still):
    for name, said in (("rope", "tendon 'rope'"), ("", "a tendon")):
        model, own = model_of(spatial(*sites, name=name).replace(' name=""', ""))
        wanted = (f"{said} to something else",)
        assert foreign_forces(model, own) == (wanted if moving else ())
        assert pulls(model, own) == (wanted if still else ())


def test_a_tendon_acts_on_what_it_passes_and_not_on_pulleys():
    rest = (
        '<tendon><fixed><joint joint="ankle" coef="1"/><joint joint="rail" coef="2"/>'
        '</fixed><spatial><site site="t"/><site site="l"/><pulley divisor="2"/>'
        '<site site="l"/><geom geom="drum"/><site site="o"/></spatial></tendon>'
    )
    model, _ = model_of(rest)
    assert names(model, tendon_bodies(model, 0)) == ["toe", "cart"]
    assert names(model, tendon_bodies(model, 1)) == [
        "trunk", "leg", "leg", "post", "toe",
    ]  # fmt: skip


TIES = [
    ('<weld name="tie" body1="{0}" body2="{1}"/>', "body"),
    ('<connect name="tie" body1="{0}" body2="{1}" anchor="0 0 0"/>', "body"),
]


@pytest.mark.parametrize(
    ("one", "two", "moving", "still"),
    [("leg", "cart", True, False), ("post", "toe", False, True),
     ("trunk", "hand", True, False), ("leg", "toe", False, False),
     ("post", "cart", False, False)],
)  # fmt: skip
@pytest.mark.parametrize("tie", [TIES[0][0], TIES[1][0]])
def test_ties_hold_a_robot_to_what_is_still_or_moves(tie, one, two, moving, still):
    rest = f"<equality>{tie.format(one, two)}</equality>"
    model, own = model_of(rest)
    said = ("equality constraint 'tie' that holds it to something else",)
    assert foreign_forces(model, own) == (said if moving else ())
    assert pulls(model, own) == (said if still else ())
    # one that is off, or switched off for all
    for other in (rest.replace('name="tie"', 'name="tie" active="false"'), rest):
        off = other == rest
        head = '<option><flag equality="disable"/></option>' if off else ""
        model, own = model_of(other, head)
        assert foreign_forces(model, own) == pulls(model, own) == ()


def test_ends_of_ties_are_bodies_whatever_they_name():
    rest = (
        '<tendon><spatial name="a"><site site="t"/><site site="c"/></spatial>'
        '<spatial name="b"><site site="l"/><site site="p"/></spatial></tendon>'
        '<equality><weld body1="leg"/><weld site1="o" site2="c"/>'
        '<connect site1="w" site2="l"/><joint joint1="ankle" joint2="rail"/>'
        '<joint joint1="hip"/><tendon tendon1="b" tendon2="a"/></equality>'
    )
    model, _ = model_of(rest)
    assert [names(model, equality_bodies(model, e)) for e in range(model.neq)] == [
        ["leg", "world"], ["toe", "cart"], ["world", "leg"], ["toe", "cart"], ["leg"],
        ["leg", "post", "trunk", "cart"],
    ]  # fmt: skip
    tied = "<equality><joint joint1='hip' joint2='rail'/></equality>"
    model, own = model_of(tied)
    assert foreign_forces(model, own) == (
        "an equality constraint that holds it to something else",
    )


@pytest.mark.parametrize(
    ("at", "bias", "is_told"),
    [
        ('site="t"', "3", True),
        ('site="t"', "0 2", True),
        ('site="t"', "", False),  # pushes only when it is told to
        ('site="c"', "3", False),
        ('site="t" refsite="w"', "3", True),
        ('site="t" refsite="o"', "3", False),
        ('joint="root"', "3", True),
        ('jointinparent="root"', "3", True),
        ('joint="hip"', "3", False),
        ('joint="rail"', "3", False),
    ],
)
def test_actuators_push_a_base_from_outside_by_their_bias(at, bias, is_told):
    bias = f'biastype="affine" biasprm="{bias}"' if bias else ""
    actuator = f'<general name="a" {at} {bias}/>'
    model, own = model_of(f"<actuator>{actuator}</actuator>")
    said = ("actuator 'a' on its base",)
    assert foreign_forces(model, own) == (said if is_told else ())
    off = '<option><flag actuation="disable"/></option>'
    assert foreign_forces(*model_of(f"<actuator>{actuator}</actuator>", off)) == ()


def test_the_world_and_the_base_say_what_is_odd():
    odd = '<option density="1"/>', '<option viscosity="1"/>'
    for head in odd:
        model, own = model_of(head=head)
        assert pulls(model, own) == ("a fluid around it (option density or viscosity)",)
    model, own = model_of(leg='gravcomp="0.5"')
    assert pulls(model, own) == ("gravity taken off body 'leg' (gravcomp)",)
    model, own = model_of(head='<option><flag override="enable"/></option>')
    assert foreign_forces(model, own) == (
        "contact parameters overridden for all (flag override)",
    )
    model, own = model_of()
    first = int(model.jnt_dofadr[model.joint("root").id])
    model.dof_frictionloss[first + 5] = 0.1
    assert foreign_forces(model, own) == (
        "dry friction in its free joint (frictionloss)",
    )
    model, own = model_of()
    model.dof_frictionloss[first + 6] = 0.1  # the hip's own
    model.jnt_stiffness[model.joint("hip").id] = 3.0
    assert foreign_forces(model, own) == pulls(model, own) == ()
    model.jnt_stiffness[model.joint("root").id] = 3.0
    assert pulls(model, own) == ("a spring on its free joint (stiffness)",)
    # of a cart nothing counts
    model, own = model_of()
    model.body_gravcomp[model.body("cart").id] = 1.0
    model.dof_frictionloss[model.jnt_dofadr[model.joint("rail").id]] = 1.0
    assert foreign_forces(model, own) == pulls(model, own) == ()


# --- how a base moves -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("joints", "kind"),
    [
        ("<freejoint/>", "free"), ("", "fixed"),
        ('<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>'
         '<joint axis="0 1 0"/>', "planar"),
        ('<joint type="slide" axis="1 0 0"/><joint axis="0 1 0"/>'
         '<joint axis="1 0 0"/>', "guided"),
        ('<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>',
         "guided"),
        ('<joint type="ball"/>', "guided"),
    ],
)  # fmt: skip
def test_a_base_is_free_fixed_planar_or_guided(tmp_path, joints, kind):
    path = tmp_path / "r.xml"
    path.write_text(
        f'<mujoco><worldbody><body name="b">{joints}<geom size=".1"/><body name="l"'
        ' pos="0 0 -.3"><joint name="j" axis="0 1 0"/><geom size=".1"/></body></body>'
        "</worldbody></mujoco>"
    )
    assert base_motion(eq.load(path)) == kind


def test_loops_couplings_and_drives_are_named():
    rest = (
        '<equality><weld body1="leg" body2="cart"/><connect site1="o" site2="t"/>'
        '<weld body1="leg" body2="cart"/><weld body1="post" body2="cart"/>'
        '<joint joint1="ankle" joint2="hip"/></equality>'
        '<actuator><motor site="t"/><motor joint="ankle"/>'
        '<motor jointinparent="rail"/></actuator>'
    )
    model, _ = model_of(rest)
    robot = SimpleNamespace(model=model, base="trunk")
    assert loops_of(robot) == ("'leg' and 'cart'", "'toe' and 'trunk'")
    assert coupled_joints(robot) == ("ankle",)
    driven = driven_joints(model)
    assert driven == {model.joint("ankle").id, model.joint("rail").id}


# --- touches --------------------------------------------------------------------------

BALLS = """<mujoco><worldbody><geom name="step" type="box" size="1 1 .1" pos="0 0 -.1"/>
<body name="b" pos="0 0 {z}"><freejoint/><geom name="one" size=".1"/>
<body name="arm" pos=".5 0 0"><joint name="j"/><geom name="two" size=".1"
 pos="0 0 {up}"/></body></body>
<body name="loose" pos="0 {y} {z}"><freejoint/><geom name="ball" size=".1"/></body>
</worldbody></mujoco>"""


def balls(tmp_path, z=0.1, up=0.0, y=3.0):
    path = tmp_path / "balls.xml"
    path.write_text(BALLS.format(z=z, up=up, y=y))
    robot = eq.load(path, base="b")
    scene = robot_scene(robot)
    return robot, scene, scene.data_at(robot, robot.model.qpos0)


@pytest.mark.parametrize(
    ("z", "up", "count"), [(0.1, 0.0, 2), (0.1, 0.0015, 1), (0.1005, 0.0004, 2),
                           (0.0995, 0.0, 2), (0.1011, 0.0, 0)]
)  # fmt: skip
def test_what_is_nearer_than_a_tolerance_touches(tmp_path, z, up, count):
    _, scene, data = balls(tmp_path, z, up)
    found = touches(scene, data, 1e-3)
    assert len(found) == count
    model = scene.model
    for touch in found:
        name = model.geom(touch.geom).name
        gap = z - 0.1 + (up if name == "two" else 0.0)
        assert touch.distance == pytest.approx(gap, abs=1e-9)
        np.testing.assert_allclose(touch.normal, [0.0, 0.0, 1.0], atol=1e-9)
        assert model.geom(touch.ground).name == "step"
        assert touch.point[0] == pytest.approx(0.5 if name == "two" else 0.0, abs=1e-6)
        assert touch.point[2] == pytest.approx(0.5 * gap, abs=1e-9)


@pytest.mark.parametrize(("y", "name"), [(0.2005, "loose"), (0.2015, None)])
def test_another_body_that_touches_is_named(tmp_path, y, name):
    _, scene, data = balls(tmp_path, y=y)
    assert foreign_touch(scene, data, 1e-3) == name


def test_a_normal_points_to_the_robot_whichever_shape_comes_first(tmp_path):
    _, scene, data = balls(tmp_path)
    model = scene.model
    near = near_model(model, 0.01)
    assert near.geom_margin.min() == near.geom_margin.max() == 0.01
    assert model.geom_margin.max() == 0.0  # a copy
    one, step = model.geom("one").id, model.geom("step").id
    (up,) = contacts_between(near, data, [one], [step])
    (down,) = contacts_between(near, data, [step], [one])
    assert (up.geom, up.ground) == (one, step) == (down.ground, down.geom)
    np.testing.assert_allclose(up.normal, -down.normal)
    assert up.normal[2] == pytest.approx(1.0)


@pytest.mark.parametrize("friction", [None, 0.3])
def test_a_floor_is_below_a_robot_that_has_none(tmp_path, friction):
    path = tmp_path / "r.xml"
    path.write_text(
        '<mujoco><worldbody><body name="b" pos="0 0 1"><freejoint/>'
        '<geom size=".1" priority="4" contype="8" conaffinity="0"/></body></worldbody>'
        "</mujoco>"
    )
    robot = eq.load(path)
    made = floored(robot, 0.25, friction)
    floor = made.model.geom(NAME)
    assert floor.pos.tolist() == [0.0, 0.0, 0.25]
    assert floor.contype[0] == floor.conaffinity[0] == 2**31 - 1
    assert floor.type[0] == int(mujoco.mjtGeom.mjGEOM_PLANE)
    if friction is not None:  # over every shape's own
        assert (floor.priority[0], floor.friction[0]) == (5, 0.3)
    else:
        assert floor.priority[0] == 0
    assert robot.model.ngeom == 1


# --- WARP1 ----------------------------------------------------------------------------

FINE = {"payload": 0.0, "stiffness": float("inf"), "step": 0.0, "actuators": "motor"}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, []),
        ({"stiffness": 2591.0}, []),
        ({"stiffness": 2590.0}, ["needs ground of 2591 N/m"]),
        ({"actuators": "elastic"}, []),
        ({"actuators": "elastic", "stiffness": 1e6}, ["on soft ground with elastic"]),
        ({"actuators": "elastic", "payload": 14.9}, []),
        ({"actuators": "elastic", "payload": 15.0}, ["carries less than 15 kg"]),
        ({"payload": 50.0}, []),
        ({"step": 0.04}, []),
        ({"step": 0.041}, ["up to 4 cm, got 4.1"]),
        ({"actuators": "elastic", "payload": 20.0, "stiffness": 9.0, "step": 1.0},
         ["needs ground", "elastic gears falls", "carries less", "over blocks"]),
    ],
)  # fmt: skip
def test_a_crawl_is_warned_of_what_was_measured(given, said):
    for gait in ("crawl", "wave"):
        found = walking_warnings(gait, **FINE | given)
        assert len(found) == len(said)
        assert all(part in line for part, line in zip(said, found, strict=True))
    assert walking_warnings("trot", **FINE | given) == []


def test_settings_go_by_gait_ground_payload_and_gears():
    def ask(gait, payload=0.0, is_soft=False, **how):
        return walking_settings(gait, payload=payload, is_soft=is_soft, **how)

    trot, creep = ask("trot"), ask("crawl")
    assert ask("trot", 50.0, actuators="elastic") == trot == ask("pace")
    assert trot == {"height": 0.5} and ask("wave") == creep
    soft, weak = ask("trot", is_soft=True), ask("trot", ground="weak")
    assert soft["height"] < weak["height"] < trot["height"]
    assert ask("trot", is_soft=True, ground="weak") == soft
    assert set(weak) == {"height", "law.stiffness"} and set(soft) == {"height"}
    assert ask("crawl", ground="weak") == creep == ask("crawl", 14.9)
    laden = ask("crawl", 15.0)
    assert laden == ask("crawl", 15.0, actuators="elastic")
    # shorter strides on straighter legs; nothing else of the crawl's is given up
    assert laden["height"] > creep["height"]
    assert laden["clocked.cycle"] < creep["clocked.cycle"]
    assert laden["stride.sway"] < creep["stride.sway"]
    elastic = ask("crawl", 14.9, actuators="elastic")
    assert elastic["stride.sway"] < creep["stride.sway"]
    assert {k for k in elastic if elastic[k] != creep.get(k)} == {
        "stride.sway", "steps.steady",
    }  # fmt: skip
    mud = ask("wave", 50.0, is_soft=True, actuators="elastic")
    assert mud == ask("crawl", is_soft=True)
    assert "wary" in mud["reflexes"] and mud["clocked.duty"] > creep["clocked.duty"]
    assert mud["steps.lift"] > creep["steps.lift"]
    assert mud["clocked.cycle"] > creep["clocked.cycle"]
    assert min(laden.keys() & creep.keys(), default="") and set(creep) < set(laden)
    assert WARP1.walking is not None
