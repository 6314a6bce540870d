"""The house rules, each a function from source to a list of complaints."""

import ast
import re
from collections.abc import Iterator

from architecture.source import (
    ROOT,
    Function,
    dotted,
    functions,
    imported_modules,
    imports,
)

LAYERS = [  # a room may import only rooms listed on an earlier row
    {"core"},
    {"spatial"},
    {"robots"},
    {"stability", "equations", "modules"},
    {"sim", "control"},
    {"viz"},
    {"runs"},
    {"lab"},  # the works' claims, benches, the torture rig: not in the wheel
    {"cli"},
]
ROW = {room: row for row, rooms in enumerate(LAYERS) for room in rooms}
BUILT_IN = {  # robots of the library: each is a folder that says what can be chosen
    path.parent.name for path in (ROOT / "robots").glob("*/options.py")
}
STOREYS = {  # folders and files of a room; each may import only those on earlier rows
    "control": [
        # records: what is known and asked, with units
        {"ground_map", "machine", "modes", "records", "sensed_room"},
        {"recommended", "scaling", "signals", "timeline"},
        # laws: kernels and pure functions
        {"basis", "cruse", "gaits", "harmonic", "joints", "pilot", "walknet"},
        {"crab", "learning", "observer"},
        {"forces"},
        {"legs"},
        # parts: what a walking controller is composed of, one file each
        {"parts"},
        {"balance", "fit", "kernel_reflex", "leg_programs", "motion", "pilots"},
        {"support"},
        {"planners", "reflexes"},
        # controllers: whole ones
        {"com", "posture", "report", "tracking", "workspace"},
        {"laws", "walking"},
        {"walker"},
        {"recipe", "straight"},
        {"controllers"},
    ],
    "robots": [
        # what a robot consists of, and files before they are robots
        {"description", "drives", "engine", "exact_numbers", "senses", "size"},
        {"files", "source", "which_robot"},
        {"assembly", "packed", "sidecar"},
        # a robot, and what is found in it
        {"robot_spec"},
        {"scene", "visuals"},
        {"stance"},
        {"found"},
        {"robot"},
        # how robots are made
        {"amputated", "assembled", "builtin", "changes", "legged", "legs"},
        {"pose_kinematics", "robot_file", "sliding", "standing"},
        {"articulated", "as_built", "box_frame", "lint", "load", "lying_pose"},
        {"sprawling"},
        BUILT_IN,
    ],
    "runs": [
        # which robot, and what is seen of it
        {"portrait", "process_map", "recorded_robot", "robot", "torque_numbers"},
        {"derive_config", "linearize_config", "lint_config", "notebook", "replay"},
        {"derive", "firmware", "linearize", "movie"},
        {"export", "result"},
        # jobs of one robot
        {"balance", "gait", "limits_result", "mass", "stand"},
        {"check", "limits_config", "processes"},
        {"describe", "limits"},
        {"about", "walk"},
        # doors to several jobs, and many robots at once
        {"jobs", "learn", "live", "many", "simulate"},
        {"gym", "sweep"},
        {"named_limits"},
    ],
    "sim": [
        # what acts on a robot, and how fast it answers
        {"blocks", "delay", "disturbances", "engine_warnings", "held_forces"},
        {"contacts", "let_go", "put_down", "recorded_looks", "restitution", "run"},
        # the ground and the world
        {"neighbours", "terrain"},
        {"board", "forbidden", "ground"},
        {"world"},
        # plants: what is commanded and sensed
        {"bridge", "plant", "push_plan", "recording", "soles"},
        {"ideal", "machine"},
        {"many"},
        # the loop
        {"rollout"},
        {"stepper"},
        {"staged"},
    ],
}
FILE_LINES, FUNCTION_LINES = 500, 60
FAN_OUT = 15  # files of its own room that a file of ``control`` may import

CITATION = re.compile(r"\[([A-Z][A-Za-z]+(?:19|20)\d\d[a-z]?)\]")
BIB_KEY = re.compile(r"^@\w+\{([^,\s]+),", re.MULTILINE)
ARGUMENT = re.compile(r"^(\s+)(\*{0,2}\w+(?:, *\*{0,2}\w+)*)(?: \([^)]*\))?:")
PACKAGES = "clarabel|highspy|osqp|quadprog|cvxopt|cvxpy|ecos|scs|qpsolvers"
SOLVERS = re.compile(  # whose word hangs on how a processor rounds
    r"scipy\.optimize\.(linprog|milp|nnls|lsq_linear)"
    rf"|({PACKAGES})"
)
WORDS = re.compile(rf"scipy|success|{PACKAGES}")
HULLS = re.compile(r"scipy\.spatial\.(ConvexHull|HalfspaceIntersection|Delaunay)")
GENERATORS = {"Generator", "BitGenerator", "SeedSequence", "PCG64", "default_rng"}


