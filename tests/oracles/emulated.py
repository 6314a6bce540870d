"""Tool chains for tests: there, or a reason to skip, or a failure where CI says so."""

import os

import pytest

from equipoise.core.errors import MissingToolError
from equipoise.equations.emit.toolchains import BOARDS, found


def need(*targets: str) -> None:
    """Skip a test that needs what is not installed; with CI=true, fail it."""
    for target in targets:
        board = BOARDS[target]
        for tool in (board.compiler, board.size, board.emulator):
            try:
                if tool is not None:
                    found(tool)
            except MissingToolError as missing:
                if os.environ.get("CI", "").lower() == "true":
                    pytest.fail(str(missing))
                pytest.skip(str(missing))
