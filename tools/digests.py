"""See whether two checkouts give the same bits: digests of what many runs give.

    .venv/bin/python tools/digests.py record FILE [--root CHECKOUT] [--only NAMES]
    .venv/bin/python tools/digests.py compare FILE_A FILE_B
    .venv/bin/python tools/digests.py against COMMIT_OR_CHECKOUT [--only NAMES]
    .venv/bin/python tools/digests.py list

``record`` starts the runs of ``digest_runs.py`` with the sources of a checkout, this
one if none is named, and keeps a digest of every array of a recording, every key of
the JSON and every file of text. What measures the clock, versions, pictures and pages
are left out. NAMES are beginnings of runs' names, as walk or balance/upright,derive.
``compare`` names what differs and exits 1 if anything does; what is only in B counts as
added, not as different. ``against`` does both for another checkout and this one. A
checkout's compiled kernels stay in it, so one that is kept is recorded sooner the
second time. Digests of one machine need not hold on another.
"""

import argparse
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from digest_parts import file_digests, json_digests
from digest_runs import FILES, RUNS, Run, chosen

ROOT = Path(__file__).resolve().parents[1]
AT_A_TIME = 2
LIMIT = 300.0  # how long one process may take, kernels not yet compiled [s]
Digests = dict[str, Any]


def ended(command: list[str], where: Path, root: Path) -> tuple[int, float]:
    """Run a process to its end; return its exit code and processor seconds.

    Args:
        command: program and arguments.
        where: the folder it starts in; what it prints goes there.
        root: the checkout whose sources it uses.
    """
    env = {**os.environ, "PYTHONPATH": str(root / "src"), "OPENBLAS_NUM_THREADS": "1"}
    env |= {"MPLBACKEND": "Agg", "COLUMNS": "100"}
    env.pop("PYTHONDONTWRITEBYTECODE", None)  # or everything is compiled every time
    with (where / "stdout").open("w") as out, (where / "stderr").open("w") as err:
        child = subprocess.Popen(
            command, cwd=where, env=env, stdout=out, stderr=err, start_new_session=True
        )
    end = time.monotonic() + LIMIT
    while not (found := os.wait4(child.pid, os.WNOHANG))[0]:
        if time.monotonic() > end:
            os.killpg(child.pid, signal.SIGKILL)
            end += LIMIT
        time.sleep(0.02)
    child.returncode = os.waitstatus_to_exitcode(found[1])
    return child.returncode, found[2].ru_utime + found[2].ru_stime


def commands(run: Run, root: Path) -> list[list[str]]:
    """Return the processes of a run, which start the command as a checkout names it."""
    if run.script:
        return [[sys.executable, "-c", run.script]]
    scripts = tomllib.loads((root / "pyproject.toml").read_text())["project"]["scripts"]
    module, name = scripts["equipoise"].split(":")
    start = f"import sys; from {module} import {name}; sys.argv[0] = 'equipoise'; "
    front = [sys.executable, "-c", f"{start}sys.exit({name}())"]
    return [[*front, *shlex.split(s), "--json", "--out", "out"] for s in run.steps]


def recorded(run: Run, root: Path) -> Digests:
    """Return the digests of one run, its exit code and how long it took."""
    with tempfile.TemporaryDirectory(prefix="digests") as folder:
        where, code, cpu = Path(folder).resolve(), 0, 0.0
        for name, text in FILES.items():
            (where / name).write_text(text)
        for command in commands(run, root):
            code, took = ended(command, where, root)
            cpu += took
        found: Digests = {"cpu_s": round(cpu, 1), "exit": code}
        said = (where / "stderr").read_text().replace(str(where), ".").splitlines()
        if code and said:
            found["error"] = said[-1].replace(str(root), "ROOT")
        printed = json_digests((where / "stdout").read_text().replace(str(where), "."))
        parts = {f"json: {name}": value for name, value in printed.items()}
        for path in sorted(p for p in (where / "out").rglob("*") if p.is_file()):
            inside = file_digests(path, where)
            name = path.relative_to(where / "out").as_posix()
            if inside == printed and inside:
                parts[name] = "as printed"
            else:
                parts |= {f"{name}: {key}": value for key, value in inside.items()}
    return {**found, "parts": parts}


