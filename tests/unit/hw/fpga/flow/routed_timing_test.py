# SPDX-License-Identifier: Apache-2.0
"""Tests of hw/fpga/flow/routed_timing.py on placed cells and routes that are written here, with delays computed by hand."""
import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[5]
sys.path.insert(0, str(ROOT))
from hw.fpga.flow import cell_delays, netlist, routed_timing, static_timing  # noqa: E402

OUTPUTS = {"Q", "O", "O5", "O6", "OUT", "DOADO0", "Y"} | {f"{port}{bit}" for port in ("CO", "O") for bit in range(4)}
TO_Q = 0.456
LUT = 0.124
FF_D = -0.052


def placed(kind, original, logical, parameters=None, **connections):
    """`logical`: physical pin -> ports before packing; `connections`: physical pin -> net."""
    return {"type": kind, "parameters": parameters or {},
            "attributes": {"X_ORIG_TYPE": original} | {f"X_ORIG_PORT_{pin}": port for pin, port in logical.items()},
            "port_directions": {pin: "output" if pin in OUTPUTS else "input" for pin in connections},
            "connections": {pin: [net] if net else [] for pin, net in connections.items()}}


def register(d, q):
    return placed("SLICE_FFX", "FDRE", {"CK": "C", "D": "D", "Q": "Q"}, CK=1, D=d, Q=q)


def lut(logical, init, output, **connections):
    """`init`: as nextpnr writes it, at least 32 digits."""
    return placed("SLICE_LUTX", f"LUT{len(' '.join(logical.values()).split())}", logical | {"O6": "O"}, {"INIT": init.zfill(32)},
                  O6=output, **connections)


CLOCK = placed("BUFGCTRL", "BUFGCTRL", {}, O=1)
CLOCK["port_directions"]["O"] = "output"


def files(cells, delays, names=None):
    """The placed module, the design and its routes. `delays`: (cell, port before packing) -> ps of its net."""
    module = {"cells": cells | {"clock": CLOCK}, "netnames": names or {}}
    sinks = {pin: f"X{at}Y1/W" for at, pin in enumerate(delays)}
    design = {"nets": [{"name": f"to {wire}", "sinks": [wire], "pins": [list(pin)]} for pin, wire in sinks.items()]}
    routes = {"nets": [{"name": f"to {wire}", "delays": [[wire, delays[pin]]]} for pin, wire in sinks.items()]}
    return module, design, routes


def timing_of(cells, delays):
    module, design, routes = files(cells, delays)
    return static_timing.Timing(routed_timing.logical_netlist("top", module), routed_timing.RoutedNets(design, routes))


def required(timing):
    """{(cell, port): ns} of the endpoints."""
    return {(end.cell.name, end.port): end.required_ns for end in timing.endpoints}


