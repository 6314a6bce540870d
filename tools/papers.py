"""Reproduce every work, one after the other, and end with a summary.

    .venv/bin/python tools/papers.py [--counts FILE] [NAME ...]

NAME is a work or a part of one, ``ridderstrom2003 part 1`` with the blanks; without any
all are reproduced. Claims, what we add and settings go to out/papers as JSON, with what
is drawn. Exits 1 if a claim is missed, after all works were tried, and says where the
counts are others than those in ``benchmarks/results/papers.json``, which
``docs/papers.md`` has to have. ``--counts`` writes them as JSON, for
``make bench SAVE=papers``, which keeps them there.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from documentation.claims import count_sentence, kept_counts

from equipoise.cli.lab import open_lab

OUT = Path("out/papers")


def main() -> int:
    """Reproduce works and print what became of them; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--counts", type=Path, metavar="FILE")
    options = parser.parse_args()
    open_lab("reproduce")
    from equipoise_lab.papers.counts import counted, pieces
    from equipoise_lab.papers.seeds import SEEDS, claim_seeds

    every, worst = pieces(), 0
    if unknown := sorted(set(options.names) - set(every)):
        parser.error(f"no work {', '.join(unknown)}; known: {', '.join(every)}")
    counts: dict[str, dict[str, int] | None] = {}
    for name in options.names or every:
        code, path = reproduced(every[name])
        worst = max(worst, code)
        found = json.loads(path.read_text(encoding="utf-8")) if code < 2 else None
        counts[name] = None if found is None else counted(found)
    print()
    kept = kept_counts()
    for name, count in counts.items():
        if count is None:
            print(f"{name}: could not be reproduced")
            continue
        print(f"{name}: {count_sentence(count)}")
        if kept.get(name) != count:
            print(f"    which is not what benchmarks/results/papers.json has, {name}")
    if options.counts:
        told = {"seeds": list(claim_seeds(0, SEEDS)), "counts": counts}
        options.counts.write_text(json.dumps(told), encoding="utf-8")
    return worst


def reproduced(asked: dict[str, Any]) -> tuple[int, Path]:
    """Return a run's exit status and where it keeps its claims.

    Args:
        asked: the work as ``key``, and perhaps its ``part`` or ``chapter``.
    """
    key, *_ = asked.values()
    some = {kind: str(number) for kind, number in asked.items() if kind != "key"}
    words = [word for kind, number in some.items() for word in (f"--{kind}", number)]
    command = [Path(sys.executable).with_name("equipoise"), "reproduce", key, *words]
    done = subprocess.run([*command, "--out", str(OUT)], check=False)
    name = "-".join([key, *(kind + number for kind, number in some.items())])
    return done.returncode, OUT / f"{name}.json"


if __name__ == "__main__":
    sys.exit(main())
