#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs Python with packages from PyPI that Debian lacks, in a virtual environment that is made once.

Example:
  tests/python/in_venv.py build/release/venv onnxruntime onnx -- -m pytest tests/python/hybrid_test.py
"""
import os
import pathlib
import subprocess
import sys
import venv


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help") or "--" not in sys.argv:
        print(__doc__)
        return 0 if len(sys.argv) > 1 and sys.argv[1] in ("-h", "--help") else 2
    split = sys.argv.index("--")
    folder, packages, arguments = pathlib.Path(sys.argv[1]), sys.argv[2:split], sys.argv[split + 1:]
    python = folder / "bin" / "python"
    done = folder / "packages.txt"
    wanted = " ".join(packages)
    if not done.is_file() or done.read_text() != wanted:
        venv.create(folder, system_site_packages=True, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
        done.write_text(wanted)
    os.execv(python, [python, *arguments])


if __name__ == "__main__":
    sys.exit(main())
