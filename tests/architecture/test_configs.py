"""Every configuration of the library refuses what is no number, by its name."""

import dataclasses
import inspect
import math
import pkgutil
from importlib import import_module

import pytest

from equipoise.core.errors import EquipoiseError

ROOMS = ("control", "modules", "runs", "sim", "stability")


def configs():
    """Yield each class of settings that has a usual value for everything."""
    for room in ROOMS:
        package = import_module(f"equipoise.{room}")
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            module = import_module(found.name)
            for name, kind in inspect.getmembers(module, dataclasses.is_dataclass):
                if name.endswith("Config") and kind.__module__ == found.name:
                    needed = inspect.signature(kind).parameters.values()
                    if all(one.default is not one.empty for one in needed):
                        yield kind


def test_a_number_that_is_none_is_refused_by_every_configuration():
    tried = 0
    for kind in configs():
        usual = kind()
        for field in dataclasses.fields(kind):
            if field.init and isinstance(getattr(usual, field.name), float):
                with pytest.raises(EquipoiseError, match=field.name.replace("_", ".")):
                    dataclasses.replace(usual, **{field.name: math.nan})
                    pytest.fail(f"{kind.__name__}.{field.name} may be nan")
                tried += 1
    assert tried > 500
