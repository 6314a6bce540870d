"""A process that expands one xacro file to stdout; started by ``robots.files.xacro``.

Xacro evaluates expressions of Python without its builtins, and has a ``$(eval ...)``
that has them. Here both are the same, names that lead from a value to the interpreter
are refused, and files are plain, few, and of limited size. That keeps accidents and
simple malice out; it is no jail, and a file from a stranger is better read first.
"""

import ast
import importlib
import json
import stat
import sys
from pathlib import Path
from typing import Any

from equipoise.robots.files.packages import Packages
from equipoise.robots.files.places import mesh_places

INNER = ("_", "f_", "gi_", "cr_", "ag_", "tb_", "co_", "func_", "im_")
"""What attributes begin with that lead from a value to the interpreter."""
TELLING = ("format", "format_map", "mro")
"""Attributes that look at what they are given by such a name."""
WORDS: dict[type[BaseException], str] = {
    RecursionError: "it includes or calls itself without end",
    MemoryError: "it needs too much memory",
}
DANGEROUS = ("type", "vars")
"""Functions of Python that xacro hands to expressions."""


def expect_harmless(text: str) -> None:
    """Refuse an expression that reaches for the interpreter.

    Raises:
        ValueError: names it.
    """
    for node in ast.walk(ast.parse(text.strip(), mode="eval")):
        is_name = isinstance(node, ast.Name)
        name = node.id if is_name else getattr(node, "attr", "")
        is_inner = name.startswith("__") if is_name else name.startswith(INNER)
        if is_inner or (not is_name and name in TELLING):
            raise ValueError(f"'{name}' is not taken in an expression")


class Reader:
    """Opens the files that an expansion reads, plain ones and not too much of them."""

    def __init__(self, most_bytes: int, most_files: int) -> None:
        self.bytes_left, self.files_left = most_bytes, most_files

    def open(self, name: Any, mode: str = "r", *rest: Any, **more: Any) -> Any:
        """Open a file for reading, as the builtin does.

        Raises:
            ValueError: it is no plain file, or one too many.
        """
        status = Path(name).stat()
        if set(mode) - set("rbt"):
            raise ValueError(f"{name} would be written")
        if not stat.S_ISREG(status.st_mode):
            raise ValueError(f"{name} is no plain file")
        self.bytes_left -= status.st_size
        self.files_left -= 1
        if self.bytes_left < 0 or self.files_left < 0:
            raise ValueError(f"includes too much, {name} is one file too many")
        return Path(name).open(mode, *rest, **more)


def limit_process(seconds: float, memory: int) -> None:
    """Limit this process's time, memory and files, where the system can."""
    try:
        import resource
    except ImportError:  # Windows; the parent's time limit is left
        return
    limits = {
        resource.RLIMIT_CPU: int(seconds),
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_CORE: 0,
    }
    for what, most in limits.items():
        hard = resource.getrlimit(what)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(what, (most, hard))
        except (OSError, ValueError):  # macOS does not limit memory
            continue


def guarded(xacro: Any, reader: Reader, find: Any) -> None:
    """Let xacro read files, find packages and evaluate expressions as said above."""
    arguments: Any = importlib.import_module("xacro.substitution_args")
    inner = xacro.safe_eval

    def safe_eval(expression: str, symbols: Any, names: Any = None) -> Any:
        expect_harmless(expression)
        return inner(expression, symbols, names)

    def resolve(text: str, context: dict[str, Any]) -> str:
        expect_harmless(text)
        args = context.get("arg", {})
        known = {**arguments._eval_dict, "__builtins__": {}, "find": find}
        known |= {"arg": lambda name: arguments.convert_value(args[name], "auto")}
        values = {k: arguments.convert_value(args[k], "auto") for k in args}
        return str(eval(text, known, values))

    xacro.safe_eval, xacro.open = safe_eval, reader.open
    arguments._eval, arguments._eval_find = resolve, find
    known_names = xacro._global_symbols
    for space in (known_names, known_names.get("python", {})):
        for name in DANGEROUS:
            if name in space:
                del space[name]


def expand_stdin() -> int:
    """Expand the file that stdin names, and return the exit status."""
    asked = json.load(sys.stdin)
    limit_process(asked["seconds"], asked["memory"])
    xacro: Any = importlib.import_module("xacro")
    path = Path(asked["path"])
    named = {name: Path(folder) for name, folder in asked["named"].items()}
    folders = tuple(map(Path, asked["folders"]))
    places = mesh_places(path, Packages(named, folders))

    def find(name: str) -> str:
        folder = places.package(name)
        if folder is None:
            why = places.why_missing(f"package://{name}/")
            raise ValueError(f"package '{name}' {why}")
        return str(folder)

    guarded(xacro, Reader(asked["most_bytes"], asked["most_files"]), find)
    try:
        text = xacro.process_file(str(path)).toxml(encoding="utf-8")
    except Exception as error:
        inner = getattr(error, "exc", None) or error  # of xacro's own exceptions
        words = WORDS.get(type(inner)) or " ".join(str(error).split())
        sys.stderr.write(f"xacro: {words or type(inner).__name__}\n")
        return 1
    sys.stdout.buffer.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(expand_stdin())
