"""Recorded signals as JSON messages, one a sample, and the schema that names units."""

import json
import math
import re
from collections.abc import Sequence
from typing import Any

from equipoise.core.arrays import Array
from equipoise.runs.export.table import TimedSignal

__all__ = ["key_of", "sample_of", "schema_of"]

NUMBER = {"type": ["number", "null"]}
NOT_IN_A_NAME = re.compile(r"\W")


def key_of(label: str) -> str:
    """Return a label as a message path can name it: letters, digits, underscores.

    Args:
        label: as the run has it, as ``base.qw``.
    """
    return NOT_IN_A_NAME.sub("_", label) or "_"


def schema_of(signals: Sequence[TimedSignal], title: str) -> bytes:
    """Return the JSON schema of messages with some signals.

    Args:
        signals: along one time.
        title: what the messages are called.
    """
    properties: dict[str, Any] = {}
    for signal in signals:
        tree = _nested(signal, [NUMBER] * len(signal.labels), is_schema=True)
        properties[key_of(signal.name)] = {**tree, "description": signal.unit}
    schema = {"title": title, "type": "object", "properties": properties}
    return json.dumps(schema).encode()


def sample_of(signals: Sequence[TimedSignal], k: int) -> bytes:
    """Return the message of a sample; what is not finite is null.

    Args:
        signals: along one time.
        k: number of the sample.
    """
    content = {key_of(s.name): _nested(s, _numbers(s.values[k])) for s in signals}
    return json.dumps(content, allow_nan=False, separators=(",", ":")).encode()


def _numbers(values: Array) -> list[float | None]:
    """Return numbers as JSON has them."""
    return [x if math.isfinite(x) else None for x in values.tolist()]


def _nested(signal: TimedSignal, leaves: Sequence[Any], is_schema: bool = False) -> Any:
    """Return a signal's numbers by their labels, an object within an object."""
    if signal.labels == ((),):
        return leaves[0]
    tree: dict[str, Any] = {}
    for label, leaf in zip(signal.labels, leaves, strict=True):
        at = tree
        for part in label[:-1]:
            at = at.setdefault(key_of(part), {})
        at[key_of(label[-1])] = leaf
    return _typed(tree) if is_schema else tree


def _typed(tree: dict[str, Any]) -> dict[str, Any]:
    """Return a tree of types as a schema."""
    if tree is NUMBER:
        return tree
    properties = {name: _typed(branch) for name, branch in tree.items()}
    return {"type": "object", "properties": properties}
