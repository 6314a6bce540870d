"""Four-legged robots so close together that they touch, in one scene.

Each has a free trunk and two hinges a leg, 14 degrees of freedom. A contact between two
robots joins parts of the constraint matrix that no kinematic tree joins.
"""

import mujoco

SPACING = 0.45, 0.225  # along x and y [m]; a trunk is 0.5 m long and 0.2 m wide
LEG = """<body pos="{x} {y} 0"><joint axis="0 1 0" armature=".01" damping=".1"/>
<geom type="capsule" size=".02" fromto="0 0 0 .05 0 -.15" mass=".4"/>
<body pos=".05 0 -.15"><joint axis="0 1 0" armature=".01"/>
<geom type="capsule" size=".02" fromto="0 0 0 -.05 0 -.15" mass=".2"/></body></body>"""


def touching_quadrupeds(count: int, cone: str, matrices: str) -> mujoco.MjModel:
    """Return a scene of robots in rows of four, just above a floor.

    Args:
        count: number of robots.
        cone: friction cone, "pyramidal" or "elliptic".
        matrices: "sparse" or "dense", how the solver keeps its Jacobian.
    """
    legs = "".join(LEG.format(x=x, y=y) for x in (0.2, -0.2) for y in (0.12, -0.12))
    robots = "".join(
        f'<body pos="{k % 4 * SPACING[0]} {k // 4 * SPACING[1]} .315"><freejoint/>'
        f'<geom type="box" size=".25 .1 .05" mass="6"/>{legs}</body>'
        for k in range(count)
    )
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><option jacobian="{matrices}" cone="{cone}" tolerance="1e-12" '
        'iterations="200"/><worldbody><geom type="plane" size="9 9 1"/>'
        f"{robots}</worldbody></mujoco>"
    )
