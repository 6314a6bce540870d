"""Robot files that nobody here wrote, where the packages that bring them are there."""

from importlib.metadata import PackageNotFoundError, files
from importlib.util import find_spec
from pathlib import Path


def example_urdfs() -> list[Path]:
    """Return every URDF file of the package ``example-robot-data``."""
    try:
        listed = files("example-robot-data") or []
    except PackageNotFoundError:
        return []
    return sorted(Path(str(f.locate())) for f in listed if f.suffix == ".urdf")


def gymnasium_mjcfs() -> list[Path]:
    """Return the MJCF files among the assets of ``gymnasium``."""
    found = find_spec("gymnasium")
    if found is None or found.origin is None:
        return []
    return sorted((Path(found.origin).parent / "envs/mujoco/assets").glob("*.xml"))
