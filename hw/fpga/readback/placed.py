# SPDX-License-Identifier: Apache-2.0
"""The netlist that was placed, as nextpnr writes it (--write): cells at their sites, with the pin that drives each of their pins."""
import json
import pathlib
import re
import typing

from hw.fpga.readback import chip, routing

BEL = re.compile(r"X(\d+)Y(\d+)/(\w+?_X\d+Y\d+)\.(\w+)$")
CONSTANTS = {"PSEUDO_GND": "0", "PSEUDO_VCC": "1"}
ORIGINAL = "X_ORIG_PORT_"  # attribute: the ports that a pin was before packing
TIED = {"DSP_GND_PINS": "0", "DSP_VCC_PINS": "1"}  # attributes of a DSP
RAMS = {"RAMB36E1": 2, "RAMB18E1": 1}  # halves


class PlacedError(Exception):
    """A file that is not a placed netlist of the part."""


class Cell(typing.NamedTuple):
    """`type`: before packing, such as FDRE. `bel`: such as A6LUT; of a RAMB18 or other block its type. `inputs`: connected pin -> pin that
    drives it, or a constant. `ports`: pin -> ports before packing. `outputs`: pins with a net."""

    name: str
    type: str
    tile: str
    site: str
    bel: str
    parameters: dict[str, str]
    inputs: dict[str, str]
    ports: dict[str, list[str]]
    outputs: list[str]


def value(text: typing.Union[str, int]) -> int:
    """nextpnr writes numbers as strings of bits or digits; x counts as 0."""
    if isinstance(text, int):
        return text
    bits = text.strip().replace("x", "0")
    return int(bits, 2) if len(bits) > 1 and set(bits) <= {"0", "1"} else int(bits)


def ram_half(whole: chip.Chip, tile: str, site: str, pin: str) -> tuple[int, str]:
    """(half, pin of a RAMB18) of a pin of a block RAM."""
    if site.startswith("RAMB18"):
        return int(site[-1]) % 2, pin
    if pin == "RSTRAMARSTRAML":
        pin += "RST"
    pins = next(found.pins for found in whole.tile_type(whole.grid[tile]["type"]).sites if found.name == site)
    half = routing.ram_pin(pins[pin])
    if half is None:
        raise PlacedError(f"{tile}/{site}: no pin {pin}")
    return half


class _Loader:
    def __init__(self, whole: chip.Chip, module: dict[str, typing.Any]) -> None:
        self._chip = whole
        self._cells = module["cells"]
        self._drivers: dict[int, str] = {}
        for name, cell in self._cells.items():
            for pin, bits in cell["connections"].items():
                if bits and cell["port_directions"][pin] == "output":
                    self._drivers[bits[0]] = CONSTANTS.get(cell["type"]) or self._pin(name, cell, pin)

    def _place(self, name: str, cell: dict[str, typing.Any]) -> tuple[str, str, str]:
        match = BEL.match(cell["attributes"].get("NEXTPNR_BEL", ""))
        tile = None
        if match:
            tile = self._chip.tile_at.get(self._chip.position_of(int(match[1]), int(match[2])))
        if match is None or tile is None:
            raise PlacedError(f"cell {name} has no place of {self._chip.name}: '{cell['attributes'].get('NEXTPNR_BEL', '')}'")
        return tile, match[3], match[4]

    def _pin(self, name: str, cell: dict[str, typing.Any], pin: str) -> str:
        """The name of a pin as hw/fpga/readback/netlist.py has it."""
        tile, site, bel = self._place(name, cell)
        if site.startswith("SLICE"):
            return f"{tile}/{site}.{bel}.{pin}"
        if bel in RAMS:
            half, pin = ram_half(self._chip, tile, site, pin)
            return f"{tile}/RAMB18_X0Y{half}.{pin}"
        return f"{tile}/{site}.{pin}"

    def _inputs(self, name: str, cell: dict[str, typing.Any]) -> dict[str, str]:
        found = {}
        for pin, bits in cell["connections"].items():
            if bits and cell["port_directions"][pin] == "input":
                if bits[0] not in self._drivers:
                    raise PlacedError(f"cell {name}: no pin drives the net of {pin}")
                found[pin] = self._drivers[bits[0]]
        for attribute, constant in TIED.items():
            found |= {pin: constant for pin in cell["attributes"].get(attribute, "").split()}
        return found

    def cells(self) -> typing.Iterator[Cell]:
        for name, cell in self._cells.items():
            if cell["type"] in CONSTANTS:
                continue
            attributes = cell["attributes"]
            outputs = [pin for pin, bits in cell["connections"].items() if bits and cell["port_directions"][pin] == "output"]
            ports = {key.removeprefix(ORIGINAL): text.split() for key, text in attributes.items() if key.startswith(ORIGINAL)}
            yield Cell(name, attributes.get("X_ORIG_TYPE", cell["type"]).strip(), *self._place(name, cell), cell["parameters"],
                       self._inputs(name, cell), ports, outputs)


def load(whole: chip.Chip, path: pathlib.Path) -> list[Cell]:
    """All cells of nextpnr's JSON. Errors: PlacedError."""
    try:
        with open(path, encoding="utf-8") as file:
            module = next(iter(json.load(file)["modules"].values()))
        return list(_Loader(whole, module).cells())
    except (ValueError, KeyError, TypeError, AttributeError, StopIteration) as error:
        raise PlacedError(f"{path}: not a netlist that nextpnr wrote: {type(error).__name__} {error}") from error
