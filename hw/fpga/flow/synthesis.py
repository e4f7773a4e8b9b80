# SPDX-License-Identifier: Apache-2.0
"""From a core to a netlist of 7-series cells: vta-hlsc, then yosys, then for a process alone nextpnr. Results are kept in
build/timing by the hash of all inputs."""
import functools
import hashlib
import inspect
import json
import os
import pathlib
import re
import subprocess
import typing

from hw.fpga.flow import (Error, block_registers, blocks, configurations, dsp_input_registers, fan_out, harness, net_delays,
                          netlist_check, output_registers, replication, tools)
from hw.fpga.flow.netlist import Json

ROOT = tools.ROOT
RELEASE = ROOT / "build/release"
CACHE = ROOT / "build/timing"
PART = "xc7z020clg400-1"
NOT_DEFINED = {"name", "extension"}  # fields of a core's file that are not parameters of its source
PERIOD_NS = 10.0  # that vta-hlsc schedules for, if no other is asked for; also its own default
ROUTED_MHZ = 150  # what nextpnr aims at
# A level of logic costs more than its LUT: with the 300 ps for a net that synth_xilinx assumes, ABC makes levels to save LUTs.
NET_PS = 700
# Fewer flip-flops than this on one enable or synchronous reset get it as logic before D. The pins CE and R of a slice have long setup times
# and take no LUT of their own. yosys infers them for what is data (a maximum, a select with a constant).
MIN_ENABLED, MIN_RESET = 4, 100
FLIP_FLOPS = " ".join(f"-cell {cell} 01" for cell in ("$_DFFE_?P?P_", "$_SDFFE_?P?P_", "$_DLATCH_?P?_"))  # as in synth_xilinx
# yosys packs an adder before a multiplier into the pre-adder of the DSP also where the sum wraps. The pre-adder has 25 bits, so (y - 1) of
# 16 bits is 17 bits long there, and products are wrong. As $alu cells, adders of fewer bits stay outside.
PRE_ADDER_BITS = 25
NARROW_SUMS = ("t:$mul %ci4:+$mul[A,B]:+$add[Y]:+$sub[Y]:+$dff[Q,D]:+$dffe[Q,D]:+$sdff[Q,D]:+$sdffe[Q,D]:+$sdffce[Q,D] "
               f"t:$add t:$sub %u %i r:Y_WIDTH<{PRE_ADDER_BITS} %i")
REPLICATION_NS = 8.5  # drivers on paths that are longer are replicated
PASSES = (block_registers, dsp_input_registers, output_registers, replication, fan_out)  # of _improve


class SynthesisError(Error):
    """An input is missing, or vta-hlsc fails."""


class Design(typing.NamedTuple):
    """`folder`: what the src attributes of the netlist are relative to. `report`: of nextpnr, or None."""

    name: str
    netlist: pathlib.Path
    folder: pathlib.Path
    report: typing.Optional[pathlib.Path] = None


def _fields_of(core: str) -> Json:
    try:
        return configurations.load("cores", core)
    except configurations.ConfigurationError as error:
        raise SynthesisError(str(error)) from None


def _vta_hlsc(fields: Json, build: pathlib.Path, period_ns: float, *words: str) -> str:
    """Runs vta-hlsc on the source of the core with these fields, scheduled for the period, and returns what it writes."""
    tool = pathlib.Path(build) / "bin/vta-hlsc"
    if not tool.is_file():
        raise SynthesisError(f"{tool} is missing: scripts/build release vta-hlsc")
    defines = [word for name, value in fields.items() if name not in NOT_DEFINED for word in ("-D", f"CORE_{name}={value}")]
    run = subprocess.run([tool, *words, "--period", f"{period_ns:g}", "-I", ROOT, *defines, "hw/core/instance.cc"], cwd=ROOT, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True)
    if run.returncode != 0:
        raise SynthesisError(f"vta-hlsc fails with --period {period_ns:g}: {run.stderr.strip()}")
    return str(run.stdout)


def verilog_of_fields(fields: Json, build: pathlib.Path = RELEASE, period_ns: float = PERIOD_NS) -> str:
    """The Verilog of a core with the fields of a file in configs/cores. Errors: SynthesisError."""
    return _vta_hlsc(fields, build, period_ns, "verilog", "--axi")


def verilog_of_core(core: str, period_ns: float = PERIOD_NS) -> str:
    return verilog_of_fields(_fields_of(core), period_ns=period_ns)


COMMENT = re.compile(r"//[^\n]*")


def library_of(verilog: str) -> list[pathlib.Path]:
    """The files of hw/rtl that a board's design with this core is made from: without modules for emitted Verilog, hls_*, that it does
    not use."""
    files = sorted((ROOT / "hw/rtl").rglob("*.sv"))
    return [path for path in files if path.parent.name != "properties" and (not path.stem.startswith("hls_") or path.stem in verilog)]


def verilog_sha256(core: str, period_ns: float = PERIOD_NS) -> str:
    """The SHA-256 of what a core's bitstream is made from: the emitted Verilog and its files of hw/rtl, without comments, which name lines
    of C++; vta-sim explore computes the same (sim/cycle/model_cache.h). Errors: SynthesisError."""
    verilog = COMMENT.sub("", verilog_of_core(core, period_ns))
    texts = [verilog, *(COMMENT.sub("", path.read_text()) for path in library_of(verilog))]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


