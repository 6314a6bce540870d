"""Lists of hosts, and the lines by which ssh is asked; no server is needed."""

import os
import shlex
import sys
from pathlib import Path

import pytest

from equipoise.core.errors import BadFileError, ConfigError
from equipoise.runs.sweep.cluster.hosts import ClusterHost, read_hosts
from equipoise.runs.sweep.cluster.remote import free_ports
from equipoise.runs.sweep.cluster.tunnels import (
    ask_line,
    expect_machines,
    serve_line,
)

LIST = """
# office
anna@ant.lab.example workers=8   # the large one
10.0.0.7 python=/opt/equipoise/bin/python

bee
"""


def listed(tmp_path: Path, text: str) -> list[ClusterHost]:
    """Return the hosts of a text."""
    path = tmp_path / "hosts.txt"
    path.write_text(text)
    return read_hosts(path)


def test_hosts_are_read(tmp_path: Path):
    assert listed(tmp_path, LIST) == [
        ClusterHost("anna@ant.lab.example", 8, sys.executable),
        ClusterHost("10.0.0.7", None, "/opt/equipoise/bin/python"),
        ClusterHost("bee", None, sys.executable),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "lists no host; give one per line"),
        ("# nobody\n", "lists no host"),
        ("-oProxyCommand=reboot\n", "line 1 has an invalid host name"),
        ("a;reboot\n", "line 1 has an invalid host name: 'a;reboot'"),
        ("\na workers=0\n", "line 2 has workers=0; give a whole number from 1"),
        ("a workers=two\n", "line 1 has workers=two"),
        ("a workers=99999999999999999999\n", "line 1 has workers=9"),
        ("a cores=2\n", "line 1 has 'cores=2'; known are workers=N and python=PATH"),
        ("a workers=1 workers=2\n", "line 1 has 'workers=2'"),
        ("a\nb\na\n", "lists 'a' twice; give it workers=N"),
        ("\0", "line 1 has an invalid host name"),
    ],
)
def test_lists_that_are_none_are_refused(tmp_path: Path, text: str, said: str):
    with pytest.raises(BadFileError, match=said):
        listed(tmp_path, text)


def test_a_list_that_is_not_there_is_told(tmp_path: Path):
    with pytest.raises(BadFileError, match=r"none\.txt: cannot be read: No such file"):
        read_hosts(tmp_path / "none.txt")


def test_a_path_with_blanks_stays_one_word_over_there():
    line = ask_line(ClusterHost("bee", 2, "/opt/my pythons/py;rm"))
    assert line[0] == "ssh"
    assert "BatchMode=yes" in line  # or it would wait for a password
    assert line[-3:-1] == ["--", "bee"]
    assert shlex.split(line[-1])[0] == "/opt/my pythons/py;rm"
    assert shlex.split(line[-1])[-1] == "ask"


def test_every_port_is_on_the_machine_itself():
    line = serve_line(ClusterHost("bee"), 8786, [5000, 5001, 16])
    back, forth = [line[k + 1] for k, word in enumerate(line) if word in ("-R", "-L")]
    assert back == "127.0.0.1:5000:127.0.0.1:8786"
    here, contact, there, listen = forth.split(":")
    assert (here, there, listen) == ("127.0.0.1", "127.0.0.1", "5001")
    words = shlex.split(line[-1])
    assert words[-5:] == ["serve", "5000", "5001", contact, "16"]
    few = serve_line(ClusterHost("bee", 3), 8786, [5000, 5001, 16])
    assert shlex.split(few[-1])[-1] == "3"


def test_free_ports_are_others():
    assert len(set(free_ports(20))) == 20


@pytest.fixture
def as_ssh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program in place of ssh that does the last word here, or knows no host."""
    program = tmp_path / "ssh"
    program.write_text(
        '#!/bin/sh\nfor word; do host="$last"; last="$word"; done\n'
        'if [ "$host" = nobody ]; then echo "ssh: no such host" >&2; exit 255; fi\n'
        'exec sh -c "$last"\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    path = os.pathsep.join(word for word in sys.path if word)
    monkeypatch.setenv("PYTHONPATH", path)
    return program


def test_a_machine_is_asked_what_it_is(as_ssh: Path):
    pytest.importorskip("distributed")
    assert as_ssh.exists()
    ((back, listen, cores),) = expect_machines([ClusterHost("bee", 2)])
    assert len({back, listen}) == 2
    assert cores == os.cpu_count()


def test_machines_that_cannot_do_rows_are_told(as_ssh: Path):
    assert as_ssh.exists()
    said = (
        r"nobody cannot do rows by \S+ \(ssh: no such host\); "
        r"bee cannot do rows by /no/python \(.*not found.*\)"
    )
    with pytest.raises(ConfigError, match=said):
        expect_machines([ClusterHost("nobody"), ClusterHost("bee", None, "/no/python")])
