"""Silent, chatty and old pages: others are answered, and the end comes quickly."""

import socket
import time
from contextlib import ExitStack

import pytest

viser = pytest.importorskip("viser", reason="pip install 'equipoise[viewer]'")

from websockets.exceptions import ConnectionClosed  # noqa: E402
from websockets.sync.client import connect  # noqa: E402

from equipoise.viz.live.gate import (  # noqa: E402
    LARGEST,
    MOST_OPENING,
    MOST_PAGES,
    OPENS,
    Gate,
    MessagePace,
)
from equipoise.viz.live.server import LiveServer, refuses_strangers  # noqa: E402

HERE = "127.0.0.1"
OURS = f"viser-v{viser.__version__}"


@pytest.fixture
def server():
    """A server with nothing on it."""
    found = LiveServer("test", port=0)
    yield found
    found.stop()


def page(opened, server, version=OURS):
    """Return a page's connection, as a browser opens it."""
    where = f"ws://{HERE}:{server.port}"
    return opened.enter_context(
        connect(where, subprotocols=[version], max_size=None, close_timeout=0.1)
    )


def code_of(page):
    """Return with which code a page is closed."""
    with pytest.raises(ConnectionClosed) as end:
        while True:
            page.recv(timeout=10)
    return end.value.rcvd.code


def test_silent_sockets_keep_nobody_out(server):
    """A thousand of them took all files that the process may open."""
    count = MOST_OPENING + 40
    with ExitStack() as opened:
        silent = [
            opened.enter_context(socket.create_connection((HERE, server.port)))
            for _ in range(count)
        ]
        for one in silent[:40]:  # the oldest ones made room, long before their time
            one.settimeout(OPENS / 2)
            assert one.recv(1) == b""
        assert len(server.gate.opening) <= MOST_OPENING
        assert refuses_strangers(HERE, server.port)  # it answers
        assert page(opened, server).recv(timeout=10)
    until = time.monotonic() + 10
    while server.gate.opening or server.gate.pages:
        assert time.monotonic() < until
        time.sleep(0.01)


class SilentConnection:
    """A connection that has not said what it wants."""

    def __init__(self):
        self.transport, self.is_cut = self, False

    def abort(self):
        self.is_cut = True


def test_the_oldest_silent_connection_goes_once_there_is_one_too_many():
    gate, silent = Gate(), [SilentConnection() for _ in range(MOST_OPENING + 1)]
    for one in silent[:-1]:
        gate.came(one)
    assert not any(one.is_cut for one in silent)
    gate.came(silent[-1])
    assert [one.is_cut for one in silent] == [True] + [False] * MOST_OPENING
    assert list(gate.opening) == silent[1:]


def test_pages_are_counted_and_one_more_is_told(server):
    with ExitStack() as opened:
        for _ in range(MOST_PAGES):
            page(opened, server)
        assert code_of(page(opened, server)) == 1013
        opened.pop_all().close()
    with ExitStack() as opened:
        until = time.monotonic() + 10
        while server.gate.pages:
            assert time.monotonic() < until
            time.sleep(0.01)
        assert page(opened, server).recv(timeout=10)


def test_the_end_does_not_wait_for_silent_pages():
    """It waited for ten seconds."""
    server = LiveServer("test", port=0)
    upgrade = (
        f"GET / HTTP/1.1\r\nHost: {HERE}:{server.port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        f"Sec-WebSocket-Protocol: {OURS}\r\n\r\n"
    )
    with ExitStack() as opened:
        silent, deaf = (
            opened.enter_context(socket.create_connection((HERE, server.port)))
            for _ in range(2)
        )
        deaf.sendall(upgrade.encode())
        assert deaf.recv(12) == b"HTTP/1.1 101"
        began = time.monotonic()
        server.stop()
        assert time.monotonic() - began < 3.0
        thread = server.viser._websock_server._server_thread
        assert not thread.is_alive()
        assert silent.recv(1) == b""


def test_a_page_of_another_version_is_told_on_the_page_alone(server, capsys):
    """viser printed it where ``--json`` prints its object."""
    with ExitStack() as opened:
        assert code_of(page(opened, server, "viser-v0.0.1")) == 1002
    assert capsys.readouterr().out == ""


def test_a_message_that_is_too_large_ends_its_page(server):
    with ExitStack() as opened:
        other, large = page(opened, server), page(opened, server)
        large.send(bytes(LARGEST + 1))
        assert code_of(large) == 1009
        assert other.recv(timeout=10)


def test_messages_that_come_too_fast_wait():
    pace = MessagePace(rate=100.0, burst=10.0)
    assert [pace.wait(5.0) for _ in range(10)] == [0.0] * 10
    assert pace.wait(5.0) == pytest.approx(0.01)
    assert pace.wait(5.0) == pytest.approx(0.02)
    assert pace.wait(5.02) == pytest.approx(0.01)  # 0.02 s earn two
    assert pace.wait(9.0) == 0.0
    assert [pace.wait(9.0) for _ in range(9)] == [0.0] * 9
    assert pace.wait(9.0) > 0.0  # no more than the burst is saved


def test_a_chatty_page_is_read_slowly(server, monkeypatch):
    """Each message was a task of its own, however fast they came."""
    from equipoise.viz.live import gate

    told = []
    monkeypatch.setattr(
        gate.MessagePace, "wait", lambda self, now: told.append(now) or 0.6
    )
    with ExitStack() as opened:
        chatty = page(opened, server)
        for _ in range(5):
            chatty.send(b"\x80")
        until = time.monotonic() + 10
        while not told:
            assert time.monotonic() < until
            time.sleep(0.01)
        time.sleep(0.2)
        assert len(told) == 1
