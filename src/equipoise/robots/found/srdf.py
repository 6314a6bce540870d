"""The pose in which a robot stands, from the SRDF files beside its URDF."""

import math
from pathlib import Path

from equipoise.core.digits import plain_float
from equipoise.core.errors import BadFileError
from equipoise.robots.files.markup import outline_of, root_element
from equipoise.robots.files.raw import file_bytes

__all__ = ["srdf_stand", "srdf_states"]

MAX_BYTES = 2**20
MOST_FILES = 50
NAMES = ("standing", "stand", "half_sitting", "home", "default")
"""Of poses, the best first; what begins with one of them will do too."""


def srdf_stand(path: Path, robot: str) -> tuple[dict[str, float], str] | None:
    """Return a pose by joints and where it is from; None where there is none.

    Args:
        path: the URDF file; SRDF files are looked for beside it, and in a folder
            ``srdf`` there or one further up.
        robot: its name, which an SRDF file must have too.
    """
    ranked: list[tuple[int, int, str, dict[str, float], str]] = []
    for file in _srdf_files(path):
        for name, joints in _states_of(file, robot):
            ranks = [k for k, word in enumerate(NAMES) if name.startswith(word)]
            if ranks and joints:
                said = f"'{name}' of {file.name}"
                stem = 0 if file.stem == path.stem else 1
                ranked.append((stem, min(ranks) * 100 + len(name), said, joints, name))
    if not ranked:
        return None
    _, _, said, joints, _ = min(ranked, key=lambda row: row[:3])
    return joints, said


def srdf_states(path: Path, robot: str) -> dict[str, tuple[dict[str, float], str]]:
    """Return every pose of the SRDF files, by name: its joints and its file.

    Args:
        path: the URDF file.
        robot: its name, which an SRDF file must have too.
    """
    found: dict[str, tuple[dict[str, float], str]] = {}
    for file in _srdf_files(path):
        for name, joints in _states_of(file, robot):
            found.setdefault(name, (joints, file.name))
    return found


def _srdf_files(path: Path) -> list[Path]:
    """Return the SRDF files near a URDF file, one of its own name first."""
    folders = (path.parent, path.parent / "srdf", path.parent.parent / "srdf")
    files = [f for folder in folders for f in sorted(folder.glob("*.srdf"))]
    return sorted(files[:MOST_FILES], key=lambda file: file.stem != path.stem)


def _states_of(file: Path, robot: str) -> list[tuple[str, dict[str, float]]]:
    """Return the poses of one SRDF file; none of a file that cannot be read."""
    try:
        content = file_bytes(file, MAX_BYTES)
        outline_of(content, is_strict=False)
        root = root_element(content)
    except BadFileError:
        return []
    if root.tag != "robot" or root.get("name") != robot:
        return []
    found: list[tuple[str, dict[str, float]]] = []
    for state in root.iter("group_state"):
        joints: dict[str, float] = {}
        for joint in state.iter("joint"):
            words = (joint.get("value") or "").split()
            try:
                if len(words) == 1 and math.isfinite(plain_float(words[0])):
                    joints[joint.get("name") or ""] = plain_float(words[0])
            except ValueError:
                continue
        found.append((state.get("name") or "", joints))
    return found
