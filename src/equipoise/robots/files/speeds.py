"""The largest speeds of a URDF's joints, which MuJoCo does not keep."""

from equipoise.core.digits import plain_float
from equipoise.robots.files.markup import root_element

__all__ = ["urdf_speeds"]


def urdf_speeds(content: bytes) -> dict[str, float]:
    """Return the largest speed of each joint that a URDF limits [rad/s or m/s].

    Args:
        content: the file, seen before by ``outline_of``.
    """
    found: dict[str, float] = {}
    for joint in root_element(content).iter("joint"):
        limit = joint.find("limit")
        try:
            text = "" if limit is None else limit.get("velocity") or ""
            found[joint.get("name") or ""] = plain_float(text)
        except ValueError:
            continue
    return found
