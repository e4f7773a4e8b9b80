#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the figures of the documents against the files that hold them: golden files, tables of routed cores, measurements.

Each rule of RULES, and each line of scripts/facts.txt, finds a figure in a document and computes what it must be. Every number in
README.md needs a rule, or is in code, which other tests run; so does every number of docs/, with the exceptions that
scripts/page_numbers.py lists. README.md has at most 600 words and shows at least two images. --write corrects the figures; --record
dates records of measurements whose numbers have changed.

Example:
  scripts/check_figures.py --write
"""
import argparse
import json
import re
import sys
import typing

import page_numbers
import sources

MAX_README_WORDS = 600
MIN_README_IMAGES = 2
TIMING = "hw/fpga/boards/timing/vta_1x16.json"
FACTS = "scripts/facts.txt"
BOARDS = [path.stem for path in sources.files("configs/boards/*.json")]
NUMBER = re.compile(r"(?<![\w-])\d+(?:[.,]\d+)*")
IMAGE = re.compile(r"!\[[^\]]*\]\(([^)\s]+)\)")
NETWORKS = "docs/networks.md"
ROW = re.compile(r"^\| (\w[\w.-]*) \|(?: [^|]* \|){5} ([\d,]+) \| ([\d.]+) \|", re.MULTILINE)  # network, cycles, milliseconds

Read = typing.Callable[[str], str]  # the text of a path
Problems = typing.Iterator[str]  # a line each


class Rule(typing.NamedTuple):
    """The groups of `expression` in `document` are the figures that `figures` returns."""

    document: str
    expression: str
    figures: typing.Callable[[Read], tuple[str, ...]]


def found(read: Read, path: str, expression: str) -> str:
    """The group of an expression in a file that holds figures."""
    match = re.search(expression, read(path), re.MULTILINE)
    if match is None:
        raise ValueError(f"{path}: nothing matches {expression}")
    return str(match.group(1))


def routed(read: Read) -> str:
    """The routed clock of vta_1x16 in MHz, with all margins of the sign-off."""
    return f"{json.loads(read(TIMING))['routed_mhz']:.2f}"


def rounded(number: str) -> str:
    return f"{float(number):.1f}"


def status(read: Read) -> tuple[str]:
    return (f"{rounded(routed(read))} MHz by static timing with all margins",)


def golden_cycles(name: str) -> typing.Callable[[Read], tuple[str]]:
    return lambda read: (f"{int(found(read, f'tests/recorded_runs/{name}.cycles.txt', '^sum: ([0-9]+):')):,}",)


def network_cycles(read: Read, network: str) -> str:
    return next(match[2] for match in ROW.finditer(read(NETWORKS)) if match[1] == network)


def noise(read: Read) -> tuple[str, str]:
    """Signal-to-noise ratios of ResNet-20: free scales, ONNX Runtime."""
    row = found(read, "docs/experiments.md", r"^\| (ResNet-20, \d+ images \|.*)")
    ratios = [re.search(r"([\d.]+) dB", cell) for cell in row.split("|")[3:5]]
    return tuple(ratio.group(1) for ratio in ratios if ratio)  # type: ignore[return-value]


def node_tests(read: Read) -> tuple[str, str]:
    outcomes = re.findall(r"^test_\S+ (\w+)", read("tests/onnx/all_node_tests.txt"), re.MULTILINE)
    return f"{outcomes.count('pass'):,}", f"{len(outcomes):,}"


def process_ns(name: str) -> typing.Callable[[Read], tuple[str]]:
    return lambda read: (f"{json.loads(read(TIMING))['processes_ns'][name]:.1f}",)


def clocks(read: Read) -> tuple[str, str]:
    """The forecast of the netlist: ns, MHz."""
    worst = json.loads(read(TIMING))["worst_ns"]
    return f"{worst:.1f}", f"{1000 / worst:.0f}"


def number(text: str) -> int:
    return int(text.replace(",", ""))


def percent_more(more: str, than: str) -> str:
    return f"{100 * (number(more) / number(than) - 1):.1f}"


def free_scales_cost(network: str, name: str) -> Rule:
    """Percent that the measured cycles with free scales are more than those of the table of networks, and the latter."""
    def figures(read: Read) -> tuple[str, ...]:
        measured = found(read, "docs/experiments.md", rf"for {network} \(([\d,]+)\s+instead")
        return percent_more(measured, network_cycles(read, name)), network_cycles(read, name)
    return Rule("docs/experiments.md", rf"([\d.]+) % for {network} \([\d,]+ instead of ([\d,]+)", figures)


def folded(read: Read) -> tuple[str]:
    """Percent that the measured cycles of vta_1x16_folded are more than those of vta_1x16."""
    measured = found(read, "docs/experiments.md", r"The offloaded part of ResNet-18 takes\s([\d,]+) cycles")
    return (percent_more(measured, golden_cycles("resnet18.fused.first_on_host")(read)[0]),)


def grouped(count: int | str) -> str:
    return f"{int(count):,}"


def resources(read: Read) -> tuple[str, ...]:
    table = json.loads(read(TIMING))
    return tuple(grouped(table[name]) for name in ("lut", "ff", "dsp48e1", "ramb36", "ramb18"))


def part(read: Read) -> tuple[str, ...]:
    return tuple(grouped(count) for count in found(read, "configs/parts.def", r"VTA_PART\(xc7z020, ([^)]*)\)").split(", "))


def tiles(read: Read) -> tuple[str, str]:
    """Tiles of block RAM, each a RAMB36 or two RAMB18: how many vta_1x16 takes, and how many the part has."""
    table = json.loads(read(TIMING))
    return str(table["ramb36"] + (table["ramb18"] + 1) // 2), part(read)[3]


def depths(read: Read) -> tuple[str, ...]:
    """Elements of UOP, WGT, INP and ACC of vta_1x16, whose batch is 1."""
    core = json.loads(read("configs/cores/vta_1x16.json"))
    lanes_in, lanes_out = core["block_in"], core["block_out"]
    bytes_of = {"uop": 4, "wgt": lanes_in * lanes_out, "inp": lanes_in, "acc": 4 * lanes_out}
    return tuple(str(core[f"{name}_buffer_bytes"] // size) for name, size in bytes_of.items())


def crystal_and_memory(board: str) -> typing.Callable[[Read], tuple[str, str]]:
    def figures(read: Read) -> tuple[str, str]:
        fields = json.loads(read(f"configs/boards/{board}.json"))
        mib = fields["memory_bytes"] >> 20
        return f"{fields['ps_clock_hz'] / 1e6:.4g}", f"{mib >> 10} GiB" if mib % 1024 == 0 else f"{mib} MiB"
    return figures


def last_opset(read: Read) -> tuple[str]:
    return (found(read, "compiler/onnx/operator_table.h", r"kLastOpset = (\d+);"),)


def margins_of(core: str) -> Rule:
    """MHz and ns of a routed core, in the table of the sign-off."""
    def figures(read: Read) -> tuple[str, str]:
        mhz = json.loads(read(f"hw/fpga/boards/timing/{core}.json"))["routed_mhz"]
        return rounded(mhz), rounded(str(1000 / mhz))
    return Rule("docs/timing.md", rf"^\| `{core}`[^|]*\| [^|]*?\*\*([\d.]+) MHz with all margins\*\* \(([\d.]+) ns", figures)


def constants(path: str, expression: str) -> typing.Callable[[Read], tuple[str, ...]]:
    """What the groups of an expression match in a source, as a page writes numbers."""
    def figures(read: Read) -> tuple[str, ...]:
        match = re.search(expression, read(path), re.MULTILINE)
        if match is None:
            raise ValueError(f"{path}: nothing matches {expression}; change {FACTS} with the source")
        return tuple(re.sub(r"['_]|(?<=\d)\.0$", "", str(number)) for number in match.groups())
    return figures


def facts() -> typing.Iterator[Rule]:
    """A line of scripts/facts.txt: document, expression, source, expression, separated by tabs."""
    for line in sources.read(FACTS).splitlines():
        if line and not line.startswith("#"):
            document, expression, path, in_source = line.split("\t")
            yield Rule(document, expression, constants(path, in_source))


PROCESSES = ("alu", "gemm", "load_request", "store_read", "load_data", "store_write", "uop_request", "acc_request", "fetch", "fetch_request")
PLAIN = r"\| the offloaded part \| fused, on a core without the extension \| ([\d,]+) \|"

PAIRS_OF_A_PROFILE = (r"kMaxPercentError = ([\d.]+), kMaxSeconds = (\d+);\s*"
                      r"constexpr double kMaxPercentErrorOfBusyMachine = ([\d.]+), kMaxSecondsOfBusyMachine = (\d+);")


def pairs_of_a_profile(read: Read) -> tuple[str, ...]:
    """Percent and seconds that end the pairs of `vta-sim profile`."""
    match = re.search(PAIRS_OF_A_PROFILE, read("tools/sim/cmd_profile.cc"))
    if match is None:
        raise ValueError(f"tools/sim/cmd_profile.cc: nothing matches {PAIRS_OF_A_PROFILE}")
    percent, seconds, busy_percent, busy_seconds = match.groups()
    return percent, busy_percent, seconds, busy_seconds


RULES = [
    Rule("docs/vta_sim.md", r"in percent of Plain is at most ([\d.]+), or (\d+) after\s+(\d+) s, or (\d+) s have passed", pairs_of_a_profile),
    Rule("README.md", r"open tools at ([^;]*?); \*\*not yet", status),
    Rule("README.md", r"flow offloads take ([\d,]+) cycles", golden_cycles("resnet18.fused.first_on_host")),
    Rule("README.md", r"cycles, ([\d,]+) without this core's extension", golden_cycles("resnet18.fused.plain.first_on_host")),
    Rule("README.md", r"instruction set, ([\d,]+) in the schedule with VTA's published counters", golden_cycles("resnet18.compatible")),
    Rule("README.md", r"ratio of ([\d.]+) dB against fp32; ONNX Runtime's quantization has ([\d.]+) dB", noise),
    Rule("README.md", r"leaves ([\d,]+) wires of the core `tiny_1x8`",
         lambda read: (found(read, "hw/fpga/router/README.md", r"leaves ([\d,]+) of\s+[\d,]+ wires of `tiny_1x8`"),)),
    Rule("README.md", r"on Debian (\d+ or \d+),", lambda read: (found(read, "scripts/install_packages", r"on Debian (\d+ or \d+)"),)),
    Rule("README.md", r"\[Apache-([\d.]+)\]", lambda read: (found(read, "LICENSE", r"Apache License\s+Version ([\d.]+)"),)),
    Rule("docs/status.md", r"([\d,]+) of the ([\d,]+) node tests", node_tests),
    *(Rule(document, r"opsets 7 to (\d+)", last_opset) for document in ("docs/status.md", "compiler/onnx/README.md")),
    Rule(NETWORKS, r"\| all \| fused, tuned tilings \| ([\d,]+) \|", lambda read: (network_cycles(read, "resnet18"),)),
    Rule(NETWORKS, r"\| all \| fused, `--schedules none` \| ([\d,]+) \|", golden_cycles("resnet18.fused")),
    Rule(NETWORKS, r"\| the offloaded part \| fused, `--schedules none` \| ([\d,]+) \|", golden_cycles("resnet18.fused.first_on_host")),
    Rule(NETWORKS, PLAIN, golden_cycles("resnet18.fused.plain.first_on_host")),
    Rule(NETWORKS, r"\| the offloaded part \| `compatible` \| ([\d,]+) \|", golden_cycles("resnet18.compatible")),
    Rule(NETWORKS, r"MobileNet v2 takes ([\d,]+) .*?ResNet-50 ([\d,]+)",
         lambda read: (network_cycles(read, "mobilenet_v2"), network_cycles(read, "resnet50"))),
    Rule(NETWORKS, r"\| ms an image at ([\d.]+) MHz, with all margins \|", lambda read: (routed(read),)),
    Rule("docs/fpga.md", r"\(`hw/fpga/timing`\) \| ([\d.]+) ns, (\d+) MHz", clocks),
    Rule("docs/fpga.md", r"sign-off\)\) \| ([\d.]+) ns, ([\d.]+) MHz with all margins \|",
         lambda read: (rounded(str(1000 / float(routed(read)))), rounded(routed(read)))),
    Rule("docs/fpga.md", r"`tiny_1x8`, whole board, the same sign-off \| ([\d.]+) MHz with all margins",
         lambda read: (rounded(json.loads(read("hw/fpga/boards/timing/tiny_1x8.json"))["routed_mhz"]),)),
    Rule("docs/fpga.md", r"`vta_1x8` on an xc7z010 .*?the same sign-off \| ([\d.]+) MHz with all margins",
         lambda read: (rounded(json.loads(read("hw/fpga/boards/timing/vta_1x8.json"))["routed_mhz"]),)),
    Rule("docs/experiments.md", r"The offloaded part of ResNet-18 takes [\d,]+ cycles .*? tilings, ([\d.]+) % more", folded),
    Rule("docs/fpga.md", r"^\| `vta_1x16` \| ([\d,]+) \| ([\d,]+) \| (\d+) \| (\d+) \| (\d+) \|", resources),
    Rule("docs/fpga.md", r"^\| xc7z020 \| ([\d,]+) \| ([\d,]+) \| (\d+) \| (\d+) \|", part),
    Rule("docs/instruction_set.md", r"\| UOP \|.*?\| 4 \| (\d+) \|.*?\| block_out \* block_in \| (\d+) \|.*?\| batch \* block_in \| (\d+) \|"
         r".*?\| 4 \* batch \* block_out \| (\d+) \|", depths),
    Rule("docs/vivado.md", r"takes \[(\d+) of the (\d+) tiles\]", tiles),
    *(Rule("docs/board_by_hand.md", rf"^\| [^|]*`{board}`[^|]* \| [^|]* \| ([\d.]+) MHz \| (\d+ \w+) \|", crystal_and_memory(board))
      for board in BOARDS),
    margins_of("vta_1x16"),
    margins_of("tiny_1x8"),
    margins_of("vta_1x8"),
    Rule("docs/vivado.md", r"mapped netlist predicts (\d+) MHz", lambda read: (clocks(read)[1],)),
    free_scales_cost("resnet18", "resnet18"),
    free_scales_cost("ResNet-20", "resnet20_cifar"),
    free_scales_cost("mobilenet_v2", "mobilenet_v2"),
    *(Rule("docs/fpga.md", rf"^\| {name} \| ([\d.]+) \|", process_ns(name)) for name in PROCESSES),
    Rule("python/vta/__init__.py", r">>> session\.report\.cycles\n(\d+)", lambda read: (network_cycles(read, "resnet18").replace(",", ""),)),
    *facts(),
]


def match_of(rule: Rule, text: str) -> re.Match[str]:
    match = re.search(rule.expression.replace(" ", r"\s+"), text, re.MULTILINE | re.DOTALL)
    if match is None:
        raise ValueError(f"{rule.document}: nothing matches {rule.expression}; change the rule with the text")
    return match


def corrected(rule: Rule, read: Read) -> tuple[str, list[str]]:
    """The document with the rule's figures, and a line for each that was wrong."""
    text = read(rule.document)
    match, figures, wrong = match_of(rule, text), rule.figures(read), []
    for group in range(len(figures), 0, -1):
        there, figure = match.group(group), figures[group - 1]
        if "," in there and figure.isdigit():
            figure = grouped(figure)
        if " ".join(there.split()) != figure:
            text = text[:match.start(group)] + figure + text[match.end(group):]
            wrong.append(f"{rule.document}: '{there}' must be '{figure}'")
    return text, wrong


