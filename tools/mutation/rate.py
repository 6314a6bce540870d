"""The share of mutants drawn at random that the tests notice, with its interval."""

import json
import os
import tempfile
from collections import Counter
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from mutation.draw import Mutant, all_mutants, draw, source_files
from mutation.hunt import Hunter, Times
from mutation.trial import SOURCES, Copy, load_heavy
from mutation.uses import Uses

Row = dict[str, Any]
EQUIVALENT = "mutants_equivalent.txt"
KEY = ("file", "function", "before", "after")


class Asked(NamedTuple):
    """What a rate is asked of."""

    root: Path
    draw: int
    seed: int
    named: str
    budget: float
    """Processor time for each mutant [s]."""
    workers: int


def rate(asked: Asked) -> list[Row]:
    """Return what became of each mutant drawn; a journal keeps those that are done.

    What is in the journal is not tried again unless its file has changed, or it
    survived and the tests have changed or the budget is larger.
    """
    files = source_files(asked.root, asked.named)
    mutants = list(islice(draw(files, asked.seed), asked.draw))
    folder = asked.root / "out" / "mutants"
    folder.mkdir(parents=True, exist_ok=True)
    journal = folder / f"{asked.seed}-{asked.named.replace('/', '.') or 'all'}.jsonl"
    tests = _digest(*sorted((asked.root / "tests").rglob("*.py")))
    heads = [_head(mutant, files[mutant.file]) for mutant in mutants]
    before = _read(journal)
    todo = [
        (mutant, head)
        for mutant, head in zip(mutants, heads, strict=True)
        if not _is_done(before.get(_name(head)), tests, asked.budget)
    ]
    if todo:
        load_heavy()
        os.chdir(asked.root)
        sources = [asked.root / name for name in SOURCES]
        uses = Uses([s for s in sources if s.is_dir()], asked.root / "tests")
        with tempfile.TemporaryDirectory() as place:
            children = list[int]()
            for k in range(asked.workers):
                if asked.workers > 1 and (child := os.fork()):
                    children.append(child)
                    continue
                copy = Copy(asked.root, Path(place) / str(k))
                times = Times(folder / "times.json")
                hunter = Hunter(copy, uses, times, asked.budget)
                _work(hunter, files, todo[k :: asked.workers], tests, journal)
                if asked.workers > 1:
                    os._exit(0)
            for child in children:
                os.waitpid(child, 0)
    done = _read(journal)
    return [done[_name(head)] for head in heads if _name(head) in done]


def _work(
    hunter: Hunter,
    files: dict[str, Path],
    todo: list[tuple[Mutant, Row]],
    tests: str,
    journal: Path,
) -> None:
    """Try mutants and write a line into the journal for each."""
    with journal.open("ab") as out:
        out.write(b"\n")  # after a line that was cut short
    for mutant, head in todo:
        verdict = hunter.hunt(mutant, files[mutant.file])
        row = head | {"verdict": verdict.word, "test": verdict.test, "tests": tests}
        row["budget"] = hunter.budget
        row |= {"spent": round(verdict.spent, 2), "passed": verdict.tests}
        line = json.dumps(row, ensure_ascii=False) + "\n"
        with journal.open("ab", buffering=0) as out:
            out.write(line.encode())  # at once: workers share the file
        word = "SURVIVED" if verdict.word == "survived" else verdict.word
        where = f"{mutant.file}:{mutant.line}"
        print(f"{word:8s} {verdict.spent:5.1f} s  {where}  {mutant.after}", flush=True)


def _head(mutant: Mutant, path: Path) -> Row:
    start = mutant.place.start
    return {**mutant.plain(), "start": start, "source": _digest(path)}


def _name(row: Row) -> str:
    return "\0".join(str(row[key]) for key in (*KEY, "start", "source"))


def _is_done(row: Row | None, tests: str, budget: float) -> bool:
    if row is None or row["verdict"] != "survived":
        return row is not None
    return row["tests"] == tests and row["budget"] >= budget


def _digest(*paths: Path) -> str:
    return sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()[:16]


def _read(journal: Path) -> dict[str, Row]:
    """Return the last line of each mutant; one that was cut short does not count."""
    rows = dict[str, Row]()
    for line in journal.read_bytes().splitlines() if journal.is_file() else ():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        rows[_name(row)] = row
    return rows


def equivalents(text: str) -> dict[tuple[str, ...], str]:
    """Return the mutants that a person judged to change nothing, and why."""
    lines = [line for line in text.splitlines() if line and line[0] != "#"]
    found = dict[tuple[str, ...], str]()
    for head, old, new in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
        file, function, why = head.split(" | ")
        found[file, function, old[2:], new[2:]] = why
    return found


def stale(root: Path, text: str) -> list[str]:
    """Return a line for each equivalent mutant that no longer exists."""
    files, known = source_files(root), equivalents(text)
    there = {
        mutant.key
        for name in {file for file, *_ in known}
        if name in files
        for mutant in all_mutants(name, files[name])
    }
    return [f"{key[0]}: no mutant '{key[3]}'" for key in known if key not in there]


def report(asked: Asked, rows: list[Row]) -> Row:
    """Return shares over all, by room and by kind, as plain data."""
    listed = asked.root / "tools" / EQUIVALENT
    known = equivalents(listed.read_text(encoding="utf-8")) if listed.is_file() else {}
    for row in rows:
        why = known.get(tuple(row[key] for key in KEY))
        if row["verdict"] == "survived" and why is not None:
            row |= {"verdict": "equivalent", "why": why}
    groups = {"rooms": lambda row: row["file"].split("/")[0]}
    groups["kinds"] = lambda row: row["kind"]
    kept = ("function", "line", "before", "after", "verdict", "test", "spent", "why")
    return {
        "drawn": len(rows),
        "seed": asked.seed,
        "files": asked.named,
        "budget": asked.budget,
        "all": tally(rows),
        **{
            name: {
                one: tally([row for row in rows if of(row) == one])
                for one in sorted({of(row) for row in rows})
            }
            for name, of in groups.items()
        },
        "mutants": [
            {key: row[key] for key in ("file", "kind", *kept) if key in row}
            for row in rows
        ],
    }


def tally(rows: list[Row]) -> Row:
    """Return the share caught of the mutants that are not equivalent."""
    from equipoise.runs.balance.tally import (
        share_with_interval,  # not before the tests have run
    )

    words = Counter(row["verdict"] for row in rows)
    caught = words["caught"] + words["endless"]
    of = caught + words["survived"]
    counts = {"drawn": len(rows), "equivalent": words["equivalent"]}
    return counts | (share_with_interval(caught, of) if of else {"count": 0, "of": 0})


def printed(result: Row) -> str:
    """Return what a person reads: survivors, then tables."""
    lines = list[str]()
    for row in result["mutants"]:
        if row["verdict"] == "survived":
            where = f"{row['file']}:{row['line']} | {row['function']} | {row['kind']}"
            lines += [where, f"- {row['before']}", f"+ {row['after']}"]
    for name in ("rooms", "kinds"):
        lines += ["", f"| {name} | drawn | equivalent | caught | share |"]
        lines += ["| --- | --- | --- | --- | --- |"]
        lines += [_table_row(one, of) for one, of in result[name].items()]
    lines += [_table_row("all", result["all"])]
    return "\n".join(lines)


def _table_row(name: str, of: Row) -> str:
    share = "-"
    if of["of"]:
        share = f"{of['share']:.1%} ({of['low']:.1%} to {of['high']:.1%})"
    counts = f"{of['drawn']} | {of['equivalent']} | {of['count']} of {of['of']}"
    return f"| {name} | {counts} | {share} |"
