"""How many connections a live page has, how much they may say, and how they end.

Each connection costs the process an open file and a task, and the robot's thread the
time to do what is asked. A program that opens many of them and says nothing, or says
too much, gets a share; it does not keep others out.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, final

__all__ = ["Gate", "MessagePace"]

MOST_OPENING = 64
"""Connections that have not yet said what they want; then the oldest one goes."""
MOST_PAGES = 16
"""Pages at a time."""
LARGEST = 64 * 1024
"""Message of a page [bytes]; a slider's takes a hundred."""
RATE, BURST = 200.0, 400.0
"""Messages of a page that are read, in a second and at once; the rest waits."""
OPENS, CLOSES = 5.0, 1.0
"""Time to say what is wanted, and to answer a goodbye [s]."""
GOODBYE = 0.5
"""Time that pages have when the server ends, before they are cut off [s]."""
TRY_LATER, OTHER_VERSION = 1013, 1002  # codes of a closed WebSocket


@final
class MessagePace:
    """Limit on the rate of messages: time for which the next one waits.

    Args:
        rate: messages in a second.
        burst: that may come at once.
    """

    def __init__(self, rate: float = RATE, burst: float = BURST) -> None:
        self._rate, self._burst = rate, burst
        self._credit, self._before = burst, -1.0

    def wait(self, now: float) -> float:
        """Return for how long a message waits [s].

        Args:
            now: when it came, on any clock [s].
        """
        if self._before >= 0.0:
            earned = self._rate * (now - self._before)
            self._credit = min(self._burst, self._credit + earned)
        self._before = now
        self._credit -= 1.0
        return max(0.0, -self._credit / self._rate)


@final
class Gate:
    """The connections of one server."""

    def __init__(self) -> None:
        self.opening: dict[Any, None] = {}
        """Connections that have not yet said what they want, the oldest first."""
        self.pages: set[Any] = set()

    def settings(self, serving: Any) -> dict[str, Any]:
        """Return what a server is opened with.

        Args:
            serving: the module of its connections, ``websockets.asyncio.server``.
        """
        return {
            "create_connection": _gated(serving.ServerConnection, self),
            "open_timeout": OPENS,
            "close_timeout": CLOSES,
            "max_size": LARGEST,
        }

    def came(self, connection: Any) -> None:
        """Take in a connection; the oldest silent one goes where there are too many."""
        self.opening[connection] = None
        if len(self.opening) > MOST_OPENING:
            oldest = next(iter(self.opening))
            del self.opening[oldest]
            oldest.transport.abort()

    def went(self, connection: Any) -> None:
        """Forget a connection."""
        self.opening.pop(connection, None)
        self.pages.discard(connection)

    def handler(self, plain: Callable[[Any], Any], version: str) -> Callable[..., Any]:
        """Return what serves a page, for as many as there may be of this version.

        A page of another version, left open from before, is told so; viser would print
        it where the answer is printed.

        Args:
            plain: serves a page.
            version: of the page's own protocol.
        """

        async def handle(connection: Any) -> None:
            self.opening.pop(connection, None)
            theirs = connection.subprotocol or "none"
            if theirs != version:
                reason = f"Version mismatch. Client: {theirs}, Server: {version}"
                await connection.close(OTHER_VERSION, reason[:120])
            elif len(self.pages) >= MOST_PAGES:
                await connection.close(TRY_LATER, f"{MOST_PAGES} pages are open")
            else:
                self.pages.add(connection)
                await plain(connection)

        return handle

    def shut(self, loop: asyncio.AbstractEventLoop) -> None:
        """Cut off connections as the server ends, so that none keeps it waiting.

        Args:
            loop: in which they are served.
        """

        def cut(which: list[Any]) -> None:
            for one in which:
                one.transport.abort()

        def end() -> None:
            cut([*self.opening])
            loop.call_later(GOODBYE, lambda: cut([*self.opening, *self.pages]))

        with suppress(RuntimeError):  # it has ended already
            loop.call_soon_threadsafe(end)


def _gated(plain: type[Any], gate: Gate) -> type[Any]:
    """Return the class of connections that a gate knows.

    Args:
        plain: of ``websockets``.
        gate: that knows them.
    """

    class GatedConnection(plain):
        """A connection that is counted, and read no faster than it may speak."""

        def connection_made(self, transport: Any) -> None:
            """Begin."""
            self.pace = MessagePace()
            super().connection_made(transport)
            gate.came(self)

        def connection_lost(self, exc: Exception | None) -> None:
            """End."""
            gate.went(self)
            super().connection_lost(exc)

        async def recv(self, *words: Any, **settings: Any) -> Any:
            """Return the next message; where they come too fast, after a while."""
            message = await super().recv(*words, **settings)
            if (wait := self.pace.wait(time.monotonic())) > 0.0:
                await asyncio.sleep(wait)
            return message

    return GatedConnection
