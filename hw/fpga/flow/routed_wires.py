# SPDX-License-Identifier: Apache-2.0
"""The routes of all nets of a netlist that nextpnr has written (--write), clocks and resets on global buffers included, as vta-route reads
them (hw/fpga/router/design_file.h)."""
import re

from hw.fpga.flow.netlist import Json

ROUTING = "ROUTING"  # attribute of a net: wire, switch that drives it or nothing, strength, and so on

CONSTANTS = ("$PACKER_GND_NET", "$PACKER_VCC_NET")


def _switches(text: str) -> list[str]:
    return [switch for switch in text.split(";")[1::3] if switch]


def routes(module: Json) -> Json:
    """{"nets": [{"name", "switches"}]} of the nets that have a route. Constants have no time."""
    return {"nets": [{"name": name, "switches": _switches(net["attributes"][ROUTING])} for name, net in module["netnames"].items()
                     if net["attributes"].get(ROUTING, "").strip() and name not in CONSTANTS]}


# The switch by which a net leaves a slice through one of its output multiplexers: AMUX to DMUX. Other outputs take no time.
EXIT = re.compile(r"/SLICE_X\d+Y\d+\.([A-D]MUX)/SLICE")


def exits(routes: Json) -> dict[str, str]:
    """name of a net -> the output multiplexer (such as AMUX) by which it leaves its slice."""
    found = {}
    for net in routes["nets"]:
        for switch in net["switches"]:
            match = EXIT.search(switch)
            if match:
                found[net["name"]] = match[1]
    return found
