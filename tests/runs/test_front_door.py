"""``import equipoise``: quick, light, and every name is there."""

import subprocess
import sys
from importlib.metadata import version

import pytest

import equipoise as eq


def test_every_name_resolves():
    assert set(eq.__all__) <= set(dir(eq))
    assert all(getattr(eq, name) is not None for name in eq.__all__)
    assert eq.__version__ == version("equipoise")


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'simulat'"):
        eq.simulat  # noqa: B018  # the access is the test


def test_importing_it_is_light():
    script = "import sys, equipoise; print('numpy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True
    )
    assert done.stdout == "False\n"
