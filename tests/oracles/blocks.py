"""Small blocks whose equations are known by heart."""

from equipoise.equations.blocks.block import Block, Output, Parameter, Signal, State
from equipoise.equations.tape import functions as fn
from equipoise.equations.tape.tape import Tape


def pendulum() -> Block:
    """Return a pendulum of 2 kg and 0.5 m: angle and rate out, torque in."""
    tape = Tape()
    m, length = (tape.symbol(n, "parameter") for n in ("m", "l"))
    q, w = (tape.symbol(n, "state") for n in "qw")
    u = tape.symbol("u", "input")
    rate = (u - m * 9.81 * length * fn.sin(q)) / (m * length * length)
    return Block(
        "pendulum",
        (Parameter("m", m, 2.0), Parameter("l", length, 0.5)),
        (State("q", q, w, 0.3), State("w", w, rate)),
        (Signal("u", (u,)),),
        (Output("qw", (q, w)), Output("height", (-length * fn.cos(q),))),
    )


def pd_law() -> Block:
    """Return u = -k q - d w, and twice of it."""
    tape = Tape()
    k, d = (tape.symbol(n, "parameter") for n in "kd")
    q, w = (tape.symbol(n, "input") for n in "qw")
    u = -k * q - d * w
    return Block(
        "PD",
        (Parameter("k", k, 3.0), Parameter("d", d, 0.7)),
        (),
        (Signal("qw", (q, w)),),
        (Output("u", (u,)), Output("twice", (2 * u,))),
    )
