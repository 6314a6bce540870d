"""Programs as LLVM's intermediate language, for machines without a C compiler.

Two functions, ``init(p, w)`` and ``step(w, x, y)``, as in the C of ``emit_c``, with the
same reductions and polynomials for sine and cosine, four angles at a time. Products may
be fused with sums where the processor can; the last bits then differ from C without.
"""

import struct
from collections.abc import Sequence

from equipoise.equations.tape.program import Program
from equipoise.equations.tape.schedule import stages
from equipoise.equations.tape.tape import Op, Tape

__all__ = ["llvm_source"]

LANES = 4  # angles at a time
FUSED = "contract"  # a product may be fused with a sum
SHIFT = float.fromhex("0x1.8p52")  # adding and taking it off rounds to a whole number
QUARTERS = float.fromhex("0x1.45f306dc9c883p-1")
PARTS = [
    float.fromhex(x)
    for x in ("0x1.921fb544p0", "0x1.0b4611a6p-34", "0x1.3198a2e037073p-69")
]
SINE = [
    float.fromhex(x)
    for x in (
        "-0x1.5555555555549p-3",
        "0x1.111111110f8a6p-7",
        "-0x1.a01a019c161d5p-13",
        "0x1.71de357b1fe7dp-19",
        "-0x1.ae5e68a2b9cebp-26",
        "0x1.5d93a5acfd57cp-33",
    )
]
COSINE = [
    float.fromhex(x)
    for x in (
        "0x1.555555555554cp-5",
        "-0x1.6c16c16c15177p-10",
        "0x1.a01a019cb159p-16",
        "-0x1.27e4f809c52adp-22",
        "0x1.1ee9ebdb4b1c4p-29",
        "-0x1.8fae9be8838d4p-37",
    )
]
CALLS = {
    Op.SQUARE_ROOT: "llvm.sqrt.f64",
    Op.EXPONENTIAL: "llvm.exp.f64",
    Op.LOGARITHM: "llvm.log.f64",
    Op.ABSOLUTE: "llvm.fabs.f64",
}


def bits(value: float) -> str:
    """Return a number as LLVM writes it exactly."""
    return f"0x{struct.unpack('>Q', struct.pack('>d', value))[0]:016x}"


