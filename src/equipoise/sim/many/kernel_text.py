"""The loop over ticks and steps of many robots, as CUDA text: one robot a thread.

All that a robot is lives in local arrays whose indices are constants, so that compilers
keep it in registers; loops around them are not unrolled. Arrays in memory are one row a
quantity, one column a robot (``x[k * n + i]``), so that threads beside each other read
numbers beside each other. No name of a robot gets into the text.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, final

from equipoise.core.errors import UnknownNameError
from equipoise.core.kinds import Precision
from equipoise.equations.cuda.text import BLOCK, device_function, preamble
from equipoise.equations.tape.program import Program, live_operations
from equipoise.sim.many.begin_text import BEGIN_TEXT
from equipoise.sim.many.height_field import PROBE_TEXT
from equipoise.sim.many.philox import PHILOX_TEXT
from equipoise.sim.many.program import FALLEN, ManyProgram
from equipoise.sim.many.push_text import PUSH_TEXT
from equipoise.sim.many.way_text import WAY_TEXT

__all__ = ["KernelPlan", "kernel_text"]

SHARED = 48 * 1024
"""What a block has of it without asking [bytes]; what does not fit stays in memory."""


@final
@dataclass(frozen=True, kw_only=True)
class KernelPlan:
    """Plan of a kernel: its tasks beside moving robots, and its use of memory."""

    precision: Precision = "single"
    has_pushes: bool = True
    """Whether there are pushes; without them the forces are zeros in the text."""
    record: tuple[str, ...] = ()
    """Names of states and outputs that are recorded at intervals."""
    watch: tuple[str, ...] = ()
    """Names of states and outputs whose smallest and largest value are kept."""
    resident: int = 1
    """Blocks that are to run on a multiprocessor at once; more of them leave each
    robot fewer registers."""
    rereads: bool = False
    """Whether settings are read from memory at every step, to spare registers."""
    memory: Literal["registers", "shared", "global"] = "registers"
    """Place where the controller's memory is kept during steps."""


@lru_cache(maxsize=8)
def kernel_text(program: ManyProgram, plan: KernelPlan) -> str:
    """Return the text of the kernels ``many_run``, ``many_begin`` and ``many_way``.

    Args:
        program: what one robot does.
        plan: what else is wanted.

    Raises:
        UnknownNameError: a name that is neither of the state nor told.
    """
    precision = plan.precision
    return "\n".join(
        [
            preamble(precision),
            PHILOX_TEXT,
            device_function(program.control, "many_control", precision),
            device_function(program.step, "many_step", precision),
            PUSH_TEXT,
            PROBE_TEXT if program.probes else "",
            _run_text(program, plan),
            BEGIN_TEXT,
            WAY_TEXT,
        ]
    )


def _run_text(program: ManyProgram, plan: KernelPlan) -> str:
    """Return the text of ``many_run``."""
    states, moved, told = len(program.state), program.moved, len(program.telemetry)
    fallen = [one.name for one in program.telemetry].index(FALLEN)
    forces = (
        "push_force(pushes + i, rows, (unsigned int)who[i], seed_low, seed_high, own, "
        f"since, window, force_from, hold, (REAL){program.tick!r}, lasts, f);"
    )
    places = _state_places(program, plan)
    waits = sum(place.startswith("aside") for place in places)
    apart = [k for k, place in enumerate(places) if not place.startswith("state")]
    asked = [*places[moved:], *(f"c[{k}]" for k in range(len(program.command)))]
    return RUN_TEXT.format(
        bounds=f"{BLOCK}, {plan.resident}",
        aside=f"__shared__ REAL aside[{waits * BLOCK}];" if waits else "",
        states=states,
        moved=moved,
        commands=len(program.command),
        pushes=len(program.push),
        tellings=told,
        period=program.period,
        begins=_lines(f"{places[k]} = state[{k} * rows + i];" for k in apart),
        ends=_lines(f"state[{k} * rows + i] = {places[k]};" for k in apart),
        control=_filled(_control_inputs(program, plan)),
        controlled=len(program.control.inputs),
        asked=len(asked),
        commanded=_lines(f"{place} = y[{k}];" for k, place in enumerate(asked)),
        step=_filled(_step_inputs(program, plan)),
        stepped=len(program.step.inputs),
        moves=len(program.step.outputs),
        forces=forces if plan.has_pushes else "",
        table=TABLE if program.probes else "",
        probing=_probing(program),
        fallen=fallen,
        watching=_watching(program, plan),
        recording=_recording(program, plan),
    )


def _lines(texts: Iterable[str]) -> str:
    """Return lines of a function."""
    return "\n    ".join(texts)


def _filled(inputs: Sequence[str]) -> str:
    """Return the text of what an array is filled with."""
    return ",\n      ".join(inputs)


def _used_inputs(program: Program) -> set[int]:
    """Return the places of the inputs that a program depends on."""
    needed = set(live_operations(program.tape, program.outputs))
    return {place for place, i in enumerate(program.inputs) if i in needed}


def _setting_at(k: int, plan: KernelPlan) -> str:
    """Return the text by which a setting is read."""
    place = f"settings[{k} * rows + i]"
    return f"AGAIN({place})" if plan.rereads else place


def _control_inputs(program: ManyProgram, plan: KernelPlan) -> list[str]:
    """Return what the controller is told, unused numbers as zeros."""
    given = _state_places(program, plan)
    given += [_setting_at(k, plan) for k in range(len(program.settings))]
    return _only_used([*given, f"(REAL)own * (REAL){program.tick!r}"], program.control)


