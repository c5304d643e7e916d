"""What hf_xet's store in a folder holds, read from its shards: the Hub knows a large file by its hash there."""

import struct
from pathlib import Path

_HEAD = 48
_ENTRY = 48
_WITH_VERIFICATION = 1 << 31
_WITH_METADATA = 1 << 30


def hashes_in(store: Path) -> dict[str, tuple[str, int]]:
    """Return SHA-256 -> (xet hash, size) of every file in the store.

    A shard is a head, then for each file a header (hash, flags, number of segments), its segments, as many
    verifications if flagged, and its SHA-256 if flagged; a header of ones ends the list. All entries have 48 bytes.
    """
    found: dict[str, tuple[str, int]] = {}
    for shard in sorted(store.rglob("*.mdb")):
        data = shard.read_bytes()
        at = _HEAD
        while data[at : at + 32] != b"\xff" * 32:
            name = data[at : at + 32]
            flags, count = struct.unpack_from("<II", data, at + 32)
            at += _ENTRY
            size = sum(struct.unpack_from("<I", data, at + _ENTRY * segment + 36)[0] for segment in range(count))
            at += _ENTRY * count * (2 if flags & _WITH_VERIFICATION else 1)
            if flags & _WITH_METADATA:
                found[_hex(data[at : at + 32])] = found[data[at : at + 32].hex()] = (_hex(name), size)
                at += _ENTRY
    return found


def _hex(value: bytes) -> str:
    """Return a hash as xet writes it: four little-endian words."""
    return "".join(f"{word:016x}" for word in struct.unpack("<4Q", value))
