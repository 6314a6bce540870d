"""Write a mechanism down in a few lines and run its equations of motion.

A pendulum on a cart: coordinates, frames, bodies and forces, then Kane's method. The
equations print as formulas, linearise, run as machine code and export as C with names.
"""

import tempfile
from pathlib import Path

import numpy as np

from equipoise.core.errors import MissingToolError
from equipoise.equations import System, equations_view


def cart() -> System:
    S = System("cart")
    x, q = S.coords("x q")
    v, w = S.speeds("v w")
    S.kde(x=v, q=w)
    (f,) = S.inputs("f")
    M, m, L, g = S.parameters("M m L g", 2.0, 0.5, 0.6, 9.81)

    n = S.inertial("n")
    a = n.rot("a", 2, q)  # upright at zero
    trolley = S.body("cart", M, n[x, 0, 0])
    bob = S.body("bob", m, n[x, 0, 0] + a[0, 0, L])
    S.force(bob, n[0, 0, -m * g])
    S.force(trolley, n[f, 0, 0])
    return S


def main() -> None:
    S = cart()
    eom = S.kane()
    print("operations of M, F and the kinematics:", eom.operations)

    try:
        mass, force, _ = equations_view(eom)
        print("M =", mass.tolist())
        print("F =", force.tolist())
    except MissingToolError as problem:  # sympy is optional
        print(problem)

    A, B = S.linearize()
    print("poles upright:", np.linalg.eigvals(A).round(3))

    # Place the poles at -2, -2.5, -3 and -3.5 by Ackermann's formula.
    reach = np.hstack([np.linalg.matrix_power(A, k) @ B for k in range(4)])
    wanted = np.poly([-2.0, -2.5, -3.0, -3.5])
    shape = sum(c * np.linalg.matrix_power(A, 4 - k) for k, c in enumerate(wanted))
    gains = np.linalg.solve(reach.T, np.eye(4)[3]) @ shape

    run = S.compile()
    state = np.array([0.0, 0.3, 0.0, 0.0])
    for _ in range(4000):
        state = state + 1e-3 * run(state, -gains[None] @ state)[:4]
    print("after 4 s:", state.round(4))

    with tempfile.TemporaryDirectory() as folder:
        for path in S.export(Path(folder) / "cart"):
            print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
