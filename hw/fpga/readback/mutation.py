# SPDX-License-Identifier: Apache-2.0
"""Flips single bits of a bitstream that passes, and counts which of them the comparison notices."""
import dataclasses
import functools
import random
import typing

from hw.fpga.readback import chip, compare, features, netlist, packets, placed


@dataclasses.dataclass(frozen=True)
class Subject:
    """A bitstream, with what it is compared to."""

    whole: chip.Chip
    frames: packets.Frames
    cells: list[placed.Cell]
    required: list[str]

    @functools.cached_property
    def decoder(self) -> features.Decoder:
        return features.Decoder(self.whole)

    @functools.cached_property
    def bits(self) -> set[features.Bit]:
        """The bits of features that are set, those that must be clear included. Filled by `decoded`."""
        return set()

    @functools.cached_property
    def decoded(self) -> features.Decoded:
        """Decoded once: it takes a fifth of the time of a proof."""
        return self.decoder.decode(self.frames, self.bits)

    @functools.cached_property
    def index(self) -> compare.Index:
        return compare.Index(self.cells)

    @functools.cached_property
    def comparison(self) -> compare.Comparison:
        """The comparison of all bits, run once."""
        comparison = compare.Comparison(netlist.Netlist(self.whole, self.decoded), self.index)
        comparison.run(self.required)
        return comparison


class MutationError(Exception):
    """More flips than there are bits."""


class Flip(typing.NamedTuple):
    """`noticed`: the first finding, or nothing. `is_local`: found near the bit, without the whole proof."""

    bit: features.Bit
    noticed: str
    is_local: bool


def _with_flipped(frames: packets.Frames, bit: features.Bit) -> packets.Frames:
    address, index, position = bit
    words = list(frames[address])
    words[index] ^= 1 << position
    return frames | {address: tuple(words)}


class Mutator:
    """Flips bits of a subject that has no problems."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._before = subject.comparison

    def flips(self, count: int, seed: int) -> typing.Iterator[Flip]:
        """Flips `count` of the bits of features that are set. Errors: MutationError if there are fewer."""
        bits = self._subject.bits
        if count > len(bits):
            raise MutationError(f"{count} flips: the bitstream has {len(bits)} bits of features")
        for bit in random.Random(seed).sample(sorted(bits), count):
            local = self._noticed_near(bit)
            yield Flip(bit, local or self.noticed_by_proof(bit), local != "")

    def _decode(self, bit: features.Bit) -> tuple[features.Decoded, set[str]]:
        """The flipped bitstream, and its tiles that differ. Only tiles that a change concerns are decoded again."""
        decoder, known = self._subject.decoder, self._subject.decoded.tiles
        before = decoder.decode_near(self._subject.frames, bit)
        after = decoder.decode_near(_with_flipped(self._subject.frames, bit), bit)
        changed = {tile for tile in before.tiles.keys() | after.tiles.keys() if not _same(before.tiles.get(tile), after.tiles.get(tile))}
        tiles = {tile: found for tile, found in known.items() if tile not in changed}
        return features.Decoded(tiles | {tile: after.tiles[tile] for tile in changed if tile in after.tiles}, after.unexplained), changed

    def _noticed_near(self, bit: features.Bit) -> str:
        """The first finding that the flip makes near it: one of the cells there, or what it changes in the nets, which is not asked of the proof."""
        decoded, changed = self._decode(bit)
        if decoded.unexplained:
            return f"bit {decoded.unexplained[0]} belongs to no feature"
        near = compare.Comparison(netlist.Netlist(self._subject.whole, decoded), self._subject.index)
        near.check_tiles(changed)
        return next(iter(near.problems or self._before.changed(near, changed)), "")

    def noticed_by_proof(self, bit: features.Bit) -> str:
        """The first finding of the whole proof, which takes half a minute for a board."""
        decoded, _ = self._decode(bit)
        if decoded.unexplained:
            return f"bit {decoded.unexplained[0]} belongs to no feature"
        whole = compare.Comparison(netlist.Netlist(self._subject.whole, decoded), self._subject.index)
        whole.run(self._subject.required)
        return whole.problems[0] if whole.problems else ""


def _same(one: typing.Optional[features.TileFeatures], other: typing.Optional[features.TileFeatures]) -> bool:
    return one is not None and other is not None and one.flags == other.flags and one.vectors == other.vectors
