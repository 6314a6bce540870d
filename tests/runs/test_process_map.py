"""Many jobs in several processes: order, errors, and workers that die.

The work is the builtin ``eval``, which any new process can import.
"""

import subprocess
import sys

import pytest

from equipoise.core.errors import ConfigError
from equipoise.runs.process_map import Lost, gathered, process_map

DIE = "__import__('os')._exit(7)"
SLOW = "__import__('time').sleep(0.3) or 'slow'"


@pytest.mark.parametrize("processes", [1, 2])
def test_results_come_in_the_order_of_the_jobs(processes):
    shares = []
    jobs = [SLOW, "1 + 1", "1 / 0", "3 + 3"]
    found = process_map(eval, jobs, processes=processes, progress=shares.append)
    assert found == ["slow", 2, Lost("ZeroDivisionError: division by zero"), 6]
    assert shares == [0.25, 0.5, 0.75, 1.0]


def test_a_worker_that_dies_is_replaced_and_what_cannot_travel_is_lost_not_hung():
    found = process_map(eval, ["1", DIE, "3", DIE, "lambda: 0"], processes=2)
    lost = Lost("its process died, exit code 7")
    assert found[:4] == [1, lost, 3, lost]
    assert found[4].reason.startswith("its result cannot travel")


def test_no_jobs_and_no_processes():
    assert process_map(eval, [], processes=2) == []
    with pytest.raises(ConfigError, match="processes must be >= 1, got 0"):
        process_map(eval, ["1"], processes=0)


def test_a_script_without_a_guard_does_not_begin_anew_in_its_workers(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from equipoise.runs.process_map import process_map\n"
        "print(process_map(eval, ['1 + 1', '2 + 2'], processes=2), __file__)\n"
    )
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"[2, 4] {script}\n"
    assert done.stderr == ""


@pytest.mark.parametrize("processes", [1, 2])
def test_what_is_gathered_before_ctrl_c_is_kept(processes):
    def tell(k, result):
        if k == 1:
            raise KeyboardInterrupt  # as the terminal would, at any time

    jobs = ["1", f"{SLOW} and 1 / 0", "3", "4", "5"]
    ways = {"processes": processes, "done": tell}
    found = gathered(eval, jobs, **ways, is_stoppable=True)
    assert found.is_stopped and not found.is_complete
    assert found.lost == ["ZeroDivisionError: division by zero"]
    assert found.done[0] == 1 and 1 not in found.done
    with pytest.raises(KeyboardInterrupt):
        gathered(eval, jobs, **ways)


def test_all_that_is_gathered_is_complete():
    found = gathered(eval, ["1", "2"], processes=1)
    assert found.done == {0: 1, 1: 2} and found.is_complete
    assert not gathered(eval, ["1", "1 / 0"], processes=1).is_complete