def record(root: Path, only: str) -> Digests:
    """Return the digests of a checkout's runs; a line is printed for each.

    Raises:
        SystemExit: Python would not use the sources of the checkout.
    """
    with tempfile.TemporaryDirectory() as folder:
        ask = [sys.executable, "-c", "import equipoise; print(equipoise.__file__)"]
        ended(ask, Path(folder), root)
        used = (Path(folder) / "stdout").read_text().strip()
    if not used or not Path(used).resolve().is_relative_to(root / "src"):
        raise SystemExit(f"{root}: Python takes equipoise from '{used}' instead.")
    runs, found, spent = chosen(only), {}, Counter[str]()
    pool = ThreadPoolExecutor(AT_A_TIME)
    try:
        for run, future in [(r, pool.submit(recorded, r, root)) for r in runs]:
            found[run.name] = one = future.result()
            spent[run.group] += one["cpu_s"]
            told = f"exit {one['exit']}  {len(one['parts']):3d} digests"
            print(f"{one['cpu_s']:6.1f} s  {told}  {run.name}", flush=True)
    finally:  # who is stopped waits for the runs in progress, not for all
        pool.shutdown(cancel_futures=True)
    groups = ", ".join(f"{name} {seconds:.0f}" for name, seconds in spent.items())
    print(f"Processor seconds: {groups}; {spent.total():.0f} in all.")
    said = ["git", "-C", str(root), "describe", "--always", "--dirty"]
    commit = subprocess.run(said, capture_output=True, text=True, check=False).stdout
    return {"commit": commit.strip() or "unknown", "machine": machine(), "runs": found}


def machine() -> str:
    """Return the processor's name, since digests are those of one kind."""
    with Path("/proc/cpuinfo").open() as lines:
        names = [line.split(":")[1].strip() for line in lines if "model name" in line]
    return names[0] if names else "unknown"


def differences(old: Digests, new: Digests) -> tuple[list[str], list[str]]:
    """Return what differs or is missing in a run's second record, and what it adds."""
    a, b = (
        {"exit": r["exit"], "error": r.get("error"), **r["parts"]} for r in (old, new)
    )
    changed = [f"{name} differs" for name in a if name in b and a[name] != b[name]]
    missing = [f"{name} is missing" for name in a if name not in b]
    return changed + missing, [name for name in b if name not in a]


def compare(old: Digests, new: Digests) -> int:
    """Print how two records differ, run by run; return the exit code."""
    print(f"A: {old['commit']}, B: {new['commit']}")
    if old["machine"] != new["machine"]:
        print(f"Made on other processors: {old['machine']}, {new['machine']}.")
    shared = [name for name in old["runs"] if name in new["runs"]]
    apart = sorted(set(old["runs"]) ^ set(new["runs"]))
    unequal = 0
    for name in shared:
        wrong, added = differences(old["runs"][name], new["runs"][name])
        unequal += bool(wrong)
        print(f"{name}: {'DIFFERS' if wrong else 'same'}")
        for line in wrong:
            print(f"    {line}")
        if added:
            print(f"    {len(added)} added: {', '.join(added)}")
    if apart:
        print(f"{len(apart)} runs are only in one of them: {', '.join(apart[:4])} ...")
    print(f"{len(shared)} compared, {len(shared) - unequal} same, {unequal} differ.")
    return 1 if unequal else 0 if shared else 2


def against(other: str, only: str) -> int:
    """Record another checkout or commit, and this one; compare; return the exit code.

    Args:
        other: a folder, or what git takes for a commit.
        only: which runs.
    """
    if (Path(other) / "src").is_dir():
        return compare(record(Path(other).resolve(), only), record(ROOT, only))
    with tempfile.TemporaryDirectory(prefix="digests") as folder:
        tree = Path(folder).resolve() / "tree"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "-q", "--detach", str(tree), other], check=True)
        try:
            old = record(tree, only)
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=False)
    return compare(old, record(ROOT, only))


def main() -> int:
    """Do what the words say; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    for verb, words in {
        "record": ["file"], "compare": ["a", "b"], "against": ["other"], "list": []
    }.items():  # fmt: skip
        own = verbs.add_parser(verb)
        for word in words:
            own.add_argument(word)
        if verb in ("record", "against"):
            own.add_argument("--only", default="", help="beginnings of runs' names")
        if verb == "record":
            own.add_argument("--root", type=Path, default=ROOT, help="a checkout")
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that folders go
    if asked.verb == "list":
        print("\n".join(run.name for run in RUNS))
    elif asked.verb == "record":
        found = record(asked.root.resolve(), asked.only)
        Path(asked.file).write_text(json.dumps(found, indent=1) + "\n")
    elif asked.verb == "compare":
        read = [json.loads(Path(file).read_text()) for file in (asked.a, asked.b)]
        return compare(*read)
    else:
        return against(asked.other, asked.only)
    return 0


if __name__ == "__main__":
    sys.exit(main())
