"""Reproduce every work, one after the other, and end with a summary.

Each work's claims and settings go to out/papers as JSON, with what it draws. Exits 1 if
a claim of any work is missed, after all of them were tried; works that are named are
the only ones.
"""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

from equipoise.cli.lab import open_lab

OUT = Path("out/papers")
STATUSES = ("met", "refuted", "missed", "not checkable")


def main(names: list[str]) -> int:
    """Reproduce works and print what became of them; return the exit status.

    Args:
        names: which works; all where there is none.
    """
    open_lab("reproduce")
    from equipoise_lab.papers import works

    rows, worst = [], 0
    for key in names or works():
        command = [Path(sys.executable).with_name("equipoise"), "reproduce", key]
        code = subprocess.run([*command, "--out", str(OUT)], check=False).returncode
        worst = max(worst, code)
        rows.append((key, code, counts(OUT / f"{key}.json") if code < 2 else None))
    print()
    for key, code, found in rows:
        if found is None:
            print(f"{key}: could not be reproduced, exit {code}")
        else:
            told = ", ".join(f"{found[status]} {status}" for status in STATUSES)
            print(f"{key}: {sum(found.values())} claims, {told}")
    return worst


def counts(path: Path) -> Counter[str]:
    """Return how many claims of a kept file have which status."""
    claims = json.loads(path.read_text(encoding="utf-8"))["claims"]
    return Counter(claim["status"] for claim in claims)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
