"""Membership of the region against other programs, with pyramids of 16 sides.

More than 5,000 points around 50 stances, from mild to steep, all farther than 1 cm from
the edge. The pyramids' edge lies between that of our cones and that of the cones that
fit into the pyramids; on steep ground these are up to 2 cm apart, and a point must be
1 cm from both.
"""

import importlib.util
import math
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equipoise.stability.region.region import RegionKind, equilibrium_region
from equipoise.stability.rigid.support import static_margin

STANCES, POINTS, SIDES, NEAR = 50, 125, 16, 0.01
FRICTION = 0.6
WITHIN = math.cos(math.pi / SIDES)  # of the cone that fits into a pyramid in a cone

# Run apart: the wheel of hpp finds its libraries only through the loader's path.
HPP = """
import sys
import numpy as np
import hpp_centroidal_dynamics as hpp
given = np.load(sys.argv[1])
held = []
for k in range(len(given["counts"])):
    n = given["counts"][k]
    test = hpp.Equilibrium("region", 1.0, int(given["sides"]))
    test.setNewContacts(
        given["contacts"][k, :n], given["normals"][k, :n], float(given["friction"]),
        hpp.EquilibriumAlgorithm.EQUILIBRIUM_ALGORITHM_DLP,
    )
    for x, y in given["points"][k]:
        status, robust = test.computeEquilibriumRobustness(np.array([x, y, 0.3]))
        held.append(status == hpp.LP_status.LP_STATUS_OPTIMAL and robust >= 0.0)
np.save(sys.argv[2], np.array(held).reshape(given["points"].shape[:2]))
"""


@cache
def judged():
    """Return stances that have an area, points about them, and what we say of them."""
    rng = np.random.default_rng(16)
    stances: list[Any] = []
    points, inside, clear = [], [], []
    while len(stances) < STANCES:
        nc, lean_deg = 3 + len(stances) % 4, (15, 50)[len(stances) % 2]
        turns = (np.arange(nc) + rng.uniform(-0.3, 0.3, nc)) * 2 * math.pi / nc
        reach = rng.uniform(0.2, 0.4, nc)
        feet = np.c_[
            reach * np.cos(turns), reach * np.sin(turns), rng.normal(0, 0.1, nc)
        ]
        lean, way = np.deg2rad(rng.uniform(0, lean_deg, nc)), rng.uniform(0, 7, nc)
        normals = np.c_[np.sin(lean) * np.cos(way), np.sin(lean) * np.sin(way),
                        np.cos(lean)]  # fmt: skip
        region = equilibrium_region(feet, normals, FRICTION)
        if region.kind is not RegionKind.AREA:
            continue
        xy = rng.uniform(-0.35, 0.35, (POINTS, 2))
        smaller = equilibrium_region(feet, normals, WITHIN * FRICTION)
        within, around = (static_margin(xy, p) for p in (smaller.inner, region.outer))
        stances.append((feet, normals))
        points.append(xy)
        clear.append((within > NEAR) | (around < -NEAR))
        inside.append([region.contains(p) for p in xy])
    return stances, np.array(points), np.array(inside), np.array(clear)


def test_hpp_centroidal_dynamics_says_the_same(tmp_path):
    if importlib.util.find_spec("hpp_centroidal_dynamics") is None:
        pytest.skip("the extra 'peers' brings hpp-centroidal-dynamics")
    stances, points, inside, clear = judged()
    counts = [len(feet) for feet, _ in stances]
    feet, normals = np.zeros((2, STANCES, max(counts), 3))
    for k, (p, n) in enumerate(stances):
        feet[k, : counts[k]], normals[k, : counts[k]] = p, n
    given, found = tmp_path / "given.npz", tmp_path / "found.npy"
    np.savez(given, counts=counts, contacts=feet, normals=normals, points=points,
             sides=SIDES, friction=FRICTION)  # fmt: skip
    folders = [Path(folder) / "cmeel.prefix" / "lib" for folder in sys.path]
    path = os.pathsep.join(str(f) for f in folders if f.is_dir())
    environment = {**os.environ, "LD_LIBRARY_PATH": path}
    words = [sys.executable, "-c", HPP, str(given), str(found)]
    done = subprocess.run(words, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    theirs = np.load(found)
    assert clear.sum() > 5000 and 1000 < inside[clear].sum() < 4000
    assert np.array_equal(theirs[clear], inside[clear])


def test_pypoman_says_the_same():
    pypoman: Any = pytest.importorskip(
        "pypoman",
        reason="the extra 'polytopes' brings pypoman, or: pip install --no-deps "
        "pypoman pycddlib-standalone cvxopt",
    )
    stances, points, inside, clear = judged()
    turns = (np.arange(SIDES) + 0.5) * 2 * math.pi / SIDES
    for k, (feet, normals) in enumerate(stances):
        nc = len(feet)
        faces, wrench = np.zeros((SIDES * nc, 3 * nc)), np.zeros((6, 3 * nc))
        for i, (p, n) in enumerate(zip(feet, normals, strict=True)):
            tangents = np.linalg.svd(n[None])[2][1:]
            ways = np.c_[np.cos(turns), np.sin(turns)] @ tangents
            own = slice(3 * i, 3 * i + 3)
            faces[SIDES * i : SIDES * (i + 1), own] = ways - WITHIN * FRICTION * n
            wrench[:3, own], wrench[3:, own] = np.eye(3), np.cross(p, np.eye(3)).T
        corners = pypoman.project_polytope(
            (np.array([-wrench[4], wrench[3]]), np.zeros(2)),
            (faces, np.zeros(len(faces))),
            (wrench[[0, 1, 2, 5]], np.array([0.0, 0.0, 1.0, 0.0])),
            method="bretl",
        )
        theirs = static_margin(points[k], np.array(corners)) > 0.0
        assert np.array_equal(theirs[clear[k]], inside[k][clear[k]])
