"""Robot files of other formats: which program turns them into one that is read."""

__all__ = ["OTHER_FORMATS", "OTHER_ROOTS", "other_format"]

SDF = "is SDF, which is not read; convert it with sdf2mjcf (pip install sdformat-mjcf)"
USD = (
    "is USD, which is not read; make a URDF of it with usd_to_urdf (pip install "
    "nvidia-srl-usd-to-urdf)"
)
OTHER_ROOTS = {"sdf": SDF}
"""The same, by the root element of an XML file."""
OTHER_FORMATS = {
    ".sdf": SDF,
    ".world": SDF,
    **dict.fromkeys((".usd", ".usda", ".usdc", ".usdz"), USD),
}
"""By ending, what a file is and what to do with it, as half a sentence."""


def other_format(ending: str) -> str:
    """Return what a file of another format is, and what makes a robot file of it.

    Args:
        ending: one of ``OTHER_FORMATS``.
    """
    return OTHER_FORMATS[ending]
