# SPDX-License-Identifier: Apache-2.0
"""Tests of the changes that hw/fpga/flow makes to a netlist before place and route, on netlists made by hand."""
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[5]
sys.path.insert(0, str(ROOT))
import netlist_cells  # noqa: E402
from hw.fpga.flow import constant_addresses, constant_blocks, constant_pins, global_resets  # noqa: E402

OUTPUTS = {"O", "Q", "CO"}


def cell(kind, **connections):
    return netlist_cells.cell(kind, OUTPUTS, **connections)


class ConstantPins(unittest.TestCase):
    def test_a_flip_flop_loses_pins_at_the_level_of_unused_ones(self):
        cells = {"always": cell("FDRE", C=1, D=2, Q=3, CE="1", R="0"), "never": cell("FDSE", C=1, D=2, Q=4, CE="0", S="1"),
                 "used": cell("FDRE_1", C=1, D=2, Q=5, CE=3, R=4), "latch": cell("LDCE", D=2, Q=6, CLR="0")}
        constant_pins.free({"cells": cells})
        pins = {name: set(cells[name]["connections"]) for name in cells}
        self.assertEqual(pins, {"always": {"C", "D", "Q"}, "never": {"C", "D", "Q", "CE", "S"}, "used": {"C", "D", "Q", "CE", "R"},
                                "latch": {"D", "Q", "CLR"}})
        for name in cells:
            self.assertEqual(set(cells[name]["port_directions"]), pins[name])

    def test_a_multiplier_without_registers_gets_the_clock(self):
        cells = {"first": cell("FDRE", C=1, D=2, Q=3), "second": cell("FDRE_1", C=1, D=3, Q=4), "other": cell("FDRE", C=5, D=4, Q=6),
                 "unused": cell("DSP48E1", CLK="0", CEP="0"), "used": cell("DSP48E1", CLK=5)}
        constant_pins.free({"cells": cells})
        self.assertEqual([cells[name]["connections"]["CLK"] for name in ("unused", "used")], [[1], [5]])
        alone = {"unused": cell("DSP48E1", CLK="0")}
        constant_pins.free({"cells": alone})
        self.assertEqual(alone, {"unused": cell("DSP48E1", CLK="0")})

    def test_a_constant_di_becomes_a_lut_beside_that_of_s(self):
        cells = {"sum": cell("LUT2", I0="1", I1=10, O=11), "inverter": cell("INV", I=12, O=13),
                 "shared": cell("LUT2", I0=14, I1=15, O=16), "other": cell("LUT1", I0=16, O=17),
                 "carry": cell("CARRY4", S=[11, 13, 16, 18], DI=["0", "1", "0", "1"], CO=[20, 21, 22, 23])}
        constant_pins.free({"cells": cells})
        self.assertEqual(cells["carry"]["connections"]["DI"], [24, 25, 26, 27])
        made = [cells[f"carry_di{at}"] for at in range(4)]
        self.assertEqual([lut["connections"] for lut in made], [
            {"I0": [10], "O": [24]}, {"I0": [12], "O": [25]},  # what the LUT of S reads
            {"I0": [16], "O": [26]}, {"I0": [18], "O": [27]}])  # S has no LUT of its own: nextpnr's reads the net
        self.assertEqual([lut["parameters"]["INIT"] for lut in made], ["00", "11", "00", "11"])

    def test_other_di_stay(self):
        cells = {"carry": cell("CARRY4", S=["0", 1, 2, 3], DI=["0", 4, "x", 5], CO=[6, 7, 8, 9])}
        constant_pins.free({"cells": cells})
        self.assertEqual(cells, {"carry": cell("CARRY4", S=["0", 1, 2, 3], DI=["0", 4, "x", 5], CO=[6, 7, 8, 9])})


def levels(block):
    """Port -> its bits as text, the highest first; "s" for a signal."""
    return {port: "".join(bit if isinstance(bit, str) else "s" for bit in reversed(bits)) for port, bits in block["connections"].items()}


