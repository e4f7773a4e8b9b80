# SPDX-License-Identifier: Apache-2.0
"""Constants at pins of cells that cost nextpnr wires and need none.

- A flip-flop's clock enable of 1 or reset of 0: a slice has a bit each for "not used", which is the same. nextpnr sets it, and
  routes the constant to the pin nevertheless, for every flip-flop.
- CLK of a DSP48E1 without registers, which yosys ties to 0: its way in the interconnect is also the only one to D[6] of the
  other DSP48E1 in the tile, so some placements cannot be routed. The clock is there by a wire of its own.
- DI of a CARRY4: nextpnr puts a LUT1 in front, and routes the constant to its input. A LUT1 that is constant by its table does as
  well, with an input that the LUT of S beside it has already.
"""
import collections
import typing

from hw.fpga.flow import netlist, nextpnr_hook

UNUSED_LEVEL = {"CE": "1", "R": "0", "S": "0", "CLR": "0", "PRE": "0"}
FLIP_FLOPS = ("FDRE", "FDSE", "FDCE", "FDPE")
LUTS_BESIDE_CARRIES = ("INV", "LUT1", "LUT2", "LUT3", "LUT4", "LUT5")


def _pins(module: netlist.Json, direction: str) -> typing.Iterator[tuple[int, netlist.Json]]:
    """(net, cell) of each pin that is connected to a net."""
    return ((bit, cell) for cell in module["cells"].values() for port, bits in cell["connections"].items()
            if cell["port_directions"][port] == direction for bit in bits if isinstance(bit, int))


def _free_flip_flop(cell: netlist.Json) -> None:
    for port, level in UNUSED_LEVEL.items():
        if cell["connections"].get(port) == [level]:
            del cell["connections"][port], cell["port_directions"][port]


def _clock(module: netlist.Json) -> int | str | None:
    """The net at most clock pins of flip-flops; None without flip-flops."""
    nets = collections.Counter(cell["connections"]["C"][0] for cell in module["cells"].values()
                               if cell["type"].removesuffix("_1") in FLIP_FLOPS and "C" in cell["connections"])
    return nets.most_common(1)[0][0] if nets else None


def _clocked(cell: netlist.Json, clock: int | str | None) -> None:
    if cell["connections"].get("CLK") in (["0"], ["1"]) and clock is not None:
        cell["connections"]["CLK"] = [clock]


def _beside(select: int, drivers: dict[int, netlist.Json], fan_out: collections.Counter[int]) -> int:
    """A net that the LUT of S reads. Where S has no LUT of its own, nextpnr inserts one, which reads the net of S."""
    driver = drivers.get(select)
    if driver is None or driver["type"] not in LUTS_BESIDE_CARRIES or fan_out[select] != 1:
        return select
    return next((bits[0] for port, bits in driver["connections"].items()
                 if driver["port_directions"][port] == "input" and isinstance(bits[0], int)), select)


def _constant_lut(level: str, beside: int, output: int) -> netlist.Json:
    return {"hide_name": 1, "type": "LUT1", "parameters": {"INIT": level * 2}, "attributes": {},
            "port_directions": {"I0": "input", "O": "output"}, "connections": {"I0": [beside], "O": [output]}}


def free(module: netlist.Json) -> None:
    """Changes a module of yosys' JSON."""
    drivers = dict(_pins(module, "output"))
    fan_out = collections.Counter(bit for bit, _ in _pins(module, "input"))
    next_bit = 1 + max([*drivers, *fan_out], default=1)
    luts = {}
    clock = _clock(module)
    for name, cell in module["cells"].items():
        if cell["type"].removesuffix("_1") in FLIP_FLOPS:
            _free_flip_flop(cell)
        if cell["type"] == "DSP48E1":
            _clocked(cell, clock)
        if cell["type"] != "CARRY4":
            continue
        selects, data = cell["connections"]["S"], cell["connections"]["DI"]
        for at, (select, level) in enumerate(zip(selects, data)):
            if level in ("0", "1") and isinstance(select, int):
                data[at] = next_bit
                luts[name + nextpnr_hook.CONSTANT_LUTS[at]] = _constant_lut(level, _beside(select, drivers, fan_out), next_bit)
                next_bit += 1
    module["cells"].update(luts)
