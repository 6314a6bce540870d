"""Errors, array aliases, input checks, seeds, and the controller contract."""

from typing import TYPE_CHECKING

from equipoise.core.door import door

if TYPE_CHECKING:
    from equipoise.core.arrays import expect_array
    from equipoise.core.contracts import Command, Controller, Readings, Sensed
    from equipoise.core.errors import (
        BadFileError,
        ConfigError,
        EquipoiseError,
        MissingExtraError,
        MissingToolError,
        NotPhysicalError,
        ShapeError,
        UnknownNameError,
        UnsupportedSystemError,
    )
    from equipoise.core.extras import require_extra
    from equipoise.core.seeds import stream

__all__ = [
    "BadFileError",
    "Command",
    "ConfigError",
    "Controller",
    "EquipoiseError",
    "MissingExtraError",
    "MissingToolError",
    "NotPhysicalError",
    "Readings",
    "Sensed",
    "ShapeError",
    "UnknownNameError",
    "UnsupportedSystemError",
    "expect_array",
    "require_extra",
    "stream",
]
__getattr__ = door(
    __name__,
    {
        "BadFileError": "errors",
        "Command": "contracts",
        "ConfigError": "errors",
        "Controller": "contracts",
        "EquipoiseError": "errors",
        "MissingExtraError": "errors",
        "MissingToolError": "errors",
        "NotPhysicalError": "errors",
        "Readings": "contracts",
        "Sensed": "contracts",
        "ShapeError": "errors",
        "UnknownNameError": "errors",
        "UnsupportedSystemError": "errors",
        "expect_array": "arrays",
        "require_extra": "extras",
        "stream": "seeds",
    },
)
