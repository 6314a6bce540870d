"""What modules say to each other about contacts with the ground."""

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.records import Record, entry

__all__ = ["TABLE", "Contact", "ContactEntry"]

TABLE = 16
"""Contacts that a module can remember; the first of its table is its own."""


class Contact(Record):
    """Contact of a module with the ground."""

    point: Array = entry("in W", "m", 3)
    normal: Array = entry("unit vector out of the ground", "", 3)
    friction: float = entry("Coulomb coefficient")
    radius: float = entry("of the patch", "m")
    force: Array = entry("of the ground on the module, in W", "N", 3)


class ContactEntry(Record):
    """One line of a module's contact table."""

    who: int = entry(
        "id of the module that touches, 0 for an empty line", kind=np.int64
    )
    foot: int = entry("its foot counter", kind=np.int64)
    touches: int = entry("1 while it touches", kind=np.int64)
    age: int = entry("of the news", "rounds", kind=np.int64)
    port: int = entry("that the news came by, -1 for its own", kind=np.int64)
    news: int = entry("ports that have yet to be told, as bits", kind=np.int64)
    place: Contact = entry("where", kind=Contact)
