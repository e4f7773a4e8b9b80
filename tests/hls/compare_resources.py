#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the DSP48E1 and RAMB36 of `vta-hlsc report` with what yosys maps the Verilog to.

DSP48E1 are compared process by process, RAMB36 design by design. yosys runs only as far as it maps multipliers and
memories. Where it is not installed, nothing is compared.

Example:
  tests/hls/compare_resources.py --top kernels --verilog build/release/tests/hls/kernels.sv \\
    --reports build/release/tests/hls/kernels_reports.json
"""
import argparse
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, ROOT)
from hw.fpga.flow import yosys_statistics  # noqa: E402

# Processes whose DSP48E1 are known to differ: reported, mapped, why.
KNOWN = {
    "SummedIndex_run": (176, 32, "a sum is the index of a RAM of 256 words: yosys drops the other bits of its products"),
}


def mapped(verilog, top, processes):
    """Cells of the process modules with multipliers mapped, and of all others with memories mapped."""
    sources = " ".join([verilog, *sorted(glob.glob(f"{ROOT}/hw/rtl/hls_*.sv"))])
    with tempfile.TemporaryDirectory() as folder:
        script = f"""
            read_verilog -sv {sources}
            read_verilog -lib -specify +/xilinx/cells_sim.v
            hierarchy -check -top {top}
            design -save all
            delete {' '.join(processes)}
            synth_xilinx -family xc7 -run prepare:map_ffram
            tee -q -o {folder}/memories stat -json
            design -load all
            proc
            select -set multiply t:$mul %m
            blackbox @multiply %n
            synth_xilinx -family xc7 -run prepare:coarse
            tee -q -o {folder}/multipliers stat -json"""
        with open(f"{folder}/script.ys", "w") as file:
            file.write(script)
        run = subprocess.run(["yosys", "-q", "-q", f"{folder}/script.ys"], stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True)
        if run.returncode != 0:
            sys.exit(f"compare_resources: yosys fails: {run.stdout[-1000:]}")
        return [yosys_statistics.cells_of_modules(open(f"{folder}/{name}").read()) for name in ("multipliers", "memories")]


def ramb36(modules, module):
    """Block RAMs of a module and all its instances, but the AXI adaptors, which are not in the report."""
    total = 0.0
    for cell, count in modules[module].items():
        if "hls_axi_" in cell:
            continue
        if cell in modules:
            total += count * ramb36(modules, cell)
        elif cell in ("RAMB36E1", "RAMB18E1"):
            total += count * (1 if cell == "RAMB36E1" else 0.5)
    return total


def differences(reports, multipliers, memories):
    for report in reports:
        design = report["design"]
        for process in report["processes"]:
            name, reported = f"{design}_{process['name']}", process["dsp48e1"]
            found = multipliers.get(name, {}).get("DSP48E1", 0)
            if reported != found and KNOWN.get(name, ())[:2] != (reported, found):
                yield f"{name}: the report has {reported} DSP48E1, yosys {found}"
            if reported == found and name in KNOWN:
                yield f"{name}: report and yosys agree: take it out of KNOWN"
        reported, found = sum(memory["ramb36"] for memory in report["memories"]), ramb36(memories, design)
        if reported != found:
            yield f"{design}: the report has {reported} RAMB36, yosys {found}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--verilog", required=True, metavar="FILE.sv", help="of vta-hlsc")
    parser.add_argument("--reports", required=True, metavar="FILE.json",
                        help="of the designs in it: an array of reports, or one report")
    parser.add_argument("--top", required=True, metavar="MODULE", help="the module that has all others")
    arguments = parser.parse_args()
    if shutil.which("yosys") is None:
        print("compare_resources: skipped: yosys is not installed")
        return
    reports = json.load(open(arguments.reports))
    reports = reports if isinstance(reports, list) else [reports]
    processes = [f"{report['design']}_{process['name']}" for report in reports for process in report["processes"]]
    multipliers, memories = mapped(arguments.verilog, arguments.top, processes)
    found = list(differences(reports, multipliers, memories))
    for difference in found:
        print(difference)
    dsp48e1 = sum(cells.get("DSP48E1", 0) for cells in multipliers.values())
    print(f"compare_resources: {len(processes)} processes, {dsp48e1} DSP48E1, "
          f"{sum(ramb36(memories, report['design']) for report in reports):g} RAMB36: {len(found)} differences")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
