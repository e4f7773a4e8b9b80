#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/reference_lines.md: what documents of TVM and of VTA show, line by line, beside this toolkit. Every row with a command
runs it. A row is "equal" or "better" if its check holds, else "worse"; a row without a command says why the toolkit is worse.

Example:
  tests/benchmarks/reference_lines.py --write
"""
import argparse
import functools
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs/reference_lines.md"
# The mean inference in milliseconds and the Sum of the profile. densenet is densenet121; the "unknown" network is a DCGAN generator.
NETWORKS = {"resnet18": (13.13, 12.424), "resnet50": (27.91, 32.791), "vgg11": (59.54, 67.956), "vgg16": (110.80, 186.584),
            "squeezenet1.0": (6.12, 90.656), "squeezenet1.1": (4.19, 80.742), "mobilenet": (6.33, 66.201), "densenet121": (17.88, 21.229),
            "inception_v3": (37.79, 45.669), "mlp": (0.07, 0.041), "dcgan": (23.28, 23.217)}
FLOW = ("resnet18_v1", "--mode", "compatible", "--quantize", "global")
# ResNet-18 of the flow, with residual adds as kernels of their own.
COUNTERS = {"inp_load_nbytes": 5549568, "wgt_load_nbytes": 12763136, "acc_load_nbytes": 6051840, "uop_load_nbytes": 22872,
            "out_store_nbytes": 2433536, "gemm_counter": 6623232, "alu_counter": 702464}
WORSE_COUNTERS = {"uop_load_nbytes": "larger tiles have longer micro-op kernels: some 7 KB more micro-ops save 9 MB of other traffic"}
DETECTOR_TIMES = ROOT / "tests/benchmarks/detector_times.json"
REFERENCE_RATIOS = (0.17630 / 0.11544, 0.07894 / 0.07379)  # TVM's mean, the unmodified model's, to torch's; on the CPU and on the GPU
SUM_PERCENT = 2  # sums this near to plain are equal

EQUAL, BETTER, WORSE = "equal", "better", "worse"


@functools.lru_cache(maxsize=None)
def tool(build, *command):
    """What the tool prints, on stdout and stderr."""
    run = subprocess.run([build / "bin" / command[0], *command[1:]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {run.stdout.strip()}")
    return run.stdout


class Rows:
    """The rows of a document."""

    def __init__(self, build):
        self.build = build
        self.lines = []

    def add(self, line, verdict, reason, command=()):
        line = line.replace("|", "\\|")
        self.lines.append(f"| {line} | {verdict} | {reason} | {'`' + ' '.join(command) + '`' if command else '-'} |")

    def shows(self, line, pattern, *command, verdict=EQUAL, reason=""):
        """A line of the reference whose counterpart matches a pattern."""
        found = re.search(pattern, tool(self.build, *command), re.MULTILINE) is not None
        self.add(line, verdict if found else WORSE, reason if found else f"`{pattern}` is not printed", command)


def detector_ratios(record):
    """For each detector: its processor time in fp32, relative to torch's, and the samples of each runtime."""
    means = {name: {runtime: statistics.mean(samples["processor"]) for runtime, samples in result["samples"].items()} for name, result in record.items()}
    counts = [len(samples["elapsed"]) for result in record.values() for samples in result["samples"].values()]
    return [of["fp32"] / of["torch"] for of in means.values()], counts


def detection(rows):
    rows.shows("`ProfileResult(mean=..., results=(...))` of 50 samples", r"^ProfileResult\(mean=[0-9.e-]+, results=\(([0-9.e-]+, ){49}[0-9.e-]+\)\)$",
               "vta-sim", "bench", "digits.json", "--fp32", "--repeat", "50", reason="the same form, in seconds; mean, percentiles and deviation before it")
    rows.add("torch's time of the same model", EQUAL, "`--beside torch`, `--beside onnxruntime`, as many samples")
    ratios, counts = detector_ratios(json.loads(DETECTOR_TIMES.read_text(encoding="utf-8")))
    rows.add("a detector of torchvision at full size", BETTER if max(ratios) < min(REFERENCE_RATIOS) else EQUAL if max(ratios) <= max(REFERENCE_RATIOS) else WORSE,
             f"[four detectors](detectors.md), {min(counts)} to {max(counts)} samples each; in fp32, by ONNX Runtime's kernels, {min(ratios):.2f} to {max(ratios):.2f} "
             f"times torch's processor time; the reference {' and '.join(f'{ratio:.2f}' for ratio in REFERENCE_RATIOS)} times its elapsed time",
             ("tests/benchmarks/detector_times.py", ))
    rows.add("three builds of the program", WORSE, "there is no GPU")


