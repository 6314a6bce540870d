"""A specification that was sent is the one that is made from it, to the last bit."""

import pickle
from pathlib import Path

import mujoco
import numpy as np
import pytest

import equipoise as eq
from equipoise.robots.builtin import builtin_names
from equipoise.robots.files.mjcf import mjcf_text
from equipoise.robots.packed import packed_spec, unpacked_spec
from oracles.robot_files import example_urdfs

ODD = """
<mujoco>
  <compiler angle="degree"/>
  <option timestep="0.00212345678" gravity="0.1234567891 0 -9.7123456789"/>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1" friction="0.71234567891 .01 .001"/>
    <frame pos="0.0000012345678 0 0" euler="0.0000123456789 0 0">
      <body name="trunk" pos="0.1234567891234 0 1" quat="1 2 3 4.123456789">
        <freejoint/>
        <geom name="box" type="box" size=".1 .2 .3" mass="3.123456789012"
              solref="0.0212345678 1.0123456789"/>
        <body name="leg" euler="0.0000123456789 0 0">
          <frame pos="0.5123456789 0 0" euler="0 30.123456789 0">
            <geom name="inner" size="0.012345678" pos="0.123456789 0 0"/>
            <joint name="knee" axis="1 2 1e-17" range="-31.23456789 0"
                   damping="0.123456789" armature="0.0123456789"
                   stiffness="1.23456789" frictionloss="0.0123456789"/>
          </frame>
          <geom name="shank" type="capsule" size="0.0212345678"
                fromto="0 0 0 0.1234567 0 -.3"/>
          <site name="toe" pos="0.1234567891 0 -.3"/>
        </body>
      </body>
    </frame>
  </worldbody>
  <actuator>
    <position name="m" joint="knee" kp="12.3456789123" ctrlrange="-1 1.123456789"/>
  </actuator>
  <sensor><force name="felt" site="toe" noise="0.0123456789"/></sensor>
  <keyframe><key qpos="0 0 1.123456789 1 0 0 0 -0.0123456789"/></keyframe>
</mujoco>
"""
PATHS = "mesh_pathadr"  # of the names of files, which were given others


def differing(one: mujoco.MjModel, other: mujoco.MjModel) -> list[str]:
    """Return the names of all arrays of two models that are not the same."""
    names = [name for name in dir(one) if name[0] != "_" and name != PATHS]
    arrays = [n for n in names if isinstance(getattr(one, n), np.ndarray)]
    assert len(arrays) > 100  # or nothing was looked at
    differ = [
        name
        for name in arrays
        if not np.array_equal(getattr(one, name), getattr(other, name))
    ]
    options = ("gravity", "timestep", "impratio")
    differ += [
        name
        for name in options
        if not np.array_equal(getattr(one.opt, name), getattr(other.opt, name))
    ]
    return differ


def sent(spec: mujoco.MjSpec) -> mujoco.MjSpec:
    """Return a specification as another process gets it."""
    return unpacked_spec(pickle.loads(pickle.dumps(packed_spec(spec))))


@pytest.mark.parametrize("name", builtin_names())
def test_a_built_in_robot_is_the_same_when_sent(name: str):
    robot = eq.load(name)
    again = sent(robot.spec)
    assert differing(robot.spec.copy().compile(), again.compile()) == []


def test_numbers_with_many_digits_are_the_same_when_sent():
    spec = mujoco.MjSpec.from_string(ODD)
    again = sent(spec).compile()
    model = spec.copy().compile()
    assert model.jnt_stiffness[1] == 1.23456789  # the setting is as it is written
    assert differing(model, again) == []


def test_what_counts_in_place_of_a_number_is_not_undone():
    """A turn and a frame that are smaller than the digits which MuJoCo writes."""
    model = sent(mujoco.MjSpec.from_string(ODD)).compile()
    angle = np.deg2rad(0.0000123456789)  # one rounding of a sum near 1e-7
    assert model.body("leg").quat[1] == pytest.approx(angle / 2, rel=1e-9)
    offset = model.body("trunk").pos[0] - 0.1234567891234
    assert offset == pytest.approx(1.2345678e-6, abs=1e-15)


def test_a_file_with_meshes_is_the_same_when_sent():
    files = {path.name: path for path in example_urdfs()}
    if "solo12.urdf" not in files:
        pytest.skip("example-robot-data is not installed (make setup)")
    robot = eq.load(Path(files["solo12.urdf"]))
    model = robot.spec.copy().compile()
    assert model.nmesh > 0
    again = pickle.loads(pickle.dumps(robot))
    assert differing(model, again.spec.copy().compile()) == []
    assert differing(robot.model, again.model) == []


def test_a_file_with_frames_is_written_as_it_is():
    model = mujoco.MjSpec.from_string(ODD).compile()
    text = mjcf_text(mujoco.MjSpec.from_string(ODD))
    again = mujoco.MjModel.from_xml_string(text)
    for name in ("body_pos", "geom_pos", "jnt_pos", "jnt_axis", "geom_size"):
        one, other = getattr(model, name), getattr(again, name)
        # six digits of the frame's own place and turn, of order 1
        np.testing.assert_allclose(other, one, rtol=0.0, atol=2e-6, err_msg=name)
