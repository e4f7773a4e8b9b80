# SPDX-License-Identifier: Apache-2.0
"""Configuration frames: 101 words of 32 bits at a frame address."""
import typing

from hw.fpga.flow import Error, database, fasm

FRAME_WORDS = 101


class ConflictError(Error):
    """Two features want different values of one bit."""


class Frames:
    """The bits of a configuration, and which feature decided each."""

    def __init__(self) -> None:
        self._owner: dict[database.Bit, tuple[bool, str]] = {}  # bit -> (value, place and feature)

    def add(self, bits: list[tuple[database.Bit, bool]], owner: str) -> None:
        """Errors: ConflictError if a bit is to be set and to be clear."""
        for bit, value in bits:
            known = self._owner.setdefault(bit, (value, owner))
            if known[0] != value:
                raise ConflictError(f"{owner} and {known[1]} want different values of bit {bit[2]} of word {bit[1]} of "
                                    f"frame 0x{bit[0]:08x}")

    def set_bits(self) -> set[database.Bit]:
        return {bit for bit, (value, _) in self._owner.items() if value}

    def words(self) -> dict[int, list[int]]:
        """Frame address -> its 101 words, by address; frames in which no feature has a bit are left out."""
        frames: dict[int, list[int]] = {}
        for (address, word, bit), (value, _) in self._owner.items():
            words = frames.setdefault(address, [0] * FRAME_WORDS)
            words[word] |= value << bit
        return dict(sorted(frames.items()))

    def write(self, file: typing.TextIO) -> int:
        """As xc7frames2bit reads them: the address and the words of a frame in a line. Returns the number of frames."""
        frames = self.words()
        for address, words in frames.items():
            file.write(f"0x{address:08X} {','.join(f'0x{word:08X}' for word in words)}\n")
        return len(frames)


def assemble(part: database.Part, lines: typing.Iterable[str], name: object, problems: list[str]) -> Frames:
    """The frames of FASM lines and of what the part always needs. Unknown features and conflicts go to the list
    `problems`, so that all of them are reported at once. Errors: fasm.FasmError."""
    frames = Frames()
    places = [*fasm.parse(part.required_features(), f"{part.name} (required)"), *fasm.parse(lines, name)]
    for place, tile, feature, index in places:
        try:
            frames.add(part.bits(tile, feature, index), f"{place}: {fasm.text(tile, feature, index)}")
        except database.DatabaseError as error:
            problems.append(f"{place}: {error}")
        except ConflictError as error:
            problems.append(str(error))
    return frames
