#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the types of the Python packages hw/fpga/flow and hw/fpga/readback, of their commands and of these checks with mypy, by
scripts/mypy.ini (strict). Skipped, with a line, where mypy is missing. The types of python/vta are checked by the test python_types.

Example:
  scripts/check_types.py
"""
import importlib.util
import shutil
import subprocess
import sys

import sources

TYPED = ["hw/fpga/flow/*.py", "hw/fpga/readback/*.py", "scripts/check_*.py", "scripts/sources.py",
         *(f"hw/fpga/{command}" for command in ("timing", "build_bitstream", "estimate_resources", "fasm_to_frames", "prove_bits"))]


def main() -> int:
    sources.take_no_arguments(__doc__)
    mypy = [sys.executable, "-m", "mypy"] if importlib.util.find_spec("mypy") else list(filter(None, [shutil.which("mypy")]))
    if not mypy:
        print("check_types: skipped, mypy is missing (scripts/install_packages)")
        return 0
    files = [str(path) for path in sources.files(*TYPED)]
    run = subprocess.run([*mypy, "--config-file", "scripts/mypy.ini", "--cache-dir", "build/mypy", "--no-error-summary", *files],
                         cwd=sources.ROOT, capture_output=True, text=True)
    if run.returncode > 1:  # mypy itself fails
        print(run.stderr, end="")
        return 1
    return sources.report("check_types", run.stdout.splitlines())


if __name__ == "__main__":
    sys.exit(main())
