"""A learned policy as a file: the best composition of each state, for one machine."""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast, final

from equipoise.control.basis.build import BasisConfig
from equipoise.control.basis.supervisor import Supervisor
from equipoise.control.machine import LeggedMachine
from equipoise.core.errors import BadFileError, ConfigError
from equipoise.core.files import atomic_write

__all__ = [
    "Policy",
    "basis_settings",
    "expect_writable",
    "legs_sha256",
    "read_policy",
    "write_policy",
]

KIND = "equipoise policy/1"
SETTINGS = ("margin", "spare", "inner", "outer")
"""Of the control basis, with which it was learned [m]."""
LARGEST = 10_000_000  # of a file that is read [bytes]


@final
@dataclass(frozen=True)
class Policy:
    """Learned policy, with everything that is needed to use it."""

    task: str
    machine: str
    """Name of the machine that learned it."""
    sha256: str
    """Of that machine's legs."""
    seed: int
    steps: int
    settings: Mapping[str, float]
    """Of the control basis, see ``SETTINGS``."""
    supervisor: Supervisor
    """The table."""

    def content(self) -> dict[str, Any]:
        """Return it as a file holds it."""
        return {
            "kind": KIND,
            "task": self.task,
            "machine": self.machine,
            "legs_sha256": self.sha256,
            "seed": self.seed,
            "steps": self.steps,
            "settings": dict(self.settings),
            **self.supervisor.as_table(),
        }


def legs_sha256(machine: LeggedMachine) -> str:
    """Return the SHA-256 of a machine's legs: how they are built, and their ranges.

    Args:
        machine: whose legs they are.
    """
    geometry, found = machine.geometry, hashlib.sha256()
    legs = cast(Any, geometry.legs)
    for part in (legs, geometry.lower, geometry.upper, geometry.stand):
        found.update(part.tobytes())
    return found.hexdigest()


def basis_settings(config: BasisConfig) -> dict[str, float]:
    """Return the settings that belong to a policy.

    Args:
        config: of the control basis.
    """
    return {name: getattr(config, name) for name in (*SETTINGS, "yields")}


def expect_writable(path: Path | None) -> None:
    """Refuse a file that cannot be written, before any work is done.

    Args:
        path: of the file; None for none.

    Raises:
        BadFileError: says why not.
    """
    if path is None:
        return
    if path.is_dir():
        raise BadFileError(f"--policy {path} is a folder; name a file in it.")
    there = next(p for p in path.absolute().parents if os.path.lexists(p))
    if not (there.is_dir() and os.access(there, os.W_OK | os.X_OK)):
        raise BadFileError(
            f"--policy {path}: {there} cannot be written to; choose another place."
        )


def write_policy(policy: Policy, path: str | Path) -> Path:
    """Write a policy as JSON, whole or not at all, and return its path.

    Args:
        policy: that was learned.
        path: of the file.

    Raises:
        BadFileError: it cannot be written.
    """
    return atomic_write(path, json.dumps(policy.content(), indent=2) + "\n")


def read_policy(path: str | Path, machine: LeggedMachine) -> Policy:
    """Return a policy from a file, for the machine that learned it.

    Args:
        path: of the file.
        machine: that shall use it.

    Raises:
        BadFileError: it cannot be read, is no policy, or is another machine's.
    """
    path = Path(path)
    hint = "'equipoise learn --policy FILE' writes one"
    try:
        if path.stat().st_size > LARGEST:
            raise BadFileError(f"{path} is too large for a policy; {hint}.")
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadFileError(f"{path} cannot be read: {reason}; {hint}.") from error
    except (ValueError, RecursionError) as error:
        raise BadFileError(f"{path} is no JSON file; {hint}.") from error
    if not isinstance(found, dict) or found.get("kind") != KIND:  # pyright: ignore
        raise BadFileError(f"{path} is not a policy of kind '{KIND}'; {hint}.")
    policy = _policy_of(cast(Mapping[str, Any], found), path)
    if policy.sha256 != legs_sha256(machine):
        raise BadFileError(
            f"{path} was learned by '{policy.machine}', whose legs differ "
            "from those of "
            f"'{machine.name}'; learn a new one: equipoise learn {machine.name}."
        )
    return policy


def _policy_of(found: Mapping[str, Any], path: Path) -> Policy:
    """Return what a file's content says.

    Args:
        found: the content.
        path: of the file, for messages.

    Raises:
        BadFileError: something is missing or of another kind.
    """
    try:
        told = found["settings"]
        settings = {name: float(told[name]) for name in SETTINGS}
        settings["yields"] = bool(told["yields"])
        BasisConfig(**cast(Any, settings))
        return Policy(
            str(found["task"]),
            str(found["machine"]),
            str(found["legs_sha256"]),
            int(found["seed"]),
            int(found["steps"]),
            settings,
            Supervisor.from_table(found, f"policy {path}"),
        )
    except ConfigError as error:
        raise BadFileError(str(error)) from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadFileError(
            f"{path} is a damaged policy ({type(error).__name__} at {error}); "
            "learn it again with 'equipoise learn --policy FILE'."
        ) from error
