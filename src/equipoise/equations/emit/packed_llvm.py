"""Programs as LLVM's intermediate language, equal legs side by side; see ``lanes``."""

from collections.abc import Sequence

from equipoise.equations.emit.llvm import (
    FUSED,
    LANES,
    PAIR,
    VECTOR,
    LlvmWriter,
    every,
    module,
)
from equipoise.equations.tape.lane_sums import LaneSum, grouped_units
from equipoise.equations.tape.lanes import Packing, kept_places, packing
from equipoise.equations.tape.program import Program
from equipoise.equations.tape.tape import Op

__all__ = ["llvm_lanes_source"]


def llvm_lanes_source(program: Program, lanes: Sequence[Sequence[int]]) -> str:
    """Return a module with ``init(p, w)`` and ``step(w, x, y)``.

    Args:
        program: what to compute.
        lanes: for each of four lanes, symbols by number.

    Raises:
        ConfigError: lanes of different length, or another number than four.
    """
    found = packing(program, lanes, LANES)
    places = kept_places(program, found)
    first = LlvmWriter(program.tape)
    for k, i in enumerate(program.parameters):
        first.names[i] = first.load("p", k)
    first.operations(program.init)
    for r, k in places.items():
        first.store("w", k, first.at(r))
    then = LlvmPackWriter(program, found, places)
    return module(first.lines, then.written(), len(program.inputs))


