# SPDX-License-Identifier: Apache-2.0
"""From a bitstream back to a netlist, by the chip database alone; shares no code with hw/fpga/flow, which writes bitstreams."""
