"""Who a live page answers to."""

import http.client
import logging
import socket

import pytest

from equipoise.core.errors import ConfigError
from equipoise.viz.live.guard import is_loopback, policy, request_refusal

viser = pytest.importorskip("viser", reason="pip install 'equipoise[viewer]'")
from equipoise.viz.live.server import LiveServer  # noqa: E402

HERE = "127.0.0.1"


@pytest.mark.parametrize(
    ("host", "origin", "bound"),
    [
        ("127.0.0.1:8080", None, HERE),
        ("localhost:8080", "http://localhost:8080", HERE),
        ("[::1]:8080", "http://[::1]:8080", HERE),
        ("127.0.0.1", None, HERE),
        ("10.0.0.7:8080", "http://10.0.0.7:8080", "0.0.0.0"),
        ("robot.lab:8080", "http://robot.lab:8080", "robot.lab"),
        ("robot.lab:8080", "http://Robot.Lab:8080", "Robot.Lab"),  # case does not count
        (f"{socket.gethostname()}:8080", None, "0.0.0.0"),
    ],
)
def test_own_pages_are_answered(host, origin, bound):
    assert request_refusal(host, origin, bound) == ""


@pytest.mark.parametrize(
    ("host", "origin", "bound"),
    [
        ("evil.example:8080", None, HERE),  # its name points here: DNS rebinding
        ("evil.example:8080", "http://evil.example:8080", HERE),
        ("evil.example", None, "0.0.0.0"),
        ("10.0.0.7:8080", None, HERE),
        ("127.0.0.1.evil.example:8080", None, HERE),
        ("127.0.0.1@evil.example:8080", None, HERE),
        ("localhost.evil.example", None, HERE),
        (None, None, HERE),
        ("", None, HERE),
        ("[broken", None, HERE),
        ("127.0.0.1:8080", "http://evil.example", HERE),
        ("127.0.0.1:8080", "http://127.0.0.1:9090", HERE),
        ("127.0.0.1:8080", "null", HERE),
    ],
)
def test_strangers_are_refused(host, origin, bound):
    assert request_refusal(host, origin, bound) != ""


def test_loopback_is_this_machine_alone():
    assert is_loopback("localhost") and is_loopback("127.0.0.5") and is_loopback("::1")
    assert not is_loopback("0.0.0.0") and not is_loopback("evil.example")


@pytest.fixture(scope="module")
def server():
    """A server with nothing on it."""
    found = LiveServer("test", port=0)
    yield found
    found.stop()


def asked(server, **headers):
    """Return status, headers and text of the first page."""
    there = http.client.HTTPConnection(HERE, server.port, timeout=10)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    there.request("GET", "/", headers=named)
    answer = there.getresponse()
    found = answer.status, dict(answer.getheaders()), answer.read()
    there.close()
    return found


UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec_WebSocket_Version": "13",
    "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec_WebSocket_Protocol": f"viser-v{viser.__version__}",
}


def test_served_page_is_for_its_own_host_alone(server):
    status, headers, page = asked(server)
    assert status == 200 and b"<html" in page
    assert headers["Content-Security-Policy"] == policy(f"{HERE}:{server.port}")
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert asked(server, Host=f"evil.example:{server.port}")[0] == 403
    assert asked(server, Origin="http://evil.example")[0] == 403


def status_of(server, *headers):
    """Return the status of a request with these headers, each as often as it comes."""
    there = http.client.HTTPConnection(HERE, server.port, timeout=10)
    there.putrequest("GET", "/", skip_host=True)
    for name, value in headers:
        there.putheader(name, value)
    there.endheaders()
    status = there.getresponse().status
    there.close()
    return status


def test_request_that_says_twice_who_it_is_from_is_refused(server):
    """Whichever of the two is its own: a proxy may go by the other one."""
    own = f"{HERE}:{server.port}"
    host, origin = ("Host", own), ("Origin", f"http://{own}")
    assert status_of(server, host, origin) == 200
    for odd in (("Host", "evil.example"), ("Origin", "http://evil.example")):
        assert status_of(server, host, origin, odd) == 403
        assert status_of(server, odd, host, origin) == 403
    assert status_of(server, host, origin, origin) == 403
    assert status_of(server, host, host, origin) == 403


def test_policy_names_the_page_s_own_server_and_no_other():
    parts = [part.split() for part in policy("10.0.0.7:8080").split(";")]
    own = ["'self'", "ws://10.0.0.7:8080", "wss://10.0.0.7:8080"]
    assert {name: rest for name, *rest in parts} == {
        "connect-src": [*own, "data:", "blob:"],
        "frame-ancestors": ["'none'"],
        "form-action": ["'none'"],
    }


def test_socket_is_for_its_own_pages_alone(server):
    own = f"http://{HERE}:{server.port}"
    assert asked(server, **UPGRADE, Origin=own)[0] == 101
    assert asked(server, **UPGRADE, Origin="http://evil.example")[0] == 403
    stranger = f"evil.example:{server.port}"
    assert (
        asked(server, **UPGRADE, Host=stranger, Origin=f"http://{stranger}")[0] == 403
    )


def test_connection_that_is_dropped_is_nobody_s_trouble(caplog):
    logging.getLogger("websockets.server").filters.clear()  # viser's, of before
    fresh = LiveServer("test", port=0)
    for sent in (b"", b"nonsense\r\n\r\n"):
        with socket.create_connection((HERE, fresh.port), timeout=10) as dropped:
            dropped.sendall(sent)
    assert asked(fresh)[0] == 200  # which comes after both
    fresh.stop()
    assert caplog.records == []


def test_no_page_can_ask_for_a_public_address(server):
    from viser._messages import ShareUrlRequest

    assert ShareUrlRequest not in server.viser._websock_server._incoming_handlers


def test_viser_is_itself_again_after_a_server_was_made(server):
    import websockets.asyncio.server as serving

    assert serving.serve.__module__ == serving.__name__


@pytest.mark.parametrize("port", [-1, 65536])
def test_port_out_of_range_is_refused(port):
    with pytest.raises(ConfigError, match="0 to 65535"):
        LiveServer("test", port=port)


def test_host_that_is_not_ours_is_refused():
    with pytest.raises(ConfigError, match="no address of this machine"):
        LiveServer("test", "192.0.2.1", 0)
