# SPDX-License-Identifier: Apache-2.0
"""From a core to a netlist of 7-series cells: vta-hlsc, then yosys. Netlists are kept by the hash of all inputs."""
import hashlib
import json
import os
import pathlib
import subprocess

from scripts.fpga import tools

ROOT = tools.ROOT
CACHE = ROOT / "build/timing"
NOT_DEFINED = {"name", "extension"}  # fields of a core's file that are not parameters of its source


class SynthesisError(Exception):
    """An input is missing, or vta-hlsc fails."""


def _vta_hlsc(core, *words):
    """Runs vta-hlsc on a core's source and returns what it writes."""
    tool = ROOT / "build/release/bin/vta-hlsc"
    file = ROOT / "configs/cores" / f"{core}.json"
    if not file.is_file():
        known = ", ".join(sorted(path.stem for path in file.parent.glob("*.json")))
        raise SynthesisError(f"no core '{core}'; there are {known}")
    if not tool.is_file():
        raise SynthesisError(f"{tool} is missing: scripts/build release vta-hlsc")
    fields = json.loads(file.read_text())
    defines = [word for name, value in fields.items() if name not in NOT_DEFINED for word in ("-D", f"CORE_{name}={value}")]
    run = subprocess.run([tool, *words, "-I", ROOT, *defines, "hw/core/instance.cc"], cwd=ROOT, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True)
    if run.returncode != 0:
        raise SynthesisError(f"vta-hlsc fails: {run.stderr.strip()}")
    return run.stdout


def verilog_of_core(core):
    return _vta_hlsc(core, "verilog", "--axi")


def report_of_core(core):
    """The schedule: the JSON of vta-hlsc report --operations."""
    return json.loads(_vta_hlsc(core, "report", "--operations", "--json"))


def _script(files, top, out):
    return (f"read_verilog -sv {' '.join(files)}; synth_xilinx -family xc7 -top {top} -flatten -abc9 -noiopad -noclkbuf; "
            f"write_json {out}")


def netlist_of_verilog(verilog, top):
    """Path of the netlist of Verilog text with the modules of hw/rtl, and the folder that its src attributes are relative
    to. Errors: tools.ToolError."""
    files = sorted((ROOT / "hw/rtl").glob("hls_*.sv"))
    version = tools.run(["yosys", "-V"]).strip()
    key = hashlib.sha256("\0".join([version, _script([], top, ""), verilog, *(file.read_text() for file in files)]).encode())
    folder = CACHE / f"{top}-{key.hexdigest()[:16]}"
    netlist = folder / "netlist.json"
    if not netlist.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "core.sv").write_text(verilog)
        made = folder / "unfinished.json"
        tools.run(["yosys", "-q", "-l", folder / "yosys.log", "-p", _script(["core.sv", *map(str, files)], top, made)],
                  cwd=folder)
        os.replace(made, netlist)
    return netlist, folder


def netlist_of_core(core, process=None):
    """The netlist of a core, or of one of its processes alone."""
    return netlist_of_verilog(verilog_of_core(core), f"Core_{process}" if process else "Core")


def tool_versions():
    return {"yosys": tools.run(["yosys", "-V"]).split()[1]}
