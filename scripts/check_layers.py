#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the layers and the includes: every folder of the top level includes and links only floors below it (FLOORS, which
it prints). Every folder of sources has a row in LAYERS, and a row names only folders above it, all of which its folder
includes. No headers include each other in a cycle, no modules do but the listed ones, and the table in ARCHITECTURE.md is
this one.

Example:
  scripts/check_layers.py
  scripts/check_layers.py --write    # puts the table of layers into ARCHITECTURE.md
"""
import argparse
import re
import sys
import typing

import sources

Problems = typing.Iterator[str]  # a line each
Includes = dict[str, list[str]]  # file -> the project's files that it includes
Allowed = str | list[str]  # ALL, or folders

ALL = "all"
BASE = "base"  # a row that names it permits all of its folders
TENSOR = "runtime/tensor"

# The folders of the top level, from the bottom to the top. A header, source, table, template or CMakeLists.txt names only
# files, targets and CMake's functions of its own floor and those below.
FLOORS = ["base", "configs", "hw", "driver", "runtime", "compiler", "sim", "tools", "python", "tests"]

# (folder, what it holds, folders that it may include besides itself), from the bottom to the top: a folder may include
# rows above its own only, so there are no cycles of folders. Subfolders are rows of their own.
LAYERS: list[tuple[str, str, Allowed]] = [
    ("base/errors", "errors, assertions, text for messages", []),
    ("base/numbers", "random numbers, statistics, rounding", ["base/errors"]),
    ("base/limits", "memory, threads, time and processes that a computation may take", ["base/errors"]),
    ("base/files", "files and their formats: arrays, JSON, zip; checksums", ["base/errors", "base/limits"]),
    ("base/command_line", "command lines and progress of tools", ["base/errors", "base/numbers", "base/limits", "base/files"]),
    ("configs", "configurations of cores, memories and boards", [BASE]),
    ("hw/isa", "instructions: encode, decode, assemble", [BASE, "configs"]),
    ("hw/hls", "streams, memories, bursts; fibers in native builds", []),
    ("hw/core", "the core; no heap, no standard containers", ["configs", "hw/isa", "hw/hls"]),
    ("hw/registers", "the register map and its generator", [BASE, "configs", "hw/isa"]),
    ("hw/rtl/board", "the top level for boards; generator of its stage states", [BASE, "configs", "hw/core", "hw/registers"]),
    ("hw/hlsc/ir", "process IR: text form, verifier, interpreter", [BASE]),
    ("hw/hlsc/front", "C++ to process IR, by clang and LLVM", [BASE, "hw/hlsc/ir"]),
    ("hw/hlsc/passes", "passes from process IR to process IR", [BASE, "hw/hlsc/ir"]),
    ("hw/hlsc/schedule", "control steps and pipeline stages, and their checker", [BASE, "hw/hlsc/ir", "hw/hlsc/passes"]),
    ("hw/hlsc/bind", "RAM ports, DSPs, shared and packed products", [BASE, "hw/hlsc/ir", "hw/hlsc/schedule"]),
    ("hw/hlsc/rtl", "structural Verilog modules and their printer", [BASE]),
    ("hw/hlsc/emit", "SystemVerilog of a scheduled design",
     [BASE, "hw/hlsc/ir", "hw/hlsc/schedule", "hw/hlsc/bind", "hw/hlsc/rtl"]),
    ("hw/hlsc/estimate", "when registers get their values, by an estimate of the netlist", [BASE, "hw/hlsc/rtl"]),
    ("hw/hlsc/report", "the report: cycles and resources", [BASE, "hw/hlsc/ir", "hw/hlsc/schedule", "hw/hlsc/bind", "hw/hlsc/estimate"]),
    ("hw/hlsc/model", "the cycle model of a scheduled design, as C++",
     [BASE, "hw/hlsc/ir", "hw/hlsc/schedule", "hw/hlsc/bind"]),
    ("hw/hlsc/examples", "the worked example of the READMEs: a kernel", ["hw/hls"]),
    ("hw/hlsc/tool", "`vta-hlsc`",
     [BASE, "hw/hlsc/ir", "hw/hlsc/front", "hw/hlsc/passes", "hw/hlsc/schedule", "hw/hlsc/bind", "hw/hlsc/report",
      "hw/hlsc/emit", "hw/hlsc/estimate", "hw/hlsc/model"]),
    ("hw/fpga/router", "`vta-route`: routes what nextpnr has placed", [BASE]),
    ("hw/fpga/placer", "`vta-place`: improves a placement of nextpnr", [BASE, "hw/fpga/router"]),
    ("driver", "`Device`, and devices with registers", [BASE, "configs", "hw/isa", "hw/registers"]),
    ("driver/linux", "sysfs, files, mapped registers", [BASE, "hw/registers"]),
    ("driver/flash", "programming the FPGA", [BASE, "configs", "driver", "driver/linux"]),
    ("driver/uio", "`uio:[NAME]`: a board without XRT", [BASE, "driver", "driver/linux"]),
    ("driver/xrt", "`xrt:INDEX`: a board with XRT", [BASE, "configs", "driver", "driver/linux", "driver/flash"]),
    (TENSOR, "tensors, the list of operators", [BASE]),
    ("runtime/program", "the program and its file", [BASE, "configs", "hw/isa", "hw/registers", TENSOR]),
    ("runtime/session", "running a program", [BASE, "configs", "hw/registers", "driver", TENSOR, "runtime/program"]),
    ("runtime/host", "host operators, images", [BASE, TENSOR]),
    ("runtime/dataset", "labelled images as inputs", [BASE, TENSOR, "runtime/host"]),
    ("runtime/rpc", "remote devices: server and client", [BASE, "configs", "hw/registers", "driver", "driver/flash"]),
    ("compiler/graph", "the graph: text form, verifier", [BASE, TENSOR]),
    ("compiler/graph/passes", "graph transformations for every target", [TENSOR, "runtime/host", "compiler/graph"]),
    ("compiler/onnx", "ONNX models to graphs", [BASE, TENSOR, "runtime/host", "compiler/graph"]),
    ("compiler/import", "network files to graphs",
     [BASE, "configs", TENSOR, "runtime/program", "runtime/host", "compiler/graph", "compiler/graph/passes",
      "compiler/onnx"]),
    ("compiler/quantize", "float32 graphs to int8 graphs",
     [BASE, TENSOR, "runtime/host", "compiler/graph", "compiler/graph/passes"]),
    ("compiler/lower", "int8 graphs to programs",
     [BASE, "configs", "hw/isa", "hw/registers", TENSOR, "runtime/program", "compiler/graph", "compiler/graph/passes"]),
    ("compiler", "the table of passes, from network to program",
     [BASE, "configs", TENSOR, "runtime/program", "runtime/host", "compiler/graph/passes", "compiler/import",
      "compiler/quantize", "compiler/lower"]),
    ("sim/functional", "the core compiled natively, as written and with vector loops, as devices; no time",
     [BASE, "configs", "hw/isa", "hw/hls", "hw/core", "hw/registers", "driver", "runtime/program"]),
    ("sim/memory", "DRAM timing, for devices that count cycles", [BASE, "configs"]),
    ("sim/process_network", "processes, streams and DRAM with simulated time, for cycle models",
     [BASE, "configs", "hw/hls", "sim/memory"]),
    ("sim/timed", "what devices that count cycles share",
     [BASE, "configs", "hw/isa", "hw/core", "hw/registers", "driver", "sim/functional", "sim/memory"]),
    ("sim/cycle", "the cycle model of the core, as a device",
     [BASE, "configs", "hw/hls", "hw/core", "hw/registers", "driver", "sim/functional", "sim/process_network", "sim/timed"]),
    ("sim/rtl", "the Verilated core, as a device",
     [BASE, "configs", "hw/isa", "hw/core", "hw/registers", "driver", "sim/functional", "sim/memory", "sim/timed"]),
    ("sim/analysis/report", "the report of a network's cycles and bytes, and its page",
     [BASE, "configs", "hw/isa", "hw/core", "hw/registers", "driver", "runtime/program", "runtime/session", "runtime/host",
      "compiler", "sim/memory", "sim/timed"]),
    ("sim/analysis/tune", "search for tilings, measured on the cycle model",
     [BASE, "configs", "driver", "runtime/program", "runtime/session", "compiler/graph", "compiler/lower", "compiler"]),
    ("sim/analysis/explore", "networks on many cores, measured on cycle models built at run time",
     [BASE, "configs", "compiler/import", "compiler", "sim/timed", "sim/cycle", "sim/analysis/report", "sim/analysis/tune"]),
    ("tools/flash/selftest", "the self-test of a core",
     [BASE, "configs", "hw/isa", "driver", "runtime/program", "runtime/session", "sim/functional"]),
    ("tools/rpc_server", "`vta-rpc-server`",
     [BASE, "configs", "driver/flash", "driver/uio", "driver/xrt", "runtime/rpc", "sim/functional", "sim/cycle", "sim/rtl"]),
    ("tools/flash", "`vta-flash`", ALL),
    ("tools/compile", "`vta-compile`", ALL),
    ("tools/sim", "`vta-sim`", ALL),
    ("tools/c_api", "libvta, the C API", ALL),
    ("tools/onnxruntime_ep", "the execution provider for ONNX Runtime", [BASE, "tools/c_api"]),
    ("tools/run", "`vta-run`", [BASE, "tools/c_api"]),
    ("tests", "tests, benchmarks", ALL),
]
ROWS = {folder: (number, allowed) for number, (folder, _, allowed) in enumerate(LAYERS)}

# A module is a header with its .cc file. Modules that include each other, each with the reason why it stays or what will
# cut it. Headers alone never include each other, except in hw/core.
KNOWN_CYCLES = [
    # core.h holds the class; the stages' headers hold the bodies of its member functions.
    {"hw/core/core", "hw/core/alu", "hw/core/fetch", "hw/core/gemm", "hw/core/load", "hw/core/store"},
    # The first one is the folder's interface; the others are written against its types and called by its .cc file.
    {"base/files/array_file", "base/files/array_formats"},
    {"runtime/dataset/dataset", "runtime/dataset/formats"},
    {"runtime/host/image", "runtime/host/image_formats", "runtime/host/orientation"},
    {"runtime/host/executor", "runtime/host/fusion", "runtime/host/primitives"},
    {"runtime/host/onednn", "runtime/host/onednn_version"},
    {"runtime/rpc/server", "runtime/rpc/connection"},
    {"configs/core_config", "configs/core_fields", "configs/core_sizes"},
    {"compiler/import/network", "compiler/import/onnx_network", "compiler/import/quantized_file"},
    {"compiler/onnx/model", "compiler/onnx/external_data"},
    {"hw/hlsc/front/front_end", "hw/hlsc/front/clang"},
    {"hw/hlsc/emit/verilog", "hw/hlsc/emit/top_module"},
    {"sim/process_network/core_dram", "sim/process_network/uncontended_dram", "sim/process_network/shared_dram"},
    # The rewriter folds every operation that it creates, and folding creates operations.
    {"hw/hlsc/passes/fold", "hw/hlsc/passes/rewriter"},
]

# Header of an outside library -> the only folders that may include it.
LIBRARIES = {
    r"(oneapi/)?dnnl": ["runtime/host", "tests"],
    r"(llvm|clang)/": ["hw/hlsc", "tests"],
    r"(onnx|google/protobuf)/": ["compiler/onnx/model.cc", "tests"],
    r"CLI/": ["base/command_line/command_line"],
    r"nlohmann/": [""],
    r"boost/": ["sim", "hw/hls", "runtime/rpc", "tests"],
    r"openssl/": ["base/files/content_key", "runtime/rpc", "tests"],
    r"(jpeglib|png)\.h": ["runtime/host", "tests"],
    r"zip\.h": ["base/files", "tests"],
    r"(xrt|experimental)/": ["driver/xrt", "tests"],
    r"gtest/|gmock/|benchmark/": ["tests"],
}

# The core becomes hardware: no containers, no streams, no threads.
CORE_HEADERS = {"cstdint", "cstddef", "type_traits", "stdint.h", "stddef.h"}

# A target or function that a CMakeLists.txt defines.
DEFINED = re.compile(
    r"^\s*(?:vta_library|vta_c_library|vta_tool|vta_test|add_library|add_executable|add_custom_target|function)\(([\w-]+)",
    re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">@]+)[">]', re.MULTILINE)
IMPORTED = re.compile(r"^\s*(?:from|import) ([\w.]+)", re.MULTILINE)
TABLE = re.compile(r"^\| folder \| holds \| may include \|\n(?:\|.*\n)*", re.MULTILINE)


def inside(path: str, folder: str) -> bool:
    return folder == "" or path == folder or path.startswith(folder + "/")


def folder_of(path: str) -> str:
    return path.rpartition("/")[0]


def layer_of(path: str) -> str:
    """The folder's own row; of tests, the row of all tests."""
    return "tests" if inside(path, "tests") else folder_of(path)


