"""Which symbols of a program play the same role in several equal legs.

A program says nothing about legs; they are found from what it computes. Every symbol is
given a number, the same for symbols that could not be told apart so far, and the
program is evaluated with whole numbers modulo a prime, in which sums and products are
exact and do not depend on their order. Symbols on which the results then depend unlike
are not of one role; that is repeated with new numbers until nothing more is told apart.
Then one symbol is marked: what is told apart with it belongs to its leg.

A number that agrees by chance costs speed, never correctness: ``lanes.packing`` goes by
operations that are there.
"""

from collections import defaultdict
from collections.abc import Sequence

from equipoise.equations.tape.program import Program
from equipoise.equations.tape.tape import Op

__all__ = ["alike_legs"]

PRIME = 2**61 - 1
ROUNDS = 12  # more than any robot tried took; the fewer, the fewer are told apart
SIZES = (4, 8)  # what processors take side by side, and what a mark can tell apart
KINDS = {"parameter": 1, "state": 2, "input": 3}


def alike_legs(program: Program) -> tuple[tuple[int, ...], ...]:
    """Return the symbols of each leg, as ``lanes.packing`` takes them.

    Args:
        program: what is computed.

    Returns:
        Symbols by number, leg by leg, where there are four or eight; else nothing.
    """
    roles = _told_apart(program, {})
    teams = [team for team in _grouped(roles) if len(team) in SIZES]
    sizes = [len(team) for team in teams]
    wanted = max(SIZES, key=sizes.count)
    teams = [team for team in teams if len(team) == wanted]
    if not teams:
        return ()
    found: list[list[int]] = []
    for marked in teams[0]:
        apart = _told_apart(program, roles | {marked: -1})
        found.append([_alone(team, apart) for team in teams])
    kept = [
        k
        for k, team in enumerate(teams)
        if sorted(leg[k] for leg in found) == sorted(team)
    ]
    return tuple(tuple(leg[k] for k in kept) for leg in found) if kept else ()


def _grouped(roles: dict[int, int]) -> list[list[int]]:
    """Return the symbols of each role, in order."""
    found: dict[int, list[int]] = {}
    for symbol in sorted(roles):
        found.setdefault(roles[symbol], []).append(symbol)
    return list(found.values())


def _alone(team: Sequence[int], roles: dict[int, int]) -> int:
    """Return the one of some symbols that was told apart from all others; else 0."""
    now = [roles[symbol] for symbol in team]
    single = [s for s, role in zip(team, now, strict=True) if now.count(role) == 1]
    return single[0] if len(single) == 1 else 0


def _told_apart(program: Program, roles: dict[int, int]) -> dict[int, int]:
    """Return a role for each symbol, refined until nothing more is told apart.

    Args:
        program: what is computed.
        roles: roles that are known to differ; those of missing symbols are their kinds.
    """
    tape = program.tape
    used = {abs(a) for i in (*program.init, *program.step) for a in tape.args[i]}
    symbols = [i for i in (*program.inputs, *program.parameters) if i in used]
    now = _numbered({i: (roles.get(i, 0), KINDS[tape.kinds[i]]) for i in symbols})
    for turn in range(ROUNDS):
        depends = _sensitivities(program, now, turn)
        then = _numbered({i: (now[i], depends.get(i, 0)) for i in symbols})
        if len(set(then.values())) == len(set(now.values())):
            break
        now = then
    return now


def _numbered(keys: dict[int, tuple[int, int]]) -> dict[int, int]:
    """Return small numbers that are equal where keys are."""
    numbers: dict[tuple[int, int], int] = {}
    return {i: numbers.setdefault(key, len(numbers)) for i, key in keys.items()}


def _mixed(*parts: int) -> int:
    """Return a number below the prime that looks random and depends on all parts."""
    return hash((7, *parts)) % PRIME


def _sensitivities(
    program: Program, roles: dict[int, int], turn: int
) -> dict[int, int]:
    """Return how the results depend on each symbol, modulo the prime.

    Args:
        program: what is computed.
        roles: of the symbols; equal ones get equal numbers.
        turn: another one gives other numbers.
    """
    tape, nodes = program.tape, (*program.init, *program.step)
    known = {i: _mixed(role, turn) for i, role in roles.items()}

    def at(reference: int) -> int:
        i = abs(reference)
        if i not in known:  # a number, or a symbol that nothing depends on
            known[i] = hash((tape.value[i], turn)) % PRIME
        return known[i] if reference > 0 else -known[i]

    for i in nodes:
        known[i] = _evaluated(tape.ops[i], [at(a) for a in tape.args[i]])
    slope: defaultdict[int, int] = defaultdict(int)
    for r in program.outputs:
        slope[abs(r)] += _mixed(at(r)) * (1 if r > 0 else -1)
    for i in reversed(nodes):
        op, x = tape.ops[i], [at(a) for a in tape.args[i]]
        for k, a in enumerate(tape.args[i]):
            part = slope[i] * _partial(op, x, k) % PRIME
            slope[abs(a)] += part if a > 0 else -part
    return {i: slope[i] % PRIME for i in roles}


def _evaluated(op: Op, x: Sequence[int]) -> int:
    """Return an operation modulo the prime; any number for what is not a polynomial."""
    if op is Op.ADD:
        return (x[0] + x[1]) % PRIME
    if op is Op.MULTIPLY:
        return x[0] * x[1] % PRIME
    return _mixed(op, *x)


def _partial(op: Op, x: Sequence[int], k: int) -> int:
    """Return the derivative of an operation by its operand k, likewise."""
    if op is Op.ADD:
        return 1
    if op is Op.MULTIPLY:
        return x[1 - k]
    return _mixed(op, k, *x)
