"""How far a trunk sways about its means, from angles that are put in."""

import math

import numpy as np
import pytest

from equipoise_lab.papers.ridderstrom2003.chapter3 import walks


def quats(yaw, pitch, roll):
    """Return turns about z, then the new y, then the new x, (n, 4)."""
    (cz, sz), (cy, sy), (cx, sx) = (
        (np.cos(0.5 * a), np.sin(0.5 * a)) for a in (yaw, pitch, roll)
    )
    return np.stack(
        [
            cz * cy * cx + sz * sy * sx,
            cz * cy * sx - sz * sy * cx,
            cz * sy * cx + sz * cy * sx,
            sz * cy * cx - cz * sy * sx,
        ],
        axis=1,
    )


def test_sway_is_of_roll_and_pitch_and_headings_have_no_jumps(rng):
    roll, pitch = rng.uniform(-1.2, 1.2, 50), rng.uniform(-1.2, 1.2, 50)
    yaw = np.linspace(-2.0, 9.0, 50)
    turned = quats(yaw, pitch, roll)
    wanted = math.degrees(math.hypot(np.std(roll), np.std(pitch)))
    assert walks._swayed(turned) == pytest.approx(wanted)
    assert walks.yaws(turned) == pytest.approx(yaw)
    still = quats(yaw, np.full(50, 0.7), np.full(50, -0.4))  # leaning is no sway
    assert walks._swayed(still) == pytest.approx(0.0, abs=1e-6)
