"""How a SuperBot-like module looks: four parts, two simple shapes each.

An outer bracket is a slab with the front connector and an axle whose round ends are
the side connectors; an inner part is a gearbox, round about the hinge, with a block
that reaches to the roll joint in the middle. Shapes weigh nothing and touch nothing.
"""

import mujoco

from equipoise.robots.assembly.assembly import Assembly
from equipoise.robots.assembly.module_body import ModuleBody

__all__ = ["add_shapes", "branch_of"]

VISUAL_GROUP = 2
PALETTE = (  # outer bracket by branch; calm tones that colour-blind eyes tell apart
    (0.86, 0.52, 0.16, 1.0),
    (0.22, 0.50, 0.72, 1.0),
    (0.36, 0.62, 0.42, 1.0),
    (0.72, 0.42, 0.60, 1.0),
    (0.80, 0.72, 0.28, 1.0),
    (0.42, 0.68, 0.76, 1.0),
)
GEARBOX = (0.34, 0.35, 0.38, 1.0)
BLOCK = (0.78, 0.79, 0.80, 1.0)
ALONG_Y = (0.5**0.5, -(0.5**0.5), 0.0, 0.0)  # turns a cylinder's axis from z to y
BOX, CYLINDER = mujoco.mjtGeom.mjGEOM_BOX, mujoco.mjtGeom.mjGEOM_CYLINDER


def add_shapes(
    child: mujoco.MjsBody, body: ModuleBody, part: int, branch: int, fine: bool
) -> None:
    """Add one part's visible shapes.

    Args:
        child: the part's body.
        body: what the module is made of; hinges along y, length along z.
        part: which part it is.
        branch: on which branch the module sits; picks its colour.
        fine: two shapes rather than one. MuJoCo takes time for each new shape in
            proportion to those it has, so large robots are drawn plainly.
    """
    half = 0.5 * body.width
    last = len(body.parts) - 1
    colour = PALETTE[branch % len(PALETTE)]
    if part in (0, last):
        faces = [c.X_PC.p[2] for c in body.connectors if c.part == part]
        front = max(faces, key=abs)
        slab = (0.92 * half, 0.97 * half, 0.24 * abs(front))
        _draw(child, BOX, slab, 0.75 * front, colour)
        if fine:
            axle = (0.62 * half, 0.985 * half, 0.0)
            _draw(child, CYLINDER, axle, 0.0, colour, ALONG_Y)
        return
    length = float(body.joints[1].origin[2])
    hinge = 0.0 if part == 1 else length
    gearbox = (0.74 * half, 0.74 * half, 0.0)
    _draw(child, CYLINDER, gearbox, hinge, GEARBOX, ALONG_Y)
    if not fine:
        return
    # 3 % short of the middle: the seam at which the module rolls
    reach, middle = 0.485 * length, 0.485 * length if part == 1 else 0.515 * length
    _draw(child, BOX, (0.70 * half, 0.70 * half, reach), middle, BLOCK)


def _draw(
    child: mujoco.MjsBody,
    kind: mujoco.mjtGeom,
    size: tuple[float, float, float],
    height: float,
    rgba: tuple[float, ...],
    quat: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0),
) -> None:
    """Add one shape on the part's z axis that is seen but neither felt nor weighed."""
    child.add_geom(
        type=kind,
        size=size,
        pos=[0.0, 0.0, height],
        quat=quat,
        rgba=rgba,
        contype=0,
        conaffinity=0,
        group=VISUAL_GROUP,
        mass=0.0,
    )


def branch_of(assembly: Assembly) -> list[int]:
    """Return which branch each module is on, (nm,); the ground's own branch is 0.

    At a fork the neighbour that carries most modules goes on with the branch, the
    others begin a new one.
    """
    count = [1] * len(assembly.modules)
    for link in reversed(assembly.walk):
        if link.parent >= 0:
            count[link.parent] += count[link.module]
    heir: dict[int, int] = {}
    for link in assembly.walk:
        rival = heir.get(link.parent)
        if rival is None or count[link.module] > count[rival]:
            heir[link.parent] = link.module
    branch, newest = [0] * len(assembly.modules), 0
    for link in assembly.walk[1:]:
        if heir[link.parent] == link.module:
            branch[link.module] = branch[link.parent]
        else:
            newest += 1
            branch[link.module] = newest
    return branch