def milliseconds(read: Read) -> tuple[str, list[str]]:
    """The table of networks with the milliseconds of its cycles and clock, and a line for each that was wrong."""
    mhz, wrong = float(found(read, NETWORKS, r"ms an image at ([\d.]+) MHz")), []

    def row(match: re.Match[str]) -> str:
        name, cycles, there = match.groups()
        figure = f"{float(cycles.replace(',', '')) / mhz / 1e3:.1f}"
        if there != figure:
            wrong.append(f"{NETWORKS}: {there} ms of {name} must be {figure}")
        return match.group()[:-len(f"{there} |")] + f"{figure} |"

    return ROW.sub(row, read(NETWORKS)), wrong


def ruled(document: str, text: str) -> page_numbers.Spans:
    """Where the figures of rules are."""
    matches = [match_of(rule, text) for rule in RULES if rule.document == document]
    return [match.span(group) for match in matches for group in range(1, (match.lastindex or 0) + 1)]


def unchecked_numbers(read: Read) -> Problems:
    """Numbers in README.md outside of code and links that no rule covers, and those of docs/ that nothing accounts for."""
    text = read("README.md")
    spans = ruled("README.md", text)
    prose = re.sub(r"```.*?```|`[^`\n]*`|\]\([^)]*\)", page_numbers.blank, text, flags=re.DOTALL)
    for match in NUMBER.finditer(prose):
        if not page_numbers.within(match, spans):
            line = text.count("\n", 0, match.start()) + 1
            yield f"README.md:{line}: no rule of scripts/check_figures.py computes {match.group()}"
    for page in map(str, sources.files("docs/*.md")):
        yield from page_numbers.problems(page, read(page), ruled(page, read(page)))


