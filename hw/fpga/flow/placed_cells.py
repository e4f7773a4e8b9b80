# SPDX-License-Identifier: Apache-2.0
"""The cells of a netlist that nextpnr has placed (--write), with the tiles of the bit database that they are in."""
import json
import pathlib
import re
import typing

from hw.fpga.flow import Error, database
from hw.fpga.flow.netlist import Json

ORIGINAL_TYPE = "X_ORIG_TYPE"  # attribute of a packed cell
BEL = re.compile(r"X(\d+)Y(\d+)/(\w+?)_X(\d+)Y(\d+)\.(\w+)$")
LUT = re.compile(r"(.*\.[A-D])[56]LUT$")  # the two outputs of a LUT are places of two cells


class PlacedCellsError(Error):
    """A netlist without placement, or for another part."""


class PlacedCell(typing.NamedTuple):
    """`type`: that of the netlist before packing, such as FDRE. `x`, `y`: place of the site in its tile. `bel`: such as AFF.
    `pins`: connected pins -> whether the net is a constant."""

    name: str
    type: str
    parameters: dict[str, typing.Any]
    tile: str
    x: int
    y: int
    bel: str
    pins: dict[str, bool]


def number(value: typing.Any) -> typing.Any:
    """nextpnr writes numbers as strings of bits or digits; x counts as 0."""
    if not isinstance(value, str):
        return value
    text = value.strip().replace("x", "0")
    if len(text) > 1 and set(text) <= {"0", "1"}:
        return int(text, 2)
    return int(text) if text.isdigit() else value


def original_type(cell: Json) -> str:
    """The type of a cell in nextpnr's JSON before packing, such as FDRE."""
    return str(cell["attributes"].get(ORIGINAL_TYPE, cell["type"]))


def num_luts(path: pathlib.Path) -> int:
    """The LUTs that the cells of the file take, which are fewer than the cells: two functions of the same five inputs share one."""
    with open(path, encoding="utf-8") as file:
        modules = json.load(file)["modules"]
    places = (LUT.match(cell["attributes"].get("NEXTPNR_BEL", "")) for module in modules.values() for cell in module["cells"].values())
    return len({place[1] for place in places if place})


def load(path: pathlib.Path, part: database.Part) -> list[PlacedCell]:
    """All cells of the file in places that have tiles. Errors: PlacedCellsError."""
    with open(path, encoding="utf-8") as file:
        modules = json.load(file)["modules"]
    module = next(iter(modules.values()))
    tile_at = {(tile["grid_x"], tile["grid_y"]): name for name, tile in part.tiles.items()}
    constants = {bit for name, net in module["netnames"].items() if name.startswith("$PACKER_") for bit in net["bits"]}
    cells = []
    for name, cell in module["cells"].items():
        bel = cell["attributes"].get("NEXTPNR_BEL")
        if bel is None:
            raise PlacedCellsError(f"{path}: cell {name} has no place")
        match = BEL.match(bel)
        if match is None:
            continue  # a pad, or a source of constants
        tile = tile_at.get((int(match[1]), int(match[2])))
        if tile is None:
            raise PlacedCellsError(f"{path}: cell {name} is at {bel}, where {part.name} has no tile")
        pins = {port: bits[0] in constants for port, bits in cell["connections"].items() if bits}
        cells.append(PlacedCell(name, original_type(cell),
                                {key: number(value) for key, value in cell["parameters"].items()},
                                tile, int(match[4]), int(match[5]), match[6], pins))
    return cells
