"""Programs that some tests need: there, or a reason to skip, or a failure in CI."""

import os
from collections import Counter
from collections.abc import Iterable
from typing import NoReturn

import pytest

__all__ = ["lacking", "lacking_tools"]

REASON = "for want of "


def lacking(program: str, how: str) -> NoReturn:
    """Skip the test for want of a program; with CI=true, fail it.

    Args:
        program: its name.
        how: what says that it is missing, and what brings it.
    """
    if os.environ.get("CI", "").lower() == "true":
        pytest.fail(how)
    pytest.skip(f"{REASON}{program}: {how}")


def lacking_tools(reasons: Iterable[str]) -> str:
    """Return how many tests were skipped for want of which programs; "" where none.

    Args:
        reasons: why tests were skipped, one each.
    """
    wants = (reason.partition(REASON)[2] for reason in reasons)
    tools = Counter(want.partition(":")[0] for want in wants if want)
    if not tools:
        return ""
    listed = ", ".join(f"{name} ({n})" for name, n in tools.most_common())
    return (
        f"{tools.total()} tests were skipped for want of {listed}; "
        "'make toolchains' brings them (Debian, as root)."
    )
