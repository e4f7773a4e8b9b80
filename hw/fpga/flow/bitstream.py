# SPDX-License-Identifier: Apache-2.0
"""From nextpnr's FASM to a .bit file: checked against the cells' parameters before, and read back after."""
import datetime
import pathlib
import re
import typing

from hw.fpga.flow import Error, bit_file, cell_check, database, fasm, frames, placed_cells, tools

MAX_PROBLEMS = 20
BIT = re.compile(r"bit_([0-9a-f]{8})_(\d{3})_(\d{2})$")


class BitstreamError(Error):
    """Features that are unknown, contradict each other or the netlist, or bits that are not read back."""


def _fail(problems: list[str]) -> typing.NoReturn:
    more = len(problems) - MAX_PROBLEMS
    raise BitstreamError("\n".join(problems[:MAX_PROBLEMS] + ([f"... and {more} more"] if more > 0 else [])))


def checked_frames(part: database.Part, fasm_file: pathlib.Path,
                   placed_file: pathlib.Path) -> tuple[frames.Frames, list[fasm.Place], dict[str, int]]:
    """The frames, the features that nextpnr left out, and the number of checked cells by type. Errors: BitstreamError,
    fasm.FasmError, database.DatabaseError, placed_cells.PlacedCellsError."""
    lines = fasm_file.read_text(encoding="utf-8").splitlines()
    present = {place[1:] for place in fasm.parse(lines, fasm_file)}
    problems: list[str] = []
    added, checked = cell_check.check(part, placed_cells.load(placed_file, part), present, problems)
    made = frames.assemble(part, [*lines, *(fasm.text(*place) for place in added)], fasm_file, problems)
    if problems:
        _fail(problems)
    return made, added, checked


def _bits_of(part: database.Part, bit_path: pathlib.Path, folder: pathlib.Path) -> set[database.Bit]:
    """The set bits of a .bit file, as bitread of Project X-Ray finds them."""
    listing = folder / "read_back.bits"
    tools.run(["bitread", "-y", "-part_file", part.part_file, "-o", listing, bit_path], [folder])
    matches = map(BIT.match, listing.read_text().splitlines())
    return {(int(match[1], 16), int(match[2]), int(match[3])) for match in matches if match}


def write(part: database.Part, made: frames.Frames, folder: pathlib.Path, design: str, moment: datetime.datetime) -> pathlib.Path:
    """Writes folder/vta.bit and returns its path. Errors: BitstreamError if bitread does not find the same bits."""
    listing, raw, result = folder / "top.frames", folder / "frames.bit", folder / "vta.bit"
    result.unlink(missing_ok=True)
    with open(listing, "w", encoding="ascii") as file:
        made.write(file)
    tools.run(["xc7frames2bit", "-part_file", part.part_file, "-part_name", part.name, "-frm_file", listing, "-output_file", raw],
              [folder])
    found, wanted = _bits_of(part, raw, folder), made.set_bits()
    if found != wanted:
        raise BitstreamError(f"{raw}: {len(wanted - found)} bits of the FASM are missing and {len(found - wanted)} are too many")
    unfinished = folder / "vta.bit.unfinished"
    unfinished.write_bytes(bit_file.with_header(bit_file.configuration(raw.read_bytes()), design, part.name, moment))
    unfinished.replace(result)
    return result
