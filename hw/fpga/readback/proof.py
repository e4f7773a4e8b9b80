# SPDX-License-Identifier: Apache-2.0
"""The steps of hw/fpga/prove_bits: load a bitstream and a placed netlist, compare them, flip bits."""
import pathlib
import re
import typing

from hw.fpga.readback import chip, compare, features, mutation, netlist, packets, placed, routing, verilog

ERRORS = (packets.BitError, chip.ChipError, placed.PlacedError, verilog.VerilogError, mutation.MutationError, OSError)
Subject = mutation.Subject
DEVICE = 0xFFFFFFF  # bits of an ID code without the revision
PACKAGE = re.compile(r"[a-z]+\d+-\d+$")  # of a part, with its speed grade


class Result(typing.NamedTuple):
    """`bits`: set bits of the bitstream, without the parity of frames."""

    counts: compare.Counts
    bits: int
    problems: list[str]


def load(database: pathlib.Path, part: str, bit: pathlib.Path, netlist_file: typing.Optional[pathlib.Path]) -> Subject:
    """Without a placed netlist the subject has no cells. Errors: ERRORS."""
    whole = chip.Chip(database, part)
    try:
        stream = packets.read(bit.read_bytes(), whole.part)
    except packets.BitError as error:
        raise packets.BitError(f"{bit}: {error}") from None
    if stream.idcode is not None and (stream.idcode ^ whole.part["idcode"]) & DEVICE:
        raise packets.BitError(f"{bit}: made for the device 0x{stream.idcode:08x}, {part} is 0x{whole.part['idcode']:08x}")
    cells = placed.load(whole, netlist_file) if netlist_file else []
    return Subject(whole, stream.frames, cells, required_features(whole.folder, part))


def required_features(family: pathlib.Path, part: str) -> list[str]:
    """The features that every bitstream of a die has. The database lists them for some of its packages."""
    die = PACKAGE.sub("", part)
    return next((file.read_text().split() for file in sorted(family.glob(f"{die}*/required_features.fasm"))), [])


def _unexplained(decoded: features.Decoded) -> list[str]:
    return [f"bit {bit} of word {word} of frame 0x{address:08x} is set and belongs to no feature" for address, word, bit in decoded.unexplained]


def check(subject: Subject) -> Result:
    """Compares the bits with the placed netlist."""
    comparison = subject.comparison
    bits = sum(bin(word & (-1 << features.ECC_BITS if index == features.ECC_WORD else -1)).count("1")
               for words in subject.frames.values() for index, word in enumerate(words))
    return Result(comparison.counts(), bits, _unexplained(subject.decoded) + comparison.problems)


def check_alone(subject: Subject) -> tuple[int, list[str]]:
    """Without a placed netlist: the number of switches that are on, and the problems: unknown bits, nodes with two drivers or none."""
    found = routing.Routing(subject.whole, subject.decoded.tiles)
    problems, count = _unexplained(subject.decoded), 0
    for driven, _ in found.switches(subject.decoded.tiles):
        count += 1
        if found.source(driven) is None:
            problems.append(f"net: no pin drives {subject.whole.name_of(driven)}")
    return count, problems + found.problems


def verilog_of(subject: Subject, module: str) -> str:
    """The netlist in the bits as a module. Errors: VerilogError."""
    return verilog.verilog(module, netlist.Netlist(subject.whole, subject.decoded))


def write_verilog(subject: Subject, path: pathlib.Path) -> None:
    """Writes the netlist in the bits as module bits_netlist; the file appears whole or not at all. Errors: ERRORS."""
    text = verilog_of(subject, "bits_netlist")
    partial = path.with_name(f".{path.name}.unfinished")
    try:
        partial.write_text(text, encoding="utf-8")
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
