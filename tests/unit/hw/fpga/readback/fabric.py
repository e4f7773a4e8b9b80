# SPDX-License-Identifier: Apache-2.0
"""A database of a chip made by hand: a slice, a switch box whose every switch has one bit, and a buffer of a row of clocks.

The switch box drives each input pin of the slice by one of OUT0 to OUT31, to which the outputs of the slice are wired, or by GND_WIRE. A
pin that no switch drives is 1. OUT30 is the input of the clock buffer, whose output is CLK of the slice. A processing system drives OUT30
by FCLKCLK0, and has inputs DATA0 and DATA1 from the switch box. A block RAM has neither bits nor pins.
"""
import json

LETTERS = "ABCD"
INPUTS = [f"{letter}{pin}" for letter in LETTERS for pin in "123456X"] + ["CE", "SR"]
SYSTEM_INPUTS = ["DATA0", "DATA1"]
OUTPUTS = [f"{letter}{kind}" for letter in LETTERS for kind in ("", "Q", "MUX")] + ["COUT"]
SOURCES = [*(f"OUT{index}" for index in range(32)), "GND_WIRE"]
FLAGS = ["CEUSEDMUX", "SRUSEDMUX", "CLKINV", "FFSYNC", "LATCH", "PRECYINIT.AX", "PRECYINIT.C1", "PRECYINIT.CIN"]
for letter_ in LETTERS:
    FLAGS += [f"{letter_}FF.{name}" for name in ("ZINI", "ZRST")] + [f"{letter_}5FF.{name}" for name in ("ZINI", "ZRST")]
    FLAGS += [f"{letter_}FFMUX.{name}" for name in (f"{letter_}X", "O5", "O6", "XOR", "CY")]
    FLAGS += [f"{letter_}OUTMUX.{name}" for name in (f"{letter_}5Q", "O5", "O6", "XOR", "CY")]
    FLAGS += [f"{letter_}5FFMUX.{name}" for name in ("IN_A", "IN_B")] + [f"CARRY4.{letter_}CY0"]
BOX, SLICE, CLOCK, SYSTEM, RAM = "INT_L_X0Y0", "CLBLM_L_X1Y0", "CLK_HROW_TOP_R_X2Y0", "PSS2_X3Y0", "BRAM_L_X4Y0"


def lines(kind, names):
    """One bit for each feature, 64 a frame."""
    return "".join(f"{kind}.{name} {index // 64:02}_{index % 64:02}\n" for index, name in enumerate(names))


def switch(driven, driving):
    return {"dst_wire": driven, "src_wire": driving, "is_directional": "1"}


def site(prefix, kind, pins):
    return {"prefix": prefix, "name": "X0Y0", "type": kind, "site_pins": {pin: {"wire": wire} for pin, wire in pins.items()}}


def write(folder, name, contents):
    (folder / name).write_text(contents if isinstance(contents, str) else json.dumps(contents))


def tile(x, kind, base, sites):
    frames = {"baseaddr": hex(base), "frames": 32, "offset": 0, "words": 2}
    return {"grid_x": x, "grid_y": 0, "type": kind, "bits": {"CLB_IO_CLK": frames}, "sites": sites}


