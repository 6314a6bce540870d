"""The module program as C: sources as they are, and a header with a module's numbers.

No text from a robot file gets into C: a module is given by numbers alone.
"""

from collections.abc import Iterable
from importlib.resources import files

from equipoise.control.com.small.float_steering import FloatSteeringConfig
from equipoise.control.com.small.small_module import SmallModule, Swap
from equipoise.equations.emit.c import c_literal
from equipoise.equations.tape.trigonometry import trigonometry_c
from equipoise.modules.frame import VERSION
from equipoise.modules.member.state import SLOTS
from equipoise.modules.rules import Rules

STEPS = 512  # of the converter that reads an angle, either way

__all__ = ["firmware_texts", "module_header", "rules_header"]


def _row(values: Iterable[float]) -> str:
    """Return numbers as a C initialiser."""
    return "{" + ", ".join(c_literal(value, "single") for value in values) + "}"


def _swap_text(swap: Swap) -> str:
    """Return a swap of axes as a C initialiser."""
    axis, minus = swap
    return f"{{{{{axis[0]}, {axis[1]}, {axis[2]}}}, {minus}}}"


def module_header(module: SmallModule, gains: FloatSteeringConfig | None = None) -> str:
    """Return ``module.h``.

    Args:
        module: its numbers.
        gains: of the steering; the defaults if None.
    """
    k = gains or FloatSteeringConfig()
    spring = (k.stiffness, k.stiffness_z, k.damping, k.gravity, k.hold, k.hold_damping)
    numbers = {
        "OUTER_A": _row(module.outer[0]),
        "OUTER_B": _row(module.outer[1]),
        "INNER": _row(module.core),
        "INNER_A": _row(module.inner[0][:2]),
        "INNER_B": _row(module.inner[1][:2]),
        "LENGTH": c_literal(module.pivots[2], "single"),
        "PIVOTS": _row(module.pivots),
        "EFFORT": _row(module.efforts),
        "SPAN": _row(limit / STEPS for limit in module.limits),
        "REST": _row(module.rest),
        "FACES": "{" + ", ".join(map(_swap_text, module.faces)) + "}",
        "REACH": "{" + ", ".join(map(_row, module.reach)) + "}",
        "GAINS": _row(spring),
    }
    lines = ["/* A module in numbers: kg, m, N m; see mass.c and steer.c. */"]
    lines += ["#ifndef MODULE_H", "#define MODULE_H", ""]
    lines += [f"#define MODULE_{name} \\\n  {text}" for name, text in numbers.items()]
    return "\n".join([*lines, "", "#endif", ""])


def rules_header() -> str:
    """Return ``rules.h``: the constants of the protocol, the same as in Python."""
    rules = Rules()
    numbers = {
        "VERSION": VERSION,
        "SILENCE": rules.silence,
        "ECHO": rules.echo,
        "QUARANTINE": rules.quarantine,
        "LISTEN": rules.listen,
        "JOIN": rules.join,
        "BUMP": rules.bump,
        "HOPS": rules.hops,
        "MEMORY": rules.memory,
        "WINDOW": rules.window,
        "LEAP": rules.leap,
        "SLOTS": SLOTS,
        "MOST": rules.most,
    }
    lines = ["/* The constants of the module protocol, in rounds and modules. */"]
    lines += ["#ifndef RULES_H", "#define RULES_H", ""]
    lines += [f"#define {name} {value}" for name, value in numbers.items()]
    return "\n".join([*lines, "", "#endif", ""])


def firmware_texts(
    module: SmallModule, gains: FloatSteeringConfig | None = None
) -> dict[str, str]:
    """Return the complete program as C, by file name.

    Args:
        module: its numbers.
        gains: of the steering; the defaults if None.
    """
    shelf = files("equipoise.control.com.small") / "firmware"
    texts = {
        file.name: file.read_text("utf-8")
        for file in sorted(shelf.iterdir(), key=lambda file: file.name)
        if file.is_file()
    }
    texts["module.h"] = module_header(module, gains)
    texts["rules.h"] = rules_header()
    guard = "#ifndef TRIG_H\n#define TRIG_H\n#include <math.h>\n"
    texts["trig.h"] = f"{guard}{trigonometry_c('single')}\n#endif\n"
    return texts
