# SPDX-License-Identifier: Apache-2.0
"""Where the tools of the open FPGA flow are, and how to run one.

Debian 12 and 13 lack nextpnr for Xilinx and Project X-Ray. scripts/install_fpga_tools then puts them into a root of their own,
build/fpga-tools/root; commands run there see the project and the folders that they are given under their own paths.
"""
import os
import pathlib
import shutil
import subprocess
import typing

from hw.fpga.flow import Error
from hw.fpga.flow.database import device_of

Word = str | pathlib.Path | int | float  # of a command

ROOT = pathlib.Path(__file__).resolve().parents[3]
TOOLS_ROOT = ROOT / "build/fpga-tools/root"
COMMANDS = ["yosys", "nextpnr-himbaechel-xilinx", "xc7frames2bit", "bitread"]
DATABASE = "usr/share/prjxray/database"
CHIPS = "usr/share/nextpnr/himbaechel/xilinx"


class ToolError(Error):
    """A tool is missing or fails."""


def database() -> pathlib.Path:
    """Folder of Project X-Ray's database. Errors: ToolError."""
    for root in [TOOLS_ROOT, pathlib.Path("/")]:
        if (root / DATABASE).is_dir():
            return root / DATABASE
    raise ToolError("the database of Project X-Ray is missing; run scripts/install_fpga_tools")


def nextpnr_version() -> str:
    """Errors: ToolError."""
    return run(["nextpnr-himbaechel-xilinx", "--version"]).partition("Version ")[2].partition(")")[0]


def database_version() -> str:
    """The version of Project X-Ray's database, as Debian's package has it. Errors: ToolError."""
    root = database().parents[len(pathlib.Path(DATABASE).parts) - 1]
    return output_of("dpkg-query", ["dpkg-query", f"--admindir={root}/var/lib/dpkg", "-W", "-f", "${Version}", "prjxray-database"])


def chip_database(part: str) -> pathlib.Path:
    """nextpnr's file of a part such as xc7z020clg400-1. Errors: ToolError."""
    name = f"chipdb-{device_of(part)}.bin"
    for root in [TOOLS_ROOT, pathlib.Path("/")]:
        if (root / CHIPS / name).is_file():
            return root / CHIPS / name
    raise ToolError(f"nextpnr's chip database {name} is missing; run scripts/install_fpga_tools")


def _in_own_root(command: list[str], folders: typing.Iterable[Word]) -> list[str]:
    """The command line that runs `command` in TOOLS_ROOT: chroot as root, bubblewrap for other users."""
    binds = [str(folder) for folder in [ROOT, *folders]]
    if os.getuid() != 0:
        return ["bwrap", "--die-with-parent", "--bind", str(TOOLS_ROOT), "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp",
                *(word for folder in binds for word in ("--bind", folder, folder)), "--chdir", os.getcwd(), *command]
    mounts = "".join(f'mkdir -p "$0{folder}"; mount --rbind "{folder}" "$0{folder}"; ' for folder in ["/dev", "/proc", *binds])
    script = f'set -e; {mounts}exec chroot "$0" sh -c \'cd "$0" && exec "$@"\' "$PWD" "$@"'
    return ["unshare", "--mount", "sh", "-c", script, str(TOOLS_ROOT), *command]


def command_line(command: typing.Sequence[Word], folders: typing.Iterable[Word] = ()) -> list[str]:
    """How to run a tool with its arguments. `folders`: those outside the project that it reads or writes. yosys must be the
    one of the flow: older ones map some block RAMs wrongly, so a root of its own goes first. Errors: ToolError."""
    if (TOOLS_ROOT / "usr/bin" / str(command[0])).exists():
        return _in_own_root([str(word) for word in command], folders)
    if shutil.which(str(command[0])):
        return [str(word) for word in command]
    raise ToolError(f"{command[0]} is missing; run scripts/install_fpga_tools")


def output_of(name: str, words: list[str], cwd: pathlib.Path | None = None) -> str:
    """The output of a command line. Errors: ToolError with its end; `name` names the program."""
    result = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=cwd)
    if result.returncode != 0:
        raise ToolError(f"{name} ended with status {result.returncode}: {result.stdout[-2000:].strip()}")
    return result.stdout


def run_own(command: typing.Sequence[Word]) -> str:
    """Runs a tool of the project's build. Errors: ToolError with the end of its output."""
    tool = pathlib.Path(str(command[0]))
    if not tool.exists():
        raise ToolError(f"{tool} is missing; run scripts/build release {tool.name}")
    return output_of(tool.name, [str(word) for word in command])


def run(command: typing.Sequence[Word], folders: typing.Iterable[Word] = (), cwd: pathlib.Path | None = None) -> str:
    """subprocess.run() of a tool. Errors: ToolError with the end of its output."""
    return output_of(str(command[0]), command_line(command, folders), cwd)
