"""A small arm with every kind of primitive and a mesh."""

import mujoco
import pytest

ARM = """
<mujoco model="arm">
  <asset>
    <mesh name="wedge" vertex="0 0 0  .12 0 0  0 .08 0  0 0 .1"/>
  </asset>
  <worldbody>
    <geom name="floor" type="plane" size="0 0 .1"/>
    <geom name="block" type="box" size=".09 .09 .05" pos="0 0 .05" rgba=".35 .4 .45 1"/>
    <body pos="0 0 .1">
      <joint name="turn" axis="0 0 1"/>
      <geom name="post" type="cylinder" size=".05 .06" pos="0 0 .06" rgba=".2 .5 .8 1"/>
      <body pos="0 0 .14">
        <joint name="lift" axis="0 1 0"/>
        <geom name="upper" type="capsule" size=".03" fromto="0 0 0 .25 0 0"
              rgba=".9 .6 .1 1"/>
        <body pos=".28 0 0">
          <joint name="elbow" axis="0 1 0"/>
          <geom name="lower" type="ellipsoid" size=".12 .03 .04" pos=".1 0 0"
                rgba=".2 .65 .4 1"/>
          <geom name="ball" type="sphere" size=".045" pos=".24 0 0" rgba=".8 .2 .2 1"/>
          <geom name="fin" type="mesh" mesh="wedge" pos=".08 0 .04" rgba=".5 .3 .7 1"/>
          <geom name="unseen" type="sphere" size=".3" rgba="1 0 1 1" group="3"
                contype="0" conaffinity="0"/>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.fixture(scope="session")
def arm() -> mujoco.MjModel:
    """The arm, three hinges."""
    return mujoco.MjModel.from_xml_string(ARM)
