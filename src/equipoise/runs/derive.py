"""From a robot or a script to equations as C: what ``equipoise derive`` does."""

import json
import runpy
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from equipoise.core.errors import BadFileError, EquipoiseError, UnknownNameError
from equipoise.core.files import Written
from equipoise.core.kinds import Attitude, Parameters
from equipoise.equations.blocks.block import Block
from equipoise.equations.blocks.export import export_texts, texts
from equipoise.equations.mechanism.system import System
from equipoise.equations.motion import EquationsOfMotion
from equipoise.equations.robot.gpu_kernels import LINEAR
from equipoise.equations.tape.program import Operations
from equipoise.robots.robot import Robot
from equipoise.runs.derive_config import DeriveConfig
from equipoise.runs.robot import find_robot

__all__ = ["DeriveResult", "derive_to_files", "named_in_file"]

ENDING = ".py:"
LARGE = 10_000_000  # of C [bytes]; WARP1 has 0.3 million, a tree of 20 modules 2.3


@dataclass(frozen=True)
class DeriveResult:
    """Equations, what they cost and what was written."""

    block: Block = field(repr=False)
    summary: dict[str, Any]
    """The numbers of the command's ``--json``."""
    files: list[Path]
    replaced: list[Path]
    """Those of them that were there before."""


@dataclass(frozen=True)
class Derived:
    """A block, and the operations of mass matrix, forcing and kinematics."""

    block: Block
    operations: Operations
    left_out: tuple[str, ...] = ()
    motion: EquationsOfMotion | None = None
    """Where it is a robot's."""


def derive_to_files(
    config: DeriveConfig,
    out: Path | None = None,
    notice: Callable[[str], object] | None = None,
) -> DeriveResult:
    """Derive equations of motion, count them and write them as C.

    Args:
        config: a robot or a script, and how its equations are written. With ``cuda``
            outputs get kernels of their own, and ``linearization`` is one of them.
        out: folder for the files; None to write none.
        notice: told in a sentence, before they are written, when the files are large.

    Raises:
        BadFileError: a file cannot be used; nothing is written.
        ConfigError: the equations cannot be derived or written; nothing is written.
        UnknownNameError: a name that is not there; nothing is written.
    """
    name, target, outputs = config.robot.name, config.target, config.outputs
    what: Any = name
    if ENDING not in name:
        what = find_robot(config.robot)
    start = time.process_time()
    if ENDING in name:
        what = named_in_file(name)
    usual = "quaternion" if target == "cuda" else "yaw-pitch-roll"
    of_block = [one for one in outputs if target != "cuda" or one != LINEAR]
    attitude = config.attitude or usual
    found = _derived(what, config.parameters, attitude, of_block)
    derive_s = time.process_time() - start
    wanted = config.precision or ("single" if target == "atmega128" else "double")
    start = time.process_time()
    if target == "cuda" and found.motion is not None:
        written = found.motion.cuda_texts(wanted, outputs)
    else:
        written = texts(found.block, target, wanted)
    emit_s = time.process_time() - start
    size = sum(map(len, written.values()))
    if notice is not None and size > LARGE:
        notice(_size_sentence(name, size, out))
    arrived = Written([], []) if out is None else export_texts(written, out)
    block = found.block
    summary = {
        "name": block.name,
        "operations": {k: getattr(found.operations, k) for k in ("add", "mul", "trig")},
        "step_operations": block.program.operations._asdict(),
        "derive_s": derive_s,
        "emit_s": emit_s,
        "parameters": [p.name for p in block.parameters],
        "states": [s.name for s in block.states],
        "inputs": [s.name for s in block.inputs],
        "outputs": [s.name for s in block.outputs],
        "unused_inputs": list(block.unused()),
        "left_out": list(found.left_out),
        "target": target,
        "precision": wanted,
        "bytes": size,
        "files": [str(path) for path in arrived.files],
    }
    if target == "cuda":
        told = next(text for file, text in written.items() if file.endswith(".json"))
        summary["kernels"] = [k["kernel"] for k in json.loads(told)["kernels"]]
    return DeriveResult(block, summary, arrived.files, arrived.replaced)


def _size_sentence(name: str, size: int, out: Path | None) -> str:
    """Return a warning about files that few compilers will like."""
    verb = "would be" if out is None else "is"
    return (
        f"The C of '{name}' {verb} {size / 1e6:.0f} MB, which takes long to compile; "
        "the C of a robot with fewer modules is shorter."
    )


def _derived(
    what: Robot | System | Block,
    parameters: Parameters,
    attitude: Attitude,
    outputs: Sequence[str],
) -> Derived:
    """Return the equations of a robot, a script or what is a block already."""
    if isinstance(what, Block):
        return Derived(what, what.program.operations)
    if isinstance(what, System):
        return Derived(what.block(), what.kane().operations)
    motion = EquationsOfMotion(what, parameters, attitude, what.feet, "numpy")
    counted = motion.operations
    block = motion.block_with(*outputs)
    return Derived(block, counted, motion.left_out, motion)


def named_in_file(name: str) -> Any:
    """Return what ``FILE.py:NAME`` names, after running the file.

    Raises:
        BadFileError: the file is not there, fails, or NAME is something else.
        UnknownNameError: the file has no such name.
    """
    file, _, wanted = name.rpartition(":")
    path = Path(file)
    if not path.is_file():
        raise BadFileError(
            f"{path}: does not exist; name a Python file and an object in it."
        )
    before = list(sys.path)
    sys.path.insert(0, str(path.parent.resolve()))  # as Python itself does
    try:
        with redirect_stdout(sys.stderr):  # what it prints is none of our results
            content = runpy.run_path(str(path), run_name="equipoise_derive")
        known = [
            key for key, x in content.items() if isinstance(x, System | Block | Robot)
        ]
        if wanted not in content:
            raise UnknownNameError("system", wanted, known, str(path))
        found = content[wanted]
        if callable(found):
            with redirect_stdout(sys.stderr):
                found = found()
    except EquipoiseError:
        raise
    except (Exception, SystemExit) as error:
        line = _last_line(error, path)
        reason = f"{type(error).__name__}: {error}".rstrip(".: ")
        raise BadFileError(f"{path}: cannot be run, {reason}{line}.") from error
    finally:
        sys.path[:] = before
    if not isinstance(found, System | Block | Robot):
        kind = type(found).__name__
        raise BadFileError(
            f"{path}: '{wanted}' is of type {kind}; name a System, a Block or a Robot."
        )
    return found


def _last_line(error: BaseException, path: Path) -> str:
    """Return where in a file an error came from, in words."""
    trace, found = error.__traceback__, ""
    while trace is not None:
        if Path(trace.tb_frame.f_code.co_filename) == path:
            found = f", in line {trace.tb_lineno}"
        trace = trace.tb_next
    return found
