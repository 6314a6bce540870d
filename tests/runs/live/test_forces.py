"""Where the ground pushes on a robot, and how: the engine's own sums, and statics."""

from types import SimpleNamespace
from typing import Any

import mujoco
import numpy as np
import pytest

from equipoise.runs.live.forces import contact_forces, foot_forces

FOOT = '<geom type="{kind}" size="0.05 0.05 0.05" pos="{x} {y} 0" mass="{mass}"/>'
GROUNDS = {
    "plane": '<geom type="plane" size="9 9 1"/>',
    "box": '<geom type="box" size="9 9 1" pos="0 0 -1"/>',  # counts as the second
    "slope": '<geom type="plane" size="9 9 1" euler="0 10 0"/>',
    "box slope": '<geom type="box" size="9 9 1" pos="-.1736 0 -.9848" euler="0 10 0"/>',
}


def world_of(ground: str, *feet: tuple[float, float, float], more: str = "") -> Any:
    """Return world and data of a robot on balls: x, y [m] and mass [kg] of each."""
    balls = "".join(FOOT.format(kind="sphere", x=x, y=y, mass=m) for x, y, m in feet)
    model = mujoco.MjModel.from_xml_string(f"""<mujoco>
    <option cone="elliptic"/><worldbody>{ground}
    <body name="robot" pos="0 0 0.052"><freejoint/>{balls}{more}</body>
    <body name="stone" pos="3 0 0.052"><freejoint/><geom size="0.05" mass="1"/></body>
    </worldbody></mujoco>""")
    world = SimpleNamespace(model=model, root=model.body("robot").id)
    return world, mujoco.MjData(model)


def settled(world: Any, data: Any, steps: int = 400) -> None:
    """Let all come to rest."""
    for _ in range(steps):
        mujoco.mj_step(world.model, data)
    mujoco.mj_forward(world.model, data)


@pytest.mark.parametrize("ground", GROUNDS)
def test_forces_on_the_robot_are_those_the_engine_adds_up(ground):
    """Whichever of the two shapes comes first, sticking on a slope too."""
    feet = ((0.2, 0.1, 1.0), (-0.2, 0.1, 2.0), (0.0, -0.1, 3.0))
    world, data = world_of(GROUNDS[ground], *feet)
    settled(world, data)
    mujoco.mj_rnePostConstraint(world.model, data)
    places, forces = contact_forces(world, data)
    assert forces.shape == places.shape == (1, 3)
    # rounding: of sums of some ten N
    assert forces[0] == pytest.approx(data.cfrc_ext[world.root, 3:], abs=1e-10)
    assert forces[0, 2] > 30.0


def test_a_robot_at_rest_is_pushed_where_its_mass_is():
    world, data = world_of(
        GROUNDS["plane"], (0.2, 0.1, 1.0), (-0.2, 0.1, 2.0), (0.0, -0.1, 3.0)
    )
    settled(world, data, 2000)
    places, forces = contact_forces(world, data)
    # truncation: what still moves after two seconds
    assert forces[0] == pytest.approx([0.0, 0.0, 6.0 * 9.81], abs=1e-3)
    assert places[0, :2] == pytest.approx(data.subtree_com[world.root, :2], abs=1e-5)


def test_what_is_no_ground_does_not_count():
    """A stone that leans on the robot moves; the robot's own parts are the robot."""
    arm = """<body pos="0 0 0.2"><joint axis="0 1 0"/><geom size="0.05" pos="0 0 -.105"
    mass="0.1"/></body>"""
    world, data = world_of(
        GROUNDS["plane"], (0.2, 0.1, 1.0), (-0.2, 0.1, 2.0), (0, -0.1, 3.0), more=arm
    )
    data.qpos[2], data.qpos[-8] = 0.049, 0.0
    data.qpos[-7:-4] = 0.295, 0.1, 0.049  # the stone, touching a foot
    mujoco.mj_forward(world.model, data)
    bodies = world.model.geom_bodyid[data.contact.geom]
    stone = world.model.body("stone").id
    assert {tuple(pair) for pair in bodies.tolist()} >= {(1, stone), (0, stone), (0, 1)}
    _, forces = contact_forces(world, data)
    wanted = np.zeros(3)
    for k, pair in enumerate(bodies.tolist()):
        if pair == [0, 1]:
            wrench = np.zeros(6)
            mujoco.mj_contactForce(world.model, data, k, wrench)
            wanted += data.contact.frame[k].reshape(3, 3).T @ wrench[:3]
    assert forces == pytest.approx(wanted[None], abs=1e-12)


def test_nothing_pushes_in_the_air():
    world, data = world_of(GROUNDS["plane"], (0.0, 0.0, 1.0))
    data.qpos[2] = 1.0
    mujoco.mj_forward(world.model, data)
    places, forces = contact_forces(world, data)
    assert places.shape == forces.shape == (0, 3)


def test_feet_of_a_machine_push_at_the_bottoms_of_their_balls():
    model = mujoco.MjModel.from_xml_string("""<mujoco><worldbody>
    <geom name="left" size="0.03" pos="1 2 3"/><geom name="right" size="0.1"/>
    </worldbody></mujoco>""")
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    felt = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    contacts = SimpleNamespace(feet=[SimpleNamespace(force=f) for f in felt[::-1]])
    plant: Any = SimpleNamespace(contacts=contacts, data=data, model=model)
    world: Any = SimpleNamespace(
        robot=SimpleNamespace(feet=("right", "left")), feet=np.array([1, 0])
    )
    places, forces = foot_forces(plant, world)
    assert forces.tolist() == felt[::-1].tolist()
    assert places == pytest.approx(np.array([[0.0, 0.0, -0.1], [1.0, 2.0, 2.97]]))
    assert data.geom_xpos[0, 2] == 3.0  # the engine's own numbers are left alone