def size_problems(read: Read) -> Problems:
    text = read("README.md")
    words = len(text.split())
    if words > MAX_README_WORDS:
        yield f"README.md: {words} words, at most {MAX_README_WORDS}"
    images = {name for name in IMAGE.findall(text) if (sources.ROOT / name).is_file()}
    if len(images) < MIN_README_IMAGES:
        yield f"README.md: shows {len(images)} images of the repository, at least {MIN_README_IMAGES}"


def correct_all(read: Read) -> tuple[dict[str, str], list[str]]:
    """The documents with all figures corrected, and a line for each that was wrong."""
    texts: dict[str, str] = {}
    problems: list[str] = []

    def newest(path: str) -> str:
        return texts[path] if path in texts else read(path)

    for rule in RULES:
        texts[rule.document], wrong = corrected(rule, newest)
        problems += wrong
    texts[NETWORKS], wrong = milliseconds(newest)
    return texts, problems + wrong


def problems_of(read: Read) -> list[str]:
    return [*correct_all(read)[1], *unchecked_numbers(read), *size_problems(read)]


def write(path: str, text: str) -> None:
    if text != sources.read(path):
        (sources.ROOT / path).write_text(text, encoding="utf-8")
        print(f"check_figures: corrected {path}")


def write_figures() -> None:
    for path, text in correct_all(sources.read)[0].items():
        write(path, text)


def write_records() -> None:
    for page in map(str, sources.files("docs/*.md")):
        text = sources.read(page)
        write(page, page_numbers.recorded(text, ruled(page, text)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="correct the figures in the documents")
    parser.add_argument("--record", action="store_true", help="date the records of docs/ whose numbers have changed")
    arguments = parser.parse_args()
    try:
        if arguments.write:
            write_figures()
        if arguments.record:
            write_records()
        problems = problems_of(sources.read)
    except ValueError as error:  # a text that no rule matches
        problems = [str(error)]
    return sources.report("check_figures", problems)


if __name__ == "__main__":
    sys.exit(main())
