# SPDX-License-Identifier: Apache-2.0
"""An open flow from Verilog to a bitstream for 7-series FPGAs: yosys, nextpnr, Project X-Ray."""
