"""Many jobs in several processes: order, errors, and workers that die.

The work is the builtin ``eval``, which any new process can import.
"""

import pytest

from equipoise.core.errors import ConfigError
from equipoise.runs.crew import Lost, crew_map

DIE = "__import__('os')._exit(7)"
SLOW = "__import__('time').sleep(0.3) or 'slow'"


@pytest.mark.parametrize("processes", [1, 2])
def test_results_come_in_the_order_of_the_jobs(processes):
    shares = []
    jobs = [SLOW, "1 + 1", "2 + 2", "3 + 3"]
    found = crew_map(eval, jobs, processes=processes, progress=shares.append)
    assert found == ["slow", 2, 4, 6]
    assert shares == [0.25, 0.5, 0.75, 1.0]


ONE_OVER_ZERO = Lost("ZeroDivisionError: division by zero")


def test_an_error_costs_its_own_job_only():
    found = crew_map(eval, ["1", "1 / 0", "3"], processes=1)
    assert found == [1, ONE_OVER_ZERO, 3]


def test_errors_and_results_that_cannot_travel_are_lost_not_hung():
    first, *rest = crew_map(eval, ["lambda: 0", "1 / 0", "3"], processes=2)
    assert first.reason.startswith("its result cannot travel")
    assert rest == [ONE_OVER_ZERO, 3]


def test_a_worker_that_dies_is_named_and_replaced():
    found = crew_map(eval, ["1", DIE, "3", DIE, "6"], processes=2)
    lost = Lost("its process died, exit code 7")
    assert found == [1, lost, 3, lost, 6]


def test_no_jobs_and_no_processes():
    assert crew_map(eval, [], processes=2) == []
    with pytest.raises(ConfigError, match="processes must be >= 1, got 0"):
        crew_map(eval, ["1"], processes=0)
