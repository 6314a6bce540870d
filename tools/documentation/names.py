"""Does every public name have an entry in the API, with a docstring that says what?"""

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

__all__ = ["names_without_entry"]

MAKER = Path(__file__).parents[1] / "site" / "api.py"


def names_without_entry() -> Iterator[str]:
    """Yield public names that the API pages lack, or that say nothing there."""
    maker = api_maker()
    pages = maker.api_pages()
    for room in maker.ROOMS:
        module = importlib.import_module(room)
        for name in module.__all__:
            if name in maker.SKIPPED:
                continue
            found, home = getattr(module, name), maker.home(module, name)
            if not any(f"::: {home}\n" in page for page in pages.values()):
                yield f"{room}.{name} has no entry in the API"
            is_code = inspect.isclass(found) or inspect.isfunction(found)
            if is_code and not inspect.getdoc(found):
                yield f"{room}.{name} has no docstring"


def api_maker() -> ModuleType:
    """Return the file that makes the site's API pages, as a module."""
    spec = importlib.util.spec_from_file_location("site_api", MAKER)
    if spec is None or spec.loader is None:
        raise ImportError(f"{MAKER} cannot be read")
    module = importlib.util.module_from_spec(spec)
    sys.modules["site_api"] = module
    spec.loader.exec_module(module)
    return module
