"""A URDF's inertia in a turned frame is the same whichever MuJoCo reads it."""

import mujoco
import numpy as np
import pytest

from equipoise.robots.files.mend_inertia import HAIR
from equipoise.robots.load import load
from equipoise.spatial.rotations import matrix_from_quat
from oracles.versions import PRINCIPAL_AXES

LINK = """<link name="{name}"><inertial><mass value="2"/>
<origin xyz="0.1 0 0" rpy="{rpy}"/>
<inertia ixx="{0}" iyy="{1}" izz="{2}" ixy="{3}" ixz="{4}" iyz="{5}"/>
</inertial></link>"""
JOINT = """<joint name="j" type="revolute"><parent link="a"/><child link="b"/>
<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>"""
INERTIAS = [  # xx, yy, zz, xy, xz, yz
    (3.0, 2.5, 2.0, 0.1, -0.1, 0.05),
    (2e-3, 2.5e-3, 3e-3, 0.0, 0.0, 0.0),
    (2e-5, 2e-5, 3e-5, 1e-6, 0.0, 0.0),
]


def error_of(path, numbers, rpy):
    """Return the largest relative error of two links' inertias as they are read."""
    words = " ".join(map(str, rpy))
    links = (LINK.format(*numbers, name=name, rpy=words) for name in "ab")
    path.write_text(f'<robot name="r">{"".join(links)}{JOINT}</robot>')
    robot = load(path)
    assert robot.mended == ()
    xx, yy, zz, xy, xz, yz = numbers
    given = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    quat = np.zeros(4)
    mujoco.mju_euler2Quat(quat, np.array(rpy), "XYZ")  # about fixed axes, as URDF
    turn = matrix_from_quat(quat)
    errors = []
    for name in "ab":
        body = robot.model.body(name)
        axes = matrix_from_quat(body.iquat)
        found = axes @ np.diag(body.inertia) @ axes.T
        errors.append(np.abs(found - turn @ given @ turn.T).max() / max(numbers))
    return max(errors)


@pytest.mark.parametrize("numbers", INERTIAS)
@pytest.mark.parametrize("rpy", [(0.0, 0.0, 0.0), (0.3, -0.4, 0.5), (0.0, -1.5, 2.0)])
def test_a_turned_inertia_is_read(tmp_path, numbers, rpy):
    assert error_of(tmp_path / "turned.urdf", numbers, rpy) < PRINCIPAL_AXES


def test_a_plate_without_thickness_may_be_turned(tmp_path, rng):
    """Its moments are A + B = C to the last digit, which turning may take away."""
    for _ in range(12):
        a, rpy = 10.0 ** rng.uniform(-5.0, 0.0), rng.uniform(-3.0, 3.0, 3)
        numbers = (a, a, 2.0 * a, 0.0, 0.0, 0.0)
        error = error_of(tmp_path / "plate.urdf", numbers, rpy.tolist())
        assert error < 2.0 * HAIR + PRINCIPAL_AXES
