"""Programs as C in which equal legs are computed side by side.

The same two functions as in ``emit_c``; packs of ``lanes`` become variables of a vector
type that GCC and Clang know on every processor (they split it where it is too wide).
"""

from collections.abc import Sequence

from equipoise.core.kinds import Precision
from equipoise.equations.emit.c import C_TYPES, CWriter, function
from equipoise.equations.tape.lane_sums import AT_ONCE, LaneSum, grouped_units
from equipoise.equations.tape.lanes import Packing, kept_places, packing
from equipoise.equations.tape.program import Program
from equipoise.equations.tape.tape import Op
from equipoise.equations.tape.trigonometry import trigonometry_c

__all__ = ["simd_source"]

SIZES = {"double": 8, "single": 4}


def simd_source(
    program: Program,
    lanes: Sequence[Sequence[int]],
    name: str,
    precision: Precision = "double",
) -> str:
    """Return a C file.

    Args:
        program: what to compute.
        lanes: for each lane, symbols by number; the same place means the same role.
        name: prefix of its functions, a C identifier.
        precision: ``double`` or ``single``.

    Raises:
        ConfigError: fewer than two lanes, or lanes of different length.
    """
    found = packing(program, lanes)
    real = C_TYPES[precision]
    size = SIZES[precision] * found.width
    first = CWriter(program.tape, precision)
    first.names = {i: f"p[{k}]" for k, i in enumerate(program.parameters)}
    init = first.statements(program.init)
    places = kept_places(program, found)
    init += [f"w[{k}] = {first.at(r)};" for r, k in places.items()]
    step = CPackWriter(program, found, precision, places).lines()
    return "\n".join(
        [
            "#include <math.h>",
            "#include <stdint.h>",
            f"typedef {real} pack __attribute__((vector_size({size}), "
            f"aligned({SIZES[precision]})));",
            trigonometry_c(precision),
            _pack_trigonometry(precision, found.width),
            _pack_sums(precision) if found.width == AT_ONCE else "",
            function(f"{name}_init", f"const {real} *p, {real} *restrict w", init),
            function(
                f"{name}_step",
                f"const {real} *restrict w, const {real} *restrict x, "
                f"{real} *restrict y",
                step,
            ),
        ]
    )


def _pack_trigonometry(precision: Precision, width: int) -> str:
    """Return C for sines and cosines of the lanes of a pack."""
    real = C_TYPES[precision]
    return f"""
static inline void pack_sine_cosine(pack a, pack *s, pack *c)
{{
  {real} angles[{width}], sines[{width}], cosines[{width}];
  for (int i = 0; i < {width}; ++i) angles[i] = a[i];
  sine_cosine({width}, angles, sines, cosines);
  for (int i = 0; i < {width}; ++i) {{ (*s)[i] = sines[i]; (*c)[i] = cosines[i]; }}
}}
"""


def _pack_sums(precision: Precision) -> str:
    """Return C for the sums over the lanes of four packs, as one pack."""
    whole = "int64_t" if precision == "double" else "int32_t"
    size = SIZES[precision] * AT_ONCE
    return f"""
#if defined(__clang__)
#define LANES(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
typedef {whole} places __attribute__((vector_size({size})));
#define LANES(a, b, i, j, k, l) __builtin_shuffle(a, b, (places){{i, j, k, l}})
#endif
static inline pack lane_sums(pack a, pack b, pack c, pack d)
{{
  const pack first = LANES(a, b, 0, 4, 2, 6) + LANES(a, b, 1, 5, 3, 7);
  const pack second = LANES(c, d, 0, 4, 2, 6) + LANES(c, d, 1, 5, 3, 7);
  return LANES(first, second, 0, 1, 4, 5) + LANES(first, second, 2, 3, 6, 7);
}}
"""


