"""How long WARP1's equations take to derive, here and elsewhere, and what they cost."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

from equipoise.equations.mechanism.legged import warp1_system
from equipoise.equations.tape.program import Operations, program
from equipoise_lab.bench.clock import processor_seconds
from equipoise_lab.bench.counts import of_casadi, of_trees
from equipoise_lab.bench.rival_symbols import Algebra, Model, warp1

__all__ = ["DERIVATIONS", "Derivation"]

THESIS = Operations(7068, 7185, 38)  # table 7.1 of [Ridderstrom2003]


Written = tuple[Algebra, Model]


@final
@dataclass(frozen=True)
class Derivation:
    """One way to WARP1's mass matrix, forcing and rates of coordinates."""

    name: str
    seconds: float | None
    """Processor time from the first symbol to the last expression."""
    operations: Operations
    note: str = ""


def _ours(form: str) -> Derivation:
    """Return ours, from the script."""

    def derive() -> Any:
        system = warp1_system().system
        return system, system.kane("literal" if form == "literal" else "composite")

    seconds = processor_seconds(derive, 5)
    system, e = derive()
    given = [*e.coordinates, *e.speeds, *system.input_symbols.values()]
    fixed = [system.tape.find(name) for name in system.values]
    found = program([*e.M.values(), *e.F, *e.kde], given, fixed)
    name = "equipoise, script" if form == "composite" else "equipoise, body by body"
    note = f"{len(found.init)} operations on parameters alone are done beforehand"
    return Derivation(name, seconds, found.operations, note)


def _rival(
    made: Callable[[], tuple[Algebra, Model]],
) -> tuple[float, Algebra, list[Any]]:
    """Return the time, the symbols and the results of the same in another's symbols."""
    seconds = processor_seconds(made, 3)
    algebra, model = made()
    return seconds, algebra, [*model.M.values(), *model.F, *model.rates]


def _in_symengine() -> Derivation:
    """Return symengine's."""
    import symengine as se

    def made() -> Written:
        algebra = Algebra(se.Symbol, se.sin, se.cos)
        return algebra, warp1(algebra)

    seconds, _, results = _rival(made)
    start = time.process_time()
    parts, rest = se.cse(results)
    spent = time.process_time() - start
    counted = of_trees([x for _, x in parts] + list(rest))
    note = f"counted after its cse, which took {spent:.2f} s more"
    return Derivation("symengine", seconds, counted, note)


def _in_casadi() -> Derivation:
    """Return CasADi's."""
    import casadi as ca

    def made() -> Written:
        algebra = Algebra(ca.SX.sym, ca.sin, ca.cos)
        return algebra, warp1(algebra)

    seconds, algebra, results = _rival(made)
    start = time.process_time()
    whole = ca.cse(ca.vertcat(*results))
    spent = time.process_time() - start
    inputs, parameters = ca.vertcat(*algebra.inputs), ca.vertcat(*algebra.parameters)
    counted = of_casadi(ca.Function("warp1", [inputs, parameters], [whole]))
    note = f"counted after its cse, which took {spent:.2f} s more"
    return Derivation("CasADi", seconds, counted, note)


def _in_sympy() -> Derivation:
    """Return sympy's."""
    import sympy as sp

    from equipoise_lab.bench.rival_sympy import derived

    start = time.process_time()
    results, _ = derived()
    seconds = time.process_time() - start
    start = time.process_time()
    parts, rest = sp.cse(results, order="none")
    spent = time.process_time() - start
    counted = of_trees([x for _, x in parts] + list(rest))
    note = f"counted after its cse, which took {spent:.1f} s more"
    return Derivation("sympy, KanesMethod", seconds, counted, note)


DERIVATIONS: dict[str, Callable[[], Derivation]] = {
    "": lambda: _ours("composite"),
    " ": lambda: _ours("literal"),
    "symengine": _in_symengine,
    "casadi": _in_casadi,
    "sympy": _in_sympy,
}
"""By the package that they need."""