def permits(allowed: Allowed, other: str) -> bool:
    return allowed == ALL or other in allowed or (BASE in allowed and inside(other, BASE))


def is_above(path: str, other: str) -> bool:
    """Is `path` on a floor above that of `other`?"""
    floors = [FLOORS.index(top) for name in (path, other) if (top := name.partition("/")[0]) in FLOORS]
    return len(floors) == 2 and floors[0] > floors[1]


def floor_problems(includes: Includes, cmake: dict[str, str]) -> Problems:
    """includes: file -> the project's files that it includes; cmake: CMakeLists.txt -> its text."""
    for path, included in includes.items():
        for other in filter(lambda other: is_above(other, path), included):
            yield f"{path}: includes {other}, which is on a floor above"
    cmake = {path: re.sub(r"#.*", "", text) for path, text in cmake.items()}
    defined = {name: path for path, text in cmake.items() for name in DEFINED.findall(text)}
    for path, text in cmake.items():
        for name in sorted(set(re.findall(r"[\w-]+", text)) & set(defined)):
            if is_above(defined[name], path):
                yield f"{path}: names {name} of {defined[name]}, which is on a floor above"


def python_problems(texts: dict[str, str]) -> Problems:
    """texts: Python file -> its text. The Python of a floor imports no floor above, and no script."""
    for path, text in texts.items():
        top = path.partition("/")[0]
        for module in IMPORTED.findall(text):
            other = module.replace(".", "/")
            is_script = inside(other, "scripts") and top in FLOORS[:FLOORS.index("python")]
            if is_script or is_above(other, path):
                yield f"{path}: imports {module}, which is {'a script' if is_script else 'on a floor above'}"


