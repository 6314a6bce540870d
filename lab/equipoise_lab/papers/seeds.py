"""The seeds that claims are judged on, and one verdict from those of all seeds.

Gains of the library were chosen on seeds below 10, and reported on seeds from 100 to
119; claims are judged on others. What chance touches is judged once a seed. Where the
statuses differ, there is no verdict: the claim is ``mixed``, and its row has them all.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from equipoise.runs.process_map import Lost, process_map
from equipoise_lab.papers.claim import Claim

__all__ = [
    "FAILING", "SEEDS", "Found", "by_seed", "claim_seeds", "collected", "rows_of",
]  # fmt: skip

Found: TypeAlias = Mapping[int | None, Sequence[Claim]]
"""Claims by seed; by None those that no seed touches."""
Progress: TypeAlias = Callable[[float], None]
SEEDS = 3
"""How many a claim is judged on, unless said."""
FIRST, APART = 200, 100
"""Seeds are so far apart, since a claim may draw several of its own from one."""
MIXED = "mixed"
FAILING = ("missed", "fails", MIXED)
"""Statuses by which a command exits 1; mixed ones have failed on some seed."""


def claim_seeds(seed: int, count: int) -> tuple[int, ...]:
    """Return the seeds of a run: 200, 300 and 400 for seed 0, the next ones for 1.

    Args:
        seed: which set.
        count: how many in a set.
    """
    first = FIRST + APART * count * seed
    return tuple(range(first, first + APART * count, APART))


def by_seed(
    fixed: Sequence[Callable[[], list[Claim]]],
    drawn: Sequence[Callable[[int], list[Claim]]],
    seeds: Sequence[int],
    *,
    processes: int = 1,
    progress: Progress | None = None,
) -> dict[int | None, list[Claim]]:
    """Return the claims of all groups, those that are drawn once for each seed.

    Args:
        fixed: groups that no seed touches; functions that another process can import.
        drawn: groups that are judged on each seed, likewise.
        seeds: of the claims.
        processes: groups at a time.
        progress: called with the share done, in [0, 1].

    Raises:
        RuntimeError: a group has no result.
    """
    jobs = [(seed, partial(group, seed)) for seed in seeds for group in drawn]
    jobs = [*jobs, *((None, partial(group)) for group in fixed)]
    lists = process_map(
        _called, [job for _, job in jobs], processes=processes, progress=progress
    )
    found: dict[int | None, list[Claim]] = {seed: [] for seed in (None, *seeds)}
    for (seed, job), claims in zip(jobs, lists, strict=True):
        if isinstance(claims, Lost):
            raise RuntimeError(f"{job.func.__name__} was lost: {claims.reason}")
        found[seed] += claims
    return found


def _called(group: Callable[[], list[Claim]]) -> list[Claim]:
    """Return a group's claims."""
    return group()


def collected(parts: Sequence[Found]) -> dict[int | None, list[Claim]]:
    """Return the claims of several parts of a work as those of one."""
    whole: dict[int | None, list[Claim]] = {}
    for part in parts:
        for seed, claims in part.items():
            whole.setdefault(seed, []).extend(claims)
    return whole


def rows_of(
    found: Found, order: Callable[[Claim], tuple[int, ...]]
) -> list[dict[str, Any]]:
    """Return every claim as plain data, one verdict each, in the order of the work.

    A row has a claim's keys and ``seeds``: of what no seed touches none, of others a
    list with ``seed``, ``status``, ``ours`` and ``checks``.

    Args:
        found: the claims by seed.
        order: where in the work a claim comes.

    Raises:
        RuntimeError: the seeds do not have the same claims, or one has a claim twice.
    """
    alone = found.get(None, ())
    drawn = {seed: own for seed, own in found.items() if seed is not None}
    keyed = [(claim, claim.as_row() | {"seeds": []}) for claim in alone]
    first = next(iter(drawn.values()), ())
    tables = {seed: _table_of(claims) for seed, claims in drawn.items()}
    for seed, table in tables.items():
        if list(table) != [_name(claim) for claim in first]:
            raise RuntimeError(f"seed {seed} has other claims than the first seed")
    for claim in first:
        of_seed = {seed: table[_name(claim)] for seed, table in tables.items()}
        keyed.append((claim, _merged(of_seed)))
    _table_of([claim for claim, _ in keyed])
    return [row for _, row in sorted(keyed, key=lambda pair: order(pair[0]))]


def _name(claim: Claim) -> tuple[str, str]:
    """Return what a claim is known by, whatever its seed."""
    return claim.where, claim.quantity


def _table_of(claims: Sequence[Claim]) -> dict[tuple[str, str], Claim]:
    """Return claims by name; no two may have one."""
    table = {_name(claim): claim for claim in claims}
    if len(table) < len(claims):
        often = Counter(map(_name, claims)).most_common(1)[0][0]
        raise RuntimeError(f"two claims are called {often}")
    return table


def _merged(claims: Mapping[int, Claim]) -> dict[str, Any]:
    """Return one row for a claim that was judged on several seeds.

    Numbers and reason are those of the first seed that missed, else of the first.
    """
    failed = [c for c in claims.values() if c.status in FAILING]
    shown = (failed or list(claims.values()))[0].as_row()
    statuses = {claim.status for claim in claims.values()}
    seeds = [
        {"seed": seed} | {key: row[key] for key in ("status", "ours", "checks")}
        for seed, row in ((seed, claim.as_row()) for seed, claim in claims.items())
    ]
    status = shown["status"] if len(statuses) == 1 else MIXED
    return shown | {"status": status, "seeds": seeds}
