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

from dataclasses import asdict, fields
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from equipoise.core.errors import BadFileError, ConfigError, UnknownNameError
from equipoise.core.files import atomic_write
from equipoise.robots.assembly import Assembly, Connection, Ground, PlacedModule
from equipoise.robots.superbot_module import SuperbotModule

__all__ = ["read_assembly", "write_assembly"]

MAX_BYTES = 16 * 2**20  # a million modules would not fit MuJoCo anyway

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_\-]{0,63}$")]
Face = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_\-]{0,63}\.[a-z_]+$")]
Finite = Annotated[float, Field(allow_inf_nan=False)]


class Strict(BaseModel):
    """Unknown keys are mistakes."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class ConnectionEntry(Strict):
    """One line of ``connections``."""

    from_: Face = Field(alias="from")
    to: Face
    turn: Literal[0, 90, 180, 270] = 0


class GroundEntry(Strict):
    """The ``ground`` line."""

    at: Face
    mount: Literal["fixed", "free"] = "fixed"


class AssemblyEntry(Strict):
    """The whole file."""

    equipoise: Literal["assembly/1"]
    name: Name
    module: dict[str, Any] = Field(default_factory=dict)
    modules: Annotated[dict[Name, list[Finite]], Field(min_length=1)]
    connections: list[ConnectionEntry] = Field(default_factory=list)
    ground: GroundEntry


class UniqueKeyLoader(yaml.SafeLoader):
    """Safe YAML that refuses a key given twice, which plain YAML drops silently."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> Any:
        """Build a mapping after checking its keys."""
        seen: set[str] = set()
        for key_node, _ in node.value:
            key = str(key_node.value)
            if key in seen:
                line = key_node.start_mark.line + 1
                raise BadFileError(f"line {line} gives '{key}' a second time")
            seen.add(key)
        return super().construct_mapping(node, deep)


def read_assembly(path: str | Path) -> Assembly:
    """Read an assembly file, or say in one sentence what is wrong with it.

    Args:
        path: the YAML file.

    Raises:
        BadFileError: the file is missing, empty, or does not describe one tree.
    """
    path = Path(path)
    try:
        return assembly_from(parse(load_yaml(path)))
    except UnknownNameError as error:
        raise BadFileError(f"{path}: {error}") from None
    except ConfigError as error:
        raise BadFileError(f"{path}: {'; '.join(error.problems)}.") from None
    except BadFileError as error:
        raise BadFileError(f"{path}: {error}") from None


def write_assembly(assembly: Assembly, path: str | Path) -> None:
    """Write an assembly file that reads back as exactly the same assembly."""
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
    return yaml.safe_dump(content, sort_keys=False, default_flow_style=None, width=88)


def load_yaml(path: Path) -> Any:
    """Return the file's content as plain Python data."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BadFileError(f"is larger than {MAX_BYTES >> 20} MiB")
        text = path.read_text(encoding="utf-8")
        # UniqueKeyLoader is a SafeLoader: it builds plain data only.
        content = yaml.load(text, Loader=UniqueKeyLoader)
    except FileNotFoundError:
        raise BadFileError("there is no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadFileError(f"cannot be read as text ({error})") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        if isinstance(error, BadFileError):
            raise
        problem = str(error).replace("\n", " ")
        raise BadFileError(f"is not valid YAML ({problem})") from None
    if content is None:
        raise BadFileError("is empty; 'modules' and 'ground' are needed")
    return content


def parse(content: Any) -> AssemblyEntry:
    """Check the file's shape; the first problem becomes one sentence."""
    try:
        return AssemblyEntry.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(x) for x in first["loc"]) or "the file"
        value = repr(first.get("input"))
        shown = value if len(value) <= 60 else value[:57] + "..."
        raise BadFileError(
            f"'{place}' is not usable: {first['msg']}, got {shown}."
        ) from None


def assembly_from(entry: AssemblyEntry) -> Assembly:
    """Turn names into indices and build the checked assembly."""
    known = {f.name for f in fields(SuperbotModule)}
    for key in entry.module:
        if key not in known:
            raise UnknownNameError("module setting", key, known, "'module'")
    try:
        module = SuperbotModule(**entry.module)
    except TypeError as error:
        raise BadFileError(f"'module' is not usable: {error}.") from None
    body, index = module.body(), {name: k for k, name in enumerate(entry.modules)}

    def face(text: str, where: str) -> tuple[int, int]:
        name, connector = text.rsplit(".", 1)
        if name not in index:
            raise UnknownNameError("module", name, index, where)
        return index[name], body.find_connector(connector, where)

    connections = []
    for k, line in enumerate(entry.connections):
        a, b = face(line.from_, f"connection {k}"), face(line.to, f"connection {k}")
        connections.append(Connection(*a, *b, line.turn // 90))
    return Assembly(
        name=entry.name,
        module=module,
        modules=tuple(PlacedModule(n, tuple(q)) for n, q in entry.modules.items()),
        connections=tuple(connections),
        ground=Ground(*face(entry.ground.at, "'ground'"), entry.ground.mount),
    )
