"""A short walk, recorded."""

import pytest
import xarray as xr

import equipoise as eq


@pytest.fixture(scope="session")
def walked() -> xr.Dataset:
    """WARP1 on its own drives, for two and a half seconds."""
    return eq.simulate(eq.load("warp1"), seconds=2.5).dataset