class LlvmWriter:
    """Writes operations as instructions."""

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self.lines: list[str] = []
        self.names: dict[int, str] = {}
        self.negatives: dict[int, str] = {}
        self.count = 0

    def fresh(self, text: str) -> str:
        """Write an instruction and return the name of its result."""
        self.count += 1
        name = f"%r{self.count}"
        self.lines.append(f"  {name} = {text}")
        return name

    def at(self, reference: int) -> str:
        """Return an operand, sign included."""
        i = abs(reference)
        if self.tape.ops[i] is Op.CONSTANT:
            value = self.tape.value[i]
            return bits(value if reference > 0 else -value)
        if reference > 0:
            return self.names[i]
        if i not in self.negatives:
            self.negatives[i] = self.fresh(f"fneg double {self.names[i]}")
        return self.negatives[i]

    def load(self, array: str, index: int) -> str:
        """Return an entry of an array."""
        place = self.fresh(f"getelementptr double, ptr %{array}, i64 {index}")
        return self.fresh(f"load double, ptr {place}")

    def store(self, array: str, index: int, value: str) -> None:
        """Set an entry of an array."""
        place = self.fresh(f"getelementptr double, ptr %{array}, i64 {index}")
        self.lines.append(f"  store double {value}, ptr {place}")

    def operations(self, nodes: Sequence[int]) -> None:
        """Write operations, in order."""
        for stage in stages(self.tape, nodes):
            self.trigonometry(stage.angles)
            for i in stage.nodes:
                self.names[i] = self.operation(i)

    def operation(self, i: int) -> str:
        """Write one operation and return its name."""
        op, args = self.tape.ops[i], self.tape.args[i]
        if op is Op.ADD:
            kind = "fadd" if args[1] > 0 else "fsub"
            a, b = self.at(args[0]), self.at(abs(args[1]))
            return self.fresh(f"{kind} {FUSED} double {a}, {b}")
        x = [self.at(a) for a in args]
        if op is Op.MULTIPLY:
            return self.fresh(f"fmul {FUSED} double {x[0]}, {x[1]}")
        if op is Op.RECIPROCAL:
            return self.fresh(f"fdiv double {bits(1.0)}, {x[0]}")
        if op is Op.ARC_TANGENT_2:
            return self.fresh(f"call double @atan2(double {x[0]}, double {x[1]})")
        if op in CALLS:
            return self.fresh(f"call double @{CALLS[op]}(double {x[0]})")
        return self.choice(op, x)

    def choice(self, op: Op, x: list[str]) -> str:
        """Write an operation that takes one of its operands."""
        if op is Op.SELECT:
            test = self.fresh(f"fcmp une double {x[0]}, {bits(0.0)}")
            a, b = x[1], x[2]
        else:
            first = x[::-1] if op is Op.MAXIMUM else x
            test = self.fresh(f"fcmp olt double {first[0]}, {first[1]}")
            a, b = (bits(1.0), bits(0.0)) if op is Op.LESS else (x[0], x[1])
        return self.fresh(f"select i1 {test}, double {a}, double {b}")

    def trigonometry(self, angles: Sequence[int]) -> None:
        """Write sines and cosines of some angles, several at a time."""
        for start in range(0, len(angles), LANES):
            some = angles[start : start + LANES]
            packed = "zeroinitializer"
            for k, a in enumerate(some):
                packed = self.fresh(
                    f"insertelement {VECTOR} {packed}, double {self.at(a)}, i32 {k}"
                )
            both = self.fresh(f"call {PAIR} @sine_cosine({VECTOR} {packed})")
            for which, op in enumerate((Op.SINE, Op.COSINE)):
                part = self.fresh(f"extractvalue {PAIR} {both}, {which}")
                for k, a in enumerate(some):
                    found = self.tape.existing(op, (a,))
                    if found is not None:
                        self.names[abs(found)] = self.fresh(
                            f"extractelement {VECTOR} {part}, i32 {k}"
                        )


VECTOR = f"<{LANES} x double>"
PAIR = f"{{{VECTOR}, {VECTOR}}}"


