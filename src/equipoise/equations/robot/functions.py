"""What can be asked about a robot's state, as functions of arrays.

``llvm`` compiles a function when it is first called, for use again and again; ``numpy``
compiles nothing and computes many states at once about as fast.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Literal, final

import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.arrays import Array
from equipoise.core.errors import ConfigError, ShapeError, UnknownNameError
from equipoise.equations.emit.callable import compiled_program
from equipoise.equations.robot.equations import RobotEquations
from equipoise.equations.robot.lanes import robot_lanes
from equipoise.equations.robot.quantities import QUANTITIES, flat_rows
from equipoise.equations.tape.interpret import interpret
from equipoise.equations.tape.program import Program, program
from equipoise.equations.tape.tape import Expr

__all__ = ["Engine", "RobotFunctions", "shaped"]

Engine = Literal["llvm", "numpy"]
NAMES = {"q": "q", "v": "v", "t": "tau", "a": "vdot"}


@final
class RobotFunctions:
    """Functions of a robot's state by name, those of ``quantities.QUANTITIES``.

    Args:
        equations: of the robot.
        parameters: values by name; looked at when a function is first called.
        engine: what computes them.
    """

    def __init__(
        self,
        equations: RobotEquations,
        parameters: Mapping[str, float],
        engine: Engine,
    ) -> None:
        self.equations = equations
        self.parameters = parameters
        self.engine: Engine = engine
        self.nq, self.nv = len(equations.q), len(equations.v)
        self.feet = len(equations.robot.points)
        self._programs: dict[str, Program] = {}
        self._functions: dict[str, Callable[..., Array]] = {}

    @cached_property
    def lanes(self) -> tuple[tuple[int, ...], ...]:
        """Symbols of equal legs."""
        return robot_lanes(self.equations)

    def program(self, name: str) -> Program:
        """Return the program of a quantity, from its inputs to its values.

        Raises:
            UnknownNameError: no such quantity.
            ConfigError: the robot has none, such as feet.
        """
        if name not in QUANTITIES:
            raise UnknownNameError("quantity", name, QUANTITIES, "a robot")
        if name not in self._programs:
            quantity, e = QUANTITIES[name], self.equations
            outputs = quantity.write(e)
            if not outputs:
                problem = f"it has no {quantity.help}"
                raise ConfigError(f"the equations of '{e.robot.name}'", [problem])
            parameters = [p.symbol for p in e.robot.parameters]
            given = self.symbols(quantity.inputs)
            self._programs[name] = program(outputs, given, parameters)
        return self._programs[name]

    def function(self, name: str) -> Callable[..., Array]:
        """Return the function of a quantity, from arrays of inputs to its values."""
        if name not in self._functions:
            found = self.program(name)
            values = np.array(list(self.parameters.values()), dtype=float)
            if self.engine == "llvm":
                lanes = self.lanes if name.startswith("forward") else None
                self._functions[name] = compiled_program(found, values, lanes or None)
            else:
                self._functions[name] = lambda *inputs: interpret(
                    found, np.concatenate(inputs, axis=-1), values
                )
        return self._functions[name]

    def symbols(self, which: str) -> list[Expr]:
        """Return symbols of inputs: q, v, t for tau, a for vdot, f for forces."""
        e = self.equations
        made: dict[str, Callable[[], Sequence[Expr]]] = {
            "q": lambda: e.q,
            "v": lambda: e.v,
            "t": e.torques,
            "a": e.accelerations,
            "f": lambda: flat_rows(list(e.forces().values())),
        }
        return [symbol for letter in which for symbol in made[letter]()]

    def call(self, name: str, *given: ArrayLike) -> Array:
        """Return a quantity for any number of states, (..., values).

        Args:
            name: one of ``quantities.QUANTITIES``.
            given: its inputs.

        Raises:
            ShapeError: an array of another shape.
        """
        parts = [
            self.states(letter, x)
            for letter, x in zip(QUANTITIES[name].inputs, given, strict=True)
        ]
        function = self.function(name)
        try:
            shape = np.broadcast_shapes(*(p.shape[:-1] for p in parts))
        except ValueError:
            shapes = ", ".join(str(p.shape) for p in parts)
            raise ShapeError(f"{shapes} are not as many states.") from None
        return function(*(np.broadcast_to(p, (*shape, p.shape[-1])) for p in parts))

    def states(self, letter: str, given: ArrayLike) -> Array:
        """Return states as an array, (..., width)."""
        found = np.asarray(given, dtype=float)
        wanted = (self.nq if letter == "q" else self.nv,)
        if letter == "f":
            wanted = (self.feet, 3)
        if found.shape[-len(wanted) :] != wanted:
            name = NAMES.get(letter, "forces")
            shape = ", ".join(("...", *map(str, wanted)))
            raise ShapeError(f"{name} must have shape ({shape}), got {found.shape}.")
        if letter == "f":
            return found.reshape(*found.shape[:-2], 3 * self.feet)
        return found


def shaped(values: Array, *shape: int) -> Array:
    """Return values with their last axis in another shape."""
    return values.reshape(*values.shape[:-1], *shape)
