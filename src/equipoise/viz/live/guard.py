"""Who may talk to a live page: pages of the same address, and nobody else's.

A page of a stranger, open in the same browser, can send requests to this machine, and
with a name of its own that suddenly points here (DNS rebinding) it can read the answers
as well. Both are seen in what the browser says about itself: ``Host`` is then the
stranger's name, or ``Origin`` another page. viser looks at neither.
"""

import http
import ipaddress
import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

from equipoise.viz.live.gate import Gate

__all__ = ["guarded_servers", "is_loopback", "policy", "request_refusal"]

HERE = "localhost"
_patching = Lock()


def is_loopback(host: str) -> bool:
    """Return whether only this machine reaches a host.

    Args:
        host: a name or an address.
    """
    return host == HERE or _is_address(host, loopback=True)


def request_refusal(host: str | None, origin: str | None, bound: str) -> str:
    """Return why a request is refused, in a sentence; "" if it is not.

    An address cannot be rebound, a name can: besides the one that the server was told
    and this machine's own, only addresses are taken. Bound to this machine alone, only
    its own addresses are.

    Args:
        host: the request's ``Host``, with a port or without; None where it has none.
        origin: its ``Origin``; None where it has none, as of a program or a first page.
        bound: the host that the server was told.
    """
    name = _name_of(f"//{host}")
    is_here = is_loopback(name)
    if not is_loopback(bound):
        known = (bound.lower(), socket.gethostname().lower())
        is_here = is_here or name in known or _is_address(name)
    if not is_here:
        return "This page only answers requests to its own address."
    if origin is not None and urlsplit(origin).netloc.lower() != (host or "").lower():
        return "This page does not answer requests from other pages."
    return ""


@contextmanager
def guarded_servers(
    serving: Any, bound: str, gate: Gate, version: str
) -> Iterator[None]:
    """Let every server that is opened within look at who asks, before it answers.

    Args:
        serving: the module whose ``serve`` viser calls, ``websockets.asyncio.server``.
        bound: the host that the server is told.
        gate: counts the connections.
        version: of the protocol that pages must speak.
    """
    with _patching:
        plain = serving.serve

        def serve(
            handler: Any, *args: Any, process_request: Any = None, **settings: Any
        ) -> Any:
            checked = _checked(process_request, bound)
            settings |= {"logger": _no_logger(), **gate.settings(serving)}
            handle = gate.handler(handler, version)
            return plain(handle, *args, process_request=checked, **settings)

        serving.serve = serve
        try:
            yield
        finally:
            serving.serve = plain


def _no_logger() -> logging.Logger:
    """Return a logger that says nothing: browsers open connections and drop them."""
    logger = logging.getLogger("equipoise.live")
    logger.propagate, logger.disabled = False, True
    return logger


def _checked(answer: Callable[..., Any] | None, bound: str) -> Callable[..., Any]:
    """Return what answers a request, after a look at who asks."""

    def process_request(connection: Any, request: Any) -> Any:
        # More than one of them is no browser's doing; the last one does not count.
        hosts = request.headers.get_all("Host")
        origins = request.headers.get_all("Origin")
        why = "This request says twice who it is from."
        if max(len(hosts), len(origins)) < 2:
            host, origin = (found[0] if found else None for found in (hosts, origins))
            why = request_refusal(host, origin, bound)
        if why:
            return connection.respond(http.HTTPStatus.FORBIDDEN, f"{why}\n")
        given = None if answer is None else answer(connection, request)
        if given is not None:
            given.headers["Content-Security-Policy"] = policy(hosts[0])
            given.headers["X-Content-Type-Options"] = "nosniff"
        return given

    return process_request


def policy(host: str) -> str:
    """Return to whom a page may talk: its own server, whatever its address bar says.

    viser's page takes another server from its address, ``?websocket=``, and does what
    that says; and it may be put into a stranger's frame.

    Args:
        host: of the request, with its port.
    """
    own = f"'self' ws://{host} wss://{host} data: blob:"
    return f"connect-src {own}; frame-ancestors 'none'; form-action 'none'"


def _name_of(address: str) -> str:
    """Return the name of an address with a port, without brackets; "" if none."""
    try:
        return (urlsplit(address).hostname or "").lower()
    except ValueError:
        return ""


def _is_address(name: str, *, loopback: bool = False) -> bool:
    """Return whether a name is a plain address, of this machine alone if asked."""
    try:
        found = ipaddress.ip_address(name)
    except ValueError:
        return False
    return found.is_loopback or not loopback