class Paths(unittest.TestCase):
    def test_a_path_has_the_routed_delays_of_its_nets(self):
        timing = timing_of({"a": register(0, 2), "l": lut({"A1": "I0"}, "01", 3, A1=2), "b": register(3, 4)},
                           {("l", "I0"): 800, ("b", "D"): 0})
        self.assertAlmostEqual(required(timing)["b", "D"], TO_Q + 0.8 + LUT + FF_D)

    def test_a_pin_that_a_lut_does_not_read_is_on_no_path(self):
        cells = {"a": register(0, 2), "far": register(0, 5), "l": lut({"A1": "I0"}, "01", 3, A1=2, A3=5), "b": register(3, 4)}
        timing = timing_of(cells, {("l", "I0"): 800, ("l", "A3"): 9000, ("b", "D"): 0})
        self.assertAlmostEqual(required(timing)["b", "D"], TO_Q + 0.8 + LUT + FF_D)

    def test_two_ports_on_one_pin_are_both_read(self):
        cells = {"a": register(0, 2), "l": lut({"A1": "I0 I1"}, "0110", 3, A1=2), "b": register(3, 4)}
        timing = timing_of(cells, {("l", "I0"): 800, ("l", "I1"): 900, ("b", "D"): 0})
        self.assertAlmostEqual(required(timing)["b", "D"], TO_Q + 0.9 + LUT + FF_D)

    def test_the_route_into_a_register_has_its_bypass(self):
        timing = timing_of({"a": register(0, 2), "b": register(2, 3)}, {("b", "D"): 500})
        self.assertAlmostEqual(required(timing)["b", "D"], TO_Q + 0.5 + FF_D)

    def test_a_constant_lut_starts_no_path(self):
        carry = {"DI0": "DI[0]", "S0": "S[0]", "O0": "O[0]"}
        for init in ("00", "11"):
            cells = {"a": register(0, 2), "far": register(0, 3), "k": lut({"A1": "I0"}, init, 5, A1=3),
                     "l": lut({"A1": "I0"}, "01", 4, A1=2), "c": placed("CARRY4", "CARRY4", carry, DI0=5, S0=4, O0=6),
                     "b": register(6, 7)}
            timing = timing_of(cells, {("k", "I0"): 9000, ("l", "I0"): 800, ("c", "S[0]"): 0, ("b", "D"): 0})
            self.assertAlmostEqual(required(timing)["b", "D"], TO_Q + 0.8 + LUT + 0.247 + FF_D)
            self.assertNotIn(5, timing.netlist.nets)

    def test_a_lut_of_a_ram_is_written_at_the_clock_and_read_at_once(self):
        logical = {"A1": "RADR0", "WA1": "WADR0", "DI2": "I", "WE": "WE", "O6": "O", "CLK": "CLK"}
        ram = placed("SLICE_LUTX", "RAMD32", logical, A1=2, A6=2, WA1=2, DI2=2, WE=2, CLK=1, O6=3)
        pins = {("r", port): 300 for port in ("RADR0", "WADR0", "I", "WE")}
        timing = timing_of({"a": register(0, 2), "r": ram, "b": register(3, 4)}, pins | {("b", "D"): 0})
        found = required(timing)
        for port, kind in (("WADR0", "ADDR"), ("I", "D"), ("WE", "WE")):
            self.assertAlmostEqual(found["r", port], TO_Q + 0.3 + cell_delays.LUT_RAM_SETUPS_NS[kind])
        self.assertAlmostEqual(found["b", "D"], cell_delays.LUT_RAM_TO_O_NS + FF_D)  # later than through RADR0
        self.assertAlmostEqual(timing.through["r", "RADR0", 0][0][1], LUT)

    def test_of_two_pins_for_one_address_bit_the_later_counts(self):
        ram = placed("RAMB36E1_RAMB36E1", "RAMB36E1", {"ADDRARDADDRL3": "ADDRARDADDR[3]", "ADDRARDADDRU3": "ADDRARDADDR[3]"},
                     ADDRARDADDRL3=2, ADDRARDADDRU3=2)
        module, design, routes = files({"a": register(0, 2), "r": ram}, {})
        design["nets"] = [{"name": "n", "sinks": ["L", "U"], "pins": [["r", "ADDRARDADDR[3]"]] * 2}]
        routes["nets"] = [{"name": "n", "delays": [["L", 1200], ["U", 700]]}]
        timing = static_timing.Timing(routed_timing.logical_netlist("top", module), routed_timing.RoutedNets(design, routes))
        self.assertAlmostEqual(required(timing)["r", "ADDRARDADDR"], TO_Q + 1.2 + 0.566)

    def test_global_buffers_and_constants_drive_nothing(self):
        cells = {"one": placed("PSEUDO_VCC", "PSEUDO_VCC", {}, Y=8), "l": lut({"A1": "I0"}, "01", 3, A1=8), "b": register(3, 4)}
        found = routed_timing.logical_netlist("top", files(cells, {})[0])
        self.assertEqual(sorted(found.nets), [3, 4])

    def test_a_net_that_is_not_routed_is_an_error_with_its_pin(self):
        with self.assertRaisesRegex(routed_timing.RoutedTimingError, r"b: vta-route has routed no net to D\[0\]"):
            timing_of({"a": register(0, 2), "b": register(2, 3)}, {})


class Names(unittest.TestCase):
    def names(self, kept, mapped=None):
        module = files({"a": register(0, 2)}, {}, {kept: {"bits": [2], "hide_name": int(kept.startswith("$"))}})[0]
        return routed_timing.logical_netlist("top", module, mapped).nets[2].name()

    def test_a_net_has_the_name_that_nextpnr_kept(self):
        self.assertEqual(self.names("i_alu.x_9_p2[3]"), "i_alu.x_9_p2[3]")
        self.assertEqual(self.names("i_alu.flag"), "i_alu.flag")
        self.assertIsNone(self.names("$abc$1"))

    def test_a_net_inserted_before_a_carry_chain_has_the_name_of_its_signal(self):
        self.assertEqual(self.names("i_alu.x_9_p2[3]$legal77"), "i_alu.x_9_p2[3]")

    def test_names_from_before_packing_come_first(self):
        mapped = netlist.Netlist("top", {
            "cells": {"a": {"type": "FDRE", "parameters": {}, "attributes": {}, "port_directions": {"Q": "output"}, "connections": {"Q": [7]}}},
            "ports": {}, "netnames": {"top.i_gemm.y": {"bits": [8, 7], "attributes": {}}}})
        self.assertEqual(self.names("data[1]", mapped), "top.i_gemm.y[1]")


class Files(unittest.TestCase):
    def load(self, routes=None):
        cells = {"a": register(0, 2), "b": register(2, 3)}
        module, design, whole = files(cells, {("b", "D"): 500})
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "placed.json").write_text(json.dumps({"modules": {"top": module}}))
            (path / "design.json").write_text(json.dumps(design))
            (path / "routes.json").write_text(json.dumps(routes or whole))
            return routed_timing.load(path, "core")

    def test_a_folder_of_a_seed_has_its_timing(self):
        timing = self.load()
        self.assertAlmostEqual(timing.endpoints[0].required_ns, TO_Q + 0.5 + FF_D)
        self.assertEqual(timing.netlist.name, "core")

    def test_routes_without_delays_are_an_error(self):
        with self.assertRaisesRegex(routed_timing.RoutedTimingError, "not a routed design with delays: KeyError.*delays"):
            self.load({"nets": [{"name": "to X0Y1/W", "switches": []}]})


if __name__ == "__main__":
    unittest.main()
