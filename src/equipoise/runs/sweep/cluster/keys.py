"""Keys of a cluster of our own: who does not have them cannot take part.

Dask runs whatever reaches the ports of its scheduler and workers. So these speak TLS in
both directions, with one certificate that is made for the sweep. It is kept in memory,
and travels to workers through their standard input, where no other user sees it.
"""

import json
from typing import Any

from equipoise.core.extras import require_extra

__all__ = ["keys_line", "read_keys", "temporary_keys"]

CERTIFICATE, KEY = "certificate", "key"
ROLES = ("client", "scheduler", "worker")


def temporary_keys() -> Any:
    """Return new keys as Dask's ``Security``, for all roles.

    Raises:
        MissingExtraError: ``distributed`` or ``cryptography`` is not installed.
    """
    require_extra("cluster", "cryptography")
    distributed: Any = require_extra("cluster", "distributed")
    return distributed.Security.temporary()


def keys_line(security: Any) -> str:
    """Return keys as a line of text, to be written to a worker's standard input.

    Args:
        security: as ``temporary_keys`` made it.
    """
    told = {CERTIFICATE: security.tls_ca_file, KEY: security.tls_client_key}
    return json.dumps(told) + "\n"


def read_keys(line: str | bytes) -> Any:
    """Return Dask's ``Security`` with the keys of a line.

    Args:
        line: as ``keys_line`` wrote it.

    Raises:
        SystemExit: it is none: whoever started us is gone.
    """
    from distributed import Security  # slow to import

    try:
        told = json.loads(line)
        certificate, key = str(told[CERTIFICATE]), str(told[KEY])
    except (ValueError, KeyError, TypeError):
        raise SystemExit("no keys came") from None
    named: dict[str, Any] = {f"tls_{role}_cert": certificate for role in ROLES}
    named |= {f"tls_{role}_key": key for role in ROLES}
    return Security(require_encryption=True, tls_ca_file=certificate, **named)
