"""Built-in machines: both sides are mirror images, and a build's numbers are in them.

The numbers of a build are stated with their sources; that the model has each of them
where it belongs is checked here, by the compiled model and simple bodies' formulas.
"""

import json
import math
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import mujoco
import numpy as np
import pytest

from equipoise.robots.articulated import ArticulatedBuild
from equipoise.robots.load import load
from equipoise.robots.sap import build as sap
from equipoise.robots.sliding import SlidingBuild
from equipoise.robots.sprawling import SprawlingBuild
from equipoise.robots.titan6.build import BUILD as TITAN6

M = np.diag([1.0, -1.0, 1.0])
SYMMETRIC = (
    "asv", "biped", "insect", "ralphy", "sap", "thing", "titan3", "titan4", "titan6",
    "tum", "warp1",
)  # fmt: skip
LEGGED = ("asv", "insect", "ralphy", "thing", "titan3", "titan4", "titan6", "tum")
BUILDS = {
    name: import_module(f"equipoise.robots.{name}.build").BUILD for name in LEGGED
}
G = mujoco.mjtGeom
ROUND = (int(G.mjGEOM_SPHERE), int(G.mjGEOM_CAPSULE), int(G.mjGEOM_CYLINDER))


def standing(name):
    """Return a robot, its model, and its data as it stands, its base turned to x."""
    robot = load(name)
    model, data = robot.model, mujoco.MjData(robot.model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    return SimpleNamespace(robot=robot, model=model, data=data)


def flipped(name: str) -> str:
    """Return the name of a left-hand part's partner, or of a right-hand one's."""
    swap = name.replace("left", "\0").replace("right", "left")
    return swap.replace("\0", "right")


def form(model, geom, R):
    """Return what is seen of a shape's attitude and size: a tensor, (3, 3)."""
    kind, size = int(model.geom_type[geom]), model.geom_size[geom]
    if kind == int(G.mjGEOM_MESH):
        mesh = int(model.geom_dataid[geom])
        first, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
        own = np.array(model.mesh_vert[first : first + count], float) @ R.T
        return np.cov(own.T)
    if kind in ROUND:
        return size[0] * np.eye(3) + size[1] * np.outer(R[:, 2], R[:, 2])
    return R @ np.diag(size**2) @ R.T


def rows_of(one, mirror):
    """Return a row for each shape: its place, form, colour and what it touches."""
    rows = []
    for geom in range(one.model.ngeom):
        if one.model.geom_bodyid[geom] == 0:
            continue
        place = mirror @ one.data.geom_xpos[geom]
        R = one.data.geom_xmat[geom].reshape(3, 3)
        tensor = mirror @ form(one.model, geom, R) @ mirror
        rows.append(
            [
                one.model.geom_type[geom],
                *place,
                *tensor.ravel(),
                *one.model.geom_rgba[geom],
                one.model.geom_group[geom],
                one.model.geom_contype[geom],
                one.model.geom_conaffinity[geom],
            ]
        )
    return np.array(rows, float)


@pytest.mark.parametrize("name", SYMMETRIC)
def test_both_sides_look_and_touch_alike(name):
    one = standing(name)
    here, there = rows_of(one, np.eye(3)), rows_of(one, M)
    gaps = np.abs(here[:, None] - there[None]).max(axis=2)
    # numbers of meshes are float32; a metre of them is 1e-7
    assert gaps.min(axis=1).max() < 1e-6
    assert gaps.min(axis=0).max() < 1e-6


@pytest.mark.parametrize("name", SYMMETRIC)
def test_both_sides_weigh_alike(name):
    one = standing(name)
    model, data = one.model, one.data

    def seen(body):
        R = data.ximat[body].reshape(3, 3)
        tensor = R @ np.diag(model.body_inertia[body]) @ R.T
        return model.body_mass[body], np.array(data.xipos[body]), tensor

    pairs = 0
    for body in range(1, model.nbody):
        other = model.body(flipped(model.body(body).name)).id
        pairs += other != body
        (mass, place, tensor), (mass2, place2, tensor2) = seen(body), seen(other)
        assert mass == pytest.approx(mass2, rel=1e-12)
        np.testing.assert_allclose(M @ place, place2, atol=1e-9)
        np.testing.assert_allclose(M @ tensor @ M, tensor2, atol=1e-9 * tensor.max())
    assert pairs >= 4


@pytest.mark.parametrize("name", SYMMETRIC)
def test_both_sides_move_alike(name):
    """A joint's mirror image turns the other way about the mirrored axis, or slides.

    Where the partner's axis is the opposite one, so are its angles and their range.
    """
    one = standing(name)
    model, data = one.model, one.data
    slide = int(mujoco.mjtJoint.mjJNT_SLIDE)
    drives = dict(zip(driven(model), one.robot.drives, strict=False))
    for joint in range(model.njnt):
        word = model.joint(joint).name
        other = model.joint(flipped(word)).id
        if int(model.jnt_type[joint]) == int(mujoco.mjtJoint.mjJNT_FREE):
            continue
        is_slide = int(model.jnt_type[joint]) == slide
        axis = (1.0 if is_slide else -1.0) * M @ data.xaxis[joint]
        sign = float(axis @ data.xaxis[other])
        assert abs(sign) == pytest.approx(1.0, abs=1e-9), word
        np.testing.assert_allclose(
            M @ data.xanchor[joint], data.xanchor[other], atol=1e-9
        )
        low, high = model.jnt_range[joint]
        wanted = (low, high) if sign > 0.0 else (-high, -low)
        if word != flipped(word):
            assert model.jnt_range[other] == pytest.approx(wanted, abs=1e-12), word
            q, q2 = (data.qpos[model.jnt_qposadr[j]] for j in (joint, other))
            assert q2 == pytest.approx(np.sign(sign) * q, abs=1e-9), word
        columns = [int(model.jnt_dofadr[j]) for j in (joint, other)]
        for values in (model.dof_armature, model.dof_damping, model.dof_frictionloss):
            assert values[columns[0]] == values[columns[1]]
        if joint in drives and other in drives:
            assert drives[joint] == drives[other]


def driven(model):
    """Return the joint of each actuator."""
    return [int(model.actuator_trnid[a, 0]) for a in range(model.nu)]


def even(moments):
    return np.sort(np.array(moments, float))


def inertia_of(model, name):
    body = model.body(name).id
    return even(model.body_inertia[body])


def capsule(mass, radius, length):
    """Return the moments of an even capsule, along and across."""
    ball, rod = 4.0 / 3.0 * radius**3, radius**2 * length
    balls, rods = mass * ball / (ball + rod), mass * rod / (ball + rod)
    along = 0.5 * rods * radius**2 + 0.4 * balls * radius**2
    across = rods * (3.0 * radius**2 + length**2) / 12.0
    across += balls * (0.4 * radius**2 + 0.25 * length**2 + 0.375 * length * radius)
    return along, across


def limits(model, name):
    actuator = model.actuator(name).id
    assert model.actuator_ctrllimited[actuator]
    assert int(model.actuator_trnid[actuator, 0]) == model.joint(name).id
    assert int(model.actuator_trntype[actuator]) == int(mujoco.mjtTrn.mjTRN_JOINT)
    return tuple(model.actuator_ctrlrange[actuator])


def joint_of(model, name):
    joint = model.joint(name)
    assert model.jnt_limited[joint.id]
    return tuple(joint.axis), tuple(joint.range)


def check_drive(drive, torque, speed, rotor):
    assert drive.torque == pytest.approx(torque)
    assert drive.speed == pytest.approx(speed)
    assert drive.inertia == rotor


@pytest.mark.parametrize(
    "name", [n for n, b in BUILDS.items() if isinstance(b, SlidingBuild)]
)
def test_a_machine_on_slides_has_the_numbers_of_its_build(name):
    build, one = BUILDS[name], standing(name)
    model, data, robot = one.model, one.data, one.robot
    assert model.body("trunk").mass[0] == build.trunk_mass
    np.testing.assert_allclose(inertia_of(model, "trunk"), even(build.trunk_inertia))
    assert data.body("trunk").xpos.tolist() == [0.0, 0.0, build.height]
    box = model.geom("trunk")
    np.testing.assert_allclose(2.0 * box.size, build.trunk_size)
    # it touches from the hips up
    np.testing.assert_allclose(box.pos, [0.0, 0.0, 0.5 * build.trunk_size[2]])
    assert box.group[0] == 3
    assert robot.base == "trunk" and robot.senses == frozenset(build.senses)
    ways = {"forward": build.forward, "aside": build.aside, "up": build.up}
    assert len(robot.drives) == 3 * len(build.hips)
    for k, hip in enumerate(build.hips):
        leg = robot.feet[k].removesuffix("_foot")
        assert robot.legs[k] == f"{leg}_forward"
        foot = model.geom(f"{leg}_foot")
        assert foot.size[0] == build.foot_radius
        np.testing.assert_allclose(
            data.geom(f"{leg}_foot").xpos, [*hip, build.foot_radius], atol=1e-12
        )
        for i, (way, stroke) in enumerate(ways.items()):
            joint = f"{leg}_{way}"
            assert joint_of(model, joint) == (tuple(np.eye(3)[i]), stroke)
            assert model.body(joint).mass[0] == build.masses[i]
            # a tenth of a metre of gyration
            np.testing.assert_allclose(
                inertia_of(model, joint), [0.01 * build.masses[i]] * 3
            )
            force = build.force[i]
            assert limits(model, joint) == pytest.approx((-force, force))
            check_drive(robot.drives[3 * k + i], force, build.speed[i], build.rotor)


def test_a_parted_trunk_is_two_halves_on_a_spring():
    one = standing("titan6")
    parted = load("titan6", trunk_joint="sprung").model
    stiffness, damping = TITAN6.trunk_spring
    joint = parted.joint("trunk_joint")
    assert (joint.stiffness[0], joint.damping[0]) == (stiffness, damping)
    assert joint_of(parted, "trunk_joint") == ((0.0, 0.0, 1.0), TITAN6.trunk_stroke)
    length, width, tall = TITAN6.trunk_size
    for body, side in (("trunk", -1.0), ("front", 1.0)):
        assert parted.body(body).mass[0] == 0.5 * TITAN6.trunk_mass
        middle = [side * 0.25 * length, 0.0, 0.0]
        np.testing.assert_allclose(parted.body(body).ipos, middle)
        box = parted.geom(body)
        np.testing.assert_allclose(2.0 * box.size, [0.5 * length, width, tall])
        np.testing.assert_allclose(box.pos, [middle[0], 0.0, 0.5 * tall])
    for leg, hip in zip(one.robot.legs, TITAN6.hips, strict=True):
        carrier = parted.body(int(parted.body(leg).parentid[0])).name
        assert carrier == ("front" if hip[0] > 0.0 else "trunk")


@pytest.mark.parametrize(
    "name", [n for n, b in BUILDS.items() if isinstance(b, ArticulatedBuild)]
)
def test_a_machine_with_a_mammals_legs_has_the_numbers_of_its_build(name):
    build, one = BUILDS[name], standing(name)
    model, data, robot = one.model, one.data, one.robot
    assert model.body("trunk").mass[0] == build.trunk_mass
    np.testing.assert_allclose(inertia_of(model, "trunk"), even(build.trunk_inertia))
    np.testing.assert_allclose(model.body("trunk").ipos, 0.0, atol=1e-15)
    np.testing.assert_allclose(2.0 * model.geom("trunk").size, build.trunk_size)
    assert data.body("trunk").xpos.tolist() == [0.0, 0.0, build.height]
    assert robot.period == pytest.approx(1.0 / build.rate)
    axes = ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, -1.0, 0.0))
    radius = build.foot_radius
    for k, hip in enumerate(build.hips):
        leg = robot.feet[k].removesuffix("_foot")
        np.testing.assert_allclose(
            data.geom(f"{leg}_foot").xpos, [*hip, radius], atol=1e-9
        )
        assert model.geom(f"{leg}_foot").size[0] == radius
        knee, foot = (
            data.xanchor[model.joint(f"{leg}_knee").id],
            data.geom(f"{leg}_foot").xpos,
        )
        top = data.xanchor[model.joint(f"{leg}_hip_pitch").id]
        np.testing.assert_allclose(top, [*hip, build.height], atol=1e-12)
        assert np.linalg.norm(knee - top) == pytest.approx(build.lengths[0])
        assert np.linalg.norm(foot - knee) == pytest.approx(build.lengths[1])
        assert knee[0] > hip[0] + 0.01  # it bends backwards below
        for i, (joint, part) in enumerate(
            (("hip_roll", "hip"), ("hip_pitch", "thigh"), ("knee", "shank"))
        ):
            word = f"{leg}_{joint}"
            found, stroke = joint_of(model, word)
            assert found == axes[i]
            assert stroke == pytest.approx((build.lower[i], build.upper[i]))
            torque = build.torque[i]
            assert limits(model, word) == pytest.approx((-torque, torque))
            drive = robot.drives[3 * k + i]
            check_drive(drive, torque, build.speed, build.rotor)
            assert (drive.bandwidth, drive.valve) == (build.bandwidth, build.valve)
            assert model.body(f"{leg}_{part}").mass[0] == build.masses[i]
        for i, part in ((1, "thigh"), (2, "shank")):
            thin = radius * (1.0 if i == 1 else 0.7)
            along, across = capsule(build.masses[i], thin, build.lengths[i - 1])
            np.testing.assert_allclose(
                inertia_of(model, f"{leg}_{part}"), even([along, across, across])
            )
            middle = [0.0, 0.0, -0.5 * build.lengths[i - 1]]
            np.testing.assert_allclose(model.body(f"{leg}_{part}").ipos, middle)
        # the hip's block: a disc 1.5 times as wide as the foot, as thick as the foot
        mass, wide = build.masses[0], 1.5 * radius
        across = mass * (3.0 * wide**2 + (2.0 * radius) ** 2) / 12.0
        np.testing.assert_allclose(
            inertia_of(model, f"{leg}_hip"),
            even([0.5 * mass * wide**2, across, across]),
        )