def _add_tile_types(folder):
    pins = {pin: f"SLICE_{pin}" for pin in (*INPUTS, *OUTPUTS, "CLK", "CIN")}
    switches = [switch(f"MUX_{pin}", source) for pin in (*INPUTS, *SYSTEM_INPUTS) for source in SOURCES]
    write(folder, "tile_type_INT_L.json", {"pips": {f"{index}": pip for index, pip in enumerate(switches)}, "sites": [], "wires": {}})
    write(folder, "segbits_int_l.db", lines("INT_L", [f"{pip['dst_wire']}.{pip['src_wire']}" for pip in switches]))
    write(folder, "ppips_int_l.db", "".join(f"INT_L.MUX_{pin}.VCC_WIRE default\n" for pin in (*INPUTS, *SYSTEM_INPUTS)))
    write(folder, "tile_type_CLBLM_L.json", {"pips": {}, "sites": [site("SLICE", "SLICEL", pins)], "wires": {}})
    contents = [f"{letter}LUT.INIT[{bit:02}]" for letter in LETTERS for bit in range(64)]
    write(folder, "segbits_clblm_l.db", lines("CLBLM_L", [f"SLICEL_X0.{name}" for name in (*FLAGS, *contents)]))
    clock = {"CE": "CLK_CE", "I": "CLK_IN", "O": "CLK_OUT"}
    write(folder, "tile_type_CLK_HROW_TOP_R.json",
          {"pips": {"0": switch("CLK_CE", "GND_WIRE")}, "sites": [site("BUFHCE", "BUFHCE", clock)], "wires": {}})
    names = ["BUFHCE.BUFHCE_X0Y0.IN_USE", "BUFHCE.BUFHCE_X0Y0.ZINV_CE", "CLK_CE.GND_WIRE", "CLK_CE.VCC_WIRE"]
    write(folder, "segbits_clk_hrow_top_r.db", lines("CLK_HROW_TOP_R", names))
    write(folder, "ppips_clk_hrow_top_r.db", "CLK_HROW_TOP_R.CLK_CE.VCC_WIRE default\n")
    system = {pin: f"PS7_{pin}" for pin in ("FCLKCLK0", *SYSTEM_INPUTS)}
    write(folder, "tile_type_PSS2.json", {"pips": {}, "sites": [site("PS7", "PS7", system)], "wires": {}})
    for kind, outputs, used in (("SLICEL", OUTPUTS, pins), ("BUFHCE", ["O"], clock), ("PS7", ["FCLKCLK0"], system)):
        write(folder, f"site_type_{kind}.json", {"site_pins": {pin: {"direction": "OUT" if pin in outputs else "IN"} for pin in used}})


def database(root):
    """Writes the database into a folder; its only part is xc7z0."""
    family = root / "family"
    for name in ("mapping", "die", "xc7z0"):
        (family / name).mkdir(parents=True)
    bus = {"configuration_columns": {str(column): {"frame_count": 64} for column in range(3)}}
    regions = {"top": {"rows": {"0": {"configuration_buses": {"CLB_IO_CLK": bus}}}}, "bottom": {"rows": {}}}
    write(family / "xc7z0", "part.json", {"global_clock_regions": regions, "idcode": 0x1234})
    write(family / "mapping", "devices.yaml", '"xc7z0":\n    fabric: "die"\n')
    grid = {BOX: tile(0, "INT_L", 0, {}), SLICE: tile(1, "CLBLM_L", 0x80, {"SLICE_X0Y0": "SLICEL"}),
            CLOCK: tile(2, "CLK_HROW_TOP_R", 0x100, {"BUFHCE_X0Y0": "BUFHCE"}),
            SYSTEM: {"grid_x": 3, "grid_y": 0, "type": "PSS2", "bits": {}, "sites": {"PS7_X0Y0": "PS7"}},
            RAM: {"grid_x": 4, "grid_y": 0, "type": "BRAM_L", "bits": {}, "sites": {}}}
    write(family / "die", "tilegrid.json", grid)
    inner = [[f"MUX_{pin}", f"SLICE_{pin}"] for pin in INPUTS] + [[f"OUT{index}", f"SLICE_{pin}"] for index, pin in enumerate(OUTPUTS)]
    rows = [["SLICE_CLK", "CLK_OUT"]]
    system = [["OUT30", "PS7_FCLKCLK0"], *([f"MUX_{pin}", f"PS7_{pin}"] for pin in SYSTEM_INPUTS)]
    write(family / "die", "tileconn.json",
          [{"grid_deltas": [1, 0], "tile_types": ["INT_L", "CLBLM_L"], "wire_pairs": inner},
           {"grid_deltas": [1, 0], "tile_types": ["CLBLM_L", "CLK_HROW_TOP_R"], "wire_pairs": rows},
           {"grid_deltas": [2, 0], "tile_types": ["INT_L", "CLK_HROW_TOP_R"], "wire_pairs": [["OUT30", "CLK_IN"]]},
           {"grid_deltas": [3, 0], "tile_types": ["INT_L", "PSS2"], "wire_pairs": system}])
    _add_tile_types(family)


def out(pin):
    """The wire of the switch box that an output pin of the slice has."""
    return f"OUT{OUTPUTS.index(pin)}"