def own_include_problem(path: str, included: str) -> str | None:
    layer, other = layer_of(path), layer_of(included)
    if not (sources.ROOT / included).is_file():
        return f"includes {included}, which does not exist from the root"
    if other not in ROWS or layer not in ROWS:
        return None  # reported by folder
    allowed = ROWS[layer][1]
    return None if other == layer or permits(allowed, other) else f"{layer} may not include {included}"


def library_problem(path: str, included: str) -> str | None:
    for pattern, folders in LIBRARIES.items():
        if not re.match(pattern, included):
            continue
        if pattern == "nlohmann/" and path.endswith(".h") and not included.endswith("json_fwd.hpp"):
            return f"includes {included}; headers include json_fwd.hpp only (compile time)"
        if not any(path.startswith(folder) for folder in folders):
            return f"includes {included}, which only {', '.join(folders)} may"
    if inside(path, "hw/core") and included not in CORE_HEADERS:
        return f"includes <{included}>; the core may include {', '.join(sorted(CORE_HEADERS))}"
    return None


def row_problems(paths: list[str]) -> Problems:
    """Rows in order, and a row for every folder of sources."""
    for number, (folder, _, allowed) in enumerate(LAYERS):
        for other in [] if allowed == ALL else allowed:
            if other not in [BASE, *ROWS]:
                yield f"LAYERS: {folder} may include {other}, which has no row"
            elif other != BASE and ROWS[other][0] >= number:
                yield f"LAYERS: {folder} may include {other}, whose row is not above its own"
    folders = {layer_of(path) for path in paths}
    for folder in sorted(folders - set(ROWS)):
        yield f"{folder}: has no row in LAYERS of scripts/check_layers.py"
    for folder in sorted(set(ROWS) - folders):
        yield f"LAYERS: {folder} has no sources; remove its row"


