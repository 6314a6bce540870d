"""The friction that a file's contacts have in the engine, and what is left of it."""

import math

import mujoco
import numpy as np
import pytest

import equipoise as eq
from equipoise.runs.check.friction import friction_directions

SCENE = """<mujoco><option cone="{}"/><worldbody>
<geom name="floor" type="plane" size="0 0 1" friction=".3"/>
<body name="block" pos="0 0 .1"><freejoint/>
<geom name="foot" type="{}" size=".2 .2 .1" friction=".3" mass="1"/></body>
</worldbody></mujoco>"""


def stands(tmp_path, heading, slope, cone="pyramidal", kind="box"):
    """Say whether a block with friction 0.3 stands on a slope."""
    (tmp_path / "block.xml").write_text(SCENE.format(cone, kind))
    robot = eq.load(tmp_path / "block.xml")
    return eq.check(robot, slope_deg=slope, heading_deg=heading).stands


@pytest.mark.parametrize("heading", [0.0, 20.0, 45.0, 90.0, 110.0])
def test_a_pyramid_is_narrower_between_its_edges(tmp_path, heading):
    # Closed form: towards an angle a from an edge a pyramid of friction mu reaches to
    # mu / (|cos a| + |sin a|). Below that it stands, beyond mu it slides; between them
    # it depends on where the engine puts the edges.
    a = math.radians(heading)
    sure = math.degrees(math.atan(0.3 / (abs(math.cos(a)) + abs(math.sin(a)))))
    most = math.degrees(math.atan(0.3))
    assert stands(tmp_path, heading, 0.99 * sure) == "yes"
    assert stands(tmp_path, heading, 1.01 * most) == "no"
    assert stands(tmp_path, heading, 0.99 * most, cone="elliptic") == "yes"
    if sure < 0.98 * most:
        assert stands(tmp_path, heading, 1.01 * sure) == "unknown"


def test_the_directions_of_friction_are_the_engines(rng):
    seen = set()
    for _ in range(20):
        normal = rng.normal(size=3)
        normal /= np.linalg.norm(normal)
        spec = mujoco.MjSpec()
        plane = mujoco.mjtGeom.mjGEOM_PLANE
        spec.worldbody.add_geom(type=plane, size=[0, 0, 1], zaxis=normal)
        ball = spec.worldbody.add_body(pos=0.09 * normal)
        ball.add_freejoint()
        ball.add_geom(size=[0.1, 0, 0], mass=1.0)
        model = spec.compile()
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        frame = data.contact.frame[0].reshape(3, 3)
        across = np.abs(friction_directions(frame[0]) @ frame[1:].T)
        np.testing.assert_allclose(across, np.eye(2), atol=1e-12)  # rounding; signs
        seen.add(abs(normal[1]) < 0.5)
    assert seen == {False, True}  # both rules of the engine were tried