class Lanes:
    """Writes arithmetic on several numbers at a time."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def op(self, kind: str, a: str, b: str) -> str:
        """Write a sum, difference or product."""
        name = f"%v{len(self.lines)}"
        self.lines.append(f"  {name} = {kind} {VECTOR} {a}, {b}")
        return name

    def is_below(self, a: str, b: str) -> str:
        """Write a comparison."""
        return self.op("fcmp olt", a, b)

    def either(self, test: str, a: str, b: str) -> str:
        """Write a choice."""
        name = f"%v{len(self.lines)}"
        mask = f"<{LANES} x i1>"
        self.lines.append(
            f"  {name} = select {mask} {test}, {VECTOR} {a}, {VECTOR} {b}"
        )
        return name

    def rounded(self, a: str) -> str:
        """Write the nearest whole number."""
        return self.op("fsub", self.op("fadd", a, every(SHIFT)), every(SHIFT))

    def polynomial(self, z: str, coefficients: Sequence[float]) -> str:
        """Write a polynomial, lowest power first."""
        total = every(coefficients[-1])
        for c in reversed(coefficients[:-1]):
            product = self.op(f"fmul {FUSED}", z, total)
            total = self.op(f"fadd {FUSED}", product, every(c))
        return total


def every(value: float) -> str:
    """Return a number in every lane."""
    return "<" + ", ".join([f"double {bits(value)}"] * LANES) + ">"


def _sine_cosine() -> str:
    """Return the function that gives sines and cosines; see ``trigonometry``."""
    v = Lanes()
    times, plus, minus = f"fmul {FUSED}", f"fadd {FUSED}", f"fsub {FUSED}"
    k = v.rounded(v.op("fmul", "%a", every(QUARTERS)))
    whole = v.rounded(v.op("fmul", k, every(0.25)))
    m = v.op("fsub", k, v.op("fmul", whole, every(4.0)))
    r = "%a"
    for part in PARTS:
        r = v.op(minus, r, v.op(times, k, every(part)))
    z = v.op(times, r, r)
    rz = v.op(times, r, z)
    sine = v.op(plus, r, v.op(times, rz, v.polynomial(z, SINE)))
    head = v.op(minus, every(1.0), v.op(times, every(0.5), z))
    tail = v.op(times, v.op(times, z, z), v.polynomial(z, COSINE))
    cosine = v.op(plus, head, tail)
    is_odd = v.op("fcmp oeq", v.op("fmul", m, m), every(1.0))
    results: list[str] = []
    for first, other, low, high in (
        (sine, cosine, -0.5, 1.5),
        (cosine, sine, -1.5, 0.5),
    ):
        size = v.either(is_odd, other, first)
        minus_size = v.op("fsub", every(-0.0), size)
        flipped = v.either(v.is_below(m, every(low)), minus_size, size)
        results.append(v.either(v.is_below(every(high), m), minus_size, flipped))
    body = "\n".join(v.lines)
    return (
        f"define internal {PAIR} @sine_cosine({VECTOR} %a) alwaysinline {{\n{body}\n"
        f"  %p = insertvalue {PAIR} undef, {VECTOR} {results[0]}, 0\n"
        f"  %q = insertvalue {PAIR} %p, {VECTOR} {results[1]}, 1\n"
        f"  ret {PAIR} %q\n}}\n"
    )


def llvm_source(program: Program) -> str:
    """Return a module with ``init(p, w)`` and ``step(w, x, y)``."""
    first = LlvmWriter(program.tape)
    for k, i in enumerate(program.parameters):
        first.names[i] = first.load("p", k)
    first.operations(program.init)
    for k, i in enumerate(program.kept):
        first.store("w", k, first.at(i))
    then = LlvmWriter(program.tape)
    for array, nodes in (("w", program.kept), ("x", program.inputs)):
        for k, i in enumerate(nodes):
            then.names[i] = then.load(array, k)
    then.operations(program.step)
    for k, r in enumerate(program.outputs):
        then.store("y", k, then.at(r))
    return module(first.lines, then.lines, len(program.inputs))


def module(init: Sequence[str], step: Sequence[str], inputs: int) -> str:
    """Return a module of the two functions, and one for inputs in three arrays.

    Args:
        init: instructions of the first.
        step: instructions of the second.
        inputs: how many it takes.
    """
    declared = [f"declare double @{name}(double)" for name in CALLS.values()]
    declared.append("declare double @atan2(double, double)")
    return "\n".join(
        [
            *declared,
            _sine_cosine(),
            _function("init", ("p", "w"), init),
            _function("step", ("w", "x", "y"), step),
            JOINED % max(1, inputs),
        ]
    )


COPY = "call void @llvm.memcpy.p0.p0.i64(ptr align 8 %%%%%s, ptr align 8 %%%%%s,"
JOINED = f"""
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @joined(ptr %%w, ptr %%a, i64 %%n, ptr %%b, i64 %%m, ptr %%c, i64 %%k,
                    ptr %%y) {{
  %%x = alloca [%d x double], align 32
  %%na = mul i64 %%n, 8
  %%nb = mul i64 %%m, 8
  %%nc = mul i64 %%k, 8
  %%xb = getelementptr double, ptr %%x, i64 %%n
  %%xc = getelementptr double, ptr %%xb, i64 %%m
  {COPY % ("x", "a")} i64 %%na, i1 false)
  {COPY % ("xb", "b")} i64 %%nb, i1 false)
  {COPY % ("xc", "c")} i64 %%nc, i1 false)
  call void @step(ptr %%w, ptr %%x, ptr %%y)
  ret void
}}
"""


def _function(name: str, arrays: Sequence[str], lines: Sequence[str]) -> str:
    """Return a function on arrays that do not overlap."""
    arguments = ", ".join(f"ptr noalias %{a}" for a in arrays)
    body = "\n".join(lines)
    return f"define void @{name}({arguments}) noinline {{\n{body}\n  ret void\n}}\n"