@functools.cache
def report_of_core(core: str, period_ns: float = PERIOD_NS) -> Json:
    """The schedule: the JSON of vta-hlsc report --operations."""
    found: Json = json.loads(_vta_hlsc(_fields_of(core), RELEASE, period_ns, "report", "--operations", "--json"))
    return found


def _checked(netlist: pathlib.Path, top: str, log: pathlib.Path) -> Json:
    """The document of a netlist. Errors: tools.ToolError if a rule of netlist_check is broken."""
    document: Json = json.loads(netlist.read_text())
    problems = netlist_check.problems(document["modules"][top], log.read_text())
    if problems:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        raise tools.ToolError(f"the netlist of {top} is wrong: {problems[0]}{more}")
    return document


def _improve(netlist: pathlib.Path, document: Json, top: str) -> None:
    """Writes the netlist with registers moved into block RAMs and DSPs, and the drivers of long paths and of many sinks replicated."""
    dsp_input_registers.absorb(document, top)
    output_registers.absorb(document, top)
    fan_out.split(document, top)
    replication.replicate(document, top, lambda loaded: net_delays.Model(blocks.sizes(loaded)), REPLICATION_NS)
    netlist.write_text(json.dumps(document))


def map_files(folder: pathlib.Path, files: typing.Sequence[str | pathlib.Path], top: str, options: str = "",
              parameters: str = "") -> pathlib.Path:
    """folder/netlist.json: the files mapped by yosys, then improved (_improve); kept until an input changes.
    `files` may be relative to `folder`; `options` of synth_xilinx; `parameters`: commands after reading. Errors: tools.ToolError.

    -nosrl: an SRL16E's clock-to-output is 1.1 ns longer than a flip-flop's, and a core has a few dozen values to delay."""
    synth = f"synth_xilinx -family xc7 -top {top} -flatten -abc9 -nosrl {options}"
    script = (f"scratchpad -set synth_xilinx.abc9.W {NET_PS}; read_verilog -sv {' '.join(map(str, files))}; {parameters}"
              f"{synth} -run :map_dsp; alumacc {NARROW_SUMS}; {synth} -run map_dsp:map_ffs; "
              f"dfflegalize -mince {MIN_ENABLED} -minsrst {MIN_RESET} {FLIP_FLOPS}; "
              f"{synth} -run map_ffs:; write_json ")
    made_from = [yosys_version(), script, f"{REPLICATION_NS}", *map(inspect.getsource, PASSES), net_delays.TABLE.read_text(),
                 *((folder / file).read_text() for file in files)]
    key = hashlib.sha256("\0".join(made_from).encode()).hexdigest()
    netlist, mark = folder / "netlist.json", folder / "netlist.key"
    if not (netlist.is_file() and mark.is_file() and mark.read_text() == key):
        mark.unlink(missing_ok=True)
        unfinished = folder / "netlist.unfinished.json"
        tools.run(["yosys", "-q", "-l", folder / "yosys.log", "-p", f"{script}{unfinished}"], [folder], cwd=folder)
        _improve(unfinished, _checked(unfinished, top, folder / "yosys.log"), top)
        os.replace(unfinished, netlist)
        mark.write_text(key)
    return netlist


def _mapped(verilog: str, top: str, options: str) -> Design:
    """Verilog text with the modules of hw/rtl. Errors: tools.ToolError."""
    name = hashlib.sha256(f"{verilog}\0{options}".encode()).hexdigest()[:16]
    folder = CACHE / f"{top}-{name}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "core.sv").write_text(verilog)
    library = sorted((ROOT / "hw/rtl").glob("hls_*.sv"))
    return Design(top, map_files(folder, ["core.sv", *library], top, options), folder)


def mapped_core(core: str, process: str | None = None, period_ns: float = PERIOD_NS) -> Design:
    """The netlist of a core, or of one of its processes alone. Errors: SynthesisError, tools.ToolError."""
    return _mapped(verilog_of_core(core, period_ns), f"Core_{process}" if process else "Core", "-noiopad -noclkbuf")


def mapped_harness(core: str, process: str, period_ns: float = PERIOD_NS) -> Design:
    """The netlist of a process in a harness. Errors: SynthesisError, harness.HarnessError, tools.ToolError."""
    verilog = verilog_of_core(core, period_ns)
    module = f"Core_{process}"
    around = harness.verilog_around(module, harness.ports_of(verilog, module))
    return _mapped(f"{verilog}\n{around}", "harness", "")


def routed_by_nextpnr(core: str, process: str, seed: int) -> Design:
    """A process alone, placed and routed in a harness by nextpnr only, with its report of every net. Errors: SynthesisError,
    harness.HarnessError, tools.ToolError."""
    design = mapped_harness(core, process)
    report = design.folder / f"seed{seed}.json"
    if not report.is_file():
        (design.folder / "harness.xdc").write_text(harness.constraints())
        made = design.folder / f"seed{seed}.unfinished"
        tools.run(["nextpnr-himbaechel-xilinx", "--device", PART, "--json", design.netlist, "-o", "xdc=harness.xdc", "--freq",
                   ROUTED_MHZ, "--timing-allow-fail", "--seed", seed, "-q", "-l", f"seed{seed}.log", "--detailed-timing-report",
                   "--report", made], cwd=design.folder)
        os.replace(made, report)
    return design._replace(name=process, report=report)


def processes_of(report: Json) -> list[str]:
    return [process["name"] for process in report["processes"]]


def yosys_version() -> str:
    return tools.run(["yosys", "-V"]).split()[1]
