"""Which description lies beside a robot file; quick, for commands ask before all else.

``go2.robot.yaml`` beside ``go2.urdf`` says what counts of the robot.
"""

from pathlib import Path

from equipoise.robots.files.named import ROBOT_ENDINGS, robot_path

__all__ = ["ROBOT_ENDINGS", "description_name", "sidecar_path"]


def sidecar_path(path: str | Path) -> Path | None:
    """Return the description that lies beside a robot file; None where none does.

    Args:
        path: the robot file, or whatever a user gave for one.
    """
    file = Path(robot_path(path))
    if file.suffix.lower() not in ROBOT_ENDINGS:
        return None
    place = file.with_name(description_name(file))
    try:
        return place if place.is_file() else None
    except (OSError, ValueError):  # a name that no file can have
        return None


def description_name(path: str | Path) -> str:
    """Return the name of a robot file's description: ``go2.robot.yaml``.

    Args:
        path: ``go2.urdf``, ``go2.xml``, ``go2.xacro`` or ``go2.urdf.xacro``.
    """
    return f"{Path(path).stem.removesuffix('.urdf')}.robot.yaml"
