#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The wheel of scripts/build_wheel, installed into a fresh virtual environment, runs the first notebook there.

usage: wheel_in_venv.py    in the clone; needs PyPI
"""
import os
import pathlib
import subprocess
import tempfile
import venv

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    made = subprocess.run([ROOT / "scripts/build_wheel"], check=True, stdout=subprocess.PIPE, text=True).stdout
    wheel = made.splitlines()[-1]
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VTA_LIBRARY")}
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = pathlib.Path(folder) / "bin/python"
        subprocess.run([python, "-m", "pip", "install", "--quiet", wheel, "pytest"], check=True, env=environment)
        subprocess.run([python, "-c", f"import vta; assert vta.__file__.startswith({folder!r}), vta.__file__"],
                       check=True, env=environment, cwd=folder)
        subprocess.run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", ROOT / "tests/python/notebooks_test.py",
                        "-k", "1_first"], check=True, env=environment, cwd=folder)
    print(f"{pathlib.Path(wheel).name}: runs the first notebook in a fresh environment")


if __name__ == "__main__":
    main()