def cycles(graph: typing.Mapping[str, typing.Collection[str]]) -> list[set[str]]:
    """Sets of nodes that reach each other (Tarjan's strongly connected components of two nodes or more)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[set[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            component = stack[stack.index(node):]
            del stack[stack.index(node):]
            found.extend([set(component)] if len(component) > 1 else [])

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


def one_cycle(graph: dict[str, set[str]], component: set[str]) -> str:
    """The shortest way from the component's first node back to it, as text."""
    start = min(component)
    ways = [[start]]
    for way in ways:
        for other in sorted(graph[way[-1]] & component):
            if other == start:
                return " -> ".join(way + [start])
            if all(other not in known for known in ways):
                ways.append(way + [other])
    return ", ".join(sorted(component))


def module_of(path: str) -> str:
    return re.sub(r"\.(h|cc|def)$", "", path)


def cycle_problems(includes: Includes, known: typing.Sequence[set[str]] = KNOWN_CYCLES) -> Problems:
    """includes: file -> the project's files that it includes."""
    headers = {path: set(included) for path, included in includes.items() if not path.endswith(".cc")}
    modules: dict[str, set[str]] = {}
    for path, included in includes.items():
        modules.setdefault(module_of(path), set()).update(set(map(module_of, included)) - {module_of(path)})
    for component in cycles(headers):
        if not any(set(map(module_of, component)) <= listed for listed in known):
            yield f"headers include each other: {one_cycle(headers, component)}"
    found = cycles(modules)
    for component in found:
        if not any(component <= listed for listed in known):
            yield f"modules include each other: {one_cycle(modules, component)} (all: {', '.join(sorted(component))})"
    for listed in known:
        if not any(component <= listed for component in found):
            yield f"KNOWN_CYCLES: {', '.join(sorted(listed))} is not a cycle any more; remove it"


