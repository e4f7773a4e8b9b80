# SPDX-License-Identifier: Apache-2.0
"""The tools of the open flow, which tests may be without (scripts/install_fpga_tools)."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from hw.fpga.flow import tools  # noqa: E402

SKIPPED = 77  # SKIP_RETURN_CODE of CTest


def skip_without_tools():
    """Ends the program if the database or nextpnr is missing, which it names."""
    try:
        tools.database()
        tools.command_line(["nextpnr-himbaechel-xilinx"])
    except tools.ToolError as error:
        print(f"skipped: {error}")
        sys.exit(SKIPPED)