class ConstantBlocks(unittest.TestCase):
    def raised(self, kind, parameters, **connections):
        block = cell(kind, **connections)
        block["parameters"] = parameters
        constant_blocks.to_ones({"cells": {"block": block}})
        return levels(block), block["parameters"]

    def test_resets_and_enables_of_bypassed_registers_of_a_dsp_are_1(self):
        found, _ = self.raised("DSP48E1", {"AREG": "0" * 32, "MREG": "0" * 31 + "1", "CREG": 0, "OPMODEREG": 0, "CARRYINSELREG": 1,
                                           "DREG": 0, "ADREG": 0},
                               CEA1="0", CEA2="0", RSTA="0", CEM="0", RSTM="0", RSTC=7, CEP="0", CECTRL="0", RSTCTRL="0", RSTD="0")
        self.assertEqual(found, {"CEA1": "1", "CEA2": "1", "RSTA": "1", "CEM": "0", "RSTM": "0", "RSTC": "s", "CEP": "0", "CECTRL": "0",
                                 "RSTCTRL": "0", "RSTD": "1", "CED": "1", "CEAD": "1", "CEC": "1"})

    def test_those_that_are_not_connected_are_1_too(self):
        dsp = cell("DSP48E1", CLK=1)
        dsp["parameters"] = {"MREG": 0, "BREG": 0}
        constant_blocks.to_ones({"cells": {"dsp": dsp}})
        self.assertEqual(levels(dsp), {"CLK": "s", "CEM": "1", "RSTM": "1", "CEB1": "1", "CEB2": "1", "RSTB": "1"})
        self.assertEqual(set(dsp["port_directions"]), set(dsp["connections"]))

    def test_a_dsp_ignores_what_its_multiplexers_do_not_select(self):
        for mode, a, c in [("1010000", "1", "1"), ("1010110", "1", "0"), ("s010ss0", "1", "0"), ("1111000", "0", "0"),
                           ("1s00000", "0", "1")]:
            with self.subTest(mode=mode):
                found, _ = self.raised("DSP48E1", {}, OPMODE=[9 if bit == "s" else bit for bit in mode], A=[1] * 24 + ["0"] * 6,
                                       C=["0"] * 48)
                self.assertEqual([found["A"], found["C"]], [a * 5 + "0" + "s" * 24, c * 48])

    def test_the_upper_bits_of_a_stay_where_the_next_dsp_reads_them(self):
        found, _ = self.raised("DSP48E1", {}, OPMODE=["1", "0", "1", "0", "0", "0", "0"], A=["0"] * 30, ACOUT=[5] * 30)
        self.assertEqual(found["A"], "0" * 30)

    def test_a_dsp_inverts_its_modes(self):
        found, parameters = self.raised("DSP48E1", {"IS_ALUMODE_INVERTED": "0001"}, OPMODE=["1", "0", "1", "0", 5, 5, "0"],
                                        ALUMODE=["0", "0", "1", "0"], CARRYIN="0")
        self.assertEqual(found, {"OPMODE": "1ss1111", "ALUMODE": "1111", "CARRYIN": "1"})
        self.assertEqual(parameters, {"IS_OPMODE_INVERTED": "1001010", "IS_ALUMODE_INVERTED": "1010", "IS_CARRYIN_INVERTED": "1"})

    def test_a_ram_ignores_its_bypassed_output_registers_and_inverts_the_resets_of_its_outputs(self):
        found, parameters = self.raised("RAMB18E1", {"DOA_REG": 1}, REGCEAREGCE="0", RSTREGARSTREG="0", REGCEB="0", RSTREGB="0",
                                        RSTRAMARSTRAM="0", RSTRAMB=5)
        self.assertEqual(found, {"REGCEAREGCE": "0", "RSTREGARSTREG": "0", "REGCEB": "1", "RSTREGB": "1", "RSTRAMARSTRAM": "1",
                                 "RSTRAMB": "s"})
        self.assertEqual(parameters, {"DOA_REG": 1, "IS_RSTRAMARSTRAM_INVERTED": "1"})

    def test_a_port_that_never_writes_ignores_its_data(self):
        pins = {"WEA": [4, 4], "DIADI": ["0", 6], "WEBWE": ["0", "0"], "DIBDI": ["0", 5], "DIPBDIP": ["0"]}
        found, _ = self.raised("RAMB36E1", {"RAM_MODE": "TDP"}, **{port: list(bits) for port, bits in pins.items()})
        self.assertEqual([found["DIADI"], found["DIBDI"], found["DIPBDIP"]], ["s0", "s1", "1"])
        found, _ = self.raised("RAMB36E1", {"RAM_MODE": "SDP"}, **pins)
        self.assertEqual([found["DIBDI"], found["DIPBDIP"]], ["s0", "0"])