def upward_imports(room: str, tree: ast.Module) -> Iterator[str]:
    """Imports point down, and are written in full."""
    for found in imports(tree):
        if found.name.startswith("."):
            yield f"line {found.line}: relative import; write equipoise.{room}..."
        first, *rest = found.name.split(".")
        if first not in ("equipoise", "equipoise_lab"):
            continue
        other = "lab" if first == "equipoise_lab" else [*rest, ""][0]
        if other not in ROW:
            yield f"line {found.line}: import from a room's file, not '{found.name}'"
        elif other != room and not ROW[other] < ROW[room]:
            yield f"line {found.line}: '{room}' must not import '{other}'"


def storey_imports(room: str, unit: str, tree: ast.Module) -> Iterator[str]:
    """Inside a room imports go one way: to folders and files on earlier rows.

    Args:
        room: whose storeys are declared in ``STOREYS``.
        unit: folder or file of the room in which the source is.
        tree: of the source.
    """
    rows = {name: row for row, names in enumerate(STOREYS[room]) for name in names}
    if unit not in rows:
        yield f"line 1: '{unit}' has no row among the storeys of '{room}'"
        return
    for found in imported_modules(tree):
        package, *inside = found.name.split(".")[1:] or [""]
        if not found.name.startswith("equipoise.") or package != room:
            continue
        other = [*inside, ""][0]
        if other not in rows:
            yield f"line {found.line}: import from a room's file, not '{found.name}'"
        elif other != unit and not rows[other] < rows[unit]:
            yield f"line {found.line}: '{unit}' must not import '{other}'"


def fan_out(room: str, tree: ast.Module) -> Iterator[str]:
    """A file imports few others of its own room.

    Args:
        room: in which the file is.
        tree: of the file.
    """
    inside = {one.name for one in imported_modules(tree)}
    inside = {name for name in inside if name.startswith(f"equipoise.{room}.")}
    if len(inside) > FAN_OUT:
        yield f"line 1: imports {len(inside)} files of '{room}'; {FAN_OUT} at most"


def front_door_imports(tree: ast.Module) -> Iterator[str]:
    """``equipoise`` itself offers what rooms below the commands have.

    Homes of names that are fetched later are texts, so texts count as imports here.
    """
    above = ("equipoise.cli", "equipoise.__main__", "equipoise_lab")
    for found in imports(tree):
        if found.name.startswith(above):
            yield f"line {found.line}: the front door must not import '{found.name}'"
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if node.value.startswith(above) and " " not in node.value:
                yield f"line {node.lineno}: the front door must not name '{node.value}'"


def door_clutter(tree: ast.Module) -> Iterator[str]:
    """A room's ``__init__.py`` is a docstring, re-exports and ``__all__``.

    Names that would bring heavy libraries are fetched by ``core.door`` when first used.
    """
    if ast.get_docstring(tree) is None:
        yield "line 1: a room says in a docstring what it is for"
    for node in tree.body:
        is_docstring = isinstance(node, ast.Expr) and node is tree.body[0]
        is_all = isinstance(node, ast.Assign) and [
            target.id for target in node.targets if isinstance(target, ast.Name)
        ] == ["__all__"]
        is_import = isinstance(node, ast.ImportFrom)
        if not (is_docstring or is_all or is_import or is_door(node)):
            yield f"line {node.lineno}: only re-exports and __all__ belong here"


def is_door(node: ast.stmt) -> bool:
    """Say whether a statement is part of a door that fetches names when first used."""
    if isinstance(node, ast.If):
        is_typing = ast.unparse(node.test) == "TYPE_CHECKING" and not node.orelse
        return is_typing and all(isinstance(n, ast.ImportFrom) for n in node.body)
    return ast.unparse(node).startswith("__getattr__ = door(__name__, {")


def unknown_citations(text: str, bibliography: str) -> Iterator[str]:
    """A cited key exists in the bibliography."""
    known = set(BIB_KEY.findall(bibliography))
    for number, line in enumerate(text.splitlines(), start=1):
        for key in CITATION.findall(line):
            if key not in known:
                yield f"line {number}: [{key}] is not in docs/references.bib"