@pytest.mark.parametrize(
    "name", [n for n, b in BUILDS.items() if isinstance(b, SprawlingBuild)]
)
def test_a_machine_with_an_insects_legs_has_the_numbers_of_its_build(name):
    build, one = BUILDS[name], standing(name)
    model, data, robot = one.model, one.data, one.robot
    a, b, c = np.array(build.trunk_size) ** 2
    box = build.trunk_mass / 12.0 * np.array([b + c, a + c, a + b])
    assert model.body("trunk").mass[0] == pytest.approx(build.trunk_mass)
    np.testing.assert_allclose(inertia_of(model, "trunk"), even(box))
    assert data.body("trunk").xpos.tolist() == [0.0, 0.0, build.height]
    swing, lift, bend = build.stand
    reach = build.lengths[0] + build.lengths[1] * math.cos(lift)
    reach += build.lengths[2] * math.cos(lift + bend)
    for k, hip in enumerate(build.hips):
        leg = robot.feet[k].removesuffix("_foot")
        side = math.copysign(1.0, hip[1])
        assert robot.legs[k] == f"{leg}_swing"
        # from sideways: front legs forward, rear legs back, and a swing forward
        turn = math.copysign(build.splay or 0.0, hip[0]) + swing
        place = [
            hip[0] + reach * math.sin(turn),
            hip[1] + side * reach * math.cos(turn),
            build.foot_radius,
        ]
        np.testing.assert_allclose(data.geom(f"{leg}_foot").xpos, place, atol=1e-9)
        assert model.geom(f"{leg}_foot").size[0] == build.foot_radius
        axes = ((0.0, 0.0, -side), (side, 0.0, 0.0), (side, 0.0, 0.0))
        for i, joint in enumerate(("swing", "lift", "bend")):
            word = f"{leg}_{joint}"
            found, stroke = joint_of(model, word)
            assert found == axes[i]
            assert stroke == pytest.approx((build.lower[i], build.upper[i]))
            assert limits(model, word) == pytest.approx((-build.torque, build.torque))
            check_drive(robot.drives[3 * k + i], build.torque, build.speed, build.rotor)
            assert model.body(word).mass[0] == pytest.approx(build.masses[i])
            along, across = capsule(
                build.masses[i], build.foot_radius, build.lengths[i]
            )
            np.testing.assert_allclose(
                inertia_of(model, word), even([along, across, across])
            )
            middle = [0.0, side * 0.5 * build.lengths[i], 0.0]
            np.testing.assert_allclose(model.body(word).ipos, middle, atol=1e-15)


