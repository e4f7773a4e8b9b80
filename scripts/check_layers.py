#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Who may include whom: the right column of ARCHITECTURE.md's table of layers, checked.

Example:
  scripts/check_layers.py
"""
import re
import sys

import sources

ALL = [""]

# Folder -> folders that it may include besides itself. The longest folder that holds a file decides.
LAYERS = {
    "runtime/base": [],
    "runtime/tensor": ["runtime/base"],
    "runtime/program": ["runtime/base", "runtime/tensor", "configs", "hw/isa"],
    "runtime/session": ["runtime/base", "runtime/tensor", "runtime/program", "configs", "driver", "hw/isa"],
    "runtime/host": ["runtime/base", "runtime/tensor"],
    "runtime/dataset": ["runtime/base", "runtime/tensor", "runtime/host"],
    "runtime/rpc": ["runtime/base", "configs", "driver", "hw/isa"],
    "runtime/rpc/tool": ["runtime/rpc", "runtime/base", "configs", "driver", "hw/isa", "sim"],
    "configs": ["runtime/base"],
    "hw/isa": ["runtime/base", "configs"],
    "hw/hls": [],
    "hw/core": ["hw/isa", "hw/hls"],
    "hw/hlsc": ["runtime/base"],
    "hw/hlsc/examples": ["hw/hls"],
    "driver": ["runtime/base", "configs", "hw/isa"],
    "driver/tool": ALL,
    "sim": ["driver", "hw", "configs", "runtime/base"],
    "sim/memory": ["configs", "runtime/base"],
    "sim/network": ["sim/memory", "hw/hls", "configs", "runtime/base"],
    "sim/tool": ALL,
    "compiler": ["runtime/base", "runtime/tensor", "runtime/program", "runtime/host", "configs", "hw/isa"],
    "compiler/tool": ALL,
    "tests": ALL,
}

# Header of an outside library -> the only folders that may include it.
LIBRARIES = {
    r"(oneapi/)?dnnl": ["runtime/host", "tests"],
    r"(llvm|clang)/": ["hw/hlsc", "tests"],
    r"(onnx|google/protobuf)/": ["compiler/onnx/model.cc", "tests"],
    r"CLI/": ["runtime/base/command_line"],
    r"nlohmann/": [""],
    r"boost/": ["sim", "hw/hls", "runtime/rpc", "tests"],
    r"openssl/": ["runtime/rpc", "tests"],
    r"(jpeglib|png)\.h": ["runtime/host", "tests"],
    r"zip\.h": ["runtime/base", "tests"],
    r"(xrt|experimental)/": ["driver/xrt", "tests"],
    r"gtest/|gmock/|benchmark/": ["tests"],
}

# The core becomes hardware: no containers, no streams, no threads.
CORE_HEADERS = {"cstdint", "cstddef", "type_traits", "stdint.h", "stddef.h"}

INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.MULTILINE)


def inside(path, folder):
    return folder == "" or path == folder or path.startswith(folder + "/")


def layer_of(path):
    return max((folder for folder in LAYERS if inside(path, folder)), key=len, default=None)


def own_include_problem(path, included):
    if not (sources.ROOT / included).is_file():
        return f"includes {included}, which does not exist from the root"
    layer = layer_of(path)
    if layer is None:
        return "is in no layer of scripts/check_layers.py"
    if any(inside(included, folder) for folder in [layer, *LAYERS[layer]]):
        return None
    return f"{layer} may not include {included}"


def library_problem(path, included):
    for pattern, folders in LIBRARIES.items():
        if not re.match(pattern, included):
            continue
        if pattern == "nlohmann/" and path.endswith(".h") and not included.endswith("json_fwd.hpp"):
            return f"includes {included}; headers do with json_fwd.hpp (compile time)"
        if not any(path.startswith(folder) for folder in folders):
            return f"includes {included}, which only {', '.join(folders)} may"
    if inside(path, "hw/core") and included not in CORE_HEADERS:
        return f"includes <{included}>; the core may include {', '.join(sorted(CORE_HEADERS))}"
    return None


def main():
    sources.take_no_arguments(__doc__)
    problems = []
    for path in map(str, sources.files("*.h", "*.cc")):
        for quote, included in INCLUDE.findall(sources.read(path)):
            own = quote == '"' and not re.match(r"CLI/|fmt/|gtest/|nlohmann/", included)
            problem = (own_include_problem if own else library_problem)(path, included)
            if problem:
                problems.append(f"{path}: {problem}")
    return sources.report("check_layers", problems)


if __name__ == "__main__":
    sys.exit(main())
