"""Operations as calls of small functions on places in memory.

``product(&v[3], &v[7], &w[2]);`` takes an eight-bit processor fewer bytes than a
product in line: the loads and stores are in the function. Places are used again as soon
as their value is no longer needed.
"""

from collections.abc import Sequence
from typing import final

from equipoise.equations.emit.c import CWriter
from equipoise.equations.tape.order import depth_first
from equipoise.equations.tape.tape import Op

__all__ = ["call_statements", "helpers"]

HELPERS = {
    "sum": "*d = *a + *b",
    "difference": "*d = *a - *b",
    "product": "*d = *a * *b",
}
APART = """#if defined(__clang__)
#define APART __attribute__((noinline))
#elif defined(__GNUC__)
#define APART __attribute__((noinline, noclone))
#else
#define APART
#endif
"""


def helpers(real: str, lines: Sequence[str]) -> str:
    """Return the functions that some lines call."""
    texts = [
        f"static APART void {name}({real} *d, const {real} *a, const {real} *b)\n"
        f"{{\n  {body};\n}}\n"
        for name, body in HELPERS.items()
        if any(line.startswith(f"{name}(") for line in lines)
    ]
    return "\n".join([APART, *texts]) if texts else ""


def call_statements(
    w: CWriter, nodes: Sequence[int], outputs: Sequence[int], array: str
) -> list[str]:
    """Return the lines that fill an array with outputs.

    Args:
        w: knows the names of what is given.
        nodes: operations in an order in which they can be done.
        outputs: references.
        array: name of the array.
    """
    places = Places(w, nodes, outputs, array)
    lines: list[str] = []
    for k, i in enumerate(places.order):
        places.free_after(k)
        if i not in w.names:
            lines += _written(w, places, i)
    taken = set(places.home.values())
    for k, r in enumerate(outputs):
        if f"{array}[{k}]" not in taken:
            lines.append(f"{array}[{k}] = {w.at(r)};")
    return [f"{w.real} v[{places.count}];", *lines] if places.count else lines


@final
class Places:
    """Places of values: in their output, or in an array that is reused.

    A value that is an output lives there from the start. A value that is only wanted
    at the end, with another sign or in a second output, keeps its place to the end.
    """

    def __init__(
        self, w: CWriter, nodes: Sequence[int], outputs: Sequence[int], array: str
    ) -> None:
        self.order = depth_first(w.tape, nodes, outputs)
        self.here = here = set(self.order)
        self.home: dict[int, str] = {}
        for k, r in enumerate(outputs):
            if r in here and r not in self.home:
                self.home[r] = f"{array}[{k}]"
        last: dict[int, int] = {}
        for k, i in enumerate(self.order):
            last |= {abs(a): k for a in w.tape.args[i]}
        for r in outputs:
            last.pop(abs(r), None)
        self.ends: dict[int, list[int]] = {}
        for i, k in last.items():
            self.ends.setdefault(k, []).append(i)
        self.used: dict[int, int] = {}
        self.free: list[int] = []
        self.count = 0

    def of(self, i: int) -> str:
        """Return a place for a new value."""
        if i in self.home:
            return self.home[i]
        if not self.free:
            self.free.append(self.count)
            self.count += 1
        self.used[i] = self.free.pop()
        return f"v[{self.used[i]}]"

    def free_after(self, k: int) -> None:
        """Take back the places of values that operation k is the last to use."""
        self.free += [self.used[i] for i in self.ends.get(k, []) if i in self.used]


def _written(w: CWriter, places: Places, i: int) -> list[str]:
    """Return the lines that compute one operation, and a sine's cosine with it."""
    op, args = w.tape.ops[i], w.tape.args[i]
    if op in (Op.SINE, Op.COSINE):
        return _both(w, places, args[0])
    in_memory = all(w.tape.ops[abs(a)] is not Op.CONSTANT for a in args)
    if op in (Op.ADD, Op.MULTIPLY) and in_memory:
        a, b = (w.names[abs(a)] for a in args)
        name = "product" if op is Op.MULTIPLY else "sum"
        name = "difference" if args[1] < 0 else name
        w.names[i] = places.of(i)
        return [f"{name}(&{w.names[i]}, &{a}, &{b});"]
    value = w.value(i)
    w.names[i] = places.of(i)
    return [f"{w.names[i]} = {value};"]


def _both(w: CWriter, places: Places, angle: int) -> list[str]:
    """Return the lines that compute sine and cosine of an angle."""
    start = f"const {w.real} a = {w.at(angle)};"
    wanted: list[str] = []
    for op in (Op.SINE, Op.COSINE):
        found = w.tape.existing(op, (angle,))
        wanted.append("none")
        if found is not None and abs(found) in places.here:
            w.names[abs(found)] = wanted[-1] = places.of(abs(found))
    call = f"sine_cosine(1, &a, &{wanted[0]}, &{wanted[1]});"
    none = [f"{w.real} none;"] if "none" in wanted else []
    return ["{", f"  {start}", *(f"  {line}" for line in none), f"  {call}", "}"]
