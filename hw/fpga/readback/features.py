# SPDX-License-Identifier: Apache-2.0
"""The features that the frames of a bitstream set, tile by tile, and the bits that no feature explains."""
import typing

from hw.fpga.readback import chip, packets

COLUMN = 0x7F  # the minor address: frame of a column
ECC_WORD, ECC_BITS = 50, 13  # parity of each frame
WORD_BITS = 32

Bit = tuple[int, int, int]  # frame address, word, bit


class TileFeatures:
    """`flags`: features of one value. `vectors`: contents by name, such as ALUT.INIT."""

    def __init__(self) -> None:
        self.flags: set[str] = set()
        self.vectors: dict[str, int] = {}

    def add(self, feature: chip.Feature, sites: dict[str, str]) -> None:
        name = feature.name
        if sites:
            site, dot, rest = name.partition(".")
            name = sites.get(site, site) + dot + rest
        if feature.number is None:
            self.flags.add(name)
        else:
            self.vectors[name] = self.vectors.get(name, 0) | 1 << feature.number

    def prefixed(self, prefix: str) -> dict[str, int]:
        """All features of a site or cell with their values, without the prefix."""
        found = {name[len(prefix):]: 1 for name in self.flags if name.startswith(prefix)}
        return found | {name[len(prefix):]: value for name, value in self.vectors.items() if name.startswith(prefix)}


class Decoded(typing.NamedTuple):
    """`tiles`: those with a feature. `unexplained`: set bits that belong to no feature whose bits are all as it needs them."""

    tiles: dict[str, TileFeatures]
    unexplained: list[Bit]


class Decoder:
    """Decodes frames; keeps which regions a column of frames has."""

    def __init__(self, whole: chip.Chip) -> None:
        self._chip = whole
        self._regions: dict[int, list[chip.Region]] = {}
        self._of_tile: dict[str, list[chip.Region]] = {}
        for region in whole.regions():
            self._regions.setdefault(region.base, []).append(region)
            self._of_tile.setdefault(region.tile, []).append(region)

    def _near(self, bit: Bit) -> dict[int, set[int]]:
        """Column -> words of the tiles that have the bit, and of all tiles that share words with these. They can be decoded without
        all others."""
        base = bit[0] & ~COLUMN
        found = {base: {bit[1]}}
        queue = [region for region in self._regions.get(base, ()) if bit[1] in range(region.offset, region.offset + region.words)]
        seen = set()
        while queue:
            tile = queue.pop().tile
            if tile in seen:
                continue
            seen.add(tile)
            for region in self._of_tile[tile]:
                words = range(region.offset, region.offset + region.words)
                found.setdefault(region.base, set()).update(words)
                queue += [other for other in self._regions[region.base]
                          if other.offset < words.stop and words.start < other.offset + other.words]
        return found

    def decode_near(self, frames: packets.Frames, bit: Bit) -> Decoded:
        """The tiles that a bit concerns, and the bits there that no feature explains."""
        cut = {}
        for base, words in self._near(bit).items():
            for address in range(base, base + COLUMN + 1):
                if address in frames:
                    cut[address] = tuple(word if index in words else 0 for index, word in enumerate(frames[address]))
        return self.decode(cut)

    @staticmethod
    def _set_bits(frames: packets.Frames) -> dict[int, dict[int, set[Bit]]]:
        """Column -> word -> set bits."""
        found: dict[int, dict[int, set[Bit]]] = {}
        for address, words in frames.items():
            if not any(words):
                continue
            column = found.setdefault(address & ~COLUMN, {})
            for index, word in enumerate(words):
                if index == ECC_WORD:
                    word &= -1 << ECC_BITS
                if word:
                    column.setdefault(index, set()).update((address, index, bit) for bit in range(WORD_BITS) if word >> bit & 1)
        return found

    def decode(self, frames: packets.Frames, used: typing.Optional[set[Bit]] = None) -> Decoded:
        """`used`: takes the bits of the features that are set, those that must be clear included."""
        tiles: dict[str, TileFeatures] = {}
        unexplained: list[Bit] = []
        for base, words in self._set_bits(frames).items():
            explained: set[Bit] = set()
            for region in self._regions.get(base, ()):
                inside = [bit for index in range(region.offset, region.offset + region.words) for bit in words.get(index, ())]
                if inside:
                    explained |= self._decode_region(region, inside, tiles, used)
            unexplained += [bit for bits in words.values() for bit in bits if bit not in explained]
        return Decoded(tiles, sorted(unexplained))

    def _decode_region(self, region: chip.Region, inside: list[Bit], tiles: dict[str, TileFeatures],
                       used: typing.Optional[set[Bit]]) -> set[Bit]:
        """Adds the features of a region with these set bits; returns the explained ones."""
        shift = (region.offset - region.skipped) * WORD_BITS
        local = {address - region.base << chip.BIT_BITS | word * WORD_BITS + bit - shift: (address, word, bit)
                 for address, word, bit in inside}
        by_bit = self._chip.tile_type(region.kind).by_bit[region.block]
        explained: set[Bit] = set()
        done: set[int] = set()
        for set_bit in local:
            for feature in by_bit.get(set_bit, ()):
                if id(feature) in done or not all(bit in local for bit in feature.ones) or any(bit in local for bit in feature.zeros):
                    continue
                done.add(id(feature))
                explained.update(local[bit] for bit in feature.ones)
                tiles.setdefault(region.tile, TileFeatures()).add(feature, region.sites)
                if used is not None:
                    used.update(_absolute(region, bit) for bit in (*feature.ones, *feature.zeros))
        return explained


def _absolute(region: chip.Region, bit: int) -> Bit:
    index = bit & (1 << chip.BIT_BITS) - 1
    return region.base + (bit >> chip.BIT_BITS), region.offset - region.skipped + index // WORD_BITS, index % WORD_BITS
