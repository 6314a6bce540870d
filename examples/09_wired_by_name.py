"""Connect blocks by the names of their signals, as the thesis does in chapter 8.

The three-joint arm, a law for its joints and the points to draw lines between. The same
law is then run as equations, as a Python function and as exported C.
"""

import numpy as np

from equipoise.core.errors import MissingToolError
from equipoise.equations import (
    Function,
    Part,
    System,
    arm,
    assembled,
    run_on,
    wired,
)
from equipoise.sim.blocks import played

AIM = np.array([0.6, -0.4, 0.8])


def law() -> System:
    """Return the PD law of section 8.2.5: u = k (r - q) - d w."""
    S = System("PD")
    qw = S.inputs("q1 q2 q3 w1 w2 w3")
    aim = S.inputs("r1 r2 r3")
    k, d = S.parameters("k d", 400.0, 60.0)
    torques = [k * (r - q) - d * w for r, q, w in zip(aim, qw[:3], qw[3:], strict=True)]
    return S.function("PD", {"qw": qw, "r": aim}, {"u": torques})


def in_python(qw: np.ndarray, r: np.ndarray) -> list[np.ndarray]:
    return [400.0 * (r - qw[:3]) - 60.0 * qw[3:]]


def main() -> None:
    robot, pd = Part(arm().block()), Part(law())
    wiring = wired([robot, pd, Part(arm().lines())], {"r": 3})
    run = played(wiring, seconds=3.0, dt=0.005, inputs={"r": AIM})
    print("signals:", ", ".join(sorted(run.signals)))
    print("angles after 3 s:", run["qw"][-1, :3].round(3))
    print("the tip is at", run["rE"][-1].round(3))

    typed = Function("PD", {"qw": 6, "r": 3}, {"u": 3}, in_python)
    again = played(
        wired([robot, Part(typed)], {"r": 3}),
        seconds=3.0,
        dt=0.005,
        inputs={"r": AIM},
    )
    print("with the law in Python:", again["qw"][-1, :3].round(3))

    # Arm and law as one block: what was just simulated, on any target.
    whole = assembled("arm", wired([robot, pd], {"r": 3}))
    state = np.concatenate([whole.initial, AIM])
    try:
        trial = run_on(whole, [state], target="host", precision="double")
        print("rates in C:", trial.outputs[0, :6].round(3))
    except MissingToolError as problem:
        print(problem)


if __name__ == "__main__":
    main()