def profiles(rows):
    for network, (mean, reference_sum) in NETWORKS.items():
        command = ("vta-sim", "profile", f"{network}.json", "--fp32", "--json")
        report = json.loads(tool(rows.build, *command))
        percent = report["sum_percent_of_plain"]
        reference = 100 * reference_sum / mean
        off, reference_off = abs(percent - 100), abs(reference - 100)
        verdict = EQUAL if max(off, reference_off) <= SUM_PERCENT else BETTER if off < reference_off else WORSE
        rows.add(f"{network}: the sum of the profile", verdict,
                 f"{percent:.1f} % of a plain inference, {len(report['rows'])} kernels; the reference {reference:.0f} %", command[:-1])
    command = ("vta-sim", "profile", "squeezenet1.1.json", "--fp32", "--repeat", "2")
    for column, name, reason in (("Name", "name", "with the operators that are fused"), ("Duration (us)", "mean_us", "and its deviation"),
                                 ("Percent", "percent", ""), ("Device", "where", "`host`, `core`"), ("Count", "count", ""),
                                 ("Argument Shapes", "shapes", "with weights and bias"), ("Hash", "hash", ""), ("data_layout", "data_layout", ""),
                                 ("kernel_layout, weight_layout", "kernel_layout", ""), ("out_layout, layout", "out_layout", ""),
                                 ("src_layout", "src_layout", ""), ("dst_layout", "dst_layout", "")):
        rows.shows(f"column {column}", rf"^(?=name ).*\b{name}\b", *command, reason=reason)
    rows.shows("columns perf::CACHE-MISSES, CYCLES, INSTRUCTIONS, STALLED-CYCLES-...",
               r"^name .*\bcycles +instructions|^no CPU counters for cycles, instructions, cache_misses, stalled", *command,
               reason="where the machine has counters, else one line says which are missing")
    rows.add("columns VM::Argument Shapes, rows VM::AllocStorage, VM::AllocTensor, VM::UnknownOp", BETTER,
             "there is no virtual machine: buffers are allocated before the first inference")
    for name in ("Sum", "Total"):
        rows.shows(f"row {name}", rf"^{name} +[0-9]+ +[0-9.]+ +[0-9.]+ +[0-9.]+", *command, reason="with count and every counter")
    rows.shows("Configuration", r"^Configuration\n(.+\n)*threads +: 1$", *command, reason="with the build; on the core memory and clock")
    rows.shows("Mean inference time (std dev)", r"^mean [0-9.]+ ms, standard deviation [0-9.]+ ms", "vta-sim", "bench", "digits.json", "--fp32")
    rows.shows("rows sorted by time, equal kernels counted", r" 2 ", "vta-sim", "profile", "digits.json", "--fp32", "--repeat", "2",
               reason="`--by layer` for layers in their order")


def tuning(rows):
    with tempfile.TemporaryDirectory() as folder:
        command = ("vta-sim", "tune", "digits.json", "--trials", "8", "--log")
        text = tool(rows.build, *command, f"{folder}/log.jsonl")
    for line, pattern in (("[Task 1/20] Current/Best: ... GFLOPS | Progress: (n/m) | t s Done.",
                           r"^\[Task +1/[0-9]+\] Current/Best: +[0-9.]+/ *[0-9.]+ GOPS \| Progress: \(8/8\) \| [0-9.]+ s Done\.$"),
                          ("Start to run dynamic programming, Finished ...: phases", r"^Pass over the network"),
                          ("Writing optimal schedules to FILE", r"^Log: ")):
        rows.add(line, EQUAL if re.search(pattern, text, re.MULTILINE) else WORSE, "also in a saved log", command[:-1])
    rows.add("early_stopping", EQUAL, "`--early-stopping N`")
    rows.add("Config ... is missing, a fallback configuration is used", EQUAL, "`vta-compile` counts the layers with tuned tilings")
    rows.add("tuning of fp32 kernels", WORSE, "fp32 runs in oneDNN's kernels, which have nothing to search ([what is tuned](profile_and_plain.md#what-is-tuned))")
    rows.add("the author's question: 328 ms and 1.41 s", BETTER, "[answered](profile_and_plain.md); the sums above are near 100 %")