def _documented(docstring: str) -> set[str] | None:
    """Return the names in the Args section, or None where there is no such section."""
    lines = iter(docstring.splitlines())
    if not any(line.strip() == "Args:" for line in lines):
        return None
    names: set[str] = set()
    indent = None
    for line in lines:
        if line and not line[0].isspace():
            break
        if match := ARGUMENT.match(line):
            indent = indent or match[1]
            if match[1] == indent:
                names |= {name.strip(" *") for name in match[2].split(",")}
    return names


def _arguments(function: Function) -> set[str]:
    given = function.args
    names = [*given.posonlyargs, *given.args, *given.kwonlyargs]
    names += [extra for extra in (given.vararg, given.kwarg) if extra]
    return {name.arg for name in names} - {"self", "cls"}


def undocumented_arguments(tree: ast.Module) -> Iterator[str]:
    """A public function's Args section has its arguments, all of them and no other."""
    for function in functions(tree):
        documented = _documented(ast.get_docstring(function) or "")
        if function.name.startswith("_") or documented is None:
            continue
        where, actual = f"line {function.lineno}: {function.name}", _arguments(function)
        for name in sorted(actual - documented):
            yield f"{where} does not document '{name}'"
        for name in sorted(documented - actual):
            yield f"{where} documents '{name}', which it does not take"


def body_lines(function: Function) -> int:
    """Return the length of a function's body, its docstring not counted."""
    body = function.body
    has_docstring = ast.get_docstring(function) is not None
    first = body[1] if has_docstring and len(body) > 1 else body[0]
    start = min(
        [first.lineno, *(d.lineno for d in getattr(first, "decorator_list", []))]
    )
    return (function.end_lineno or start) - start + 1


def too_long(text: str, tree: ast.Module) -> Iterator[str]:
    """Files and functions stay below the hard stops."""
    if (count := len(text.splitlines())) > FILE_LINES:
        yield f"{count} lines; the hard stop is {FILE_LINES}"
    for function in functions(tree):
        if (count := body_lines(function)) > FUNCTION_LINES:
            yield (
                f"line {function.lineno}: {function.name} has {count} lines; the hard "
                f"stop is {FUNCTION_LINES}"
            )


def hidden_randomness(tree: ast.Module) -> Iterator[str]:
    """Random numbers come from a Generator that was seeded and passed in."""
    for found in imports(tree):
        if found.name.split(".")[0] == "random":
            yield f"line {found.line}: use a passed numpy Generator, not '{found.name}'"
    for node in ast.walk(tree):
        text = dotted(node)
        match = re.fullmatch(r"(?:np|numpy)\.random\.(\w+)", text)
        if match and match[1] not in GENERATORS:
            yield f"line {node.lineno}: {text} uses numpy's global state"
        if isinstance(node, ast.Call) and not node.args and not node.keywords:
            if ast.unparse(node.func).endswith("default_rng"):
                yield f"line {node.lineno}: default_rng() without a seed"
    for node in tree.body:  # what runs at import; functions and classes define
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.Expr):
            if "default_rng(" in ast.unparse(node):
                yield f"line {node.lineno}: a generator made at import is shared state"


def solvers_words(text: str, *kinds: re.Pattern[str]) -> Iterator[str]:
    """A solver is asked for numbers that prove the answer, in the files made for it."""
    tree = ast.parse(text if WORDS.search(text) else "")  # most have none of them
    full: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            full |= {a.asname: a.name for a in node.names if a.asname}
        elif isinstance(node, ast.ImportFrom):
            names = node.names
            full |= {a.asname or a.name: f"{node.module}.{a.name}" for a in names}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Name | ast.Attribute):
            continue
        first, dot, rest = dotted(node).partition(".")
        name = full.get(first, first) + dot + rest
        if any(kind.fullmatch(name) for kind in kinds):
            yield f"line {node.lineno}: {name}; ask oracles.certified, which proves it"
        if isinstance(node, ast.Attribute) and node.attr == "success":
            yield f"line {node.lineno}: success is a solver's word; look at residuals"


def assertions(tree: ast.Module) -> Iterator[str]:
    """Checks raise errors with a sentence; ``assert`` vanishes under -O."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            yield f"line {node.lineno}: raise an EquipoiseError instead of assert"


def bare_prints(tree: ast.Module) -> Iterator[str]:
    """A command prints by ``say``, which makes names from files safe to show."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "print":
                yield f"line {node.lineno}: use equipoise.cli.output.say"