def _step_inputs(program: ManyProgram, plan: KernelPlan) -> list[str]:
    """Return what a step is told, unused numbers as zeros."""
    given = _state_places(program, plan)
    given += [_setting_at(k, plan) for k in range(len(program.settings))]
    given += [f"c[{k}]" for k in range(len(program.command))]
    given += [f"f[{k}]" for k in range(len(program.push))]
    given += [f"g[{k}]" for k in range(3 * len(program.probes))]
    return _only_used(given, program.step)


def _probing(program: ManyProgram) -> str:
    """Return the lines that look the ground up in a table, where there is one."""
    if not program.probes:
        return ""
    found = [f"REAL g[{3 * len(program.probes)}];"]
    for k, (x, y) in enumerate(program.probes):
        found.append(f"probe_ground({GRID}, x[{x}], x[{y}], g + {3 * k});")
    return _lines(found)


def _only_used(given: Sequence[str], program: Program) -> list[str]:
    """Return the texts of a program's inputs, of those that count."""
    used = _used_inputs(program)
    return [text if k in used else "(REAL)0" for k, text in enumerate(given)]


def _state_places(program: ManyProgram, plan: KernelPlan) -> list[str]:
    """Return where each number of the state is while robots are moved."""
    used, places = _used_inputs(program.step), list[str]()
    room = SHARED // (BLOCK * (4 if plan.precision == "single" else 8))
    for k in range(len(program.state)):
        if k < program.moved or k in used or plan.memory == "registers":
            places.append(f"x[{k}]")
        elif plan.memory == "shared" and room > 0:
            slot, room = sum(p.startswith("aside") for p in places), room - 1
            places.append(f"aside[{slot * BLOCK} + threadIdx.x]")
        else:
            places.append(f"state[{k} * rows + i]")
    return places


def _watched_places(
    program: ManyProgram, names: Sequence[str], plan: KernelPlan
) -> list[str]:
    """Return where named quantities are in the text.

    Args:
        program: whose state and tellings they are.
        names: of them.
        plan: of the kernel.

    Raises:
        UnknownNameError: there is no such quantity.
    """
    places = _state_places(program, plan)
    known = {one.name: places[k] for k, one in enumerate(program.state)}
    known |= {one.name: f"told_now[{k}]" for k, one in enumerate(program.telemetry)}
    for name in names:
        if name not in known:
            raise UnknownNameError("quantity", name, known, "the simulation")
    return [known[name] for name in names]


def _watching(program: ManyProgram, plan: KernelPlan) -> str:
    """Return the lines that keep least and largest values."""
    return _lines(
        f"if ({place} < extremes[{2 * k} * rows + i]) "
        f"extremes[{2 * k} * rows + i] = {place};\n    "
        f"if ({place} > extremes[{2 * k + 1} * rows + i]) "
        f"extremes[{2 * k + 1} * rows + i] = {place};"
        for k, place in enumerate(_watched_places(program, plan.watch, plan))
    )


def _recording(program: ManyProgram, plan: KernelPlan) -> str:
    """Return the lines that write a row of the recording."""
    if not plan.record:
        return ""
    body = _lines(
        f"  records[(row * {len(plan.record)} + {k}) * rows + i] = {place};"
        for k, place in enumerate(_watched_places(program, plan.record, plan))
    )
    return f"""if (every > 0 && (tick + 1) % every == 0) {{
      const size_t row = (tick + 1) / every;
    {body}
    }}"""


GRID = "heights, across, along, west, south, per"
TABLE = """,
    const REAL *restrict heights, const int across, const int along, const REAL west,
    const REAL south, const REAL per"""
"""Ground from a table, beside all other arguments."""
RUN_TEXT = """
#define AGAIN(place) (*(const volatile REAL *)&(place))

KERNEL __launch_bounds__({bounds}) many_run(
    const unsigned int n, const unsigned int seed_low, const unsigned int seed_high,
    const int begin, const int end, const int every, const int window,
    const int force_from, const int hold, const REAL lasts,
    const REAL *restrict pushes, const REAL *settings, const int *restrict who,
    const int *restrict began, REAL *state, int *fell, REAL *told, REAL *extremes,
    REAL *records{table})
{{
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || fell[i] >= 0) return;
  const size_t rows = n;
  const int since = began[i];
  REAL x[{states}], c[{commands}], told_now[{tellings}];
  {aside}
    {begins}
#pragma unroll
  for (int k = 0; k < {tellings}; ++k) told_now[k] = (REAL)0;
#pragma unroll 1
  for (int tick = begin; tick < end; ++tick) {{
    const int own = tick - since;
    {{
    REAL y[{asked}];
    const REAL given[{controlled}] = {{
      {control}}};
    many_control(given, y);
    {commanded}
    }}
    REAL f[{pushes}] = {{}};
    {forces}
#pragma unroll 1
    for (int sub = 0; sub < {period}; ++sub) {{
      REAL y[{moves}];
      {probing}
      const REAL given[{stepped}] = {{
      {step}}};
      many_step(given, y);
#pragma unroll
      for (int k = 0; k < {moved}; ++k) x[k] = y[k];
#pragma unroll
      for (int k = 0; k < {tellings}; ++k) told_now[k] = y[{moved} + k];
    }}
    {watching}
    {recording}
    REAL sum = (REAL)0;
#pragma unroll
    for (int k = 0; k < {moved}; ++k) sum += x[k];
    if (told_now[{fallen}] != (REAL)0 || !(sum - sum == (REAL)0)) {{
      fell[i] = tick + 1;
      break;
    }}
  }}
    {ends}
  if (begin < end) {{
#pragma unroll
    for (int k = 0; k < {tellings}; ++k) told[k * rows + i] = told_now[k];
  }}
}}
"""
"""Steps of all robots from tick ``begin`` to before ``end``; who has fallen rests."""