def flow(rows):
    run = ("vta-sim", "run", *FLOW, "--no-compute")
    counters = json.loads(tool(rows.build, *run, "--json"))["counters"]
    for name, reference in COUNTERS.items():
        ours = counters[name]
        verdict = EQUAL if ours == reference else BETTER if ours < reference else WORSE
        reason = f"{ours:,} for {reference:,}" + (f": {WORSE_COUNTERS[name]}" if verdict == WORSE and name in WORSE_COUNTERS else "")
        rows.add(name, verdict, reason, run)
    dump = ("vta-compile", *FLOW, "--dump-after", "pack", "--stop-after", "pack")
    for line, pattern in (("quantize: multiply, round, clip, cast of the input", r"^%data\.quantize = quantize\(%data\)"),
                          ("bitpack at the start", r"bitpack\(%maxpool\) \{layout = \"NCHW1n16c\"\} : int8\[1, 4, 56, 56, 1, 16\]"),
                          ("nn.conv2d(..., data_layout=\"NCHW1n16c\", kernel_layout=\"OIHW16o16i\", out_dtype=\"int32\")",
                           r"conv2d\(.*: int8\[4, 4, 3, 3, 16, 16\]\).*NCHW1n16c.*OIHW16o16i\"\} : int32\[1, 4, 56, 56, 1, 16\]"),
                          ("add of the bias", r"add\(%layer1\.0\.conv1, .* : int32\[4, 1, 1, 1, 16\]\)"),
                          ("nn.relu", r"= relu\("), ("add that rounds", r"= add\(%layer1\.0\.conv1\.2, [0-9]+\)"), ("right_shift", r"= right_shift\("),
                          ("clip, cast", r"= clip\(.*: int8\["), ("bitpack at the end", r"= bitunpack\(.*: int8\[1, 512, 7, 7\]$"),
                          ("nn.global_avg_pool2d, nn.batch_flatten, nn.dense on the CPU", r"global_avg_pool2d\((.*\n)+.*flatten\((.*\n)+.* = dense\(")):
        rows.shows(line, pattern, *dump)
    rows.shows("start_name, stop_name", r"^ *", "vta-compile", "resnet18_v1", "--start", "layer1.0.conv1", "--stop", "avgpool", "--stop-after", "pack",
               reason="`--start`, `--stop`; names of layers or operators")
    rows.shows("resnet18_v1, resnet34_v1", r"^graph resnet34$", "vta-compile", "resnet34_v1", "--dump-after", "import", "--stop-after", "import")
    rows.shows("resnet18_v2 to resnet101_v2", r"^graph resnet101_v2$", "vta-compile", "resnet101_v2", "--dump-after", "import", "--stop-after", "import")
    rows.add("#1: tiger cat", EQUAL, "the zoo's networks have ImageNet's names; synthetic weights print indices only")
    rows.add("Performed inference in ... ms (std = ...)", EQUAL, "`vta-sim bench NET --device rpc://BOARD`; the time includes the network, a line beside it does not")
    rows.add("time_evaluator(number, repeat) of a remote network", EQUAL,
             "`vta-sim bench NET --device rpc://BOARD --number N --repeat N`: all of it by the client's clock, the core's part by the server's, without the connection")
    rows.add("program_fpga, reconfig_runtime, rpc.connect, a tracker", EQUAL, "`vta-flash`, `vta-rpc-server`, [a pool of boards](board_pool.md)")


DOCUMENTS = (("000, 001: detectors of torchvision", detection), ("002: profiles of eleven networks", profiles),
             ("003: tuning of ResNet-50, and its profile", tuning), ("004: ResNet-18 on VTA", flow))

BEGIN = """# Documents of TVM and VTA, line by line

<!-- generated by reference_lines: lines -->
Written by `tests/benchmarks/reference_lines.py --write` from runs of the commands. The documents are public pages: timings of detectors
(000, 001), profiles of eleven networks (002), a tuned ResNet-50 (003), VTA's deployment of ResNet-18 (004).
"""


def page(build):
    text = BEGIN
    for title, write in DOCUMENTS:
        rows = Rows(build)
        write(rows)
        text += f"\n## {title}\n\n| line | here | how | command |\n|---|---|---|---|\n" + "\n".join(rows.lines) + "\n"
    return text + "<!-- end of lines -->\n"


def verdicts(text):
    """The verdict of each line of a page."""
    rows = re.findall(r"^\| (.+?) (?<!\\)\| (equal|better|worse) \|", text, re.MULTILINE)
    return dict(rows)


def regressions(old, new):
    """Lines that the page calls equal or better and a run worse, and lines that only one of them has."""
    worse = [f"{line} is worse, {old[line]} on the page" for line in old if new.get(line) == WORSE != old[line]]
    return worse + [f"{line} is only on one side: write the page again" for line in sorted(set(old) ^ set(new))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release", help="build folder (default: build/release)")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.relative_to(ROOT)} instead of printing it")
    parser.add_argument("--check", action="store_true", help="run all commands and exit with 1 if a line has become worse; sums, which are times, may")
    arguments = parser.parse_args()
    text = page(arguments.build)
    if arguments.check:
        old, new = (verdicts(of) for of in (PAGE.read_text(encoding="utf-8"), text))
        found = [line for line in regressions(old, new) if "the sum of the profile" not in line]
        print("\n".join(found) or f"{len(new)} lines, none worse than on the page")
        return 1 if found else 0
    if arguments.write:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
