"""A quadruped as MJCF text: position servos, a neck, hips aside, a floor of its own."""

import math

HIPS = {
    "FR": (0.3, -0.15),
    "FL": (0.3, 0.15),
    "RR": (-0.3, -0.15),
    "RL": (-0.3, 0.15),
}
JOINTS = ("roll", "pitch", "knee")
TRUNK = """
<mujoco><compiler angle="radian"/><option timestep="0.002"/>
<default><joint armature="0.02"/></default>
<worldbody><geom name="floor" type="plane" size="0 0 1"/>
 <body name="trunk" pos="0 0 0.6"><freejoint/>
  <geom type="box" size="0.3 0.15 0.05" mass="10"/>
  <body name="mast" pos="0 0 0.05"><joint name="neck" axis="0 1 0" range="-1 1"/>
   <geom type="box" size="0.02 0.02 0.1" pos="0 0 0.1" mass="1"
    contype="0" conaffinity="0"/>
  </body>{legs}
 </body></worldbody>
<actuator>{actuators}</actuator>
<keyframe><key name="home" qpos="{pose}"/></keyframe></mujoco>"""
LEG = """
<body name="{n}_hip" pos="{x} {y} 0">
 <joint name="{n}_roll" axis="1 0 0" range="-0.8 0.8"/>
 <geom type="sphere" size="0.03" mass="0.3"/>
 <body name="{n}_thigh" pos="0 {o} 0">
  <joint name="{n}_pitch" axis="0 1 0" range="-2 2"/>
  <geom type="capsule" fromto="0 0 0 0 0 -0.22" size="0.02" mass="0.5"/>
  <body name="{n}_shank" pos="0 0 -0.25">
   <joint name="{n}_knee" axis="0 1 0" range="-2.5 -0.2"/>
   <geom type="capsule" fromto="0 0 0 0 0 -0.2" size="0.015" mass="0.2"/>
   <geom name="{n}_tip" type="sphere" size="0.025" pos="0 0 -0.25" mass="0.05"/>
  </body></body></body>"""


def servo_quadruped() -> str:
    """Return the MJCF; its legs are written down right before left."""
    legs = "".join(
        LEG.format(n=n, x=x, y=y, o=math.copysign(0.05, y))
        for n, (x, y) in HIPS.items()
    )
    actuators = '<position joint="neck" kp="20"/>' + "".join(
        f'<position joint="{n}_{j}" kp="100" forcerange="-30 30"/>'
        for n in HIPS
        for j in JOINTS
    )
    pose = "0 0 0.46 1 0 0 0 0.3 " + "0 0.75 -1.5 " * 4
    return TRUNK.format(legs=legs, actuators=actuators, pose=pose)
