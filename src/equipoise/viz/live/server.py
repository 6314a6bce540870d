"""A viser server as we want it: quiet, guarded, without a tunnel to the outside."""

import contextlib
import http.client
import io
from typing import Any, final

from equipoise.core.errors import ConfigError, EquipoiseError
from equipoise.viz.live.gate import Gate
from equipoise.viz.live.guard import guarded_servers, is_loopback

__all__ = ["LiveServer"]

ANYWHERE = ("0.0.0.0", "::")
STRANGER = "stranger.invalid"
MOST_PORT = 65535
BRAND = (0, 84, 132)


@final
class LiveServer:
    """A page that is served until ``stop``.

    Args:
        title: shown over the panel.
        host: to which it is bound; 127.0.0.1 is this machine alone.
        port: or the next one that is free; 0 for any.

    Raises:
        MissingExtraError: viser is not installed.
        ConfigError: a host or port that cannot be had.
        EquipoiseError: this viser would answer to strangers.
    """

    def __init__(self, title: str, host: str = "127.0.0.1", port: int = 8080) -> None:
        if not 0 <= port <= MOST_PORT:
            raise ConfigError("--port", [f"it must be 0 to {MOST_PORT}, got {port}"])
        _expect_host(host)
        viser, serving = _viser_and_server()
        self.host = host
        self.gate = Gate()
        version = f"viser-v{viser.__version__}"
        with guarded_servers(serving, host, self.gate, version), _quiet():
            self.viser: Any = viser.ViserServer(host, port, title, verbose=False)
        self.port = int(self.viser.get_port())
        if not refuses_strangers(host, self.port):
            self.stop()
            raise EquipoiseError(
                "the live view was not started: this version of viser cannot be kept "
                "from answering to strangers; install viser 1.1."
            )
        self.shut_tunnel()
        self.viser.gui.configure_theme(
            show_logo=False,
            show_share_button=False,
            control_width="large",
            brand_color=BRAND,
        )

    @property
    def address(self) -> str:
        """Address for a browser."""
        host = "127.0.0.1" if self.host in ANYWHERE else self.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    @property
    def is_private(self) -> bool:
        """Whether this machine alone reaches it."""
        return is_loopback(self.host)

    @property
    def viewers(self) -> int:
        """Number of open pages."""
        return len(self.viser.get_clients())

    def shut_tunnel(self) -> None:
        """Forget how to open a public address, which a page could ask for."""
        from viser._messages import ShareUrlRequest

        handlers: Any = self.viser._websock_server._incoming_handlers
        handlers.pop(ShareUrlRequest, None)

    def stop(self) -> None:
        """Close all pages' connections and the port, within about a second."""
        loop: Any = self.viser._websock_server._background_event_loop
        with _quiet():
            self.gate.shut(loop)
            self.viser.stop()


def _viser_and_server() -> tuple[Any, Any]:
    """Return viser and the module whose ``serve`` it calls."""
    from equipoise.core.extras import require_extra

    viser = require_extra("viewer", "viser")
    import websockets.asyncio.server as serving

    return viser, serving


def _expect_host(host: str) -> None:
    """Refuse a host that is none of this machine's; viser would look for ever."""
    import socket

    try:
        found = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)
        family, kind, _, _, place = found[0]
        with socket.socket(family, kind) as trial:
            trial.bind(place)
    except (OSError, UnicodeError) as error:
        problem = f"no address of this machine, got '{host}' ({error})"
        raise ConfigError("--host", [problem]) from None


@contextlib.contextmanager
def _quiet() -> Any:
    """Keep viser's own lines from the terminal; what is told is the caller's."""
    with contextlib.redirect_stdout(io.StringIO()):
        yield


def refuses_strangers(host: str, port: int) -> bool:
    """Ask as a stranger's page would, and say whether that is refused."""
    place = "127.0.0.1" if host in ANYWHERE else host
    asked = http.client.HTTPConnection(place, port, timeout=5.0)
    try:
        asked.request("GET", "/", headers={"Host": f"{STRANGER}:{port}"})
        return asked.getresponse().status == http.client.FORBIDDEN
    except OSError:
        return False
    finally:
        asked.close()
