# SPDX-License-Identifier: Apache-2.0
"""The cells of a slice as its bits configure them (UG474): look-up tables, flip-flops, carry chain, wide multiplexers.

Pins of cells have the names of nextpnr's: A6LUT.A1, AFF.D, CARRY4.DI0, F7AMUX.S0. A source is the name of a pin within the slice, such as
A6LUT.O6, or ("pin", name) for a pin of the slice, or "0" or "1".
"""
import typing

from hw.fpga.readback import features

LETTERS = "ABCD"
WIDE = {"A": "F7AMUX", "B": "F8MUX", "C": "F7BMUX"}


class Pin(typing.NamedTuple):
    """An input pin of the slice."""

    name: str


Source = typing.Union[str, Pin, None]


class Slice:
    """`taken`: the features that were asked for, with the prefix of the slice."""

    def __init__(self, tile: features.TileFeatures, prefix: str) -> None:
        self._tile = tile
        self._prefix = prefix
        self.taken: set[str] = set()

    def flag(self, name: str) -> bool:
        self.taken.add(self._prefix + name)
        return self._prefix + name in self._tile.flags

    def contents(self, letter: str) -> int:
        """The 64 bits of a look-up table."""
        name = f"{self._prefix}{letter}LUT.INIT"
        self.taken.add(name)
        return self._tile.vectors.get(name, 0)

    def chosen(self, multiplexer: str, inputs: typing.Iterable[str]) -> list[str]:
        """The inputs of a multiplexer that its bits select."""
        return [name for name in inputs if self.flag(f"{multiplexer}.{name}")]

    def output(self, pin: str) -> Source:
        """The source of an output pin of the slice."""
        letter, kind = pin[0], pin[1:]
        if pin == "COUT":
            return "CARRY4.CO3"
        if kind == "":
            return f"{letter}6LUT.O6"
        if kind == "Q":
            return f"{letter}FF.Q"
        found = self.chosen(f"{letter}OUTMUX", [f"{letter}5Q", "CY", "XOR", "F7", "F8", "O5", "O6", "MC31"])
        return self._select(letter, found)

    def _select(self, letter: str, chosen: list[str]) -> Source:
        if len(chosen) != 1:
            return None
        bit = LETTERS.index(letter)
        ways: dict[str, Source] = {
            f"{letter}5Q": f"{letter}5FF.Q", "CY": f"CARRY4.CO{bit}", "XOR": f"CARRY4.O{bit}", "O5": f"{letter}5LUT.O5",
            "O6": f"{letter}6LUT.O6", "F7": f"{WIDE.get(letter)}.OUT", "F8": f"{WIDE.get(letter)}.OUT", f"{letter}X": Pin(f"{letter}X"),
            "MC31": "D6LUT.MC31"}
        return ways[chosen[0]]

    def _control(self, name: str) -> dict[str, Source]:
        return {"CK": Pin("CLK"), "CE": Pin("CE") if self.flag("CEUSEDMUX") else "1", "SR": Pin("SR") if self.flag("SRUSEDMUX") else "0",
                "D": self._data(name)}

    def _data(self, name: str) -> Source:
        letter = name[0]
        if name[1] == "5":
            found = self.chosen(f"{letter}5FFMUX", ["IN_A", "IN_B"])
            return None if len(found) != 1 else f"{letter}5LUT.O5" if found[0] == "IN_A" else Pin(f"{letter}X")
        return self._select(letter, self.chosen(f"{letter}FFMUX", [f"{letter}X", "CY", "XOR", "F7", "F8", "O5", "O6", "MC31"]))

    def _carry(self) -> dict[str, Source]:
        found: dict[str, Source] = {}
        for bit, letter in enumerate(LETTERS):
            found[f"S{bit}"] = f"{letter}6LUT.O6"
            found[f"DI{bit}"] = f"{letter}5LUT.O5" if self.flag(f"CARRY4.{letter}CY0") else Pin(f"{letter}X")
        start = self.chosen("PRECYINIT", ["AX", "C1", "CIN"])
        self.flag("PRECYINIT.C0")
        found["CIN"] = Pin("CIN") if start == ["CIN"] else "0"
        found["CYINIT"] = "0" if start in ([], ["CIN"]) else "1" if start == ["C1"] else Pin("AX") if start == ["AX"] else None
        return found

    def _wide(self, name: str) -> dict[str, Source]:
        if name == "F8MUX":
            return {"0": "F7BMUX.OUT", "1": "F7AMUX.OUT", "S0": Pin("BX")}
        low, high, select = ("B", "A", "AX") if name == "F7AMUX" else ("D", "C", "CX")
        return {"0": f"{low}6LUT.O6", "1": f"{high}6LUT.O6", "S0": Pin(select)}

    def is_ram(self, letter: str) -> bool:
        return self.flag(f"{letter}LUT.RAM")

    def _memory(self, letter: str) -> dict[str, Source]:
        """The write port of a look-up table that is a RAM. Its data comes from the slice's own pin or from that of a neighbor."""
        found: dict[str, Source] = {f"WA{bit}": Pin(f"D{bit}") for bit in range(1, 7)}
        found |= {"CLK": Pin("CLK"), "WE": Pin("CE") if self.flag("WEMUX.CE") else Pin("WE"), "DI2": Pin(f"{letter}X")}
        found |= {"WA7": Pin("CX") if self.flag("WA7USED") else "0", "WA8": Pin("BX") if self.flag("WA8USED") else "0"}
        own = {"A": "AI", "B": "BI", "C": "CI", "D": "DI"}
        source = letter
        while source != "D" and not self.flag(f"{source}LUT.DI1MUX.{own[source]}"):
            self.flag(f"{source}LUT.DI1MUX.{'BDI1_BMC31' if source == 'A' else f'DI_{chr(ord(source) + 1)}MC31'}")
            source = "B" if source == "A" else "D"
        found["DI1"] = Pin(own[source])
        return found

    def inputs(self, cell: str) -> dict[str, Source]:
        """Input pin of a cell -> its source."""
        if cell.endswith("FF"):
            return self._control(cell)
        if cell == "CARRY4":
            return self._carry()
        if cell.endswith("MUX"):
            return self._wide(cell)
        letter, size = cell[0], int(cell[1])
        is_ram = self.is_ram(letter)
        pins = 6 if is_ram else size  # a RAM of 32 bits has its halves by A6
        found: dict[str, Source] = {f"A{bit}": Pin(f"{letter}{bit}") for bit in range(1, pins + 1)}
        return found | self._memory(letter) if is_ram else found