class CPackWriter:
    """Writes a step with packs."""

    def __init__(
        self,
        program: Program,
        found: Packing,
        precision: Precision,
        places: dict[int, int],
    ) -> None:
        self.program, self.found = program, found
        self.scalar = CWriter(program.tape, precision)
        self.real = C_TYPES[precision]
        self.out: list[str] = []
        self.packs: dict[int, str] = {}
        names = self.scalar.names
        names |= {i: f"x[{k}]" for k, i in enumerate(program.inputs)}
        for r, k in places.items():
            names[abs(r)] = f"w[{k}]" if r > 0 else f"(-w[{k}])"
        self.places = places

    def lines(self) -> list[str]:
        """Return the statements."""
        order, groups = grouped_units(self.program, self.found)
        for unit in order:
            if unit.pack is None:
                self.single(unit.node)
            elif unit.pack < 0:
                self.lane_sums(unit.node, groups[-1 - unit.pack])
            elif unit.pack not in self.packs:
                self.pack(unit.pack)
        for k, r in enumerate(self.program.outputs):
            self.out.append(f"y[{k}] = {self.scalar.at(r)};")
        return self.out

    def single(self, i: int) -> None:
        """Write one operation."""
        tape = self.program.tape
        if i in self.scalar.names:
            return
        if tape.ops[i] in (Op.SINE, Op.COSINE):
            self.out += self.scalar.trigonometry(i, self.angles(i))
            return
        self.out.append(f"const {self.real} t{i} = {self.scalar.value(i)};")
        self.scalar.names[i] = f"t{i}"

    def angles(self, i: int) -> list[int]:
        """Return angles whose sines can be had with that of operation i, as inputs."""
        tape, inputs = self.program.tape, set(self.program.inputs)
        found = {tape.args[i][0]: None}
        for j in self.program.step:
            is_sine = tape.ops[j] in (Op.SINE, Op.COSINE)
            if is_sine and j not in self.found.member and j not in self.scalar.names:
                angle = tape.args[j][0]
                if abs(angle) in inputs:
                    found[angle] = None
        return list(found)

    def lane_sums(self, number: int, group: Sequence[LaneSum]) -> None:
        """Write sums over the lanes of up to four packs, all of them together."""
        names = [self.packed(one.pack) for one in group]
        names += names[-1:] * (AT_ONCE - len(names))
        self.out.append(f"const pack z{number} = lane_sums({', '.join(names)});")
        for k, one in enumerate(group):
            name = f"z{number}[{k}]"
            self.scalar.names[one.node] = name if one.sign > 0 else f"(-{name})"

    def pack(self, number: int) -> None:
        """Write one operation on all lanes."""
        tape = self.program.tape
        members = self.found.packs[number]
        lead = members[0]
        op = tape.ops[abs(lead)]
        args = self.operands(members)
        if op in (Op.SINE, Op.COSINE):
            self.pack_trigonometry(args[0], abs(tape.args[abs(lead)][0]))
            return
        sign = "" if lead > 0 else "-"
        if op is Op.ADD:
            text = f"{args[0]} + {args[1]}"
        elif op is Op.MULTIPLY:
            text = f"{args[0]} * {args[1]}"
        elif op is Op.RECIPROCAL:
            text = f"({self.real})1 / {args[0]}"
        else:
            self.lane_by_lane(number)
            return
        self.note(number, f"{sign}({text})" if sign else text)

    def operands(self, members: Sequence[int]) -> list[str]:
        """Return the operands of a pack, as the first lane has them."""
        args = self.program.tape.args[abs(members[0])]
        return [self.operand(a) for a in args]

    def operand(self, reference: int) -> str:
        """Return a pack or a number for all lanes."""
        home = self.found.member.get(abs(reference))
        if home is None:
            return f"({self.scalar.at(reference)})"
        sign = home.sign if reference > 0 else -home.sign
        return ("" if sign > 0 else "-") + self.packed(home.pack)

    def packed(self, number: int) -> str:
        """Return the name of a pack, loading it where it is not computed."""
        if number not in self.packs:
            members = self.found.packs[number]
            place = self.places.get(members[0])
            if place is not None:
                text = f"*(const pack *)(w + {place})"
            else:
                text = "{" + ", ".join(self.scalar.at(r) for r in members) + "}"
            self.out.append(f"const pack v{number} = {text};")
            self.packs[number] = f"v{number}"
        return self.packs[number]

    def note(self, number: int, text: str) -> None:
        """Write a pack and say where its members are found."""
        self.out.append(f"const pack v{number} = {text};")
        self.packs[number] = f"v{number}"
        for lane, r in enumerate(self.found.packs[number]):
            name = f"v{number}[{lane}]"
            self.scalar.names[abs(r)] = name if r > 0 else f"(-{name})"

    def pack_trigonometry(self, angle: str, node: int) -> None:
        """Write sine and cosine of a pack of angles."""
        home = self.found.member[node]
        both = {}
        for op in (Op.SINE, Op.COSINE):
            found = self.program.tape.existing(op, (abs(node),))
            if found is not None and abs(found) in self.found.member:
                both[op] = self.found.member[abs(found)].pack
        names = {op: f"u{home.pack}_{int(op)}" for op in (Op.SINE, Op.COSINE)}
        self.out.append(f"pack {names[Op.SINE]}, {names[Op.COSINE]};")
        self.out.append(
            f"pack_sine_cosine({angle}, &{names[Op.SINE]}, &{names[Op.COSINE]});"
        )
        for op, number in both.items():
            self.note(number, names[op])

    def lane_by_lane(self, number: int) -> None:
        """Write a pack whose operation has no vector form as single operations."""
        for r in self.found.packs[number]:
            self.single(abs(r))
