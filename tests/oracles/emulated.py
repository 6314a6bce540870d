"""Tool chains for tests: there, or a reason to skip, or a failure where CI says so."""

from equipoise.core.errors import MissingToolError
from equipoise.equations.emit.toolchains import BOARDS, found
from oracles.missing import lacking


def need(*targets: str) -> None:
    """Skip a test that needs what is not installed; with CI=true, fail it."""
    for target in targets:
        board = BOARDS[target]
        for tool in (board.compiler, board.size, board.emulator):
            try:
                if tool is not None:
                    found(tool)
            except MissingToolError as missing:
                lacking(tool.names[0], str(missing))
