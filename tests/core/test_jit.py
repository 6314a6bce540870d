import hashlib
import math
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import equipoise.core.held_signals as held_signals
import equipoise.core.jit as jit
import equipoise.core.kernel as kernel
import equipoise.core.kernel_stamp as kernel_stamp
import equipoise.core.quick_numba as quick_numba
import equipoise.core.stored_code as stored_code
import equipoise.core.turns as turns
from equipoise.core.jit import compiled


@compiled
def ratio(over: float, under: float, scale: float = 1.0) -> float:
    """Divide."""
    return scale * over / under


@compiled(inline="always")
def doubled(x: float) -> float:
    return 2.0 * x


@compiled(nogil=False)
def fourfold(x: float) -> float:
    return doubled(doubled(x))


def test_a_compiled_function_keeps_its_meaning_and_its_name():
    assert ratio(3.0, 2.0) == 1.5  # exact: powers of two
    assert ratio(3.0, 2.0, scale=4.0) == 6.0
    assert fourfold(0.75) == 3.0
    assert ratio.__name__ == "ratio"
    assert ratio.__doc__ == "Divide."
    assert ratio.py_func(3.0, 2.0) == 1.5


def test_division_follows_numpy_instead_of_raising():
    assert ratio(1.0, 0.0) == math.inf
    assert math.isnan(ratio(0.0, 0.0))


def test_additions_keep_the_order_they_are_written_in():
    @compiled
    def kahan(big: float, small: float) -> float:
        return (big + small) - big

    # exact: 1e16 + 1 rounds to 1e16, which fast-math would "simplify" to 1
    assert kahan(1e16, 1.0) == 0.0


def test_options_reach_numba():
    assert ratio.targetoptions["nogil"] is True
    assert ratio.targetoptions["fastmath"] is False
    assert fourfold.targetoptions["nogil"] is False


def test_compiles_where_nothing_can_be_stored():
    # Code without a file has no place for stored machine code, just like a read-only
    # installation; plain numba.njit(cache=True) raises here.
    space: dict = {"compiled": compiled}
    exec("@compiled\ndef triple(x):\n    return 3.0 * x\n", space)
    assert space["triple"](2.0) == 6.0


def test_other_problems_are_not_hidden(monkeypatch: pytest.MonkeyPatch):
    def broken(*, cache: bool, **options: object):
        if cache:
            raise RuntimeError("something else")
        return lambda body: body

    monkeypatch.setattr(jit, "_kernel", broken)
    monkeypatch.setattr(jit, "_njit", broken)  # taken with a Numba that is not known
    with pytest.raises(RuntimeError, match="something else"):
        compiled(lambda x: x)


SERVER = """
import os, sys, numba
sys.dont_write_bytecode = True  # a file may change twice within its clock's second
numba.njit(lambda x: x + 1.0)(1.0)  # what Numba looks up once
for folder in sys.stdin:
    read, write = os.pipe()
    if os.fork() == 0:
        os.dup2(write, 1)
        sys.path.insert(0, folder.strip())
        from equipoise.caller import caller
        print(caller(1.0), sum(caller.stats.cache_hits.values()), flush=True)
        os._exit(0)
    os.close(write)
    print(os.fdopen(read).read().strip() or "nothing", flush=True)
    os.wait()
"""


@pytest.fixture(scope="module")
def run_copy():
    """Return what runs caller(1.0) of a folder's library in a process of its own.

    That process is born where Numba is known already and nothing of the library is;
    the second number is how often stored code was used.
    """
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": ""},
    )
    assert server.stdin is not None and server.stdout is not None

    def run(folder: Path) -> tuple[float, int]:
        server.stdin.write(f"{folder}\n")
        server.stdin.flush()
        value, hits = server.stdout.readline().split()
        return float(value), int(hits)

    yield run
    server.stdin.close()
    assert server.wait() == 0


CALLEE = "@compiled\ndef callee(x):\n    return x + {}\n"
HEAD = "from equipoise.core.jit import compiled\n"


COPIED = (jit, held_signals, kernel, kernel_stamp, quick_numba, stored_code, turns)


def copied_library(folder: Path) -> Path:
    """Write a library of two kernels, one calling the other; return its place."""
    library = folder / "equipoise"
    (library / "core").mkdir(parents=True)
    for package in (library, library / "core"):
        (package / "__init__.py").write_text("")
    for module in COPIED:
        shutil.copy(module.__file__, library / "core")
    (library / "callee.py").write_text(HEAD + CALLEE.format(1.0))
    (library / "caller.py").write_text(
        f"{HEAD}from equipoise.callee import callee\n"
        "@compiled\ndef caller(x):\n    return callee(x)\n"
    )
    return library


