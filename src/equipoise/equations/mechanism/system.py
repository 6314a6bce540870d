"""A mechanical system written down in a few lines, as one writes it on paper.

Coordinates, speeds and kinematic equations; frames by simple rotations; vectors in any
frame; bodies, forces, torques: then ``kane()`` gives the equations of motion. It reads
like the Sophia scripts of [Ridderstrom2003] chapter 8::

    S = System("pendulum")
    (q,), (w,) = S.coords("q"), S.speeds("w")
    S.kde(q=w)
    m, l, g = S.parameters("m l g", 1.0, 0.5, 9.81)
    n = S.inertial("n")
    a = n.rot("a", 2, q)
    bob = S.body("bob", m, a[0, 0, -l])
    S.force(bob, n[0, 0, -m * g])
    eom = S.kane()
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, final, get_args

import numpy as np

from equipoise.core.errors import ConfigError
from equipoise.core.kinds import Precision, Target
from equipoise.equations.blocks.block import Block, State
from equipoise.equations.blocks.export import export_block
from equipoise.equations.blocks.of_system import OutputValue, block_of
from equipoise.equations.emit.callable import Compiled, compiled_program
from equipoise.equations.linear.block import Linearization, filled, linearized
from equipoise.equations.linear.system import implicitly
from equipoise.equations.mechanism.composite import NotATreeError, composite
from equipoise.equations.mechanism.constraints import held
from equipoise.equations.mechanism.frames import Frame, Vector
from equipoise.equations.mechanism.kane import Equations, literal_equations
from equipoise.equations.mechanism.script import AbstractScript
from equipoise.equations.mechanism.statements import check_inertia
from equipoise.equations.tape.symmetric import Symmetric
from equipoise.equations.tape.tape import Expr
from equipoise.equations.tape.vectors import total

__all__ = ["System"]

Form = Literal["composite", "literal"]


@final
class System(AbstractScript):
    """Mechanical system: its description, and the equations that follow from it."""

    def kane(self, form: Form = "composite") -> Equations:
        """Return the equations of motion.

        Args:
            form: ``composite`` works link by link where the script describes a tree of
                links, and costs least; where it does not, and with ``literal``,
                tangent vectors and momenta are taken body by body.

        Raises:
            ConfigError: something is missing or singular; the message names it.
        """
        if form not in get_args(Form):
            known = " or ".join(get_args(Form))
            raise ConfigError(self._where, [f"form should be {known}, got {form!r}"])
        mechanism = self.mechanism()
        order: tuple[int, ...] = ()
        try:
            if form == "literal":
                raise NotATreeError
            M, F, order = composite(mechanism)
        except NotATreeError:
            form = "literal"
            M, F = literal_equations(mechanism)
        rates = self._all_rates()
        motion = mechanism.motion
        given = [
            c._replace(velocity=self._with_rates([c.velocity], rates)[0])
            if c.velocity is not None
            else c
            for c in self._constraints
        ]
        constraints = held(given, motion, mechanism.speeds)
        equations = Equations(
            mechanism.coordinates,
            mechanism.speeds,
            Symmetric(M, self.tape.constant(0.0), len(mechanism.speeds)),
            tuple(self._with_rates(F, rates)),
            tuple(rates[name] for name in self.coordinates),
            form,
            order,
            constraints,
        )
        check_inertia(M, list(self.speed_symbols))
        return equations

    def velocity(self, point: Vector) -> Vector:
        """Return the velocity of a point against the inertial frame."""
        return self._motion().velocity(point)

    def angular_velocity(self, frame: Frame) -> Vector:
        """Return the angular velocity of a frame against the inertial frame."""
        return Vector({frame: self._motion().spin(frame)})

    def seen_from(self, frame: Frame, vector: Vector) -> Vector:
        """Return the rate of a vector as seen from a frame that carries its frames."""
        return Vector({frame: self._motion().relative(vector, frame)})

    def centre_of_mass(self) -> Vector:
        """Return the centre of mass of all bodies, from the origin."""
        bodies = list(self.bodies.values())
        if not bodies:
            raise ConfigError(self._where, ["it has no bodies"])
        mass = total([b.mass for b in bodies])
        first = bodies[0].point
        found = first
        for body in bodies[1:]:
            found = found + (body.point - first) * (body.mass / mass)
        return found

    def block(
        self,
        inputs: Mapping[str, Sequence[Expr]] | None = None,
        outputs: Mapping[str, OutputValue] | None = None,
        *,
        name: str | None = None,
        form: Form = "composite",
    ) -> Block:
        """Return everything as a block, to compile, export or connect.

        States are the coordinates, then the speeds. Parameters are those that rates or
        outputs depend on, in order of their names.

        Args:
            inputs: which symbols make up which signal; see ``ports`` if not given, and
                where that says nothing each is its own.
            outputs: expressions, several in a row, or vectors, which are given in the
                inertial frame; see ``ports`` if not given.
            name: of the block, the system's if not given.
            form: how the equations are derived, see ``kane``.

        Raises:
            ConfigError: a symbol is left that is no state, input or parameter.
        """
        equations = self.kane(form)
        rates = [*equations.kde, *equations.accelerations()]
        symbols = {**self.coordinates, **self.speed_symbols}
        states = [
            State(n, symbol, rate, self.start.get(n, 0.0), self.texts.get(n, ""))
            for (n, symbol), rate in zip(symbols.items(), rates, strict=True)
        ]
        if inputs is None:
            alone = {n: [symbol] for n, symbol in self.input_symbols.items()}
            inputs = self.input_ports or alone
        given = self.output_ports if outputs is None else outputs
        asked = {n: self.scalars(value) for n, value in given.items()}
        return block_of(
            name or self.name, states, inputs, asked, self.values, self.texts
        )

    def function(
        self,
        name: str,
        inputs: Mapping[str, Sequence[Expr]],
        outputs: Mapping[str, OutputValue],
    ) -> Block:
        """Return a block without states: a controller, or points to draw.

        Args:
            name: of the block.
            inputs: which symbols make up which signal; coordinates may be among them.
            outputs: expressions, several in a row, or vectors, which are given in the
                inertial frame.

        Raises:
            ConfigError: a symbol is left that is no input or parameter.
        """
        asked = {n: self.scalars(value) for n, value in outputs.items()}
        return block_of(name, [], inputs, asked, self.values, self.texts)

    def compile(
        self,
        inputs: Mapping[str, Sequence[Expr]] | None = None,
        outputs: Mapping[str, OutputValue] | None = None,
    ) -> Compiled:
        """Return a function from states and inputs to rates and outputs.

        Args:
            inputs: see ``block``.
            outputs: see ``block``.
        """
        block = self.block(inputs, outputs)
        return compiled_program(block.program, block.values)

    def export(
        self,
        path: str | Path,
        inputs: Mapping[str, Sequence[Expr]] | None = None,
        outputs: Mapping[str, OutputValue] | None = None,
        *,
        target: Target = "host",
        precision: Precision = "double",
    ) -> list[Path]:
        """Write ``NAME.c``, ``NAME.h`` and ``NAME_info.json``; return the paths.

        Args:
            path: folder and NAME, as in ``build/robot``.
            inputs: see ``block``.
            outputs: see ``block``.
            target: where it will run, see ``equations.export``.
            precision: ``double`` or ``single``.

        Raises:
            ConfigError: something is missing or singular; nothing is written.
        """
        path = Path(path)
        block = self.block(inputs, outputs, name=path.name)
        return export_block(block, path.parent, target, precision)

    def scalars(self, value: OutputValue) -> list[Expr]:
        """Return what an output consists of, without symbols for rates."""
        if isinstance(value, Vector):
            found = value.in_(self.inertial_frame)
        else:  # a script of a law alone needs no frame
            found = (value,) if isinstance(value, Expr) else tuple(value)
        return (
            self._with_rates(found, self._all_rates())
            if self._rate_symbols
            else list(found)
        )

    def linearize(
        self,
        x0: Mapping[str, float] | Sequence[float] | None = None,
        u0: Mapping[str, float] | Sequence[float] | None = None,
    ) -> Linearization:
        """Return A and B of the equations about a state.

        Args:
            x0: coordinates and speeds in order, or some by name; where nothing is said
                the initial values.
            u0: inputs in order, or some by name, else zero.
        """
        equations = self.kane()
        if equations.constraints:
            return linearized(self.block()).at(x0, u0)
        parameters = [self.tape.find(name) for name in self.values]
        inputs = self.input_symbols
        symbols = [*self.coordinates, *self.speed_symbols]
        start = np.array([self.start.get(name, 0.0) for name in symbols])
        x = filled("state", symbols, start, x0)
        u = filled("input", list(inputs), np.zeros(len(inputs)), u0)
        values = np.array(list(self.values.values()), dtype=float)
        return implicitly(equations, list(inputs.values()), parameters).at(x, u, values)
