"""YAML as assembly files use it: plain data, no surprises, no bombs.

Numbers and booleans follow YAML 1.2: ``1e-3`` is a number, ``no`` and ``on`` are words.
A key given twice, an alias (a few of which can stand for a billion entries) and a tag
are refused, each with its line.
"""

import re
from pathlib import Path
from typing import Any

import yaml

from equipoise.core.errors import BadFileError
from equipoise.robots.files.raw import file_bytes

__all__ = ["dump_yaml", "load_yaml"]

MAX_BYTES = 16 * 2**20  # room for a hundred thousand modules
NULL = re.compile(r"^(?:~|null|Null|NULL|)$")
BOOL = re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$")
INT = re.compile(r"^[-+]?[0-9]{1,18}$")
FLOAT = re.compile(
    r"^[-+]?(?:(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|\.inf|\.Inf|\.INF)$"
    r"|^\.(?:nan|NaN|NAN)$"
)
WORD = "tag:yaml.org,2002:str"


class PlainLoader(yaml.SafeLoader):
    """Builds dicts, lists, words and numbers, and nothing else."""

    yaml_implicit_resolvers: dict[Any, Any] = {}  # noqa: RUF012 (yaml's own table)

    def compose_node(self, parent: Any, index: Any) -> Any:
        """Refuse what makes a short file long or a plain file clever."""
        event: Any = self.peek_event()
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent):
            raise BadFileError(
                f"line {line} uses the alias '*{event.anchor}'; write the value out"
            )
        if getattr(event, "tag", None) is not None:
            raise BadFileError(f"line {line} has the tag '{event.tag}'; remove it")
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> Any:
        """Build a mapping after checking its keys."""
        seen: set[str] = set()
        for key_node, _ in node.value:
            line = key_node.start_mark.line + 1
            if key_node.tag != WORD:
                shown = key_node.value if isinstance(key_node.value, str) else "a list"
                raise BadFileError(
                    f"line {line} has the key {shown}, which is not a word; "
                    "put it in quotes"
                )
            if key_node.value in seen:
                raise BadFileError(
                    f"line {line} gives '{key_node.value}' a second time; keep one"
                )
            seen.add(key_node.value)
        return super().construct_mapping(node, deep)


class PlainDumper(yaml.SafeDumper):
    """Quotes every word that either YAML 1.1 or 1.2 could take for something else."""


PlainLoader.add_implicit_resolver("tag:yaml.org,2002:null", NULL, ["~", "n", "N", ""])
PlainLoader.add_implicit_resolver("tag:yaml.org,2002:bool", BOOL, list("tTfF"))
PlainLoader.add_implicit_resolver("tag:yaml.org,2002:int", INT, list("-+0123456789"))
for kind in (PlainLoader, PlainDumper):
    kind.add_implicit_resolver("tag:yaml.org,2002:float", FLOAT, list("-+.0123456789"))
PlainLoader.add_constructor("tag:yaml.org,2002:int", lambda _, node: int(node.value))
PlainLoader.add_constructor(
    "tag:yaml.org,2002:float",
    lambda _, node: float(node.value.replace(".inf", "inf").replace(".nan", "nan")),
)


def dump_yaml(content: Any) -> str:
    """Return the text of plain data, floats with all their digits."""
    return yaml.dump(
        content,
        Dumper=PlainDumper,
        sort_keys=False,
        default_flow_style=None,
        width=88,
    )


def load_yaml(path: Path, needed: str = "'equipoise', 'modules' and 'ground'") -> Any:
    """Return the file's content as plain Python data.

    Args:
        path: the file.
        needed: what an empty file lacks, in words.

    Raises:
        BadFileError: what is wrong, without the file's name.
    """
    try:
        text = file_bytes(path, MAX_BYTES).decode("utf-8-sig")
        # A SafeLoader: it builds plain data only.
        content = yaml.load(text, Loader=PlainLoader)
    except UnicodeDecodeError:
        raise BadFileError("is not text; it must be YAML in UTF-8") from None
    except RecursionError:
        raise BadFileError("is nested too deeply") from None
    except yaml.YAMLError as error:
        raise BadFileError(f"is not valid YAML: {_yaml_problem(error)}") from None
    if content is None:
        raise BadFileError(f"is empty; {needed} are needed")
    return content


def _yaml_problem(error: yaml.YAMLError) -> str:
    """Return a parser's complaint as half a sentence with its line."""
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or getattr(error, "reason", None)
    said = str(problem or error).split("\n")[0]
    return f"line {mark.line + 1}: {said}" if mark else said