def test_a_change_in_a_called_file_is_noticed(tmp_path: Path, run_copy):
    library = copied_library(tmp_path)
    assert run_copy(tmp_path) == (2.0, 0)
    assert run_copy(tmp_path) == (2.0, 1)  # or nothing would have been at stake
    (library / "callee.py").write_text(HEAD + CALLEE.format(5.0))
    assert run_copy(tmp_path) == (6.0, 0)


def test_words_around_a_kernel_cost_no_compiling(tmp_path: Path, run_copy):
    library = copied_library(tmp_path)
    text = f"{HEAD}from equipoise.callee import callee\n{{}}"
    text += '@compiled\ndef caller(x):\n    """{}"""\n    return callee(x)\n'
    (library / "caller.py").write_text(text.format("", "Say."))
    assert run_copy(tmp_path) == (2.0, 0)
    other = "\n# a comment\n@compiled\ndef other(x):\n    return x\n"
    (library / "callee.py").write_text(HEAD + other + CALLEE.format(1.0))
    (library / "caller.py").write_text(text.format("\n# why\n", "Say more."))
    assert run_copy(tmp_path) == (2.0, 1)


RECORDS = (
    "import numpy as np\n"
    "@compiled\ndef total(records):\n    return records[0].q.sum()\n"
    "def caller(x):\n    whole = 0.0\n    for n in {}:\n"
    "        one = np.zeros(1, np.dtype([('q', float, (n,))], align=True))\n"
    "        one['q'] = x\n        whole = 100.0 * whole + total(one)\n"
    "    return whole\ncaller.stats = total.stats\n"
)


def test_code_of_two_processes_for_two_lengths_does_not_mix(tmp_path: Path, run_copy):
    # Numba counts records as a process meets them: each of the two was its first
    library = copied_library(tmp_path)
    for lengths, answer in (((3,), (3.0, 0)), ((5,), (5.0, 0)), ((3, 5), (305.0, 2))):
        (library / "caller.py").write_text(HEAD + RECORDS.format(lengths))
        assert run_copy(tmp_path) == answer


BY_MODULE = (
    "from typing import NamedTuple\nimport equipoise.callee as at\n"
    "class Pair(NamedTuple):\n    {}: float\n    {}: float\n"
    "@compiled\ndef inner(pair, x):\n    return pair.a * at.STEP + x\n"
    "def caller(x):\n    return inner(Pair(2.0, 5.0), x)\n"
    "caller.stats = inner.stats\n"
)


def test_values_and_names_of_fields_count(tmp_path: Path, run_copy):
    library = copied_library(tmp_path)
    (library / "callee.py").write_text("STEP = 1.0\n")
    (library / "caller.py").write_text(HEAD + BY_MODULE.format("a", "b"))
    assert run_copy(tmp_path) == (3.0, 0)
    assert run_copy(tmp_path) == (3.0, 1)
    (library / "callee.py").write_text("STEP = 3.0\n")
    assert run_copy(tmp_path) == (7.0, 0)
    (library / "caller.py").write_text(HEAD + BY_MODULE.format("b", "a"))
    assert run_copy(tmp_path) == (16.0, 0)


def flipped(content: bytes) -> bytes:
    """Return bytes with one bit in the middle changed, as a bad disk does."""
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 16]) + content[middle + 1 :]


def foreign(content: bytes) -> bytes:
    """Return what is whole, and names a class that there is not."""
    del content
    text = b"cnosuch.module\nnothing\n."
    return hashlib.sha256(text).digest() + text


