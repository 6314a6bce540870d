"""Whether the workers of a cluster give the numbers that this machine would give."""

from collections.abc import Mapping
from typing import Any

from equipoise.core.errors import ConfigError
from equipoise.core.text import shown
from equipoise.runs.sweep.cluster.worker_process import worker_versions

__all__ = ["expect_agreement", "expect_versions"]

MOST = 3  # workers that a sentence names


def expect_agreement(client: Any) -> None:
    """Refuse workers that have other versions than this machine.

    Args:
        client: of ``distributed``.

    Raises:
        ConfigError: names the first ones and what they have.
    """
    expect_versions(client.run(worker_versions, on_error="return"))


def expect_versions(told: Mapping[str, Any]) -> None:
    """Refuse versions that are not those of this machine.

    Args:
        told: versions by package, or why there are none, by worker.

    Raises:
        ConfigError: names the first ones and what they have.
    """
    here, problems = worker_versions(), list[str]()
    for worker, versions in told.items():
        if isinstance(versions, Exception):
            problems.append(f"{worker} cannot do rows ({shown(str(versions))})")
        elif other := [name for name in here if versions.get(name) != here[name]]:
            have = ", ".join(f"{name} {versions.get(name)}" for name in other)
            ours = ", ".join(f"{name} {here[name]}" for name in other)
            problems.append(f"{worker} has {have}, here is {ours}")
    if problems:
        more = [f"and {len(problems) - MOST} more"] * (len(problems) > MOST)
        remedy = ["install the same versions there, for rows to be the same"]
        raise ConfigError("the cluster", [*problems[:MOST], *more, *remedy])
