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
    def decoded(self) -> features.Decoded:
        """Decoded once: it takes a fifth of the time of a proof."""
        return features.Decoder(self.whole).decode(self.frames)


class MutationError(Exception):
    """More flips than there are bits."""


class Flip(typing.NamedTuple):
    """`noticed`: the first finding, or nothing."""

    bit: features.Bit
    noticed: str


def _with_flipped(frames: packets.Frames, bit: features.Bit) -> packets.Frames:
    address, index, position = bit
    words = list(frames[address])
    words[index] ^= 1 << position
    return frames | {address: tuple(words)}


class Mutator:
    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._decoder = features.Decoder(subject.whole)
        self._bits: set[features.Bit] = set()
        self._decoded = self._decoder.decode(subject.frames, self._bits)

    def flips(self, count: int, seed: int) -> typing.Iterator[Flip]:
        """Flips `count` of the bits of features that are set. Errors: MutationError if there are fewer."""
        if count > len(self._bits):
            raise MutationError(f"{count} flips: the bitstream has {len(self._bits)} bits of features")
        for bit in random.Random(seed).sample(sorted(self._bits), count):
            yield Flip(bit, self._noticed(bit))

    def _decode(self, bit: features.Bit) -> tuple[features.Decoded, set[str]]:
        """The flipped bitstream, and its tiles that differ. Only columns of frames that a change concerns are decoded again."""
        columns = self._decoder.columns_with(bit[0] & ~features.COLUMN)
        frames = {address: words for address, words in self._subject.frames.items() if address & ~features.COLUMN in columns}
        before, after = self._decoder.decode(frames), self._decoder.decode(_with_flipped(frames, bit))
        tiles = {tile: found for tile, found in self._decoded.tiles.items() if tile not in before.tiles} | after.tiles
        changed = {tile for tile in before.tiles.keys() | after.tiles.keys() if not _same(before.tiles.get(tile), after.tiles.get(tile))}
        return features.Decoded(tiles, after.unexplained), changed

    def _noticed(self, bit: features.Bit) -> str:
        decoded, changed = self._decode(bit)
        if decoded.unexplained:
            return f"bit {decoded.unexplained[0]} belongs to no feature"
        near = compare.Comparison(netlist.Netlist(self._subject.whole, decoded), self._subject.cells)
        near.check_tiles(changed)
        if near.problems:
            return near.problems[0]
        whole = compare.Comparison(netlist.Netlist(self._subject.whole, decoded), self._subject.cells)
        whole.run(self._subject.required)
        return whole.problems[0] if whole.problems else ""


def _same(one: typing.Optional[features.TileFeatures], other: typing.Optional[features.TileFeatures]) -> bool:
    return one is not None and other is not None and one.flags == other.flags and one.vectors == other.vectors