DAMAGES = {
    "emptied": lambda c: b"",
    "cut": lambda c: c[: len(c) // 2],
    "flip": flipped,
    "foreign": foreign,
}


@pytest.mark.parametrize(
    ("ending", "damage"),
    [
        ("nbi", "emptied"),
        ("nbc", "cut"),
        ("nbc", "foreign"),
        *(
            pytest.param(*pair, marks=pytest.mark.slow)
            for pair in (("nbi", "cut"), ("nbi", "flip"), ("nbc", "emptied"))
        ),
        pytest.param("nbc", "flip", marks=pytest.mark.slow),
    ],
)
def test_stored_code_that_is_damaged_is_made_anew(
    tmp_path: Path, run_copy, ending, damage
):
    library = copied_library(tmp_path)
    assert run_copy(tmp_path) == (2.0, 0)
    stored = sorted((library / "__pycache__").glob(f"*.{ending}"))
    assert len(stored) == 2
    for path in stored:
        path.write_bytes(DAMAGES[damage](path.read_bytes()))
    assert run_copy(tmp_path) == (2.0, 0)
    assert run_copy(tmp_path) == (2.0, 1)  # it is stored again


PAIR = (
    "@compiled\ndef shifted(x):\n    return x + 0.25\n"
    "def caller(x):\n    return 100.0 * shifted(x) + shifted(int(x) + 1)\n"
    "caller.stats = shifted.stats\n"
)


def test_code_for_other_types_is_not_taken_for_ones_own(tmp_path: Path, run_copy):
    """Two processes that started together gave both codes one name."""
    library = copied_library(tmp_path)
    (library / "caller.py").write_text(HEAD + PAIR)
    assert run_copy(tmp_path) == (127.25, 0)
    assert run_copy(tmp_path) == (127.25, 2)
    stored = sorted((library / "__pycache__").glob("caller.shifted*.nbc"))
    contents = [path.read_bytes() for path in stored]
    assert len(set(contents)) == len(contents) >= 2
    for path, content in zip(stored, [*contents[1:], contents[0]], strict=True):
        path.write_bytes(content)
    assert run_copy(tmp_path) == (127.25, 0)
    assert run_copy(tmp_path) == (127.25, 2)


TOGETHER = """
import os, sys, time, numba, numpy as np
sys.dont_write_bytecode = True
numba.njit(lambda x: x + 1.0)(1.0)  # what Numba looks up once
sys.path.insert(0, sys.argv[1])
start, count, children = time.monotonic() + 0.2, int(sys.argv[2]), []
for k in range(count):
    children.append(os.fork())
    if children[-1] == 0:
        from equipoise.caller import shifted
        values = [1, 1.0, True, 1j, np.float32(2)]
        values = values[k % 5:] + values[:k % 5]
        while time.monotonic() < start:
            pass
        os._exit(0 if all(shifted(v) == v + 0.25 for v in values) else 9)
codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
from equipoise.caller import shifted
values = [shifted(v) for v in (1, 1.0, True, 1j, np.float32(2))]
print(codes, values, sum(shifted.stats.cache_misses.values()))
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("round", range(5))
def test_cold_processes_share_one_store(tmp_path: Path, round: int):
    """Each compiles the same kernel for five types, in an order of its own."""
    library, count = copied_library(tmp_path), 6
    (library / "caller.py").write_text(HEAD + PAIR)
    done = subprocess.run(
        [sys.executable, "-c", TOGETHER, str(tmp_path), str(count)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": ""},
        timeout=120,
    )
    assert done.stderr == ""
    right = [1.25, 1.25, 1.25, 0.25 + 1j, 2.25]
    assert done.stdout == f"{[0] * count} {right} 0\n"
    assert not list((library / "__pycache__").glob("*.tmp.*"))


@compiled
def halved(x: float) -> float:
    return 0.5 * x


@pytest.mark.skipif(not hasattr(signal, "SIGTERM"), reason="needs signals")
def test_a_request_to_end_while_code_is_made_is_neither_lost_nor_a_defect():
    """It came up in a call back from the compiler, which printed and forgot it."""
    from llvmlite.binding.executionengine import ExecutionEngine

    sent, found = list[int](), ExecutionEngine._find_module_ptr

    class Ended(BaseException):
        """What the handler raises."""

    def handler(*_: object) -> None:
        raise Ended

    names = dict[str, Any]()
    exec("def unheard_of(x):\n    return x * 7.5", names)  # stored nowhere
    unheard_of = jit.compiled(names["unheard_of"])
    halved(3.0)  # Numba's own code is made with the first one

    def noisy(self, pointer):
        if not sent:
            sent.append(1)
            signal.raise_signal(signal.SIGTERM)
        return found(self, pointer)

    before = signal.signal(signal.SIGTERM, handler)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ExecutionEngine, "_find_module_ptr", noisy)
        try:
            with pytest.raises(Ended):
                unheard_of(2.0)
        finally:
            signal.signal(signal.SIGTERM, before)
    assert sent and unheard_of(2.0) == 15.0