def test_sap_has_the_numbers_that_it_states():
    one = standing("sap")
    model, data, robot = one.model, one.data, one.robot
    assert model.body_mass.sum() == pytest.approx(sap.MASS)
    assert model.body("trunk").mass[0] == sap.TRUNK_MASS
    np.testing.assert_allclose(model.body("trunk").ipos, [sap.TRUNK_CENTRE, 0.0, 0.0])
    np.testing.assert_allclose(inertia_of(model, "trunk"), even(sap.TRUNK_INERTIA))
    np.testing.assert_allclose(2.0 * model.geom("trunk").size, sap.TRUNK_SIZE)
    assert data.body("trunk").xpos.tolist() == [0.0, 0.0, sap.HEIGHT]
    assert data.body("trunk").xmat.tolist() == np.eye(3).ravel().tolist()
    for k, (side, sign) in enumerate((("left", 1.0), ("right", -1.0))):
        hip = [sap.HIP[0], sign * sap.HIP[1]]
        place = data.geom(f"{side}_foot").xpos
        np.testing.assert_allclose(place, [*hip, sap.FOOT_RADIUS], atol=1e-9)
        knee = data.xanchor[model.joint(f"{side}_knee").id]
        assert np.linalg.norm(knee - [*hip, sap.HEIGHT]) == pytest.approx(
            sap.LENGTHS[0]
        )
        assert np.linalg.norm(place - knee) == pytest.approx(sap.LENGTHS[1])
        for i, (joint, part) in enumerate((("hip", "thigh"), ("knee", "shank"))):
            found, stroke = joint_of(model, f"{side}_{joint}")
            assert found == (0.0, -1.0, 0.0)
            assert stroke == pytest.approx((sap.LOWER[i], sap.UPPER[i]))
            assert limits(model, f"{side}_{joint}") == (-sap.TORQUE, sap.TORQUE)
            drive = robot.drives[2 * k + i]
            check_drive(drive, sap.TORQUE, sap.SPEED, sap.ROTOR)
            assert (drive.bandwidth, drive.valve) == (sap.BANDWIDTH, sap.VALVE)
            mass, thin = sap.LEG_MASSES[i], sap.FOOT_RADIUS * (1.0, 0.7)[i]
            along, across = capsule(mass, thin, sap.LENGTHS[i])
            np.testing.assert_allclose(
                inertia_of(model, f"{side}_{part}"), even([along, across, across])
            )
        wheel, tyre = model.body(f"{side}_wheel"), model.geom(f"{side}_tyre")
        axle = [sap.AXLE[0], sign * sap.AXLE[1], sap.WHEEL_RADIUS]
        np.testing.assert_allclose(data.body(f"{side}_wheel").xpos, axle, atol=1e-12)
        assert (wheel.mass[0], tyre.size[0]) == (sap.WHEEL_MASS, sap.WHEEL_RADIUS)
        disc = sap.WHEEL_MASS * sap.WHEEL_RADIUS**2
        np.testing.assert_allclose(wheel.inertia, [disc / 4, disc / 2, disc / 4])
        axis = model.joint(f"{side}_wheel")
        assert tuple(axis.axis) == (0.0, 1.0, 0.0)
        assert axis.frictionloss[0] == sap.BEARING and not model.jnt_limited[axis.id]
    # as it is stated to follow
    assert pytest.approx(sap.OUTSIDE[0] / 2.0 + sap.AXLE[0]) == sap.WHEEL_RADIUS


def test_a_rod_of_a_leg_is_told_from_a_thicker_one():
    """The formula of a capsule against MuJoCo's."""
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body(name="rod")
    body.add_geom(type=G.mjGEOM_CAPSULE, size=[0.05, 0.2, 0], mass=3.0)
    found = spec.compile().body("rod").inertia
    along, across = capsule(3.0, 0.05, 0.4)
    np.testing.assert_allclose(found, [across, across, along])


@pytest.mark.parametrize("name", LEGGED)
def test_numbers_of_a_build_are_those_that_are_kept(name):
    """Choices have no oracle; a change of one has to show as a line in builds.json."""
    kept = json.loads(Path(__file__).with_name("builds.json").read_text("utf-8"))[name]
    numbers = BUILDS[name].numbers
    assert list(numbers) == list(kept)
    for what, value in kept.items():
        # twelve digits are kept
        np.testing.assert_allclose(
            numbers[what], value, rtol=1e-11, atol=1e-11, err_msg=what
        )
