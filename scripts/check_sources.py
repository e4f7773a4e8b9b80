#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every source is built, and has the guard of its path and the licence in its first lines. Every folder of tests/unit with
tests has the path of the folder that it tests. No text of nlohmann's library becomes a message, and options which write files are declared
as outputs.

Example:
  scripts/check_sources.py
"""
import pathlib
import re
import sys
import typing

import sources

Problems = typing.Iterator[str]  # a line each

LICENSE = "SPDX-License-Identifier: Apache-2.0"
COMMANDS = ["hw/fpga/build_bitstream", "hw/fpga/timing", "hw/fpga/estimate_resources", "hw/fpga/fasm_to_frames", "hw/fpga/prove_bits"]
LICENSED = ["*.h", "*.cc", "*.def", "*.py", "*.cmake", "*CMakeLists.txt", ".ci/run", "scripts/*", *COMMANDS]


def is_built(path: pathlib.PurePosixPath) -> bool:
    """Does a CMakeLists.txt at or above the file name it, or a .def beside it that its CMakeLists.txt reads?"""
    own_lists = sources.ROOT / path.parent / "CMakeLists.txt"
    for table in own_lists.parent.glob("*.def") if own_lists.is_file() else []:
        if table.name in own_lists.read_text() and f"({path.stem}," in table.read_text():
            return True
    for folder in path.parents:
        lists = sources.ROOT / folder / "CMakeLists.txt"
        name = str(path.relative_to(folder))
        if lists.is_file() and re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", lists.read_text()):
            return True
    return False


def guard_of(path: pathlib.PurePosixPath) -> str:
    return "VTA_" + re.sub(r"\W", "_", str(path)).upper() + "_"


def unit_folder_problems(tests: list[pathlib.PurePosixPath], folders: set[str]) -> Problems:
    """tests: test files and CMakeLists.txt below tests/unit; folders: all folders of sources."""
    for folder in sorted({str(path.parent.relative_to("tests/unit")) for path in tests}):
        if folder != "." and folder not in folders:
            yield f"tests/unit/{folder}: no folder {folder} to test"


# These exceptions name C++ functions; with_json_errors() of this file translates them.
TRANSLATES_JSON_ERRORS = "base/files/strict_json.cc"
CATCHES_JSON_ERRORS = re.compile(r"catch \([^)]*[Jj]son::(exception|\w+_error|out_of_range|invalid_iterator)")


def raw_message_problems(texts: dict[str, str]) -> Problems:
    """texts: C++ sources by path."""
    for path, text in texts.items():
        if path != TRANSLATES_JSON_ERRORS and CATCHES_JSON_ERRORS.search(text):
            yield f"{path}: catches an exception of nlohmann's library; call with_json_errors() ({TRANSLATES_JSON_ERRORS})"


OPTION = re.compile(r"\.option\(((?:\"(?:[^\"\\]|\\.)*\"|[^;\"])*)\)")


WRITTEN = re.compile(r"(^|,)(-o|--(out|output|save-.*|draw|page|trace|wave))(,|$)")


def undeclared_output_problems(texts: dict[str, str]) -> Problems:
    """Options that write files: Command::output() protects inputs from them."""
    for path, text in texts.items():
        for option in OPTION.finditer(text):
            words = re.findall(r"\"((?:[^\"\\]|\\.)*)\"", option[1])
            writes = WRITTEN.search(words[0]) or any(word.startswith(("Write ", "Append ", "Save ")) for word in words[1:])
            if "DIR" not in words and writes:
                yield f"{path}: {words[0]} writes a file; declare it with Command::output() (base/command_line/command_line.h)"


def main() -> int:
    sources.take_no_arguments(__doc__)
    problems = [f"{p}: no CMakeLists.txt builds it" for p in sources.files("*.cc") if not is_built(p)]
    for path in sources.files("*.h"):
        text = sources.read(path)
        guard = guard_of(path)
        if f"#ifndef {guard}\n#define {guard}\n" not in text or f"#endif  // {guard}\n" not in text:
            problems.append(f"{path}: its guard is not {guard}")
    for path in sources.files(*LICENSED):
        if LICENSE not in "".join(sources.read(path).splitlines(keepends=True)[:2]):
            problems.append(f"{path}: its first lines lack '{LICENSE}'")
    problems += unit_folder_problems(sources.files("tests/unit/*CMakeLists.txt", "tests/unit/*_test.cc"),
                                     {str(path.parent) for path in sources.files()})
    product = {str(p): sources.read(p) for p in sources.files("*.cc", "*.h") if not str(p).startswith("tests/")}
    problems += raw_message_problems(product)
    problems += undeclared_output_problems(product)
    return sources.report("check_sources", problems)


if __name__ == "__main__":
    sys.exit(main())
