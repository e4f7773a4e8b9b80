# SPDX-License-Identifier: Apache-2.0
"""An open flow from Verilog to a bitstream for 7-series FPGAs: yosys, nextpnr, Project X-Ray."""


class Error(Exception):
    """What a user can mend: an input, an installation or a design. Its text names it. The base of all errors of the flow."""
