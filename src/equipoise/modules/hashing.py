"""Numbers that look drawn by lot and are the same in Python, compiled code and C.

``mix`` is a bijection of 32-bit words, the public-domain "lowbias32" that C. Wellons
found by search; ``hash32`` chains it over its arguments. On them stand the token of a
link, the digest of who touches the ground and how, and the lot by which one of those is
made leader. The ``_kernel`` twins are for compiled callers.
"""

from equipoise.core.jit import compiled

__all__ = [
    "foot_digest",
    "foot_digest_kernel",
    "hash32",
    "identity_hash",
    "identity_hash_kernel",
    "link_hash",
    "link_hash_kernel",
    "mix",
]

_START = 0x9E3779B9
_WORD = 0xFFFFFFFF
_DIGEST = 0xFFFFFF


def mix(x: int) -> int:
    """Return the 32-bit word that belongs to a 32-bit word; no two share one."""
    x ^= x >> 16
    x = (x * 0x7FEB352D) & _WORD
    x ^= x >> 15
    x = (x * 0x846CA68B) & _WORD  # in 64 bits the top is lost, these 32 are not
    return x ^ (x >> 16)


def hash32(*values: int) -> int:
    """Return one 32-bit word for a row of integers, of which 32 bits each count."""
    word = _START
    for value in values:
        word = mix(word ^ (value & _WORD))
    return word


def link_hash(a: int, b: int, root: int, epoch: int) -> int:
    """Return the word of a link between modules a and b in an epoch of a root."""
    return hash32(min(a, b), max(a, b), root, epoch)


def foot_digest(id: int, foot: int) -> int:
    """Return 24 bits for a module that touches, with its count of contact places."""
    return hash32(id, foot) & _DIGEST


def identity_hash(id: int, root: int, epoch: int) -> int:
    """Return the lot of a module in an epoch; the largest becomes leader."""
    return hash32(id, root, epoch)


_mix = compiled(allocates=False, force_inline=True)(mix)


@compiled(allocates=False, force_inline=True)
def link_hash_kernel(a: int, b: int, root: int, epoch: int) -> int:
    """Return what ``link_hash`` does, for compiled callers."""
    word = _mix(_START ^ (min(a, b) & _WORD))
    word = _mix(word ^ (max(a, b) & _WORD))
    return _mix(_mix(word ^ (root & _WORD)) ^ (epoch & _WORD))


@compiled(allocates=False, force_inline=True)
def foot_digest_kernel(id: int, foot: int) -> int:
    """Return what ``foot_digest`` does, for compiled callers."""
    return _mix(_mix(_START ^ (id & _WORD)) ^ (foot & _WORD)) & _DIGEST


@compiled(allocates=False, force_inline=True)
def identity_hash_kernel(id: int, root: int, epoch: int) -> int:
    """Return what ``identity_hash`` does, for compiled callers."""
    word = _mix(_START ^ (id & _WORD))
    return _mix(_mix(word ^ (root & _WORD)) ^ (epoch & _WORD))
