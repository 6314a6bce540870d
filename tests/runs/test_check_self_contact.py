"""``check`` of robots whose own links touch: what that asks of limited motors."""

import re

import mujoco
import numpy as np
import pytest

import equipoise as eq
from equipoise.robots.scene.self_contact import self_push

# a pole on a foot; the ball at its heel is deeper in the foot the lower it is
POLE = """
<mujoco>
  <option timestep="0.002" {option}><flag filterparent="disable"/></option>
  <worldbody>
    <geom name="floor" type="plane" size="0 0 1"/>
    <body name="foot" pos="0 0 0.02"><freejoint/>
      <geom type="box" size="0.15 0.1 0.02" mass="2"/>
      <body name="pole" pos="0 0 0.02">
        <joint name="ankle" axis="0 1 0" damping="0.2"/>
        <geom type="box" size="0.03 0.03 0.01" pos="0.02 0 0.6" mass="5"/>
        <geom size="0.02" pos="-0.05 0 {heel}" mass="0.1"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="ankle" forcerange="-4 4"/></actuator>
</mujoco>"""

# a finger on a servo presses against the pole
FINGER = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <geom name="floor" type="plane" size="0 0 1"/>
    <body name="foot" pos="0 0 0.02"><freejoint/>
      <geom type="box" size="0.15 0.1 0.02" mass="2"/>
      <body name="pole" pos="0 0 0.02">
        <joint name="ankle" axis="0 1 0" damping="0.2"/>
        <geom type="box" size="0.03 0.03 0.2" pos="0 0 0.23" mass="0.5"/>
        <geom type="box" size="0.03 0.03 0.01" pos="0.02 0 0.6" mass="5"/>
      </body>
      <body name="finger" pos="-0.1 0 0.03">
        <joint name="push" axis="0 1 0" damping="0.2"/>
        <geom type="capsule" fromto="0 0 0.02 0 0 0.2" size="0.015" mass="0.1"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="ankle" forcerange="-4 4"/>
    <position joint="push" kp="20" kv="1"/>
  </actuator>
  <keyframe><key name="home" qpos="0 0 0.02 1 0 0 0 0 0.27" ctrl="0 {told}"/></keyframe>
</mujoco>"""


def held(xml, seconds):
    """Return a robot whose ankle a stiff controller held, within its limits.

    The oracle: the engine, a servo in the place of the motor.
    """
    model = mujoco.MjModel.from_xml_string(xml)
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    model.actuator_biastype[0] = mujoco.mjtBias.mjBIAS_AFFINE
    model.actuator_gainprm[0, 0] = 0.0
    model.actuator_biasprm[0, :3] = 0.0, -2000.0, -40.0
    model.dof_armature[6] += 0.02
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_step(model, data, round(seconds / model.opt.timestep))
    return data


def checked(tmp_path, xml, **settings):
    """Return the check of an MJCF text, without remedies."""
    path = tmp_path / "robot.xml"
    path.write_text(xml)
    return eq.check(eq.load(path), remedies=False, **settings)


@pytest.mark.parametrize("option", ["", 'cone="elliptic"', 'jacobian="sparse"'])
@pytest.mark.parametrize("heel", [0.0195, 0.015])
def test_links_push_as_the_engine_lets_them(heel, option):
    model = mujoco.MjModel.from_xml_string(POLE.format(heel=heel, option=option))
    found = self_push(model, model.qpos0, np.array([False, True, True]))
    model.dof_armature[6] = 1e7  # which nothing moves
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 1000)
    pushed = data.qfrc_constraint[6]
    # truncation: the foot settles into the floor, and the pole turns by 1e-6 rad
    assert found.forces[6] == pytest.approx(pushed, rel=1e-2)
    assert found.forces[:6] == pytest.approx(0.0, abs=1e-12)  # rounding
    assert set(found.links) == {"foot", "pole"}


def test_motors_must_resist_links_that_overlap(tmp_path):
    apart, light, deep = (POLE.format(heel=z, option="") for z in (0.03, 0.0195, 0.015))
    weight = (5 * 0.02 - 0.1 * 0.05) * 9.81  # its torque on the ankle [N m]
    alone = checked(tmp_path, apart).summary["joints"]["torque_share_without_bracing"]
    # solver: MET and GAP of torque_share
    assert alone == pytest.approx(weight / 4.0, rel=1e-4)
    assert held(light, 10.0).qpos[7] < 0.01
    assert checked(tmp_path, light).stands == "yes"
    assert held(deep, 10.0).subtree_com[1][2] < 0.1  # it fell
    for ground in ("rigid", "engine"):
        found = checked(tmp_path, deep, ground=ground)
        assert found.stands == "unknown"
        said = r"'pole' and 'foot' overlap .* need (\S+) times their torque limits"
        needed = re.match(said, found.summary["reasons"][0])
        model = mujoco.MjModel.from_xml_string(deep)
        push = self_push(model, model.qpos0, np.array([False, True, True])).forces[6]
        # reading: three digits are said
        assert float(needed[1]) == pytest.approx((push + weight) / 4.0, rel=5e-3)


def test_motors_too_weak_whose_links_rest_on_each_other_are_no_plain_no(tmp_path):
    weak = POLE.replace("-4 4", "-0.5 0.5")
    assert checked(tmp_path, weak.format(heel=0.03, option="")).stands == "no"
    found = checked(tmp_path, weak.format(heel=0.0195, option=""))
    assert found.stands == "unknown"
    assert "only if 'pole' and 'foot' rest on each other" in str(found)


def test_a_servo_that_presses_on_a_link_asks_more_of_its_motor(tmp_path):
    for told, stands in ((0.3, "yes"), (0.6, "unknown")):
        xml = FINGER.format(told=told)
        found, fate = checked(tmp_path, xml, keyframe="home"), held(xml, 20.0)
        assert found.stands == stands
        assert (fate.subtree_com[1][2] > 0.4) == (stands == "yes")
        if stands == "yes":
            share = abs(float(fate.actuator_force[0])) / 4.0
            # truncation: the oracle's controller gives way a little
            assert found.summary["own_drives"]["motor_share"] == pytest.approx(
                share, rel=0.02
            )
        else:
            assert "against links of its own that push them" in str(found)
