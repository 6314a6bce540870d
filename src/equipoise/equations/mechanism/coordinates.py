"""Names and kinematic equations: coordinates, speeds, inputs and parameters."""

from collections.abc import Mapping, Sequence

from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.equations.blocks.of_system import OutputValue
from equipoise.equations.mechanism.frames import expr
from equipoise.equations.mechanism.speeds import rates_from_definitions, substituted
from equipoise.equations.tape.derivatives import gradient
from equipoise.equations.tape.tape import Expr, Kind, Tape, Value

__all__ = ["AbstractCoordinates"]


class AbstractCoordinates:
    """The symbols of a system, and the rates of its coordinates."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.tape = Tape()
        self.coordinates: dict[str, Expr] = {}
        self.speed_symbols: dict[str, Expr] = {}
        self.input_symbols: dict[str, Expr] = {}
        self.values: dict[str, float] = {}
        self.start: dict[str, float] = {}
        self.texts: dict[str, str] = {}
        self.input_ports: dict[str, Sequence[Expr]] = {}
        self.output_ports: dict[str, OutputValue] = {}
        self._rates: dict[str, Expr] = {}
        self._definitions: dict[str, tuple[Expr, Expr]] = {}
        self._rate_symbols: dict[str, Expr] = {}

    def coords(self, names: str) -> list[Expr]:
        """Return new generalised coordinates.

        Args:
            names: separated by spaces.
        """
        return self._new(names, "state", self.coordinates)

    def speeds(self, names: str) -> list[Expr]:
        """Return new generalised speeds.

        Args:
            names: separated by spaces.
        """
        return self._new(names, "state", self.speed_symbols)

    def inputs(self, names: str) -> list[Expr]:
        """Return new inputs: torques, forces, references.

        Args:
            names: separated by spaces.
        """
        return self._new(names, "input", self.input_symbols)

    def parameters(self, names: str, *values: float) -> list[Expr]:
        """Return new parameters.

        Args:
            names: separated by spaces.
            values: one for each, or none: then they are 1 until set otherwise.

        Raises:
            ConfigError: another number of values than of names.
        """
        listed = names.split()
        if values and len(values) != len(listed):
            problem = f"{len(listed)} names and {len(values)} values do not match"
            raise ConfigError(f"the parameters '{names}'", [problem])
        made: dict[str, Expr] = {}
        found = self._new(names, "parameter", made)
        numbers = values or (1.0,) * len(listed)
        self.values |= {n: float(x) for n, x in zip(listed, numbers, strict=True)}
        return found

    def rate(self, coordinate: Expr) -> Expr:
        """Return the time derivative of a coordinate.

        Before its kinematic equation is known this is a symbol, for use in definitions
        of speeds: ``S.kde(w=cos(q) * S.rate(x))``.

        Raises:
            ConfigError: it is not a coordinate of this system.
        """
        for name, symbol in self.coordinates.items():
            if symbol.ref == coordinate.ref:
                if name in self._rates:
                    return self._rates[name]
                if name not in self._rate_symbols:
                    made: dict[str, Expr] = {}
                    self._rate_symbols[name] = self._new(f"{name}t", "state", made)[0]
                return self._rate_symbols[name]
        raise ConfigError(self._where, ["only a coordinate has a rate"])

    def kde(self, **equations: Value) -> None:
        """Give kinematic equations.

        Args:
            equations: ``coordinate=rate``, the rate linear in the speeds, or
                ``speed=definition``, the definition linear in rates of coordinates.

        Raises:
            UnknownNameError: neither a coordinate nor a speed.
        """
        for name, value in equations.items():
            if name in self.coordinates:
                self._rates[name] = expr(self.tape, value)
            elif name in self.speed_symbols:
                symbol = self.speed_symbols[name]
                self._definitions[name] = (symbol, expr(self.tape, value))
            else:
                known = [*self.coordinates, *self.speed_symbols]
                raise UnknownNameError("coordinate or speed", name, known, self._where)

    def initial(self, **values: float) -> None:
        """Set initial values of coordinates and speeds.

        Args:
            values: by name.

        Raises:
            UnknownNameError: neither a coordinate nor a speed.
        """
        known = [*self.coordinates, *self.speed_symbols]
        for name, value in values.items():
            if name not in known:
                raise UnknownNameError("coordinate or speed", name, known, self._where)
            self.start[name] = float(value)

    def describe(self, **texts: str) -> None:
        """Describe symbols and signals; the info file of an export repeats it.

        Args:
            texts: by name.
        """
        self.texts |= texts

    def ports(
        self,
        inputs: Mapping[str, Sequence[Expr]] | None = None,
        outputs: Mapping[str, OutputValue] | None = None,
    ) -> None:
        """Declare the input and output signals that ``block`` and the like use.

        Args:
            inputs: which symbols make up which signal.
            outputs: expressions, several in a row, or vectors, which are given in the
                inertial frame.
        """
        self.input_ports |= dict(inputs or {})
        self.output_ports |= dict(outputs or {})

    def define(self, *velocities: Expr) -> None:
        """Let expressions linear in rates of coordinates be zero.

        Args:
            velocities: with them, coordinates that have no kinematic equation of their
                own follow the others.
        """
        zero = self.tape.constant(0.0)
        for e in velocities:
            self._definitions[f"constraint {len(self._definitions) + 1}"] = (zero, e)

    def chain(self, e: Expr) -> Expr:
        """Return the rate of an expression in coordinates, by their rates."""
        found = self.tape.constant(0.0)
        slopes = gradient(e, list(self.coordinates.values()))
        for symbol, slope in zip(self.coordinates.values(), slopes, strict=True):
            if not slope.is_zero:
                found = found + slope * self.rate(symbol)
        return found

    @property
    def _where(self) -> str:
        return f"system '{self.name}'"

    def _new(self, names: str, kind: Kind, found: dict[str, Expr]) -> list[Expr]:
        made = {name: self.tape.symbol(name, kind) for name in names.split()}
        found |= made
        return list(made.values())

    def _all_rates(self) -> dict[str, Expr]:
        unknown = [name for name in self.coordinates if name not in self._rates]
        lost = [name for name in unknown if name not in self._rate_symbols]
        if lost:
            problem = f"the coordinate '{lost[0]}' has no kinematic equation"
            raise ConfigError(self._where, [problem])
        rates = dict(self._rates)
        if unknown or self._definitions:
            symbols = {name: self._rate_symbols[name] for name in unknown}
            known = {
                self._rate_symbols[name].ref: rate
                for name, rate in rates.items()
                if name in self._rate_symbols
            }
            definitions = {
                name: (w, substituted([e], known)[0])
                for name, (w, e) in self._definitions.items()
            }
            rates |= rates_from_definitions(definitions, symbols)
        return {name: rates[name] for name in self.coordinates}

    def _with_rates(
        self, expressions: Sequence[Expr], rates: Mapping[str, Expr]
    ) -> list[Expr]:
        """Return expressions without symbols for rates of coordinates."""
        new = {symbol.ref: rates[name] for name, symbol in self._rate_symbols.items()}
        return substituted(expressions, new)
