"""Assembly files: a module assembly as YAML, read with care, written exactly.

    equipoise: assembly/1
    name: tripod
    module: {kind: superbot, mass_scale: 0.1}
    modules:
      root: [0.0, 0.0, 0.0]
      arm: [0.0, 1.57, 0.0]
    connections:
      - {from: root.b_front, to: arm.a_left, turn: 90}
    ground: {at: root.a_front, mount: fixed}

Angles are in radians, turns in degrees about the face normal.
"""

import reprlib
from dataclasses import asdict, fields
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from equipoise.core.errors import BadFileError, ConfigError, UnknownNameError
from equipoise.core.files import atomic_write
from equipoise.robots.assembly.assembly import (
    NAME_RULE,
    Assembly,
    Connection,
    Ground,
    PlacedModule,
    is_name,
)
from equipoise.robots.assembly.module import SuperbotModule
from equipoise.robots.files.yaml import dump_yaml, load_yaml

__all__ = ["read_assembly", "write_assembly"]


def _expect_name(text: str) -> str:
    """Refuse a name that would need quoting somewhere."""
    if not is_name(text):
        raise ValueError(f"must be {NAME_RULE}")
    return text


def _expect_face(text: str) -> str:
    """Refuse what is not a module and one of its connectors."""
    name, dot, connector = text.rpartition(".")
    if not (dot and connector and is_name(name)):
        raise ValueError("must be a module and its connector, such as root.b_front")
    return text


Name = Annotated[str, AfterValidator(_expect_name)]
Face = Annotated[str, AfterValidator(_expect_face)]
Finite = Annotated[float, Field(strict=True, allow_inf_nan=False)]
SAID_BETTER = {
    "missing": "is missing",
    "extra_forbidden": "is not a known key",
    "float_type": "must be a number",
    "finite_number": "must be a finite number",
    "string_type": "must be a word",
    "list_type": "must be a list",
    "dict_type": "must be a mapping, name: value",
    "model_type": "must be a mapping, name: value",
    "too_short": "must not be empty",
}


class Strict(BaseModel):
    """Unknown keys are mistakes."""

    model_config = ConfigDict(extra="forbid")


class ConnectionEntry(Strict):
    """One line of ``connections``."""

    from_: Face = Field(alias="from")
    to: Face
    turn: Literal[0, 90, 180, 270] = 0


class GroundEntry(Strict):
    """The ``ground`` line."""

    at: Face
    mount: Literal["fixed", "free", "feet"] = "fixed"


class AssemblyEntry(Strict):
    """The whole file."""

    equipoise: Literal["assembly/1"]
    name: Name
    module: dict[str, Any] = Field(default_factory=dict)
    modules: Annotated[dict[Name, list[Finite]], Field(min_length=1)]
    connections: list[ConnectionEntry] = Field(default_factory=list)
    ground: GroundEntry


def read_assembly(path: str | Path) -> Assembly:
    """Read an assembly file and return the assembly.

    Args:
        path: the YAML file.

    Raises:
        BadFileError: the file is missing, empty, or does not describe one tree.
    """
    path = Path(path)
    try:
        return _assembly_from(_parse(load_yaml(path)))
    except ConfigError as error:
        raise BadFileError(f"{path}: {'; '.join(error.problems)}.") from None
    except (BadFileError, UnknownNameError) as error:
        said = str(error)
        end = "" if said.endswith(".") else "."
        raise BadFileError(f"{path}: {said}{end}") from None


def write_assembly(assembly: Assembly, path: str | Path) -> None:
    """Write an assembly file that is read back as exactly the same assembly."""
    atomic_write(Path(path), assembly_text(assembly).encode())


def assembly_text(assembly: Assembly) -> str:
    """Return the YAML text of an assembly."""
    names = [m.name for m in assembly.modules]
    faces = [c.name for c in assembly.body.connectors]

    def face(module: int, connector: int) -> str:
        return f"{names[module]}.{faces[connector]}"

    content = {
        "equipoise": "assembly/1",
        "name": assembly.name,
        "module": asdict(assembly.module),
        "modules": {m.name: list(m.angles) for m in assembly.modules},
        "connections": [
            {
                "from": face(c.a, c.a_connector),
                "to": face(c.b, c.b_connector),
                "turn": 90 * c.turn,
            }
            for c in assembly.connections
        ],
        "ground": {
            "at": face(assembly.ground.module, assembly.ground.connector),
            "mount": assembly.ground.mount,
        },
    }
    return dump_yaml(content)


def _parse(content: Any) -> AssemblyEntry:
    """Check the file's shape; the first problem becomes one sentence."""
    try:
        return AssemblyEntry.model_validate(content)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
    kind, got = first["type"], reprlib.repr(first["input"])
    said = SAID_BETTER.get(kind, first["msg"].removeprefix("Value error, "))
    place = _place_of(first["loc"])
    if kind in ("missing", "extra_forbidden"):
        raise BadFileError(f"{place} {said}; {_known_keys(first['loc'])} are the keys")
    raise BadFileError(f"{place} {said.replace('Input should', 'must')}, got {got}")


def _place_of(steps: tuple[int | str, ...]) -> str:
    """Return a place in the file, such as 'connections[0].turn'."""
    text = ""
    for step in steps:
        if step != "[key]":
            text += f"[{step}]" if isinstance(step, int) else f".{step}"
    return f"'{text.removeprefix('.')}'" if text else "the file"


def _known_keys(steps: tuple[int | str, ...]) -> str:
    """Return the keys that exist where a wrong or missing one was found."""
    entry = {"connections": ConnectionEntry, "ground": GroundEntry}
    model = entry.get(str(steps[0]), AssemblyEntry) if len(steps) > 1 else AssemblyEntry
    return ", ".join(f.alias or name for name, f in model.model_fields.items())


def _module_from(settings: dict[str, Any]) -> SuperbotModule:
    """Build the module's numbers from the ``module`` line."""
    known = {f.name for f in fields(SuperbotModule)}
    for key in settings:
        if key not in known:
            raise UnknownNameError("setting", key, known, "'module'")
    try:
        return SuperbotModule(**settings)
    except ConfigError as error:
        parts = [problem.partition(" ") for problem in error.problems]
        listed = "; ".join(f"'module.{name}' {said}" for name, _, said in parts)
        raise BadFileError(listed) from None


def _assembly_from(entry: AssemblyEntry) -> Assembly:
    """Turn names into indices and build the checked assembly."""
    module = _module_from(entry.module)
    body, index = module.body(), {name: k for k, name in enumerate(entry.modules)}

    def face(text: str, where: str) -> tuple[int, int]:
        name, connector = text.rsplit(".", 1)
        where = f"{where}, '{text}',"
        if name not in index:
            raise UnknownNameError("module", name, index, where)
        return index[name], body.find_connector(connector, where)

    connections = []
    for k, line in enumerate(entry.connections):
        where = f"'connections[{k}]'"
        a, b = face(line.from_, where), face(line.to, where)
        connections.append(Connection(*a, *b, line.turn // 90))
    return Assembly(
        name=entry.name,
        module=module,
        modules=tuple(PlacedModule(n, tuple(q)) for n, q in entry.modules.items()),
        connections=tuple(connections),
        ground=Ground(*face(entry.ground.at, "'ground'"), entry.ground.mount),
    )
