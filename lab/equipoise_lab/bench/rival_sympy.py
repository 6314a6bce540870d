"""WARP1 in ``sympy.physics.mechanics``: Kane's method with well chosen speeds.

As a careful user writes it: speeds along and about the trunk's own axes, angular
velocities and velocities stated and not left to be differentiated, the tables' zeros
left out. Knee angles are relative to the thigh.
"""

from typing import Any

__all__ = ["derived", "kane"]


def derived() -> tuple[list[Any], list[Any]]:
    """Return the results, mass matrix, forcing and rates, and what they depend on."""
    method, kinematics, symbols = kane()
    n = len(method.u)
    mass, forcing = method.mass_matrix, method.forcing
    upper = [mass[i, j] for i in range(n) for j in range(i, n) if mass[i, j] != 0]
    return [*upper, *forcing, *kinematics], symbols


def kane() -> tuple[Any, list[Any], list[Any]]:
    """Return Kane's method, the rates of the coordinates, and their symbols."""
    import sympy as sp
    import sympy.physics.mechanics as me

    q = me.dynamicsymbols("x y z yaw pitch roll")
    u = me.dynamicsymbols("ux uy uz wx wy wz")
    g, m, ix, iy, iz = sp.symbols("g m Ix Iy Iz")
    world, trunk = me.ReferenceFrame("N"), me.ReferenceFrame("B")
    trunk.orient_body_fixed(world, (q[3], q[4], q[5]), "zyx")
    trunk.set_ang_vel(world, u[3] * trunk.x + u[4] * trunk.y + u[5] * trunk.z)
    centre = me.Point("trunk")
    velocity = u[0] * trunk.x + u[1] * trunk.y + u[2] * trunk.z
    centre.set_vel(world, velocity)
    heading = (sp.sin(q[5]) * u[4] + sp.cos(q[5]) * u[5]) / sp.cos(q[4])
    rates = [velocity.dot(axis) for axis in (world.x, world.y, world.z)]
    rates += [heading, sp.cos(q[5]) * u[4] - sp.sin(q[5]) * u[5]]
    rates.append(u[3] + sp.sin(q[4]) * heading)
    about = (me.inertia(trunk, ix, iy, iz), centre)
    bodies = [me.RigidBody("trunk", centre, trunk, m, about)]
    loads: list[Any] = []
    symbols: list[Any] = [g, m, ix, iy, iz]
    for k in range(4):
        angles, speeds, more = _leg(k, world, trunk, centre, bodies, loads)
        q, u, rates = [*q, *angles], [*u, *speeds], [*rates, *speeds]
        symbols += more
    loads += [(b.masscenter, -b.mass * g * world.z) for b in bodies]
    t = me.dynamicsymbols._t
    equations = [c.diff(t) - rate for c, rate in zip(q, rates, strict=True)]
    method = me.KanesMethod(world, q, u, equations)
    method.kanes_equations(bodies, loads)
    return method, rates, [*symbols, *q, *u]


def _leg(
    k: int, world: Any, trunk: Any, centre: Any, bodies: list[Any], loads: list[Any]
) -> tuple[list[Any], list[Any], list[Any]]:
    """Add a leg; return its angles, its speeds and its other symbols."""
    import sympy as sp
    import sympy.physics.mechanics as me

    three = [f"{k}_{i}" for i in range(3)]
    q, v = (me.dynamicsymbols([f"{c}{i}" for i in three]) for c in "qv")
    torques, forces = (sp.symbols([f"{c}{i}" for i in three]) for c in "tf")
    hip_at = sp.symbols([f"hip{i}" for i in three])
    lengths = sp.symbols(f"lt{k} ls{k}")
    made = [*torques, *forces, *hip_at, *lengths]
    frame, at = trunk, centre.locatenew(f"hip{k}", _dot(hip_at, trunk))
    at.v2pt_theory(centre, world, trunk)
    for i in range(3):
        below = me.ReferenceFrame(f"L{k}{i}")
        axis = frame.x if i == 0 else frame.y
        below.orient_axis(frame, axis, q[i])
        below.set_ang_vel(frame, v[i] * axis)
        loads += [(below, torques[i] * axis), (frame, -torques[i] * axis)]
        frame = below
        if i == 0:
            continue
        mass, cy, cz = sp.symbols(f"m{k}{i} cy{k}{i} cz{k}{i}")
        about = sp.symbols(f"Ix{k}{i} Iy{k}{i} Iz{k}{i}")
        made += [mass, cy, cz, *about]
        middle = at.locatenew(f"c{k}{i}", cy * frame.y + cz * frame.z)
        middle.v2pt_theory(at, world, frame)
        inertia = (me.inertia(frame, *about), middle)
        bodies.append(me.RigidBody(f"b{k}{i}", middle, frame, mass, inertia))
        end = at.locatenew(f"e{k}{i}", lengths[i - 1] * frame.z)
        end.v2pt_theory(at, world, frame)
        at = end
    loads.append((at, _dot(forces, world)))
    return q, v, made


def _dot(components: Any, frame: Any) -> Any:
    """Return a vector from its components in a frame."""
    return components[0] * frame.x + components[1] * frame.y + components[2] * frame.z
