"""A six-legged machine as MJCF text: rows of legs along its sides, plain motors."""

ROWS = {"F": 0.35, "M": 0.0, "R": -0.35}
LEG = """
<body name="{n}_hip" pos="{x} {y} 0">
 <joint name="{n}_roll" axis="1 0 0" range="-0.8 0.8"/>
 <geom type="sphere" size="0.02" mass="0.3"/>
 <body name="{n}_thigh"><joint name="{n}_pitch" axis="0 1 0" range="-2 2"/>
  <geom type="capsule" fromto="0 0 0 0 0 -0.2" size="0.02" mass="0.4"/>
  <body name="{n}_shank" pos="0 0 -0.25">
   <joint name="{n}_knee" axis="0 1 0" range="-2.5 -0.2"/>
   <geom type="capsule" fromto="0 0 0 0 0 -0.2" size="0.015" mass="0.2"/>
   <geom type="sphere" size="0.025" pos="0 0 -0.25" mass="0.05"/>
  </body></body></body>"""


def stick_hexapod() -> str:
    """Return the MJCF, 16 kg."""
    names = {f"{row}{side}": (x, y) for row, x in ROWS.items() for side, y in
             (("L", 0.2), ("R", -0.2))}  # fmt: skip
    legs = "".join(LEG.format(n=n, x=x, y=y) for n, (x, y) in names.items())
    motors = "".join(
        f'<motor joint="{n}_{j}" ctrlrange="-30 30"/>'
        for n in names
        for j in ("roll", "pitch", "knee")
    )
    return (
        '<mujoco model="six"><compiler angle="radian"/><worldbody>'
        '<body name="trunk" pos="0 0 0.5"><freejoint/>'
        f'<geom type="box" size="0.4 0.15 0.05" mass="10"/>{legs}</body></worldbody>'
        f"<actuator>{motors}</actuator></mujoco>"
    )
