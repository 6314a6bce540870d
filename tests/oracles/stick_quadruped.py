"""A quadruped of sticks and balls as URDF text, all of it known by hand."""

HIPS = {"FL": (0.3, 0.2), "FR": (0.3, -0.2), "RL": (-0.3, 0.2), "RR": (-0.3, -0.2)}
UPPER, LOWER, RADIUS = 0.25, 0.2, 0.02
TRUNK, THIGH, SHANK, FOOT = 20.0, 1.0, 0.5, 0.001
INERTIAL = (
    '<inertial><origin xyz="0 0 {z}"/><mass value="{mass}"/><inertia ixx="0.02" '
    'iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial>'
)
LEG = """
<link name="{n}_thigh">{thigh}</link>
<link name="{n}_shank">{shank}</link>
<link name="{n}_foot"><inertial><mass value="{foot}"/><inertia ixx="1e-6" iyy="1e-6"
 izz="1e-6" ixy="0" ixz="0" iyz="0"/></inertial>
 <collision><geometry><sphere radius="{r}"/></geometry></collision></link>
<joint name="{n}_hip" type="revolute"><parent link="trunk"/><child link="{n}_thigh"/>
 <origin xyz="{x} {y} 0"/><axis xyz="0 1 0"/>
 <limit lower="-1" upper="2" effort="{effort}" velocity="{speed}"/></joint>
<joint name="{n}_knee" type="revolute">
 <parent link="{n}_thigh"/><child link="{n}_shank"/>
 <origin xyz="0 0 -{upper}"/><axis xyz="0 1 0"/>
 <limit lower="-2.5" upper="-0.1" effort="{effort}" velocity="{speed}"/></joint>
<joint name="{n}_fixed" type="fixed"><parent link="{n}_shank"/><child link="{n}_foot"/>
 <origin xyz="0 0 -{lower}"/></joint>"""


def stick_quadruped(
    effort: float = 40.0, speed: float = 12.0, order: str = "RR FL RL FR"
) -> str:
    """Return the URDF; its legs are written down in an order."""
    trunk = INERTIAL.format(z=0, mass=TRUNK)
    shape = '<collision><geometry><box size="0.6 0.3 0.1"/></geometry></collision>'
    legs = "".join(
        LEG.format(
            n=name,
            x=HIPS[name][0],
            y=HIPS[name][1],
            r=RADIUS,
            foot=FOOT,
            upper=UPPER,
            lower=LOWER,
            effort=effort,
            speed=speed,
            thigh=INERTIAL.format(z=0, mass=THIGH),
            shank=INERTIAL.format(z=0, mass=SHANK),
        )
        for name in order.split()
    )
    return (
        f'<robot name="sticks"><link name="trunk">{trunk}{shape}</link>{legs}</robot>'
    )