def unused_problems(includes: Includes, layers: typing.Sequence[tuple[str, str, Allowed]] = LAYERS) -> Problems:
    """includes: file -> the project's files that it includes. A row permits nothing that its folder does not use."""
    used = {(layer_of(path), layer_of(other)) for path, included in includes.items() for other in included}
    used |= {(folder, BASE) for folder, other in used if inside(other, BASE)}
    for folder, _, allowed in layers:
        for other in [] if allowed == ALL else allowed:
            if (folder, other) not in used:
                yield f"LAYERS: {folder} may include {other}, which it does not; remove that"


def table() -> str:
    """LAYERS in Markdown."""
    lines = ["| folder | holds | may include |", "|---|---|---|"]
    for folder, holds, allowed in LAYERS:
        others = [f"`{other}`" for other in [BASE, *(row[0] for row in LAYERS)] if allowed != ALL and other in allowed]
        lines.append(f"| `{folder}` | {holds} | {ALL if allowed == ALL else ', '.join(others) or '-'} |")
    return "\n".join(lines) + "\n"


def table_problems(text: str) -> Problems:
    if (found := TABLE.search(text)) is None:
        yield "ARCHITECTURE.md: has no table of layers"
    elif found.group() != table():
        yield "ARCHITECTURE.md: its table of layers is not that of scripts/check_layers.py (--write mends it)"


def all_problems() -> Problems:
    paths = list(map(str, sources.files("*.h", "*.cc", "*.def", "*.in")))
    includes: Includes = {}
    yield from row_problems(paths)
    for path in paths:
        for quote, included in INCLUDE.findall(sources.read(path)):
            own = quote == '"' and not re.match(r"CLI/|fmt/|gtest/|nlohmann/", included)
            if problem := (own_include_problem if own else library_problem)(path, included):
                yield f"{path}: {problem}"
            if own:
                includes.setdefault(path, []).append(included)
    yield from floor_problems(includes, {str(path): sources.read(path) for path in sources.files("*CMakeLists.txt")})
    programs = [path for path in sources.files("hw/fpga/*") if "." not in path.name and path.name != "Makefile"]
    yield from python_problems({str(path): sources.read(path) for path in [*sources.files("*.py"), *programs]})
    yield from unused_problems(includes)
    yield from cycle_problems(includes)
    yield from table_problems(sources.read("ARCHITECTURE.md"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the table into ARCHITECTURE.md and check nothing")
    if parser.parse_args().write:
        text = sources.read("ARCHITECTURE.md")
        (sources.ROOT / "ARCHITECTURE.md").write_text(TABLE.sub(lambda _: table(), text), encoding="utf-8")
        return 0
    print(f"floors: {' < '.join(FLOORS)}")
    return sources.report("check_layers", list(all_problems()))


if __name__ == "__main__":
    sys.exit(main())