class ConstantAddresses(unittest.TestCase):
    def raised(self, kind, parameters, **connections):
        ram = cell(kind, **connections)
        ram["parameters"] = parameters
        constant_addresses.to_ones({"cells": {"ram": ram}})
        return ram["connections"]

    def test_address_bits_that_are_0_in_all_ports_of_a_lut_ram_are_1(self):
        ports = self.raised("RAM32M", {"INIT_A": "0" * 64}, ADDRA=[1, "0", "0", "0", "0"], ADDRB=[2, 6, "0", "0", "0"],
                            ADDRC=[3, "0", "1", "0", "0"], ADDRD=[4, "0", "0", "0", "0"], DIA=["0", "0"])
        self.assertEqual(ports, {"ADDRA": [1, "0", "0", "1", "1"], "ADDRB": [2, 6, "0", "1", "1"],
                                 "ADDRC": [3, "0", "1", "1", "1"], "ADDRD": [4, "0", "0", "1", "1"], "DIA": ["0", "0"]})

    def test_a_ram_with_contents_stays(self):
        ports = self.raised("RAM64M", {"INIT_B": "0" * 63 + "1"}, ADDRA=["0"] * 6, ADDRB=["0"] * 6, ADDRC=["0"] * 6, ADDRD=["0"] * 6)
        self.assertEqual(set(sum(ports.values(), [])), {"0"})
        ports = self.raised("RAMB18E1", {"READ_WIDTH_A": f"{18:032b}", "INITP_00": "0" * 255 + "1"}, ADDRARDADDR=["0"] * 14,
                            ADDRBWRADDR=["0"] * 14)
        self.assertEqual(set(sum(ports.values(), [])), {"0"}, "contents of parity bits")

    def test_a_bit_that_only_the_wider_port_of_a_block_ram_ignores_stays(self):
        wide, narrow, unused = f"{36:032b}", f"{9:032b}", f"{0:032b}"
        ports = self.raised("RAMB36E1", {"READ_WIDTH_A": narrow, "WRITE_WIDTH_B": wide, "READ_WIDTH_B": unused},
                            ADDRARDADDR=["0"] * 10 + [1, 2, 3, "0", "0", "0"], ADDRBWRADDR=["0"] * 10 + [4, 5, 6, "0", "0", "0"])
        constant = ["1"] * 3 + ["0"] * 2 + ["1"] * 5  # bytes of a word of 4: bits 3 and 4
        self.assertEqual(ports["ADDRARDADDR"], constant + [1, 2, 3, "1", "1", "0"])
        self.assertEqual(ports["ADDRBWRADDR"], constant + [4, 5, 6, "1", "1", "0"])


class GlobalResets(unittest.TestCase):
    def test_a_reset_of_many_flip_flops_gets_a_buffer_for_them_alone(self):
        many = global_resets.MIN_FLIP_FLOPS
        cells = {f"ff{at}": cell("FDRE", C=1, D=2, Q=10 + at, R=3) for at in range(many - 1)}
        cells["set"] = cell("FDSE", C=1, D=2, Q=5, S=3)
        cells["lut"] = cell("LUT1", I0=3, O=6)
        self.assertEqual(global_resets.buffer({"cells": cells}), 1)
        buffer = cells["reset_buffer_0"]
        output = buffer["connections"]["O"][0]
        self.assertEqual((buffer["type"], buffer["connections"]["I"]), ("BUFG", [3]))
        self.assertEqual((cells["ff0"]["connections"]["R"], cells["set"]["connections"]["S"]), ([output], [output]))
        self.assertEqual(cells["lut"]["connections"]["I0"], [3])

    def test_a_small_reset_and_a_constant_stay(self):
        cells = {f"ff{at}": cell("FDRE", C=1, D=2, Q=10 + at, R=3) for at in range(global_resets.MIN_FLIP_FLOPS - 1)}
        cells |= {f"free{at}": cell("FDRE", C=1, D=2, Q=10000 + at, R="1") for at in range(global_resets.MIN_FLIP_FLOPS)}
        before = set(cells)
        self.assertEqual(global_resets.buffer({"cells": cells}), 0)
        self.assertEqual(set(cells), before)


if __name__ == "__main__":
    unittest.main()