class LlvmPackWriter:
    """Writes a step with packs."""

    def __init__(
        self, program: Program, found: Packing, places: dict[int, int]
    ) -> None:
        self.program, self.found, self.places = program, found, places
        self.scalar = LlvmWriter(program.tape)
        self.packs: dict[int, str] = {}
        self.splats: dict[int, str] = {}
        self.inputs = {i: k for k, i in enumerate(program.inputs)}
        self.kept = {abs(r): (k, r > 0) for r, k in places.items()}

    def written(self) -> list[str]:
        """Return the instructions."""
        order, groups = grouped_units(self.program, self.found)
        for unit in order:
            if unit.pack is None:
                self.single(unit.node)
            elif unit.pack < 0:
                self.lane_sums(groups[-1 - unit.pack])
            elif unit.pack not in self.packs:
                self.pack(unit.pack)
        for k, r in enumerate(self.program.outputs):
            self.expect(r)
            self.scalar.store("y", k, self.scalar.at(r))
        return self.scalar.lines

    def expect(self, reference: int) -> None:
        """Make sure that an operand has a name as a scalar."""
        i, s = abs(reference), self.scalar
        if i in s.names or self.program.tape.ops[i] is Op.CONSTANT:
            return
        home = self.found.member.get(i)
        if i in self.inputs:
            s.names[i] = s.load("x", self.inputs[i])
        elif i in self.kept:
            place, is_positive = self.kept[i]
            value = s.load("w", place)
            s.names[i] = value if is_positive else s.fresh(f"fneg double {value}")
        elif home is not None:
            lane = f"{self.packed(home.pack)}, i32 {home.lane}"
            value = s.fresh(f"extractelement {VECTOR} {lane}")
            s.names[i] = value if home.sign > 0 else s.fresh(f"fneg double {value}")

    def single(self, i: int) -> None:
        """Write one operation."""
        tape, s = self.program.tape, self.scalar
        if i in s.names:
            return
        for a in tape.args[i]:
            self.expect(a)
        if tape.ops[i] in (Op.SINE, Op.COSINE):
            s.trigonometry(self.angles(i))
        else:
            s.names[i] = s.operation(i)

    def angles(self, i: int) -> list[int]:
        """Return angles whose sines can be had with that of operation i, as inputs."""
        tape = self.program.tape
        found = {tape.args[i][0]: None}
        for j in self.program.step:
            is_sine = tape.ops[j] in (Op.SINE, Op.COSINE)
            if is_sine and j not in self.found.member and j not in self.scalar.names:
                angle = tape.args[j][0]
                if abs(angle) in self.inputs:
                    self.expect(angle)
                    found[angle] = None
        return list(found)

    def pack(self, number: int) -> None:
        """Write one operation on all lanes."""
        tape = self.program.tape
        lead = self.found.packs[number][0]
        op, args = tape.ops[abs(lead)], tape.args[abs(lead)]
        if op in (Op.SINE, Op.COSINE):
            self.pack_trigonometry(args[0])
            return
        s = self.scalar
        if op is Op.ADD:
            home = self.found.member.get(abs(args[1]))
            is_minus = (args[1] < 0) != (home is not None and home.sign < 0)
            kind = "fsub" if is_minus else "fadd"
            b = self.operand(
                abs(args[1]) if home is None else args[1] * (-1) ** is_minus
            )
            name = s.fresh(f"{kind} {FUSED} {VECTOR} {self.operand(args[0])}, {b}")
        elif op is Op.MULTIPLY:
            a, b = (self.operand(x) for x in args)
            name = s.fresh(f"fmul {FUSED} {VECTOR} {a}, {b}")
        elif op is Op.RECIPROCAL:
            name = s.fresh(f"fdiv {VECTOR} {every(1.0)}, {self.operand(args[0])}")
        else:
            self.lane_by_lane(number)
            return
        self.packs[number] = name if lead > 0 else s.fresh(f"fneg {VECTOR} {name}")

    def lane_sums(self, group: Sequence[LaneSum]) -> None:
        """Write sums over the lanes of up to four packs, all of them together."""
        s = self.scalar
        names = [self.packed(one.pack) for one in group]
        names += names[-1:] * (LANES - len(names))
        pairs: list[str] = []
        for a, b in (names[:2], names[2:]):
            even, odd = (self.shuffled(a, b, m) for m in ((0, 4, 2, 6), (1, 5, 3, 7)))
            pairs.append(s.fresh(f"fadd {VECTOR} {even}, {odd}"))
        a, b = pairs
        low, high = (self.shuffled(a, b, m) for m in ((0, 1, 4, 5), (2, 3, 6, 7)))
        whole = s.fresh(f"fadd {VECTOR} {low}, {high}")
        for k, one in enumerate(group):
            value = s.fresh(f"extractelement {VECTOR} {whole}, i32 {k}")
            if one.sign < 0:
                value = s.fresh(f"fneg double {value}")
            s.names[one.node] = value

    def shuffled(self, a: str, b: str, lanes: Sequence[int]) -> str:
        """Return lanes of two packs as one pack."""
        mask = ", ".join(f"i32 {lane}" for lane in lanes)
        return self.scalar.fresh(
            f"shufflevector {VECTOR} {a}, {VECTOR} {b}, <{LANES} x i32> <{mask}>"
        )

    def operand(self, reference: int) -> str:
        """Return a pack, or a scalar in all lanes."""
        i, s = abs(reference), self.scalar
        home = self.found.member.get(i)
        if home is None:
            return self.splat(reference)
        name = self.packed(home.pack)
        is_positive = (home.sign > 0) == (reference > 0)
        return name if is_positive else s.fresh(f"fneg {VECTOR} {name}")

    def splat(self, reference: int) -> str:
        """Return a scalar in all lanes."""
        number = self.program.tape.value[abs(reference)]
        if self.program.tape.ops[abs(reference)] is Op.CONSTANT:
            return every(number if reference > 0 else -number)
        if reference not in self.splats:
            self.expect(reference)
            s = self.scalar
            one = s.fresh(
                f"insertelement {VECTOR} undef, double {s.at(reference)}, i32 0"
            )
            self.splats[reference] = s.fresh(
                f"shufflevector {VECTOR} {one}, {VECTOR} undef, "
                f"<{LANES} x i32> zeroinitializer"
            )
        return self.splats[reference]

    def packed(self, number: int) -> str:
        """Return the name of a pack, loading it where it is not computed."""
        if number not in self.packs:
            s, members = self.scalar, self.found.packs[number]
            place = self.places.get(members[0])
            if place is not None:
                at = s.fresh(f"getelementptr double, ptr %w, i64 {place}")
                name = s.fresh(f"load {VECTOR}, ptr {at}, align 8")
            else:
                name = self.gathered(members)
            self.packs[number] = name
        return self.packs[number]

    def gathered(self, members: Sequence[int]) -> str:
        """Return scalars as one pack."""
        s, name = self.scalar, "undef"
        for lane, r in enumerate(members):
            self.expect(r)
            value = s.at(r)
            name = s.fresh(f"insertelement {VECTOR} {name}, double {value}, i32 {lane}")
        return name

    def pack_trigonometry(self, angle: int) -> None:
        """Write sine and cosine of a pack of angles."""
        s = self.scalar
        both = s.fresh(f"call {PAIR} @sine_cosine({VECTOR} {self.operand(angle)})")
        for which, op in enumerate((Op.SINE, Op.COSINE)):
            found = self.program.tape.existing(op, (abs(angle),))
            home = None if found is None else self.found.member.get(abs(found))
            if home is not None:
                self.packs[home.pack] = s.fresh(f"extractvalue {PAIR} {both}, {which}")

    def lane_by_lane(self, number: int) -> None:
        """Write a pack whose operation has no vector form as single operations."""
        for r in self.found.packs[number]:
            self.single(abs(r))
        self.packs[number] = self.gathered(self.found.packs[number])
